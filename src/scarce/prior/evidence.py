"""What observed labels alone tell of the class prior: the regions where labeled rows crowd bound it.

Under SCAR the labeled rows are a random part of the positives, whatever the features look like. Take a region with many
of the labeled rows. If the unlabeled rows hold many positives, the region holds about the same part of them. So many
unlabeled rows must lie there. Fisher's exact test turns this into an upper limit of the number of positives. It assumes
nothing of the classes: where they overlap the limit is high.

A lower limit beyond the labeled share needs an assumption, since any unlabeled row may be negative. Here it is that
negatives thin out towards the largest scores (`least_share`).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from scarce.prior.scores import at_most, held_out_probabilities, rank_in_fold, shares_above

FEWEST_LABELED = 5
"""Labeled rows below which no region is looked for."""
MOST_ROWS = 5000
"""Labeled, and unlabeled, rows that are looked at; of more, so many are drawn."""
CAUTION = 3.0
"""Standard errors by which a region may look purer than it is when it is chosen."""
UPPER, TAIL = 0.5, 0.1
"""Of labeled rows, by their scores: the part where negatives are rarest, and the part that is left out."""
HALF = 0.5
"""Upper limit of the share of positives above which there is no lower one: the classes may hardly differ."""


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


def unlabeled_shares(X: np.ndarray, s: np.ndarray, risk: float) -> tuple[float, float]:
    """Lower and upper confidence limit, in [0, 1], of the share of positives among unlabeled rows.

    Each is wrong with probability `risk`. They are 0 and 1 where there are fewer than `FEWEST_LABELED` labeled or
    unlabeled rows. The same rows always give the same limits.
    """
    if min(s.sum(), (~s).sum()) < FEWEST_LABELED:
        return 0.0, 1.0
    random_state = np.random.RandomState(0)
    rows = np.concatenate([at_most(np.flatnonzero(part), MOST_ROWS, random_state) for part in (s, ~s)])
    X, s = X[rows], s[rows]
    probability, fold = held_out_probabilities(X, s, random_state, needed_by="an interval of the class prior")
    ranks = rank_in_fold(probability, fold)
    high = crowded_region(ranks, fold, s).largest_share(risk)
    return min(least_share(ranks, s, risk), high) if high <= HALF else 0.0, high


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


def least_share(scores: np.ndarray, s: np.ndarray, risk: float) -> float:
    """Lower confidence limit of the share of positives among unlabeled rows, if negatives get rarer upwards.

    Divide the share of the unlabeled rows that lie in a region by that of the labeled rows: u for the positives among
    them, and what negatives add. The region of the upper half of the labeled rows gives r, that of the next four tenths
    R. If negatives add at most half as much to r as to R, u is at least 2 r - R. The limit is r (2 - R / r) with the
    lower limit of r and the upper one of R / r.
    """
    from scipy.stats import norm

    middle, tail = np.quantile(scores[s], [1 - UPPER, TAIL])
    upper, lower = scores >= middle, (scores >= tail) & (scores < middle)
    labeled, unlabeled = ([np.sum(part & region) for region in (upper, lower)] for part in (s, ~s))
    if min(*labeled, *unlabeled) == 0:
        return 0.0
    ratio = unlabeled[0] / np.sum(~s) / (labeled[0] / np.sum(s))
    fall = unlabeled[1] / labeled[1] / (unlabeled[0] / labeled[0])
    error_of_ratio = np.sqrt(1 / labeled[0] - 1 / np.sum(s) + 1 / unlabeled[0])
    error_of_fall = np.sqrt(np.sum(1 / np.array(labeled + unlabeled)))
    z = norm.isf(risk)
    return float(max(ratio * np.exp(-z * error_of_ratio) * (2 - fall * np.exp(z * error_of_fall)), 0.0))
