"""A slow, plain tree to hold the compiled engine against: every cut of every drawn feature, one loop a thought.

``exact=False`` scores in double precision with the order of operations of the published trees; ``exact=True`` scores
with 50 decimal digits and takes scores within 1e-12 (of the criterion's scale) as equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np

CLOSE = np.float32(1e-7)
TOLERANCE = Decimal("1e-12")


class Generator:
    """32-bit xorshift with shifts 13, 17 and 5; numbers are the low 31 bits."""

    def __init__(self, state: int):
        self.state = state or 1

    def below(self, size: int) -> int:
        return self.next() % size

    def next(self) -> int:
        for shift, left in ((13, True), (17, False), (5, True)):
            moved = (self.state << shift) % 2**32 if left else self.state >> shift
            self.state ^= moved
        return self.state % 2**31


class FeatureOrder:
    """Drawing features without replacement in scikit-learn's order; a node knows how many are constant in it."""

    def __init__(self, d: int, most: int, generator: Generator, by_index: bool = False):
        self.order, self.constants = list(range(d)), [None] * d
        self.most, self.generator, self.by_index = most, generator, by_index

    def draw(self, known: int, is_constant):
        """Yield the features to search in the order drawn; afterwards ``total_constants`` counts the constant ones."""
        order, d = self.order, len(self.order)
        chosen, skipped, new = [], 0, 0
        draws = 0
        while d - len(chosen) > known + new and self._goes_on(draws, new + skipped, len(chosen)):
            draws += 1
            left = d - len(chosen) - new - skipped
            place = skipped + (0 if self.by_index and self.most >= d else self.generator.below(left))
            if place < known:
                order[skipped], order[place] = order[place], order[skipped]
                skipped += 1
                continue
            place += new
            feature = order[place]
            if is_constant(feature):
                order[place], order[known + new] = order[known + new], feature
                new += 1
                continue
            chosen.append(feature)
            if not self.by_index:
                yield feature
            last = d - len(chosen)
            order[last], order[place] = order[place], order[last]
        if self.by_index:
            order[d - len(chosen) :] = sorted(chosen)
            yield from sorted(chosen)
        order[:known] = self.constants[:known]
        self.constants[known : known + new] = order[known : known + new]
        self.total_constants = known + new

    def _goes_on(self, draws: int, constants: int, chosen: int) -> bool:
        """scikit-learn counts constant features as drawn, but draws on while all were constant."""
        return draws < self.most or draws <= constants


@dataclass
class Node:
    t: float
    l: float  # noqa: E741
    feature: int = -2
    threshold: float = -2.0
    left: int = -1
    right: int = -1


