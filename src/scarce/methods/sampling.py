"""A wrapper that searches how much to undersample one class and to oversample the other before a tree is grown.

What can be drawn is drawn once (`Samples`): one order in which rows of the majority leave, and one stock of synthetic
rows of the minority. A level of either is a prefix, so levels nest, and one seed gives any classifier the same samples.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import Tags

from scarce import extras
from scarce.estimators.base import PUClassifier
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.base import fewer_neighbors, one_seed, resample
from scarce.trees import TreeClassifier

TIE = 1e-12
"""Mean scores this close are equal: the same folds may add up in another order."""


class SamplingWrapper(PUClassifier):
    """Undersample the majority and oversample the minority as far as inner cross-validation says, then learn.

    Starting from all rows, more and more rows of the majority are removed while the mean AUC-ROC of the inner folds
    does not deteriorate; at the level found, more and more synthetic minority rows (SMOTE) are added while it improves.
    The search stops after `patience` levels in a row without success. Inner test folds are never sampled.

    Parameters
    ----------
    tree : dict or classifier, default=None
        Arguments of `scarce.trees.TreeClassifier`, or any scikit-learn classifier with ``predict_proba``.
    undersample : sequence of float, default=(0, 10, ..., 90)
        Percent of the majority's rows that are removed; ascending, from 0.
    smote : sequence of float, default=(0, 100, ..., 500)
        Synthetic rows in percent of the minority's rows; ascending, from 0.
    n_folds : int, default=5
        Inner folds, stratified; fewer where the minority has fewer rows.
    patience : int, default=2
        Levels in a row without success that end a search.
    n_neighbors : int, default=5
        Of SMOTE; one less than the minority's rows where there are no more than that.
    categorical : sequence of int, default=()
        Places of nominal columns, whose synthetic values are the neighbours' majority vote (SMOTE-NC).
    random_state : int, RandomState instance or None, default=None
        Decides folds, order of removal, synthetic rows, and the tree's ``random_state``. Wrappers with one seed see the
        same samples, whatever they wrap.

    Attributes
    ----------
    undersample_, smote_ : float
        Levels that were chosen, in percent.
    inner_score_ : float
        Mean AUC-ROC of the inner folds at these levels, NaN without a search.
    estimator_ : classifier
        Fitted on all rows, sampled at these levels.
    facts_ : dict of str to float
        The same numbers, for a benchmark's results.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; a note says where SMOTE looks at fewer neighbours on all rows.

    Notes
    -----
    The minority is the rarer class of the rows, class 1 if both are equally frequent. SMOTE looks for neighbours after
    each column is divided by its standard deviation over the rows that are sampled from.

    References
    ----------
    Cieslak & Chawla (2008), section 3.1, after Chawla, Cieslak, Hall & Joshi (2008); Chawla et al. (2002), SMOTE.
    The papers leave the steps, the stopping rule and the ties open.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(200, 3)), np.arange(200) % 10 == 0
    >>> X[y] += 1.0
    >>> wrapper = SamplingWrapper({"criterion": "hellinger", "leaf": "laplace"}, random_state=0).fit(X, y)
    >>> bool(0 <= wrapper.undersample_ <= 90), sorted(wrapper.facts_)
    (True, ['inner_auc_roc', 'smote_percent', 'undersample_percent'])
    """

    _weights_refused = "rows are removed, and neighbours searched, one by one"

    def __init__(
        self,
        tree: dict | BaseEstimator | None = None,
        *,
        undersample: Sequence[float] = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90),
        smote: Sequence[float] = (0, 100, 200, 300, 400, 500),
        n_folds: int = 5,
        patience: int = 2,
        n_neighbors: int = 5,
        categorical: Sequence[int] = (),
        random_state: Seed = None,
    ) -> None:
        self.tree = tree
        self.undersample = undersample
        self.smote = smote
        self.n_folds = n_folds
        self.patience = patience
        self.n_neighbors = n_neighbors
        self.categorical = categorical
        self.random_state = random_state

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Search the levels, then fit on all rows."""
        _check_levels("undersample", self.undersample, below=100)
        _check_levels("smote", self.smote)
        seed = one_seed(self.random_state)
        order = np.random.RandomState(seed).permutation(len(X))
        rare = int(min(s.sum(), len(s) - s.sum()))
        fewer_neighbors(self.n_neighbors, rare, "SMOTE", self.notes_)
        self.undersample_, self.smote_, self.inner_score_ = 0.0, 0.0, math.nan
        if rare < 2:
            self.notes_.append("no sampling: the rarer class has a single row")
        else:
            folds = StratifiedKFold(min(self.n_folds, rare), shuffle=True, random_state=seed).split(X, s)
            inner = [(self._samples(X, s, order[np.isin(order, train)], seed), test) for train, test in folds]

            def score(u: float, v: float) -> float:
                fits = ((self._fit_one(samples, u, v), test) for samples, test in inner)
                return np.mean([roc_auc_score(s[test], one.predict_proba(X[test])[:, 1]) for one, test in fits])

            self._search(score)
        self.estimator_ = self._fit_one(self._samples(X, s, order, seed), self.undersample_, self.smote_)
        self.facts_ = {"undersample_percent": self.undersample_, "smote_percent": self.smote_}
        if not math.isnan(self.inner_score_):
            self.facts_["inner_auc_roc"] = self.inner_score_

    def _search(self, score: Callable[[float, float], float]) -> None:
        u, best = climb(self.undersample, lambda u: score(u, 0), patience=self.patience, ties="larger")
        v, best = climb(self.smote, lambda v: score(u, v), patience=self.patience, ties="smaller", first=best)
        self.undersample_, self.smote_, self.inner_score_ = float(u), float(v), float(best)

    def _samples(self, X: np.ndarray, s: np.ndarray, order: np.ndarray, seed: int) -> Samples:
        most = self.smote[-1] / 100
        return Samples(X, s, order, n_neighbors=self.n_neighbors, categorical=self.categorical, most=most, seed=seed)

    def _fit_one(self, samples: Samples, u: float, v: float) -> BaseEstimator:
        X, s = samples.at(u, v)
        estimator = clone(self.tree) if isinstance(self.tree, BaseEstimator) else TreeClassifier(**(self.tree or {}))
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=samples.seed)
        return estimator.fit(X, s)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the classifier fitted on the sampled rows, shape (n_samples, 2)."""
        X = self._read_new(X)
        return self.estimator_.predict_proba(X)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = len(self.categorical) > 0
        return tags


def climb(
    levels: Sequence[float], score: Callable[[float], float], *, patience: int, ties: str, first: float | None = None
) -> tuple[float, float]:
    """Go up the levels while the score holds; returns the best level and its score.

    The search stops after `patience` levels in a row without success. A score equal to the best is a success for `ties`
    "larger" ("does not deteriorate"), and none for "smaller" ("improves"). `first` is the score of the first level,
    where it is known.

    >>> scores = {0: 0.7, 10: 0.6, 20: 0.7, 30: 0.5, 40: 0.6, 50: 0.9}
    >>> climb(list(scores), scores.get, patience=2, ties="larger")
    (20, 0.7)
    """
    best_level, best = levels[0], score(levels[0]) if first is None else first
    failed = 0
    for level in levels[1:]:
        value = score(level)
        if value > best + TIE or (ties == "larger" and value >= best - TIE):
            best_level, best, failed = level, value, 0
        else:
            failed += 1
            if failed == patience:
                break
    return best_level, best


class Samples:
    """All that can be sampled from some rows, drawn once.

    `order` lists the rows to sample from; rows of the majority that stand last are removed first. `most` is the number
    of synthetic rows in stock for each row of the minority.
    """

    def __init__(
        self,
        X: np.ndarray,
        s: np.ndarray,
        order: np.ndarray,
        *,
        n_neighbors: int,
        categorical: Sequence[int],
        most: float,
        seed: int,
    ) -> None:
        self.X, self.s = X, s
        self.label = int(2 * s[order].sum() <= len(order))
        self.minority = np.sort(order[s[order] == self.label])
        self.majority = order[s[order] != self.label]
        self.n_neighbors, self.categorical, self.seed = n_neighbors, list(categorical), seed
        self.most = most

    def kept(self, undersample: float) -> np.ndarray:
        """Rows that stay when `undersample` percent of the majority are removed, in ascending order; at least one."""
        n = len(self.majority)
        return np.sort(self.majority[: max(1, n - round(n * undersample / 100))])

    def synthetic(self, smote: float) -> np.ndarray:
        """Synthetic minority rows, `smote` percent of the minority's."""
        n = round(len(self.minority) * smote / 100)
        return self._stock[:n] if n else np.empty((0, self.X.shape[1]))

    def at(self, undersample: float, smote: float) -> tuple[np.ndarray, np.ndarray]:
        """Features and labels at one level of each: rows in their own order, then synthetic ones."""
        rows = np.sort(np.concatenate([self.minority, self.kept(undersample)]))
        new = self.synthetic(smote)
        return np.vstack([self.X[rows], new]), np.concatenate([self.s[rows], np.full(len(new), self.label)])

    @cached_property
    def _stock(self) -> np.ndarray:
        n = round(len(self.minority) * self.most)
        if len(self.minority) < 2:
            return np.empty((0, self.X.shape[1]))
        rows = np.sort(np.concatenate([self.minority, self.majority]))
        return synthetic_minority(
            self.X[rows], self.s[rows], self.label, n,
            n_neighbors=self.n_neighbors, categorical=self.categorical, seed=self.seed,
        )  # fmt: skip


