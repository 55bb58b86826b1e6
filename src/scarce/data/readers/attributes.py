"""ARFF and KEEL: a header of @attribute lines, then rows of comma-separated values.

Both readers accept what real files contain. In KEEL's .dat files name, type and range may be glued together
(``integer[73,119]``, ``class{van,saab}``), and @inputs and @outputs may be absent. ARFF files may be sparse and quote
values in ways that common parsers refuse. A nominal attribute is nominal even if its values are digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from scarce.data.names import check_names, some
from scarce.data.readers.text import finish, read_lines, split_cells, split_quoted
from scarce.data.tables import Table
from scarce.errors import DataError

_ARFF_ATTRIBUTE = re.compile(
    r"""@attribute\s+ ( '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | [^\s{]+ ) \s* (.*)""", re.IGNORECASE | re.VERBOSE
)
_KEEL_ATTRIBUTE = re.compile(
    r"""@attribute\s+ (?P<name> '[^']*' | "[^"]*" | [^\s{\[]+ ) \s* (?P<type> real | integer | numeric | \{.*\} )""",
    re.IGNORECASE | re.VERBOSE,
)
#: An entry of a sparse row: column number and value.
_ENTRY = re.compile(
    r"""\s*([0-9]{1,9})\s+ ( '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | [^\s,'"][^\s,]* ) \s*(?:,|\Z)""", re.VERBOSE
)
_BOUND = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?i:inf(?:inity)?)"
#: A declared range, such as ``[0.5, 12]``; a round bracket leaves the bound out.
_RANGE = re.compile(rf"([\[(])\s*({_BOUND})\s*[,;\s]\s*({_BOUND})\s*([\])])")
_WEIGHT = re.compile(r",\s*\{\s*[0-9.eE+-]+\s*\}\Z")


@dataclass
class _Attributes:
    """What a header declares.

    ``levels`` has the declared values of each nominal attribute, an empty list for one of any texts, and None for a
    numeric attribute. ``types`` are declared types with their range, such as ``integer [0, 9]``, empty for nominal
    attributes. ``inputs`` and ``outputs`` are names with the line that lists them.
    """

    names: list[str] = field(default_factory=list)
    levels: list[list[str] | None] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    inputs: list[tuple[str, str]] = field(default_factory=list)
    outputs: list[tuple[str, str]] = field(default_factory=list)


def read_arff(path: Path, options: dict) -> Table:
    """Read one ARFF file; ``?`` is a missing cell."""

    def header(line: str, attributes: _Attributes, where: str) -> None:
        if not line.lower().startswith("@relation"):
            raise DataError(f"this is no line of an ARFF header: {line[:40]!r}", where=where)

    def row(line: str, attributes: _Attributes, where: str) -> list[str | None]:
        if _WEIGHT.search(line[-40:]):
            raise DataError("a row has a weight, which is not read", where=where, hint="take the weights out")
        if line.startswith("{"):
            return _sparse(line, attributes, where)
        return split_cells(line, ("?",), attributes.names, where)

    attributes = _Attributes()
    table = _read(path, attributes, ("%",), _arff_attribute, header, row)
    return replace(table, levels=_declared(attributes, {"?"})) if options.get("declared") else table


def read_keel(path: Path, options: dict) -> Table:
    """Read one KEEL file.

    The class column is the option ``target``, by default the last of @outputs or else the last attribute. Attributes
    that are neither @inputs nor the class are left out; without @inputs, so are other @outputs than the class.
    """
    missing = set(options.get("missing", ["?", "<null>"]))

    def header(line: str, attributes: _Attributes, where: str) -> None:
        word = line.split(maxsplit=1)[0].lower()
        if word in ("@input", "@inputs", "@output", "@outputs"):
            listed = [(name, where) for name, _ in split_quoted(line[len(word) :], where)]
            (attributes.inputs if word.startswith("@i") else attributes.outputs).extend(listed)
        elif not line.startswith("@"):
            raise DataError(f"a header line must begin with @, this is {line[:40]!r}", where=where)

    def row(line: str, attributes: _Attributes, where: str) -> list[str | None]:
        return split_cells(line, missing, attributes.names, where)

    attributes = _Attributes()
    table = _read(path, attributes, ("%", "#"), _keel_attribute, header, row)
    names, inputs, outputs = attributes.names, attributes.inputs, attributes.outputs
    known = set(names)
    for name, where in [*inputs, *outputs]:
        if name not in known:
            raise DataError(f"{name!r} is listed here and is no attribute", where=where)
    target = options.get("target") if options.get("target") in names else outputs[-1][0] if outputs else names[-1]
    features = {name for name, _ in inputs} or {*names} - {name for name, _ in outputs}
    used = {target, *features, *options.get("dropped", ())}
    levels = _declared(attributes, missing) if options.get("declared") else {}
    left_out = [repr(name) for name in names if name not in used]
    words = f"left out, since the header lists them neither as inputs nor as the class: {some(left_out)}"
    table = replace(table, target=target, levels=levels, warnings=(words,) if left_out else ())
    return table.select([name for name in names if name in used])


def _declared(attributes: _Attributes, missing: set[str]) -> dict[str, list[str]]:
    """Values that a header lists, by attribute, without those that mean a missing cell."""
    listed = zip(attributes.names, attributes.levels, strict=True)
    return {name: [value for value in values if value not in missing] for name, values in listed if values}


