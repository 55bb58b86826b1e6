"""Steps between reading and checking: pure functions of a table, a step's settings and the class column.

`scarce.config.datasets.reading` declares each step's keys and says what it does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scarce.config.datasets import reading as specs
from scarce.data.names import after_step, back_through_steps, class_column, some
from scarce.data.tables import Table, as_text, numbers, texts
from scarce.errors import DataError
from scarce.strata import stratified_rows


class Target(NamedTuple):
    """The class column, the classes that count as positive, and columns whose kind or use the data set states.

    Steps for all columns leave those alone that are `apart`: protocols split by them.
    Names are those that columns have after the steps; a step gets those that they have before it.
    """

    name: str
    positive: list[str]
    nominal: Collection[str] = ()
    numeric: Collection[str] = ()
    apart: Collection[str] = ()


def apply(table: Table, steps: list[specs.Step], target: Target) -> Table:
    """Apply steps one after the other; DataError with the number and name of the step that cannot be applied."""
    names = class_column(target.name, steps)
    stated = (target.nominal, target.numeric, target.apart)
    before = list(zip(*(back_through_steps(list(columns), steps) for columns in stated), strict=True))
    for at, step in enumerate(steps):
        try:
            left = after_step(step, table.names, names[at])
            if step.step in RENAMING:
                table = table.select(list(left.values()), list(left))
            else:
                table = STEPS[step.step](table, step, Target(names[at], target.positive, *map(set, before[at])))
        except DataError as error:
            raise DataError(f"step {at + 1}, {step.step}: {error.message}", hint=error.hint) from None
    return table


def repeat(table: Table, steps: list[specs.Step]) -> Table:
    """Apply steps to new rows, which may lack the class column and columns that steps leave out.

    Steps that rename columns or change single cells are applied. Those that choose rows, classes or columns are passed
    over. DataError if a step computes with all rows of its table: see `OF_ALL_ROWS`.
    """
    for step in steps:
        if step.step in OF_ALL_ROWS:
            raise DataError(
                f"step {step.step} computes with all rows of the training table: new rows cannot repeat it",
                hint="apply it yourself, and give the model a DataFrame in Python",
            )
        if step.step == "rename":
            table = table.select(table.names, [step.names.get(name, name) for name in table.names])
        elif step.step == "set_missing" and step.column in table.names:
            table = _without_cells(table, step, np.any(_cells_equal(table.column(step.column), step), axis=0))
        elif step.step == "log":
            present = [name for name in step.columns if name in table.names]
            table = log(table, step.model_copy(update={"columns": present}), Target("", []))
    return table


def drop_rows(table: Table, step: specs.DropRows, target: Target) -> Table:
    return table.rows(~_equals(table.column(step.column), step))


def set_missing(table: Table, step: specs.SetMissing, target: Target) -> Table:
    nominal = table.categorical[table.index(step.column)]
    column = table.column(step.column)
    return _without_cells(table, step, _equals(column if nominal else numbers(column, step.column), step))


def _without_cells(table: Table, step: specs.SetMissing, chosen: np.ndarray) -> Table:
    """The table with missing cells in the column of a step, where `chosen`."""
    nominal = table.categorical[table.index(step.column)]
    column = table.column(step.column)
    column = column.copy() if nominal else numbers(column, step.column).copy()
    column[chosen] = None if nominal else np.nan
    if step.column in table.doubts:
        doubts = {step.column: np.where(chosen, None, table.doubts[step.column])}
        table = replace(table, doubts=table.doubts | doubts)
    values = [as_text(value) for value in step.values]
    levels = [level for level in table.levels.get(step.column, ()) if as_text(level) not in values]
    return table.with_column(step.column, column, nominal, levels)


def log(table: Table, step: specs.Log, target: Target) -> Table:
    changed = {}
    for name in step.columns:
        if name == target.name:
            raise DataError(f"column {name!r} is the class column")
        values = numbers(table.column(name), name)
        if (values <= 0).any():
            raise DataError(f"column {name!r} has values that are not positive: they have no logarithm")
        changed[name] = np.log(values), False, ()
    return table.with_columns(changed)


def impute(table: Table, step: specs.Impute, target: Target) -> Table:
    changed = {}
    for name in [name for name in table.names if name != target.name and name not in target.apart]:
        column, nominal = _cells(table, name, target)
        missing = np.array([value is None for value in column]) if nominal else np.isnan(column)
        if not missing.any():
            continue
        if missing.all():
            raise DataError(f"column {name!r} has missing cells only: there is no value to fill in")
        column = column.copy()
        if nominal:
            counts = Counter(column[~missing].tolist())
            column[missing] = min(counts, key=lambda level: (-counts[level], level))
        else:
            _range(column, name)
            column[missing] = math.fsum(column[~missing]) / np.count_nonzero(~missing)  # exact: the same in any order
        changed[name] = column, nominal, table.levels.get(name, ())
    return table.with_columns(changed) if changed else _idle(table, "impute: no cell is missing")


def bin_(table: Table, step: specs.Bin, target: Target) -> Table:
    changed = {}
    for name in [name for name in table.names if name not in target.apart] if step.columns is None else step.columns:
        column, nominal = _cells(table, name, target)
        if nominal or name == target.name:
            if step.columns is None:
                continue
            raise DataError(f"column {name!r} is {'the class column' if name == target.name else 'nominal'}")
        if np.isnan(column).all():
            raise DataError(f"column {name!r} has missing cells only: there is nothing to cut into bins")
        low, high = _range(column, name)
        width = (high - low) / step.bins
        bins = step.bins if width > 0 else 1
        levels = [f"{number:0{len(str(bins - 1))}d}" for number in range(bins)]  # as texts in the order of the bins
        cells = np.full(len(column), None, dtype=object)
        valued = ~np.isnan(column)
        places = np.floor((column[valued] - low) / width) if bins > 1 else np.zeros(valued.sum())
        cells[valued] = np.array(levels, dtype=object)[np.minimum(places, bins - 1).astype(int)]
        changed[name] = cells, True, levels
    return table.with_columns(changed) if changed else _idle(table, "bin: no column is numeric")


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
    # Positives are class 1: the order of the classes decides which rows are drawn.
    classes = np.isin(texts(table.column(target.name)), target.positive).astype(int)
    if not classes.any():
        known = sorted({text for text in texts(table.column(target.name)) if text is not None})
        raise DataError(f"no row is of a positive class, {some(target.positive)}; classes here are {some(known)}")
    try:
        return table.rows(stratified_rows(classes, step.n, step.seed))
    except ValueError as error:
        raise DataError(str(error)) from None


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


def _idle(table: Table, reason: str) -> Table:
    """The table, with a warning that a step has nothing to do."""
    return replace(table, warnings=(*table.warnings, f"step {reason}, so that it does nothing"))


def _cells(table: Table, name: str, target: Target) -> tuple[np.ndarray, bool]:
    """A column as numbers or as texts, and whether it is nominal, by the data set's lists or else as it was read."""
    column = table.column(name)
    nominal = name in target.nominal or (table.categorical[table.index(name)] and name not in target.numeric)
    if nominal:
        return (column if column.dtype == object else texts(column)), True
    return numbers(column, name), False


