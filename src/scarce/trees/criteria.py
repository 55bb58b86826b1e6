"""The criteria: how a split is scored, and when one score beats another.

A criterion is a number (its kernel code) and four functions of weighted counts: ``score`` of a cut, ``rank_cuts``,
which selects at low cost the cuts that need a score, ``child_values`` of the two children of a cut, and ``node_value``
of the root. Counts are the weight ``t`` of the rows on the left of a cut and the weight ``l`` of the labeled (or
second-class) ones among them, in a node with totals ``T`` and ``L``. Higher scores are better.

Formulas
--------
gini, entropy
    ``-(t_r i_r + t_l i_l)`` with the children's impurities: scikit-learn's proxy of the impurity decrease, in its
    order of operations, so that rounding falls alike. In exact mode gini is ``(l_l t_r - l_r t_l)^2/(t_l t_r T)``,
    which is half of ``T`` times the decrease, without cancellation.
dkm
    ``2 sqrt(P N)/T - 2 (sqrt(P_l N_l) + sqrt(P_r N_r))/T``, Dietterich, Kearns & Mansour (1996); Cieslak & Chawla
    (2008), Eq. 4 with its misprint corrected.
hellinger, pu_hellinger
    squared Hellinger distance ``(sqrt(N_l/N) - sqrt(P_l/P))^2 + (sqrt(N_r/N) - sqrt(P_r/P))^2``. With PU data
    ``P_l = min(l/c, t)``, ``N_l = t - P_l`` and a node's P and N are the sums over its children: Ortega Vazquez et al.
    (2023), Eq. 3 and Algorithm 1. ``hellinger`` is ``1/c = 1``, Cieslak & Chawla (2008).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .kernel import part

GINI, ENTROPY, DKM, PU_HELLINGER = 0, 1, 2, 3
CODES = {"gini": GINI, "entropy": ENTROPY, "dkm": DKM, "hellinger": PU_HELLINGER, "pu_hellinger": PU_HELLINGER}
CODES["gain_ratio"] = ENTROPY  # the cuts of a feature rank by it; ``gain_ratio`` chooses among the features
LN2 = math.log(2.0)

# In exact mode a product l/c this close to t counts as clipped: the two are equal but for rounding.
SNAP = 1e-12
TOLERANCE = 1e-12
ROUNDING = 1e-11  # doubles err by less, in units of the score
NONE, VALUES, SLOTS, LEVELS = 0, 1, 2, 3  # what the border of a cut is a code of; or a split without a border


@part
def gini(l, t):  # noqa: E741
    u = t - l
    return 1.0 - (u * u + l * l) / (t * t)


@part
def entropy(l, t):  # noqa: E741
    value = 0.0
    u = t - l
    if u > 0.0:
        share = u / t
        value -= share * (math.log(share) / LN2)
    if l > 0.0:
        share = l / t
        value -= share * (math.log(share) / LN2)
    return value


@part
def positives(l, t, inv_c, snap):  # noqa: E741
    """Estimated number of positives among t rows of which l are labeled: min(l/c, t)."""
    p = inv_c * l
    return t if p >= t * (1.0 - snap) else p


@part
def hellinger_parts(tl, ll, total, labeled, inv_c, snap):
    """The left and the right term of the squared Hellinger distance of one cut."""
    tr = total - tl
    lr = labeled - ll
    pl = positives(ll, tl, inv_c, snap)
    pr = positives(lr, tr, inv_c, snap)
    nl = tl - pl
    nr = tr - pr
    p = pr + pl
    n = nr + nl
    a = math.sqrt(nl / n) if n > 0.0 else 0.0
    b = math.sqrt(nr / n) if n > 0.0 else 0.0
    left = a - math.sqrt(pl / p)
    right = b - math.sqrt(pr / p)
    return left * left, right * right


@part
def score(criterion, tl, ll, total, labeled, inv_c, snap):
    """The score of one cut with weight tl and labeled weight ll on its left; minus infinity if undefined."""
    if criterion == PU_HELLINGER:
        if labeled <= 0.0:  # no positive: the distance is undefined
            return -np.inf
        left, right = hellinger_parts(tl, ll, total, labeled, inv_c, snap)
        return right + left
    tr = total - tl
    lr = labeled - ll
    if criterion == GINI and snap > 0.0:  # exact mode
        apart = ll * tr - lr * tl
        return apart * apart / (tl * tr * total)
    if criterion == GINI:
        return -tr * gini(lr, tr) - tl * gini(ll, tl)
    if criterion == ENTROPY:
        return -tr * entropy(lr, tr) - tl * entropy(ll, tl)
    parent = math.sqrt(labeled * (total - labeled))
    left = math.sqrt(ll * (tl - ll))
    right = math.sqrt(lr * (total - tl - lr))
    return 2.0 * (parent - (right + left)) / total


@part
def branch_score(criterion, k, t, l, total, labeled):  # noqa: E741
    """The score of a split into k branches with weights t and labeled weights l, labels complete: ``score`` for k = 2.

    Cieslak & Chawla (2008), Eqs. 3 and 4 with the sums over all branches.
    """
    value = 0.0
    unlabeled = total - labeled
    if criterion == PU_HELLINGER:
        if labeled <= 0.0:
            return -np.inf
        for i in range(k):
            share = math.sqrt((t[i] - l[i]) / unlabeled) if unlabeled > 0.0 else 0.0
            apart = share - math.sqrt(l[i] / labeled)
            value += apart * apart
        return value
    if criterion == DKM:
        for i in range(k):
            value += math.sqrt(l[i] * np.float64(t[i] - l[i]))
        return 2.0 * (math.sqrt(labeled * unlabeled) - value) / total
    for i in range(k):
        value -= t[i] * entropy(np.float64(l[i]), np.float64(t[i]))
    return value


@part
def rank_cuts(criterion, k, tl, ll, total, labeled, inv_c, snap, out):
    """Order the first k cuts about as their scores do, at less cost; the place of the largest rank.

    Ranks are increasing functions of the exact scores: half the gini decrease times the total, the entropy score
    itself, and for the distances minus the square of ``1 - H/2``, which takes one root instead of four.
    """
    if criterion == PU_HELLINGER:
        keep = 1.0 - snap
        for i in range(k):
            t = tl[i]
            l = ll[i]  # noqa: E741
            tr = total - t
            pl = inv_c * l
            pr = inv_c * (labeled - l)
            pl = t if pl >= t * keep else pl
            pr = tr if pr >= tr * keep else pr
            nl = t - pl
            nr = tr - pr
            n = nl + nr
            a = pl * nl
            b = pr * nr
            affinity = (a + b + 2.0 * math.sqrt(a * b)) / ((pl + pr) * n)
            out[i] = -affinity if n > 0.0 else -0.25
    elif criterion == GINI:
        for i in range(k):
            tr = total - tl[i]
            apart = ll[i] * tr - (labeled - ll[i]) * tl[i]
            out[i] = apart * apart / (tl[i] * tr * total)
    elif criterion == ENTROPY:
        for i in range(k):
            out[i] = score(criterion, tl[i], ll[i], total, labeled, inv_c, snap)
    else:
        for i in range(k):
            lr = labeled - ll[i]
            a = ll[i] * (tl[i] - ll[i])
            b = lr * (total - tl[i] - lr)
            out[i] = -(a + b + 2.0 * math.sqrt(a * b))
    top = 0
    largest = out[0]
    for i in range(1, k):
        if out[i] > largest:
            largest = out[i]
            top = i
    return top


@part
def rank_slack(criterion, labeled, total):
    """How far below the largest rank a cut may lie whose score, rounded, is the largest or within a tolerance of it."""
    if criterion == PU_HELLINGER:
        return 1e-9
    if criterion == DKM:
        return 1e-9 * labeled * (total - labeled)
    if criterion == GINI:
        return 1e-9 * labeled * (total - labeled) / total + 1e-13 * total
    return 1e-9 * total


@part
def score_unit(criterion, labeled, total):
    """The size of a score that a relative tolerance refers to."""
    if criterion == PU_HELLINGER:
        return 1.0
    if criterion == DKM:  # DKM is this times the squared Hellinger distance
        return math.sqrt(labeled * (total - labeled)) / total
    if criterion == GINI:
        return labeled * (total - labeled) / total
    return total


@part
def node_value(criterion, labeled, total):
    """The impurity of a node; infinite for the distance criteria, which have none."""
    if criterion == GINI:
        return gini(labeled, total)
    if criterion == ENTROPY:
        return entropy(labeled, total)
    if criterion == DKM:
        return 2.0 * math.sqrt(labeled * (total - labeled)) / total
    return np.inf


@part
def child_values(criterion, tl, ll, total, labeled, inv_c, snap):
    """The impurity of each child, or its own term of the Hellinger distance."""
    if criterion == PU_HELLINGER:
        return hellinger_parts(tl, ll, total, labeled, inv_c, snap)
    return node_value(criterion, ll, tl), node_value(criterion, labeled - ll, total - tl)


@part
def improvement(criterion, best, value, left, right, tl, total):
    """The gain of a split: the decrease in impurity within the node, or the Hellinger distance itself."""
    if criterion == PU_HELLINGER:
        return math.sqrt(best)
    return value - (total - tl) / total * right - tl / total * left


class Node(NamedTuple):
    """The rows of a node, and their weights; the node's weight and labeled weight."""

    unlabeled: np.ndarray
    unlabeled_weight: np.ndarray
    labeled: np.ndarray
    labeled_weight: np.ndarray
    t: float
    l: float  # noqa: E741


