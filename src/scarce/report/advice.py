"""The page and the terminal's lines of `scarce advise`: sentences and tables whose numbers carry what they assume."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scarce.assumed import Assumed, Sentence, assumptions
from scarce.report.page import fill
from scarce.report.tables import Cell, Column, Row, Table

BANNER = (
    "Nobody knows the true labels of these rows. Every number here is counted in the file, or estimated under the "
    "assumptions that stand beside it. No number here is a score against the truth."
)
_NUMBER = re.compile(r"[-+−–\d.,%\s]*\d[-+−–\d.,%\s]*")


@dataclass(frozen=True)
class AssumedTable:
    """A table whose numbers are `Assumed`; texts are names and notes.

    Parameters
    ----------
    name : str
    heads : sequence of str
        The first is that of the rows' labels.
    rows : sequence of (label, cells)

    Raises
    ------
    ValueError
        If a text is a number.
    """

    name: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Assumed | str]]]

    def __post_init__(self) -> None:
        for row in self.rows:
            texts = [row[0], *(cell for cell in row[1] if not isinstance(cell, Assumed))]
            if wrong := [text for text in texts if _NUMBER.fullmatch(text)]:
                raise ValueError(f"the number {wrong[0]!r} needs what it assumes")

    @property
    def table(self) -> Table:
        """The table for the page, with a note for each column of numbers."""
        columns = list(zip(*(cells for _, cells in self.rows), strict=True))
        numeric = [any(isinstance(cell, Assumed) for cell in column) for column in columns]
        kinds = ["number" if one else "text" for one in numeric]
        notes: dict[str, list[str]] = {}
        for head, column in zip(self.heads[1:], columns, strict=True):
            assumed = assumptions(cell for cell in column if isinstance(cell, Assumed))
            if assumed:
                notes.setdefault("; ".join(assumed), []).append(head)
        return Table(
            self.name,
            "",
            (Column(self.heads[0], kind="name"), *map(Column, self.heads[1:], [""] * len(kinds), kinds)),
            tuple(Row(label, tuple(map(_cell, cells))) for label, cells in self.rows),
            notes=tuple(f"{', '.join(heads)}: {words}." for words, heads in notes.items()),
        )


def _cell(content: Assumed | str) -> Cell:
    if isinstance(content, str):
        return Cell(content)
    return Cell(str(content), sort=float(content.value), tooltip=f"assumes: {'; '.join(content.assumes)}")


@dataclass(frozen=True)
class Section:
    """A part of the page."""

    id: str
    title: str
    sentences: Sequence[Sentence] = ()
    tables: Sequence[AssumedTable] = ()
    hint: str = ""


@dataclass(frozen=True)
class Advice:
    """All that `scarce advise` says: five lines to take away, and the sections behind them."""

    title: str
    lines: Sequence[Sentence]
    sections: Sequence[Section]

    def page(self) -> str:
        """The page as one string of HTML that needs nothing beside it."""
        return fill("advice.html", title=self.title, banner=BANNER, advice=self)

    def summary(self) -> list[str]:
        """The lines for a terminal, each with what its numbers assume."""
        return [f"{line} [{'; '.join(line.assumes)}]" if line.assumes else str(line) for line in self.lines]

    def as_json(self) -> dict[str, Any]:
        """Every sentence and cell, its numbers with what they assume."""
        return {
            "title": self.title,
            "lines": list(map(_as_json, self.lines)),
            "sections": {
                section.id: {
                    "sentences": list(map(_as_json, section.sentences)),
                    "tables": {
                        table.name: [
                            {table.heads[0]: label} | dict(zip(table.heads[1:], map(_as_json, cells), strict=True))
                            for label, cells in table.rows
                        ]
                        for table in section.tables
                    },
                }
                for section in self.sections
            },
        }


def _as_json(one: Sentence | Assumed | str) -> Any:
    if isinstance(one, Sentence):
        return {"text": str(one), "numbers": {name: number.as_json() for name, number in one.numbers.items()}}
    return one.as_json() if isinstance(one, Assumed) else one