def _range(column: np.ndarray, name: str) -> tuple[float, float]:
    """Least and greatest value of a numeric column that has one; DataError if their distance is not finite."""
    low, high = float(np.nanmin(column)), float(np.nanmax(column))
    if not math.isfinite(high - low):
        raise DataError(f"column {name!r} has values from {low:g} to {high:g}: their range is not finite")
    return low, high


def _equals(column: np.ndarray, step: specs.DropRows) -> np.ndarray:
    """Which cells equal a value of a step, as numbers in a numeric column, else as texts; "" is a missing cell.

    DataError if no cell equals one of them, or none a text or finite number, which may be misspelt.
    """
    equal = _cells_equal(column, step)
    for value, which in zip(step.values, equal, strict=True):
        unlisted = value == "" or (isinstance(value, float) and math.isinf(value))
        if not which.any() and not (unlisted and np.any(equal)):
            cells = column[~np.isnan(column)] if column.dtype.kind in "biuf" else texts(column)
            known = [as_text(cell) for cell in sorted({*cells.tolist()} - {None})]
            what = "a missing cell" if value == "" else repr(value)
            raise DataError(f"no row has {what} in column {step.column!r}; values are {some(known) or 'none'}")
    return np.any(equal, axis=0)


def _cells_equal(column: np.ndarray, step: specs.DropRows) -> list[np.ndarray]:
    """Which cells equal each value of a step, as `_equals` compares them."""
    values = step.values
    if column.dtype.kind in "biuf":
        cells = column.astype(np.float64, copy=False)
        try:
            stated = [math.nan if value == "" else float(value) for value in values]
        except ValueError as error:
            raise DataError(f"the column is numeric, and not all of {some(values)} are numbers: {error}") from None
        missing = np.isnan(cells)
    else:
        cells = texts(column)
        stated = [None if value == "" else as_text(value) for value in values]
        missing = cells == None  # noqa: E711 - by element
    return [missing if value == "" else cells == one for value, one in zip(values, stated, strict=True)]


def _known(names: list, classes: np.ndarray) -> None:
    """Raise DataError if a name is not among the classes."""
    known = sorted({value for value in classes if value is not None})
    for name in names:
        if name not in known:
            raise DataError(f"there is no class {name!r}; classes are {some(known)}")


#: Steps that choose, order or name columns and change no cell; `scarce.data.names.after_step` says how.
RENAMING = ("keep_columns", "drop_columns", "rename")
#: Steps whose result for a row depends on other rows.
OF_ALL_ROWS = ("impute", "bin")
STEPS = {
    function.__name__.rstrip("_"): function
    for function in (
        drop_rows,
        set_missing,
        log,
        impute,
        bin_,
        keep_classes,
        relabel,
        take_rows,
        stratified_subsample,
        sample_classes,
    )
}
