"""Fitted trees as flat arrays, and as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .categorical import MISSING
from .criteria import leaf_values
from .grow import Grown
from .walk import Path


class Tree(NamedTuple):
    """A fitted tree: arrays over its nodes in pre-order, in scikit-learn's names.

    At a leaf the children are -1 and feature and threshold -2. A row goes left if its float32 value is not above the
    float64 threshold. ``labeled`` is the weight of the labeled (second-class) rows, ``gain`` the decrease in impurity
    by the node's split or, for the Hellinger criteria, the distance itself, and ``value`` the score the node
    predicts. A split by levels is several nodes, of which all but the first have no rows: see ``categorical``.
    """

    feature: np.ndarray
    threshold: np.ndarray
    children_left: np.ndarray
    children_right: np.ndarray
    n_node_samples: np.ndarray
    weighted_n_node_samples: np.ndarray
    labeled: np.ndarray
    gain: np.ndarray
    value: np.ndarray

    @property
    def node_count(self) -> int:
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Leaves, those for levels that no row has not counted."""
        return int(((self.children_left < 0) & (self.n_node_samples > 0)).sum())

    def depths(self) -> np.ndarray:
        """Depth of every node; the root has 0, and all thresholds of a split by levels have one depth.

        Parents come before children, so one pass is enough.
        """
        depth = np.zeros(self.node_count, np.int64)
        link = (self.children_left >= 0) & (self.n_node_samples == 0)
        for node in np.flatnonzero(self.children_left >= 0):
            left, right = self.children_left[node], self.children_right[node]
            depth[left] = depth[node] + (not link[left])
            depth[right] = depth[node] + 1
        return depth

    def importances(self, n_features: int) -> np.ndarray:
        """Weighted gains by feature, summing to 1, or all 0 for a tree without a gain."""
        inner = self.children_left >= 0
        gains = self.weighted_n_node_samples[inner] * self.gain[inner]
        sums = np.bincount(self.feature[inner], weights=gains, minlength=n_features).astype(float)
        return sums / sums.sum() if sums.sum() > 0 else sums


class Bundle(NamedTuple):
    """Trees end to end in one set of arrays: ``roots`` has the start of each and the end of the last."""

    nodes: Tree
    roots: np.ndarray

    @classmethod
    def of(cls, grown: list[Grown], scale: float, leaf: str, inv_c: float) -> Bundle:
        """Join grown trees, which are used up; ``scale`` turns their weights into the caller's units."""
        roots = np.concatenate([[0], np.cumsum([len(tree.feature) for tree in grown])]).astype(np.int64)
        columns = list(zip(*grown, strict=True))[::-1]
        grown.clear()
        joined = Grown(*(np.concatenate(columns.pop()) for _ in Grown._fields))  # never all of them twice in memory
        np.multiply(joined.weight, scale, out=joined.weight)
        np.multiply(joined.labeled, scale, out=joined.labeled)
        return cls(Tree(*joined, leaf_values(leaf, joined.labeled, joined.weight, inv_c)), roots)

    def path(self) -> Path:
        """The nodes as ``walk`` reads them."""
        nodes = self.nodes
        return Path.of(nodes.feature, nodes.threshold, nodes.children_right, nodes.value, self.roots)

    def singles(self) -> list[Bundle]:
        """The trees, each in a bundle of its own."""
        return [Bundle(tree, np.array([0, tree.node_count])) for tree in self.trees()]

    def trees(self) -> list[Tree]:
        """The single trees, as views."""
        return [
            Tree(*(column[a:b] for column in self.nodes)) for a, b in zip(self.roots[:-1], self.roots[1:], strict=True)
        ]


def branch_levels(nodes: Tree, node: int) -> dict[int, list[str]]:
    """The branches of a split by levels, in the order of the nodes, and the levels that lead to each."""
    levels: dict[int, list[int]] = {}
    upper = math.inf
    while nodes.children_left[node] >= 0:
        lower, child = nodes.threshold[node], int(nodes.children_right[node])
        if nodes.n_node_samples[child] > 0:
            levels[child] = [*range(math.ceil(lower), math.ceil(upper)), *levels.get(child, [])]
        upper, node = lower, nodes.children_left[node]
    return {
        child: ["missing" if level == MISSING else str(level) for level in levels[child]] for child in sorted(levels)
    }


def export_text(
    tree: BaseEstimator | Tree,
    feature_names: Sequence[str] | None = None,
    *,
    decimals: int = 3,
    max_depth: int | None = None,
) -> str:
    """The rules of a tree, one line a node.

    Parameters
    ----------
    tree : fitted TreeClassifier or scarce.trees.nodes.Tree
        A tree estimator, or one of a forest's ``trees_``.
    feature_names : sequence of str, optional
        Names of the features; by default those seen in fit, else ``x0, x1, ...``.
    decimals : int, default=3
        Digits of thresholds and scores.
    max_depth : int, optional
        Depth below which nodes are summed up.

    Returns
    -------
    str
        Lines such as ``|-- x0 <= 1.500`` and ``|   |-- score 0.250 (labeled 1 of 4)``, each ended by a newline.

    Raises
    ------
    ValueError
        If there are fewer names than features in use.
    """
    nodes = tree
    if not isinstance(tree, Tree):
        check_is_fitted(tree)
        nodes = tree.tree_
        if feature_names is None:
            feature_names = getattr(tree, "feature_names_in_", None)
    n_features = getattr(tree, "n_features_in_", int(nodes.feature.max(initial=-1)) + 1)
    if feature_names is None:
        feature_names = [f"x{j}" for j in range(n_features)]
    if len(feature_names) < n_features:
        raise ValueError(f"{len(feature_names)} feature names for {n_features} features")
    lines = []
    todo = [(0, 0, "")]  # node, depth, the condition that leads to it
    while todo:
        node, depth, condition = todo.pop()
        if condition:
            lines.append("|   " * (depth - 1) + "|-- " + condition)
        inner = nodes.children_left[node] >= 0
        if inner and (max_depth is None or depth < max_depth):
            name = feature_names[nodes.feature[node]]
            if nodes.n_node_samples[nodes.children_left[node]] == 0:
                branches = branch_levels(nodes, node).items()
                todo.extend((child, depth + 1, f"{name} = {', '.join(some)}") for child, some in reversed(branches))
                continue
            border = f"{nodes.threshold[node]:.{decimals}f}"
            todo.append((nodes.children_right[node], depth + 1, f"{name} > {border}"))
            todo.append((nodes.children_left[node], depth + 1, f"{name} <= {border}"))
            continue
        share = f"{nodes.labeled[node]:g} of {nodes.weighted_n_node_samples[node]:g}"
        more = " ..." if inner else ""
        lines.append("|   " * depth + f"|-- score {nodes.value[node]:.{decimals}f} (labeled {share}){more}")
    return "\n".join(lines) + "\n"
