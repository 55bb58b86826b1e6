"""The best cut of one feature in one node: exhaustive (best) or at a random threshold.

Two rules decide between cuts of (nearly) equal score.

literal
    Every admissible cut gets the double that the criterion's expression gives, and a strictly greater one wins:
    scikit-learn's rule, and that of Ortega Vazquez et al. (2023). Where the exact score is flat, rounding decides.
    Values closer than 1e-7 are one value.
exact
    Scores within ``TOLERANCE`` of each other are equal, and among equal ones the lowest threshold of the feature
    drawn first wins. Distinct float32 values are distinct.

Exact mode may skip cuts. With the labeled weight on the left fixed, every criterion is convex in the weight on the
left, as long as neither side of min(l/c, t) starts or stops clipping; where a side clips, the squared Hellinger
distance is monotone or flat:

* left clipped: ``2 - 2 sqrt(B/(t_l + B))`` with B = (L - l)/c, flat at 2 for B = 0;
* right clipped: ``2 - 2 sqrt(A/(t_r + A))`` with A = l/c, flat at 2 for A = 0;
* both clipped: N = 0 and the value is 1.

So within a stretch of constant labeled weight and constant clipping the first or the last cut is best, and the first
of them if the stretch is flat.
"""

from __future__ import annotations

import math

import numpy as np

from .codes import CLOSE
from .criteria import PU_HELLINGER, SNAP, score_cuts, score_unit
from .groups import gather, group
from .kernel import part
from .rng import draw_uniform

TOLERANCE = 1e-12
SMALL = 64  # nodes of up to so many rows are sorted, whatever the mode


@part
def all_cuts(g, values, close, n_rows, min_leaf, s):
    """List every admissible cut between the groups in s."""
    k = 0
    t = 0.0
    l = 0.0  # noqa: E741
    n = 0
    for i in range(g - 1):
        t += s.weight[i]
        l += s.labeled[i]  # noqa: E741
        if min_leaf > 1:
            n += s.count[i]
            if n < min_leaf or n_rows - n < min_leaf:
                continue
        if close and values[s.group[i + 1]] <= values[s.group[i]] + CLOSE:
            continue
        s.cut[k] = i
        s.cut_weight[k] = t
        s.cut_labeled[k] = l
        k += 1
    return k


@part
def clipping(tl, ll, total, labeled, inv_c):
    """Which sides of a cut have l/c >= t: 1 left, 2 right, 3 both; a side without labeled rows never has."""
    state = 0
    if ll > 0.0 and inv_c * ll >= tl * (1.0 - SNAP):
        state += 1
    lr = labeled - ll
    if lr > 0.0 and inv_c * lr >= (total - tl) * (1.0 - SNAP):
        state += 2
    return state


@part
def end_cuts(g, total, labeled, inv_c, clips, n_rows, min_leaf, s):
    """List the first and the last admissible cut of every stretch of constant labeled weight and clipping."""
    k = 0
    t = 0.0
    l = 0.0  # noqa: E741
    n = 0
    waiting = -1  # the latest cut of the present stretch, not listed yet
    waiting_t = 0.0
    stretch_l = -1.0
    stretch_state = -1
    for i in range(g - 1):
        t += s.weight[i]
        l += s.labeled[i]  # noqa: E741
        if min_leaf > 1:
            n += s.count[i]
            if n < min_leaf or n_rows - n < min_leaf:
                continue
        state = clipping(t, l, total, labeled, inv_c) if clips else 0
        if l == stretch_l and state == stretch_state:
            waiting = i
            waiting_t = t
            continue
        if waiting >= 0:
            s.cut[k] = waiting
            s.cut_weight[k] = waiting_t
            s.cut_labeled[k] = stretch_l
            k += 1
        s.cut[k] = i
        s.cut_weight[k] = t
        s.cut_labeled[k] = l
        k += 1
        stretch_l = l
        stretch_state = state
        waiting = -1
    if waiting >= 0:
        s.cut[k] = waiting
        s.cut_weight[k] = waiting_t
        s.cut_labeled[k] = stretch_l
        k += 1
    return k


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
            bound = max(bound, 2.0 - 2.0 * (math.sqrt((x - a) * a) + math.sqrt((total - x - b) * b)) / scale)
    return bound + 1e-9


@part
def slots_hide(g, total, labeled, inv_c, floor, s):
    """Whether a slot may hide a cut that scores above ``floor``: only where clipping differs between its two ends.
    Weights are whole numbers, so a slot of weight 1 holds one row.

    The slot below the first labeled row has no cut at its left end, where a clipped right side is flat at the largest
    value.
    """
    t = 0.0
    l = 0.0  # noqa: E741
    for i in range(g):
        if s.labeled[i] == 0.0 and s.weight[i] > 1.0:
            before = clipping(t, l, total, labeled, inv_c)
            after = clipping(t + s.weight[i], l, total, labeled, inv_c)
            if (before != after or (l == 0.0 and after >= 2)) and (
                hidden_bound(t, t + s.weight[i], l, total, labeled, inv_c) > floor
            ):
                return True
        t += s.weight[i]
        l += s.labeled[i]  # noqa: E741
    return False


