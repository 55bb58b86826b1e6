"""Forests of trees as scikit-learn estimators; the kernel releases the GIL, so threads share the features."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..estimators import checks
from ..estimators.out_of_bag import OutOfBagMixin, out_of_bag_means
from ..estimators.types import MaxFeatures, Seed
from .base import TreeBase
from .grow import Grown, grow, working_memory
from .nodes import Tree
from .rng import LARGEST, Bootstrap
from .tree import TreeClassifier
from .walk import BLOCK, average


def in_threads(work: Callable, tasks: list, n_jobs: int | None) -> list:
    """Results of ``work`` in the order of the tasks, whatever the number of threads."""
    n_threads = min(effective_n_jobs(n_jobs), max(1, len(tasks)))
    if n_threads == 1:
        return [work(task) for task in tasks]
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(work, tasks))  # an error or Ctrl-C cancels the tasks that have not started


class ForestBase(TreeBase):
    """The trees of a forest, and their scores."""

    @property
    def trees_(self) -> list[Tree]:
        """The nodes of each tree."""
        return self._trees()

    def _score(self, X: np.ndarray, score: np.ndarray) -> None:
        n_parts = max(min(effective_n_jobs(self.n_jobs), max(1, len(X) // 256)), -(-len(X) // BLOCK))
        borders = np.linspace(0, len(X), n_parts + 1).astype(int)
        parts = [slice(a, b) for a, b in pairwise(borders)]
        path, vote = self._fitted.path(), self.aggregation == "vote"
        in_threads(
            lambda part: average(X[part].astype(np.float32, copy=False), path, vote, score[part]), parts, self.n_jobs
        )


class ForestClassifier(OutOfBagMixin, ForestBase):
    """A forest of binary trees for two classes, or for positive and unlabeled data.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf
        As in ``TreeClassifier``.
    max_features : int, float, {"sqrt", "log2"} or None, default="sqrt"
        Features drawn at a node.
    bootstrap : {True, False, "stratified"}, default=True
        Rows of a tree: drawn with replacement; all; or every labeled (second-class) row once and the others drawn with
        replacement.
    max_samples : int, float or None, default=None
        Rows to draw: a number no larger than that of the rows drawn from, or a share of them; None is as many.
    oob_score : bool, default=False
        Whether to set ``oob_decision_function_``. Needs a bootstrap, and weights above 0.
    aggregation : {"mean", "vote"}, default="mean"
        Score: mean of the trees' scores, or share of the trees whose score is above 0.5.
    class_prior, ties, leaf, purity_stop
        As in ``TreeClassifier``.
    random_state : int, RandomState or None, default=None
        Gives one seed a tree, by successive ``randint(2^31 - 1)``; each drives both the tree's bootstrap and its
        growth.
    n_jobs : int or None, default=None
        Threads; results do not depend on it.

    Attributes
    ----------
    estimators_ : list of TreeClassifier
        The fitted trees, in order.
    trees_ : list of scarce.trees.nodes.Tree
        Their nodes.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the importances of the trees, as ``TreeClassifier`` defines them, normalised to sum 1; all 0 if no tree
        has a split.
    oob_decision_function_ : ndarray of shape (n_samples, 2)
        With ``oob_score=True``: ``predict_proba`` of each training row by the trees whose bag it is not in. NaN for a
        row that is in all bags, as every labeled row is by a stratified bootstrap.
    classes_, label_frequency_, max_features_, n_features_in_, feature_names_in_, notes_
        As in ``TreeClassifier``.

    Notes
    -----
    Bags are drawn row by row. Where a positive stands among the rows twice, labeled and unlabeled (two samples), a tree
    may have learned from one copy while the other is out of its bag: its out-of-bag score is then too good. Metrics
    without negatives compare labeled with unlabeled rows: for those of out-of-bag scores, use ``bootstrap=True``.

    For one ``random_state`` and no sample weights gini and entropy forests have the trees of
    ``sklearn.ensemble.RandomForestClassifier``. Sample weights multiply the bootstrap counts.
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        max_features: MaxFeatures = "sqrt",
        bootstrap: bool | str = True,
        max_samples: int | float | None = None,
        oob_score: bool = False,
        aggregation: str = "mean",
        class_prior: float | None = None,
        ties: str = "auto",
        leaf: str = "observed",
        purity_stop: bool = True,
        random_state: Seed = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.aggregation = aggregation
        self.class_prior = class_prior
        self.ties = ties
        self.leaf = leaf
        self.purity_stop = purity_stop
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        checks.whole("n_estimators", self.n_estimators, 1)
        bootstrap = checks.choice("bootstrap", self.bootstrap, (True, False, "stratified"))
        super()._check_parameters()
        if self.oob_score and not bootstrap:
            raise ValueError("oob_score=True needs a bootstrap: with bootstrap=False all rows are in all bags")

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Grow the trees."""
        problem = self._problem(X, s, weight)
        bootstrap = checks.choice("bootstrap", self.bootstrap, (True, False, "stratified"))
        pool = int((~problem.labeled).sum()) if bootstrap == "stratified" else len(problem.labeled)
        draws = pool
        if self.max_samples is not None:
            draws = checks.count_or_share("max_samples", self.max_samples, pool, 1, up=False)
        if draws > max(pool, 1):
            raise ValueError(f"max_samples must be at most the rows drawn from, {pool}, got {self.max_samples!r}")
        generator = check_random_state(self.random_state)
        self._seeds = [generator.randint(LARGEST) for _ in range(self.n_estimators)]
        own = threading.local()

        def bags() -> Bootstrap:
            return Bootstrap(problem.labeled, problem.weight, bootstrap, draws)

        def grow_one(seed: int) -> Grown:
            if not hasattr(own, "memory"):
                own.memory, own.bootstrap = working_memory(problem.coded, problem.labeled), bags()
            weight, state = own.bootstrap.draw(seed)
            return grow(problem.coded, problem.labeled, weight, problem.options, state, own.memory)

        self._fitted = self._bundle(problem, in_threads(grow_one, self._seeds, self.n_jobs))
        self._set_out_of_bag(out_of_bag_means(len(X), self._out_of_bags(X, bags())) if self.oob_score else None)

    def _out_of_bags(self, X: np.ndarray, bags: Bootstrap) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The rows out of the bag of each tree, and its scores of them."""
        for seed, tree in zip(self._seeds, self._fitted.singles(), strict=True):
            rows = np.flatnonzero(bags.draw(seed)[0] == 0)
            scores = np.zeros(len(rows))
            average(X[rows], tree.path(), self.aggregation == "vote", scores)
            yield rows, scores

    @property
    def estimators_(self) -> list[TreeClassifier]:
        """The trees as fitted estimators, made anew by each access."""
        check_is_fitted(self)
        names = set(TreeClassifier().get_params()) - {"random_state"}
        settings: dict[str, Any] = {name: getattr(self, name, None) for name in names}
        attributes = {name: value for name, value in vars(self).items() if name.endswith("_")}
        attributes.pop("oob_decision_function_", None)
        return [
            TreeClassifier(**settings, random_state=seed)._of_forest(single, attributes)
            for seed, single in zip(self._seeds, self._fitted.singles(), strict=True)
        ]


