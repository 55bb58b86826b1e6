"""Scores of many runs in ascending order, and the areas under curves that follow from the order.

A run is one line of an array; every line is sorted once. The sums at the end of `average_precision` and `roc_auc` are
taken run by run, over the same terms in the same order as in scikit-learn: floating-point sums depend on both, and
results stay equal to scikit-learn's to the last bit.
"""

from __future__ import annotations

import numpy as np


class Ranking:
    """Rows of every run in ascending order of their scores.

    Parameters
    ----------
    scores : ndarray of shape (n_runs, n_rows)
        Finite; larger for positives.

    Attributes
    ----------
    scores : ndarray of shape (n_runs, n_rows)
        Ascending in each run.
    starts : ndarray of shape (n_runs, n_rows), bool
        Whether a row is the first of its group of equal scores.
    """

    def __init__(self, scores: np.ndarray):
        self._order = np.argsort(scores, axis=1)
        self.scores = np.take_along_axis(scores, self._order, axis=1)
        self.starts = np.ones(scores.shape, bool)
        self.starts[:, 1:] = self.scores[:, 1:] != self.scores[:, :-1]

    @property
    def n_rows(self) -> int:
        return self.scores.shape[1]

    def positives_from(self, positive: np.ndarray) -> np.ndarray:
        """Positives among the rows from each place on.

        Parameters
        ----------
        positive : ndarray of shape (n_runs, n_rows), bool
            In the order in which the scores were passed.

        Returns
        -------
        ndarray of shape (n_runs, n_rows + 1), int64
            The first column counts all positives, the last is 0.
        """
        counts = np.zeros((len(positive), self.n_rows + 1), np.int64)
        ranked = np.take_along_axis(positive, self._order, axis=1)
        np.cumsum(ranked[:, ::-1], axis=1, out=counts[:, -2::-1])
        return counts


def average_precision(ranking: Ranking, positive: np.ndarray) -> np.ndarray:
    """Area under the precision-recall curve as average precision (a step function).

    Parameters
    ----------
    ranking : Ranking
    positive : ndarray of shape (n_runs, n_rows), bool

    Returns
    -------
    ndarray of shape (n_runs,)
        In [0, 1], equal to ``sklearn.metrics.average_precision_score``; NaN in a run without a positive.
    """
    areas = np.full(len(positive), np.nan)
    for run, counts in enumerate(ranking.positives_from(positive)):
        if counts[0]:
            places = np.flatnonzero(ranking.starts[run])
            true_positives = counts[places]
            precision = true_positives / (ranking.n_rows - places)
            recall = np.append(true_positives / counts[0], 0.0)
            areas[run] = max(0.0, -np.sum(np.diff(recall) * precision))
    return areas


def roc_auc(ranking: Ranking, positive: np.ndarray) -> np.ndarray:
    """Area under the ROC curve.

    Parameters and result as in `average_precision`, equal to ``sklearn.metrics.roc_auc_score``; NaN in a run whose rows
    are all of one class.
    """
    areas = np.full(len(positive), np.nan)
    for run, counts in enumerate(ranking.positives_from(positive)):
        if 0 < counts[0] < ranking.n_rows:
            places = np.flatnonzero(ranking.starts[run])[::-1]
            true_positives = counts[places]
            false_positives = ranking.n_rows - places - true_positives
            if len(places) > 2:  # scikit-learn drops points on a straight line, which changes the terms of the sum
                corner = (np.diff(false_positives, 2) != 0) | (np.diff(true_positives, 2) != 0)
                kept = np.concatenate(([True], corner, [True]))
                true_positives, false_positives = true_positives[kept], false_positives[kept]
            tpr = np.concatenate(([0.0], true_positives / true_positives[-1]))
            fpr = np.concatenate(([0.0], false_positives / false_positives[-1]))
            areas[run] = np.trapezoid(tpr, fpr)
    return areas
