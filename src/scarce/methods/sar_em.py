"""SAR-EM: a classifier and a propensity, both logistic, learnt together from observed labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from scarce.estimators import checks
from scarce.estimators.types import ArrayLike
from scarce.methods.linear import LinearClassifier, minimise
from scarce.methods.propensity_weighting import fit_weighted

#: EM looks back so many steps to see whether it still gains.
WINDOW = 10
#: L-BFGS iterations of one M step; EM goes on from where they end.
M_STEPS = 20
#: Smallest propensity by which a labeled row is weighed.
LEAST = 1e-3


class Models(NamedTuple):
    """Coefficients of the classifier h(x) = P(y = 1 | x) and of the propensity e(x), and how EM ended."""

    classifier: np.ndarray
    propensity: np.ndarray
    n_iter: int
    log_likelihood: float
    converged: bool


def posterior(margin_h: np.ndarray, margin_e: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The E step: P(y = 1 | s, x), which is 1 for labeled rows and h (1 - e) / (1 - h e) for others.

    >>> posterior(np.zeros(2), np.zeros(2), np.array([1, 0])).round(4)
    array([1.    , 0.3333])
    """
    hidden, negative = expit(margin_h) * expit(-margin_e), expit(-margin_h)
    return np.where(s == 1, 1.0, hidden / np.maximum(hidden + negative, np.finfo(float).tiny))


def log_likelihood(margin_h: np.ndarray, margin_e: np.ndarray, s: np.ndarray, weight: np.ndarray) -> float:
    """Mean log-likelihood of the observed labels: P(s = 1 | x) = h e."""
    labeled = -np.logaddexp(0, -margin_h) - np.logaddexp(0, -margin_e)
    hidden_or_negative = expit(margin_h) * expit(-margin_e) + expit(-margin_h)
    unlabeled = np.log(np.maximum(hidden_or_negative, np.finfo(float).tiny))
    return float(np.average(np.where(s == 1, labeled, unlabeled), weights=weight))


def expectation_maximisation(
    Z: np.ndarray,
    Z_e: np.ndarray,
    s: np.ndarray,
    weight: np.ndarray,
    start: tuple[np.ndarray, np.ndarray],
    *,
    C: float,
    tolerance: float,
    max_iter: int,
) -> Models:
    """EM from two starting models; it stops once the last steps together gain no more than `tolerance`.

    M step: the classifier is fitted to the posterior as its target; the propensity to the observed labels, each row
    weighing its posterior. Both go on from their last coefficients.
    """
    h, e = start
    history = [log_likelihood(Z @ h, Z_e @ e, s, weight)]
    for step in range(1, max_iter + 1):
        q = weight * posterior(Z @ h, Z_e @ e, s)
        h = minimise(Z, weight, q, C=C, start=h, max_iter=M_STEPS).coef
        e = minimise(Z_e, q, q * s, C=C, start=e, max_iter=M_STEPS).coef
        history.append(log_likelihood(Z @ h, Z_e @ e, s, weight))
        if step >= WINDOW and history[-1] - history[-1 - WINDOW] <= tolerance:
            return Models(h, e, step, history[-1], True)
    return Models(h, e, max_iter, history[-1], False)


class LabelingModelClassifier(LinearClassifier):
    """A method that learns h and e by EM; it has parameters `C`, `tolerance` and `max_iter`."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.number("tolerance", self.tolerance, "[0, inf)")

    def _run_em(self, Z: np.ndarray, Z_e: np.ndarray, s: np.ndarray, weight: np.ndarray, start: tuple) -> Models:
        how = {"C": self.C, "tolerance": self.tolerance, "max_iter": self.max_iter}
        models = expectation_maximisation(Z, Z_e, s, weight, start, **how)
        if not models.converged:
            self.notes_.append(f"EM stopped at {self.max_iter} steps before it converged")
        self.n_iter_ = models.n_iter
        propensity, labeled = expit(Z_e @ models.propensity), s == 1
        self.facts_ = {
            "em_steps": models.n_iter,
            "log_likelihood": models.log_likelihood,
            "propensity_of_labeled_rows": float(np.average(propensity[labeled], weights=weight[labeled])),
        }
        return models


class SAREMClassifier(LabelingModelClassifier):
    """EM of a logistic classifier h(x) and a logistic propensity e(x), then a fit weighted by 1/e.

    The observed labels have the probability P(s = 1 | x) = h(x) e(x). EM starts from labeled against unlabeled rows,
    weighted to balance, and from the propensity that this classifier implies.

    Parameters
    ----------
    attributes : array-like, default=None
        Features that the propensity depends on, as indices or a mask; None for all. What the labeling is known to
        depend on is the assumption that tells h and e apart.
    refit : bool, default=True
        Whether the classifier is fitted anew at the end, weighted by the learnt propensity.
    C : float, default=1.0
        Inverse strength of the L2 penalty of each model, on standardised columns.
    tolerance : float, default=1e-4
        EM stops once ten steps gain no more than this in the mean log-likelihood.
    max_iter : int, default=200
        Largest number of EM steps.

    Attributes
    ----------
    n_iter_ : int
        Steps of EM.
    facts_ : dict
        ``em_steps``, ``log_likelihood`` (mean over rows), and ``propensity_of_labeled_rows``, the mean of the learnt
        propensity over labeled rows.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; notes say where EM stopped early, or weights were cut.

    Notes
    -----
    With all features in both models nothing but their starts tells h from e: the likelihood does not change when they
    are swapped. Each M step is at most 20 iterations of L-BFGS. Propensities below 0.001 count as 0.001 in the refit.

    References
    ----------
    Bekker, Robberechts & Davis (2019), Beyond the selected completely at random assumption for learning from positive
    and unlabeled data, ECML PKDD, section 5; start, stop and refit as in the authors' public code.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.RandomState(0)
    >>> X, y = random.normal(size=(400, 2)), np.arange(400) < 120
    >>> X[y] += 2
    >>> s = y & (random.random_sample(400) < 1 / (1 + np.exp(-X[:, 1])))
    >>> SAREMClassifier().fit(X, s.astype(int)).predict([[-1.0, -1.0], [2.0, 2.0]])
    array([0, 1])
    """

    def __init__(
        self,
        attributes: ArrayLike | None = None,
        refit: bool = True,
        C: float = 1.0,
        tolerance: float = 1e-4,
        max_iter: int = 200,
    ) -> None:
        self.attributes = attributes
        self.refit = refit
        self.C = C
        self.tolerance = tolerance
        self.max_iter = max_iter

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.choice("refit", self.refit, (True, False))

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Run EM and fit the final classifier."""
        weight = np.ones(len(s)) if weight is None else weight
        Z = self._standardised(X, weight)
        chosen = checks.columns("attributes", self.attributes, X.shape[1])
        Z_e = Z if chosen is None else Z[:, np.append(chosen, True)]
        labeled = np.average(s, weights=weight)
        balanced = weight * np.where(s == 1, 1 - labeled, labeled)
        h = minimise(Z, balanced, balanced * s, C=self.C).coef
        likely = weight * np.where(s == 1, 1.0, expit(Z @ h))
        models = self._run_em(Z, Z_e, s, weight, (h, minimise(Z_e, likely, likely * s, C=self.C).coef))
        self._coef = models.classifier
        if self.refit:
            stands_for = s / np.maximum(expit(Z_e @ models.propensity), LEAST)
            fit, cut = fit_weighted(Z, weight, stands_for, C=self.C, max_iter=1000)
            self.notes_ += [cut] if cut else []
            self._score_by(fit)
