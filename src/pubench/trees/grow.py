"""Growing one tree: an explicit stack, depth first, left before right, features drawn as scikit-learn draws them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .codes import CLOSE, Coded
from .criteria import ENTROPY, PU_HELLINGER, SNAP, child_values, improvement, node_value
from .groups import Scratch, gather, scratch
from .kernel import digest, entry
from .rng import draw_int
from .splitter import SMALL, TOLERANCE, best_cut, random_cut

EPSILON = 2.0**-52  # scikit-learn's tolerance for an impurity of zero


class Options(NamedTuple):
    """What steers the growth of a tree, in the types the kernel is compiled for."""

    criterion: int
    inv_c: float
    exact: bool
    random: bool
    purity_stop: bool
    max_depth: int
    min_split: int
    min_leaf: int
    max_features: int


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


def _compiled(source: int):
    """The kernel, cached under the digest of its sources."""

    @entry
    def grow_kernel(coded, all_rows, all_weights, options, state, s):
        if source == 0:  # never; makes the digest part of the cache key
            return None
        n, d = len(all_rows), len(coded.offsets) - 1
        size = max(1, 2 * n - 1)
        if options.max_depth < 20:
            size = min(size, 2 ** (options.max_depth + 1) - 1)
        feature = np.full(size, -2, np.int32)
        threshold = np.full(size, -2.0)
        children_left = np.full(size, -1, np.int32)
        children_right = np.full(size, -1, np.int32)
        n_rows = np.zeros(size, np.int32)
        totals = np.zeros(size)
        labels = np.zeros(size)
        gains = np.zeros(size)
        # features[:known] are constant in the node; consts remembers that prefix for its relatives
        features = np.arange(d).astype(np.int32)
        consts = np.zeros(d, np.int32)
        todo = np.empty((n + 1, 6), np.int32)  # start, end, depth, parent, is left, known constants
        own = np.empty(n + 1)  # the impurity, or own term of the distance, that a node got from the split that made it
        todo[0, 0] = 0
        todo[0, 1] = n
        todo[0, 2] = 0
        todo[0, 3] = -1
        todo[0, 4] = 0
        todo[0, 5] = 0
        top = 1
        nodes = 0
        grand = 0.0
        snap = SNAP if options.exact else 0.0
        ceiling = 2.0 - TOLERANCE if options.exact else 2.0  # of the squared Hellinger distance, in doubles too
        # literal mode: scikit-learn ends a node at impurity 0, Ortega Vazquez et al. (2023) at an own term of exactly 0
        limit = -1.0
        if not options.exact:
            if options.criterion == PU_HELLINGER:
                limit = 0.0
            elif options.criterion <= ENTROPY and options.purity_stop:
                limit = EPSILON
        while top > 0:
            top -= 1
            start, end, depth, parent, is_left, known = todo[top]
            me = nodes
            nodes += 1
            if parent >= 0:
                if is_left == 1:
                    children_left[parent] = me
                else:
                    children_right[parent] = me
            m = end - start
            rows = all_rows[start:end]
            weights = all_weights[start:end]
            total = 0.0
            labeled = 0.0
            for i in range(m):
                total += weights[i, 0]
                labeled += weights[i, 1]
            n_rows[me] = m
            totals[me] = total
            labels[me] = labeled
            if me == 0:
                grand = total
                own[top] = node_value(options.criterion, labeled, total)
            value = own[top]
            if depth >= options.max_depth or m < options.min_split or m < 2 * options.min_leaf or value <= limit:
                continue
            if options.purity_stop and (labeled <= 0.0 or labeled >= total):
                continue

            best = -np.inf
            best_feature = -1
            cut_left = -1
            cut_right = -1
            cut_t = 0.0
            cut_l = 0.0
            cut_threshold = 0.0
            free = d
            seen = 0
            found = 0
            drawn = 0
            constant = known
            while free > constant and (seen < options.max_features or seen <= found + drawn):
                seen += 1
                j = draw_int(state, drawn, free - found)
                if j < known:
                    features[drawn], features[j] = features[j], features[drawn]
                    drawn += 1
                    continue
                j += found
                f = features[j]
                slotted = options.exact and m > SMALL and labeled > 0.0 and coded.slots.shape[1] > 0
                if slotted:
                    low, high = gather(coded.slots[f], rows, s.code)
                    slotted = low < high  # two slots, so not constant
                if not slotted:
                    low, high = gather(coded.codes[f], rows, s.code)
                base = coded.offsets[f]
                if low == high or (
                    not options.exact
                    and coded.close[f]
                    and coded.values[base + high] <= coded.values[base + low] + CLOSE
                ):
                    features[j], features[constant] = features[constant], features[j]
                    found += 1
                    constant += 1
                    continue
                free -= 1
                features[free], features[j] = features[j], features[free]
                if options.random:
                    h, a, b, t, left, x = random_cut(
                        coded, f, weights, low, high, total, labeled, options, best, s, state
                    )
                elif options.criterion == PU_HELLINGER and (labeled <= 0.0 or best >= ceiling):
                    continue  # the distance is undefined at every cut, or cannot be beaten
                else:
                    h, a, b, t, left = best_cut(
                        coded, f, rows, weights, slotted, low, high, total, labeled, options, best, s
                    )
                    x = 0.0
                if a >= 0:
                    best = h
                    best_feature = f
                    cut_left = a
                    cut_right = b
                    cut_t = t
                    cut_l = left
                    cut_threshold = x
            features[:known] = consts[:known]
            consts[known : known + found] = features[known : known + found]
            if best_feature < 0:
                continue
            left, right = child_values(options.criterion, cut_t, cut_l, total, labeled, options.inv_c, snap)
            gain = improvement(options.criterion, best, value, left, right, cut_t, total)
            if limit == EPSILON and total / grand * gain + EPSILON < 0.0:
                continue

            codes = coded.codes[best_feature]
            i = 0
            p = m
            while i < p:
                if codes[rows[i]] <= cut_left:
                    i += 1
                else:
                    p -= 1
                    rows[i], rows[p] = rows[p], rows[i]
                    weights[i, 0], weights[p, 0] = weights[p, 0], weights[i, 0]
                    weights[i, 1], weights[p, 1] = weights[p, 1], weights[i, 1]
            p += start
            if not options.random:
                base = coded.offsets[best_feature]
                cut_threshold = coded.values[base + cut_left] / 2.0 + coded.values[base + cut_right] / 2.0
            feature[me] = best_feature
            threshold[me] = cut_threshold
            gains[me] = gain
            for side in range(2):  # right first, so that left is taken from the stack first
                todo[top, 0] = p if side == 0 else start
                todo[top, 1] = end if side == 0 else p
                todo[top, 2] = depth + 1
                todo[top, 3] = me
                todo[top, 4] = side
                todo[top, 5] = constant
                own[top] = right if side == 0 else left
                top += 1
        return (
            feature[:nodes].copy(),
            threshold[:nodes].copy(),
            children_left[:nodes].copy(),
            children_right[:nodes].copy(),
            n_rows[:nodes].copy(),
            totals[:nodes].copy(),
            labels[:nodes].copy(),
            gains[:nodes].copy(),
        )

    return grow_kernel


_grow = _compiled(digest())


def working_memory(coded: Coded) -> Scratch:
    """Scratch space for trees on these features; one a thread."""
    distinct = int(np.diff(coded.offsets).max(initial=1))
    return scratch(coded.codes.shape[1], 2 * distinct + 1)  # slot codes reach twice the number of labeled values


def grow(
    coded: Coded, labeled: np.ndarray, weight: np.ndarray, options: Options, state: int, s: Scratch | None = None
) -> Grown:
    """Grow one tree.

    Parameters
    ----------
    coded : Coded
        Features as codes.
    labeled : ndarray of shape (n_samples,), bool
        Labeled, or second-class, rows.
    weight : ndarray of shape (n_samples,), float64
        Row weights; rows of weight 0 are absent.
    options : Options
        Criterion, splitter and limits.
    state : int in [0, 2^31 - 1)
        State of the generator that features and thresholds are drawn with.
    s : Scratch, optional
        Memory to work in.

    Returns
    -------
    Grown
        The tree, in the units of ``weight``.
    """
    rows = np.flatnonzero(weight).astype(np.int32)
    s = working_memory(coded) if s is None else s
    weights = np.column_stack([weight[rows], weight[rows] * labeled[rows]])
    return Grown(*_grow(coded, rows, weights, options, np.array([state], np.uint64), s))
