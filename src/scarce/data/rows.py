"""Rows of a delimited text. Imports no NumPy: the configuration looks into files as well."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from scarce.data.names import check_names
from scarce.data.opening import read_text
from scarce.errors import DataError

#: How comments usually begin.
USUAL_COMMENTS = ("#", "%", "//", "!")
#: The line that tells Excel the delimiter.
_SEPARATOR = re.compile(rb'\A(?:\xef\xbb\xbf)*"?sep=[^\r\n]"?[ \t]*(?=[\r\n])', re.IGNORECASE)

Body = Callable[[], Iterator[list[str]]]


def blank_comments(data: bytes, comment: str | None) -> bytes:
    """Replace comments by blank lines, so that all other lines keep their numbers.

    >>> blank_comments(b"sep=;\\na;b\\n# two\\n1;2\\n", "#")
    b'\\na;b\\n\\n1;2\\n'
    """
    data = _SEPARATOR.sub(b"", data)
    if comment is None:
        return data
    return re.sub(rb"(?:\A|(?<=[\r\n]))[ \t]*" + re.escape(comment.encode()) + rb"[^\r\n]*", b"", data)


def encoding_of(data: bytes) -> str:
    """UTF-8 if the bytes are valid UTF-8, else Windows-1252 if valid, else Latin-1, which accepts any byte."""
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            data.decode(encoding)
            return encoding
    return "latin-1"


def rows(data: bytes, read: dict[str, Any], where: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row that is not blank, of `data` without comments.

    `read` has ``delimiter`` and ``quote`` as in `scarce.config.datasets.reading.Csv`; `where` is the file's name.
    """
    text = io.TextIOWrapper(io.BytesIO(data), encoding=encoding_of(data), newline="")
    delimiter = read.get("delimiter", ",")
    reader = csv.reader(
        (line.strip(" \t\r\n").replace("\t", " ") for line in text) if delimiter == "whitespace" else text,
        delimiter=" " if delimiter == "whitespace" else delimiter,
        quotechar=read.get("quote", '"'),
        skipinitialspace=True,
        strict=True,
    )
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip(" \t")):
                yield reader.line_num, row
    except csv.Error as error:
        raise DataError(f"this row cannot be read: {error}", where=f"{where}:{reader.line_num + 1}") from None


def column_names(first: list[str]) -> list[str]:
    """Names in a header row, without the empty one that a delimiter at its end makes."""
    names = [cell.strip() for cell in first]
    return names[:-1] if names[-1] == "" else names


class OneName(DataError):
    """The header has another delimiter than the description."""


def open_rows(path: Path, options: dict) -> tuple[list[str], Body]:
    """Column names, and the function that gives the rows below the header and checks them on their way."""
    data = blank_comments(read_text(path), options.get("comment"))
    header = options.get("header", True)
    line, first = next(rows(data, options, path.name), (0, None))
    if first is None:
        raise DataError("there is no row", where=path.name)
    if header:
        names = column_names(first)
        other = next((char for char in ";\t|," if char in names[0]), None) if len(names) == 1 else None
        if other and options.get("target") not in names:
            hint = f"add `delimiter: {other!r}`"
            raise OneName(f"all names are one: {names[0][:60]!r}", where=path.name, hint=hint)
    else:
        ends_in_delimiter = len(first) > 1 and not first[-1].strip()
        names = _default_names(len(first) - ends_in_delimiter, options, path)
    check_names(names, path.name)

    def body() -> Iterator[list[str]]:
        for number_of_line, row in rows(data, options, path.name):
            if not header or number_of_line != line:
                _check_row(row, names, first, header, f"{path.name}:{number_of_line}")
                yield row

    return names, body


def _check_row(row: list[str], names: list[str], first: list[str], header: bool, where: str) -> None:
    """Refuse a row of another length than the first, and one that repeats the column names."""
    width = len(names)
    if len(row) != width and not (len(row) == width + 1 and not row[-1].strip()):
        hint = "does a column of row names lack its own?" if header and len(row) == width + 1 else None
        for mark in USUAL_COMMENTS:
            if row[0].startswith(mark) or first[0].startswith(mark):
                hint = f"if lines that begin with {mark} are comments, add `comment: {mark!r}`"
        raise DataError(f"{len(row)} values, {width} columns", where=where, hint=hint)
    if header and row[0].strip() == names[0] and [cell.strip() for cell in row[:width]] == names:
        raise DataError("the names of the columns stand here again", where=where)


def _default_names(width: int, options: dict, path: Path) -> list[str]:
    if options.get("columns"):
        if len(options["columns"]) != width:
            raise DataError(f"{len(options['columns'])} names under `columns:`, the file has {width}", where=path.name)
        return list(options["columns"])
    at = options.get("target_index", -1)
    if not -width <= at < width:
        raise DataError(f"target_index {at}, the file has {width} columns", where=path.name)
    names = [f"x{i}" for i in range(1, width)]
    names.insert(at % width, options.get("target") or "class")
    return names
