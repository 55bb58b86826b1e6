"""A node's rows grouped by the value code of one feature, ascending: by ranks if few, else by bins and a bit set."""

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
    """Memory for nodes of up to n rows, value codes below n_codes, or n_few where tallied, and slots below n_slots."""
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
    """Groups of at most ``FEW`` rows."""
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
    """Groups of any number of rows; rows are counted on demand."""
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
    """Groups of the first m gathered rows, of which the first ``n_unlabeled`` are not labeled; their number."""
    if m <= FEW:
        return group_few(m, n_unlabeled, s)
    return group_many(m, n_unlabeled, counted, s)
