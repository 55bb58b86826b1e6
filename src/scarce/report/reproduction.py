"""What a study found, as one page of Markdown that a repository can keep: averages, agreement and verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from scarce.report.tables import Cell, TableView
from scarce.words import MISSING, percent

MARKS = {"best": "***", "not_outperformed": "**"}  # Markdown cannot underline


@dataclass(frozen=True)
class Section:
    """One study of the page.

    Parameters
    ----------
    title, description : str
    facts : mapping from str to str
        Data sets, runs, fidelity, commit.
    tables : sequence of TableView
        Of layout "scenarios".
    rebuilt : DataFrame or None
        The authors' averages over the same data sets: scenario, metric, method, value (fractions).
    agreement : mapping or None
        As `scarce.report.agreement_view.agreement_view` gives it.
    verdicts : DataFrame or None
        Rows of verdicts.csv.
    notes : sequence of str
    """

    title: str
    description: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    tables: Sequence[TableView] = ()
    rebuilt: pd.DataFrame | None = None
    agreement: Mapping[str, Any] | None = None
    verdicts: pd.DataFrame | None = None
    notes: Sequence[str] = ()


def to_markdown(title: str, command: str, date: str, versions: Mapping[str, str], sections: Sequence[Section]) -> str:
    """The page; text is escaped here and nowhere else."""
    said = ", ".join(f"{name} {version}" for name, version in versions.items())
    parts = [f"# {_text(title)}", f"Made on {date} by `{command}`; do not edit. Versions: {_text(said)}."]
    for section in sections:
        parts += _section(section)
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> list[str]:
    parts = [f"## {_text(section.title)}"]
    if section.description:
        parts.append(_text(section.description))
    parts.append("\n".join(f"- {_text(name)}: {_text(value)}" for name, value in section.facts.items()))
    if section.verdicts is not None and len(section.verdicts):
        parts += ["### Verdicts", _verdicts(section.verdicts)]
    for view in section.tables:
        parts += [f"### {_text(view.caption.split('.')[0])}", _table(view, section.rebuilt)]
        parts.append(_reading(view, section.rebuilt))
    if section.agreement:
        parts += _agreement(section.agreement)
    if section.notes:
        parts.append("\n".join(f"- {_text(note)}" for note in section.notes))
    return parts


def _verdicts(verdicts: pd.DataFrame) -> str:
    lines = []
    for place, row in enumerate(verdicts.fillna("").itertuples(), 1):
        where = f" ({_text(row.where)})" if row.where else ""
        lines.append(f"{place}. **{_text(row.verdict)}**: {_text(row.text)}{where}")
        lines += [f"    - {_text(line)}" for line in row.reading.splitlines() if line.strip()]
        if row.note:
            lines.append(f"    - *{_text(row.note)}*")
    return "\n".join(lines)


def _table(view: TableView, rebuilt: pd.DataFrame | None) -> str:
    theirs = _theirs(view, rebuilt)
    head, kinds = ["Method"], ["---"]
    for column in view.columns:
        head += [column.label] + ([f"{column.label}: authors"] if theirs else [])
        kinds += ["---:"] * (2 if theirs else 1)
    rows = []
    for method, label in view.methods.items():
        row = [label]
        for column, cell in zip(view.columns, view.cells[method], strict=True):
            row += [_cell(cell)] + ([percent(theirs.get((column.scenario, method), math.nan))] if theirs else [])
        rows.append(row)
    return _grid(head, kinds, rows)


def _reading(view: TableView, rebuilt: pd.DataFrame | None) -> str:
    said = "Percent; mean over data sets ± mean of the standard deviations within them."
    said += f" Italic: {view.procedure}"
    theirs = _theirs(view, rebuilt)
    if theirs:
        said += " Authors: their own runs averaged over the same data sets."
        near = []
        for method, label in view.methods.items():
            gaps = [
                abs(cell.mean - theirs[column.scenario, method])
                for column, cell in zip(view.columns, view.cells[method], strict=True)
                if (column.scenario, method) in theirs and not math.isnan(cell.mean)
            ]
            near.append((100 * max(gaps, default=math.nan), label))
        known = [gap for gap, _ in near if not math.isnan(gap)]
        if known:
            equal = [label for gap, label in near if gap <= 0.1]
            said += (
                f" The two differ by at most {max(known):.1f} points; by at most 0.1 for "
                f"{len(equal)} of {len(known)} methods ({', '.join(equal)})."
            )
    return _text(said)


def _theirs(view: TableView, rebuilt: pd.DataFrame | None) -> dict[tuple[str, str], float]:
    if rebuilt is None:
        return {}
    rows = rebuilt[rebuilt["metric"] == view.metric]
    return {(row.scenario, row.method): row.value for row in rows.itertuples()}


def _agreement(view: Mapping[str, Any]) -> list[str]:
    parts = [
        "### Agreement with the published numbers",
        f"**{view['within']} of {view['known']}** single numbers lie within two standard errors and half a unit of the "
        f"last printed digit; {view['outside']} outside.",
    ]
    head = ["Method", "Within", "Share", "Equal runs", "Largest difference", "Where", "Why, as far as known"]
    rows = [
        [
            row["method"],
            f"{row['within']} of {row['known']}",
            f"{100 * row['within'] / row['known']:.1f} %" if row["known"] else MISSING,
            f"{row['n_equal']} of {row['n_runs']}" if row["n_runs"] else MISSING,
            percent(row["miss"]["difference"] / 100, sign=True),
            f"{row['miss']['dataset']}, {row['miss']['metric']}, {row['miss']['scenario']}",
            row["reason"] or MISSING,
        ]
        for row in view["methods"]
    ]
    parts.append(_grid(head, ["---", "---:", "---:", "---:", "---:", "---", "---"], rows))
    if runs := view["runs"]:
        parts += [
            "### Run by run",
            f"Runs whose {runs['metric']} equals the authors' own to 1e-6; where not all are, the largest difference "
            "in percentage points.",
            _grid(
                ["Data set", *runs["methods"]],
                ["---"] + ["---:"] * len(runs["methods"]),
                [[row["dataset"], *map(_equal, row["cells"])] for row in runs["rows"]],
            ),
        ]
    return parts


def _equal(cell: Mapping[str, Any] | None) -> str:
    if cell is None:
        return MISSING
    text = f"{cell['n_equal']}/{cell['n_runs']}"
    return text if cell["n_equal"] == cell["n_runs"] else f"{text} ({cell['difference']:.2g})"


def _cell(cell: Cell) -> str:
    if math.isnan(cell.mean):
        return MISSING
    text = percent(cell.mean) + ("" if math.isnan(cell.sd) else f" ± {percent(cell.sd)}")
    sign = MARKS.get(cell.mark, "")
    return f"{sign}{text}{sign}"


def _grid(head: Sequence[str], kinds: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [[_cell_text(word) for word in head], list(kinds), *([_cell_text(word) for word in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell_text(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def _text(text: str) -> str:
    return " ".join(str(text).split()).replace("<", "&lt;")
