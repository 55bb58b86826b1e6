"""Methods that score by a logistic regression.

In the weighted one, unlabeled rows count as negatives that may be wrong.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.types import ArrayLike
from scarce.methods.base import probability_of_margin, two_columns


class LogisticClassifier(PUClassifier):
    """A PU method whose scores are those of one logistic regression; it has parameters `max_iter` and `scores`."""

    def _check_parameters(self) -> None:
        checks.choice("scores", self.scores, ("margin", "sigmoid"))

    def _fit_logistic(
        self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None = None, **options: Any
    ) -> LogisticRegression:
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

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Log-odds of the positive class, shape (n_samples,)."""
        X = self._read_new(X)
        return self._model.decision_function(X)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities of the two classes, shape (n_samples, 2)."""
        X = self._read_new(X)
        if self.scores == "sigmoid":
            return self._model.predict_proba(X)
        return two_columns(probability_of_margin(self._model.decision_function(X)))


class PUWeightedLogisticRegression(LogisticClassifier):
    """Logistic regression of the observed label with class weights that balance labeled and unlabeled rows.

    A labeled row weighs the share of unlabeled rows, an unlabeled row the share of labeled rows. Positives hidden among
    the unlabeled are label noise on the negative side only, which the weights keep from drowning the positives.

    Parameters
    ----------
    C : float, default=inf
        Inverse strength of the L2 penalty; infinite for none.
    max_iter : int, default=1000
        Largest number of lbfgs iterations (Ortega Vazquez et al., 2023: 100).
    scores : {"margin", "sigmoid"}, default="margin"
        How log-odds become scores: by ``probability_of_margin``, which keeps large ones apart, or by the logistic
        function, which is exactly 1 above about 37 and so ties rows (Ortega Vazquez et al., 2023).

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    n_iter_ : int
        Iterations of the solver.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; a note says if the solver stopped before it converged.

    Notes
    -----
    Scores come from ``predict_proba``; as the weights balance the two groups, it is not a calibrated probability.

    References
    ----------
    Lee, Liu (2003), Learning with positive and unlabeled examples using weighted logistic regression, ICML, section 3;
    unpenalised as in Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 0, 1]
    >>> PUWeightedLogisticRegression(C=1.0).fit(X, s).predict([[0.0], [4.0]])
    array([0, 1])
    """

    def __init__(self, C: float = np.inf, max_iter: int = 1000, scores: str = "margin") -> None:
        self.C = C
        self.max_iter = max_iter
        self.scores = scores

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Fit on all rows."""
        labeled = float(np.average(s, weights=weight))
        self._score_by(self._fit_logistic(X, s, weight, C=self.C, class_weight={0: labeled, 1: 1 - labeled}))
