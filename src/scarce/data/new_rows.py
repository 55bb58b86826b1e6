"""Rows that a model is to score, from a CSV: read as the data set of its training, and checked against its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import TypeAdapter

from scarce.config.datasets.reading import Csv, Step
from scarce.data import dates, steps
from scarce.data.names import back_through_steps, file_options, some
from scarce.data.readers.delimited import read_csv
from scarce.data.rows import OneName
from scarce.data.tables import Table, numbers, whole_numbers_once
from scarce.errors import DataError
from scarce.words import number

if TYPE_CHECKING:
    from pandas import DataFrame

    from scarce.config.datasets import DatasetSpec
    from scarce.data.frames import Columns

#: Texts that mean a missing cell in formats that state none of their own.
MARKS = {"arff": ["?"]}


def as_described(spec: DatasetSpec, read: Any, applied: Sequence[Any]) -> dict[str, Any]:
    """How new rows are read, as plain values for JSON: as a data set in CSV, or as CSV with the marks of its format.

    `read` is the reader of the data set's source, and `applied` are the steps that follow.
    """
    if read.format != "csv":
        read = Csv(format="csv", missing=getattr(read, "missing", MARKS.get(read.format, [])))
    return {
        "read": read.model_dump(mode="json"),
        "steps": [step.model_dump(mode="json") for step in applied],
        "target": spec.target,
        "dates": spec.dates,
    }


def read_new_rows(path: Path, described: Mapping[str, Any], columns: Columns) -> tuple[DataFrame, list[str]]:
    """The rows of a CSV with the columns of a model, and remarks on what is doubtful of them, a line each.

    Parameters
    ----------
    path : Path
    described : mapping
        What `as_described` made.
    columns : mapping of str to sequence of str or None
        The model's columns, see `scarce.data.frames`.

    Raises
    ------
    DataError
        With a line for each column that is missing or of another kind.
    """
    import pandas as pd

    applied = TypeAdapter(list[Step]).validate_python(described["steps"])
    forms = {name: form for name, form in described["dates"].items() if name in columns}
    spec = SimpleNamespace(
        target=described["target"],
        positive=[],
        nominal=[name for name, levels in columns.items() if levels is not None],
        numeric=[name for name, levels in columns.items() if levels is None and name not in forms],
        dates=forms,
        group=None,
        time=None,
    )
    options = file_options(Csv.model_validate(described["read"]), spec, applied) | {"refuse_unmarked": False}
    table = whole_numbers_once(_read(path, options))
    try:
        table = steps.repeat(_with_dates(table, forms, applied), applied)
    except DataError as error:
        raise DataError(error.message, where=path.name, hint=error.hint) from None
    if not table.n:
        raise DataError("there is no row", where=path.name)
    values, problems = {}, []
    for name, levels in columns.items():
        try:
            values[name] = _values(table, name, levels)
        except DataError as error:
            problems.append(DataError(error.message, where=path.name, hint=error.hint))
    if problems:
        raise DataError.collect(problems)
    frame = pd.DataFrame({name: pd.Series(column, dtype=column.dtype) for name, column in values.items()})
    return frame, list(_remarks(table, frame, columns, described["target"]))


def _read(path: Path, options: dict[str, Any]) -> Table:
    try:
        return read_csv([path], options)
    except OneName as error:
        hint = f"the model reads files with the delimiter {options['delimiter']!r}, as in training"
        raise DataError(error.message, where=error.where, hint=hint) from None


def _with_dates(table: Table, forms: Mapping[str, str], applied: Sequence[Any]) -> Table:
    """The table with numbers for dates; columns that are missing are left to the check of all columns."""
    present = {
        name: form
        for name, form in forms.items()
        if all(earlier in table.names for earlier in back_through_steps([name], applied)[0])
    }
    try:
        return dates.parsed(table, present, applied)
    except DataError as error:
        raise DataError(error.message, hint="the model was fitted with dates of this form there") from None


def _values(table: Table, name: str, levels: Sequence[str] | None) -> np.ndarray:
    if name not in table.names:
        raise DataError(f"column {name!r} is missing")
    column = table.column(name)
    if levels is not None:
        return column
    if column.dtype == object:
        try:
            column = numbers(column, name)
        except DataError as error:
            raise DataError(error.message, hint="the model was fitted with numbers there") from None
    if np.isinf(column).any():
        row = np.flatnonzero(np.isinf(column))[0] + 1
        raise DataError(f"column {name!r} has infinite values, the first in row {row}")
    return column


def _remarks(table: Table, frame: DataFrame, columns: Columns, target: str | None) -> Iterator[str]:
    if extra := [name for name in table.names if name not in columns and name != target]:
        yield f"not read: {number(len(extra), 'column')} that the model does not have ({some(extra)})"
    if [name for name in table.names if name in columns] != list(columns):
        yield "columns stand in another order than in training; they are found by name"
    for name, levels in columns.items():
        if levels is not None:
            known = {*levels, None}
            new = [cell for cell in frame[name].tolist() if cell not in known]
            if new:
                cells = number(len(new), "cell")
                yield f"column {name!r}: {cells} with a level that training did not have ({some(sorted({*new}))})"
