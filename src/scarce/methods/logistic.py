"""The base of methods that score by a logistic regression."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.methods.base import probability_of_margin, two_columns


class LogisticClassifier(PUClassifier):
    """A PU method whose scores are those of one logistic regression; it has parameters `max_iter` and `scores`.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    n_iter_ : int
        Iterations of the solver.
    """

    def _check_parameters(self) -> None:
        checks.choice("scores", self.scores, ("margin", "sigmoid"))

    def _fit_logistic(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None = None, **options):
        """A fitted logistic regression; a note says if it did not converge in `max_iter` iterations."""
        model = LogisticRegression(max_iter=self.max_iter, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, s, weight)
        if model.n_iter_[0] >= self.max_iter:
            self.notes_.append(f"logistic regression stopped at {self.max_iter} iterations before it converged")
        return model

    def _score_by(self, model: LogisticRegression) -> None:
        """Take scores from a fitted model."""
        self._model = model
        self.coef_, self.intercept_, self.n_iter_ = model.coef_, model.intercept_, int(model.n_iter_[0])

    def decision_function(self, X) -> np.ndarray:
        """Log-odds of the positive class, shape (n_samples,)."""
        X = self._read_new(X)
        return self._model.decision_function(X)

    def predict_proba(self, X) -> np.ndarray:
        """Probabilities of the two classes, shape (n_samples, 2)."""
        X = self._read_new(X)
        if self.scores == "sigmoid":
            return self._model.predict_proba(X)
        return two_columns(probability_of_margin(self._model.decision_function(X)))
