"""S-EM: reliable negatives are found by spies, and EM of two Gaussian classes labels the other unlabeled rows."""

from __future__ import annotations

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import check_random_state

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.scaling import EXTREME, unit_of
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.base import LARGEST_SEED, probability_of_margin, two_columns


class SpyEMClassifier(PUClassifier):
    """Spy technique and semi-supervised EM with Gaussian naive Bayes.

    A few labeled rows, the spies, are put among the unlabeled ones. Unlabeled rows that look less positive than nearly
    all spies are reliable negatives. EM starts from these and from the labeled rows, whose classes stay fixed, and
    the other unlabeled rows belong to both classes by their posterior. In the end every unlabeled row gets the class
    that the EM model finds more likely, and a Gaussian naive Bayes is fitted to all rows.

    Parameters
    ----------
    spy_share : float, default=0.1
        Share of the labeled rows that spy, in (0, 1); at least one does.
    noise_level : float, default=0.15
        Share of the spies that may fall below the threshold of reliable negatives, in (0, 1).
    tolerance : float, default=0.1
        EM stops once the log-likelihood of the rows without a fixed class gains no more than this.
    max_iter : int, default=1000
        Largest number of M steps.
    flat : {"ignored", "infinite"}, default="ignored"
        How EM treats a feature that does not vary within the labeled rows or within the reliable negatives. It has
        no Gaussian likelihood. "ignored" leaves it out; "infinite" makes the class infinitely likely everywhere, after
        which all unlabeled rows end up in one class (Ortega Vazquez et al., 2023).
    scores : {"margin", "sigmoid"}, default="margin"
        How log-odds become scores: by ``probability_of_margin``, which keeps large ones apart, or by the posterior
        itself, which is often exactly 0 or 1 and so ties rows (Ortega Vazquez et al., 2023).
    random_state : int, RandomState instance or None, default=None
        Of the spies.

    Attributes
    ----------
    n_reliable_ : int
        Reliable negatives.
    n_iter_ : int
        M steps of EM, that on the fixed rows included.
    n_positive_ : int
        Positives of the final fit: labeled rows and unlabeled rows that EM made positive.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; notes say what replaced a step that was not possible.

    Notes
    -----
    Scores come from ``predict_proba``. Where EM makes all unlabeled rows positive, nothing is left to tell apart: the
    score is the same for every row.

    References
    ----------
    Liu, Lee, Yu, Li (2002), Partially supervised classification of text documents, ICML, section 3 (I-EM and S-EM);
    for Gaussian features as in Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4, whose runs
    ``flat="infinite", scores="sigmoid"`` and an integer seed reproduce.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.r_[np.arange(40.0), np.arange(100.0, 120.0)].reshape(-1, 1), np.repeat([0, 1], [50, 10])
    >>> SpyEMClassifier(random_state=0).fit(X, s).predict([[0.0], [105.0]])
    array([0, 1])
    """

    _weights_refused = "spies and reliable negatives are counted as rows"

    def __init__(
        self,
        spy_share: float = 0.1,
        noise_level: float = 0.15,
        tolerance: float = 0.1,
        max_iter: int = 1000,
        flat: str = "ignored",
        scores: str = "margin",
        random_state: Seed = None,
    ) -> None:
        self.spy_share = spy_share
        self.noise_level = noise_level
        self.tolerance = tolerance
        self.max_iter = max_iter
        self.flat = flat
        self.scores = scores
        self.random_state = random_state

    def _check_parameters(self) -> None:
        checks.choice("scores", self.scores, ("margin", "sigmoid"))
        checks.choice("flat", self.flat, ("ignored", "infinite"))
        for name in ("spy_share", "noise_level"):
            checks.number(name, getattr(self, name), "(0, 1)")

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Find reliable negatives, run EM, and fit the final model."""
        self._units = unit_of(X)
        X = X / self._units
        if not np.ptp(X, 0).any():
            raise ValueError("no feature varies: Gaussian naive Bayes has nothing to tell rows apart by")
        reliable = self._reliable_negatives(X, s)
        self.n_reliable_ = len(reliable)
        assumed = s.copy()
        unlabeled = np.flatnonzero(s == 0)
        assumed[unlabeled] = self._expectation_maximisation(X, s, reliable)[unlabeled]
        self.n_positive_ = int(assumed.sum())
        if assumed.all():
            self.notes_.append("EM made every unlabeled row positive: the final model knows one class")
        self._model = GaussianNB().fit(X, assumed)

    def _reliable_negatives(self, X: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Unlabeled rows that are less likely positive than nearly all spies."""
        seed = check_random_state(self.random_state).randint(LARGEST_SEED)
        labeled, unlabeled = np.flatnonzero(s == 1), np.flatnonzero(s == 0)
        n_spies = max(round(len(labeled) * self.spy_share), 1)
        spies = np.random.RandomState(seed).choice(labeled, n_spies, replace=False)
        with_spies = s.copy()
        if n_spies < len(labeled):
            with_spies[spies] = 0
        else:
            self.notes_.append("no labeled row can be spared as a spy: they are measured where they are")
        posterior = GaussianNB().fit(X, with_spies).predict_proba(X)[:, 1]
        below = posterior[unlabeled] < np.quantile(posterior[spies], self.noise_level)
        if below.any():
            return unlabeled[below]
        self.notes_.append("no unlabeled row lies below the spies: reliable negatives are drawn at random")
        n_drawn = max(round(len(unlabeled) * self.noise_level), 1)
        return np.random.RandomState(seed).choice(unlabeled, n_drawn, replace=False)

    def _expectation_maximisation(self, X: np.ndarray, s: np.ndarray, reliable: np.ndarray) -> np.ndarray:
        """The more likely class of each row by the EM model."""
        fixed = s == 1
        fixed[reliable] = True
        self.n_iter_ = 1
        if self.flat == "ignored":  # fixed rows that vary keep all variances, and so the likelihood, within bounds
            X = X[:, (np.ptp(X[s == 1], 0) > 0) & (np.ptp(X[reliable], 0) > 0)]
            if not X.shape[1]:
                self.notes_.append("no feature varies in both classes: unlabeled rows are negative without EM")
                return s
        soft = X[~fixed]
        # fixed rows come first in every step: sums of floats depend on their order
        rows, known = np.concatenate([X[fixed], soft]), np.column_stack([1 - s[fixed], s[fixed]]).astype(float)
        model, likelihood = maximise(known, X[fixed]), -np.inf
        while len(soft):
            joint = joint_log_likelihood(model, soft)
            each = _log_sum(joint)
            gain, likelihood = each.sum() - likelihood, each.sum()
            if self.n_iter_ > 1 and not gain > self.tolerance:  # also where the likelihood is not a number
                break
            if self.n_iter_ >= self.max_iter:
                self.notes_.append(f"EM stopped at {self.max_iter} steps before it converged")
                break
            model = maximise(np.concatenate([known, np.exp(joint - each[:, None])]), rows)
            self.n_iter_ += 1
        if np.isnan(likelihood):
            self.notes_.append("a feature is constant in a class: EM has no likelihood, unlabeled rows are negative")
        return joint_log_likelihood(model, X).argmax(1)  # negative where it is not a number

    def _scaled(self, X: ArrayLike) -> np.ndarray:
        """New rows in the units of the training rows, clipped to values whose squares do not overflow."""
        with np.errstate(over="ignore"):
            return np.clip(self._read_new(X) / self._units, -EXTREME, EXTREME)

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Log-odds of the positive class, shape (n_samples,); 0 where the final model knows one class."""
        X = self._scaled(X)
        if len(self._model.classes_) == 1:
            return np.zeros(len(X))
        joint = self._model.predict_joint_log_proba(X)
        return joint[:, 1] - joint[:, 0]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities of the two classes, shape (n_samples, 2)."""
        if self.scores == "margin":
            return two_columns(probability_of_margin(self.decision_function(X)))
        X = self._scaled(X)
        if len(self._model.classes_) == 1:
            return two_columns(np.zeros(len(X)))
        return self._model.predict_proba(X)


