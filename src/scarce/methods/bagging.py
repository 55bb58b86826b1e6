"""PU bagging: many linear SVMs, each of all labeled positives against a small random part of the unlabeled rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn import config_context
from sklearn.svm import SVC
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.out_of_bag import OutOfBagMixin, out_of_bag_means
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.base import LARGEST_SEED, two_columns


def bags(s: np.ndarray, n_bags: int, n_features: int, random_state: Seed) -> Iterator[np.ndarray]:
    """How often each row is in each bag: labeled rows once, and as many unlabeled rows, drawn with replacement."""
    labeled, unlabeled = np.flatnonzero(s == 1), np.flatnonzero(s == 0)
    for seed in check_random_state(random_state).randint(LARGEST_SEED, size=n_bags):
        random = np.random.RandomState(seed)
        # The random stream of the published runs draws a seed and features for each model first; both are unused here
        random.randint(LARGEST_SEED)
        sample_without_replacement(n_features, n_features, random_state=random)
        drawn = unlabeled[random.randint(0, len(unlabeled), len(labeled))]
        yield np.bincount(drawn, minlength=len(s)) + s


class PUBaggingClassifier(OutOfBagMixin, PUClassifier):
    """Bagging of linear SVMs over bootstraps of the unlabeled rows.

    Each bag holds every labeled positive once and as many unlabeled rows drawn with replacement, taken as negatives.
    All models score every row, rows of their own bag included.

    Parameters
    ----------
    n_estimators : int, default=100
        Bags, and SVMs.
    C : float, default=1.0
        Of each SVM.
    aggregate : {"margin", "vote"}, default="margin"
        "margin" averages the signed distances of the models; "vote" is the share of models that say positive, which
        takes only ``n_estimators + 1`` values and so ties many rows (Ortega Vazquez et al., 2023).
    random_state : int, RandomState instance or None, default=None
        Of the bags.
    oob_score : bool, default=False
        Whether to set ``oob_decision_function_``. Needs weights above 0.

    Attributes
    ----------
    coef_ : ndarray of shape (n_estimators, n_features)
    intercept_ : ndarray of shape (n_estimators,)
    oob_decision_function_ : ndarray of shape (n_samples, 2)
        With ``oob_score=True``: ``predict_proba`` of each unlabeled training row by the SVMs whose bag it is not in,
        the transductive score of Mordelet & Vert's algorithm 1. NaN for labeled rows, which are in all bags, and for a
        row that no bag leaves out. See the notes of `ForestClassifier` on rows that stand twice.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`.

    Notes
    -----
    Sample weights multiply the number of times that a bag holds a row.

    Scores come from ``predict_proba``. For a mean margin m it is ``(1 + m / (1 + |m|)) / 2``: unlike the logistic
    function it does not reach 1 for large margins, where ties would spoil a ranking. It is not calibrated.

    References
    ----------
    Mordelet, Vert (2014), A bagging SVM to learn from positive and unlabeled examples, Pattern Recognition Letters 37,
    algorithm 1. With ``aggregate="vote"`` and an integer seed the bags are those of Ortega Vazquez, vanden Broucke,
    De Weerdt (2023), run by run.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.array([[0.0], [1.0], [0.5], [3.0], [4.0]]), [0, 0, 0, 1, 1]
    >>> PUBaggingClassifier(n_estimators=10, random_state=0).fit(X, s).predict([[0.0], [4.0]])
    array([0, 1])
    """

    def __init__(
        self,
        n_estimators: int = 100,
        C: float = 1.0,
        aggregate: str = "margin",
        random_state: Seed = None,
        oob_score: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.C = C
        self.aggregate = aggregate
        self.random_state = random_state
        self.oob_score = oob_score

    def _check_parameters(self) -> None:
        checks.choice("aggregate", self.aggregate, ("margin", "vote"))
        checks.whole("n_estimators", self.n_estimators, 1)
        super()._check_parameters()

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Fit one SVM a bag."""
        models: list[SVC] = []
        out_of_bags = []
        for count in bags(s, self.n_estimators, X.shape[1], self.random_state):
            amount = (count if weight is None else count * weight).astype(float)
            rows = np.flatnonzero(count)  # libsvm drops rows of weight zero itself, after reading them all
            # X is checked before, and the parameters in the first bag: checks take longer than the fit of a small bag
            with config_context(assume_finite=True, skip_parameter_validation=bool(models)):
                models.append(SVC(kernel="linear", C=self.C).fit(X[rows], s[rows], sample_weight=amount[rows]))
            if self.oob_score:
                out = np.flatnonzero(count == 0)
                margins = X[out] @ models[-1].coef_[0] + models[-1].intercept_
                out_of_bags.append((out, self._votes(margins)))
        self.coef_ = np.vstack([model.coef_ for model in models])
        self.intercept_ = np.concatenate([model.intercept_ for model in models])
        self._set_out_of_bag(self._scores(out_of_bag_means(len(X), out_of_bags)) if self.oob_score else None)

    def _margins(self, X: ArrayLike) -> np.ndarray:
        X = self._read_new(X)
        return X @ self.coef_.T + self.intercept_

    def _votes(self, margins: np.ndarray) -> np.ndarray:
        """What each SVM adds to the mean: its margin or its vote."""
        return margins >= 0 if self.aggregate == "vote" else margins  # libsvm gives a row on the boundary to positives

    def _scores(self, mean: np.ndarray) -> np.ndarray:
        """Scores in [0, 1] from a mean margin or a share of votes."""
        return mean if self.aggregate == "vote" else 0.5 + 0.5 * mean / (1 + np.abs(mean))

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Mean margin, or vote share less one half, shape (n_samples,); positive where the positive class wins."""
        mean = self._votes(self._margins(X)).mean(1)
        return mean - 0.5 if self.aggregate == "vote" else mean

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the two classes in [0, 1], shape (n_samples, 2); see Notes."""
        return two_columns(self._scores(self._votes(self._margins(X)).mean(1)))
