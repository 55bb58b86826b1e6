"""What methods with linear models of log-odds share: standardised features, one convex objective, scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.scaling import EXTREME, unit_of
from scarce.estimators.types import ArrayLike
from scarce.methods.base import probability_of_margin, two_columns

#: The minimum is found where no entry of the gradient of the mean loss is larger.
FLAT = 1e-6


class Standard(NamedTuple):
    """Units, means and standard deviations of training columns; a column that does not vary becomes 0."""

    unit: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, weight: np.ndarray) -> Standard:
        unit = unit_of(X)
        X = X / unit
        mean = np.average(X, axis=0, weights=weight)
        mean = np.where(np.ptp(X, axis=0) > 0, mean, X[0])
        deviation = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
        return cls(unit, mean, np.where(deviation > 0, deviation, np.inf))

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Standardised rows with a last column of ones, shape (n, d + 1)."""
        with np.errstate(over="ignore"):
            X = np.clip((np.clip(X / self.unit, -EXTREME, EXTREME) - self.mean) / self.deviation, -EXTREME, EXTREME)
        return np.column_stack([X, np.ones(len(X))])


class Fit(NamedTuple):
    """Coefficients of standardised columns, the intercept last; iterations; whether the minimum was found."""

    coef: np.ndarray
    n_iter: int
    converged: bool


def minimise(
    Z: np.ndarray,
    weight: np.ndarray,
    pull: np.ndarray,
    *,
    C: float,
    start: np.ndarray | None = None,
    max_iter: int = 1000,
) -> Fit:
    """The linear margins m that minimise sum(weight log(1 + exp(m)) - pull m) + |coef|^2 / (2 C), by L-BFGS.

    With ``pull = weight * target`` it is logistic regression with targets in [0, 1]. A larger target weighs a row as
    more than one positive and less than no negative; the objective is convex all the same.

    Parameters
    ----------
    Z : ndarray of shape (n, d + 1)
        The last column is 1; its coefficient is not penalised.
    weight, pull : ndarray of shape (n,)
        ``weight`` is non-negative. There is a minimum only where ``0 < sum(pull) < sum(weight)``.
    C : float
    start : ndarray of shape (d + 1,), optional
    max_iter : int
    """
    total, penalty = weight.sum(), np.append(np.full(Z.shape[1] - 1, 1 / C), 0.0)

    def loss(coef: np.ndarray) -> tuple[float, np.ndarray]:
        margin = Z @ coef
        value = weight @ np.logaddexp(0, margin) - pull @ margin + 0.5 * penalty @ coef**2
        gradient = Z.T @ (weight * expit(margin) - pull) + penalty * coef
        return value / total, gradient / total

    start = np.zeros(Z.shape[1]) if start is None else start
    options = {"maxiter": max_iter, "gtol": FLAT, "ftol": 1e-12}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return Fit(found.x, found.nit, found.nit < max_iter)


class LinearClassifier(PUClassifier):
    """A PU method whose scores are linear log-odds; it has parameters `C` and `max_iter`."""

    def _check_parameters(self) -> None:
        checks.number("C", self.C, "(0, inf)")
        checks.whole("max_iter", self.max_iter, 1)

    def _standardised(self, X: np.ndarray, weight: np.ndarray) -> np.ndarray:
        self._standard = Standard.of(X, weight)
        return self._standard(X)

    def _score_by(self, fit: Fit) -> None:
        """Take scores from a fit; a note says if it did not converge."""
        self._coef = fit.coef
        if not fit.converged:
            self.notes_.append(f"logistic regression stopped at {fit.n_iter} iterations before it converged")

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Log-odds of the positive class, shape (n_samples,)."""
        X = self._read_new(X)
        return self._standard(X) @ self._coef

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities of the two classes, shape (n_samples, 2)."""
        return two_columns(probability_of_margin(self.decision_function(X)))
