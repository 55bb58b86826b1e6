"""The base of the tree and the forest estimators: parameters, labels, weights, features, prediction."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.utils import Tags, assert_all_finite
from sklearn.utils.validation import check_is_fitted

from ..estimators import checks
from ..estimators.base import PUClassifier
from ..estimators.types import ArrayLike
from .categorical import levels
from .codes import Coded, encode
from .criteria import CODES, LEAVES
from .grow import Grown, Options
from .nodes import Bundle, Tree
from .walk import average, leaves

#: Labeled rows over positives is at most 1; a prior and a share of other rows of the same data may be a little off.
LARGEST_FREQUENCY = 1.5
LITERAL = ("gini", "entropy")  # whose ties are scikit-learn's by default
LARGEST_RATIO = 64  # the largest common denominator that is looked for
BITS = 50  # of the sum of weights without a common denominator


def counting_weights(weight: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights as whole numbers times a unit, so that sums are exact in any order and splits do not depend on the unit.

    Weights that are integer multiples of a common unit (ones, counts, 0.01 times counts, ...) become the smallest such
    integers; others are rounded to 50 bits of their sum. Leaves do not depend on the unit either, except with
    ``leaf="laplace"``, which adds to the weights as to counts of rows.
    """
    present = weight[weight > 0]
    least, total = present.min(), present.sum()
    ratios = np.unique(present / least)
    for denominator in range(1, LARGEST_RATIO + 1):
        if total / least * denominator >= 2.0**BITS:
            break
        multiples = ratios * denominator
        if (np.abs(multiples - np.rint(multiples)) <= 1e-12 * multiples).all():
            return np.rint(weight / least * denominator).astype(np.int64), least / denominator
    unit = total / 2.0**BITS
    return np.where(weight > 0, np.maximum(1.0, np.rint(weight / unit)), 0.0).astype(np.int64), unit


class Problem(NamedTuple):
    """A training set in the kernel's terms."""

    coded: Coded
    labeled: np.ndarray  # bool
    weight: np.ndarray  # int64
    unit: float  # of the weights
    options: Options