def maximise(weight: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The M step: shares, means and standard deviations of the classes, by maximum likelihood.

    `weight`, of shape (n_samples, n_classes), is how much each row belongs to each class.
    """
    total = weight.sum(0)
    mean = weight.T @ X / total[:, None]
    variance = np.maximum(weight.T @ X**2 / total[:, None] - mean**2, 0)
    return total / total.sum(), mean, np.sqrt(variance)


def joint_log_likelihood(model: tuple[np.ndarray, np.ndarray, np.ndarray], X: np.ndarray) -> np.ndarray:
    """Log of share times Gaussian density of each class, of shape (n_samples, n_classes).

    It is infinite for a class with a deviation of zero.
    """
    columns = []
    for share, mean, deviation in zip(*model, strict=True):
        flat = deviation == 0
        scale = np.where(flat, 1, deviation)
        log_density = -np.log(scale * np.sqrt(2 * np.pi)) - (X - mean) ** 2 / (2 * scale**2)
        columns.append(np.log(share) + np.where(flat, np.inf, log_density).sum(1))
    return np.stack(columns, 1)


def _log_sum(joint: np.ndarray) -> np.ndarray:
    """Log-likelihood of each row; not a number where a class is infinitely likely."""
    largest = joint.max(1)
    with np.errstate(invalid="ignore"):
        return largest + np.log(np.exp(joint - largest[:, None]).sum(1))