def _read(
    path: Path,
    attributes: _Attributes,
    comments: tuple[str, ...],
    attribute: Callable[[str, str], tuple[str, list[str] | None, str]],
    header: Callable[[str, _Attributes, str], None],
    row: Callable[[str, _Attributes, str], list[str | None]],
) -> Table:
    """Read a file, whose attributes are added to `attributes`.

    `attribute` parses an @attribute line, `header` any other header line, `row` a row. `comments` are the characters
    that begin a comment.
    """
    names, levels = attributes.names, attributes.levels
    rows: list[list[str | None]] = []
    lines: list[int] = []
    in_data = False
    for number, line in enumerate(map(str.strip, read_lines(path)), start=1):
        where = f"{path.name}:{number}"
        if not line or (line.startswith(comments) and not (in_data and _begins_with_value(line, levels))):
            continue
        if in_data:
            rows.append(row(line, attributes, where))
            lines.append(number)
        elif line.lower().startswith("@attribute"):
            name, values, declared = attribute(line, where)
            names.append(name)
            levels.append(values)
            attributes.types.append(declared)
        elif line.lower().startswith("@data"):
            in_data = True
        else:
            header(line, attributes, where)
    if not rows:
        raise DataError("no rows" if in_data else "there is no @data line", where=path.name)
    check_names(names, path.name)
    columns = [finish(path, name, [row[i] for row in rows], lines, levels[i]) for i, name in enumerate(names)]
    doubts = {
        name: texts
        for i, (name, declared) in enumerate(zip(names, attributes.types, strict=True))
        if (texts := _undeclared(path, columns[i], declared, rows, i, lines)) is not None
    }
    return Table(names, columns, [values is not None for values in levels], doubts=doubts)


def _undeclared(
    path: Path, column: np.ndarray, declared: str, rows: list[list[str | None]], at: int, lines: list[int]
) -> np.ndarray | None:
    """What is doubtful of the cells of a numeric column by its declared type and range; None if nothing is."""
    if not declared:
        return None
    outside = np.zeros(len(column), dtype=bool)
    if bounds := _RANGE.search(declared):
        low, high = sorted((float(bounds[2]), float(bounds[3])))
        outside |= (column <= low) if bounds[1] == "(" else (column < low)
        outside |= (column >= high) if bounds[4] == ")" else (column > high)
    if declared.lower().startswith("integer"):
        outside |= np.isfinite(column) & (column != np.floor(column))
    if not outside.any():
        return None
    words = " ".join(declared.split())
    texts = np.full(len(column), None, dtype=object)
    for row in np.flatnonzero(outside):
        texts[row] = f"{rows[row][at]} in {path.name}:{lines[row]} is not within the declared {words}"
    return texts


def _begins_with_value(line: str, levels: list[list[str] | None]) -> bool:
    """Whether a line that looks like a comment is a row: it begins with a declared value of the first attribute."""
    return bool(levels) and line.partition(",")[0].strip() in (levels[0] or ())


def _arff_attribute(line: str, where: str) -> tuple[str, list[str] | None, str]:
    """Name, declared values (see `_Attributes`), and type with range of a numeric attribute."""
    match = _ARFF_ATTRIBUTE.match(line)
    if match is None:
        raise DataError(f"this attribute has no name: {line[:60]!r}", where=where)
    name, kind = match[1], match[2].strip()
    if name[0] in "'\"":
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    if kind.startswith("{"):
        listed, closed, comment = kind[1:].rpartition("}")
        if not closed or comment.strip()[:1] not in ("", "%"):
            raise DataError(f"the list of values of {name!r} is not closed on its line", where=where)
        return name, [value for value, _ in split_quoted(listed, where)], ""
    word = re.split(r"[\s\[(%]", kind, maxsplit=1)[0].lower()  # some files glue a range to the type
    if word in ("numeric", "real", "integer"):
        return name, None, kind.partition("%")[0].strip()
    if word in ("string", "date"):
        return name, [], ""
    raise DataError(
        f"attribute {name!r} has type {kind[:30]!r}: only numeric, nominal, string and date ones are read", where=where
    )


def _keel_attribute(line: str, where: str) -> tuple[str, list[str] | None, str]:
    match = _KEEL_ATTRIBUTE.match(line)
    if match is None:
        raise DataError(f"this attribute is neither real, integer nor a list in braces: {line[:60]!r}", where=where)
    name = match["name"].strip("'\"")
    if not match["type"].startswith("{"):
        return name, None, line[match.start("type") :].partition("%")[0].strip()
    return name, [value for value, _ in split_quoted(match["type"][1:-1], where)], ""


def _sparse(line: str, attributes: _Attributes, where: str) -> list[str | None]:
    """A sparse row of an ARFF file. A value that it omits is 0, or the first of a nominal attribute's values."""
    levels = attributes.levels
    row: list[str | None] = ["0" if values is None else values[0] if values else "" for values in levels]
    if not line.endswith("}"):
        raise DataError("a sparse row is not closed", where=where)
    filled: set[int] = set()
    text, end = line[1:-1].rstrip(), 0
    while end < len(text):
        match = _ENTRY.match(text, end)
        at = int(match[1]) if match else len(row)
        if at >= len(row):
            raise DataError(f"{text[end : end + 40]!r} is not a column number and a value", where=where)
        if at in filled:
            raise DataError(f"column number {at} stands twice", where=where)
        filled.add(at)
        row[at] = split_quoted(match[2], where, separator=" ")[0][0] if match[2] != "?" else None
        end = match.end()
    for at, name in enumerate(attributes.names):
        if levels[at] == [] and at not in filled:
            raise DataError(f"the text {name!r} is left out, which has no meaning", where=where)
    return row
