"""A model to keep: one scikit-learn pipeline that encodes a table, scores its rows and decides by a threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if

from scarce.fitting.fitted import scores_of


def _gives_shares(classifier: ThresholdClassifier) -> bool:
    return classifier.score_function == "predict_proba"


class ThresholdClassifier(ClassifierMixin, BaseEstimator):
    """Decide by a fixed threshold of the scores that a study ranks by.

    scikit-learn's ``FixedThresholdClassifier`` knows no strict comparison, no ``score_function``, and no classifier
    without ``classes_``; methods of studies may have all three.

    Parameters
    ----------
    estimator : object
        A method of a study; a clone of it is fitted.
    threshold : float
    strict : bool, default=True
        Whether positive is ``score > threshold``, else ``score >= threshold``.

    Attributes
    ----------
    estimator_ : object
        The fitted method.
    classes_ : ndarray of shape (2,)
        0 and 1; 1 is positive.
    """

    def __init__(self, estimator: Any, threshold: float, *, strict: bool = True):
        self.estimator = estimator
        self.threshold = threshold
        self.strict = strict

    def fit(self, X: np.ndarray, y: np.ndarray) -> ThresholdClassifier:
        """Fit the method to observed labels `y`, 1 labeled and 0 unlabeled."""
        self.classes_ = np.array([0, 1])
        self.estimator_ = clone(self.estimator, safe=False)
        self.estimator_.fit(X, y)
        return self

    @property
    def score_function(self) -> str:
        """Name of the method of the estimator whose output ranks rows."""
        return getattr(getattr(self, "estimator_", self.estimator), "score_function", None) or "predict_proba"

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Scores of the positive class, shape (n,); see `scarce.fitting.fitted.scores_of`."""
        return scores_of(self.estimator_, X)

    def decide(self, scores: np.ndarray) -> np.ndarray:
        """1 for the scores beyond the threshold, else 0."""
        return (scores > self.threshold if self.strict else scores >= self.threshold).astype(int)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Class of each row, 1 or 0, by the threshold."""
        return self.decide(self.scores(X))

    @available_if(_gives_shares)
    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Scores of both classes, shape (n, 2); methods that do not rank by theirs have none."""
        scores = self.scores(X)
        return np.column_stack([1.0 - scores, scores])

    @available_if(lambda classifier: not _gives_shares(classifier))
    def decision_function(self, X: np.ndarray) -> np.ndarray:
        """Scores, shape (n,), of methods that do not rank by ``predict_proba``; the threshold is not subtracted."""
        return self.scores(X)


def pipeline(encoder: Any, estimator: Any, threshold: float, *, strict: bool) -> Pipeline:
    """An unfitted model with the steps ``encode`` and ``classify``."""
    return Pipeline([("encode", encoder), ("classify", ThresholdClassifier(estimator, threshold, strict=strict))])


def scores_and_classes(model: Pipeline, table: Any) -> tuple[np.ndarray, np.ndarray]:
    """Score and class of each row of a DataFrame."""
    scores = model[-1].scores(model[:-1].transform(table))
    return scores, model[-1].decide(scores)
