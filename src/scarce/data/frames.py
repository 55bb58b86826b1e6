"""A prepared table as a DataFrame, and the encoder that reads DataFrames: the first step of a model that is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin

from scarce.data.encode import FittedEncoder

if TYPE_CHECKING:
    from scarce.data.store import Features

#: Levels of each column in the order of the prepared table; None for a numeric column.
Columns = Mapping[str, Sequence[str] | None]


def columns_of(features: Features) -> Columns:
    """The columns of a prepared table."""
    return {name: features.categories.get(name) for name in features.names}


def frame_of(features: Features) -> pd.DataFrame:
    """A prepared table as a DataFrame: numbers as they are, levels as texts, None for a missing level."""
    columns = {}
    for place, (name, levels) in enumerate(columns_of(features).items()):
        values = features.X[:, place]
        if levels is not None:
            texts = np.array([*levels, None], dtype=object)
            values = texts[np.where(np.isnan(values), len(levels), values).astype(int)]
        columns[name] = pd.Series(values, dtype=values.dtype)
    return pd.DataFrame(columns)


class TableEncoder(TransformerMixin, BaseEstimator):
    """Turn a DataFrame into numbers, as a study does with a prepared table: `FittedEncoder` for named columns.

    Columns are found by name, in any order; others are not read. A level that is not listed has no evidence, or no
    indicator; under the encoding ``none`` it is read as a missing cell.

    Parameters
    ----------
    columns : dict of str to list of str or None
        Levels of each column, in the order in which the classifier gets them; None for a numeric column.
    encoding : {"woe_train_observed", "onehot", "none"}
    scaled : bool, default=False
        Whether numeric columns are standardised already.
    as_bytes : bool, default=False
        Whether the cells are whole numbers from 0 to 255 and stay uint8.
    """

    def __init__(self, columns: Columns, encoding: str, *, scaled: bool = False, as_bytes: bool = False):
        self.columns = columns
        self.encoding = encoding
        self.scaled = scaled
        self.as_bytes = as_bytes

    def fit(self, X: pd.DataFrame, y) -> TableEncoder:
        """Fit to a DataFrame and observed labels `y` of shape (n,); ValueError as `transform` raises it."""
        levels = [known for known in self.columns.values() if known is not None]
        nominal = np.array([known is not None for known in self.columns.values()])
        self.encoder_ = FittedEncoder(self.encoding, nominal, scaled=self.scaled, levels=[len(one) for one in levels])
        self.encoder_.fit(self._matrix(X), y)
        return self

    def transform(self, X: pd.DataFrame) -> np.ndarray:
        """Encoded rows, see `FittedEncoder.transform`.

        Raises
        ------
        ValueError
            If `X` is no DataFrame, lacks a column or has it twice, or a cell of a numeric column is no number.
        """
        return self.encoder_.transform(self._matrix(X))

    def _matrix(self, frame: pd.DataFrame) -> np.ndarray:
        """The table in the form of a prepared one: codes of levels, NaN for missing cells."""
        if not isinstance(frame, pd.DataFrame):
            raise ValueError(f"a pandas DataFrame is wanted, got {type(frame).__name__}")
        lacking = [name for name in self.columns if (frame.columns == name).sum() != 1]
        if lacking:
            raise ValueError(f"the table must have each of these columns once: {', '.join(map(repr, lacking))}")
        if self.as_bytes:
            return _as_bytes(frame[list(self.columns)].to_numpy())
        columns = [_codes(frame[name], known) for name, known in self.columns.items()]
        return np.column_stack(columns) if columns else np.empty((len(frame), 0))


def _codes(column: pd.Series, levels: Sequence[str] | None) -> np.ndarray:
    """A column as float64; the code of a level that is not listed is the one after the last."""
    if levels is None:
        try:
            return column.to_numpy(np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise ValueError(f"column {column.name!r} must hold numbers: {error}") from None
    from scarce.data.tables import level_text

    known = {level: float(code) for code, level in enumerate(levels)}
    cells = zip(column.tolist(), column.isna().tolist(), strict=True)
    return np.array([np.nan if missing else known.get(level_text(cell), len(levels)) for cell, missing in cells])


def _as_bytes(values: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        as_bytes = values.astype(np.uint8)
    if not (as_bytes == values).all():
        raise ValueError("the cells must be whole numbers from 0 to 255")
    return as_bytes
