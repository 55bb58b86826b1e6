"""PU Extra Trees: forests of random cuts that lower a risk estimated from positive and unlabeled rows."""

from __future__ import annotations

import math
import threading

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..estimators import checks
from ..estimators.schemes import SCHEMES, Scheme
from ..estimators.types import MaxFeatures, Seed
from .base import counting_weights
from .forest import ForestBase, ForestClassifier, in_threads
from .grow import Grown
from .nodes import Bundle
from .random_growth import Limits, as_columns, grow_random, working_memory
from .risks import KINDS, LOSSES, PN, Risk, masses_of, positive_shares
from .rng import LARGEST


class PUExtraTreesClassifier(ForestBase):
    """The PU Extra Trees of Wilton, Koay, Ko, Xu & Ye (2022).

    Each tree is grown on all rows. A node draws features, cuts each at one random threshold, and takes the cut whose
    children have the least risk.

    Parameters
    ----------
    class_prior : float in (0, 1) or None, default=None
        Share of positives in the population that the unlabeled sample is drawn from: among the unlabeled rows of
        "two_sample", among all rows of "one_sample". Needed by the PU risks. With "pn", None is the labeled share,
        which makes the trees Gini trees.
    risk : {"nnpu", "upu", "pn"}, default="nnpu"
        Non-negative or unbiased risk of positive and unlabeled rows, or the risk of two classes, which takes unlabeled
        rows for negatives.
    loss : {"quadratic", "logistic"}, default="quadratic"
        Loss that the risk is made of.
    scheme : {"two_sample", "one_sample"}, default="two_sample"
        What the unlabeled sample is. "two_sample": the unlabeled rows, drawn apart from the labeled ones; a row that
        stands in both samples is passed twice, once with either label. "one_sample": all rows; one sample was drawn,
        and some of its positives are labeled. "pn" does not depend on it.
    n_estimators : int, default=100
        Number of trees.
    max_features : {"ceil_sqrt", "sqrt", "log2"}, int, float or None, default="ceil_sqrt"
        Features that a node draws, without replacement, among those that vary in it. "ceil_sqrt" is the square root of
        their number, rounded up (Wilton et al.); the others are those of ``TreeClassifier``.
    max_depth : int or None, default=None
        Largest depth; the root has depth 0.
    min_samples_leaf : int or float, default=1
        Smallest number of rows on either side of a cut, or a share of the rows.
    random_state : int, RandomState or None, default=None
        Gives one seed a tree, as in ``ForestClassifier``.
    n_jobs : int or None, default=None
        Threads; results do not depend on it.

    Attributes
    ----------
    trees_ : list of scarce.trees.nodes.Tree
        The trees. ``value`` of a node is the estimated share of positives, at most 1, and ``gain`` the reduction of the
        risk by its split: negative for some splits by "nnpu", infinite for some by "upu".
    feature_importances_ : ndarray of shape (n_features,)
        Sum of the risk reductions of the splits by a feature, as a mean over the trees; not normalised to a sum of 1.
        Infinite reductions are left out, and a note says how many.
    normalised_importances_ : ndarray of shape (n_features,)
        The same with each reduction divided by the masses of the node's rows in both samples together.
    arrays_ : dict of str to ndarray
        Both, as ``importances`` and ``normalised_importances``.
    facts_ : dict of str to float
        ``nodes_per_tree``, a mean.
    max_features_ : int
        Features that a node draws.
    classes_, n_features_in_, feature_names_in_, notes_
        As in ``TreeClassifier``.

    Notes
    -----
    A leaf votes positive where the estimated share of positives exceeds one half. The score of a row is the share of
    the trees that vote positive, and ties are negative (the authors' code tosses a coin).

    A node is final if it has no risk left to reduce. For "upu" that is a risk of minus infinity, so that such trees
    grow until no feature varies, except in nodes without a labeled row, which predict alike whatever their splits.

    Features are compared as float32. Whole numbers from 0 to 255 are kept in one byte: an array of uint8 is never
    turned into floats as a whole.

    References
    ----------
    Wilton, Koay, Ko, Xu, Ye (2022), Positive-unlabeled learning using random forests via recursive greedy risk
    minimization, NeurIPS.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> s = np.array([0] * 8 + [0, 1, 0, 1])
    >>> PUExtraTreesClassifier(0.4, n_estimators=9, random_state=0).fit(X, s).predict([[0.0], [11.0]])
    array([0, 1])
    """

    aggregation = "vote"

    def __init__(
        self,
        class_prior: float | None = None,
        *,
        risk: str = "nnpu",
        loss: str = "quadratic",
        scheme: Scheme = "two_sample",
        n_estimators: int = 100,
        max_features: MaxFeatures = "ceil_sqrt",
        max_depth: int | None = None,
        min_samples_leaf: int | float = 1,
        random_state: Seed = None,
        n_jobs: int | None = None,
    ) -> None:
        self.class_prior = class_prior
        self.risk = risk
        self.loss = loss
        self.scheme = scheme
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        checks.choice("risk", self.risk, tuple(KINDS))
        checks.choice("loss", self.loss, LOSSES)
        checks.choice("scheme", self.scheme, SCHEMES)
        checks.whole("n_estimators", self.n_estimators, 1)
        if isinstance(self.max_features, str):
            checks.choice("max_features", self.max_features, ("ceil_sqrt", "sqrt", "log2"))
        if self.risk != "pn" or self.class_prior is not None:
            checks.prior(self.class_prior)

    def _needs_unlabeled(self) -> bool:
        return True

    def _checks_of_features(self) -> dict:
        # bytes stay as they are; everything else is turned into the first type
        return super()._checks_of_features() | {"dtype": [np.float32, np.uint8]}

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Grow the trees."""
        n, d = X.shape
        most = math.ceil(math.sqrt(d)) if self.max_features == "ceil_sqrt" else self.max_features
        self.max_features_ = checks.features_per_node(most, d)
        min_leaf = checks.count_or_share("min_samples_leaf", self.min_samples_leaf, n, 1, up=True)
        deepest = n if self.max_depth is None else checks.whole("max_depth", self.max_depth, 1)
        limits = Limits(min(deepest, n), min_leaf, self.max_features_)
        order = np.concatenate([np.flatnonzero(s == 0), np.flatnonzero(s == 1)]).astype(np.uint32)
        n_unlabeled = int((s == 0).sum())
        counts, unit = (np.zeros(0, np.int64), 1.0) if weight is None else counting_weights(weight)
        amounts = np.ones(n) if weight is None else counts
        labeled, other = float(amounts[s == 1].sum()), float(amounts[s == 0].sum())
        risk = Risk.of(self.risk, self.loss, self.class_prior, self.scheme, labeled, other)
        share = labeled / (labeled + other)
        if risk.shared and self.class_prior is not None and self.class_prior < share:
            self.notes_.append(
                f"class_prior {self.class_prior:g} is below the share of labeled rows, {share:g}: "
                "there cannot be fewer positives than labeled ones"
            )
        columns = as_columns(X)
        generator = check_random_state(self.random_state)
        seeds = [generator.randint(LARGEST) for _ in range(self.n_estimators)]
        own = threading.local()

        def grow_one(seed: int) -> Grown:
            if not hasattr(own, "memory"):
                own.memory = working_memory(columns)
            # the state that a tree of ForestClassifier with this seed starts from
            state = np.random.RandomState(seed).randint(LARGEST)
            return grow_random(columns, order, n_unlabeled, counts, limits, risk, state, own.memory)

        bundle = Bundle.of(in_threads(grow_one, seeds, self.n_jobs), 1.0, "observed", 1.0)
        self._add_importances(bundle, risk)
        self._fitted = _with_shares(bundle, risk, unit)

    def _add_importances(self, bundle: Bundle, risk: Risk) -> None:
        """Set ``arrays_`` and ``facts_``."""
        nodes = bundle.nodes
        inner = np.flatnonzero(nodes.feature >= 0)
        finite = inner[np.isfinite(nodes.gain[inner])]
        if len(finite) < len(inner):
            self.notes_.append(
                f"importances leave out {len(inner) - len(finite)} of {len(inner)} splits: infinite gains"
            )
        p, w = masses_of(risk, nodes.weighted_n_node_samples[finite], nodes.labeled[finite])
        # w of the PN risk holds p already
        both = w if risk.kind == PN else p + w
        plain, normalised = (
            np.bincount(nodes.feature[finite], weights=gains, minlength=self.n_features_in_) / self.n_estimators
            for gains in (nodes.gain[finite], nodes.gain[finite] / both)
        )
        self.arrays_ = {"importances": plain, "normalised_importances": normalised}
        self.facts_ = {"nodes_per_tree": len(nodes.feature) / self.n_estimators}

    @property
    def feature_importances_(self) -> np.ndarray:
        """Risk reductions by feature; see the class."""
        check_is_fitted(self)
        return self.arrays_["importances"]

    @property
    def normalised_importances_(self) -> np.ndarray:
        """Risk reductions by feature, each divided by the mass of its node; see the class."""
        check_is_fitted(self)
        return self.arrays_["normalised_importances"]


class PUBaggingExtraTreesClassifier(ForestClassifier):
    """PU bagging of extra-trees, the baseline of Wilton, Koay, Ko, Xu & Ye (2022).

    Each bag holds every labeled row once and as many unlabeled rows, drawn with replacement and taken as negatives, as
    the unlabeled sample has. One Gini tree of random cuts learns from each bag.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of bags.
    max_features, max_depth, min_samples_leaf, oob_score, random_state, n_jobs
        As in ``ForestClassifier``.

    Attributes
    ----------
    oob_decision_function_ : ndarray of shape (n_samples, 2)
        As in ``ForestClassifier``; NaN for labeled rows, which are in all bags.
    classes_, estimators_, trees_, feature_importances_, max_features_, n_features_in_, feature_names_in_, notes_
        As in ``ForestClassifier``.

    Notes
    -----
    The score is the mean over the bags of the labeled share in a row's leaf; rows of a bag count as others do.

    References
    ----------
    Mordelet, Vert (2014), A bagging SVM to learn from positive and unlabeled examples, Pattern Recognition Letters 37,
    with trees in place of support vector machines.
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_features: MaxFeatures = "sqrt",
        max_depth: int | None = None,
        min_samples_leaf: int | float = 1,
        oob_score: bool = False,
        random_state: Seed = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            n_estimators, splitter="random", bootstrap="stratified", max_features=max_features, max_depth=max_depth,
            min_samples_leaf=min_samples_leaf, oob_score=oob_score, random_state=random_state, n_jobs=n_jobs,
        )  # fmt: skip


def _with_shares(bundle: Bundle, risk: Risk, unit: float) -> Bundle:
    """The trees with shares of positives as values, and weights in units of the caller's."""
    nodes = bundle.nodes
    value = positive_shares(risk, nodes.weighted_n_node_samples, nodes.labeled)
    weights = {"weighted_n_node_samples": nodes.weighted_n_node_samples * unit, "labeled": nodes.labeled * unit}
    return bundle._replace(nodes=nodes._replace(value=value, **weights))