@part
def best_of(k, best, margin, s):
    """Index of the cut a scan in order of threshold ends at, or -1 if none beats ``best`` by more than the margin."""
    chosen = -1
    for i in range(k):
        if s.score[i] > best + margin:
            best = s.score[i]
            chosen = i
    return chosen


@part
def search_slots(codes, slots, rows, weights, low, high, total, labeled, options, best, s):
    """The best cut at the ends of slots, in exact mode: whether slots may hide a better one, then as ``best_cut``."""
    margin = TOLERANCE * score_unit(options.criterion, labeled, total)
    clips = options.criterion == PU_HELLINGER and options.inv_c > 1.0
    g = group(weights, low, high, False, s)
    k = end_cuts(g, total, labeled, options.inv_c, clips, len(rows), 1, s)
    score_cuts(options.criterion, k, s.cut_weight, s.cut_labeled, total, labeled, options.inv_c, SNAP, s.score)
    i = best_of(k, best, margin, s)
    if clips:
        floor = best + margin if i < 0 else s.score[i] - 2.0 * margin
        if slots_hide(g, total, labeled, options.inv_c, floor, s):
            return True, best, -1, -1, 0.0, 0.0
    if i < 0:
        return False, best, -1, -1, 0.0, 0.0
    border = s.group[s.cut[i]]
    left = -1
    right = np.int32(2**31 - 1)
    for r in rows:
        c = codes[r]
        if slots[r] <= border:
            left = max(left, c)
        else:
            right = min(right, c)
    return False, s.score[i], left, right, s.cut_weight[i], s.cut_labeled[i]


@part
def best_cut(coded, f, rows, weights, slotted, low, high, total, labeled, options, best, s):
    """The best cut of feature f if it beats ``best``; its value codes, or slot codes if ``slotted``, stand in s.code.

    Returns
    -------
    tuple
        Score (``best`` if not beaten), value codes left and right of the cut (-1, -1), weight and labeled weight on
        its left.
    """
    m = len(rows)
    codes = coded.codes[f]
    if slotted:
        hidden, h, a, b, t, l = search_slots(  # noqa: E741
            codes, coded.slots[f], rows, weights, low, high, total, labeled, options, best, s
        )
        if not hidden:
            return h, a, b, t, l
        low, high = gather(codes, rows, s.code)
    g = group(weights, low, high, options.min_leaf > 1, s)
    margin = 0.0
    snap = 0.0
    if options.exact:
        margin = TOLERANCE * score_unit(options.criterion, labeled, total)
        snap = SNAP
        clips = options.criterion == PU_HELLINGER and options.inv_c > 1.0
        k = end_cuts(g, total, labeled, options.inv_c, clips, m, options.min_leaf, s)
    else:
        values = coded.values[coded.offsets[f] : coded.offsets[f + 1]]
        k = all_cuts(g, values, coded.close[f], m, options.min_leaf, s)
    score_cuts(options.criterion, k, s.cut_weight, s.cut_labeled, total, labeled, options.inv_c, snap, s.score)
    i = best_of(k, best, margin, s)
    if i < 0:
        return best, -1, -1, 0.0, 0.0
    j = s.cut[i]
    return s.score[i], s.group[j], s.group[j + 1], s.cut_weight[i], s.cut_labeled[i]


@part
def random_cut(coded, f, weights, low, high, total, labeled, options, best, s, state):
    """One cut of feature f at a threshold drawn uniformly between its extremes, if it beats ``best``.

    Returns
    -------
    tuple
        As ``best_cut``, with the drawn threshold appended.
    """
    values = coded.values[coded.offsets[f] : coded.offsets[f + 1]]
    threshold = draw_uniform(state, np.float64(values[low]), np.float64(values[high]))
    if threshold >= values[high]:
        threshold = np.float64(values[low])
    a = low  # the largest code whose value is not above the threshold
    b = high
    while b - a > 1:
        mid = (a + b) >> 1
        if values[mid] <= threshold:
            a = mid
        else:
            b = mid
    t = 0.0
    l = 0.0  # noqa: E741
    n = 0
    for i in range(len(weights)):
        if s.code[i] <= a:
            t += weights[i, 0]
            l += weights[i, 1]  # noqa: E741
            n += 1
    if n < options.min_leaf or len(weights) - n < options.min_leaf:
        return best, -1, -1, 0.0, 0.0, threshold
    s.cut_weight[0] = t
    s.cut_labeled[0] = l
    snap = SNAP if options.exact else 0.0
    margin = TOLERANCE * score_unit(options.criterion, labeled, total) if options.exact else 0.0
    score_cuts(options.criterion, 1, s.cut_weight, s.cut_labeled, total, labeled, options.inv_c, snap, s.score)
    if best_of(1, best, margin, s) < 0:
        return best, -1, -1, 0.0, 0.0, threshold
    return s.score[0], a, b, t, l, threshold
