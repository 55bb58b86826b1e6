"""The risks of Wilton et al. (2022): how well one constant prediction fits a node of positive and unlabeled rows.

A node with the parts P' and U' of the two samples has the masses ``p = |P'| pi/n_P`` and ``w = |U'|/n_U``, which
estimate the positives and all rows of the population that reach it; ``v = p/w`` estimates the share of positives.
Sampling can make ``v`` larger than 1, even infinite. The risk of a node is the least over all constants:

====  ================================================  ==========================================
risk  quadratic (and savage) loss                       logistic loss
====  ================================================  ==========================================
uPU   ``4 p (1 - v)``, minus infinity for ``w = 0``     ``w h(v)``, minus infinity for ``v > 1``
nnPU  ``4 p (1 - v)``, 0 for ``v > 1``                  ``w h(v)``, 0 for ``v > 1``
PN    ``4 p (1 - v)`` with ``w = p + |N'| (1-pi)/n_N``  ``w h(v)`` likewise
====  ================================================  ==========================================

``h(v) = -v ln v - (1 - v) ln(1 - v)``, 0 at 0 and 1. The best constant is positive where ``v > 1/2`` (Proposition 4).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .criteria import SNAP, TOLERANCE
from .kernel import part

UPU, NNPU, PN = 0, 1, 2
KINDS = {"upu": UPU, "nnpu": NNPU, "pn": PN}
LOSSES = ("quadratic", "logistic")


class Risk(NamedTuple):
    """A risk, and the mass of a row of weight 1 in each sample."""

    kind: int
    logistic: bool
    labeled: float
    unlabeled: float
    shared: bool  # whether labeled rows stand in the unlabeled sample as well

    @classmethod
    def of(cls, kind: str, loss: str, class_prior: float | None, scheme: str, labeled: float, other: float) -> Risk:
        """From the weights of labeled and of other rows; without a class prior the masses of all rows are equal."""
        shared = scheme == "one_sample" and kind != "pn"
        size = labeled + other if shared else other
        if kind != "pn":
            masses = float(class_prior) / labeled, 1.0 / size
        elif class_prior is None:
            masses = 1.0 / (labeled + other), 1.0 / (labeled + other)
        else:
            masses = float(class_prior) / labeled, (1.0 - float(class_prior)) / other
        return cls(KINDS[kind], loss == "logistic", *masses, shared)


def masses_of(risk, t, l):  # noqa: E741
    """p and w of rows with weight t and labeled weight l."""
    p = risk.labeled * l
    w = risk.unlabeled * (t if risk.shared else t - l)
    return p, w + p if risk.kind == PN else w


masses = part(masses_of)


@part
def node_risk(risk, t, l):  # noqa: E741
    """The risk of a node with weight t and labeled weight l; v within rounding of 1 is 1."""
    p, w = masses(risk, t, l)
    if p > w * (1.0 + SNAP):
        if risk.kind != UPU:
            return 0.0
        return -np.inf if risk.logistic or w == 0.0 else 4.0 * p * (w - p) / w
    if p == 0.0 or p >= w * (1.0 - SNAP):
        return 0.0
    if not risk.logistic:
        return 4.0 * p * (w - p) / w
    v = p / w
    return -w * (v * math.log(v) + (1.0 - v) * math.log(1.0 - v))


@part
def is_final(risk, value, l):  # noqa: E741
    """Whether no split can lower the risk, or change a prediction: a node of uPU without a labeled row."""
    if risk.kind == UPU:
        return l == 0 or value == -np.inf
    return value <= 0.0


@part
def is_less(value, least, scale):
    """Whether a sum of risks is below another by more than rounding; minus infinity ties with itself."""
    if value == -np.inf:
        return least > -np.inf
    return value < least - TOLERANCE * scale


def positive_shares(risk: Risk, t: np.ndarray, l: np.ndarray) -> np.ndarray:  # noqa: E741
    """``min(1, v)`` of nodes, and exactly one half where v is within rounding of it."""
    p, w = masses_of(risk, t, l)
    share = np.divide(p, w, out=np.ones_like(w), where=w > 0)
    share[np.abs(share - 0.5) <= 0.5 * SNAP] = 0.5
    return np.minimum(share, 1.0)
