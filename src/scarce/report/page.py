"""The results page of a study: one HTML file that needs nothing beside it and asks no network for anything."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from scarce.report.agreement_view import LabelOf, agreement_view
from scarce.report.fragments import inline_svg
from scarce.report.payload import as_json, packed_text
from scarce.report.render import to_html
from scarce.report.tables import Cell, Column, Row, Table
from scarce.report.verdict_view import verdict_view
from scarce.words import MISSING

TEMPLATES = Path(__file__).parent / "templates"
#: Sections that the script fills, in their order.
VIEWS = {
    "leaderboard": "Leaderboard",
    "two": "Two methods",
    "dataset": "One data set",
    "cost": "Cost against score",
    "ratio": "Score against flip ratio",
    "rules": "Threshold rules",
}
#: Other elements of the page that have a name.
IDS = (
    *("main", "summary", "explore", "controls", "differences", "estimates", "verdicts", "agreement", "tables"),
    *("show-published", "figures", "missing", "costs", "thresholds", "options", "provenance", "cite", "files"),
    *("data", "table-files"),
)
#: Bytes of a page.
LARGEST = 6_000_000
MESSAGES = 200  # kinds of failure that are listed

THRESHOLDS = (
    ("f1_default", "0.5", "Positive where the score is above 0.5, whatever the score means."),
    ("f1_prior", "the class prior", "Positive where the score is above the class prior that the method was given."),
    (
        "f1_observed",
        "validation rows, observed labels",
        "The threshold with the best F1 on validation rows as a user sees them, hidden positives counted as negatives. "
        "All that somebody with PU data can do.",
    ),
    (
        "f1_validation",
        "validation rows, true labels",
        "The threshold with the best F1 on validation rows with their true labels, which a user of PU data lacks.",
    ),
    (
        "f1_oracle",
        "test rows",
        "The best F1 that any threshold reaches on the test rows themselves: an upper bound, never a result to expect.",
    ),
)


@dataclass(frozen=True)
class TableBlock:
    """A table with its title; `files` are those that a reader may take from the page, name to text."""

    title: str
    table: Table
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.table.name


@dataclass(frozen=True)
class FigureBlock:
    """A figure: `svg` is the text of an SVG file. One that a `view` of the page draws is only named."""

    id: str
    title: str
    svg: str = ""
    caption: str = ""
    view: str = ""


@dataclass(frozen=True)
class Missing:
    """A data set that is unavailable or unusable, or of which something is to be said: what, or why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Option:
    """A choice of the study: its key, the value, what it means, and whether it uses what no user would have."""

    name: str
    value: str
    meaning: str = ""
    hidden_labels: bool = False


