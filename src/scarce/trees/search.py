"""The best split of a node over the features that it considers, in the order of drawing or of their index."""

from __future__ import annotations

import numpy as np

from .codes import CLOSE
from .criteria import PU_HELLINGER
from .cuts import NONE, TOLERANCE
from .gain_ratio import choose, note
from .kernel import part
from .levels import search_levels
from .random_cut import random_cut
from .rng import draw_int
from .rows import constant
from .splitter import group_values, search_slots, search_values
from .tally import tally

SPARSE = 4  # slots a row, beyond which a histogram of slots costs more than sorting the rows


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
    as scikit-learn draws them, and each is searched at once: a tally tells already whether it is constant. With
    ``options.by_index`` all are drawn first, and none at random where all are wanted.

    Returns
    -------
    tuple
        The cut as of ``search_values``, its feature (-1 if there is none), its threshold if drawn at random, and the
        number of features now known to be constant.
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
