"""The model of every table of the report; `scarce.report.render` writes it as LaTeX, HTML and Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scarce.words import MISSING

if TYPE_CHECKING:
    import pandas as pd

#: How a cell stands out; each form of a table has its own way to show it, and its own word for it in the notes.
UNDERLINED, BOLD = "underlined", "bold"


@dataclass(frozen=True)
class Cell:
    """What stands in a cell.

    `spread` stands smaller beside `text`, e.g. a standard deviation. `emphasis` is "", "bold" or "underlined".
    `published` is the published value, where the form of the table can show it. `tooltip` is what a reader sees when
    pointing at the cell. `sort` is the number to sort by, NaN where it is missing, None to sort by the text.
    """

    text: str = MISSING
    spread: str = ""
    emphasis: str = ""
    published: str = ""
    tooltip: str = ""
    sort: float | None = None

    @property
    def whole(self) -> str:
        """Text and spread."""
        return f"{self.text} {self.spread}".strip()


@dataclass(frozen=True)
class Column:
    """The head of a column; `kind` is number, name (short text), text (wraps) or hash."""

    label: str
    tooltip: str = ""
    kind: str = "number"


@dataclass(frozen=True)
class Row:
    """A row: its label, and a cell for each column after the first."""

    label: str
    cells: tuple[Cell, ...]
    tooltip: str = ""


@dataclass(frozen=True)
class Table:
    """A table before it takes the form of a file.

    `name` is that of its files; the first of `columns` is the head of the rows' labels. `reading` says in a sentence
    what stands in a cell, `marks` (emphasis, meaning) what the marks of cells mean, in half a sentence each. `frame`
    holds the numbers as tidy rows, unrounded.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    footer: tuple[Row, ...] = ()
    reading: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    frame: pd.DataFrame | None = None

    def notes_with(self, words: Mapping[str, str]) -> list[str]:
        """The notes under the table, the marks named by `words` (emphasis to the word for it)."""
        marks = [f"{words[emphasis]}: {meaning}." for emphasis, meaning in self.marks]
        return [*filter(None, [" ".join(filter(None, [self.reading, *marks]))]), *self.notes]

    @property
    def has_published(self) -> bool:
        """Whether a cell holds a published value."""
        return any(cell.published for row in (*self.rows, *self.footer) for cell in row.cells)


def sentence(title: str) -> str:
    """A title with a full stop, where it does not end a sentence by itself."""
    title = title.strip()
    return title if title.endswith((".", "?", "!")) else f"{title}."
