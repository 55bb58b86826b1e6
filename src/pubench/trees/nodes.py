"""Fitted trees as flat arrays, and walking rows down them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .grow import Grown
from .kernel import entry


class Tree(NamedTuple):
    """A fitted tree: arrays over its nodes in pre-order, in scikit-learn's names.

    At a leaf the children are -1 and feature and threshold -2. A row goes left if its float32 value is not above the
    float64 threshold. ``labeled`` is the weight of the labeled (second-class) rows, ``gain`` the decrease in impurity
    by the node's split or, for the Hellinger criteria, the distance itself, and ``value`` the score the node
    predicts.
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
        return int((self.children_left < 0).sum())

    def depths(self) -> np.ndarray:
        """Depth of every node; the root has 0. Parents come before children, so one pass is enough."""
        depth = np.zeros(self.node_count, np.int64)
        for node in np.flatnonzero(self.children_left >= 0):
            depth[self.children_left[node]] = depth[self.children_right[node]] = depth[node] + 1
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
    def of(cls, grown: list[Grown], values: list[np.ndarray], scale: float) -> Bundle:
        """Join grown trees; ``scale`` turns their weights into the caller's units."""
        joined = [np.concatenate(column) for column in zip(*grown, strict=True)]
        joined[5] = joined[5] * scale
        joined[6] = joined[6] * scale
        roots = np.concatenate([[0], np.cumsum([len(tree.feature) for tree in grown])]).astype(np.int64)
        return cls(Tree(*joined, np.concatenate(values)), roots)

    def trees(self) -> list[Tree]:
        """The single trees, as views."""
        return [
            Tree(*(column[a:b] for column in self.nodes)) for a, b in zip(self.roots[:-1], self.roots[1:], strict=True)
        ]


# Nodes are in pre-order, so a left child follows its parent: the kernels read the right children only.


@entry
def _walk(X, feature, threshold, children_right, roots, out):
    for tree in range(len(roots) - 1):
        root = roots[tree]
        for i in range(len(X)):
            node = root
            while feature[node] >= 0:
                if np.float64(X[i, feature[node]]) <= threshold[node]:
                    node += 1
                else:
                    node = root + children_right[node]
            out[i, tree] = node - root


@entry
def _average(X, begin, end, feature, threshold, children_right, value, roots, vote, out):
    n_trees = len(roots) - 1
    for tree in range(n_trees):  # in the order of the trees, so that sums round alike for any number of threads
        root = roots[tree]
        for i in range(begin, end):
            node = root
            while feature[node] >= 0:
                if np.float64(X[i, feature[node]]) <= threshold[node]:
                    node += 1
                else:
                    node = root + children_right[node]
            if vote:
                out[i] += 1.0 if value[node] > 0.5 else 0.0
            else:
                out[i] += value[node]
    for i in range(begin, end):
        out[i] /= n_trees


def leaves(bundle: Bundle, X: np.ndarray) -> np.ndarray:
    """Index of the leaf that each row reaches in each tree, of shape (n_samples, n_trees)."""
    out = np.empty((len(X), len(bundle.roots) - 1), np.int64)
    nodes = bundle.nodes
    _walk(X, nodes.feature, nodes.threshold, nodes.children_right, bundle.roots, out)
    return out


def average(bundle: Bundle, X: np.ndarray, vote: bool, begin: int, end: int, out: np.ndarray) -> None:
    """Add to zeroed ``out`` the mean leaf score, or the share of trees scoring above 0.5, of rows begin to end."""
    nodes = bundle.nodes
    columns = (nodes.feature, nodes.threshold, nodes.children_right, nodes.value)
    _average(X, begin, end, *columns, bundle.roots, vote, out)
