"""ARFF, dense and sparse, with the quoting that real files use and that common parsers refuse."""

from __future__ import annotations

import re
from pathlib import Path

from scarce.data.readers.text import finish, read_lines, split_cells, split_quoted
from scarce.data.tables import Table, check_names
from scarce.errors import DataError

_NAME = re.compile(
    r"""@attribute\s+ ( '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | [^\s{]+ ) \s* (.*)""", re.IGNORECASE | re.VERBOSE
)
_WEIGHT = re.compile(r",\s*\{\s*[0-9.eE+-]+\s*\}\Z")
_MISSING = ("?",)
_NUMERIC = {"numeric", "real", "integer"}


def read_arff(path: Path, options: dict) -> Table:
    """Read one ARFF file; ``?`` is a missing cell.

    Parameters
    ----------
    path : Path
    options : dict
        Nothing is used.

    Raises
    ------
    DataError
        With file and line, where the header or a row cannot be read.
    """
    names: list[str] = []
    levels: list[list[str] | None] = []
    rows: list[list[str | None]] = []
    lines: list[int] = []
    in_data = False
    for number, line in enumerate(read_lines(path), start=1):
        line = line.strip()
        where = f"{path.name}:{number}"
        if not line or line.startswith("%"):
            continue
        if in_data:
            if _WEIGHT.search(line[-40:]):
                raise DataError("a row has a weight, which is not read", where=where, hint="take the weights out")
            sparse = line.startswith("{")
            rows.append(_sparse(line, names, levels, where) if sparse else split_cells(line, _MISSING, names, where))
            lines.append(number)
        elif line.lower().startswith("@attribute"):
            name, values = _attribute(line, where)
            names.append(name)
            levels.append(values)
        elif line.lower().startswith("@data"):
            in_data = True
        elif not line.lower().startswith("@relation"):
            raise DataError(f"this is no line of an ARFF header: {line[:40]!r}", where=where)
    if not rows:
        raise DataError("no rows" if in_data else "there is no @data line", where=path.name)
    check_names(names, path.name)
    columns = [finish(path, name, [row[i] for row in rows], lines, levels[i]) for i, name in enumerate(names)]
    return Table(names, columns, [values is not None for values in levels])


def _attribute(line: str, where: str) -> tuple[str, list[str] | None]:
    match = _NAME.match(line)
    if match is None:
        raise DataError(f"this attribute has no name: {line[:60]!r}", where=where)
    name, kind = match[1], match[2].strip()
    if name[0] in "'\"":
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    if kind.startswith("{"):
        listed, closed, comment = kind[1:].rpartition("}")
        if not closed or comment.strip()[:1] not in ("", "%"):
            raise DataError(f"the list of values of {name!r} is not closed on its line", where=where)
        return name, [value for value, _ in split_quoted(listed, where)]
    word = re.split(r"[\s\[]", kind, maxsplit=1)[0].lower()  # some files glue a range to the type
    if word in _NUMERIC:
        return name, None
    if word in ("string", "date"):
        return name, []  # any text; nothing is declared
    raise DataError(
        f"attribute {name!r} has type {kind[:30]!r}: only numeric, nominal, string and date ones are read", where=where
    )


def _sparse(line: str, names: list[str], levels: list[list[str] | None], where: str) -> list[str | None]:
    # What a sparse row leaves out is 0: the number, or the first of a nominal attribute's values.
    row: list[str | None] = ["0" if values is None else values[0] if values else "" for values in levels]
    if not line.endswith("}"):
        raise DataError("a sparse row is not closed", where=where)
    given: set[int] = set()
    for part in _entries(line[1:-1], where) if line[1:-1].strip() else ():
        pair = split_quoted(part, where, separator=" ")
        at = int(pair[0][0]) if len(pair) == 2 and re.fullmatch("[0-9]{1,9}", pair[0][0]) else len(names)
        if at >= len(names):
            raise DataError(f"{part.strip()!r} is not a column number and a value", where=where)
        if at in given:
            raise DataError(f"column number {at} stands twice", where=where)
        given.add(at)
        value, quoted = pair[1]
        row[at] = None if value == "?" and not quoted else value
    for at, (name, values) in enumerate(zip(names, levels, strict=True)):
        if values == [] and at not in given:
            raise DataError(f"the text {name!r} is left out, which has no meaning", where=where)
    return row


def _entries(text: str, where: str) -> list[str]:
    """Split at the commas outside quotes, quotes kept."""
    out, start, quote = [], 0, ""
    for i, char in enumerate(text):
        if quote:
            if char == quote and text[i - 1] != "\\":
                quote = ""
        elif char in "'\"":
            quote = char
        elif char == ",":
            out.append(text[start:i])
            start = i + 1
    if quote:
        raise DataError(f"a quote {quote} is not closed", where=where)
    return [*out, text[start:]]
