"""A node's rows grouped by the value of a feature that has few: tallies by value, no sort."""

from __future__ import annotations

import numpy as np

from .kernel import lowest_bit, part


@part
def tally(codes, n_values, node, s):
    """Groups of the node's rows, ascending; their number. Rows are not counted.

    Unlabeled rows are added in four places, in turn, so that additions need not wait for one another. Where rows are
    fewer than values, bits tell which values to look at: one bit for 1, 2 or 4 neighbours, so that a word is enough.
    """
    one = np.uint64(1)
    two = np.uint64(2)
    three = np.uint64(3)
    four = np.uint64(4)
    rows = node.unlabeled
    weights = node.unlabeled_weight
    m = len(rows)
    whole = m - m % 4
    for i in range(0, whole, 4):
        s.tallies[four * np.uint64(codes[rows[i]])] += weights[i]
        s.tallies[four * np.uint64(codes[rows[i + 1]]) + one] += weights[i + 1]
        s.tallies[four * np.uint64(codes[rows[i + 2]]) + two] += weights[i + 2]
        s.tallies[four * np.uint64(codes[rows[i + 3]]) + three] += weights[i + 3]
    for i in range(whole, m):
        s.tallies[four * np.uint64(codes[rows[i]])] += weights[i]
    for i in range(len(node.labeled)):
        s.labeled_bins[np.uint64(codes[node.labeled[i]])] += node.labeled_weight[i]

    shift = np.uint64(0)
    while n_values > (64 << np.int64(shift)):
        shift += one
    blocks = ((np.uint64(n_values) - one) >> shift) + one
    present = ~np.uint64(0) >> (np.uint64(64) - blocks)
    if m + len(node.labeled) < n_values:
        present = np.uint64(0)
        for i in range(m):
            present |= one << (np.uint64(codes[rows[i]]) >> shift)
        for i in range(len(node.labeled)):
            present |= one << (np.uint64(codes[node.labeled[i]]) >> shift)
    g = 0
    while present != np.uint64(0):
        begin = lowest_bit(present) << shift
        present &= present - one
        for c in range(begin, begin + (one << shift)):
            at = four * np.uint64(c)
            labeled = s.labeled_bins[np.uint64(c)]
            weight = s.tallies[at] + s.tallies[at + one] + s.tallies[at + two] + s.tallies[at + three] + labeled
            s.labeled_bins[np.uint64(c)] = 0
            s.tallies[at + three] = 0
            s.tallies[at] = 0
            s.tallies[at + one] = 0
            s.tallies[at + two] = 0
            s.group[g] = c  # without a branch: the group counts if it has a weight
            s.group_weight[g] = weight
            s.group_labeled[g] = labeled
            g += np.int64(weight > 0)
    return g
