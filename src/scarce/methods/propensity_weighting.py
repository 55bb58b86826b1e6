"""Logistic regression that weighs labeled rows by the inverse of their propensity."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from scarce.estimators import checks
from scarce.estimators.types import ArrayLike, Weighted
from scarce.methods.linear import Fit, LinearClassifier, minimise


class PropensityWeightedClassifier(LinearClassifier):
    """Logistic regression by the unbiased risk under a known propensity e(x) = P(s = 1 | y = 1, x).

    A labeled row stands for 1/e(x) positives, of which 1/e(x) - 1 are among the unlabeled rows in its stead: it counts
    1/e(x) times as positive and 1 - 1/e(x) times, a negative number, as negative. An unlabeled row counts as negative.

    Parameters
    ----------
    propensity : float, default=None
        The same for all rows, in (0, 1]: the label frequency, where labels are selected at random. None asks `fit` for
        one a row.
    C : float, default=1.0
        Inverse strength of the L2 penalty on standardised columns, for losses that are summed over rows.
    max_iter : int, default=1000
        Largest number of L-BFGS iterations.

    Attributes
    ----------
    class_prior_ : float
        Estimate of P(y = 1): the mean of s/e over the training rows.
    n_iter_ : int
        L-BFGS iterations.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; a note says if the weights were cut, or the solver stopped before it converged.

    Notes
    -----
    The unlabeled rows' propensities are not used. Where the sum of 1/e over labeled rows reaches the number of rows,
    the risk has no minimum: the weights are then cut in one proportion, so that half a row is left for the negatives.

    References
    ----------
    Bekker, Robberechts & Davis (2019), Beyond the selected completely at random assumption for learning from positive
    and unlabeled data, ECML PKDD, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.arange(8.0).reshape(-1, 1), [0, 0, 0, 0, 0, 1, 0, 1]
    >>> model = PropensityWeightedClassifier().fit(X, s, propensity=np.linspace(0.2, 0.9, 8))
    >>> model.predict([[0.0], [7.0]])
    array([0, 1])
    """

    def __init__(self, propensity: float | None = None, C: float = 1.0, max_iter: int = 1000) -> None:
        self.propensity = propensity
        self.C = C
        self.max_iter = max_iter

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.propensity is not None:
            checks.number("propensity", self.propensity, "(0, 1]")

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, propensity: ArrayLike | None = None
    ) -> Self:
        """Learn from observed labels, as `PUClassifier.fit`.

        Parameters
        ----------
        X, y, sample_weight
            As in `PUClassifier`.
        propensity : array-like of shape (n_samples,), optional
            That of each row, in [0, 1], and above 0 for labeled rows; in place of the parameter.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If no propensity is given, or one is out of range.
        """
        self._given = propensity
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._given

    def _weighted_rows(self, X: np.ndarray, s: np.ndarray, sample_weight: ArrayLike | None) -> Weighted:
        e = self._propensities(X, s)
        rows, labels, weight = super()._weighted_rows(X, s, sample_weight)
        self._inverse = 1 / (e if weight is None else e[np.asarray(sample_weight, float) > 0])[labels == 1]
        return rows, labels, weight

    def _propensities(self, X: np.ndarray, s: np.ndarray) -> np.ndarray:
        if self._given is None:
            if self.propensity is None:
                raise ValueError("the propensity is not known: give one a row to fit, or one for all as `propensity`")
            return np.full(len(s), float(self.propensity))
        e = column_or_1d(self._given).astype(float)
        check_consistent_length(X, e)
        if not ((e >= 0) & (e <= 1)).all() or not (e[s == 1] > 0).all():
            raise ValueError("propensities must lie in [0, 1], and above 0 where a row is labeled")
        return e

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Minimise the risk over all rows."""
        weight = np.ones(len(s)) if weight is None else weight
        stands_for = np.zeros(len(s))
        stands_for[s == 1] = self._inverse
        del self._inverse
        self.class_prior_ = float(np.average(stands_for, weights=weight))
        Z = self._standardised(X, weight)
        fit, cut = fit_weighted(Z, weight, stands_for, C=self.C, max_iter=self.max_iter)
        if cut:
            self.notes_.append(cut)
        self.n_iter_ = fit.n_iter
        self._score_by(fit)


def fit_weighted(
    Z: np.ndarray, weight: np.ndarray, stands_for: np.ndarray, *, C: float, max_iter: int
) -> tuple[Fit, str]:
    """Minimise the risk in which each row stands for so many positives; a note says if these were cut, else "".

    With the logistic loss the risk of a labeled row is log(1 + exp(m)) - m/e, that of an unlabeled one log(1 + exp(m)).
    """
    pull, total = weight * stands_for, weight.sum()
    most = total - 0.5 * weight.min()
    cut = ""
    if pull.sum() > most:
        cut = f"labeled rows stand for {pull.sum() / total:.2f} times the rows that there are: their weights are cut"
        pull = pull * (most / pull.sum())
    return minimise(Z, weight, pull, C=C, max_iter=max_iter), cut