class Rule(NamedTuple):
    """How scores are computed and compared in one node."""

    criterion: int
    inv_c: float
    exact: bool
    clips: bool
    margin: float  # by which a score must be larger to win
    snap: float
    rounding: float  # by which a score may be off
    least: float  # weight that each side of a cut must have


@part
def least_weight(options):
    """Weight that each side of a cut must have: C4.5 asks for two rows."""
    return 2.0 * options.row * (1.0 - TOLERANCE) if options.gain_ratio else 0.0


@part
def rule_of(options, t, l):  # noqa: E741
    unit = score_unit(options.criterion, l, t)
    clips = options.criterion == PU_HELLINGER and options.inv_c > 1.0
    least = least_weight(options)
    if options.exact:
        return Rule(options.criterion, options.inv_c, True, clips, TOLERANCE * unit, SNAP, ROUNDING * unit, least)
    unit = max(unit, t if options.criterion <= ENTROPY else 0.0)  # the literal expressions cancel
    return Rule(options.criterion, options.inv_c, False, clips, 0.0, 0.0, ROUNDING * unit, least)


@part
def score_at(t, l, node, rule):  # noqa: E741
    return score(rule.criterion, t, l, node.t, node.l, rule.inv_c, rule.snap)


LEAVES = ("observed", "pu", "laplace")


def leaf_values(leaf: str, labeled: np.ndarray, weight: np.ndarray, inv_c: float) -> np.ndarray:
    """Scores of nodes, in [0, 1], from labeled weight and weight; see the parameter ``leaf`` of the trees."""
    if leaf == "laplace":
        return (labeled + 1.0) / (weight + 2.0)
    share = labeled / weight
    return share if leaf == "observed" else np.minimum(1.0, inv_c * share)
