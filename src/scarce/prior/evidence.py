"""What observed labels alone tell of the class prior: a region where labeled rows crowd bounds it from above.

Under SCAR the labeled rows are a random part of the positives, whatever the features look like. Let a region hold `k`
of the labeled and `u` of the unlabeled rows. If all `u` were positive and still too few beside `k`, many more positives
would have to lie outside than labels there allow. Fisher's exact test turns this into an upper limit of the number of
positives. It assumes nothing of the classes: where they overlap the limit is high. A lower limit beyond the labeled
share cannot be had so: any unlabeled row may be negative.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from scarce.prior.scores import held_out_probabilities, rank_in_fold, shares_above

FEWEST_LABELED = 5
"""Labeled rows below which no region is looked for."""
MOST_ROWS = 5000
"""Labeled, and unlabeled, rows that are looked at; of more, so many are drawn."""
CAUTION = 2.0
"""Standard errors by which a region may look purer than it is when it is chosen."""


@dataclass(frozen=True)
class Region:
    """Counts of rows: in a region, and in all."""

    labeled: int
    of_labeled: int
    unlabeled: int
    of_unlabeled: int

    def largest_share(self, risk: float) -> float:
        """Largest share of positives among the unlabeled rows that Fisher's test does not reject at `risk`."""
        from scipy.stats import hypergeom

        def rejected(positives: int) -> bool:  # so many of the unlabeled rows, at most `unlabeled` of them in here
            total, inside = self.of_labeled + positives, self.labeled + min(self.unlabeled, positives)
            return hypergeom.sf(self.labeled - 1, total, inside, self.of_labeled) <= risk

        counts = range(self.unlabeled, self.of_unlabeled + 1)  # no count below is ever rejected
        return (self.unlabeled + bisect_left(counts, True, key=rejected) - 1) / self.of_unlabeled


def largest_unlabeled_share(X: np.ndarray, s: np.ndarray, risk: float) -> float:
    """Upper confidence limit, in [0, 1], of the share of positives among unlabeled rows, wrong with probability `risk`.

    1 where there are fewer than `FEWEST_LABELED` labeled rows. The same rows always give the same limit.
    """
    if s.sum() < FEWEST_LABELED or (~s).sum() < FEWEST_LABELED:
        return 1.0
    random_state = np.random.RandomState(0)
    rows = np.concatenate([_some(np.flatnonzero(part), random_state) for part in (s, ~s)])
    X, s = X[rows], s[rows]
    probability, fold = held_out_probabilities(X, s, random_state, needed_by="a limit of the class prior")
    return crowded_region(rank_in_fold(probability, fold), fold, s).largest_share(risk)


def _some(rows: np.ndarray, random_state: np.random.RandomState) -> np.ndarray:
    return rows if len(rows) <= MOST_ROWS else random_state.choice(rows, MOST_ROWS, replace=False)


def crowded_region(scores: np.ndarray, fold: np.ndarray, s: np.ndarray) -> Region:
    """The rows above a threshold that the other folds choose for each fold, so that no row chooses its own region."""
    inside = np.zeros(len(s), bool)
    for number in np.unique(fold):
        rows = fold == number
        inside[rows] = scores[rows] >= _threshold(scores[~rows], s[~rows])
    return Region(int((inside & s).sum()), int(s.sum()), int((inside & ~s).sum()), int((~s).sum()))


def _threshold(scores: np.ndarray, s: np.ndarray) -> float:
    """With the smallest upper limit of the ratio of shares, by a normal approximation of its logarithm."""
    thresholds, labeled, unlabeled = shares_above(scores, s)
    labeled_rows, unlabeled_rows = labeled * s.sum(), unlabeled * (~s).sum() + 1
    error = np.sqrt(1 / labeled_rows - 1 / s.sum() + 1 / unlabeled_rows)
    return thresholds[np.argmin(np.log(unlabeled_rows / labeled_rows) + CAUTION * error)]
