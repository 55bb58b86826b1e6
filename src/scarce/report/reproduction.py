"""What a study found, as one page of Markdown that a repository can keep: averages, agreement and verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from scarce.report.agreement_view import AgreementView
from scarce.report.render import markdown_text, to_markdown
from scarce.report.tables import Table

CLOSE = 0.001  # averages that differ by no more are equal as they are printed


@dataclass(frozen=True)
class Section:
    """One study of the page.

    `facts` are data sets, runs and commit; `tables` averages, each with a sentence about the authors' own, or "";
    `verdicts` rows of verdicts.csv.
    """

    title: str
    description: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    tables: Sequence[tuple[Table, str]] = ()
    agreement: AgreementView | None = None
    verdicts: pd.DataFrame | None = None
    notes: Sequence[str] = ()


def markdown_page(title: str, command: str, date: str, versions: Mapping[str, str], sections: Sequence[Section]) -> str:
    """The page; text is escaped here and in `scarce.report.render` alone."""
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    parts = [f"# {markdown_text(title)}"]
    parts.append(f"Made on {date} by `{command}`; do not edit. Versions: {markdown_text(listed)}.")
    for section in sections:
        parts += _section(section)
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> list[str]:
    parts = [f"## {markdown_text(section.title)}"]
    if section.description:
        parts.append(markdown_text(section.description))
    parts.append("\n".join(f"- {markdown_text(name)}: {markdown_text(text)}" for name, text in section.facts.items()))
    if section.verdicts is not None and len(section.verdicts):
        parts += ["### Verdicts", _verdicts(section.verdicts)]
    for table, about_authors in section.tables:
        parts += [f"### {markdown_text(table.caption.split('.')[0])}", to_markdown(table)]
        parts += [markdown_text(about_authors)] if about_authors else []
    if view := section.agreement:
        parts += [
            "### Agreement with the published numbers",
            f"**{view.within} of {view.known}** single numbers lie within two standard errors and half a unit of the "
            f"last printed digit; {view.outside} outside.",
            to_markdown(view.methods),
        ]
        if view.runs:
            parts += ["### Run by run", markdown_text(view.runs.caption) + ".", to_markdown(view.runs)]
    if section.notes:
        parts.append("\n".join(f"- {markdown_text(note)}" for note in section.notes))
    return parts


def _verdicts(verdicts: pd.DataFrame) -> str:
    lines = []
    for place, row in enumerate(verdicts.fillna("").itertuples(), 1):
        where = f" ({markdown_text(row.where)})" if row.where else ""
        lines.append(f"{place}. **{markdown_text(row.verdict)}**: {markdown_text(row.text)}{where}")
        lines += [f"    - {markdown_text(line)}" for line in row.reading.splitlines() if line.strip()]
        if row.note:
            lines.append(f"    - *{markdown_text(row.note)}*")
    return "\n".join(lines)


def about_authors(averages: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """How far the averages of a metric are from those of the authors' own runs; empty where there are none.

    `averages` are rows of stats/means.csv with an empty data set, of one metric; `labels` maps methods to labels.
    """
    gaps = (averages["mean"] - averages["authors"]).abs().groupby(averages["method"]).max().dropna()
    if gaps.empty:
        return ""
    close = [label for method, label in labels.items() if gaps.get(method, math.nan) <= CLOSE]
    return (
        "Authors: their own runs averaged over the same data sets. The two differ by at most "
        f"{100 * gaps.max():.1f} points; by at most {100 * CLOSE:g} for {len(close)} of {len(gaps)} methods "
        f"({', '.join(close)})."
    )
