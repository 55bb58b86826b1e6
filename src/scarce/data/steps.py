"""Steps between reading and checking: pure functions of a table, a step's settings and the class column.

`scarce.config.datasets.reading` declares each step's keys and says what it does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scarce.config.datasets import reading as specs
from scarce.data.tables import Table, as_text, numbers, some, texts
from scarce.errors import DataError


class Target(NamedTuple):
    """The class column, and the classes that count as positive."""

    name: str
    positive: list[str]


def apply(table: Table, steps: list[specs.Step], target: Target) -> Table:
    """Apply steps one after the other; DataError with the number and name of the step that cannot be applied."""
    for number, step in enumerate(steps, start=1):
        try:
            table = STEPS[step.step](table, step, target)
        except DataError as error:
            raise DataError(f"step {number}, {step.step}: {error.message}", hint=error.hint) from None
    return table


def keep_columns(table: Table, step: specs.KeepColumns, target: Target) -> Table:
    return table.select([*(name for name in step.columns if name != target.name), target.name])


def drop_columns(table: Table, step: specs.DropColumns, target: Target) -> Table:
    for name in step.columns:
        table.index(name)
    return table.select([name for name in table.names if name not in step.columns])


def rename(table: Table, step: specs.Rename, target: Target) -> Table:
    for name in step.names:
        table.index(name)
    return replace(table, names=[step.names.get(name, name) for name in table.names])


def drop_rows(table: Table, step: specs.DropRows, target: Target) -> Table:
    return table.rows(~_equals(table.column(step.column), step.values))


def set_missing(table: Table, step: specs.SetMissing, target: Target) -> Table:
    column = table.column(step.column).copy()
    nominal = table.categorical[table.index(step.column)]
    column[_equals(column, step.values)] = None if nominal else np.nan
    return table.with_column(step.column, column, nominal)


def log(table: Table, step: specs.Log, target: Target) -> Table:
    for name in step.columns:
        values = numbers(table.column(name), name)
        if (values <= 0).any():
            raise DataError(f"column {name!r} has values that are not positive: they have no logarithm")
        table = table.with_column(name, np.log(values), False)
    return table


def keep_classes(table: Table, step: specs.KeepClasses, target: Target) -> Table:
    classes = texts(table.column(target.name))
    _known(step.classes, classes)
    return table.rows(np.isin(classes, step.classes))


def relabel(table: Table, step: specs.Relabel, target: Target) -> Table:
    new = {as_text(old): as_text(name) for old, name in step.classes.items()}
    classes = texts(table.column(target.name))
    _known(list(new), classes)
    return table.with_column(target.name, np.array([new.get(value, value) for value in classes], dtype=object), True)


def take_rows(table: Table, step: specs.TakeRows, target: Target) -> Table:
    first = np.array(step.first)
    if first.min() < 0 or first.max() >= table.n:
        raise DataError(f"rows 0 to {table.n - 1} exist, {first.max()} is asked for")
    classes = texts(table.column(target.name))
    _known(step.then_classes, classes)
    then = np.flatnonzero(np.isin(classes, step.then_classes))
    if repeated := sorted({*first.tolist()} & {*then.tolist()}):
        row = repeated[0]
        raise DataError(f"row {row} is taken twice: as such and with its class {classes[row]!r}")
    return table.rows(np.concatenate([first, then]))


def stratified_subsample(table: Table, step: specs.StratifiedSubsample, target: Target) -> Table:
    if step.n >= table.n:
        raise DataError(f"{step.n} rows of {table.n} are no subsample")
    from sklearn.model_selection import StratifiedShuffleSplit

    # Positives are class 1: the order of the classes decides which rows are drawn.
    classes = np.isin(texts(table.column(target.name)), target.positive).astype(int)
    splitter = StratifiedShuffleSplit(n_splits=1, train_size=step.n, random_state=step.seed)
    chosen, _ = next(splitter.split(np.zeros((table.n, 1)), classes))
    return table.rows(chosen)


def sample_classes(table: Table, step: specs.SampleClasses, target: Target) -> Table:
    classes = texts(table.column(target.name))
    _known([as_text(name) for name in step.classes], classes)
    random = np.random.RandomState(step.seed)
    chosen = []
    for name, size in step.classes.items():
        rows = np.flatnonzero(classes == as_text(name))
        if size > len(rows):
            raise DataError(f"class {name} has {len(rows)} rows, {size} are asked for")
        chosen.append(random.choice(rows, size, replace=False))
    return table.rows(np.sort(np.concatenate(chosen)))


def _equals(column: np.ndarray, values: list) -> np.ndarray:
    """Which cells equal one of `values`, as numbers in a numeric column, else as texts; "" is a missing cell."""
    stated, empty = [value for value in values if value != ""], "" in values
    if column.dtype.kind == "f":
        try:
            return np.isin(column, [float(value) for value in stated]) | (empty & np.isnan(column))
        except ValueError as error:
            raise DataError(f"the column is numeric, and not all of {some(values)} are numbers: {error}") from None
    cells = texts(column)
    return np.isin(cells, [as_text(value) for value in stated]) | (empty & (cells == None))  # noqa: E711 - by element


def _known(names: list, classes: np.ndarray) -> None:
    """Raise DataError if a name is not among the classes."""
    known = sorted({value for value in classes if value is not None})
    for name in names:
        if name not in known:
            raise DataError(f"there is no class {name!r}; classes are {some(known)}")


STEPS = {
    function.__name__: function
    for function in (
        keep_columns,
        drop_columns,
        rename,
        drop_rows,
        set_missing,
        log,
        keep_classes,
        relabel,
        take_rows,
        stratified_subsample,
        sample_classes,
    )
}
