"""What the score of a method costs: seconds of its fits beside its mean, and who is on the Pareto front."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def pareto_front(costs: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Which of n choices no other beats: none costs at most as much and gains at least as much, one of both strictly.

    Parameters
    ----------
    costs, gains : array-like of shape (n,)
        One that is missing is on no front.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> pareto_front([1.0, 2.0, 3.0], [0.5, 0.4, 0.6]).tolist()
    [True, False, True]
    """
    costs, gains = np.asarray(costs, float), np.asarray(gains, float)
    front, best, previous = np.zeros(len(costs), bool), -np.inf, None
    for at in np.lexsort((-gains, costs)):  # cheapest first, and of equally cheap ones the best first
        if np.isnan(costs[at]) or np.isnan(gains[at]):
            continue
        equal = previous is not None and (costs[at], gains[at]) == previous
        front[at] = gains[at] > best or (equal and gains[at] == best)
        if front[at]:
            best, previous = gains[at], (costs[at], gains[at])
    return front


def cost_and_score(
    runs: pd.DataFrame, means: pd.Series, *, higher_is_better: bool = True, oracles: Collection[str] = ()
) -> pd.DataFrame:
    """Seconds of a fit, the mean score and the Pareto front of methods.

    Parameters
    ----------
    runs : DataFrame
        Rows of runs.csv, of the data sets that the means count.
    means : Series
        Mean score by method.
    higher_is_better : bool
        Whether a large mean is the better one.
    oracles : collection of str
        Methods that are on no front and beat no other.

    Returns
    -------
    DataFrame
        Indexed by method as `means`: seconds (median over runs with scores of the wall seconds of the fit on all
        training rows), mean, front.
    """
    seconds = runs.dropna(subset=["fit_seconds"]).groupby("method")["fit_seconds"].median().reindex(means.index)
    gains = (means if higher_is_better else -means).mask(means.index.isin(list(oracles)))
    front = pareto_front(seconds, gains)
    return means.to_frame("mean").assign(seconds=seconds, front=front)[["seconds", "mean", "front"]]
