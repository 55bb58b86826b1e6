"""The table that a reader returns: named columns, numeric or nominal, one of them the class column."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scarce.config.datasets.fields import class_text
from scarce.data.cells import is_plain
from scarce.data.names import check_names, no_column
from scarce.errors import DataError

#: Values of a column, whether it is nominal, its declared levels.
Column = tuple[np.ndarray, bool, Sequence[str]]


@dataclass(frozen=True)
class Table:
    """Columns of equal length.

    A numeric column is float64, NaN for a missing cell, or uint8; a nominal (`categorical`) one holds objects, str or
    None for a missing cell. `target` is the class column, if the file declares it. `levels` are the declared levels of
    nominal columns: they are levels of the prepared table even if no row has them. `test` marks rows of the data set's
    own test part, if it has one. `shape` is that of the array that a row's features are, such as (28, 28) for an image.
    `place` numbers the rows as they were read. `doubts` has, for columns with doubtful cells, what is doubtful of each
    cell, or None. `warnings` are sentences about the whole table.
    """

    names: list[str]
    columns: list[np.ndarray]
    categorical: list[bool]
    target: str | None = None
    levels: dict[str, list[str]] = field(default_factory=dict)
    test: np.ndarray | None = None
    shape: tuple[int, ...] | None = None
    place: np.ndarray | None = None
    doubts: dict[str, np.ndarray] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def __post_init__(self):
        check_names(self.names)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def index(self, name: str, kind: str = "column", hint: str | None = None) -> int:
        """Position of a column; DataError if there is none of that name."""
        if name not in self._places:
            raise no_column(name, self.names, kind, hint)
        return self._places[name]

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def column(self, name: str) -> np.ndarray:
        """One column by its name."""
        return self.columns[self.index(name)]

    def rows(self, index: np.ndarray) -> Table:
        """A table of the rows at `index` (positions in order, or a mask)."""
        test = None if self.test is None else self.test[index]
        place = None if self.place is None else self.place[index]
        doubts = {name: texts[index] for name, texts in self.doubts.items()}
        columns = [column[index] for column in self.columns]
        return replace(self, columns=columns, test=test, place=place, doubts=doubts)

    def select(self, names: Sequence[str], new: Sequence[str] | None = None) -> Table:
        """A table of the columns `names`, in that order, under the names `new` if they are given."""
        at = [self.index(name) for name in names]
        renamed = dict(zip(names, new or names, strict=True))
        return replace(
            self,
            names=list(new or names),
            columns=[self.columns[i] for i in at],
            categorical=[self.categorical[i] for i in at],
            target=renamed.get(self.target),
            levels={renamed[name]: self.levels[name] for name in names if name in self.levels},
            shape=self.shape if list(names) == self.names else None,
            doubts={renamed[name]: self.doubts[name] for name in names if name in self.doubts},
        )

    def with_column(self, name: str, values: np.ndarray, categorical: bool, levels: Sequence[str] = ()) -> Table:
        """A table in which one column's values, kind and declared levels are replaced."""
        return self.with_columns({name: (values, categorical, levels)})

    def with_columns(self, changed: dict[str, Column]) -> Table:
        """A table in which the values, the kind and the declared levels of some columns are replaced."""
        columns, kinds, levels = list(self.columns), list(self.categorical), dict(self.levels)
        for name, (values, nominal, declared) in changed.items():
            at = self.index(name)
            columns[at], kinds[at] = values, nominal
            levels.pop(name, None)
            if declared:
                levels[name] = list(declared)
        return replace(self, columns=columns, categorical=kinds, levels=levels)


def below(tables: list[Table], files: list[str]) -> Table:
    """Concatenate the rows of tables of `files`; DataError if columns differ in name, order or kind."""
    first = tables[0]
    for table, file in zip(tables, files, strict=True):
        if table.names != first.names or table.categorical != first.categorical:
            raise DataError(f"its columns differ from those of {files[0]}, in name, order or kind", where=file)
        if table.shape != first.shape:
            raise DataError(f"its rows are of shape {table.shape}, those of {files[0]} of {first.shape}", where=file)
    columns = [np.concatenate(parts) for parts in zip(*(table.columns for table in tables), strict=True)]
    levels = {name: [level for table in tables for level in table.levels.get(name, ())] for name in first.levels}
    doubtful = [name for name in first.names if any(name in table.doubts for table in tables)]
    doubts = {name: np.concatenate([t.doubts.get(name, np.full(t.n, None)) for t in tables]) for name in doubtful}
    warnings = tuple(dict.fromkeys(text for table in tables for text in table.warnings))
    return replace(first, columns=columns, levels=levels, doubts=doubts, warnings=warnings)


def as_objects(cells: Sequence[str | None]) -> np.ndarray:
    """Texts as a nominal column."""
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def as_text(value: object) -> str | None:
    """A cell as text: stripped, whole numbers without a decimal part; None if it is missing.

    >>> as_text(2.0), as_text(" -1 "), as_text("3.0"), as_text(0.25), as_text(float("nan"))
    ('2', '-1', '3', '0.25', None)
    """
    if value is None:
        return None
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            value = value.decode("latin-1")
    if isinstance(value, (float, np.floating)):
        if np.isnan(value):
            return None
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    return class_text(str(value))


def texts(column: np.ndarray) -> np.ndarray:
    """A column as texts: objects, None for missing cells."""
    text = functools.cache(as_text)
    return as_objects([text(value) for value in column.tolist()])


def whole_numbers_once(table: Table) -> Table:
    """A table whose nominal columns and levels write a whole number in one way: 1 and 1.0 are one level."""

    level = functools.cache(level_text)
    columns = [
        as_objects([level(text) for text in column.tolist()]) if column.dtype == object else column
        for column in table.columns
    ]
    levels = {name: list(dict.fromkeys(map(level, known))) for name, known in table.levels.items()}
    return replace(table, columns=columns, levels=levels)


def level_text(value: object) -> str | None:
    """A cell as a level of a prepared table; None if it is missing.

    >>> level_text("1.0"), level_text("a "), level_text(2.0), level_text(float("nan"))
    ('1', 'a ', '2', None)
    """
    if isinstance(value, str):
        return class_text(value) if is_plain(value) else value
    return as_text(value)


def number(text: str) -> float:
    """A text as a number; ValueError also for ``1_000``, which `float` accepts."""
    if "_" in text:
        raise ValueError(f"{text!r} is no number")
    return float(text)


def numbers(column: np.ndarray, name: str) -> np.ndarray:
    """A column as float64, NaN for missing cells; DataError if a text is no number."""
    if column.dtype.kind in "biuf":
        return column.astype(np.float64, copy=False)
    out = np.empty(len(column))
    for i, value in enumerate(column.tolist()):
        try:
            out[i] = np.nan if value is None else number(value)
        except ValueError:
            raise DataError(
                f"column {name!r} is to be numeric, but row {i + 1} holds {value!r}",
                hint="list the column under `nominal:`, or the text under the reader's `missing:`",
            ) from None
    return out
