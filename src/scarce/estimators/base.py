"""The base of all estimators: how they read features, observed labels and weights, and how they predict."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from scarce.estimators.observed import plain, read_labels
from scarce.estimators.scaling import flat_columns
from scarce.estimators.types import ArrayLike, Weighted


class PUClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that learns from observed labels and predicts true ones.

    Subclasses define ``__init__``, ``_learn`` and ``predict_proba``.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The codes of y, unlabeled (negative) first.
    n_features_in_, feature_names_in_
        As in scikit-learn.
    notes_ : list of str
        Remarks for the reader of the results, such as a fallback that was taken.
    """

    score_function = "predict_proba"
    """Name of the method whose output ranks rows."""

    _dtype: type | tuple[type, ...] = np.float64
    _weights_refused: str | None = None
    """Why the estimator cannot use weights that differ; None if it can."""
    _idle: np.ndarray | None = None
    """Mask of the columns that are read as 0."""

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from observed labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers.
        y : array-like of shape (n_samples,)
            Observed labels: two values, of which the larger means labeled positive, the smaller unlabeled. If all
            values are equal, 1 and True mean labeled and everything else unlabeled.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; None weighs all rows 1. A row of weight k counts as k equal rows, a row of weight 0
            is left out. An estimator that draws rows, or assigns them to folds, draws or assigns a row as one and takes
            its weight along.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter, the features, the labels or the weights are not as described, if no row is labeled or all
            are, or if the weights differ and the estimator cannot use weights.
        """
        self._check_parameters()
        checks = self._checks_of_features(), {"ensure_2d": False, "dtype": None}
        rows, labels = validate_data(self, X, y, validate_separately=checks)
        labels = plain(column_or_1d(labels, warn=True))
        check_consistent_length(rows, labels)
        if labels.dtype != object:  # it compares objects, which may have no order
            check_classification_targets(labels)
        self.classes_, s = read_labels(labels)
        rows, s, weight = self._weighted_rows(rows, s, sample_weight)
        if s.all() and self._needs_unlabeled():
            raise ValueError(f"no unlabeled row: the observed labels hold one class, {self.classes_.tolist()[1]!r}")
        self.notes_: list[str] = []
        self._idle = self._idle_columns(rows)
        self._learn(self._without_idle(rows), s, weight)
        return self

    def _check_parameters(self) -> None:
        """Raise ValueError for a parameter that is out of range, before any data are read."""

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Fit to checked rows.

        `s` is int8, 1 labeled and 0 unlabeled, with at least one labeled row. `weight` is positive, or None where all
        rows weigh 1.
        """
        raise NotImplementedError

    def _needs_unlabeled(self) -> bool:
        return True

    def _checks_of_features(self) -> dict:
        # C order: sums over columns are added in the order of memory, so that other layouts round differently
        return {"dtype": self._dtype, "order": "C"}

    def _weighted_rows(self, X: np.ndarray, s: np.ndarray, sample_weight: ArrayLike | None) -> Weighted:
        """The rows with a weight above 0, and these weights."""
        if sample_weight is None:
            return X, s, None
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not weight.any():
            raise ValueError("sample_weight is zero for every row")
        with np.errstate(over="ignore"):
            if np.isinf(weight.sum()):
                raise ValueError("sample_weight sums to infinity: the weights are too large")
        present = weight > 0
        if not present.all():
            X, s, weight = X[present], s[present], weight[present]
            if not s.any():
                raise ValueError("no labeled positive: every row of the labeled class has weight 0")
        if self._weights_refused is None:
            return X, s, weight
        if np.ptp(weight) > 0:
            raise ValueError(f"{type(self).__name__} cannot use weights that differ: {self._weights_refused}")
        return X, s, None

    def _idle_columns(self, X: np.ndarray) -> np.ndarray:
        """Mask of columns that are read as 0: they say nothing, and their size or their noise would disturb sums."""
        rounding, large = flat_columns(X)
        if rounding.any():
            self.notes_.append(f"columns that vary by rounding alone are read as constant: {rounding.sum()}")
        return rounding | large

    def _without_idle(self, X: np.ndarray) -> np.ndarray:
        if self._idle is None or not self._idle.any():
            return X
        X = X.copy()
        X[:, self._idle] = 0
        return X

    def _read_new(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self)
        return self._without_idle(validate_data(self, X, reset=False, **self._checks_of_features()))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row, of ``classes_``: the second one where its score is above one half."""
        positive = self.predict_proba(X)[:, 1] > 0.5
        return self.classes_[positive.astype(int)]

    def predict_log_proba(self, X: ArrayLike) -> np.ndarray:
        """Natural logarithm of ``predict_proba``, shape (n_samples, 2); minus infinity for a score of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