@dataclass(frozen=True)
class PageContext:
    """Everything that the page says, as plain values; text is escaped here and in `scarce.report.render` alone.

    `banner` is what no reader may miss, or "". `facts` are labels and values shown on top, `summary` heads and words to
    take away, `notes` what a reader must know before the numbers, and `details` what may be folded. `data` is what
    `scarce.report.payload` gives for the views, and `leaderboard` stands in place of the first view where no script
    runs. `differences` are those of one data set, with `differences_reading`, and `estimates` the metrics without
    negatives. `agreement`, `agreement_runs`, `verdicts` and `evidence` hold the rows of the CSV files of these names,
    `failures` those of failures.csv; `agreement_reasons` says by method why its numbers differ. `messages` and `costs`
    are tables of runs. `rules` are metric, short name and meaning of threshold rules, `thresholds` titles and tables.
    Mappings in `provenance` become tables of their own. The rows of `sources` have the same keys. `files_beside` has
    names of files in `folder` with their meaning. ``label(kind, name)`` is what a reader knows a method, metric,
    dataset or scenario by.
    """

    title: str
    subtitle: str = ""
    banner: str = ""
    facts: Sequence[tuple[str, str]] = ()
    summary: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()
    details: Sequence[str] = ()
    data: Mapping[str, Any] | None = None
    leaderboard: Table | None = None
    tables: Sequence[TableBlock] = ()
    figures: Sequence[FigureBlock] = ()
    figures_folder: str = ""
    differences: Table | None = None
    differences_reading: str = ""
    estimates: Table | None = None
    agreement: pd.DataFrame | None = None
    agreement_runs: pd.DataFrame | None = None
    agreement_notes: Sequence[str] = ()
    agreement_reasons: Mapping[str, str] = field(default_factory=dict)
    verdicts: pd.DataFrame | None = None
    evidence: pd.DataFrame | None = None
    statuses: Mapping[str, int] = field(default_factory=dict)
    failures: Sequence[Mapping[str, Any]] = ()
    missing: Sequence[Missing] = ()
    warnings: Sequence[Missing] = ()
    messages: Table | None = None
    costs: Table | None = None
    rules: Sequence[tuple[str, str, str]] = THRESHOLDS
    thresholds: Sequence[tuple[str, Table]] = ()
    options: Sequence[Option] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    sources: Sequence[Mapping[str, Any]] = ()
    citations: Sequence[str] = ()
    folder: str = ""
    files_beside: Sequence[tuple[str, str]] = ()
    label: LabelOf = lambda kind, name: name


def build_page(context: PageContext) -> str:
    """The page as one string of HTML.

    It stays below `LARGEST` bytes: it takes tables, then figures, in their order while they fit, and names the others.
    A page that is too large without any of them stays so.

    Raises
    ------
    ValueError
        Two blocks with one id, or an SVG with a script.
    """
    blocks = (*context.tables, *context.figures)
    twice = [name for name, n in Counter(_slug(block.id) for block in blocks).items() if n > 1]
    if twice:
        raise ValueError(f"two tables or figures have the id {twice[0]!r}")
    scripts = [_template(name) for name in ("page.js", *(["page.bundle.js"] if context.data else []))]
    tables = [_shown_table(block) for block in context.tables]
    figures = [_shown_figure(block) for block in context.figures if not block.view]
    fixed = functools.partial(
        fill,
        "page.html",
        title=context.title,
        banner=context.banner,
        scripts=scripts,
        c=context,
        data=Markup(as_json(context.data)) if context.data else Markup(""),
        views=VIEWS,
        published=any(block.table.has_published for block in context.tables),
        agreement=agreement_view(context.agreement, context.agreement_runs, context.agreement_reasons, context.label),
        verdicts=verdict_view(context.verdicts, context.evidence, context.label),
        failures=_failures(context.failures),
        options=_options(context.options),
        plain={key: value for key, value in context.provenance.items() if not isinstance(value, Mapping)},
        nested={key: value for key, value in context.provenance.items() if isinstance(value, Mapping)},
        sources=_sources(context.sources),
    )
    room = LARGEST
    while True:
        shown_tables, left_tables, left_room = _fitting(tables, room)
        shown_figures, left_figures, _ = _fitting(figures, left_room)
        files = {name: text for table in shown_tables for name, text in table.files.items()}
        page = fixed(
            files=Markup(as_json(files)) if files else "",
            tables=shown_tables,
            figures=shown_figures,
            left_out={"tables": left_tables, "figures": left_figures, "metrics": _without_runs(context.data)},
        )
        over = len(page.encode()) - LARGEST  # headings and links count too: try again with less room
        if over < 0 or not (shown_tables or shown_figures):
            return page
        room = sum(part.size for part in (*shown_tables, *shown_figures)) - over - 1


@dataclass(frozen=True)
class _Shown:
    """A table or a figure as it stands in the page, with its packed files."""

    id: str
    block: Any
    html: Markup
    files: Mapping[str, dict] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.html) + len(as_json(self.files))


def _shown_table(block: TableBlock) -> _Shown:
    files = {name: packed_text(text) for name, text in block.files.items()}
    return _Shown(_slug(block.id), block, Markup(to_html(block.table)), files)