class TreeBase(PUClassifier):
    """Parameters, validation and prediction of both kinds; subclasses define ``__init__`` and ``_learn``."""

    aggregation = "mean"
    categorical: ArrayLike | None = None
    _dtype = np.float32

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.allow_nan = self.categorical is not None
        return tags

    def _check_parameters(self) -> None:
        checks.choice("criterion", self.criterion, tuple(CODES))
        checks.choice("splitter", self.splitter, ("best", "random"))
        checks.choice("aggregation", self.aggregation, ("mean", "vote"))
        checks.choice("ties", self.ties, ("auto", "exact", "literal", "lowest_index"))
        checks.choice("leaf", self.leaf, LEAVES)
        checks.choice("purity_stop", self.purity_stop, (True, False))
        class_prior = getattr(self, "class_prior", None)
        if self.criterion == "pu_hellinger":
            checks.prior(class_prior)
        elif class_prior is not None:
            raise ValueError(f"class_prior is used by the criterion 'pu_hellinger' only, not by {self.criterion!r}")
        elif self.leaf == "pu":
            raise ValueError(f"leaf='pu' needs the criterion 'pu_hellinger' and a class_prior, not {self.criterion!r}")

    def _needs_unlabeled(self) -> bool:
        return self.criterion != "pu_hellinger"

    def _problem(self, X: np.ndarray, s: np.ndarray, sample_weight: np.ndarray | None) -> Problem:
        """Set the fitted attributes that depend on the data alone, and code the features."""
        self._read_categorical(X.shape[1])
        X = self._with_levels(X)
        labeled = s == 1
        weight, unit = (np.ones(len(X), np.int64), 1.0) if sample_weight is None else counting_weights(sample_weight)
        n, d = X.shape
        self.n_classes_ = 2
        self.max_features_ = checks.features_per_node(self.max_features, d)
        inv_c = self._set_label_frequency(weight[labeled].sum() / weight.sum())
        min_leaf = checks.count_or_share("min_samples_leaf", self.min_samples_leaf, n, 1, up=True)
        min_split = checks.count_or_share("min_samples_split", self.min_samples_split, n, 2, up=True)
        literal = self.criterion in LITERAL and self.is_categorical_ is None
        exact = self.ties in ("exact", "lowest_index") or (self.ties == "auto" and not literal)
        deepest = 2**31 - 2
        options = Options(
            criterion=CODES[self.criterion],
            inv_c=inv_c,
            exact=exact,
            random=self.splitter == "random",
            purity_stop=bool(self.purity_stop),
            max_depth=deepest if self.max_depth is None else min(checks.whole("max_depth", self.max_depth, 1), deepest),
            min_split=max(min_split, 2 * min_leaf),
            min_leaf=min_leaf,
            max_features=self.max_features_,
            by_index=self.ties == "lowest_index",
            gain_ratio=self.criterion == "gain_ratio",
            row=1.0 / unit,
        )
        slots = not options.random and min_leaf == 1 and not options.gain_ratio and self.is_categorical_ is None
        coded = encode(X, labeled, slots=slots, merge=not options.exact, categorical=self.is_categorical_)
        return Problem(coded, labeled, weight, unit, options)

    def _checks_of_features(self) -> dict:
        return super()._checks_of_features() | {"ensure_all_finite": True if self.categorical is None else "allow-nan"}

    def _with_levels(self, X: np.ndarray) -> np.ndarray:
        """The features, with missing levels as a level of their own; only levels may be missing."""
        if self.categorical is None:
            return X
        if self.is_categorical_ is None:
            assert_all_finite(X, input_name="X")
            return X
        return levels(X, self.is_categorical_)

    def _read_categorical(self, n_features: int) -> None:
        """Set ``is_categorical_``."""
        self.is_categorical_ = checks.columns("categorical", self.categorical, n_features)
        if self.is_categorical_ is None:
            return
        for name, value in (("criterion", "pu_hellinger"), ("splitter", "random"), ("ties", "literal")):
            if getattr(self, name) == value:
                raise ValueError(f"categorical features cannot be split with {name}={value!r}")

    def _set_label_frequency(self, share: float) -> float:
        """Set ``label_frequency_`` = c, the labeled share of the positives, 1 where labels are complete; 1/c."""
        if self.criterion != "pu_hellinger":
            self.label_frequency_ = 1.0
            return 1.0
        # Ortega Vazquez et al. (2023): the labeled share of the rows passed to fit, whatever a bootstrap draws
        inv_c = float(self.class_prior) / share
        self.label_frequency_ = 1.0 / inv_c
        if self.label_frequency_ > LARGEST_FREQUENCY:
            warnings.warn(
                f"class_prior {self.class_prior:g} is far below the share of labeled rows, {share:g}: there cannot be "
                "fewer positives than labeled ones",
                stacklevel=5,  # the caller of fit
            )
        return inv_c

    def _bundle(self, problem: Problem, grown: list[Grown]) -> Bundle:
        return Bundle.of(grown, problem.unit, self.leaf, problem.options.inv_c)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of both classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite features; compared as float32.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            In [0, 1], rows sum to 1; the second column is the score of the positive (second) class.
        """
        X = self._with_levels(self._read_new(X))
        score = np.zeros(len(X))
        self._score(X, score)
        return np.column_stack([1.0 - score, score])

    def _score(self, X: np.ndarray, score: np.ndarray) -> None:
        average(X, self._fitted.path(), self.aggregation == "vote", score)

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Index of the leaf that each row ends in, tree by tree.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite features.

        Returns
        -------
        ndarray of shape (n_samples, n_trees), int64
        """
        X = self._with_levels(self._read_new(X))
        return leaves(X, self._fitted.path())

    def _trees(self) -> list[Tree]:
        check_is_fitted(self)
        return self._fitted.trees()

    def get_depth(self) -> int:
        """Depth of the deepest leaf; 0 where no tree has a split."""
        return max(int(tree.depths().max()) for tree in self._trees())

    def get_n_leaves(self) -> int:
        """Leaves of all trees together."""
        return sum(tree.n_leaves for tree in self._trees())

    @property
    def feature_importances_(self) -> np.ndarray:
        """Weighted gains of the splits by feature, as a mean over the trees that have a split; see the class."""
        importances = [tree.importances(self.n_features_in_) for tree in self._trees() if tree.node_count > 1]
        mean = np.mean(importances or [np.zeros(self.n_features_in_)], axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean
