"""Single trees as scikit-learn estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..estimators.types import ArrayLike, MaxFeatures, Seed
from .base import TreeBase
from .categorical import grow_categorical
from .grow import grow
from .nodes import Tree
from .rng import LARGEST


class TreeClassifier(TreeBase):
    """A binary decision tree for two classes, or for positive and unlabeled data.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "dkm", "hellinger", "pu_hellinger"}, default="gini"
        How a split is scored; see ``scarce.trees.criteria``, and ``scarce.trees.gain_ratio`` for C4.5's rules.
    splitter : {"best", "random"}, default="best"
        Try every threshold of a feature, or one drawn uniformly between its extremes.
    max_depth : int or None, default=None
        Largest depth; the root has depth 0.
    min_samples_split : int or float, default=2
        Smallest number of rows that is split further (the cut-off C of Cieslak & Chawla), or a share of the rows.
    min_samples_leaf : int or float, default=1
        Smallest number of rows in every branch of a split, or a share of the rows; "gain_ratio" asks for 2 at least.
    max_features : int, float, {"sqrt", "log2"} or None, default=None
        Features drawn at a node, without replacement; None is all of them.
    categorical : array-like of int or of bool, or None, default=None
        Features whose values are levels, as indices or as a mask: whole numbers from 0, or NaN for missing, a level
        of its own. They are split into one branch a level, by gini into two groups of levels; a level that no row of
        the node had gets the node's own score. Not with "pu_hellinger", random thresholds or literal ties.
    class_prior : float in (0, 1) or None, default=None
        Share of positives among all rows; needed by "pu_hellinger", refused by the others.
    ties : {"auto", "exact", "literal", "lowest_index"}, default="auto"
        "literal": rounding decides between cuts of equal score, as in scikit-learn and in the published PU Hellinger
        trees. "exact": the first drawn feature's lowest threshold does. "lowest_index": the lowest feature's, whatever
        the order of drawing. "auto" is "literal" for gini and entropy without categorical features, else "exact".
    leaf : {"observed", "pu", "laplace"}, default="observed"
        Score of a leaf with l labeled of t rows: ``l/t``; ``min(1, l/(c t))``; ``(l + 1)/(t + 2)``.
    purity_stop : bool, default=True
        Whether a node of one class (all labeled, or none) is a leaf.
    random_state : int, RandomState or None, default=None
        Seeds the order in which features are drawn, and random thresholds.

    Attributes
    ----------
    tree_ : scarce.trees.nodes.Tree
        The nodes.
    label_frequency_ : float
        c, the labeled share of the positives that the class prior implies; 1 for ordinary labels.
    max_features_ : int
        Features drawn at a node.
    is_categorical_ : ndarray of shape (n_features,), bool, or None
        Which features have levels; None if none has.
    feature_importances_ : ndarray of shape (n_features,)
        Sum over the splits of a feature of row weight times gain, normalised to sum 1; all 0 without a split. The gain
        is the decrease of the node's impurity or, for the Hellinger criteria, the Hellinger distance itself.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `scarce.estimators.base.PUClassifier`.

    Notes
    -----
    For one ``random_state`` gini and entropy trees are those of ``sklearn.tree.DecisionTreeClassifier``, as long as
    row weights are integers. ``criterion="hellinger"`` is the HDDT of Cieslak & Chawla (2008), ``"pu_hellinger"``
    with the prior set to the labeled share the HDT baseline of Ortega Vazquez et al. (2023). Missing values are
    refused outside categorical features. ``pu_hellinger`` estimates true labels from observed ones, also if all rows
    are labeled; the other criteria take the labels as complete.
    """

    def __init__(
        self,
        criterion: str = "gini",
        *,
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        max_features: MaxFeatures = None,
        categorical: ArrayLike | None = None,
        class_prior: float | None = None,
        ties: str = "auto",
        leaf: str = "observed",
        purity_stop: bool = True,
        random_state: Seed = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.categorical = categorical
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.class_prior = class_prior
        self.ties = ties
        self.leaf = leaf
        self.purity_stop = purity_stop
        self.random_state = random_state

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Grow the tree."""
        problem = self._problem(X, s, weight)
        # one draw of the generator gives the state of the tree's own, as in scikit-learn
        state = check_random_state(self.random_state).randint(0, LARGEST)
        growth = grow_categorical if problem.coded.categorical.any() else grow
        grown = growth(problem.coded, problem.labeled, problem.weight, problem.options, state)
        self._fitted = self._bundle(problem, [grown])

    @property
    def tree_(self) -> Tree:
        """The nodes."""
        return self._trees()[0]

    def _of_forest(self, fitted: Any, attributes: dict) -> TreeClassifier:
        """Take over a fitted tree, and the attributes of its forest that say how the data were read."""
        self.__dict__.update(attributes, _fitted=fitted)
        return self

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Index of the leaf that each row ends in, ndarray of shape (n_samples,), int64."""
        return super().apply(X)[:, 0]


class PUHellingerTreeClassifier(TreeClassifier):
    """The PU Hellinger decision tree (PU-HDT) of Ortega Vazquez, vanden Broucke & De Weerdt (2023).

    The class prior turns a node's labeled count into an estimated number of positives, and splits maximise the
    Hellinger distance between estimated positives and negatives.

    Parameters
    ----------
    class_prior : float in (0, 1)
        Share of positives among all rows, labeled and unlabeled.
    max_depth : int or None, default=5
        As in the paper. A fully grown tree cuts hidden positives off into leaves of score 0.
    min_samples_split, min_samples_leaf, max_features
        As in ``TreeClassifier``.
    ties : {"exact", "literal", "auto"}, default="exact"
        "literal" equals the authors' trees bit by bit (with ``leaf="observed"``, ``purity_stop=False``).
    leaf : {"pu", "observed", "laplace"}, default="pu"
        "pu" estimates P(y = 1), ``min(1, l/(c t))``; the paper scores with "observed", the labeled share.
    purity_stop : bool, default=True
        The paper's trees go on splitting nodes whose rows are all labeled, which changes no score of theirs.
    random_state
        As in ``TreeClassifier``.

    Attributes
    ----------
    classes_, tree_, feature_importances_, label_frequency_, max_features_, n_features_in_, feature_names_in_, notes_
        As in ``TreeClassifier``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> s = np.array([0] * 8 + [0, 1, 0, 1])
    >>> PUHellingerTreeClassifier(class_prior=1 / 3, max_depth=1).fit(X, s).predict(X)
    array([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    """

    def __init__(
        self,
        class_prior: float,
        *,
        max_depth: int | None = 5,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        max_features: MaxFeatures = None,
        ties: str = "exact",
        leaf: str = "pu",
        purity_stop: bool = True,
        random_state: Seed = None,
    ) -> None:
        super().__init__(
            "pu_hellinger", max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, max_features=max_features, class_prior=class_prior, ties=ties, leaf=leaf,
            purity_stop=purity_stop, random_state=random_state,
        )  # fmt: skip