def _shown_figure(block: FigureBlock) -> _Shown:
    return _Shown(_slug(block.id), block, Markup(inline_svg(block.svg, _slug(block.id), block.title)))


def _fitting(parts: Iterable[_Shown], room: int) -> tuple[list[_Shown], list[str], int]:
    """The parts that fit into some room, the first ones first, the titles of the others, and the room that is left."""
    kept, left = [], []
    for part in parts:
        if part.size <= room:
            kept.append(part)
            room -= part.size
        else:
            left.append(part.block.title)
    return kept, left, room


def _without_runs(data: Mapping[str, Any] | None) -> list[str]:
    """Metrics whose single scores the data lack."""
    return [metric["label"] for metric in data["metrics"][data["scores"]["shape"][0] :]] if data else []


def fill(template: str, *, title: str, banner: str = "", scripts: Sequence[str] = (), **parts: Any) -> str:
    """A page of one of the templates, with the frame and the style that all pages share; every text is escaped.

    Raises ValueError where a script would end its own element.
    """
    if any("</script" in script.lower() for script in scripts):
        raise ValueError("a script of the page holds an end tag")
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["html"] = lambda table: Markup(to_html(table))
    environment.filters["digest"] = lambda text: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    frame = {"title": title, "banner": banner, "scripts": [Markup(script) for script in scripts]}
    return environment.get_template(template).render(css=Markup(_template("page.css")), **frame, **parts)


def _template(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _slug(text: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    taken = slug in (*VIEWS, *IDS)
    return f"x-{slug}" if taken or not slug or not slug[0].isalpha() else slug


def _table(name: str, kinds: Mapping[str, str], rows: Iterable[Row]) -> Table | None:
    """A table from the heads of its columns with their kinds; None without rows."""
    rows = tuple(rows)
    return Table(name, "", tuple(Column(head, kind=kind) for head, kind in kinds.items()), rows) if rows else None


def _failures(rows: Iterable[Mapping[str, Any]]) -> Table | None:
    """Runs that failed alike as one row: how many, where, and the command that repeats the first."""
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(_text(row.get(name)) for name in ("status", "method", "message")), []).append(row)
    lines = []
    for (status, method, message), members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0][:2])):
        names = [{_text(row.get(name)) for row in members} - {""} for name in ("dataset", "scenario")]
        texts = (message or "no message", _text(members[0].get("command")), *(", ".join(sorted(n)) for n in names))
        lines.append(Row(method, (Cell(status), Cell(str(len(members)), sort=len(members)), *map(Cell, texts))))
    texts = dict.fromkeys(("Message", "Command", "Data sets", "Scenarios"), "text")
    return _table("failures", {"Method": "name", "Status": "name", "Runs": "number", **texts}, lines[:MESSAGES])


def _options(options: Sequence[Option]) -> Table | None:
    kinds = {"Option": "name", "Value": "name", "Meaning": "text", "Uses hidden labels": "name"}
    texts = [(o.name, o.value, o.meaning, "yes" if o.hidden_labels else "no") for o in options]
    return _table("options", kinds, (Row(name, tuple(map(Cell, others))) for name, *others in texts))


def _sources(sources: Sequence[Mapping[str, Any]]) -> Table | None:
    """The data sets; text that is long and has no space is a hash."""
    kinds = {}
    for head in dict.fromkeys(key for row in sources for key in row):
        values = [row.get(head) for row in sources if row.get(head) not in (None, "")]
        numbers = all(isinstance(value, int | float) for value in values)
        long = any(len(str(value)) > 30 and " " not in str(value) for value in values)
        kinds[head] = "number" if numbers else "hash" if long else "text"
    texts = ([_text(row.get(head)) for head in kinds] for row in sources)
    rows = (Row(first, tuple(Cell(text or MISSING) for text in others)) for first, *others in texts)
    return _table("sources", kinds, rows)


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value)
