"""What the readers of text files share: lines, quoting, and errors that name the line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from scarce.data.opening import read_text
from scarce.data.rows import encoding_of
from scarce.data.tables import as_objects, number
from scarce.errors import DataError

#: Letters after a backslash that stand for another character.
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def read_lines(path: Path) -> list[str]:
    """Lines of a text file without line ends (LF, CRLF or CR)."""
    data = read_text(path)
    return data.decode(encoding_of(data)).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def split_quoted(text: str, where: str, separator: str = ",") -> list[tuple[str, bool]]:
    """Values split at `separator` outside quotes, each with whether it was quoted.

    If the separator is a blank, runs of blanks and tabs separate. Inside quotes, a backslash escapes the next
    character, and a doubled quote is one quote. Blanks around a value are removed, blanks inside quotes are kept.
    """
    out: list[tuple[str, bool]] = []
    value, quoted, quote, i = "", "", "", 0  # `quoted`: the value's quote character; `quote`: the same while it is open
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\" and i + 1 < len(text):
                value, i = value + _ESCAPED.get(text[i + 1], text[i + 1]), i + 1
            elif char == quote and text[i + 1 : i + 2] == quote:
                value, i = value + quote, i + 1
            elif char == quote:
                quote = ""
            else:
                value += char
        elif char in "'\"" and not value.strip() and not quoted:
            value, quoted, quote = "", char, char
        elif char == separator or (separator == " " and char == "\t"):
            if separator != " " or value or quoted:
                out.append((value if quoted else value.strip(), bool(quoted)))
            value, quoted = "", ""
        elif not quoted:
            value += char
        elif not char.isspace():
            raise DataError(f"{text[i : i + 20]!r} stands behind the end of a quoted value", where=where)
        i += 1
    if quote:
        raise DataError(f"a quote {quote} is not closed", where=where)
    if separator != " " or value.strip() or quoted:
        out.append((value if quoted else value.strip(), bool(quoted)))
    return out


def split_cells(line: str, missing: Collection[str], names: list[str], where: str) -> list[str | None]:
    """The cells of a row, one for each of `names`; None for a missing one, which is an unquoted text in `missing`."""
    separator = "," if "," in line or len(names) == 1 else " "  # Weka accepts blanks for commas
    if "'" in line or '"' in line:
        values = split_quoted(line, where, separator)
        cells = [None if value in missing and not quoted else value for value, quoted in values]
    else:
        parts = line.split(",") if separator == "," else line.split()
        cells = [None if (cell := part.strip()) in missing else cell for part in parts]
    if len(cells) != len(names):
        raise DataError(f"{len(cells)} values, the header declares {len(names)} attributes", where=where)
    return cells


def finish(
    path: Path, name: str, cells: Sequence[str | None], lines: Sequence[int], levels: list[str] | None
) -> np.ndarray:
    """A column of cells: float64 if `levels` is None, else objects, which must be in `levels` unless that is empty."""
    if levels is not None:
        known = set(levels)
        for cell, line in zip(cells, lines, strict=True):
            if known and cell is not None and cell not in known:
                raise DataError(
                    f"{cell!r} is not among the declared values of {name!r}: {', '.join(levels[:12])}",
                    where=f"{path.name}:{line}",
                )
        return as_objects(cells)
    out = np.empty(len(cells))
    for i, (cell, line) in enumerate(zip(cells, lines, strict=True)):
        try:
            out[i] = np.nan if cell is None else number(cell)
        except ValueError:
            raise DataError(
                f"{cell!r} in numeric column {name!r} is no number",
                where=f"{path.name}:{line}",
                hint="a missing cell is ?" if cell == "" else None,
            ) from None
    return out
