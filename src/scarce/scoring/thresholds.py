"""The threshold that maximises F1 in each run, on a grid or over the scores themselves."""

from __future__ import annotations

import numpy as np

from scarce.scoring.ranking import Ranking
from scarce.scoring.values import Values, defined

GRID = np.linspace(0.01, 0.99, 100)
"""100 points, step 0.0099: Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4, "optimal threshold"."""


def best_f1_grid(ranking: Ranking, positive: np.ndarray, strict: bool = True) -> Values:
    """The lowest point of `GRID` with the largest F1, for each run.

    Parameters
    ----------
    ranking : Ranking
        Scores of the rows that choose the threshold.
    positive : ndarray of shape (n_runs, n_rows), bool
        Labels to agree with.
    strict : bool
        Positive is ``score > threshold``; else ``score >= threshold``.

    Returns
    -------
    Values
        Undefined without rows or without a positive.
    """
    side = "right" if strict else "left"
    places = [np.searchsorted(scores, GRID, side) for scores in ranking.scores]
    places = np.reshape(places, (len(positive), len(GRID))).astype(np.intp)
    best = np.argmax(_f1(ranking, positive, places), axis=1)
    return defined(GRID[best]).unless(_undefined(positive))


def best_f1_sweep(ranking: Ranking, positive: np.ndarray) -> Values:
    """The lowest of the distinct scores with the largest F1 when positive is ``score >= threshold``, for each run.

    Parameters and result as in `best_f1_grid`.
    """
    if not ranking.n_rows:
        return defined(np.zeros(len(positive))).unless(_undefined(positive))
    places = np.broadcast_to(np.arange(ranking.n_rows), positive.shape)
    f1 = np.where(ranking.starts, _f1(ranking, positive, places), -1.0)
    best = np.argmax(f1, axis=1)[:, None]
    return defined(np.take_along_axis(ranking.scores, best, axis=1)[:, 0]).unless(_undefined(positive))


def _f1(ranking: Ranking, positive: np.ndarray, places: np.ndarray) -> np.ndarray:
    """F1 where the rows from each of the places on are predicted positive; 0 where it is undefined."""
    counts = ranking.positives_from(positive)
    true_positives = np.take_along_axis(counts, places, axis=1)
    return 2 * true_positives / np.maximum(ranking.n_rows - places + counts[:, :1], 1)


def _undefined(positive: np.ndarray) -> np.ndarray:
    """Why no threshold can be chosen in a run, or ""."""
    if not positive.shape[1]:
        return np.full(len(positive), "no row to choose a threshold on")
    return np.where(positive.any(axis=1), "", "no positive among the rows that choose the threshold")
