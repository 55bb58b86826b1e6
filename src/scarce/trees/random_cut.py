"""The cut of one feature in one node at a random threshold."""

from __future__ import annotations

import numpy as np

from .cuts import NONE, VALUES, score_at
from .kernel import part
from .rng import draw_uniform


@part
def random_cut(coded, f, node, rule, min_leaf, best, state):
    """One cut of feature f at a threshold drawn uniformly between its extremes, if it beats ``best``.

    Returns
    -------
    tuple
        As ``search_values``, with the drawn threshold appended.
    """
    codes = coded.codes[f]
    values = coded.values[coded.offsets[f] : coded.offsets[f + 1]]
    low = high = codes[node.unlabeled[0] if len(node.unlabeled) > 0 else node.labeled[0]]
    for rows in (node.unlabeled, node.labeled):
        for r in rows:
            low = min(low, codes[r])
            high = max(high, codes[r])
    threshold = draw_uniform(state, np.float64(values[low]), np.float64(values[high]))
    if threshold >= values[high]:
        threshold = np.float64(values[low])
    a = np.int64(low)  # the largest code whose value is not above the threshold
    b = np.int64(high)
    while b - a > 1:
        mid = (a + b) >> 1
        if values[mid] <= threshold:
            a = mid
        else:
            b = mid
    t = 0
    n = 0
    for i in range(len(node.unlabeled)):
        left = codes[node.unlabeled[i]] <= a
        t += node.unlabeled_weight[i] if left else 0
        n += left
    l = 0  # noqa: E741
    for i in range(len(node.labeled)):
        left = codes[node.labeled[i]] <= a
        l += node.labeled_weight[i] if left else 0  # noqa: E741
        n += left
    few = n < min_leaf or len(node.unlabeled) + len(node.labeled) - n < min_leaf
    if few or t + l < rule.least or node.t - (t + l) < rule.least:
        return best, NONE, 0, 0, 0.0, 0.0, threshold
    h = score_at(np.float64(t + l), np.float64(l), node, rule)
    if not h > best + rule.margin:
        return best, NONE, 0, 0, 0.0, 0.0, threshold
    return h, VALUES, a, b, np.float64(t + l), np.float64(l), threshold
