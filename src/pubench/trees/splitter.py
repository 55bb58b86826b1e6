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

import numpy as np

from .codes import CLOSE
from .criteria import PU_HELLINGER, SNAP, score_cuts, score_unit
from .groups import gather, group
from .kernel import part
from .rng import draw_uniform

TOLERANCE = 1e-12


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
def slots_suffice(g, total, labeled, inv_c, s):
    """Whether no slot can hide a better or an earlier equal cut inside: clipping is the same at both its ends.

    The slot below the first labeled row has no cut at its left end, where a clipped right side is flat at the largest
    value.
    """
    t = 0.0
    l = 0.0  # noqa: E741
    for i in range(g):
        if s.labeled[i] == 0.0 and s.count[i] > 1:
            before = clipping(t, l, total, labeled, inv_c)
            after = clipping(t + s.weight[i], l, total, labeled, inv_c)
            if before != after or (l == 0.0 and after >= 2):
                return False
        t += s.weight[i]
        l += s.labeled[i]  # noqa: E741
    return True


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
def best_cut(coded, f, rows, start, end, low, high, total, labeled, weight, labeled_weight, options, best, s):
    """The best cut of feature f, whose value codes stand in s.code, if it beats ``best``.

    Returns
    -------
    tuple
        Score (``best`` if not beaten), value codes left and right of the cut (-1, -1), weight and labeled weight on
        its left.
    """
    m = end - start
    values = coded.values[coded.offsets[f] : coded.offsets[f + 1]]
    margin = 0.0
    snap = 0.0
    clips = options.criterion == PU_HELLINGER and options.inv_c > 1.0
    if options.exact:
        margin = TOLERANCE * score_unit(options.criterion, labeled, total)
        snap = SNAP
    if options.exact and coded.slots.shape[1] > 0 and m > 40 and options.min_leaf == 1:
        slots = coded.slots[f]
        first, last = gather(slots, rows, start, end, s.code)
        g = group(rows, start, end, weight, labeled_weight, first, last, s)
        if not clips or slots_suffice(g, total, labeled, options.inv_c, s):
            k = end_cuts(g, total, labeled, options.inv_c, clips, m, 1, s)
            score_cuts(options.criterion, k, s.cut_weight, s.cut_labeled, total, labeled, options.inv_c, snap, s.score)
            i = best_of(k, best, margin, s)
            if i < 0:
                return best, -1, -1, 0.0, 0.0
            border = s.group[s.cut[i]]
            left = -1
            right = np.int32(2**31 - 1)
            codes = coded.codes[f]
            for j in range(start, end):
                c = codes[rows[j]]
                if slots[rows[j]] <= border:
                    left = max(left, c)
                else:
                    right = min(right, c)
            return s.score[i], left, right, s.cut_weight[i], s.cut_labeled[i]
        gather(coded.codes[f], rows, start, end, s.code)
    g = group(rows, start, end, weight, labeled_weight, low, high, s)
    if options.exact:
        k = end_cuts(g, total, labeled, options.inv_c, clips, m, options.min_leaf, s)
    else:
        k = all_cuts(g, values, coded.close[f], m, options.min_leaf, s)
    score_cuts(options.criterion, k, s.cut_weight, s.cut_labeled, total, labeled, options.inv_c, snap, s.score)
    i = best_of(k, best, margin, s)
    if i < 0:
        return best, -1, -1, 0.0, 0.0
    j = s.cut[i]
    return s.score[i], s.group[j], s.group[j + 1], s.cut_weight[i], s.cut_labeled[i]


@part
def random_cut(coded, f, rows, start, end, low, high, total, labeled, weight, labeled_weight, options, best, s, state):
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
    for i in range(end - start):
        if s.code[i] <= a:
            r = rows[start + i]
            t += weight[r]
            l += labeled_weight[r]  # noqa: E741
            n += 1
    if n < options.min_leaf or end - start - n < options.min_leaf:
        return best, -1, -1, 0.0, 0.0, threshold
    s.cut_weight[0] = t
    s.cut_labeled[0] = l
    snap = SNAP if options.exact else 0.0
    margin = TOLERANCE * score_unit(options.criterion, labeled, total) if options.exact else 0.0
    score_cuts(options.criterion, 1, s.cut_weight, s.cut_labeled, total, labeled, options.inv_c, snap, s.score)
    if best_of(1, best, margin, s) < 0:
        return best, -1, -1, 0.0, 0.0, threshold
    return s.score[0], a, b, t, l, threshold
