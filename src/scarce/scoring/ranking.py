"""Rows of many runs in the order of their scores, and the areas under curves that follow from it.

Arrays hold one run a line; every line is sorted once. The last sums of `average_precision` and `roc_auc` are taken run
by run, over the same terms in the same order as in scikit-learn, so that results are equal to the last bit.
"""

from __future__ import annotations

import numpy as np


class Ranking:
    """Rows of every run in ascending order of their scores.

    Parameters
    ----------
    scores : ndarray of shape (n_runs, n_rows)
        Larger for positives. Scores that are not finite are replaced by 0; see `finite`.
    positive : ndarray of shape (n_runs, n_rows), bool
        Which rows are positive.

    Attributes
    ----------
    scores : ndarray of shape (n_runs, n_rows)
        Ascending in each run.
    starts : ndarray of shape (n_runs, n_rows), bool
        Whether a row is the first of its group of equal scores.
    positives : ndarray of shape (n_runs, n_rows + 1), int64
        Positives among the rows from each place on; all in the first column, 0 in the last.
    finite : ndarray of shape (n_runs,), bool
        Whether all scores of a run are finite.
    """

    def __init__(self, scores: np.ndarray, positive: np.ndarray) -> None:
        if scores.shape != positive.shape:
            raise ValueError(f"scores and labels must have one shape, got {scores.shape} and {positive.shape}")
        self.finite = np.isfinite(scores).all(axis=1)
        scores = np.where(np.isfinite(scores), scores, 0.0)
        order = np.argsort(scores, axis=1)
        self.scores = np.take_along_axis(scores, order, axis=1)
        self.starts = np.ones(scores.shape, bool)
        self.starts[:, 1:] = self.scores[:, 1:] != self.scores[:, :-1]
        self.n_runs, self.n_rows = scores.shape
        self.positives = np.zeros((self.n_runs, self.n_rows + 1), np.int64)
        descending = np.take_along_axis(positive, order, axis=1)[:, ::-1]
        np.cumsum(descending, axis=1, out=self.positives[:, -2::-1])


def average_precision(ranking: Ranking) -> np.ndarray:
    """Average precision of each run, equal to ``sklearn.metrics.average_precision_score``.

    Parameters
    ----------
    ranking : Ranking
        Rows of many runs by score.

    Returns
    -------
    ndarray of shape (n_runs,)
        In [0, 1]; NaN without a positive.
    """
    areas = np.full(ranking.n_runs, np.nan)
    for run, positives in enumerate(ranking.positives):
        if positives[0]:
            places = np.flatnonzero(ranking.starts[run])
            precision = positives[places] / (ranking.n_rows - places)
            recall = np.append(positives[places] / positives[0], 0.0)
            areas[run] = max(0.0, -np.sum(np.diff(recall) * precision))
    return areas


def roc_auc(ranking: Ranking) -> np.ndarray:
    """Area under the ROC curve of each run, equal to ``sklearn.metrics.roc_auc_score``.

    Parameters
    ----------
    ranking : Ranking
        Rows of many runs by score.

    Returns
    -------
    ndarray of shape (n_runs,)
        In [0, 1]; NaN with one class alone.
    """
    areas = np.full(ranking.n_runs, np.nan)
    for run, positives in enumerate(ranking.positives):
        if 0 < positives[0] < ranking.n_rows:
            places = np.flatnonzero(ranking.starts[run])[::-1]
            tp = positives[places]
            fp = ranking.n_rows - places - tp
            if len(places) > 2:  # scikit-learn drops points on a straight line, which changes the terms of the sum
                corner = (np.diff(fp, 2) != 0) | (np.diff(tp, 2) != 0)
                kept = np.concatenate(([True], corner, [True]))
                tp, fp = tp[kept], fp[kept]
            areas[run] = np.trapezoid(np.append(0.0, tp / tp[-1]), np.append(0.0, fp / fp[-1]))
    return areas