class PUHellingerForestClassifier(ForestClassifier):
    """The PU Hellinger forests of Ortega Vazquez, vanden Broucke & De Weerdt (2023).

    ``bootstrap="stratified"`` is PU-SHRF, ``bootstrap=True`` PU-HRF.

    Parameters
    ----------
    class_prior : float in (0, 1)
        Share of positives among all rows, labeled and unlabeled.
    n_estimators : int, default=100
        Number of trees.
    bootstrap : {"stratified", True, False}, default="stratified"
        Rows of a tree: each labeled row once and as many unlabeled ones, drawn with replacement, as there are; a
        bootstrap of all rows; all rows.
    max_features, max_depth, min_samples_split, min_samples_leaf, max_samples, oob_score, aggregation
        As in ``ForestClassifier``.
    ties, leaf, purity_stop
        As in ``PUHellingerTreeClassifier``. Leaves of fully grown trees hold one observed label, so ``leaf`` matters
        only with a limit on size, and the scores estimate a ranking rather than P(y = 1).
    random_state, n_jobs
        As in ``ForestClassifier``.

    Attributes
    ----------
    classes_, estimators_, trees_, feature_importances_, oob_decision_function_, label_frequency_, max_features_,
    n_features_in_, feature_names_in_, notes_
        As in ``ForestClassifier``.
    """

    def __init__(
        self,
        class_prior: float,
        *,
        n_estimators: int = 100,
        bootstrap: bool | str = "stratified",
        max_features: MaxFeatures = "sqrt",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        max_samples: int | float | None = None,
        oob_score: bool = False,
        aggregation: str = "mean",
        ties: str = "exact",
        leaf: str = "pu",
        purity_stop: bool = True,
        random_state: Seed = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            n_estimators, criterion="pu_hellinger", bootstrap=bootstrap, max_features=max_features, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf, max_samples=max_samples,
            oob_score=oob_score, aggregation=aggregation, class_prior=class_prior, ties=ties, leaf=leaf,
            purity_stop=purity_stop, random_state=random_state, n_jobs=n_jobs,
        )  # fmt: skip
