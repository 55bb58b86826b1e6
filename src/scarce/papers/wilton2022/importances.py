"""Importances of features that fits left, and how far those of two methods agree."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd


def mean_importances(importances: pd.DataFrame, dataset: str, methods: list[str], column: str) -> pd.DataFrame:
    """Mean over repeats of a column of importances.csv: a row a feature, a column a method.

    Features are in the order of the file. Methods without importances on the data set have no column.
    """
    rows = importances[(importances["dataset"] == dataset) & importances["method"].isin(methods)]
    means = rows.groupby(["feature", "method"], sort=False)[column].mean().unstack("method")  # noqa: PD010 - unique keys
    return means.reindex(columns=[name for name in methods if name in means.columns])


def rank_correlation(first: pd.Series, second: pd.Series) -> tuple[float, int]:
    """Spearman's rank correlation over the features that either method uses, and their number.

    A feature whose importance is zero in both, such as a pixel that never varies, says nothing; with less than two
    features, or where all importances of a method are equal, the correlation is NaN.
    """
    used = ((first != 0) | (second != 0)).to_numpy()
    ranks = [one[used].rank() for one in (first, second)]
    if used.sum() < 2 or any(one.nunique() < 2 for one in ranks):
        return math.nan, int(used.sum())
    return float(np.corrcoef(*ranks)[0, 1]), int(used.sum())
