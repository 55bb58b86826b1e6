"""Rows of the frames of a study, chosen by the values of their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def matching(frame: pd.DataFrame, **values: str) -> pd.DataFrame:
    """The rows in which each of the named columns has the given value."""
    for column, value in values.items():
        frame = frame[frame[column] == value]
    return frame


def is_true(column: pd.Series) -> pd.Series:
    """Whether each truth value, a bool or its name as text, is true; a missing one is not."""
    return column.astype("string").str.lower().eq("true").fillna(value=False).astype(bool)
