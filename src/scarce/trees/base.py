"""What the tree and the forest estimators share: parameters, labels, weights, features, prediction."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..observed import coding, observed_labels, plain
from . import checks
from .categorical import levels
from .codes import Coded, encode
from .criteria import CODES, LEAVES, leaf_values
from .grow import Grown, Options
from .nodes import Bundle
from .walk import average
from .weights import counting_weights

#: Labeled rows over positives is at most 1; a prior and a share of other rows of the same data may be a little off.
LARGEST_FREQUENCY = 1.5
LITERAL = ("gini", "entropy")  # whose ties are scikit-learn's by default


class Problem(NamedTuple):
    """A training set in the kernel's terms."""

    coded: Coded
    labeled: np.ndarray  # bool
    weight: np.ndarray  # int64
    unit: float  # of the weights
    options: Options


class TreeBase(ClassifierMixin, BaseEstimator):
    """Parameters, validation and prediction of both kinds; subclasses define ``__init__`` and ``fit``."""

    criterion = "pu_hellinger"
    splitter = "best"
    aggregation = "mean"
    categorical = None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _problem(self, X, y, sample_weight) -> Problem:
        """Check everything, set the fitted attributes that depend on the data alone, and code the features."""
        checks.choice("criterion", self.criterion, tuple(CODES))
        checks.choice("splitter", self.splitter, ("best", "random"))
        checks.choice("ties", self.ties, ("auto", "exact", "literal", "lowest_index"))
        checks.choice("leaf", self.leaf, LEAVES)
        purity_stop = checks.choice("purity_stop", self.purity_stop, (True, False))
        X, y = validate_data(
            self,
            X,
            y,
            validate_separately=(self._features(), {"ensure_2d": False, "dtype": None}),
        )
        y = plain(column_or_1d(y, warn=True))
        check_consistent_length(X, y)
        self._read_categorical(X.shape[1])
        X = self._with_levels(X)
        labeled = self._read_labels(y)
        weight, unit = self._weights(sample_weight, X)
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
            purity_stop=purity_stop,
            max_depth=deepest if self.max_depth is None else min(checks.whole("max_depth", self.max_depth, 1), deepest),
            min_split=max(min_split, 2 * min_leaf),
            min_leaf=min_leaf,
            max_features=self.max_features_,
            by_index=self.ties == "lowest_index",
            gain_ratio=self.criterion == "gain_ratio",
        )
        slots = not options.random and min_leaf == 1 and not options.gain_ratio and self.is_categorical_ is None
        coded = encode(X, labeled, slots=slots, merge=not options.exact, categorical=self.is_categorical_)
        return Problem(coded, labeled, weight, unit, options)

    def _features(self) -> dict:
        """How features are validated: only levels may be missing."""
        finite = True if self.categorical is None else "allow-nan"
        return {"dtype": np.float32, "order": "C", "ensure_all_finite": finite}

    def _with_levels(self, X) -> np.ndarray:
        """The features, with missing levels as a level of their own."""
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

    def _read_labels(self, y) -> np.ndarray:
        """Set ``classes_``; which rows are labeled, or of the second class."""
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"it has {len(classes)} classes, these trees take two."
            )
        if self.criterion == "pu_hellinger":
            labeled = observed_labels(y) == 1
            self.classes_ = coding(y)
            return labeled
        if len(classes) < 2:
            raise ValueError(f"two classes are needed, got 1 class: {classes[0]}")
        self.classes_ = classes
        return codes == 1

    def _weights(self, sample_weight, X) -> tuple[np.ndarray, float]:
        """Weights as whole numbers times a unit."""
        if sample_weight is None:
            return np.ones(len(X), np.int64), 1.0
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not weight.any():
            raise ValueError("sample_weight is zero for every row")
        with np.errstate(over="ignore"):
            if np.isinf(weight.sum()):
                raise ValueError("sample_weight sums to infinity: the weights are too large")
        return counting_weights(weight)

    def _set_label_frequency(self, share: float) -> float:
        """Set ``label_frequency_`` = c, the labeled share of the positives, 1 where labels are complete; 1/c."""
        class_prior = getattr(self, "class_prior", None)
        if self.criterion != "pu_hellinger":
            if class_prior is not None:
                raise ValueError(f"class_prior is used by the criterion 'pu_hellinger' only, not by {self.criterion!r}")
            if self.leaf == "pu":
                raise ValueError(
                    f"leaf='pu' needs the criterion 'pu_hellinger' and a class_prior, not {self.criterion!r}"
                )
            self.label_frequency_ = 1.0
            return 1.0
        class_prior = checks.prior(class_prior)
        if share == 0.0:
            raise ValueError("no labeled positive: every row of the labeled class has weight 0")
        # Ortega Vazquez et al. (2023): the labeled share of the rows passed to fit, whatever a bootstrap draws
        inv_c = class_prior / share
        self.label_frequency_ = 1.0 / inv_c
        if self.label_frequency_ > LARGEST_FREQUENCY:
            warnings.warn(
                f"class_prior {class_prior:g} is far below the share of labeled rows, {share:g}: there cannot be fewer "
                "positives than labeled ones",
                stacklevel=3,
            )
        return inv_c

    def _bundle(self, problem: Problem, grown: list[Grown]) -> Bundle:
        return Bundle.of(
            grown, problem.unit, lambda labeled, weight: leaf_values(self.leaf, labeled, weight, problem.options.inv_c)
        )

    def _check_X(self, X) -> np.ndarray:
        check_is_fitted(self)
        return self._with_levels(validate_data(self, X, reset=False, **self._features()))

    def predict_proba(self, X):
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
        X = self._check_X(X)
        score = np.zeros(len(X))
        self._score(X, score)
        return np.column_stack([1.0 - score, score])

    def _score(self, X, score) -> None:
        average(X, self._fitted.path(), self.aggregation == "vote", score)

    def predict(self, X):
        """The class with the higher score, the first one at equal scores.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite features.

        Returns
        -------
        ndarray of shape (n_samples,)
            Elements of ``classes_``.
        """
        score = self.predict_proba(X)[:, 1]
        return self.classes_[(score > 0.5).astype(int)]
