"""What a node counts and how a split is scored.

A criterion is a number (its kernel code) and three functions of weighted counts: ``score_cuts`` for all candidate
cuts of a feature, ``child_values`` for the two children of the chosen one, and ``node_value`` for the root. Counts
are the weight ``t`` of the rows on the left of a cut and the weight ``l`` of the labeled (or second-class) ones among
them, in a node with totals ``T`` and ``L``. Higher scores are better.

Formulas
--------
gini, entropy
    ``-(t_r i_r + t_l i_l)`` with the children's impurities: scikit-learn's proxy of the impurity decrease, in its
    order of operations, so that rounding falls alike. In exact mode gini is ``(l_l t_r - l_r t_l)^2/(t_l t_r T)``,
    which is half of ``T`` times the decrease, without cancellation.
dkm
    ``2 sqrt(P N)/T - 2 (sqrt(P_l N_l) + sqrt(P_r N_r))/T``, Dietterich, Kearns & Mansour (1996); Cieslak & Chawla
    (2008), Eq. 4 with its misprint mended.
hellinger, pu_hellinger
    squared Hellinger distance ``(sqrt(N_l/N) - sqrt(P_l/P))^2 + (sqrt(N_r/N) - sqrt(P_r/P))^2``. With PU data
    ``P_l = min(l/c, t)``, ``N_l = t - P_l`` and a node's P and N are the sums over its children: Ortega Vazquez et al.
    (2023), Eq. 3 and Algorithm 1. ``hellinger`` is ``1/c = 1``, Cieslak & Chawla (2008).
"""

from __future__ import annotations

import math

import numpy as np

from .kernel import part

GINI, ENTROPY, DKM, PU_HELLINGER = 0, 1, 2, 3
CODES = {"gini": GINI, "entropy": ENTROPY, "dkm": DKM, "hellinger": PU_HELLINGER, "pu_hellinger": PU_HELLINGER}
LN2 = math.log(2.0)

# In exact mode a product l/c this close to t counts as clipped: the two are equal but for rounding.
SNAP = 1e-12


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
def score_cuts(criterion, k, tl, ll, total, labeled, inv_c, snap, out):
    """Score the first k cuts (weight tl and labeled weight ll on their left) into out; minus infinity if undefined."""
    if criterion == PU_HELLINGER:
        if labeled <= 0.0:  # no positive: the distance is undefined
            for i in range(k):
                out[i] = -np.inf
            return
        for i in range(k):
            left, right = hellinger_parts(tl[i], ll[i], total, labeled, inv_c, snap)
            out[i] = right + left
    elif criterion == GINI and snap > 0.0:  # exact mode
        for i in range(k):
            tr = total - tl[i]
            apart = ll[i] * tr - (labeled - ll[i]) * tl[i]
            out[i] = apart * apart / (tl[i] * tr * total)
    elif criterion == GINI:
        for i in range(k):
            tr = total - tl[i]
            out[i] = -tr * gini(labeled - ll[i], tr) - tl[i] * gini(ll[i], tl[i])
    elif criterion == ENTROPY:
        for i in range(k):
            tr = total - tl[i]
            out[i] = -tr * entropy(labeled - ll[i], tr) - tl[i] * entropy(ll[i], tl[i])
    else:
        here = math.sqrt(labeled * (total - labeled))
        for i in range(k):
            lr = labeled - ll[i]
            left = math.sqrt(ll[i] * (tl[i] - ll[i]))
            right = math.sqrt(lr * (total - tl[i] - lr))
            out[i] = 2.0 * (here - (right + left)) / total


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
    """What each child brings along: its impurity, or its own term of the Hellinger distance."""
    if criterion == PU_HELLINGER:
        return hellinger_parts(tl, ll, total, labeled, inv_c, snap)
    return node_value(criterion, ll, tl), node_value(criterion, labeled - ll, total - tl)


@part
def improvement(criterion, best, value, left, right, tl, total):
    """The gain of a split: decrease in impurity within the node, or the Hellinger distance itself."""
    if criterion == PU_HELLINGER:
        return math.sqrt(best)
    return value - (total - tl) / total * right - tl / total * left


LEAVES = ("observed", "pu", "laplace")


def leaf_values(leaf: str, labeled: np.ndarray, weight: np.ndarray, inv_c: float) -> np.ndarray:
    """What a node predicts.

    Parameters
    ----------
    leaf : {"observed", "pu", "laplace"}
        ``l/t``; ``min(1, l/(c t))``; ``(l + 1)/(t + 2)``.
    labeled, weight : ndarray of shape (n_nodes,)
        Weighted labeled count and weighted total of each node.
    inv_c : float
        1/c, the inverse label frequency.

    Returns
    -------
    ndarray of shape (n_nodes,)
        Scores in [0, 1].
    """
    if leaf == "laplace":
        return (labeled + 1.0) / (weight + 2.0)
    share = labeled / weight
    return share if leaf == "observed" else np.minimum(1.0, inv_c * share)
