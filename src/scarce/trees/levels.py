"""The split of a node by the levels of a categorical feature.

One branch a level present, or for gini two: levels in the order of their labeled share, cut at the best place, which
is the best of all ways to part them in two (Breiman et al., 1984, theorem 4.5).
"""

from __future__ import annotations

import numpy as np

from .criteria import GINI, branch_score
from .cuts import LEVELS, NONE, score_at
from .groups import gather, group
from .kernel import part


@part
def order_levels(g, s):
    """Sort the first g groups by their labeled share; equal ones stay in the order of their codes."""
    for i in range(1, g):
        code, weight, labeled, count = s.group[i], s.group_weight[i], s.group_labeled[i], s.group_count[i]
        share = labeled / weight
        j = i
        while j > 0 and s.group_labeled[j - 1] / s.group_weight[j - 1] > share:
            s.group[j] = s.group[j - 1]
            s.group_weight[j] = s.group_weight[j - 1]
            s.group_labeled[j] = s.group_labeled[j - 1]
            s.group_count[j] = s.group_count[j - 1]
            j -= 1
        s.group[j] = code
        s.group_weight[j] = weight
        s.group_labeled[j] = labeled
        s.group_count[j] = count


@part
def search_levels(coded, f, node, rule, min_leaf, best, s):
    """The split by the levels of feature f if it beats ``best``. The levels, in order, are left in ``s``.

    Returns
    -------
    tuple
        As ``search_values``. The first code is the number of branches of a multiway split, or for gini the number of
        levels that go left; the second one is the number of levels.
    """
    n_unlabeled = len(node.unlabeled)
    m = n_unlabeled + len(node.labeled)
    gather(coded.codes[f], node.unlabeled, node.unlabeled_weight, np.int64(0), s)
    gather(coded.codes[f], node.labeled, node.labeled_weight, n_unlabeled, s)
    g = group(m, n_unlabeled, np.bool_(True), s)
    if rule.criterion == GINI:
        order_levels(g, s)
        winner = best, NONE, 0, 0, 0.0, 0.0
        t = 0
        l = 0  # noqa: E741
        n = 0
        for i in range(g - 1):
            t += s.group_weight[i]
            l += s.group_labeled[i]  # noqa: E741
            n += s.group_count[i]
            h = score_at(np.float64(t), np.float64(l), node, rule)
            if n >= min_leaf and m - n >= min_leaf and h > best + rule.margin:
                best = h
                winner = best, LEVELS, i + 1, g, np.float64(t), np.float64(l)
        return winner
    heavy = 0
    for i in range(g):
        if s.group_count[i] < min_leaf:
            return best, NONE, 0, 0, 0.0, 0.0
        heavy += np.int64(s.group_weight[i] >= rule.least)
    # C4.5 asks for two branches of at least 2 rows, which is all branches where there are two
    if heavy < 2:
        return best, NONE, 0, 0, 0.0, 0.0
    h = branch_score(rule.criterion, g, s.group_weight, s.group_labeled, node.t, node.l)
    if h > best + rule.margin:
        return h, LEVELS, g, g, 0.0, 0.0
    return best, NONE, 0, 0, 0.0, 0.0
