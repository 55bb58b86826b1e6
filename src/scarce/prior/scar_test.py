"""Test whether labels were selected completely at random (SCAR), given the class prior.

Under SCAR the labeled rows are a random sample of the positives. The positives are not known: the rows presumed
positive are the labeled ones and the unlabeled ones with the highest scores of a classifier of labeled against
unlabeled rows, as many as the class prior says. Random subsets of these rows, as many as are labeled, show how far a
random sample is from them; the labeled rows are compared with that.

The labels alone say nothing of SCAR: they are a random sample of *some* set of positives as soon as no part of the
feature space has a larger share of labeled rows than the label frequency. So the test rests on the class prior, and on
classes that hardly overlap. Where they overlap, the rows with the highest scores are not the positives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scarce.estimators.types import ArrayLike, Seed

FEWEST_LABELED = 5


@dataclass(frozen=True)
class ScarTest:
    """The result of `scar_test`.

    Parameters
    ----------
    statistic : float
        Sum over columns of the Kolmogorov-Smirnov distance between labeled rows and rows presumed positive.
    p_value : float
        Share of the random subsets that are at least as far, the labeled rows counted in; in (0, 1].
    class_prior : float
        As it was told.
    n_presumed : int
        Rows presumed positive, labeled ones included.
    excess : ndarray of shape (n_features,)
        Distance in each column, less that of the random subsets, over their standard deviation (0 without spread).
    """

    statistic: float
    p_value: float
    class_prior: float
    n_presumed: int
    excess: np.ndarray


def scar_test(
    X: ArrayLike,
    s: ArrayLike,
    class_prior: float,
    *,
    scores: ArrayLike | None = None,
    n_draws: int = 999,
    random_state: Seed = None,
) -> ScarTest:
    """Test whether labeled rows are a random sample of the positives.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers without gaps, nominal columns as indicators.
    s : array-like of shape (n_samples,)
        Observed labels: of two values the larger means labeled positive.
    class_prior : float
        Share of positives among all rows, labeled ones included, in (labeled share, 1).
    scores : array-like of shape (n_samples,), optional
        Larger for rows that are more like labeled ones, from classifiers that did not see the row. By default those of
        logistic regressions in five folds.
    n_draws : int
        Random subsets.
    random_state : int, RandomState instance or None, default=None
        Of the random subsets, and of the folds where `scores` are not given.

    Returns
    -------
    ScarTest
        Statistic, p-value, and the excess of each column.

    Raises
    ------
    ValueError
        If shapes do not agree, fewer than `FEWEST_LABELED` rows are labeled, or by the class prior no unlabeled row is
        positive.

    Notes
    -----
    The paper draws each label with the label frequency as its probability; here subsets have as many rows as are
    labeled, so that the test is exact where the rows presumed positive are the positives. The paper scores the rows
    that its classifier was fitted on; here no row is scored by a classifier that saw it.

    References
    ----------
    Teisseyre, Furmanczyk, Mielniczuk (2024), Verifying the selected completely at random assumption in
    positive-unlabeled learning, ECAI; statistic KS.

    Examples
    --------
    >>> random = np.random.RandomState(0)
    >>> y = np.arange(600) < 200
    >>> X = random.normal(size=(600, 2)) + 6 * np.outer(y, [1, 0])
    >>> at_random = y & (random.uniform(size=600) < 0.5)
    >>> scar_test(X, at_random, 1 / 3, random_state=0).p_value > 0.05
    True
    >>> only_large = y & (X[:, 1] > 0)
    >>> scar_test(X, only_large, 1 / 3, random_state=0).p_value
    0.001
    """
    from sklearn.utils import check_array, check_random_state

    from scarce.estimators.observed import observed_labels
    from scarce.prior.scores import held_out_probabilities

    rows, labeled = check_array(X, dtype=float), observed_labels(s) == 1
    if len(labeled) != len(rows) or (scores is not None and np.shape(scores) != labeled.shape):
        message = f"{len(rows)} rows, {len(labeled)} labels or as many scores needed"
        raise ValueError(f"inconsistent numbers of samples: {message}")
    n_rows, n_labeled = len(labeled), int(labeled.sum())
    if n_labeled < FEWEST_LABELED:
        raise ValueError(f"{n_labeled} labeled rows, at least {FEWEST_LABELED} are needed")
    n_presumed = round(class_prior * n_rows)
    if not n_labeled < n_presumed < n_rows:
        raise ValueError(f"class prior {class_prior:g}: {n_presumed} positives of {n_rows} rows, {n_labeled} labeled")
    random = check_random_state(random_state)
    if scores is None:
        scores, _ = held_out_probabilities(rows, labeled, random, needed_by="scar_test")
    unlabeled = np.flatnonzero(~labeled)
    best = np.argsort(-np.asarray(scores, float)[unlabeled], kind="stable")
    presumed = np.concatenate([np.flatnonzero(labeled), unlabeled[best[: n_presumed - n_labeled]]])
    places = _Places(rows[presumed])
    subset = np.arange(n_presumed) < n_labeled
    observed = places.distances(subset)
    drawn = np.array([places.distances(random.permutation(subset)) for _ in range(n_draws)])
    statistic, at_random = observed.sum(), drawn.sum(axis=1)
    spread = drawn.std(axis=0)
    excess = np.divide(observed - drawn.mean(axis=0), spread, out=np.zeros(len(observed)), where=spread > 0)
    # sums of equal distances may differ in their last bits
    p_value = (1 + np.count_nonzero(at_random >= statistic - 1e-9)) / (n_draws + 1)
    return ScarTest(float(statistic), float(p_value), float(class_prior), n_presumed, excess)


class _Places:
    """Rows sorted by each column, once, for Kolmogorov-Smirnov distances of many subsets to all of them."""

    def __init__(self, X: np.ndarray) -> None:
        self.order = np.argsort(X, axis=0, kind="stable")
        ordered = np.take_along_axis(X, self.order, axis=0)
        self.last = np.vstack([ordered[1:] != ordered[:-1], np.ones((1, X.shape[1]), bool)])  # of rows with one value
        self.share = (np.arange(len(X)) + 1)[:, None] / len(X)

    def distances(self, subset: np.ndarray) -> np.ndarray:
        """Largest difference of the distribution functions of a subset, bool of shape (n,), and of all rows."""
        share = np.cumsum(subset[self.order], axis=0) / np.count_nonzero(subset)
        return np.where(self.last, np.abs(share - self.share), 0).max(axis=0)
