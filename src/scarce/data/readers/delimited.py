"""Delimited text: commas, other characters, or blanks; with or without a header; one or several files."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np

from scarce.data.rows import Body, open_rows
from scarce.data.tables import Table, as_objects, number
from scarce.errors import DataError

#: Texts, in lower case, that mean a missing cell wherever the other cells of a column are numbers.
_USUAL_MARKS = {
    "nan", "-nan", "nan(ind)", "-nan(ind)", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "1.#inf", "-1.#inf",
    "na", "n/a", "n.a.", "<na>", "#na", "#n/a", "#n/a n/a", "#value!", "#div/0!", "#ref!", "#num!", "#null!", "#name?",
    "null", "(null)", "<null>", "nil", "none", "(none)", "nat", "missing", "<missing>", "unknown", "unk", "undefined",
    "?", "??", "-", "--", ".", "..", "...", "*", "**", "_", "\\n", "blank", "empty", "(empty)", "(blank)",
    "\u221e", "+\u221e", "-\u221e", "\u2212\u221e",
}  # fmt: skip
#: Numbers to a person but not to `float`: thousands, decimal commas, percents, money, other signs, or a number after
#: the mark of a comment.
_OTHER_NOTATIONS = re.compile(
    r"""['\u2019\#]? [-+\u2212]? [$\u00a3\u20ac]? (?:
        \d{1,3} (?: [ ,_'\u00a0\u202f\u2019] \d{3} )+ (?: [.,] \d+ )?  |  \d{1,3} (?: \.\d{3} )+ ,\d+
        |  \d+ (?: [.,] \d+ )? (?: \ ?[%\u20ac] | [dD] [-+]?\d+ )?  |  0[xX][0-9a-fA-F]+
    ) '? \Z""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|(?i:inf(?:inity)?))\Z")
#: Any other character in a column makes its conversion go cell by cell.
_UNUSUAL = re.compile(r"[^-+.0-9eE\0]")
#: A column of texts with more different numbers than this, most of whose cells are numbers, is taken for a numeric
#: column with an undeclared mark for missing cells.
_MANY_NUMBERS = 20
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
    for name, column in columns.items():
        declared = name in text_columns or name in options.get("numeric", [])
        if column.dtype == object and not declared and options.get("refuse_unmarked", True):
            _refuse_unmarked(column, name, paths[0].name)
            _refuse_other_notations(column, name, paths[0].name)
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
        if not all(cell in marks or _PLAIN.match(cell) for cell in stripped):
            return None
        column = np.array([math.nan if cell in marks else float(cell) for cell in stripped])
    numeric_marks = [float(mark) for mark in marks if _PLAIN.match(mark.strip())]  # -999 also stands for -999.0
    return np.where(np.isin(column, numeric_marks), np.nan, column) if numeric_marks else column


def _refuse_unmarked(column: np.ndarray, name: str, where: str) -> None:
    """Refuse a text among numbers: it is a mark that nobody declared, or a name or unit in the first row."""
    values, texts = set(), []
    for i, text in enumerate(column):
        if text is None:
            continue
        try:
            value = number(text)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            texts.append((i, text))
        else:
            values.add(value)
    marks = texts and values and {text.lower().strip("'\"") for _, text in texts} <= _USUAL_MARKS
    only_first = [row for row, _ in texts] == [0] and len(values) > 1
    if only_first and not marks and not _OTHER_NOTATIONS.match(texts[0][1]):
        raise DataError(
            f"column {name!r} holds numbers below {texts[0][1]!r} in its first row",
            where=where,
            hint="is that row names or units? Let `header:` be right, delete it, or list the column under `nominal:`",
        )
    if marks or (len(values) > _MANY_NUMBERS and texts and len(texts) < len(column) / 2):
        row, text = texts[0]
        raise DataError(
            f"column {name!r} holds numbers, but {text!r} in row {row + 1}",
            where=where,
            hint=f"add `missing: [{text!r}]` to the reader, or list the column under `nominal:`",
        )


def _refuse_other_notations(column: np.ndarray, name: str, where: str) -> None:
    """Refuse decimal commas, thousands, percents: as texts they would be levels without an order."""
    others = [text for text in column.tolist() if text is not None and not _PLAIN.match(text)]
    if others and all(_OTHER_NOTATIONS.match(text) for text in others):
        raise DataError(
            f"column {name!r} holds numbers such as {others[0]!r}",
            where=where,
            hint="write them as plain decimals, or list the column under `nominal:`",
        )
