"""What the methods share: how they read X and s, and how they predict."""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from scarce.observed import coding, observed_labels, plain

LARGEST_SEED = np.iinfo(np.int32).max
"""Exclusive upper end of seeds drawn for parts of a method, as in scikit-learn's ensembles."""

LARGEST_LOGISTIC_MARGIN = 15.0
"""Beyond it the logistic function leaves too few doubles between a score and 1 to tell margins apart."""

# by rows: sums over columns are otherwise added in another order, and a data frame gives other last bits than an array
_FEATURES = {"dtype": np.float64, "order": "C"}


class PUClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that learns from observed labels and predicts true ones.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Negative and positive, in the coding of the observed labels.
    notes_ : list of str
        What a reader of the run's result should know; mostly empty.
    """

    score_function = "predict_proba"

    def fit(self, X, s):
        """Learn from observed labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        s : array-like of shape (n_samples,)
            Observed labels: 1 labeled; 0, -1 or False unlabeled.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter is out of range, no row is labeled, or all are.
        """
        self._check_parameters()
        X, s = self._read(X, s)
        self._learn(X, s)
        return self

    def _check_parameters(self) -> None:
        """Raise ValueError for a parameter that is out of range, before any data are read."""

    def _learn(self, X: np.ndarray, s: np.ndarray) -> None:
        """Fit to checked rows; s is int8, 1 labeled and 0 unlabeled."""
        raise NotImplementedError

    def _read(self, X, s) -> tuple[np.ndarray, np.ndarray]:
        """Check X and s and set what every fitted method has; s comes back as int8, 1 labeled and 0 unlabeled."""
        if s is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X = validate_data(self, X, **_FEATURES)
        s = plain(column_or_1d(s, warn=True))
        with np.errstate(invalid="ignore"):  # it casts NaN before it refuses it
            kind = type_of_target(s, input_name="observed labels", raise_unknown=True)
        if kind != "binary":  # in scikit-learn's words, which its tools look for
            raise ValueError(f"Only binary classification is supported. The type of the observed labels is {kind}.")
        self.classes_ = coding(s)
        s = observed_labels(s)
        if len(s) != len(X):
            raise ValueError(f"inconsistent numbers of samples: {len(X)} rows and {len(s)} observed labels")
        if s.all():
            raise ValueError("no unlabeled row: the observed labels hold one class, the labeled positives")
        self.notes_ = []
        return X, s

    def _read_new(self, X) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **_FEATURES)

    def predict(self, X) -> np.ndarray:
        """True class of each row: positive above a probability of one half."""
        positive = self.predict_proba(X)[:, 1] > 0.5
        return self.classes_[positive.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def two_columns(positive: np.ndarray) -> np.ndarray:
    """``predict_proba`` from the score of the positive class."""
    return np.column_stack([1 - positive, positive])


def probability_of_margin(margin) -> np.ndarray:
    """Probability of the positive class from its log-odds, such that large margins do not tie.

    Up to a margin of 15 it is the logistic function. Beyond, the distance to 0 or 1 shrinks as 15 / m instead of
    exponentially: the function stays continuous and strictly increasing, differs from the logistic one by less than
    4e-7, and tells margins of hundreds apart in double precision.

    Parameters
    ----------
    margin : array-like of shape (n_samples,)

    Returns
    -------
    ndarray of shape (n_samples,), float64

    Examples
    --------
    >>> low, half, high, higher = probability_of_margin([-800.0, 0.0, 800.0, 801.0])
    >>> bool(0 < low < half < high < higher < 1), float(half)
    (True, 0.5)
    """
    margin = np.asarray(margin, float)
    size, end = np.abs(margin), LARGEST_LOGISTIC_MARGIN
    smaller = expit(-np.minimum(size, end)) * (end / np.maximum(size, end))
    return np.where(margin > 0, 1 - smaller, smaller)


def one_seed(random_state) -> int:
    """A single seed for all parts of a method: an integer as it is, else drawn from the generator."""
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(LARGEST_SEED))
