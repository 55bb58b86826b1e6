"""Growing one tree of random cuts by a risk: one threshold a feature, so a node gathers values and counts them.

Features are kept column by column and used as they are: no codes, no sort. Whole numbers from 0 to 255 take one byte,
so that a column of 60,000 rows stays in the cache of a core and 32 rows are compared at once.

Features are drawn as ``search`` draws them, but until ``max_features`` are found that vary in the node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .grow import Grown, open_node, push
from .kernel import entry, part
from .risks import Risk, is_final, is_less, masses, node_risk
from .rng import draw_int, draw_uniform

BLOCK = 64  # rows that are turned into columns together
LARGEST_BYTE = 255


class Limits(NamedTuple):
    """Limits of growth."""

    max_depth: int
    min_leaf: int
    max_features: int


class Memory(NamedTuple):
    """Arrays in which one tree is grown after another, allocated once a thread."""

    rows: np.ndarray  # unlabeled ones, then labeled ones; each node is a stretch of either
    spare: np.ndarray
    buffer: np.ndarray  # the values of a node's rows
    border: np.ndarray  # one value: the largest that goes left
    nodes: Grown
    place: np.ndarray  # a stack of nodes to grow, as in ``grow``
    amount: np.ndarray
    features: np.ndarray
    constants: np.ndarray
    state: np.ndarray


def working_memory(columns: np.ndarray) -> Memory:
    """Memory to grow trees on these features."""
    d, n = columns.shape
    size = max(1, 2 * n - 1)
    whole, real = (lambda: np.empty(size, np.int32)), (lambda: np.empty(size))
    row = lambda: np.empty(n, np.uint32)  # noqa: E731
    return Memory(
        row(), row(), np.empty(n, columns.dtype), np.empty(1, columns.dtype),
        Grown(whole(), real(), whole(), whole(), whole(), real(), real(), real()),
        np.empty((n + 1, 8), np.int32), np.empty((n + 1, 3)),
        np.empty(d, np.int32), np.empty(d, np.int32), np.empty(1, np.uint64),
    )  # fmt: skip


@entry
def _transpose(X, out):
    """Write the rows of X as columns."""
    for first in range(0, len(X), BLOCK):
        last = min(first + BLOCK, len(X))
        for j in range(X.shape[1]):
            for i in range(first, last):
                out[j, i] = X[i, j]


@entry
def _are_bytes(X):
    """Whether all values are whole numbers from 0 to 255."""
    for row in X:
        for x in row:
            if not 0 <= x <= LARGEST_BYTE or x != np.floor(x):
                return False
    return True


def as_columns(X: np.ndarray) -> np.ndarray:
    """The features in shape (n_features, n_samples): uint8 where all are whole numbers from 0 to 255, else float32."""
    small = X.dtype == np.uint8 or _are_bytes(X)
    columns = np.empty(X.shape[::-1], np.uint8 if small else np.float32)
    _transpose(X, columns)
    return columns


@part
def set_border(threshold, border):
    """Set the border to the largest value of its type that is not above a threshold."""
    border[0] = threshold
    if border[0] > threshold:
        border[0] = np.nextafter(border[0], np.float32(-np.inf))


@part
def count_left(buffer, rows, border, weight):
    """Number and weight of the rows whose value, in the buffer, is up to the border."""
    n = 0
    for i in range(len(buffer)):
        n += np.int64(buffer[i] <= border)
    if len(weight) == 0:
        return n, n
    t = 0
    for i in range(len(buffer)):
        t += weight[rows[i]] if buffer[i] <= border else 0
    return n, t


@part
def split(column, border, rows, spare):
    """Move rows with a value up to the border to the front, in order; returns their number."""
    a = 0
    b = 0
    for i in range(len(rows)):  # without a branch, as in ``grow``
        r = rows[i]
        rows[a] = r
        spare[b] = r
        left = np.int64(column[r] <= border)
        a += left
        b += 1 - left
    for i in range(b):
        rows[a + i] = spare[i]
    return a


@part
def total(rows, weight):
    """The weight of rows."""
    if len(weight) == 0:
        return len(rows)
    t = 0
    for r in rows:
        t += weight[r]
    return t


@part
def search(columns, unlabeled, labeled, t, l, known, weight, limits, risk, memory):  # noqa: E741
    """Find the best of the random cuts of a node; ``known`` and its features are as in ``search.search_node``.

    Returns its feature (-1 if there is none) and threshold, the weight and labeled weight on its left, the risk of both
    children, and the number of features now known to be constant.
    """
    features, constants, state, buffer = memory.features, memory.constants, memory.state, memory.buffer
    d = len(columns)
    u = len(unlabeled)
    m = u + len(labeled)
    unit = 4.0 * masses(risk, t, l)[0]
    least = np.inf
    cut = -1, 0.0, 0, 0, 0.0, 0.0
    free = d
    new_constants = 0
    drawn = 0
    varying = 0
    while free > known + new_constants and varying < limits.max_features:
        j = draw_int(state, drawn, free - new_constants)
        if j < known:
            features[drawn], features[j] = features[j], features[drawn]
            drawn += 1
            continue
        j += new_constants
        f = features[j]
        column = columns[f]
        for i in range(u):
            buffer[i] = column[unlabeled[i]]
        for i in range(u, m):
            buffer[i] = column[labeled[i - u]]
        low = high = buffer[0]
        for i in range(1, m):
            x = buffer[i]
            low = x if x < low else low
            high = x if x > high else high
        if low == high:
            place = known + new_constants
            features[j], features[place] = features[place], features[j]
            new_constants += 1
            continue
        free -= 1
        features[free], features[j] = features[j], features[free]
        varying += 1
        threshold = draw_uniform(state, np.float64(low), np.float64(high))
        if threshold >= high:
            threshold = np.float64(low)
        set_border(threshold, memory.border)
        border = memory.border[0]
        n_u, t_u = count_left(buffer[:u], unlabeled, border, weight)
        n_l, t_l = count_left(buffer[u:m], labeled, border, weight)
        if n_u + n_l < limits.min_leaf or m - n_u - n_l < limits.min_leaf:
            continue
        left = node_risk(risk, t_u + t_l, t_l)
        right = node_risk(risk, t - t_u - t_l, l - t_l)
        if is_less(left + right, least, unit + abs(left) + abs(right)):
            least = left + right
            cut = f, threshold, t_u + t_l, t_l, left, right
    for i in range(known):
        features[i] = constants[i]
    for i in range(known, known + new_constants):
        constants[i] = features[i]
    return cut, known + new_constants


@entry
def _grow(columns, order, n_unlabeled, weight, limits, risk, start, memory):
    """Grow a tree in the memory; returns its number of nodes. An empty ``weight`` weighs all rows 1."""
    rows, spare, tree, place, amount = memory.rows, memory.spare, memory.nodes, memory.place, memory.amount
    memory.state[0] = start
    for f in range(len(columns)):
        memory.features[f] = f
        memory.constants[f] = 0
    n = len(order)
    for i in range(n):
        rows[i] = order[i]
    whole = total(rows[:n], weight)
    marked = total(rows[n_unlabeled:n], weight)
    push(
        place[0], amount[0], 0, n_unlabeled, n_unlabeled, n, 0, -1, 0, 0, whole, marked, node_risk(risk, whole, marked)
    )
    top = 1
    nodes = 0
    while top > 0:
        top -= 1
        u0, u1, k0, k1, depth, parent, is_left, known = place[top]
        t, l = np.int64(amount[top, 0]), np.int64(amount[top, 1])  # noqa: E741
        value = amount[top, 2]
        current = nodes
        nodes += 1
        m = u1 - u0 + k1 - k0
        open_node(tree, current, parent, is_left, m, t, l)
        # a single row draws features as copies of it do
        if depth >= limits.max_depth or 1 < m < 2 * limits.min_leaf or is_final(risk, value, l):
            continue
        unlabeled, labeled = rows[u0:u1], rows[k0:k1]
        cut, constant_ones = search(columns, unlabeled, labeled, t, l, np.int64(known), weight, limits, risk, memory)
        f, threshold, t_left, l_left, left, right = cut
        if f < 0:
            continue
        set_border(threshold, memory.border)
        u = u0 + split(columns[f], memory.border[0], unlabeled, spare)
        k = k0 + split(columns[f], memory.border[0], labeled, spare)
        tree.feature[current] = f
        tree.threshold[current] = threshold
        tree.gain[current] = value - left - right
        # right first, so that left is taken from the stack first
        push(place[top], amount[top], u, u1, k, k1, depth + 1, current, 0, constant_ones, t - t_left, l - l_left, right)
        push(place[top + 1], amount[top + 1], u0, u, k0, k, depth + 1, current, 1, constant_ones, t_left, l_left, left)
        top += 2
    return nodes


def grow_random(
    columns: np.ndarray,
    order: np.ndarray,
    n_unlabeled: int,
    weight: np.ndarray,
    limits: Limits,
    risk: Risk,
    state: int,
    memory: Memory | None = None,
) -> Grown:
    """Grow one tree; ``gain`` is the reduction of the risk by a split.

    ``columns`` are those of ``as_columns``; ``order`` holds the unlabeled rows, then the labeled ones; ``weight`` whole
    numbers, or nothing for rows that all weigh 1; ``state``, in [0, 2^31 - 1), that of the generator.
    """
    memory = working_memory(columns) if memory is None else memory
    nodes = _grow(columns, order, n_unlabeled, weight, limits, risk, state, memory)
    return Grown(*(column[:nodes].copy() for column in memory.nodes))
