"""The best cut of one feature in one node.

Two rules decide between cuts of (nearly) equal score.

literal
    Every admissible cut counts with the double that the criterion's expression gives, and a strictly greater one wins:
    scikit-learn's rule, and that of Ortega Vazquez et al. (2023). Where the exact score is flat, rounding decides.
    Values closer than 1e-7 are one value.
exact
    Scores within ``TOLERANCE`` of each other are equal, and among equal ones the lowest threshold of the feature
    drawn first wins. Distinct float32 values are distinct.

Few cuts need that expression. With the labeled weight on the left fixed, every criterion is convex in the weight on
the left, as long as neither side of min(l/c, t) starts or stops clipping; where a side clips, the squared Hellinger
distance is monotone or flat:

* left clipped: ``2 - 2 sqrt(B/(t_l + B))`` with B = (L - l)/c, flat at 2 for B = 0;
* right clipped: ``2 - 2 sqrt(A/(t_r + A))`` with A = l/c, flat at 2 for A = 0;
* both clipped: N = 0 and the value is 1.

So within a stretch of constant labeled weight and constant clipping the first or the last cut is best, and the first
of them if the stretch is flat. (Where weights differ by 1e11 or more, cuts inside may lie within the tolerance of the
last one: slots pass them over.) Slots give these ends without a sort, and exact mode scores them alone; where rows are
grouped by value every cut is ranked. In literal mode a cut inside may win by rounding, so a stretch is scored cut by
cut unless the best score possible inside, next to one of its ends, is below the best known score by far more than
rounding errors.

A categorical feature gives one branch for each level in the node. Gini splits in two: levels in the order of their
labeled share, cut at the best place, which is the best of all ways to part them (Breiman et al., 1984, theorem 4.5).
"""

from __future__ import annotations

import numpy as np

from .codes import CLOSE
from .criteria import GINI, LEVELS, NONE, SLOTS, VALUES, branch_score, rank_cuts, rank_slack, score_at
from .groups import gather, group
from .kernel import part
from .rng import draw_uniform
from .slots import clipping, clipping_changes, hidden_bound, inside, stretches


@part
def all_cuts(g, values, close, node, min_leaf, least, s):
    """List every cut between the groups in s that leaves ``min_leaf`` rows and the weight ``least`` on each side."""
    n_rows = len(node.unlabeled) + len(node.labeled)
    limited = min_leaf > 1 or least > 0.0
    k = 0
    t = 0
    l = 0  # noqa: E741
    n = 0
    for i in range(g - 1):
        t += s.group_weight[i]
        l += s.group_labeled[i]  # noqa: E741
        if limited:
            n += s.group_count[i]
            if n < min_leaf or n_rows - n < min_leaf or t < least or node.t - t < least:
                continue
        if close and values[s.group[i + 1]] <= values[s.group[i]] + CLOSE:
            continue
        s.cut[k] = i
        s.cut_weight[k] = t
        s.cut_labeled[k] = l
        k += 1
    return k


@part
def best_ranked(begin, end, node, rule, s):
    """Rank cuts begin to end in s; returns the place of the largest rank."""
    weight, labeled, rank = s.cut_weight[begin:end], s.cut_labeled[begin:end], s.rank[begin:end]
    k = end - begin
    return begin + rank_cuts(rule.criterion, k, weight, labeled, node.t, node.l, rule.inv_c, rule.snap, rank)


@part
def group_values(coded, f, node, counted, s):
    """Group the node's rows by value, and count rows on demand; returns the number of groups."""
    n_unlabeled = len(node.unlabeled)
    codes = coded.codes[f]
    gather(codes, node.unlabeled, node.unlabeled_weight, np.int64(0), s)
    gather(codes, node.labeled, node.labeled_weight, n_unlabeled, s)
    return group(n_unlabeled + len(node.labeled), n_unlabeled, counted, s)


@part
def search_values(g, coded, f, node, rule, min_leaf, best, s):
    """Find the best cut of feature f between the groups in s, if it beats ``best``.

    Returns the score (``best`` if not beaten), the kind of border, the codes left and right of it, and the weight and
    the labeled weight on its left.
    """
    values = coded.values[coded.offsets[f] : coded.offsets[f + 1]]
    k = all_cuts(g, values, coded.close[f] and not rule.exact, node, min_leaf, rule.least, s)
    s.n_cuts[0] = k
    if k == 0:
        return best, NONE, 0, 0, 0.0, 0.0
    top = best_ranked(np.int64(0), k, node, rule, s)
    floor = s.rank[top] - rank_slack(rule.criterion, node.l, node.t)
    chosen = -1
    for i in range(k):
        if s.rank[i] >= floor:
            h = score_at(s.cut_weight[i], s.cut_labeled[i], node, rule)
            if h > best + rule.margin:
                best = h
                chosen = i
    if chosen < 0:
        return best, NONE, 0, 0, 0.0, 0.0
    i = s.cut[chosen]
    left, right = np.int64(s.group[i]), np.int64(s.group[i + 1])
    return best, VALUES, left, right, s.cut_weight[chosen], s.cut_labeled[chosen]


