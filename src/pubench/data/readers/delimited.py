"""Delimited text: commas, other characters, or blanks; with or without a header; one or several files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pubench.data.readers.text import encoding_of, read_text
from pubench.data.tables import Table, check_names, number, numbers
from pubench.errors import DataError

#: Texts that mean a missing cell wherever numbers stand beside them.
_USUAL_MARKS = {"nan", "na", "n/a", "null", "none", "?", "-", "."}
_OTHER_NOTATIONS = re.compile(r"[-+]?(?:\d{1,3}(?:[ ,_]\d{3})+(?:\.\d+)?|\d+,\d+|\d+(?:\.\d+)? ?%)\Z")
#: A column of texts, most of which are numbers and many different ones, is taken for numbers with an undeclared marker.
_MANY_NUMBERS = 20


def read_csv(paths: list[Path], options: dict) -> Table:
    """Read delimited text; several files are put one below the other.

    A column is numeric if all its cells are numbers or missing, unless it is listed as nominal. Only the empty cell and
    the texts under ``missing`` are missing; in the class column ``NA`` and ``None`` are classes like any other.

    Parameters
    ----------
    paths : list of Path
    options : dict
        ``delimiter``, ``header``, ``columns``, ``target_index``, ``missing``, ``quote`` as in
        `pubench.data.specs.read.Csv`; ``target``, ``nominal`` and ``numeric``: column names.

    Raises
    ------
    DataError
        With file and line, where a row is longer or shorter than the others, or a text stands among numbers.
    """
    tables = [_parts(path, options) for path in paths]
    names = tables[0][0]
    for path, (other, _, _) in zip(paths, tables, strict=True):
        if len(other) != len(names) or (options.get("header", True) and other != names):
            raise DataError(f"its columns differ from those of {paths[0].name}", where=path.name)
    return _typed(names, b"".join(body for _, body, _ in tables), tables[0][2], options, paths[0].name)


def _parts(path: Path, options: dict) -> tuple[list[str], bytes, str]:
    """Column names, the bytes of the rows, and the encoding of one file, whose rows are all of one length."""
    data = read_text(path)
    encoding = encoding_of(data)
    if encoding == "utf-8-sig" and data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    encoding = "utf-8" if encoding == "utf-8-sig" else encoding
    header = options.get("header", True)
    rows = _rows(data, encoding, options, path.name)
    first = next(rows, None)
    if first is None:
        raise DataError("the file is empty", where=path.name)
    names = [cell.strip() for cell in first[1]]
    width = len(names)
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
            raise DataError(f"{len(row)} values, {width} columns", where=f"{path.name}:{line}")
    return names, body, encoding


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
    if options.get("delimiter", ",") == "whitespace":
        for number, line in enumerate(text, start=1):
            if line.strip():
                yield number, line.split()
        return
    reader = csv.reader(
        text, delimiter=options.get("delimiter", ","), quotechar=options.get("quote", '"'), skipinitialspace=True
    )
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
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


def _typed(names: list[str], body: bytes, encoding: str, options: dict, where: str) -> Table:
    import pandas as pd

    target, missing = options.get("target"), ["", *options.get("missing", [])]
    text_columns = {*options.get("nominal", []), target} & set(names)
    blanks = options.get("delimiter", ",") == "whitespace"

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
            na_values={name: [""] if name == target else missing for name in columns},
            quotechar=options.get("quote", '"'),
            skipinitialspace=True,
            encoding=encoding,
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
        column = _text_column(frame[name]) if nominal else frame[name].to_numpy(np.float64)
        if name == target and (frame[name].isna()).any():
            raise DataError(f"row {int(frame[name].isna().argmax()) + 1} has no class in column {name!r}", where=where)
        declared = name in text_columns or name in options.get("numeric", [])
        if nominal and not declared and _whole_numbers(column):  # too long for the integers of pandas
            nominal, column = False, numbers(column, name)
        if nominal and not declared and options.get("refuse_unmarked", True):
            _refuse_unmarked(column, name, where)
            _refuse_other_notations(column, name, where)
        columns.append(column)
        kinds.append(nominal)
    return Table(names, columns, kinds)


def _text_column(series) -> np.ndarray:
    return np.array(
        [*(value.strip() if isinstance(value, str) else None for value in series.tolist()), None], dtype=object
    )[:-1]


def _refuse_unmarked(column: np.ndarray, name: str, where: str) -> None:
    """A lone text among many numbers is a missing marker that nobody declared, not a nominal column of 500 levels."""
    found, texts = set(), []
    for i, value in enumerate(column):
        try:
            if value is not None:
                found.add(number(value))
        except ValueError:
            texts.append((i, value))
        else:
            if value is not None and value.lower() == "nan":
                texts.append((i, value))
    marks = texts and found and {text.lower() for _, text in texts} <= _USUAL_MARKS
    if marks or (len(found) > _MANY_NUMBERS and texts and len(texts) < len(column) / 2):
        row, text = texts[0]
        raise DataError(
            f"column {name!r} holds numbers, but {text!r} in row {row + 1}",
            where=where,
            hint=f"add `missing: [{text!r}]` to the reader, or list the column under `nominal:`",
        )


def _whole_numbers(column: np.ndarray) -> bool:
    given = [value for value in column.tolist() if value is not None]
    return bool(given) and all(re.fullmatch(r"[-+]?[0-9]+", value) for value in given)


def _refuse_other_notations(column: np.ndarray, name: str, where: str) -> None:
    """Decimal commas, thousands and percents are numbers to a person; as texts they would be levels in no order."""
    given = [value for value in column.tolist() if value is not None]
    if given and all(_OTHER_NOTATIONS.match(value) for value in given):
        raise DataError(
            f"column {name!r} holds numbers such as {given[0]!r}",
            where=where,
            hint="write them as plain decimals, or list the column under `nominal:`",
        )
