"""PUSB: the order of a density ratio, and a threshold by the class prior."""

from __future__ import annotations

import numpy as np

from scarce.estimators import checks
from scarce.estimators.schemes import SCHEMES, Scheme
from scarce.methods.linear import LinearClassifier, minimise


class PUSBClassifier(LinearClassifier):
    """PU learning with a selection bias: scores in the order of P(y = 1 | x), cut where the class prior says.

    Where likelier positives are likelier labeled, the density ratio of labeled to all rows has the order of
    P(y = 1 | x), though not its values. A linear model of the ratio is learnt by the convex PU risk, and the threshold
    is the margin above which the class prior's share of the rows lies.

    Parameters
    ----------
    class_prior : float
        P(y = 1), in (0, 1), among all rows, or with two samples among the unlabeled ones.
    scheme : {"one_sample", "two_sample"}, default="one_sample"
        Whether labeled rows belong to the sample of the population.
    C : float, default=1.0
        Inverse strength of the L2 penalty on standardised columns, for losses that are summed over rows.
    max_iter : int, default=1000
        Largest number of L-BFGS iterations.

    Attributes
    ----------
    threshold_ : float
        Margin at which a score is 1/2.
    n_iter_ : int
        L-BFGS iterations.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; a note says if the solver stopped before it converged.

    Notes
    -----
    The risk is (sum over the population's rows of log(1 + exp(m))) / n - class_prior (mean over labeled rows of m). The
    ranking is that of `PropensityWeightedClassifier` with a constant propensity: what PUSB adds is the threshold, which
    0.5 means here. The paper's models are linear in Gaussian kernels and its penalty is cross-validated; here they are
    linear in the features, with a fixed penalty.

    References
    ----------
    Kato, Teshima & Honda (2019), Learning from positive and unlabeled data with a selection bias, ICLR, sections 3
    and 4.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.arange(10.0).reshape(-1, 1), [0, 0, 0, 0, 0, 0, 0, 1, 0, 1]
    >>> PUSBClassifier(class_prior=0.4).fit(X, s).predict(X)
    array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    """

    def __init__(
        self, class_prior: float | None = None, scheme: Scheme = "one_sample", C: float = 1.0, max_iter: int = 1000
    ) -> None:
        self.class_prior = class_prior
        self.scheme = scheme
        self.C = C
        self.max_iter = max_iter

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.prior(self.class_prior)
        checks.choice("scheme", self.scheme, SCHEMES)

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Minimise the PU risk, and place the threshold."""
        weight, prior = np.ones(len(s)) if weight is None else weight, checks.prior(self.class_prior)
        population = weight if self.scheme == "one_sample" else np.where(s == 0, weight, 0.0)
        Z = self._standardised(X, weight)
        labeled = weight * s
        pull = prior * population.sum() * labeled / labeled.sum()
        fit = minimise(Z, population, pull, C=self.C, max_iter=self.max_iter)
        counted = population > 0
        self.threshold_ = threshold((Z @ fit.coef)[counted], population[counted], prior)
        self.n_iter_ = fit.n_iter
        self._score_by(fit)
        self._coef[-1] -= self.threshold_


def threshold(margin: np.ndarray, weight: np.ndarray, share: float) -> float:
    """Between the margins that the share of the rows has at least, and the next lower one: half-way.

    >>> threshold(np.array([4.0, 1.0, 2.0, 3.0]), np.ones(4), 0.5)
    2.5
    """
    order = np.argsort(margin, kind="stable")
    below = np.cumsum(weight[order])
    place = int(np.searchsorted(below, (1 - share) * below[-1] * (1 + 1e-12), side="right"))
    place = min(max(place, 1), len(order) - 1)
    return float(margin[order[place - 1 : place + 1]].mean()) if len(order) > 1 else float(margin[0])
