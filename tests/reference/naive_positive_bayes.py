"""PNB, PTAN, APNB and APTAN by loops over rows, levels and pairs: the formulas of Calvo, Larranaga & Lozano (2007)."""

from __future__ import annotations

from itertools import product
from math import log


class Naive:
    """Tables of both classes; `averaged` is (alpha, beta, neg_fill) or None, `tree` the parents or None."""

    def __init__(
        self, rows, s, levels, *, prior=None, averaged=None, clip_cmi=False, exact_parent=False, eq7="conditional"
    ):
        self.positive = [tuple(row) for row, label in zip(rows, s, strict=True) if label]
        self.unlabeled = [tuple(row) for row, label in zip(rows, s, strict=True) if not label]
        self.levels, self.averaged, self.p = levels, averaged, prior
        self.clip_cmi, self.exact_parent, self.eq7 = clip_cmi, exact_parent, eq7
        if averaged:
            self.p = averaged[0] / (averaged[0] + averaged[1])

    @staticmethod
    def count(rows, **values):
        """Rows with these values, by places named x0, x1, ..."""
        return sum(all(row[int(place[1:])] == value for place, value in values.items()) for row in rows)

    def negatives(self, counts: list[float], rows: float, positive: list[float], p: float | None = None) -> list[float]:
        """P(x|0) of one table."""
        r = len(counts)
        if self.averaged:
            alpha, beta, fill = self.averaged
            if rows == 0:
                return [1 / r] * r
            values = [
                ((alpha + beta - 1) * n / rows - alpha * q) / (beta - 1) for n, q in zip(counts, positive, strict=True)
            ]
            small = 1 / r if fill == "uniform" else 1 / (r + (1 - self.p) * rows)
            values = [small if value <= 1e-13 else value for value in values]
            return [value / sum(values) for value in values]
        p = self.p if p is None else p
        if rows == 0 or p == 1:
            return [1 / r] * r
        left = [max(0.0, n - q * p * rows) for n, q in zip(counts, positive, strict=True)]
        z = sum(left) / ((1 - p) * rows)
        return [(1 + value / z) / (r + (1 - p) * rows) for value in left]

    def single(self, i: int) -> tuple[list[float], list[float]]:
        """P(x_i|0) and P(x_i|1)."""
        values = range(self.levels[i])
        positive = [
            (self.count(self.positive, **{f"x{i}": j}) + 1) / (len(self.positive) + len(values)) for j in values
        ]
        counts = [self.count(self.unlabeled, **{f"x{i}": j}) for j in values]
        return self.negatives(counts, len(self.unlabeled), positive), positive

    def weight(self, i: int, k: int) -> float:
        """Eq. 5."""
        cells = list(product(range(self.levels[i]), range(self.levels[k])))
        counts = [self.count(self.unlabeled, **{f"x{i}": j, f"x{k}": h}) for j, h in cells]
        positive = [
            (self.count(self.positive, **{f"x{i}": j, f"x{k}": h}) + 1) / (len(self.positive) + len(cells))
            for j, h in cells
        ]
        negative = self.negatives(counts, len(self.unlabeled), positive)
        (i0, i1), (k0, k1) = self.single(i), self.single(k)
        total = 0.0
        for (j, h), n, q1, q0 in zip(cells, counts, positive, negative, strict=True):
            factor = n / len(self.unlabeled) - self.p * q1
            factor = max(0.0, factor) if self.clip_cmi else factor
            total += self.p * q1 * log(q1 / (i1[j] * k1[h])) + factor * log(q0 / (i0[j] * k0[h]))
        return total

    def given(self, i: int, parent: int) -> tuple[list[list[float]], list[list[float]]]:
        """P(x_i|l, 0) and P(x_i|l, 1), a list for each level l of the parent."""
        values, tables = range(self.levels[i]), ([], [])
        for level in range(self.levels[parent]):
            labeled = self.count(self.positive, **{f"x{parent}": level})
            rows = self.count(self.unlabeled, **{f"x{parent}": level})
            positive = [
                (self.count(self.positive, **{f"x{i}": j, f"x{parent}": level}) + 1) / (labeled + len(values))
                for j in values
            ]
            counts = [self.count(self.unlabeled, **{f"x{i}": j, f"x{parent}": level}) for j in values]
            p = self.p
            if self.exact_parent and rows:
                p = min(1.0, self.p * self.single(parent)[1][level] * len(self.unlabeled) / rows)
            if self.averaged and self.eq7 == "printed":
                counts, rows = [self.count(self.unlabeled, **{f"x{i}": j}) for j in values], len(self.unlabeled)
            tables[0].append(self.negatives(counts, rows, positive, p))
            tables[1].append(positive)
        return tables

    def log_odds(self, row, tree) -> float:
        """Of a row, all of whose values are in their domains."""
        total = log(self.p / (1 - self.p))
        for i, parent in enumerate(tree):
            negative, positive = self.single(i)
            if parent >= 0:
                negative, positive = (table[row[parent]] for table in self.given(i, parent))
            total += log(positive[row[i]] / negative[row[i]])
        return total