@part
def search_stretch(coded, f, j, last, node, rule, best, s):
    """Find the best cut of one stretch, also inside it, if it beats ``best``; returns as ``search_values``."""
    values = coded.values[coded.offsets[f] : coded.offsets[f + 1]]
    close = coded.close[f] and not rule.exact
    g = inside(coded.codes[f], coded.slots[f], j, node, s)
    l = s.cut_labeled[2 * j]  # noqa: E741
    t = s.cut_weight[2 * j]
    chosen = -1
    cut_t = 0.0
    before = -1
    begin = 1 if j == 0 else 0
    end = g if last else g + 1
    if j == 0:
        t += s.group_weight[0]
    state = clipping(t, l, node.t, node.l, rule.inv_c, rule.snap)
    for i in range(begin, end):  # the cut after i of the groups
        cut_weight = t
        clipped = state
        after = -1
        if i + 1 < end:
            t += s.group_weight[i]
            after = state = clipping(t, l, node.t, node.l, rule.inv_c, rule.snap)
        if rule.exact and clipped == before and clipped == after:
            continue
        before = clipped
        if close and 0 < i < g and values[s.group[i]] <= values[s.group[i - 1]] + CLOSE:
            continue
        h = score_at(cut_weight, l, node, rule)
        if h > best + rule.margin:
            best = h
            chosen = i
            cut_t = cut_weight
    if chosen < 0:
        return best, NONE, 0, 0, 0.0, 0.0
    if chosen == 0:
        return best, SLOTS, np.int64(s.cut[j]), 0, cut_t, l
    if chosen == g:
        return best, SLOTS, np.int64(s.cut[j + 1]) - 1, 0, cut_t, l
    return best, VALUES, np.int64(s.group[chosen - 1]), np.int64(s.group[chosen]), cut_t, l


@part
def may_win_inside(t0, t1, l, node, rule, floor):  # noqa: E741
    """Literal mode: whether a cut inside a stretch of constant clipping may score ``floor``. The best ones are next to
    its ends, and weights are whole numbers."""
    return max(score_at(t0 + 1.0, l, node, rule), score_at(t1 - 1.0, l, node, rule)) >= floor


@part
def search_slots(coded, f, node, rule, best, s):
    """Find the best cut of feature f by slot codes, if it beats ``best``; returns as ``search_values``."""
    n = stretches(coded.slots[f], coded.n_slots[f], node, s)
    begin = 1 if s.cut_weight[1] > 0.0 else 2
    end = 2 * n - 1 if s.cut_weight[2 * n - 2] < node.t else 2 * n - 2
    top = best_ranked(begin, end, node, rule, s)
    floor = s.rank[top] - rank_slack(rule.criterion, node.l, node.t)
    reach = max(best, score_at(s.cut_weight[top], s.cut_labeled[top], node, rule)) - rule.rounding
    winner = best, NONE, 0, 0, 0.0, 0.0
    for j in range(n):
        t0 = s.cut_weight[2 * j]
        t1 = s.cut_weight[2 * j + 1]
        l = s.cut_labeled[2 * j]  # noqa: E741
        first = begin <= 2 * j < end and s.rank[2 * j] >= floor
        last = begin <= 2 * j + 1 < end and s.rank[2 * j + 1] >= floor
        if t1 - t0 > 1.0:
            if rule.clips and clipping_changes(t0, t1, l, node.t, node.l, rule.inv_c, rule.snap):
                inner = hidden_bound(t0, t1, l, node.t, node.l, rule.inv_c) >= reach
            elif rule.exact:  # whether the first cut of all, which is not known, may be within the tolerance
                inner = j == 0 and last and score_at(1.0, 0.0, node, rule) >= reach
            else:
                inner = (first or last) and may_win_inside(t0, t1, l, node, rule, reach)
            if inner:
                seen = search_stretch(coded, f, j, j == n - 1, node, rule, best, s)
                if seen[1] != NONE:
                    best = seen[0]
                    winner = seen
                continue
        if first:
            h = score_at(t0, l, node, rule)
            if h > best + rule.margin:
                best = h
                winner = best, SLOTS, np.int64(s.cut[j]), 0, t0, l
        if last:
            h = score_at(t1, l, node, rule)
            if h > best + rule.margin:
                best = h
                winner = best, SLOTS, np.int64(s.cut[j + 1]) - 1, 0, t1, l
    return winner


@part
def random_cut(coded, f, node, rule, min_leaf, best, state):
    """Cut feature f at a threshold drawn between its extremes; returns as ``search_values``, then the threshold."""
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
    """Find the split by the levels of feature f, if it beats ``best``. The levels, in order, are left in ``s``.

    Returns as ``search_values``. The first code is the number of branches of a multiway split, or for gini the number
    of levels that go left; the second one is the number of levels.
    """
    m = len(node.unlabeled) + len(node.labeled)
    g = group_values(coded, f, node, np.bool_(True), s)
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
