"""Walking rows down trees, a block of rows together.

At each node the rows that reached it are parted in one pass without a branch, which takes less time a row than
following rows one by one: the node is read once, and no row waits for the memory of another. A float32 value is
compared with the largest float32 not above the float64 threshold, which decides alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .kernel import entry, part

BLOCK = 16384  # rows that walk together, at most 2^16: places in a block are uint16
LINE = 16  # float32 of a cache line, written together: blocks of columns share their places in the cache
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
def descend(columns, n, path, value, root, rows, todo, out):
    """Add to ``out`` the value of the leaf that each of the first n rows of a block ends in.

    ``rows`` are two buffers: a node finds its rows in one and parts them to the front and the back of the same stretch
    of the other.
    """
    for i in range(n):
        rows[0, i] = i
    todo[0, 0] = root
    todo[0, 1] = 0
    todo[0, 2] = n
    todo[0, 3] = 0
    top = 1
    while top > 0:
        top -= 1
        node, begin, end, side = todo[top]
        while end - begin >= ALONE and path.feature[node] >= 0:
            column = columns[path.feature[node]]
            border = path.border[node]
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
                todo[top, 0] = root + path.children_right[node]
                todo[top, 1] = a
                todo[top, 2] = end
                todo[top, 3] = side
                top += 1
            node += 1
            end = a
        if path.feature[node] < 0:
            leaf = value[node]
            for i in range(begin, end):
                out[rows[side, i]] += leaf
            continue
        for i in range(begin, end):
            r = rows[side, i]
            at = node
            while path.feature[at] >= 0:
                beyond = columns[path.feature[at], r] > path.border[at]
                at = root + path.children_right[at] if beyond else at + 1
            out[r] += value[at]


@entry
def _walk(X, path, value, columns, rows, todo, out):
    """Add the values of the leaves: tree by tree to the rows of ``out``, or of all trees to its only row."""
    size = columns.shape[1]
    for begin in range(0, len(X), size):
        end = min(begin + size, len(X))
        for first in range(begin, end, LINE):  # the block, as columns
            for j in range(X.shape[1]):
                for i in range(first, min(first + LINE, end)):
                    columns[j, i - begin] = X[i, j]
        for tree in range(len(path.roots) - 1):  # in order, so that sums round alike for any number of threads
            scores = out[min(tree, len(out) - 1), begin:end]
            descend(columns, end - begin, path, value, path.roots[tree], rows, todo, scores)


def _memory(X: np.ndarray) -> tuple[np.ndarray, ...]:
    """A block's columns, its rows twice, and a stack: of at most one node a level, and no more than there are rows."""
    size = min(BLOCK, max(1, len(X)))
    return (
        np.empty((X.shape[1], size), np.float32),
        np.empty((2, size), np.uint16),
        np.empty((size + 1, 4), np.int64),
    )


def average(X: np.ndarray, path: Path, vote: bool, out: np.ndarray) -> None:
    """Add to zeroed ``out`` each row's mean leaf value, or the share of trees where it exceeds 0.5; X is float32."""
    value = (path.value > 0.5).astype(float) if vote else path.value
    _walk(X, path, value, *_memory(X), out.reshape(1, -1))
    out /= len(path.roots) - 1


def leaves(X: np.ndarray, path: Path) -> np.ndarray:
    """Index of the leaf that each row of float32 X reaches in each tree, of shape (n_samples, n_trees)."""
    sizes = np.diff(path.roots)
    index = np.arange(len(path.feature)) - np.repeat(path.roots[:-1], sizes)
    out = np.zeros((len(sizes), len(X)))
    _walk(X, path, index.astype(float), *_memory(X), out)  # exact in doubles, and the kernel is compiled once
    return out.T.astype(np.int64)