class NaiveTree:
    """Grow with ``fit``; ``nodes`` is in pre-order."""

    def __init__(self, criterion, *, inv_c=1.0, exact=False, purity_stop=True, max_depth=None, min_leaf=1,
                 max_features=None, state=1, by_index=False, min_split=2):  # fmt: skip
        self.criterion, self.inv_c, self.exact, self.purity_stop = criterion, inv_c, exact, purity_stop
        self.max_depth = math.inf if max_depth is None else max_depth
        self.min_leaf, self.min_weight = min_leaf, 2 if criterion == "gain_ratio" else 0
        self.max_features, self.state, self.by_index, self.min_split = max_features, state, by_index, min_split

    def fit(self, X, labeled, weight=None):
        self.X = np.asarray(X, np.float32)
        self.labeled = np.asarray(labeled, bool)
        n, d = self.X.shape
        self.weight = np.ones(n) if weight is None else np.asarray(weight, float)
        self.features = FeatureOrder(d, self.max_features or d, Generator(self.state), self.by_index)
        self.nodes: list[Node] = []
        rows = np.flatnonzero(self.weight)
        self.all_weight = self.weight.sum()
        with localcontext() as context:
            context.prec = 50
            self._grow(rows, 0, self._own(self.weight[rows].sum(), self.weight[rows][self.labeled[rows]].sum()), 0)
        return self

    # -- growth
    def _grow(self, rows, depth, own, known) -> int:
        t, l = self.weight[rows].sum(), self.weight[rows][self.labeled[rows]].sum()  # noqa: E741
        me = len(self.nodes)
        self.nodes.append(Node(t, l))
        if (
            depth >= self.max_depth
            or len(rows) < 2 * self.min_leaf
            or len(rows) < self.min_split
            or t < 2 * self.min_weight
        ):
            return me
        if self.purity_stop and l in (0, t):
            return me
        if not self.exact and own is not None:
            if self.criterion == "pu_hellinger" and own <= 0:
                return me
            if self.criterion in ("gini", "entropy") and self.purity_stop and own <= 2.0**-52:
                return me
        best, each = None, []
        for f in self.features.draw(known, lambda f: self._constant(rows, f)):
            if self.criterion == "gain_ratio":
                each.append(self._best_cut(rows, f, t, l, None))
            else:
                best, _ = self._best_cut(rows, f, t, l, best)
        if self.criterion == "gain_ratio":
            best = self._by_gain_ratio(each, t, l)
        known = self.features.total_constants
        if best is None:
            return me
        _, f, threshold, goes_left, tl, ll = best
        own_left, own_right = self._children(tl, ll, t, l)
        if not self.exact and self.criterion in ("gini", "entropy") and self.purity_stop:
            tr = t - tl
            gain = t / self.all_weight * (own - (tr / t * own_right) - (tl / t * own_left))
            if gain + 2.0**-52 < 0:
                return me
        node = self.nodes[me]
        node.feature, node.threshold = f, threshold
        node.left = self._grow(rows[goes_left], depth + 1, own_left, known)
        node.right = self._grow(rows[~goes_left], depth + 1, own_right, known)
        return me

    def _best_cut(self, rows, f, t, l, best):  # noqa: E741
        """The best of the cuts of f and the best so far, and how many cuts there are."""
        n_cuts = 0
        for threshold, goes_left in self._cuts(rows, f):
            left = rows[goes_left]
            if len(left) < self.min_leaf or len(rows) - len(left) < self.min_leaf:
                continue
            tl, ll = self.weight[left].sum(), self.weight[left][self.labeled[left]].sum()
            if min(tl, t - tl) < self.min_weight:
                continue
            n_cuts += 1
            score = self._score(tl, ll, t, l)
            if score is not None and (best is None or score > best[0] + self._margin(t, l)):
                best = (score, f, threshold, goes_left, tl, ll)
        return best, n_cuts

    def _by_gain_ratio(self, each, t, l):  # noqa: E741
        """C4.5: gains less log2(cuts)/t; of those that reach the mean of the positive ones, the highest ratio."""
        t, l = Decimal(float(t)), Decimal(float(l))  # noqa: E741
        log2 = lambda v: Decimal(v).ln() / Decimal(2).ln()  # noqa: E731
        gains = [(self._impurity(l, t) + Decimal(cut[0]) / t - log2(n_cuts) / t, cut) for cut, n_cuts in each if cut]
        gains = [(gain, cut) for gain, cut in gains if gain > TOLERANCE]
        best = None
        for gain, cut in gains:
            if gain < sum(gain for gain, _ in gains) / len(gains) - TOLERANCE:
                continue
            ratio = gain / self._impurity(Decimal(float(cut[4])), t)
            if best is None or ratio > best[0] + TOLERANCE:
                best = ratio, cut
        return best and best[1]

    def _constant(self, rows, f) -> bool:
        low, high = self.X[rows, f].min(), self.X[rows, f].max()
        return bool(high == low if self.exact else high <= low + CLOSE)

    def _cuts(self, rows, f):
        values = self.X[rows, f]
        distinct = np.unique(values)
        for a, b in pairwise(distinct):
            if self.exact or b > a + CLOSE:
                threshold = float(a) / 2 + float(b) / 2
                yield threshold, values.astype(float) <= threshold

    # -- scores
    def _margin(self, t, l):  # noqa: E741
        if not self.exact:
            return 0.0
        t, l = Decimal(float(t)), Decimal(float(l))  # noqa: E741
        scales = {
            "pu_hellinger": Decimal(1),
            "dkm": (l * (t - l)).sqrt() / t,
            "gini": 2 * l * (t - l) / t,
            "entropy": t,
            "gain_ratio": t,
        }
        scale = scales[self.criterion]
        return TOLERANCE * scale

    def _score(self, tl, ll, t, l):  # noqa: E741
        if self.criterion == "pu_hellinger":
            if l == 0:
                return None
            left, right = self._parts(tl, ll, t, l)
            return right + left
        if self.exact:
            tl, ll, t, l = (Decimal(float(v)) for v in (tl, ll, t, l))  # noqa: E741
        tr, lr = t - tl, l - ll
        if self.criterion == "dkm":
            root = (lambda v: v.sqrt()) if self.exact else math.sqrt
            return 2 * (root(l * (t - l)) - (root(lr * (tr - lr)) + root(ll * (tl - ll)))) / t
        return -tr * self._impurity(lr, tr) - tl * self._impurity(ll, tl)

    def _impurity(self, l, t):  # noqa: E741
        if self.criterion == "gini":
            return 1 - ((t - l) * (t - l) + l * l) / (t * t)
        total = 0
        for count in (t - l, l):
            if count > 0:
                share = count / t
                if isinstance(share, Decimal):
                    total -= share * share.ln() / Decimal(2).ln()
                else:
                    total -= share * (math.log(share) / math.log(2.0))
        return total

    def _parts(self, tl, ll, t, l):  # noqa: E741
        tr, lr = t - tl, l - ll
        if not self.exact:
            pl, pr = min(self.inv_c * ll, tl), min(self.inv_c * lr, tr)
            nl, nr = tl - pl, tr - pr
            p, n = pr + pl, nr + nl
            a, b = (math.sqrt(nl / n), math.sqrt(nr / n)) if n > 0 else (0.0, 0.0)
            left, right = a - math.sqrt(pl / p), b - math.sqrt(pr / p)
            return left * left, right * right
        tl, tr, ll, lr = (Decimal(float(v)) for v in (tl, tr, ll, lr))
        inv_c, almost = Decimal(self.inv_c), 1 - Decimal("1e-12")
        pl = tl if inv_c * ll >= tl * almost else inv_c * ll
        pr = tr if inv_c * lr >= tr * almost else inv_c * lr
        p, n = pl + pr, (tl - pl) + (tr - pr)
        share = lambda part: (part / n).sqrt() if n > 0 else Decimal(0)  # noqa: E731
        return (share(tl - pl) - (pl / p).sqrt()) ** 2, (share(tr - pr) - (pr / p).sqrt()) ** 2

    def _own(self, t, l):  # noqa: E741
        return self._impurity(l, t) if self.criterion in ("gini", "entropy") else None

    def _children(self, tl, ll, t, l):  # noqa: E741
        if self.criterion == "pu_hellinger":
            return self._parts(tl, ll, t, l)
        return self._own(tl, ll), self._own(t - tl, l - ll)

    # -- reading
    def arrays(self):
        """feature, threshold, left, right, weight, labeled weight, as the engine stores them."""
        columns = zip(*[(q.feature, q.threshold, q.left, q.right, q.t, q.l) for q in self.nodes], strict=True)
        return [np.array(column) for column in columns]

    def score(self, X):
        """Labeled share of the leaf that each row reaches."""
        out = []
        for row in np.asarray(X, np.float32).astype(float):
            node = self.nodes[0]
            while node.left >= 0:
                node = self.nodes[node.left if row[node.feature] <= node.threshold else node.right]
            out.append(node.l / node.t)
        return np.array(out)
