"""The best split of a node over the features that it considers, in the order of drawing or of their index.

C4.5 chooses among the best splits of the features by other rules (Quinlan, 1993; 1996). A numeric feature's gain is
reduced by ``log2(number of its cuts)/rows``, the cost of naming the cut. Among the features whose gain is at least the
mean of the positive gains, the highest ratio of gain to split information wins. Split information is the entropy of the
branch sizes, which is large where a feature has many branches. Without a positive gain the node is a leaf. At least two
branches must have two rows. A row of weight w counts as w rows in both rules.
"""

from __future__ import annotations

import math

import numpy as np

from .codes import CLOSE
from .criteria import ENTROPY, LEVELS, LN2, NONE, PU_HELLINGER, TOLERANCE, entropy, node_value
from .groups import tally
from .kernel import part
from .rng import draw_int
from .splitter import group_values, random_cut, search_levels, search_slots, search_values

COLUMNS = 10  # score, kind, both codes, weight and labeled weight on the left, feature, threshold; gain, information
SPARSE = 4  # slots a row, beyond which a histogram of slots costs more than sorting the rows


@part
def constant(codes, values, close, unlabeled, labeled):
    """Whether all rows have one value, or with ``close`` no two that differ enough; stops as soon as that is known."""
    low = high = codes[unlabeled[0] if len(unlabeled) > 0 else labeled[0]]
    for rows in (unlabeled, labeled):
        for r in rows:
            c = codes[r]
            if c != low and c != high:
                low = min(low, c)
                high = max(high, c)
                if not close or values[high] > values[low] + CLOSE:
                    return False
    return True


@part
def note(candidate, f, h, kind, a, b, tl, ll, threshold, n_cuts, row, node, s):
    """Store the best split of feature f; ``row`` is the weight of a row, ``s`` has the levels of a multiway split."""
    candidate[0] = h
    candidate[1] = kind
    candidate[2] = a
    candidate[3] = b
    candidate[4] = tl
    candidate[5] = ll
    candidate[6] = f
    candidate[7] = threshold
    gain = node_value(ENTROPY, node.l, node.t) + h / node.t
    if kind == LEVELS:
        information = 0.0
        for i in range(a):
            share = s.group_weight[i] / node.t
            information -= share * (math.log(share) / LN2)
    else:
        gain -= math.log(n_cuts) / LN2 * row / node.t
        information = entropy(tl, node.t)
    candidate[8] = gain
    candidate[9] = information


@part
def choose(candidates, k):
    """The place of the winner among the first k candidates; -1 if none has a positive gain."""
    total = 0.0
    n = 0
    for i in range(k):
        if candidates[i, 8] > TOLERANCE:
            total += candidates[i, 8]
            n += 1
    best = -np.inf
    chosen = -1
    for i in range(k):
        gain = candidates[i, 8]
        if gain > TOLERANCE and gain >= total / n - TOLERANCE and gain / candidates[i, 9] > best + TOLERANCE:
            best = gain / candidates[i, 9]
            chosen = i
    return chosen


@part
def sort_features(features, begin, end):
    """Put a stretch of features in the order of their index."""
    for i in range(begin + 1, end):
        f = features[i]
        j = i
        while j > begin and features[j - 1] > f:
            features[j] = features[j - 1]
            j -= 1
        features[j] = f


@part
def search_node(coded, node, known, options, rule, s, features, constants, candidates, state):
    """Search a node.

    ``features[:known]`` are constant in the node; ``constants`` has that prefix for its relatives. Features are drawn
    as scikit-learn draws them, and each is searched at once, since a tally also shows whether it is constant. With
    ``options.by_index`` all are drawn first, and nothing is drawn where all features are searched.

    Returns the cut as ``search_values`` does, its feature (-1 if there is none), its threshold if drawn at random, and
    the number of features now known to be constant.
    """
    d = len(coded.n_slots)
    m = len(node.unlabeled) + len(node.labeled)
    ceiling = 2.0 - TOLERANCE if options.exact else 2.0  # of the squared Hellinger distance, in doubles too
    min_leaf = options.min_leaf
    in_turn = options.by_index and options.max_features >= d
    best = -np.inf
    cut = best, NONE, 0, 0, 0.0, 0.0
    cut_feature = -1
    cut_threshold = 0.0
    n_candidates = 0
    free = d
    seen = 0
    new_constants = 0
    drawn = 0
    constant_ones = known
    more = True
    g = 0
    while more:
        last = free
        more = False
        while free > constant_ones and (seen < options.max_features or seen <= new_constants + drawn):
            seen += 1
            j = drawn if in_turn else draw_int(state, drawn, free - new_constants)
            if j < known:
                features[drawn], features[j] = features[j], features[drawn]
                drawn += 1
                continue
            j += new_constants
            f = features[j]
            values = coded.values[coded.offsets[f] : coded.offsets[f + 1]]
            close = coded.close[f] and not options.exact
            if coded.n_few[f] > 0 and not options.by_index:
                g = tally(coded.slots[f], coded.n_few[f], node, s)
                same = g == 1 or (close and values[s.group[g - 1]] <= values[s.group[0]] + CLOSE)
            else:
                same = constant(coded.codes[f], values, close, node.unlabeled, node.labeled)
            if same:
                features[j], features[constant_ones] = features[constant_ones], features[j]
                new_constants += 1
                constant_ones += 1
                continue
            free -= 1
            features[free], features[j] = features[j], features[free]
            if not options.by_index:
                more = True
                break
        if options.by_index:
            sort_features(features, free, last)
        for i in range(free, last):
            f = features[i]
            x = 0.0
            if options.criterion == PU_HELLINGER and not options.random and (len(node.labeled) == 0 or best >= ceiling):
                continue  # the distance is undefined at every cut, or cannot be beaten
            if coded.categorical[f]:
                h, kind, a, b, ct, cl = search_levels(coded, f, node, rule, min_leaf, best, s)
            elif options.random:
                h, kind, a, b, ct, cl, x = random_cut(coded, f, node, rule, min_leaf, best, state)
            elif m > options.small and 0 < coded.n_slots[f] <= SPARSE * m and len(node.labeled) > 0:
                h, kind, a, b, ct, cl = search_slots(coded, f, node, rule, best, s)
            else:
                if coded.n_few[f] == 0:
                    g = group_values(coded, f, node, min_leaf > 1 or options.gain_ratio, s)
                elif options.by_index:
                    g = tally(coded.slots[f], coded.n_few[f], node, s)
                h, kind, a, b, ct, cl = search_values(g, coded, f, node, rule, min_leaf, best, s)
            if kind == NONE:
                continue
            if options.gain_ratio:  # all features are compared with one another first
                n_cuts = 1 if options.random else s.n_cuts[0]
                note(candidates[n_candidates], f, h, kind, a, b, ct, cl, x, n_cuts, options.row, node, s)
                n_candidates += 1
                continue
            best = h
            cut = h, kind, a, b, ct, cl
            cut_feature = f
            cut_threshold = x
    if options.gain_ratio:
        i = choose(candidates, n_candidates)
        if i >= 0:
            c = candidates[i]
            cut = c[0], np.int64(c[1]), np.int64(c[2]), np.int64(c[3]), c[4], c[5]
            cut_feature = np.int64(c[6])
            cut_threshold = c[7]
    for i in range(known):
        features[i] = constants[i]
    for i in range(known, known + new_constants):
        constants[i] = features[i]
    return cut, cut_feature, cut_threshold, constant_ones
