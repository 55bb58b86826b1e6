"""Delimited text: commas, other characters, or blanks; with or without a header; one or several files."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np

from scarce.data.cells import is_plain, numbers_as_levels, remedy
from scarce.data.readers.text import read_text
from scarce.data.rows import USUAL_COMMENTS, blank_comments, column_names, rows
from scarce.data.tables import Table, as_objects, check_names
from scarce.errors import DataError

#: Any other character in a column makes its conversion go cell by cell.
_UNUSUAL = re.compile(r"[^-+.0-9eE\0]")
#: Columns that a message names.
MOST_COLUMNS = 12
#: Rows that are converted at a time.
_BATCH = 4096

Body = Callable[[], Iterator[list[str]]]


def read_csv(paths: list[Path], options: dict) -> Table:
    """Read delimited text.

    A column is numeric if all its cells are numbers or missing, unless it is listed as nominal. Only the empty cell and
    the texts under ``missing`` are missing. In the class column the name of the positive class is a class in any case.
    The option ``refuse_unmarked: False`` accepts texts among numbers.
    """
    files = [_open(path, options) for path in paths]
    names = files[0][0]
    for path, (other, _) in zip(paths, files, strict=True):
        if len(other) != len(names) or (options.get("header", True) and other != names):
            raise DataError(f"its columns differ from those of {paths[0].name}", where=path.name)
    target, positive = options.get("target"), options.get("positive", [])
    missing = {"", *options.get("missing", [])}
    marks = {name: missing - {*positive} if name == target else missing for name in names}
    text_columns = {*options.get("nominal", []), *options.get("dropped", []), target}
    columns = _columns([body for _, body in files], {name: name not in text_columns for name in names}, marks)
    if options.get("refuse_unmarked", True):
        declared = {*text_columns, *options.get("numeric", [])}
        read_as_texts = {name: column for name, column in columns.items() if column.dtype == object}
        _refuse_numbers({name: column for name, column in read_as_texts.items() if name not in declared}, paths[0].name)
    return Table(names, list(columns.values()), [column.dtype == object for column in columns.values()])


def _open(path: Path, options: dict) -> tuple[list[str], Body]:
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
            raise DataError(f"all names are one: {names[0][:60]!r}", where=path.name, hint=hint)
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


def _columns(files: list[Body], numeric: dict[str, bool], marks: dict[str, set[str]]) -> dict[str, np.ndarray]:
    """Columns by name: float64 if `numeric` and all cells are numbers or marks, else objects.

    A column whose first text stands far below is collected in a second pass over the files, so that a large numeric
    table is never held as texts.
    """
    numbers: dict[str, list[np.ndarray]] = {name: [] for name, wanted in numeric.items() if wanted}
    texts: dict[str, list[str | None]] = {name: [] for name, wanted in numeric.items() if not wanted}
    late: dict[str, list[str | None]] = {}
    for name, cells in _cells(files, numeric):
        if name in numbers:
            values = _numbers(cells, marks[name])
            if values is not None:
                numbers[name].append(values)
            else:
                (late if numbers.pop(name) else texts)[name] = []
        if name in texts:
            texts[name] += _texts(cells, marks[name])
    for name, cells in _cells(files, numeric) if late else ():
        if name in late:
            late[name] += _texts(cells, marks[name])
    return {
        name: np.concatenate([*numbers[name], np.empty(0)]) if name in numbers else as_objects((texts | late)[name])
        for name in numeric
    }


def _texts(cells: tuple[str, ...], marks: set[str]) -> list[str | None]:
    return [None if text in marks else intern(text) for text in map(str.strip, cells)]


def _cells(files: list[Body], names: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Pieces of columns from the top to the bottom: name and cells."""
    for body in files:
        rows_left = body()
        while batch := list(islice(rows_left, _BATCH)):
            yield from zip(names, zip(*batch, strict=False), strict=False)  # a row may end in one more, empty cell


def _numbers(cells: tuple[str, ...], marks: set[str]) -> np.ndarray | None:
    """Cells as float64, NaN where one is a mark; None if one is neither a number nor a mark."""
    try:
        if _UNUSUAL.search("\0".join(cells)):
            raise ValueError
        column = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        stripped = [cell.strip() for cell in cells]
        if not all(cell in marks or is_plain(cell) for cell in stripped):
            return None
        column = np.array([math.nan if cell in marks else float(cell) for cell in stripped])
    numeric_marks = [float(mark) for mark in marks if is_plain(mark.strip())]  # -999 also stands for -999.0
    return np.where(np.isin(column, numeric_marks), np.nan, column) if numeric_marks else column


def _refuse_numbers(columns: dict[str, np.ndarray], where: str) -> None:
    """Refuse numbers in other notations, and a text among numbers: they would be levels without an order."""
    messages, findings, hints = [], [], []
    for name, column in columns.items():
        cells = column.tolist()
        finding = numbers_as_levels(Counter(text for text in cells if text is not None))
        if finding is None or not finding.sure:
            continue
        row, says = cells.index(finding.text), finding.says
        if row == 0 and not finding.usual and not finding.rewrite and cells.count(finding.text) == 1:
            says = f"holds numbers below {finding.text!r}"
            hints = [
                "is that row names or units? Let `header:` be right, delete it, or list the column under `nominal:`"
            ]
        else:
            findings.append(finding)
        messages.append(f"column {name!r} {says} in {'its first row' if row == 0 else f'row {row + 1}'}")
    if messages:
        hints += [remedy(findings)] if findings else []
        more = f"; and {len(messages) - MOST_COLUMNS} more columns" if len(messages) > MOST_COLUMNS else ""
        raise DataError("; ".join(messages[:MOST_COLUMNS]) + more, where=where, hint="; ".join(hints))
