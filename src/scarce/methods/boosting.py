"""Gradient boosted trees of scikit-learn: of the observed labels, and inside two methods for PU data.

The trees have the defaults of the library but for early stopping, which it would do on more than 10,000 rows. They are
what people take who know nothing of PU data, or little. `scarce.methods.lightgbm_trees` has those of LightGBM.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.bagging import bags
from scarce.methods.base import one_seed, probability_of_margin, two_columns
from scarce.methods.elkan_noto import ElkanNotoClassifier

SMALLEST_LEAF = 20
"""Rows that a leaf holds at least by default, in LightGBM as well."""


class HistogramTrees:
    """The trees of `HistGradientBoostingClassifier`; a library of other trees has a class like this one.

    `n_estimators` is the number of trees.
    """

    n_estimators: int

    def _boosted(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None, leaf: int, seed: int) -> Any:
        """Trees that minimise the logistic loss of the labels, with leaves of at least `leaf` rows."""
        model = HistGradientBoostingClassifier(
            max_iter=self.n_estimators, min_samples_leaf=leaf, early_stopping=False, random_state=seed
        )
        return model.fit(X, s, sample_weight=weight)

    def _margins(self, trees: Any, X: np.ndarray) -> np.ndarray:
        """Log-odds of the label, shape (n_samples,)."""
        return trees.decision_function(X)


class BoostingClassifier(HistogramTrees, PUClassifier):
    """Gradient boosted trees that take unlabeled rows for negatives.

    Parameters
    ----------
    weighted : bool, default=False
        Whether labeled and unlabeled rows weigh the same in sum, as by ``class_weight="balanced"``.
    n_estimators : int, default=100
        Trees.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    trees_ : object
        The library's model.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`.

    Notes
    -----
    Scores come from ``predict_proba``, by the margins of the trees.

    References
    ----------
    Friedman (2001), Greedy function approximation: a gradient boosting machine, Annals of Statistics 29.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.arange(90.0).reshape(-1, 1), np.repeat([0, 1], [60, 30])
    >>> BoostingClassifier(random_state=0).fit(X, s).predict([[0.0], [89.0]])
    array([0, 1])
    """

    def __init__(self, weighted: bool = False, n_estimators: int = 100, random_state: Seed = None) -> None:
        self.weighted = weighted
        self.n_estimators = n_estimators
        self.random_state = random_state

    def _check_parameters(self) -> None:
        checks.whole("n_estimators", self.n_estimators, 1)

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Fit the trees."""
        if self.weighted:
            weight = np.ones(len(s)) if weight is None else weight
            totals = np.bincount(s, weight, 2)
            weight = weight * (totals.sum() / (2 * totals))[s]
        seed = one_seed(self.random_state)
        self.trees_ = self._boosted(X, s, weight, SMALLEST_LEAF, seed)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the two classes, shape (n_samples, 2)."""
        X = self._read_new(X)
        return two_columns(probability_of_margin(self._margins(self.trees_, X)))


class BoostingElkanNotoClassifier(HistogramTrees, ElkanNotoClassifier):
    """Elkan and Noto's method with gradient boosted trees in place of a support vector machine.

    Parameters
    ----------
    n_estimators : int, default=100
        Trees.
    holdout : float, default=0.2
        As in `ElkanNotoClassifier`.
    random_state : int, RandomState instance or None, default=None
        Of the hold-out and the trees.

    Attributes
    ----------
    label_frequency_, classes_, n_features_in_, feature_names_in_, notes_
        As in `ElkanNotoClassifier`.
    trees_ : object
        The library's model.

    References
    ----------
    Elkan, Noto (2008), Learning classifiers from only positive and unlabeled data, KDD.
    """

    _weights_refused = "the hold-out counts rows"
    scores = "posterior"

    def __init__(self, n_estimators: int = 100, holdout: float = 0.2, random_state: Seed = None) -> None:
        self.n_estimators = n_estimators
        self.holdout = holdout
        self.random_state = random_state

    def _check_parameters(self) -> None:
        checks.whole("n_estimators", self.n_estimators, 1)
        super()._check_parameters()

    def _fit_labeled(self, X: np.ndarray, s: np.ndarray, seed: int) -> None:
        self.trees_ = self._boosted(X, s, None, SMALLEST_LEAF, seed)

    def _labeled(self, X: np.ndarray) -> np.ndarray:
        return probability_of_margin(self._margins(self.trees_, X))


class BoostingBaggingClassifier(BoostingClassifier):
    """PU bagging with gradient boosted trees in place of support vector machines.

    Each bag holds every labeled positive once and as many unlabeled rows drawn with replacement, taken as negatives.

    Parameters
    ----------
    n_bags : int, default=30
    n_estimators : int, default=100
        Trees of each bag.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    bags_ : list of object
        The trees of each bag.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`.

    Notes
    -----
    A leaf holds at least 20 rows, or a quarter of the bag where that is fewer: with 20 a bag of fewer than 40 rows
    could not be split. Scores come from ``predict_proba``, by the mean margin of the bags. Sample weights multiply
    the number of times that a bag holds a row.

    References
    ----------
    Mordelet, Vert (2014), A bagging SVM to learn from positive and unlabeled examples, Pattern Recognition Letters 37.
    """

    def __init__(self, n_bags: int = 30, n_estimators: int = 100, random_state: Seed = None) -> None:
        self.n_bags = n_bags
        self.n_estimators = n_estimators
        self.random_state = random_state

    def _check_parameters(self) -> None:
        checks.whole("n_bags", self.n_bags, 1)
        super()._check_parameters()

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Fit the trees of each bag."""
        seed = one_seed(self.random_state)
        leaf = max(1, min(SMALLEST_LEAF, int(s.sum()) // 2))
        self.bags_ = []
        for count in bags(s, self.n_bags, X.shape[1], seed):
            rows = np.repeat(np.arange(len(s)), count)
            own = None if weight is None else weight[rows]
            self.bags_.append(self._boosted(X[rows], s[rows], own, leaf, seed))

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the two classes, shape (n_samples, 2)."""
        X = self._read_new(X)
        return two_columns(probability_of_margin(np.mean([self._margins(trees, X) for trees in self.bags_], axis=0)))
