"""The threshold that maximises F1 in each run, on a grid or over the scores themselves."""

from __future__ import annotations

from typing import Literal

import numpy as np

from scarce.scoring.ranking import Ranking
from scarce.scoring.values import Values, defined

GRID = np.linspace(0.01, 0.99, 100)
"""100 points, step 0.0099: Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4, "optimal threshold"."""


def best_f1(ranking: Ranking, search: str, strict: bool = True) -> Values:
    """The lowest threshold with the largest F1 for each run, among the points of `GRID` or in a sweep over its scores.

    Parameters
    ----------
    ranking : Ranking
        Rows that choose, by score.
    search : {"grid", "sweep"}
        Among the points of `GRID`, or among the scores themselves.
    strict : bool
        On the grid, whether positive is ``score > threshold``; else it is ``score >= threshold``, as always in a sweep.

    Returns
    -------
    Values
        Thresholds; undefined without rows, without a positive, or where scores are not finite.
    """
    if not ranking.n_rows:
        return defined(np.zeros(ranking.n_runs)).unless("no row to choose a threshold on")
    if search == "grid":
        side: Literal["left", "right"] = "right" if strict else "left"
        thresholds = np.broadcast_to(GRID, (ranking.n_runs, len(GRID)))
        places = np.array([np.searchsorted(scores, GRID, side) for scores in ranking.scores])
    else:
        thresholds = ranking.scores
        places = np.broadcast_to(np.arange(ranking.n_rows), thresholds.shape)
    positives = ranking.positives[:, :1]
    true_positives = np.take_along_axis(ranking.positives, places, axis=1)
    f1 = 2 * true_positives / np.maximum(ranking.n_rows - places + positives, 1)
    if search != "grid":  # a threshold takes all rows of its score
        f1 = np.where(ranking.starts, f1, -1.0)
    best = np.take_along_axis(thresholds, np.argmax(f1, axis=1)[:, None], axis=1)[:, 0]
    no_positive = np.where(positives[:, 0] == 0, "no positive among the rows that choose the threshold", "")
    not_finite = np.where(ranking.finite, "", "validation scores that are not finite")
    return defined(best).unless(no_positive).unless(not_finite)
