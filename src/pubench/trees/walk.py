"""Walking rows down trees, a block of rows together.

At each node the rows that reached it are parted in one pass without a branch, which takes less time a row than
following rows one by one: the node is read once, and no row waits for the memory of another. A float32 value is
compared with the largest float32 not above the float64 threshold, which decides alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .kernel import digest, entry, part

BLOCK = 8192  # rows that walk together
ALONE = 4  # rows from which on parting takes less time than following each row


class Path(NamedTuple):
    """What a walk reads of the nodes of all trees, in pre-order: a left child follows its parent, and children_right
    counts from the root of the tree."""

    feature: np.ndarray
    border: np.ndarray
    children_right: np.ndarray
    value: np.ndarray
    roots: np.ndarray

    @classmethod
    def of(cls, feature, threshold, children_right, value, roots) -> Path:
        """From float64 thresholds."""
        border = threshold.astype(np.float32)
        above = border > threshold
        border[above] = np.nextafter(border[above], np.float32(-np.inf))
        return cls(feature, border, children_right, value, roots)


@part
def descend(columns, n, path, root, rows, todo, place):
    """Write to ``place`` the leaf, counted from the root, that each of the first n rows of a block ends in.

    ``rows`` are two buffers: a node finds its rows in one and parts them to the front and the back of the same stretch
    of the other.
    """
    for i in range(n):
        rows[0, i] = i
    todo[0, 0] = 0
    todo[0, 1] = 0
    todo[0, 2] = n
    todo[0, 3] = 0
    top = 1
    while top > 0:
        top -= 1
        node = np.int64(todo[top, 0])
        begin = np.int64(todo[top, 1])
        end = np.int64(todo[top, 2])
        side = np.int64(todo[top, 3])
        while end - begin >= ALONE and path.feature[root + node] >= 0:
            column = columns[path.feature[root + node]]
            border = path.border[root + node]
            source = rows[side]
            side = 1 - side
            target = rows[side]
            a = begin
            b = end - 1
            for i in range(begin, end):
                r = source[i]
                target[a] = r
                target[b] = r
                left = np.int64(column[r] <= border)
                a += left
                b += left - 1
            if a < end:
                todo[top, 0] = path.children_right[root + node]
                todo[top, 1] = a
                todo[top, 2] = end
                todo[top, 3] = side
                top += 1
            node += 1
            end = a
        for i in range(begin, end):
            r = rows[side, i]
            at = root + node
            while path.feature[at] >= 0:
                beyond = columns[path.feature[at], r] > path.border[at]
                at = root + path.children_right[at] if beyond else at + 1
            place[r] = at - root


@part
def turn(X, begin, end, columns):
    """Copy a block of rows, as columns."""
    for i in range(begin, end):
        for j in range(X.shape[1]):
            columns[j, i - begin] = X[i, j]


def _compiled(source: int):
    """The kernels, cached under the digest of their sources."""

    @entry
    def average_kernel(X, path, vote, columns, rows, todo, place, out):
        if source == 0:  # never; makes the digest part of the cache key
            return
        size = columns.shape[1]
        n_trees = len(path.roots) - 1
        for begin in range(0, len(X), size):
            end = min(begin + size, len(X))
            turn(X, begin, end, columns)
            for tree in range(n_trees):  # in order, so that sums round alike for any number of threads
                root = path.roots[tree]
                descend(columns, end - begin, path, root, rows, todo, place)
                for i in range(end - begin):
                    score = path.value[root + place[i]]
                    if vote:
                        score = 1.0 if score > 0.5 else 0.0
                    out[begin + i] += score
        for i in range(len(X)):
            out[i] /= n_trees

    @entry
    def leaf_kernel(X, path, columns, rows, todo, place, out):
        if source == 0:
            return
        size = columns.shape[1]
        for begin in range(0, len(X), size):
            end = min(begin + size, len(X))
            turn(X, begin, end, columns)
            for tree in range(len(path.roots) - 1):
                descend(columns, end - begin, path, path.roots[tree], rows, todo, place)
                for i in range(end - begin):
                    out[begin + i, tree] = place[i]

    return average_kernel, leaf_kernel


_average, _leaves = _compiled(digest())


def _memory(X: np.ndarray, path: Path) -> tuple[np.ndarray, ...]:
    """A block's columns, its rows twice, a stack (of at most one node a level, and no more than there are rows), and
    its leaves."""
    size = min(BLOCK, max(1, len(X)))
    return (
        np.empty((X.shape[1], size), np.float32),
        np.empty((2, size), np.uint32),
        np.empty((size + 1, 4), np.int32),
        np.empty(size, np.int32),
    )


def average(X: np.ndarray, path: Path, vote: bool, out: np.ndarray) -> None:
    """Add to zeroed ``out`` each row's mean leaf value, or the share of trees where it exceeds 0.5; X is float32."""
    _average(X, path, vote, *_memory(X, path), out)


def leaves(X: np.ndarray, path: Path) -> np.ndarray:
    """Index of the leaf that each row of float32 X reaches in each tree, of shape (n_samples, n_trees)."""
    out = np.empty((len(X), len(path.roots) - 1), np.int64)
    _leaves(X, path, *_memory(X, path), out)
    return out