def synthetic_minority(
    X: np.ndarray, s: np.ndarray, label: int, n: int, *, n_neighbors: int, categorical: Sequence[int], seed: int
) -> np.ndarray:
    """Synthetic rows of the class `label`, of shape (n, n_features); a prefix of them is a sample of its own.

    At least two rows have the label, and at least one has not.

    References
    ----------
    Chawla, Bowyer, Hall & Kegelmeyer (2002), SMOTE: synthetic minority over-sampling technique, sections 4.2 and 6.1.
    """
    over_sampling = extras.optional("imblearn.over_sampling")
    own = int((s == label).sum())
    scale = X.std(axis=0)
    scale[(scale == 0) | (np.ptp(X, axis=0) == 0)] = 1.0  # the deviation of equal numbers may be that of their mean
    scale[list(categorical)] = 1.0
    neighbors = min(n_neighbors, own - 1)
    arguments = {"sampling_strategy": {label: own + n}, "k_neighbors": neighbors, "random_state": seed}
    if not len(categorical):
        sampler = over_sampling.SMOTE(**arguments)
    elif len(categorical) == X.shape[1]:
        sampler = over_sampling.SMOTEN(**arguments)
    else:
        sampler = over_sampling.SMOTENC(categorical_features=list(categorical), **arguments)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="After over-sampling, the number of samples")
        resampled, _ = resample(sampler, X / scale, s)
    return resampled[len(X) :] * scale


def _check_levels(name: str, levels: Sequence[float], below: float = math.inf) -> None:
    if not len(levels) or levels[0] != 0 or any(b <= a for a, b in pairwise(levels)):
        raise ValueError(f"{name} must ascend from 0, got {list(levels)}")
    if levels[-1] >= below:
        raise ValueError(f"{name} must stay below {below:g}, got {list(levels)}")
