"""Growing one tree: an explicit stack, depth first, left before right, features drawn as scikit-learn draws them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .codes import Coded
from .criteria import ENTROPY, PU_HELLINGER, SLOTS, Node, child_values, improvement, least_weight, node_value, rule_of
from .groups import Scratch, scratch
from .kernel import entry, part
from .search import COLUMNS, search_node

EPSILON = 2.0**-52  # scikit-learn's tolerance for an impurity of zero


class Options(NamedTuple):
    """Criterion, splitter and limits, in the types the kernel is compiled for."""

    criterion: int
    inv_c: float
    exact: bool
    random: bool
    purity_stop: bool
    max_depth: int
    min_split: int
    min_leaf: int
    max_features: int
    small: int = 48  # rows up to which a node is sorted, and not counted by slots
    by_index: bool = False  # whether features are searched in the order of their index
    gain_ratio: bool = False  # whether C4.5's rules choose the feature
    row: float = 1.0  # weight of one row of the caller, in the kernel's whole numbers


class Grown(NamedTuple):
    """A tree as arrays over its nodes in pre-order; children are -1 and the feature is -2 at a leaf."""

    feature: np.ndarray
    threshold: np.ndarray
    children_left: np.ndarray
    children_right: np.ndarray
    n_node_samples: np.ndarray
    weight: np.ndarray
    labeled: np.ndarray
    gain: np.ndarray


class Rows(NamedTuple):
    """Rows of a tree and their weights, unlabeled and labeled ones apart; each node is a stretch of either."""

    unlabeled: np.ndarray
    unlabeled_weight: np.ndarray
    labeled: np.ndarray
    labeled_weight: np.ndarray
    spare: np.ndarray
    spare_weight: np.ndarray


class Memory(NamedTuple):
    """Arrays in which one tree is grown after another, allocated once a thread."""

    rows: Rows
    scratch: Scratch
    nodes: Grown
    # a stack of nodes to grow: begin and end of unlabeled and of labeled rows, depth, parent, whether left, number of
    # features known to be constant; weight, labeled weight, impurity or own term of the distance
    place: np.ndarray
    amount: np.ndarray
    features: np.ndarray  # in the order of drawing
    constants: np.ndarray
    state: np.ndarray  # of the generator
    candidates: np.ndarray  # for C4.5, the best split of each feature


def working_memory(coded: Coded, labeled: np.ndarray) -> Memory:
    """Memory to grow trees on these features."""
    n, d, k = len(labeled), len(coded.n_slots), int(labeled.sum())
    row, weight = (lambda size: np.empty(size, np.uint32)), (lambda size: np.empty(size, np.int64))
    distinct = int(np.diff(coded.offsets).max(initial=1))
    size = max(1, 2 * n - 1)
    whole, real = (lambda: np.empty(size, np.int32)), (lambda: np.empty(size))
    return Memory(
        Rows(row(n - k + 1), weight(n - k + 1), row(k + 1), weight(k + 1), row(n), weight(n)),  # one to write past
        scratch(n, distinct, int(coded.n_slots.max(initial=0)), int(coded.n_few.max(initial=0))),
        Grown(whole(), real(), whole(), whole(), whole(), real(), real(), real()),
        np.empty((n + 1, 8), np.int32),
        np.empty((n + 1, 3)),
        np.empty(d, np.int32),
        np.empty(d, np.int32),
        np.empty(1, np.uint64),
        np.empty((d, COLUMNS)),
    )


@part
def fill(labeled, weight, rows):
    """Take the rows with a weight, in ascending order; returns the numbers of unlabeled and of labeled ones."""
    u = 0
    k = 0
    # without a branch: each row is written to both lists, of which one moves on, or none
    for i in range(len(weight)):
        w = weight[i]
        rows.unlabeled[u] = i
        rows.unlabeled_weight[u] = w
        rows.labeled[k] = i
        rows.labeled_weight[k] = w
        present = np.int64(w > 0)
        marked = present * np.int64(labeled[i])
        u += present - marked
        k += marked
    return u, k


@part
def split(codes, border, rows, weights, spare, spare_weights, keep):
    """Move rows with a code up to the border to the front; returns their number. Without ``keep`` others are lost."""
    a = 0
    b = 0
    for i in range(len(rows)):  # without a branch: each row is written to both sides, and one side moves on
        r = rows[i]
        w = weights[i]
        rows[a] = r
        weights[a] = w
        spare[b] = r
        spare_weights[b] = w
        left = np.int64(codes[r] <= border)
        a += left
        b += 1 - left
    if keep:
        for i in range(b):
            rows[a + i] = spare[i]
            weights[a + i] = spare_weights[i]
    return a


@part
def largest(codes, rows, least):
    """The largest code of the rows, at least ``least``."""
    for r in rows:
        least = max(least, codes[r])
    return least


@part
def smallest(codes, rows, most):
    """The smallest code of the rows, at most ``most``."""
    for r in rows:
        most = min(most, codes[r])
    return most


@part
def push(place, amount, u0, u1, k0, k1, depth, parent, is_left, known, t, l, value):  # noqa: E741
    """Put a node on the stack."""
    place[0] = u0
    place[1] = u1
    place[2] = k0
    place[3] = k1
    place[4] = depth
    place[5] = parent
    place[6] = is_left
    place[7] = known
    amount[0] = t
    amount[1] = l
    amount[2] = value


@part
def open_node(tree, node, parent, is_left, m, t, l):  # noqa: E741
    """Link a node to its parent, and make it a leaf for now."""
    if parent >= 0:
        if is_left == 1:
            tree.children_left[parent] = node
        else:
            tree.children_right[parent] = node
    tree.feature[node] = -2
    tree.threshold[node] = -2.0
    tree.children_left[node] = -1
    tree.children_right[node] = -1
    tree.n_node_samples[node] = m
    tree.weight[node] = t
    tree.labeled[node] = l
    tree.gain[node] = 0.0


@entry
def _grow(coded, labeled, weight, options, start, memory):
    """Grow a tree in the memory; returns its number of nodes."""
    rows, s, tree, place, amount, features, constants, state, _ = memory
    state[0] = start
    d = len(coded.n_slots)
    for f in range(d):  # features[:known] are constant in the node; constants has that prefix for its relatives
        features[f] = f
        constants[f] = 0
    lightest = 2.0 * least_weight(options)
    # literal mode: scikit-learn ends a node at impurity 0, Ortega Vazquez et al. (2023) at an own term of exactly 0
    limit = -1.0
    if not options.exact:
        if options.criterion == PU_HELLINGER:
            limit = 0.0
        elif options.criterion <= ENTROPY and options.purity_stop:
            limit = EPSILON
    u1, k1 = fill(labeled, weight, rows)
    grand_l = 0.0
    grand = 0.0
    for i in range(k1):
        grand_l += rows.labeled_weight[i]
    for i in range(u1):
        grand += rows.unlabeled_weight[i]
    grand += grand_l
    root_value = node_value(options.criterion, grand_l, grand)
    push(place[0], amount[0], 0, u1, 0, k1, 0, -1, 0, 0, grand, grand_l, root_value)
    top = 1
    nodes = 0
    while top > 0:
        top -= 1
        u0, u1, k0, k1, depth, parent, is_left, known = place[top]
        t, l, value = amount[top]  # noqa: E741
        current = nodes
        nodes += 1
        m = u1 - u0 + k1 - k0
        open_node(tree, current, parent, is_left, m, t, l)
        if depth >= options.max_depth or m < options.min_split or t < lightest or value <= limit:
            continue
        if options.purity_stop and (u0 == u1 or k0 == k1):
            continue
        unlabeled, unlabeled_weight = rows.unlabeled[u0:u1], rows.unlabeled_weight[u0:u1]
        node = Node(unlabeled, unlabeled_weight, rows.labeled[k0:k1], rows.labeled_weight[k0:k1], t, l)
        rule = rule_of(options, t, l)
        cut, cut_feature, cut_threshold, constant_ones = search_node(
            coded, node, np.int64(known), options, rule, s, features, constants, memory.candidates, state
        )
        if cut_feature < 0:
            continue
        best, kind, a, b, cut_t, cut_l = cut
        left, right = child_values(options.criterion, cut_t, cut_l, t, l, options.inv_c, rule.snap)
        gain = improvement(options.criterion, best, value, left, right, cut_t, t)
        if limit == EPSILON and t / grand * gain + EPSILON < 0.0:
            continue

        # a child of one class is a leaf, whose rows need not be kept once the border is known
        keep = kind == SLOTS or not options.purity_stop or (0.0 < l - cut_l < t - cut_t)
        codes = coded.codes[cut_feature]
        if kind == SLOTS or coded.n_few[cut_feature] > 0:
            slots = coded.slots[cut_feature]
            u = u0 + split(slots, a, node.unlabeled, node.unlabeled_weight, rows.spare, rows.spare_weight, keep)
            k = k0 + split(slots, a, node.labeled, node.labeled_weight, rows.spare, rows.spare_weight, keep)
        else:
            u = u0 + split(codes, a, node.unlabeled, node.unlabeled_weight, rows.spare, rows.spare_weight, keep)
            k = k0 + split(codes, a, node.labeled, node.labeled_weight, rows.spare, rows.spare_weight, keep)
        if kind == SLOTS:
            a = largest(codes, rows.labeled[k0:k], largest(codes, rows.unlabeled[u0:u], np.int32(0)))
            b = smallest(codes, rows.labeled[k:k1], smallest(codes, rows.unlabeled[u:u1], np.int32(2**31 - 1)))
        if not options.random:
            base = coded.offsets[cut_feature]
            cut_threshold = coded.values[base + a] / 2.0 + coded.values[base + b] / 2.0
        tree.feature[current] = cut_feature
        tree.threshold[current] = cut_threshold
        tree.gain[current] = gain
        # right first, so that left is taken from the stack first
        push(place[top], amount[top], u, u1, k, k1, depth + 1, current, 0, constant_ones, t - cut_t, l - cut_l, right)
        push(place[top + 1], amount[top + 1], u0, u, k0, k, depth + 1, current, 1, constant_ones, cut_t, cut_l, left)
        top += 2
    return nodes


def grow(
    coded: Coded, labeled: np.ndarray, weight: np.ndarray, options: Options, state: int, memory: Memory | None = None
) -> Grown:
    """Grow one tree, in the units of ``weight`` (whole numbers; rows of weight 0 are absent).

    ``state``, in [0, 2^31 - 1), is that of the generator that draws features and thresholds.
    """
    memory = working_memory(coded, labeled) if memory is None else memory
    nodes = _grow(coded, labeled, weight.astype(np.int64, copy=False), options, state, memory)
    return Grown(*(column[:nodes].copy() for column in memory.nodes))
