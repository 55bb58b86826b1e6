"""Helpers of several methods: scores from margins, seeds, resampling."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.utils import check_random_state

from scarce.estimators.types import Seed

LARGEST_SEED = np.iinfo(np.int32).max
"""Exclusive upper end of seeds drawn for parts of a method, as in scikit-learn's ensembles."""

LARGEST_LOGISTIC_MARGIN = 15.0
"""Beyond it the logistic function leaves too few doubles between a score and 1 to tell margins apart."""


def two_columns(positive: np.ndarray) -> np.ndarray:
    """``predict_proba`` from the score of the positive class."""
    return np.column_stack([1 - positive, positive])


def probability_of_margin(margin: float | np.ndarray) -> np.ndarray:
    """Probability of the positive class from its log-odds, such that large margins do not tie.

    Up to a margin of 15 it is the logistic function. Beyond, the distance to 0 or 1 shrinks as 15 / m instead of
    exponentially: the function stays continuous and strictly increasing, differs from the logistic one by less than
    4e-7, and keeps margins of some hundreds distinct in double precision.

    >>> low, half, high, higher = probability_of_margin([-800.0, 0.0, 800.0, 801.0])
    >>> bool(0 < low < half < high < higher < 1), float(half)
    (True, 0.5)
    """
    margin = np.asarray(margin, float)
    size, end = np.abs(margin), LARGEST_LOGISTIC_MARGIN
    smaller = expit(-np.minimum(size, end)) * (end / np.maximum(size, end))
    return np.where(margin > 0, 1 - smaller, smaller)


def one_seed(random_state: Seed) -> int:
    """A single seed for all parts of a method: an integer as it is, else drawn from the generator."""
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(LARGEST_SEED))


def fewer_neighbors(n_neighbors: Any, rows: int, sampler: str, notes: list[str]) -> Any:
    """Neighbours that each of some rows has among the others, at most `n_neighbors`; a note says where it has fewer.

    What is no number of neighbours is left to the sampler, which refuses it; a single row has no neighbour.
    """
    if rows < 2 or not isinstance(n_neighbors, Integral) or n_neighbors < rows:
        return n_neighbors
    notes.append(f"{sampler} looks at {rows - 1} neighbours instead of {n_neighbors}: the rarer class has {rows} rows")
    return rows - 1


def resample(sampler: Any, X: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Resample rows and labels by a sampler of imbalanced-learn.

    The search for neighbours runs in one thread: among equally near rows, several threads choose others.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="openmp"):
        return sampler.fit_resample(X, s)
