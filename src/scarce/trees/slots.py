"""The search of one feature by slot codes: a histogram, no sort.

Between two labeled values of a node the labeled weight on the left is fixed: a *stretch* of cuts. Its first and its
last cut can be scored from the histogram alone. The cuts between them matter only where ``splitter`` says so; then
the rows of that one stretch are grouped by their values.
"""

from __future__ import annotations

import math

import numpy as np

from .groups import group
from .kernel import lowest_bit, part


@part
def count(slots, rows, weights, bins):
    """Add the weights of the rows to their slots. Two bins a slot, taken in turn: additions need not wait."""
    m = len(rows)
    for i in range(0, m - 1, 2):
        bins[2 * np.uint64(slots[rows[i]])] += weights[i]
        bins[2 * np.uint64(slots[rows[i + 1]]) + np.uint64(1)] += weights[i + 1]
    if m % 2 == 1:
        bins[2 * np.uint64(slots[rows[m - 1]])] += weights[m - 1]


@part
def take(bins, begin, end):
    """The sum of some bins, which are set to zero."""
    total = 0
    for b in range(2 * begin, 2 * end):
        total += bins[b]
        bins[b] = 0
    return total


@part
def stretches(slots, n_slots, node, s):
    """Weights on the left of both ends of every stretch, cuts 2j and 2j + 1 of stretch j; the number of stretches.

    Stretch j starts after the slot ``s.cut[j]``. The first stretch starts before all rows and the last ends after
    them: those two are no cuts.
    """
    count(slots, node.unlabeled, node.unlabeled_weight, s.bins)
    for i in range(len(node.labeled)):
        c = np.uint64(slots[node.labeled[i]])
        s.labeled_bins[c] += node.labeled_weight[i]
        s.words[c >> np.uint64(6)] |= np.uint64(1) << (c & np.uint64(63))
    t = 0
    l = 0  # noqa: E741
    j = 0
    done = np.int64(0)
    s.cut[0] = -1
    s.cut_weight[0] = 0.0
    s.cut_labeled[0] = 0.0
    s.cut_labeled[1] = 0.0
    for word in range((n_slots + 63) // 64):
        bits = s.words[word]
        s.words[word] = np.uint64(0)
        while bits != np.uint64(0):
            c = np.int64(np.uint64(word) * np.uint64(64) + lowest_bit(bits))
            bits &= bits - np.uint64(1)
            t += take(s.bins, done, c)
            s.cut_weight[2 * j + 1] = t
            t += take(s.bins, c, c + 1) + s.labeled_bins[c]
            l += s.labeled_bins[c]  # noqa: E741
            s.labeled_bins[c] = 0
            done = c + 1
            j += 1
            s.cut[j] = c
            s.cut_weight[2 * j] = t
            s.cut_labeled[2 * j] = l
            s.cut_labeled[2 * j + 1] = l
    for b in range(2 * done, 2 * n_slots):
        s.bins[b] = 0
    s.cut_weight[2 * j + 1] = node.t
    s.cut[j + 1] = n_slots
    return j + 1


@part
def clipping(tl, ll, total, labeled, inv_c, snap):
    """Which sides of a cut have l/c >= t: 1 left, 2 right, 3 both; a side without labeled rows never has."""
    state = 0
    if ll > 0.0 and inv_c * ll >= tl * (1.0 - snap):
        state += 1
    lr = labeled - ll
    if lr > 0.0 and inv_c * lr >= (total - tl) * (1.0 - snap):
        state += 2
    return state


@part
def hidden_bound(t0, t1, ll, total, labeled, inv_c):
    """A bound of the squared Hellinger distance over cuts with labeled weight ll and weight t0 to t1 on the left."""
    a = inv_c * ll
    b = inv_c * (labeled - ll)
    bound = 0.0
    x = min(a, total - b, t1)  # where the stretch with a clipped left side ends
    if ll > 0.0 and x >= t0:
        bound = max(bound, 2.0 - 2.0 * math.sqrt(b / (x + b)))
    x = max(a, total - b, t0)  # where the stretch with a clipped right side starts
    if labeled > ll and x <= t1:
        bound = max(bound, 2.0 - 2.0 * math.sqrt(a / (total - x + a)))
    if min(a, t1) >= max(total - b, t0):
        bound = max(bound, 1.0)
    low = max(a, t0)
    high = min(total - b, t1)
    if low < high:
        scale = math.sqrt((a + b) * (total - a - b))
        for x in (low, high):
            left = math.sqrt(max(0.0, x - a) * a)
            right = math.sqrt(max(0.0, total - x - b) * b)
            bound = max(bound, 2.0 - 2.0 * (left + right) / scale)
    return bound + 1e-9


@part
def clipping_changes(t0, t1, ll, total, labeled, inv_c, snap):
    """Whether min(l/c, t) starts or stops clipping inside a stretch.

    The first stretch has no cut at its start, where a clipped right side is flat at the largest value.
    """
    after = clipping(t1, ll, total, labeled, inv_c, snap)
    if ll == 0.0:
        return after >= 2
    return after != clipping(t0, ll, total, labeled, inv_c, snap)


@part
def inside(codes, slots, j, node, s):
    """Group the rows inside stretch j by value; the number of groups. They are unlabeled."""
    after = s.cut[j]
    before = s.cut[j + 1]
    m = np.int64(0)
    for i in range(len(node.unlabeled)):
        row = node.unlabeled[i]
        slot = np.int64(slots[row])
        if slot > after and slot < before:
            s.code[m] = codes[row]
            s.weight[m] = node.unlabeled_weight[i]
            m += 1
    return group(m, m, np.bool_(False), s)
