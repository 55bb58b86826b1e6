"""A slow, plain tree with categorical features, by the formulas of Cieslak & Chawla (2008) with sums over branches.

A tree is a leaf ``(t, l)``, or ``(t, l, feature, threshold, left, right)``, or for a categorical feature
``(t, l, feature, {levels: branch})``. Scores have 50 digits; within 1e-12 of the criterion's scale they are equal, and
the lowest feature, then the lowest threshold wins.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np

TOLERANCE = Decimal("1e-12")


def log2(v):
    return Decimal(v).ln() / Decimal(2).ln()


def bits(counts):
    """Entropy in bits of a list of counts."""
    total = sum(counts)
    return -sum(Decimal(c) / total * log2(Decimal(c) / total) for c in counts if c)


def score(criterion, parts):
    """The gain of parts (p, n), the squared distance for Hellinger; and its scale."""
    P, N = (Decimal(sum(counts)) for counts in zip(*parts, strict=True))
    T = P + N
    if criterion == "hellinger":
        return sum(((n / N).sqrt() - (p / P).sqrt()) ** 2 for p, n in parts), Decimal(1)
    if criterion == "dkm":
        here = (P / T * N / T).sqrt()
        return 2 * here - 2 * sum((p + n) / T * (p / (p + n) * n / (p + n)).sqrt() for p, n in parts), here
    if criterion == "gini":
        impurity = lambda p, n: 2 * p * n / (p + n) ** 2  # noqa: E731
        return impurity(P, N) - sum((p + n) / T * impurity(p, n) for p, n in parts), 2 * P * N / T / T
    return bits([P, N]) - sum((p + n) / T * bits([p, n]) for p, n in parts), Decimal(1)


class NaiveCategorical:
    def __init__(self, criterion, categorical, min_split=2, max_depth=10**6):
        self.criterion, self.categorical = criterion, categorical
        self.min_split, self.max_depth = min_split, max_depth

    def fit(self, X, y):
        self.X, self.y = np.asarray(X, float), np.asarray(y)
        with localcontext() as context:
            context.prec = 50
            return self._grow(np.arange(len(y)), 0)

    def _counts(self, rows):
        positives = int(self.y[rows].sum())
        return Decimal(positives), Decimal(len(rows) - positives)

    def _splits(self, rows, f):
        """Every split of f: the rows of its parts, whether by levels, and its threshold or the parts' levels."""
        values = self.X[rows, f]
        distinct = np.unique(values)
        if f not in self.categorical:
            for a, b in pairwise(distinct):
                below = values <= (a + b) / 2
                yield [rows[below], rows[~below]], (a + b) / 2
            return
        if len(distinct) < 2:
            return
        groups = [[v] for v in distinct]
        if self.criterion != "gini":
            yield [rows[np.isin(values, g)] for g in groups], [frozenset(g) for g in groups]
            return
        share = {v: self.y[rows][values == v].mean() for v in distinct}
        order = sorted(distinct, key=lambda v: (share[v], v))
        for k in range(1, len(order)):
            groups = order[:k], order[k:]
            yield [rows[np.isin(values, g)] for g in groups], [frozenset(g) for g in groups]

    def _grow(self, rows, depth):
        p, n = self._counts(rows)
        here = (len(rows), int(p))
        if p == 0 or n == 0 or len(rows) < self.min_split or depth >= self.max_depth:
            return here
        best, candidates = None, []
        for f in range(self.X.shape[1]):
            of_f, cuts = None, 0
            for parts, how in self._splits(rows, f):
                if self.criterion == "gain_ratio" and sum(len(part) >= 2 for part in parts) < 2:
                    continue
                cuts += 1
                value, scale = score(self.criterion, [self._counts(part) for part in parts])
                if of_f is None or value > of_f[0] + TOLERANCE * scale:
                    of_f = value, scale, f, parts, how
            if of_f and self.criterion == "gain_ratio":
                penalty = 0 if f in self.categorical else log2(cuts) / len(rows)
                candidates.append((of_f[0] - penalty, of_f))
            elif of_f and (best is None or of_f[0] > best[0] + TOLERANCE * of_f[1]):
                best = of_f
        gains = [gain for gain, _ in candidates if gain > TOLERANCE]
        top = None
        for gain, found in candidates:
            if gain > TOLERANCE and gain >= sum(gains) / len(gains) - TOLERANCE:
                ratio = gain / bits([Decimal(len(part)) for part in found[3]])
                if top is None or ratio > top + TOLERANCE:
                    top, best = ratio, found
        if best is None:
            return here
        _, _, f, parts, how = best
        branches = [self._grow(part, depth + 1) for part in parts]
        if f in self.categorical:
            return (*here, f, dict(zip(how, branches, strict=True)))
        return (*here, f, how, *branches)


def predict(tree, x):
    """The counts (t, l) that decide the score of a row; a level without a branch ends at the node that was split."""
    if len(tree) == 2:
        return tree
    if len(tree) == 6:
        return predict(tree[4] if x[tree[2]] <= tree[3] else tree[5], x)
    for some, branch in tree[3].items():
        if x[tree[2]] in some:
            return predict(branch, x)
    return tree[:2]
