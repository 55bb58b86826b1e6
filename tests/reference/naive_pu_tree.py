"""A slow, recursive tree of random cuts by a risk of Wilton et al. (2022), to hold the compiled one against.

Masses and quadratic risks are fractions, logarithms have 50 digits: risks are equal where they are so in exact
arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from tests.reference.naive_tree import FeatureOrder, Generator

EQUAL = Fraction(1, 10**30)  # digits beyond are those of the logarithms


class VaryingFeatures(FeatureOrder):
    """As many features as are asked for, of those that vary."""

    def _goes_on(self, draws, constants, chosen):
        return chosen < self.most


@dataclass
class Node:
    p: Fraction
    w: Fraction
    rows: int
    feature: int = -2
    threshold: float = -2.0
    left: int = -1
    right: int = -1
    gain: float = 0.0


def entropy(v: Fraction) -> Fraction:
    v = Decimal(v.numerator) / Decimal(v.denominator)
    return Fraction(-v * v.ln() - (1 - v) * (1 - v).ln())


def node_risk(risk: str, loss: str, p: Fraction, w: Fraction):
    """The table of the paper by v = p/w; for the PN risk w is the mass of both classes."""
    if p == w == 0:
        return Fraction(0)
    v = p / w if w else math.inf
    if v == math.inf:
        return -math.inf if risk == "upu" else Fraction(0)
    if loss == "quadratic":
        return Fraction(0) if risk == "nnpu" and v > 1 else 4 * w * v * (1 - v)
    if 0 < v < 1:
        return w * entropy(v)
    return -math.inf if risk == "upu" and v > 1 else Fraction(0)


class NaivePUTree:
    """Grow with ``fit``; ``nodes`` is in pre-order."""

    def __init__(self, risk, loss, class_prior, *, max_features, max_depth=None, min_leaf=1, state=1):
        self.risk, self.loss, self.prior = risk, loss, Fraction(class_prior)
        self.max_depth, self.min_leaf = math.inf if max_depth is None else max_depth, min_leaf
        self.max_features, self.state = max_features, state

    def fit(self, X, labeled, unlabeled, weight=None):
        """``labeled`` and ``unlabeled`` are places of rows of X, which may stand in both."""
        self.X = np.asarray(X, np.float32).astype(float)
        self.weight = [1] * len(X) if weight is None else [int(w) for w in weight]
        self.per_labeled = self.prior / sum(self.weight[i] for i in labeled)
        of_unlabeled = 1 - self.prior if self.risk == "pn" else Fraction(1)
        self.per_unlabeled = of_unlabeled / sum(self.weight[i] for i in unlabeled)
        d = self.X.shape[1]
        self.features = VaryingFeatures(d, self.max_features, Generator(self.state))
        self.nodes: list[Node] = []
        with localcontext() as context:
            context.prec = 50
            self._grow(list(labeled), list(unlabeled), 0, 0)
        return self

    def _node(self, labeled, unlabeled) -> Node:
        p = self.per_labeled * sum(self.weight[i] for i in labeled)
        w = self.per_unlabeled * sum(self.weight[i] for i in unlabeled)
        return Node(p, w + p if self.risk == "pn" else w, len({*labeled, *unlabeled}))

    def _risk(self, labeled, unlabeled):
        node = self._node(labeled, unlabeled)
        return node_risk(self.risk, self.loss, node.p, node.w)

    def _grow(self, labeled, unlabeled, depth, known) -> int:
        me = len(self.nodes)
        node = self._node(labeled, unlabeled)
        self.nodes.append(node)
        own = node_risk(self.risk, self.loss, node.p, node.w)
        pure = not labeled or own == -math.inf if self.risk == "upu" else own <= 0
        if pure or depth >= self.max_depth or 1 < node.rows < 2 * self.min_leaf:
            return me
        rows = labeled + unlabeled
        best = None
        for f in self.features.draw(known, lambda f: len({self.X[i, f] for i in rows}) == 1):
            low, high = min(self.X[i, f] for i in rows), max(self.X[i, f] for i in rows)
            threshold = (high - low) * float(self.features.generator.next()) / float(2**31 - 1) + low
            if threshold >= high:
                threshold = low
            sides = [
                [[i for i in some if (self.X[i, f] <= threshold) == left] for some in (labeled, unlabeled)]
                for left in (True, False)
            ]
            if min(len({*some, *others}) for some, others in sides) < self.min_leaf:
                continue
            children = sum(self._risk(*side) for side in sides)
            if best is None or (children < best[0] if -math.inf in (children, best[0]) else children < best[0] - EQUAL):
                best = children, f, threshold, sides
        known = self.features.total_constants
        if best is None:
            return me
        children, node.feature, node.threshold, (left, right) = best
        node.gain = float(own - children)
        node.left = self._grow(*left, depth + 1, known)
        node.right = self._grow(*right, depth + 1, known)
        return me
