"""DILCA and Pulce by loops over rows and values, with 50 digits, so that what is equal in exact arithmetic is known.

Read off Ienco & Pensa (2016), sections 3.1 to 3.4. Slow: for tens of rows.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import wraps
from itertools import combinations, product

EPSILON = Decimal("1e-6")
SAME = Decimal("1e-40")


def precise(function):
    @wraps(function)
    def with_50_digits(*args, **kwargs):
        with localcontext() as context:
            context.prec = 50
            return function(*args, **kwargs)

    return with_50_digits


def above(one, other):
    return one - other > SAME


def entropy(labels):
    shares = [Decimal(labels.count(label)) / len(labels) for label in set(labels)]
    return -sum(share * share.ln() for share in shares)


@precise
def uncertainty(rows, a, b):
    one, other = [row[a] for row in rows], [row[b] for row in rows]
    total = entropy(one) + entropy(other)
    return 2 * (total - entropy(list(zip(one, other, strict=True)))) / total if total else Decimal(0)


@precise
def context(rows, n_features, target, redundancy="paper"):
    others = [i for i in range(n_features) if i != target]
    relevance = {i: uncertainty(rows, target, i) for i in others}
    left, kept = [i for i in others if above(relevance[i], 0)], []
    if not left:
        return others
    while left:
        top = max(relevance[i] for i in left)
        j = min(i for i in left if not above(top, relevance[i]))
        left.remove(j)
        redundant = False
        for i in kept:
            shared = uncertainty(rows, i, j)
            if redundancy == "paper":
                redundant |= above(shared, relevance[i]) and above(shared, relevance[j])
            else:
                redundant |= not above(relevance[j], shared)
        if not redundant:
            kept.append(j)
    return kept


@precise
def distances(rows, n_levels, distance="euclid", redundancy="paper", unseen="natural"):
    """Matrices as lists of lists of Decimal."""
    matrices = []
    for target, levels in enumerate(n_levels):
        chosen = context(rows, len(n_levels), target, redundancy)
        matrix = [[Decimal(0)] * levels for _ in range(levels)]
        for a, b in product(range(levels), repeat=2):
            if a == b:
                continue
            total, declared = Decimal(0), sum(n_levels[i] for i in chosen)
            for i in chosen:
                for value in range(n_levels[i]):
                    targets = [row[target] for row in rows if row[i] == value]
                    if not targets:
                        continue
                    if distance == "euclid":
                        shares = [Decimal(targets.count(c)) / len(targets) for c in (a, b)]
                        total += (shares[0] - shares[1]) ** 2
                    else:
                        shares = [(targets.count(c) + EPSILON) / (len(targets) + EPSILON * levels) for c in (a, b)]
                        total += (shares[0] * (shares[0] / shares[1]).ln() + shares[1] * (shares[1] / shares[0]).ln()) / 2
            absent = unseen == "max" and {a, b} - {row[target] for row in rows}
            if not chosen or absent:
                matrix[a][b] = Decimal(1)
            else:
                matrix[a][b] = (total / declared).sqrt() if distance == "euclid" else total
        matrices.append(matrix)
    return matrices


def between(matrices, one, other):
    """Eq. 3; a value outside its domain has distance 0."""
    pairs = zip(matrices, one, other, strict=True)
    return sum((matrix[a][b] ** 2 for matrix, a, b in pairs if 0 <= a < len(matrix)), Decimal(0)).sqrt()


def mean(numbers):
    return sum(numbers, Decimal(0)) / len(numbers)


class Pulce:
    """Algorithm 1 on lists of labeled and unlabeled rows; `reliable` holds places among the unlabeled rows."""

    @precise
    def __init__(self, labeled, unlabeled, n_levels, shift=0.0, **how):
        self.labeled, self.positive = labeled, distances(labeled, n_levels, **how)
        pairs = [between(self.positive, *pair) for pair in combinations(labeled, 2)]
        self.tau = mean(pairs) if pairs else Decimal(0)
        scores = [mean([between(self.positive, row, other) for other in labeled]) for row in unlabeled]
        threshold = self.tau * (1 + Decimal(repr(shift)))
        self.reliable = [i for i, score in enumerate(scores) if above(score, threshold)]
        self.fallback = not self.reliable
        if self.fallback:
            top = [i for i, score in enumerate(scores) if not above(max(scores), score)]
            self.reliable = [min(top, key=lambda i: unlabeled[i])]
        self.negatives = [unlabeled[i] for i in self.reliable]
        self.negative = distances(self.negatives, n_levels, **how)

    @precise
    def margin(self, row, k):
        """Mean distance to the k nearest reliable negatives less that to the k nearest labeled rows."""
        means = []
        for matrices, others in ((self.negative, self.negatives), (self.positive, self.labeled)):
            means.append(mean(sorted(between(matrices, row, other) for other in others)[:k]))
        return means[0] - means[1] if abs(means[0] - means[1]) > SAME else Decimal(0)
