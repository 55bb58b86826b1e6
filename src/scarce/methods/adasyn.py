"""A random forest of the observed labels after ADASYN oversampling: a method for imbalance that ignores PU data."""

from __future__ import annotations

import warnings

import numpy as np

from scarce import extras
from scarce.estimators.base import PUClassifier
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.base import fewer_neighbors, one_seed, resample
from scarce.trees import ForestClassifier

over_sampling = extras.optional("imblearn.over_sampling")


class ADASYNRandomForestClassifier(PUClassifier):
    """Random forest on labeled positives oversampled to the number of unlabeled rows, which count as negatives.

    ADASYN makes new positives between neighbouring labeled rows, more of them where unlabeled rows are near. It looks
    at fewer neighbours where few rows are labeled. With a single labeled row, or if no labeled row has unlabeled
    neighbours, the forest learns from the rows as they are. A note says so in each case.

    Parameters
    ----------
    n_estimators : int, default=100
        Trees of the forest.
    n_neighbors : int, default=5
        Of ADASYN; one less than the rows of the rarer class where there are no more than that, and `lower_neighbors`.
    lower_neighbors : bool, default=True
        False: ADASYN is given `n_neighbors` however few rows there are, and fails where they are too few (Ortega
        Vazquez et al., 2023).
    n_jobs : int or None, default=None
        Of the forest.
    random_state : int, RandomState instance or None, default=None
        An integer seeds both ADASYN and the forest.

    Attributes
    ----------
    fallback_ : str or None
        Why there was no oversampling.
    forest_ : ForestClassifier
        Of Gini trees; they equal those of scikit-learn's RandomForestClassifier with the same seed.
    n_resampled_ : int
        Rows that the forest learned from.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; notes hold `fallback_` and say where ADASYN looked at fewer neighbours.

    Notes
    -----
    Scores come from ``predict_proba``. Only rows passed to `fit` are oversampled.

    References
    ----------
    He, Bai, Garcia, Li (2008), ADASYN: adaptive synthetic sampling approach for imbalanced learning, IJCNN; as a
    competitor of PU methods in Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], [30, 10])
    >>> ADASYNRandomForestClassifier(n_estimators=10, random_state=0).fit(X, s).predict([[0.0], [39.0]])
    array([0, 1])
    """

    _weights_refused = "ADASYN searches neighbours row by row"

    def __init__(
        self,
        n_estimators: int = 100,
        n_neighbors: int = 5,
        lower_neighbors: bool = True,
        n_jobs: int | None = None,
        random_state: Seed = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.n_neighbors = n_neighbors
        self.lower_neighbors = lower_neighbors
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Oversample and fit the forest."""
        seed = one_seed(self.random_state)
        self.fallback_ = None
        rare = int(min(s.sum(), len(s) - s.sum()))
        neighbors = self.n_neighbors
        if self.lower_neighbors:
            neighbors = fewer_neighbors(neighbors, rare, "ADASYN", self.notes_)
        sampler = over_sampling.ADASYN(n_neighbors=neighbors, random_state=seed)
        try:
            if rare < 2:
                raise ValueError("the rarer class has a single row")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                X, s = resample(sampler, X, s)
        except (ValueError, RuntimeError) as error:
            self.fallback_ = f"no oversampling, ADASYN failed: {' '.join(str(error).split())}"
            self.notes_ = [self.fallback_]
        self.n_resampled_ = len(s)
        # literal: ties are decided by rounding as in scikit-learn, whose very trees these are
        forest = ForestClassifier(self.n_estimators, ties="literal", n_jobs=self.n_jobs, random_state=seed)
        self.forest_ = forest.fit(X, s)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Mean of the trees' class shares, shape (n_samples, 2)."""
        X = self._read_new(X)
        return self.forest_.predict_proba(X)
