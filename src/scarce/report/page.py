"""The results page of a study: one HTML file that needs nothing beside it and asks no network for anything."""

from __future__ import annotations

import base64
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
from scarce.report.payload import as_json
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
class Link:
    """A download (a path relative to the page) or an address (http or https)."""

    label: str
    href: str


@dataclass(frozen=True)
class TableBlock:
    """A table with its title and its files."""

    title: str
    table: Table
    downloads: Sequence[Link] = ()

    @property
    def id(self) -> str:
        return self.table.name


@dataclass(frozen=True)
class FigureBlock:
    """A figure: `svg` is the text of an SVG file."""

    id: str
    title: str
    svg: str
    caption: str = ""
    downloads: Sequence[Link] = ()


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

    `banner` is what no reader may miss, or "". `facts` are labels and values shown on top, `summary` the sentences of
    the headline, `notes` what a reader must know before the numbers. `data` is what `scarce.report.payload` gives for
    the views, and `leaderboard` stands in place of the first view where no script runs. `differences` are those of one
    data set, with `differences_reading`, and `estimates` the metrics without negatives. `agreement`, `agreement_runs`,
    `verdicts` and `evidence` hold the rows of the CSV files of these names, `failures` those of failures.csv;
    `agreement_reasons` says by method why its numbers differ. `thresholds` are metric, short name and meaning. Mappings
    in `provenance` become tables of their own. The rows of `sources` have the same keys. ``label(kind, name)`` is what
    a reader knows a method, metric, dataset or scenario by.
    """

    title: str
    subtitle: str = ""
    banner: str = ""
    facts: Sequence[tuple[str, str]] = ()
    summary: Sequence[str] = ()
    notes: Sequence[str] = ()
    tables: Sequence[TableBlock] = ()
    figures: Sequence[FigureBlock] = ()
    differences: Table | None = None
    differences_reading: str = ""
    data: Mapping[str, Any] | None = None
    leaderboard: Table | None = None
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
    thresholds: Sequence[tuple[str, str, str]] = THRESHOLDS
    options: Sequence[Option] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    sources: Sequence[Mapping[str, Any]] = ()
    citations: Sequence[str] = ()
    downloads: Sequence[Link] = ()
    label: LabelOf = lambda kind, name: name


def build_page(context: PageContext) -> str:
    """The page as one string of HTML.

    Raises
    ------
    ValueError
        Two blocks with one id, an SVG with a script, or a link that is neither relative nor http(s).
    """
    blocks = (*context.tables, *context.figures)
    twice = [name for name, n in Counter(_slug(block.id) for block in blocks).items() if n > 1]
    if twice:
        raise ValueError(f"two tables or figures have the id {twice[0]!r}")
    for link in (*context.downloads, *(link for block in blocks for link in block.downloads)):
        _check(link)
    script = (TEMPLATES / "page.bundle.js").read_text(encoding="utf-8")
    return fill(
        "page.html",
        c=context,
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        data=None if context.data is None else Markup(as_json(context.data)),
        views=VIEWS,
        tables=[(_slug(block.id), block) for block in context.tables],
        figures=[(_slug(f.id), f, Markup(inline_svg(f.svg, _slug(f.id), f.title))) for f in context.figures],
        published=any(block.table.has_published for block in context.tables),
        agreement=agreement_view(context.agreement, context.agreement_runs, context.agreement_reasons, context.label),
        verdicts=verdict_view(context.verdicts, context.evidence, context.label),
        failures=_failures(context.failures),
        options=_options(context.options),
        plain={key: value for key, value in context.provenance.items() if not isinstance(value, Mapping)},
        nested={key: value for key, value in context.provenance.items() if isinstance(value, Mapping)},
        sources=_sources(context.sources),
    )


def fill(template: str, **parts: Any) -> str:
    """A page of one of the templates, with the style that all pages share; every text is escaped."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["html"] = lambda table: Markup(to_html(table))
    css = Markup((TEMPLATES / "page.css").read_text(encoding="utf-8"))
    return environment.get_template(template).render(css=css, **parts)


def _slug(text: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return f"x-{slug}" if not slug or not slug[0].isalpha() else slug


def _check(link: Link) -> None:
    # browsers leave out control characters, and take java<tab>script: for a scheme
    href = "".join(letter for letter in link.href if letter >= " ").strip()
    scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", href)
    if (scheme and scheme.group(1).lower() not in ("http", "https")) or href.startswith(("/", "\\")):
        raise ValueError(f"link {link.label!r} leads to {link.href!r}: a path beside the page, or http(s), is needed")


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
