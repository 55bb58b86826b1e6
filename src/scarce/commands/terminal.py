"""What a terminal shows: answers, columns of text, time spans. No fit and no page depends on this module."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence

from scarce.words import shown


class Said(str):
    """What a command says to a person, with the exit code of the command."""

    exit_code: int

    def __new__(cls, text: str, exit_code: int = 0) -> Said:
        said = super().__new__(cls, text)
        said.exit_code = exit_code
        return said


def duration(seconds: float) -> str:
    """A time span in one or two units.

    >>> duration(0.4), duration(75), duration(600), duration(8000), duration(400_000)
    ('1 s', '1 min 15 s', '10 min', '2 h 13 min', '4 d 15 h')
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    units, left = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)), round(seconds)
    at = next(place for place, (_, size) in enumerate(units) if left >= size)
    (large, size), (small, fraction) = units[at], units[at + 1]
    whole, rest = left // size, left % size // fraction
    return f"{whole} {large} {rest} {small}" if rest and whole < 10 else f"{whole} {large}"


def hanging(mark: str, text: str) -> str:
    """A text behind a mark, on a terminal in lines of its width; elsewhere in one line, which other programs read."""
    if not sys.stdout.isatty():
        return mark + text
    lines = textwrap.TextWrapper(
        shutil.get_terminal_size().columns,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.fill(text)


def grid(rows: Iterable[Sequence[object]], header: Sequence[str]) -> str:
    """Columns of text, as wide as they need to be."""
    lines = [list(map(str, header)), *([("" if cell is None else shown(str(cell))) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
