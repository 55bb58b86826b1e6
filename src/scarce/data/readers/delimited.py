"""Delimited text: commas, other characters, or blanks; with or without a header; one or several files."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np

from scarce.data.cells import is_plain, numbers_as_levels, remedy
from scarce.data.rows import Body, open_rows
from scarce.data.tables import Table, as_objects
from scarce.errors import DataError

#: Any other character in a column makes its conversion go cell by cell.
_UNUSUAL = re.compile(r"[^-+.0-9eE\0]")
#: Columns that a message names.
MOST_COLUMNS = 12
#: Rows that are converted at a time.
_BATCH = 4096


def read_csv(paths: list[Path], options: dict) -> Table:
    """Read delimited text.

    A column is numeric if all its cells are numbers or missing, unless it is listed as nominal. Only the empty cell and
    the texts under ``missing`` are missing. In the class column the name of the positive class is a class in any case.
    The option ``refuse_unmarked: False`` accepts texts among numbers.
    """
    files = [open_rows(path, options) for path in paths]
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
    texts |= late
    return {
        name: np.concatenate([*numbers[name], np.empty(0)]) if name in numbers else as_objects(texts[name])
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
