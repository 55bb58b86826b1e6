"""Growing a tree some of whose features are categorical: node by node in Python, with the kernel's search.

A split with one branch per group of levels is stored as a chain of threshold nodes on one feature, highest level first,
so that these trees are walked as all others are:

    level > 2 ? right: branch of level 3
    level > 1 ? right: branch of level 2
    ...       left of the last node: a leaf for levels without a row

That leaf has the counts of the node that was split and so predicts its score. Several chain nodes may lead to one
branch. Chain nodes and this leaf have ``n_node_samples`` 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .codes import Coded
from .criteria import DKM, GINI, LEVELS, NONE, PU_HELLINGER, Node, child_values, improvement, node_value, rule_of
from .grow import Grown, Options, working_memory
from .kernel import entry
from .search import search_node

MISSING = -1  # the level of a missing value
LARGEST_LEVEL = 2**22  # half of it apart, levels are distinct float32 values
ELSEWHERE = -1  # the branch of levels that are not in the node


def levels(X: np.ndarray, categorical: np.ndarray) -> np.ndarray:
    """A float32 matrix with missing values of categorical features as a level of their own.

    Raises ValueError for a level that is neither missing nor a whole number from 0 to ``LARGEST_LEVEL``, and for a
    missing value of another feature.
    """
    if np.isnan(X[:, ~categorical]).any():
        raise ValueError("Input X contains NaN in a feature that is not categorical.")
    codes = X[:, categorical]
    codes = np.where(np.isnan(codes), np.float32(MISSING), codes)
    present = codes[~np.isnan(X[:, categorical])]
    if not ((present >= 0) & (present <= LARGEST_LEVEL) & (present == np.rint(present))).all():
        raise ValueError(f"categorical features must be whole numbers from 0 to {LARGEST_LEVEL}, or NaN where missing")
    X = X.copy()
    X[:, categorical] = codes
    return X


def chain(values: np.ndarray, branches: np.ndarray) -> list[tuple[float, int]]:
    """Thresholds from the highest down, each with the branch of the levels between it and the one before."""
    steps = [(values[-1] + 0.5, ELSEWHERE)]
    for i in range(len(values) - 1, -1, -1):
        steps.append((values[i] - 0.5, branches[i]))
        if i > 0 and values[i - 1] < values[i] - 1:
            steps.append((values[i - 1] + 0.5, ELSEWHERE))
    return [
        (float(border), int(branch))
        for (border, branch), (_, lower) in zip(steps, [*steps[1:], (None, None)], strict=True)
        if branch != lower
    ]


@entry
def _search(coded, unlabeled, unlabeled_weight, labeled, labeled_weight, known, options, memory):
    """Kind of the best split, its feature, both codes, its gain, and the number of constant features."""
    l = np.float64(labeled_weight.sum())  # noqa: E741
    t = l + np.float64(unlabeled_weight.sum())
    node = Node(unlabeled, unlabeled_weight, labeled, labeled_weight, t, l)
    rule = rule_of(options, t, l)
    cut, f, _, ones = search_node(
        coded, node, known, options, rule, memory.scratch, memory.features, memory.constants,
        memory.candidates, memory.state,
    )  # fmt: skip
    best, kind, a, b, tl, ll = cut
    gain = 0.0
    if kind != NONE:
        value = node_value(options.criterion, l, t)
        if kind != LEVELS or options.criterion == GINI:
            left, right = child_values(options.criterion, tl, ll, t, l, options.inv_c, rule.snap)
            gain = improvement(options.criterion, best, value, left, right, tl, t)
        elif options.criterion == PU_HELLINGER:
            gain = math.sqrt(best)
        else:
            gain = best if options.criterion == DKM else value + best / t
    return np.int64(kind), np.int64(f), np.int64(a), np.int64(b), gain, np.int64(ones)


class Task(NamedTuple):
    """A node to grow: its unlabeled and its labeled rows, and its place in the tree."""

    unlabeled: np.ndarray
    labeled: np.ndarray
    depth: int
    known: int
    parents: tuple[int, ...]
    is_left: bool


class Nodes:
    """Nodes in the order of growth, as rows in the order of the columns of ``Grown``."""

    def __init__(self):
        self.rows: list[list] = []

    def add(self, feature, threshold, n, t, l, gain) -> int:  # noqa: E741
        self.rows.append([feature, threshold, -1, -1, n, t, l, gain])
        return len(self.rows) - 1

    def attach(self, parents, child: int, *, left: bool) -> None:
        for parent in parents:
            self.rows[parent][2 if left else 3] = child

    def split(self, node: int, feature: int, steps: list[tuple[float, int]], gain: float) -> dict[int, list[int]]:
        """Put a split by levels after its node, the last one; returns the parents of each branch."""
        *_, t, l, _ = self.rows[node]  # noqa: E741
        self.rows[node][:2], self.rows[node][7] = [feature, steps[0][0]], gain
        for border, _ in steps[1:]:
            link = self.add(feature, border, 0, t, l, 0.0)
            self.attach([link - 1], link, left=True)
        elsewhere = self.add(-2, -2.0, 0, t, l, 0.0)
        self.attach([elsewhere - 1], elsewhere, left=True)
        parents: dict[int, list[int]] = {}
        for place, (_, branch) in enumerate(steps):
            parents.setdefault(branch, []).append(node + place)
        self.attach(parents.pop(ELSEWHERE), elsewhere, left=False)
        return parents


def branches_of(codes, weight, labeled, rows, n_left: int, two: bool) -> tuple[np.ndarray, np.ndarray]:
    """Codes of the levels in the node, ascending, and the branch of each: its place, or 0 and 1 for the ``n_left``
    levels of lowest labeled share and the others."""
    present, level = np.unique(codes[rows], return_inverse=True)
    if not two:
        return present, np.arange(len(present))
    total = np.bincount(level, weights=weight[rows])
    share = np.bincount(level, weights=weight[rows] * labeled[rows]) / total
    branches = np.ones(len(present), int)
    branches[np.argsort(share, kind="stable")[:n_left]] = 0
    return present, branches


def grow_categorical(coded: Coded, labeled: np.ndarray, weight: np.ndarray, options: Options, state: int) -> Grown:
    """Grow one tree as ``grow`` does, with whole numbers in the categorical features and without slots.

    ``options.exact`` is true and ``options.random`` false. A left child follows its parent.
    """
    memory = working_memory(coded, labeled)
    memory.state[0] = state
    memory.features[:] = np.arange(len(coded.codes))
    memory.constants[:] = 0
    rows = np.flatnonzero(weight).astype(np.uint32)
    nodes = Nodes()
    todo = [Task(rows[~labeled[rows]], rows[labeled[rows]], 0, 0, (), False)]
    while todo:
        task = todo.pop()
        rows_of_node = task.unlabeled, task.labeled
        m = len(rows_of_node[0]) + len(rows_of_node[1])
        weights = weight[rows_of_node[0]], weight[rows_of_node[1]]
        l = float(weights[1].sum())  # noqa: E741
        current = nodes.add(-2, -2.0, m, float(weights[0].sum()) + l, l, 0.0)
        nodes.attach(task.parents, current, left=task.is_left)
        if task.depth >= options.max_depth or m < options.min_split:
            continue
        if options.purity_stop and not (len(rows_of_node[0]) and len(rows_of_node[1])):
            continue
        kind, f, a, b, gain, known = _search(
            coded, rows_of_node[0], weights[0], rows_of_node[1], weights[1], task.known, options, memory
        )
        if kind == NONE:
            continue
        codes, values = coded.codes[f], coded.values[coded.offsets[f] : coded.offsets[f + 1]].astype(float)
        if kind == LEVELS:
            every = np.concatenate(rows_of_node)
            present, branches = branches_of(codes, weight, labeled, every, a, options.criterion == GINI)
            parents = nodes.split(current, f, chain(values[present], branches), gain)
            branch = np.zeros(len(values), int)
            branch[present] = branches
            places = [(k, tuple(parents[k]), False) for k in range(branches.max() + 1)]
        else:
            nodes.rows[current][:2], nodes.rows[current][7] = [f, values[a] / 2.0 + values[b] / 2.0], gain
            branch = (np.arange(len(values)) > a).astype(int)
            places = [(0, (current,), True), (1, (current,), False)]
        for k, above, is_left in reversed(places):
            parts = [part[branch[codes[part]] == k] for part in rows_of_node]
            todo.append(Task(*parts, task.depth + 1, known, above, is_left))
    columns = zip(*nodes.rows, strict=True)
    return Grown(*(np.array(column, like.dtype) for column, like in zip(columns, memory.nodes, strict=True)))
