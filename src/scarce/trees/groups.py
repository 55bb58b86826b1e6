"""A node's rows grouped by the value code of one feature, ascending.

Few rows are sorted by ranks, many by bins and a bit set; features of few values are tallied without a sort.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .kernel import lowest_bit, part

FEW = 64  # rows of a node that are sorted by counting smaller ones, which the processor does eight at a time


class Scratch(NamedTuple):
    """Working memory of the searches of one tree, allocated once. Bins and bit sets are always left at zero."""

    code: np.ndarray  # gathered rows: code, weight; unlabeled rows first
    weight: np.ndarray
    key: np.ndarray  # of few rows: code and place, as they come and sorted
    sorted: np.ndarray
    group: np.ndarray  # per group: code, weight, labeled weight, rows
    group_weight: np.ndarray
    group_labeled: np.ndarray
    group_count: np.ndarray
    bins: np.ndarray  # per code: weight, labeled weight, rows
    labeled_bins: np.ndarray
    count_bins: np.ndarray
    tallies: np.ndarray  # per value: unlabeled weight in four parts
    words: np.ndarray  # the set of codes present, one bit a code, and the set of words that are not zero
    upper: np.ndarray
    cut: np.ndarray  # per candidate cut: its left group, or slot; weight and labeled weight on the left; rank
    cut_weight: np.ndarray
    cut_labeled: np.ndarray
    rank: np.ndarray
    n_cuts: np.ndarray  # of the feature last searched by value


def scratch(n: int, n_codes: int, n_slots: int, n_few: int) -> Scratch:
    """Memory for nodes of up to n rows; codes are below n_codes, tallied codes below n_few, slots below n_slots."""
    i, w, f = (lambda k: np.zeros(k, np.int32)), (lambda k: np.zeros(k, np.int64)), (lambda k: np.zeros(k))
    u = lambda k: np.zeros(k, np.uint64)  # noqa: E731
    n_bins = max(n_codes, 2 * n_slots) + 8
    n_cuts = max(n, n_slots, n_few) + 4
    n_words = n_bins // 64 + 1
    return Scratch(
        i(n), w(n), w(FEW), w(FEW), i(n + 1), w(n + 1), w(n + 1), i(n + 1), w(n_bins), w(n_bins), i(n_bins),
        w(4 * (n_few + 8)), u(n_words),
        u(n_words // 64 + 1), i(n_cuts), f(n_cuts), f(n_cuts), f(n_cuts), w(1),
    )  # fmt: skip


@part
def gather(codes, rows, weights, at, s):
    """Copy codes and weights of the rows to the scratch, from place ``at`` on."""
    for i in range(len(rows)):
        s.code[at + i] = codes[rows[i]]
        s.weight[at + i] = weights[i]


@part
def group_few(m, n_unlabeled, s):
    """Group at most ``FEW`` rows."""
    for i in range(m):
        s.key[i] = (np.int64(s.code[i]) << 6) | i
    for i in range(m):
        x = s.key[i]
        r = np.int64(0)
        for j in range(m):
            r += np.int64(s.key[j] < x)
        s.sorted[np.uint64(r)] = x
    g = -1
    last = np.int64(-1)
    for i in range(m):
        code = s.sorted[i] >> 6
        place = s.sorted[i] & 63
        weight = s.weight[place]
        if code != last:
            last = code
            g += 1
            s.group[g] = code
            s.group_weight[g] = 0
            s.group_labeled[g] = 0
            s.group_count[g] = 0
        s.group_weight[g] += weight
        s.group_labeled[g] += weight if place >= n_unlabeled else 0
        s.group_count[g] += 1
    return g + 1


@part
def mark(code, s):
    """Add a code to the set of those present."""
    word = np.uint64(code) >> np.uint64(6)
    s.words[word] |= np.uint64(1) << (np.uint64(code) & np.uint64(63))
    s.upper[word >> np.uint64(6)] |= np.uint64(1) << (word & np.uint64(63))


@part
def group_many(m, n_unlabeled, counted, s):
    """Group any number of rows; rows are counted on demand."""
    for i in range(m):
        c = np.uint64(s.code[i])
        s.bins[c] += s.weight[i]
        mark(c, s)
    for i in range(n_unlabeled, m):
        s.labeled_bins[np.uint64(s.code[i])] += s.weight[i]
    if counted:
        for i in range(m):
            s.count_bins[np.uint64(s.code[i])] += 1
    one = np.uint64(1)
    g = 0
    for u in range(len(s.upper)):
        above = s.upper[u]
        s.upper[u] = np.uint64(0)
        while above != np.uint64(0):
            word = np.uint64(u) * np.uint64(64) + lowest_bit(above)
            above &= above - one
            bits = s.words[word]
            s.words[word] = np.uint64(0)
            while bits != np.uint64(0):
                c = word * np.uint64(64) + lowest_bit(bits)
                bits &= bits - one
                s.group[g] = c
                s.group_weight[g] = s.bins[c]
                s.group_labeled[g] = s.labeled_bins[c]
                s.bins[c] = 0
                s.labeled_bins[c] = 0
                if counted:
                    s.group_count[g] = s.count_bins[c]
                    s.count_bins[c] = 0
                g += 1
    return g


@part
def group(m, n_unlabeled, counted, s):
    """Group the first m gathered rows, the first ``n_unlabeled`` of which are unlabeled; returns how many groups."""
    if m <= FEW:
        return group_few(m, n_unlabeled, s)
    return group_many(m, n_unlabeled, counted, s)


@part
def tally(codes, n_values, node, s):
    """Group the node's rows by the value of a feature that has few, ascending; returns the number of groups.

    Unlabeled rows are added in four places, in turn, so that additions need not wait for one another. Where rows are
    fewer than values, bits mark the values to look at: one bit for 1, 2 or 4 neighbours, so that a word is enough. Rows
    are not counted.
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
