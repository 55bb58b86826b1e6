"""Delimited text: commas, other characters, or blanks; with or without a header; one or several files."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scarce.data.comments import USUAL, blank_comments
from scarce.data.readers.text import encoding_of, read_text
from scarce.data.tables import Table, check_names, number, numbers
from scarce.errors import DataError

#: Texts that mean a missing cell wherever numbers stand beside them, in lower case.
_USUAL_MARKS = {
    "nan", "-nan", "nan(ind)", "-nan(ind)", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "1.#inf", "-1.#inf",
    "na", "n/a", "n.a.", "<na>", "#na", "#n/a", "#n/a n/a", "#value!", "#div/0!", "#ref!", "#num!", "#null!", "#name?",
    "null", "(null)", "<null>", "nil", "none", "(none)", "nat", "missing", "<missing>", "unknown", "unk", "undefined",
    "?", "??", "-", "--", ".", "..", "...", "*", "**", "_", "\\n", "blank", "empty", "(empty)", "(blank)",
    "\u221e", "+\u221e", "-\u221e", "\u2212\u221e",
}  # fmt: skip
#: Numbers to a person that are none to a computer: thousands, decimal commas, percents, money, other signs; or behind
#: the mark of a comment.
_OTHER_NOTATIONS = re.compile(
    r"""['\u2019\#]? [-+\u2212]? [$\u00a3\u20ac]? (?:
        \d{1,3} (?: [ ,_'\u00a0\u202f\u2019] \d{3} )+ (?: [.,] \d+ )?  |  \d{1,3} (?: \.\d{3} )+ ,\d+
        |  \d+ (?: [.,] \d+ )? (?: \ ?[%\u20ac] | [dD] [-+]?\d+ )?  |  0[xX][0-9a-fA-F]+
    ) '? \Z""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
#: A column of texts, most of which are numbers and many different ones, is taken for numbers with an undeclared marker.
_MANY_NUMBERS = 20


def read_csv(paths: list[Path], options: dict) -> Table:
    """Read delimited text; several files are put one below the other.

    A column is numeric if all its cells are numbers or missing, unless it is listed as nominal. Only the empty cell and
    the texts under ``missing`` are missing; in the class column the positive class is none of these, whatever its name.

    Parameters
    ----------
    paths : list of Path
    options : dict
        ``delimiter``, ``header``, ``columns``, ``target_index``, ``missing``, ``quote``, ``comment`` as in
        `scarce.config.datasets.read.Csv`; ``target``, ``nominal``, ``numeric`` and ``dropped`` (by a later step, so
        that nothing is asked of them): column names; ``positive``: classes.

    Raises
    ------
    DataError
        With file and line, where a row is longer or shorter than the others, or a text stands among numbers.
    """
    tables = [_parts(path, options) for path in paths]
    names = tables[0][0]
    for path, (other, _) in zip(paths, tables, strict=True):
        if len(other) != len(names) or (options.get("header", True) and other != names):
            raise DataError(f"its columns differ from those of {paths[0].name}", where=path.name)
    return _typed(names, b"".join(body for _, body in tables), options, paths[0].name)


def _parts(path: Path, options: dict) -> tuple[list[str], bytes]:
    """Column names and the rows of one file in UTF-8; its rows are all of one length."""
    data = blank_comments(read_text(path), options.get("comment"))
    encoding = encoding_of(data)
    header = options.get("header", True)
    rows = _rows(data, encoding, options, path.name)
    first = next(rows, None)
    if first is None:
        raise DataError("there is no row", where=path.name)
    names = [cell.strip() for cell in first[1]]
    width = len(names)
    other = next((char for char in ";\t|," if char in names[0]), None)
    if header and width == 1 and other and options.get("target") not in names:
        raise DataError(f"all names are one: {names[0][:60]!r}", where=path.name, hint=f"add `delimiter: {other!r}`")
    if header and names[-1] == "":
        names, width = names[:-1], width - 1
    if not header:
        width -= first[1][-1].strip() == "" and width > 1  # a comma after the last value
        names = _default_names(width, options, path)
    data = data if data.endswith((b"\n", b"\r")) else data + b"\n"
    body = data[_end_of_line(data, first[0]) :] if header else data
    check_names(names, path.name)
    for line, row in rows:
        if len(row) != width and not (len(row) == width + 1 and not row[-1].strip()):
            hint = "does a column of row names lack its own?" if header and len(row) == width + 1 else None
            for mark in USUAL:
                if row[0].startswith(mark) or first[1][0].startswith(mark):
                    hint = f"if lines that begin with {mark} are comments, add `comment: {mark!r}`"
            raise DataError(f"{len(row)} values, {width} columns", where=f"{path.name}:{line}", hint=hint)
        if header and row[0].strip() == names[0] and [cell.strip() for cell in row[:width]] == names:
            raise DataError("the names of the columns stand here again", where=f"{path.name}:{line}")
    return names, body if encoding == "utf-8" else body.decode(encoding).encode()


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


def _rows(data: bytes, encoding: str, options: dict, where: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row that is not blank."""
    text = io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")
    delimiter = options.get("delimiter", ",")
    reader = csv.reader(
        (line.strip(" \t\r\n").replace("\t", " ") for line in text) if delimiter == "whitespace" else text,
        delimiter=" " if delimiter == "whitespace" else delimiter,
        quotechar=options.get("quote", '"'),
        skipinitialspace=True,
        strict=True,  # nothing may stand behind the end of a quoted value
    )
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip(" \t")):
                yield reader.line_num, row
    except csv.Error as error:
        raise DataError(f"this row cannot be read: {error}", where=f"{where}:{reader.line_num + 1}") from None


def _end_of_line(data: bytes, number: int) -> int:
    """Where line `number` (from 1) ends."""
    at = 0
    for _ in range(number):
        at = min((end for end in (data.find(b"\n", at), data.find(b"\r", at)) if end >= 0), default=len(data) - 1) + 1
        at += data[at - 1 : at + 1] == b"\r\n"
    return at


def _typed(names: list[str], body: bytes, options: dict, where: str) -> Table:
    import pandas as pd

    target, missing = options.get("target"), ["", *options.get("missing", [])]
    text_columns = {*options.get("nominal", []), *options.get("dropped", []), target} & set(names)
    blanks = options.get("delimiter", ",") == "whitespace"

    def marks(name: str) -> list[str]:
        """A mark that is also the name of the positive class means that class in the class column."""
        return [mark for mark in missing if name != target or mark not in options.get("positive", [])]

    def parse(dtype, columns):
        return pd.read_csv(
            io.BytesIO(body),
            sep=r"\s+" if blanks else options.get("delimiter", ","),
            header=None,
            names=names,
            index_col=False,
            usecols=columns,
            dtype=dtype,
            keep_default_na=False,
            na_values={name: marks(name) for name in columns},
            quotechar=options.get("quote", '"'),
            skipinitialspace=True,
            low_memory=False,
        )

    try:
        frame = parse(dict.fromkeys(text_columns, object), names)
        words = [name for name in names if frame[name].dtype.kind not in "iuf"]
        frame = frame.drop(columns=words).join(parse(object, words)) if set(words) > text_columns else frame
    except (ValueError, OverflowError, MemoryError) as error:  # pandas' own errors are ValueErrors
        raise DataError((str(error).strip().splitlines() or [type(error).__name__])[-1], where=where) from None
    columns, kinds = [], []
    for name in names:
        nominal = name in words
        column = _text_column(frame[name], marks(name)) if nominal else frame[name].to_numpy(np.float64)
        declared = name in text_columns or name in options.get("numeric", [])
        # too long for the integers of pandas, or with blanks around a mark
        if nominal and not declared and _plain_numbers(column):
            nominal, column = False, numbers(column, name)
        if not nominal:
            column = _unmarked(column, missing)
        if nominal and not declared and options.get("refuse_unmarked", True):
            _refuse_unmarked(column, name, where)
            _refuse_other_notations(column, name, where)
        columns.append(column)
        kinds.append(nominal)
    return Table(names, columns, kinds)


def _unmarked(column: np.ndarray, missing: list[str]) -> np.ndarray:
    """Numbers, NaN where one is a mark: to pandas ``-999`` with a blank behind it is none."""
    marks = [float(mark) for mark in missing if _PLAIN.match(mark.strip())]
    return np.where(np.isin(column, marks), np.nan, column)


def _text_column(series, missing: list[str]) -> np.ndarray:
    stripped = [value.strip() if isinstance(value, str) else None for value in series.tolist()]
    return np.array([*(None if value in missing else value for value in stripped), None], dtype=object)[:-1]


def _refuse_unmarked(column: np.ndarray, name: str, where: str) -> None:
    """A lone text among numbers is a missing marker that nobody declared, or a name, not one of a column's 500 levels.

    A name or a unit is the only text and stands in the first row.
    """
    found, texts = set(), []
    for i, value in enumerate(column):
        try:
            found.add(number(value or "nan"))
        except ValueError:
            texts.append((i, value))
        else:
            if value and math.isnan(number(value)):
                texts.append((i, value))
    found = {value for value in found if not math.isnan(value)}
    marks = texts and found and {text.lower().strip("'\"") for _, text in texts} <= _USUAL_MARKS
    alone = [row for row, _ in texts] == [0] and len(found) > 1
    if alone and not marks and not _OTHER_NOTATIONS.match(texts[0][1]):
        raise DataError(
            f"column {name!r} holds numbers below {texts[0][1]!r} in its first row",
            where=where,
            hint="is that row names or units? Let `header:` be right, delete it, or list the column under `nominal:`",
        )
    if marks or (len(found) > _MANY_NUMBERS and texts and len(texts) < len(column) / 2):
        row, text = texts[0]
        raise DataError(
            f"column {name!r} holds numbers, but {text!r} in row {row + 1}",
            where=where,
            hint=f"add `missing: [{text!r}]` to the reader, or list the column under `nominal:`",
        )


def _plain_numbers(column: np.ndarray) -> bool:
    given = [value for value in column.tolist() if value is not None]
    return bool(given) and all(_PLAIN.match(value) for value in given)


def _refuse_other_notations(column: np.ndarray, name: str, where: str) -> None:
    """Decimal commas, thousands and percents are numbers to a person; as texts they would be levels in no order."""
    given = [value for value in column.tolist() if value is not None]
    others = [value for value in given if not _PLAIN.match(value)]
    if others and all(_OTHER_NOTATIONS.match(value) for value in others):
        raise DataError(
            f"column {name!r} holds numbers such as {others[0]!r}",
            where=where,
            hint="write them as plain decimals, or list the column under `nominal:`",
        )
