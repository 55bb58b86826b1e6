"""Fitted trees as flat arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

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
    def of(cls, grown: list[Grown], scale: float, value: Callable) -> Bundle:
        """Join grown trees, which are used up; ``scale`` turns their weights into the caller's units, of which
        ``value`` makes scores."""
        roots = np.concatenate([[0], np.cumsum([len(tree.feature) for tree in grown])]).astype(np.int64)
        columns = list(zip(*grown, strict=True))[::-1]
        grown.clear()
        joined = Grown(*(np.concatenate(columns.pop()) for _ in Grown._fields))  # never all of them twice in memory
        np.multiply(joined.weight, scale, out=joined.weight)
        np.multiply(joined.labeled, scale, out=joined.labeled)
        return cls(Tree(*joined, value(joined.labeled, joined.weight)), roots)

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
