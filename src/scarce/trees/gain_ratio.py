"""C4.5's choice among the best splits of the features (Quinlan, 1993; 1996).

A numeric feature's gain is reduced by ``log2(number of its cuts)/rows``, the cost of naming the cut. Among the features
whose gain is at least the mean of the positive gains, the highest ratio of gain to split information wins. Split
information is the entropy of the branch sizes; it is large if a feature has many branches. Without a positive gain the
node is a leaf. At least two branches must have two rows. A row of weight w counts as w rows in both rules.
"""

from __future__ import annotations

import math

import numpy as np

from .criteria import ENTROPY, LN2, entropy, node_value
from .cuts import LEVELS, TOLERANCE
from .kernel import part

COLUMNS = 10  # score, kind, both codes, weight and labeled weight on the left, feature, threshold; gain, information


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
    """The place of the winner among the first k candidates, -1 if none has a positive gain."""
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
