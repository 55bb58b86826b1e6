"""LBE with linear models: labeling bias estimation."""

from __future__ import annotations

import numpy as np

from scarce.methods.linear import minimise
from scarce.methods.sar_em import LabelingModelClassifier


class LBEClassifier(LabelingModelClassifier):
    """Labeling bias estimation: EM of a logistic classifier h(x) and a logistic labeling probability eta(x).

    The model is that of `SAREMClassifier`, P(s = 1 | x) = h(x) eta(x) with all features in both. It differs in the
    start, which is h fitted to labeled against unlabeled rows as they are, and eta = 1/2 everywhere; and h is the
    result as EM leaves it.

    Parameters
    ----------
    C, tolerance, max_iter
        As in `SAREMClassifier`.

    Attributes
    ----------
    n_iter_ : int
    facts_ : dict
        As in `SAREMClassifier`; the propensity is eta.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; a note says if EM stopped before it converged.

    Notes
    -----
    Gong et al. start eta from small random coefficients and take gradient steps by Adam; here the coefficients are 0,
    and an M step is at most 20 iterations of L-BFGS, so that nothing is random. Their networks are not part of this.

    References
    ----------
    Gong, Wang, Liu, Han, You, Yang & Tao (2021), Instance-dependent positive and unlabeled learning with labeling bias
    estimation, IEEE Transactions on Pattern Analysis and Machine Intelligence.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.r_[np.arange(40.0), np.arange(30.0, 50.0)].reshape(-1, 1), np.repeat([0, 1], [45, 15])
    >>> scores = LBEClassifier().fit(X, s).predict_proba([[0.0], [50.0]])[:, 1]
    >>> bool(scores[0] < scores[1])
    True
    """

    def __init__(self, C: float = 1.0, tolerance: float = 1e-4, max_iter: int = 200) -> None:
        self.C = C
        self.tolerance = tolerance
        self.max_iter = max_iter

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Run EM."""
        weight = np.ones(len(s)) if weight is None else weight
        Z = self._standardised(X, weight)
        start = minimise(Z, weight, weight * s, C=self.C).coef, np.zeros(Z.shape[1])
        self._coef = self._run_em(Z, Z, s, weight, start).classifier
