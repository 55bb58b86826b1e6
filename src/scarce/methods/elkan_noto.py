"""Elkan and Noto's method: the probability of being labeled, divided by the label frequency."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.base import one_seed, probability_of_margin, two_columns

FAITHFUL = 0.9
"""Up to here a score is g/c itself; what exceeds it is squeezed, so that rows beyond 1 keep their order."""


class ElkanNotoClassifier(PUClassifier):
    """Linear SVM with Platt's probabilities of being labeled, corrected by the label frequency of held-out rows.

    Under SCAR the probability of being labeled is g(x) = c P(y = 1 | x), so that its mean over labeled rows estimates
    the label frequency c, and g/c is the probability of being positive.

    Parameters
    ----------
    C : float, default=1.0
        Of the SVM.
    holdout : float, default=0.2
        Share of the rows, stratified by observed label, that the SVM does not see and that c comes from.
    scores : {"posterior", "as_coded"}, default="posterior"
        "posterior" is g/c (see Notes). "as_coded" is what Ortega Vazquez et al. (2023) ran, g c E m / n: *times* c, and
        by a scale that depends on the rows that are scored together.
    random_state : int, RandomState instance or None, default=None
        Of the hold-out and of the cross-validation behind Platt's probabilities.

    Attributes
    ----------
    label_frequency_ : float
        Estimate of c = P(s = 1 | y = 1), in (0, 1].
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; notes say if nothing was held out, or if Platt's scaling reversed the order of the SVM.

    Notes
    -----
    Scores come from ``predict_proba``. An estimate h = g/c can exceed 1. Clipped at 1 the likeliest rows would tie, so
    only values up to 0.9 are left as they are; above, the score is 1 - 0.09/h, which goes on rising, towards 1. The
    ranking is that of g.

    The method assumes one sample. In two samples, c is the share of labeled rows among the positives of both together,
    and g/c is the probability of being positive among the rows of both, whose class prior is not that of the population
    (`scarce.estimators.schemes.pooled_prior`).

    With ``scores="as_coded"`` there are m training rows, n of them labeled, w = g/(1 - g) (1 - c)/c, and the scale is
    E = (n + sum of w over the scored rows) / m. Such scores can exceed 1. The probabilities g are libsvm's own there,
    which approximate Platt's function to about 0.005.

    References
    ----------
    Elkan, Noto (2008), Learning classifiers from only positive and unlabeled data, KDD: lemma 1, estimator e1 and Eq. 3
    (w); settings of Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.arange(60.0).reshape(-1, 1), np.repeat([0, 1], [40, 20])
    >>> ElkanNotoClassifier(random_state=0).fit(X, s).predict([[0.0], [59.0]])
    array([0, 1])
    """

    _weights_refused = "libsvm's Platt scaling counts rows"

    def __init__(
        self, C: float = 1.0, holdout: float = 0.2, scores: str = "posterior", random_state: Seed = None
    ) -> None:
        self.C = C
        self.holdout = holdout
        self.scores = scores
        self.random_state = random_state

    def _check_parameters(self) -> None:
        checks.choice("scores", self.scores, ("posterior", "as_coded"))
        checks.number("holdout", self.holdout, "(0, 1)")

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Fit the model on all rows but the held-out ones, and estimate c on those."""
        seed = one_seed(self.random_state)
        seen, held = self._split(s, seed)
        self._fit_labeled(X[seen], s[seen], seed)
        self.label_frequency_ = float(self._labeled(X[held[s[held] == 1]]).mean())
        self._n_rows, self._n_labeled = len(s), int(s.sum())

    def _fit_labeled(self, X: np.ndarray, s: np.ndarray, seed: int) -> None:
        """Fit the model behind `_labeled`."""
        with warnings.catch_warnings():
            # scikit-learn 1.9 deprecates libsvm's own Platt scaling; its replacement has other folds and other numbers
            warnings.filterwarnings("ignore", category=FutureWarning, message=".*prob(A_|ability)")
            self._svm = SVC(kernel="linear", C=self.C, probability=True, random_state=seed).fit(X, s)
            slope, shift = -self._svm.probA_[0], self._svm.probB_[0]
        # Platt's log-odds are linear in x
        self._coef, self._intercept = slope * self._svm.coef_[0], slope * self._svm.intercept_[0] + shift
        if slope < 0:
            self.notes_.append("Platt's scaling turned the order of the SVM round: few labeled rows, or no signal")

    def _split(self, s: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows to fit on and rows held out; all rows for both where no labeled row can be spared."""
        rows = np.arange(len(s))
        try:
            seen, held = train_test_split(rows, test_size=self.holdout, stratify=s, random_state=seed)
        except ValueError:  # fewer than two rows of a kind
            seen = held = rows[:0]
        if s[seen].any() and not s[seen].all() and s[held].any():
            return seen, held
        self.notes_.append("too few labeled rows for a hold-out: the label frequency comes from rows of the fit")
        return rows, rows

    def _labeled(self, X: np.ndarray) -> np.ndarray:
        """Probability of being labeled."""
        if self.scores == "as_coded":
            return self._svm.predict_proba(X)[:, 1]
        return probability_of_margin(X @ self._coef + self._intercept)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the two classes, shape (n_samples, 2); see Notes."""
        g = self._labeled(self._read_new(X))
        return two_columns(self._as_coded(g) if self.scores == "as_coded" else posterior(g, self.label_frequency_))

    def _as_coded(self, g: np.ndarray) -> np.ndarray:
        c, n, m = self.label_frequency_, self._n_labeled, self._n_rows
        g = np.where(g == 1, 0.999, g)
        weight = g / (1 - g) * (1 - c) / c
        return g * c * ((n + weight.sum()) / m) * m / n


def posterior(g: np.ndarray, c: float) -> np.ndarray:
    """P(y = 1 | x) in [0, 1) from g = P(s = 1 | x): g/c, squeezed above 0.9 to stay below 1; strictly increasing in g.

    Elkan, Noto (2008), lemma 1.

    >>> posterior([0.1, 0.2, 0.225, 0.25, 1.0], 0.25).round(3)
    array([0.4  , 0.8  , 0.9  , 0.91 , 0.978])
    """
    ratio = np.asarray(g, float) / c
    return np.where(ratio <= FAITHFUL, ratio, 1 - (1 - FAITHFUL) * FAITHFUL / np.maximum(ratio, FAITHFUL))
