"""Rows of a delimited text. Imports no NumPy: the configuration looks into files as well."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from scarce.errors import DataError

#: How comments usually begin.
USUAL_COMMENTS = ("#", "%", "//", "!")
#: The line that tells Excel the delimiter.
_SEPARATOR = re.compile(rb'\A(?:\xef\xbb\xbf)*"?sep=[^\r\n]"?[ \t]*(?=[\r\n])', re.IGNORECASE)


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
