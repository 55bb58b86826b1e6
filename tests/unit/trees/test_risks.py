"""The risks of a node by hand, for every row of the paper's table, and what holds for all nodes."""

from __future__ import annotations

import math
from itertools import product

import numba
import numpy as np
import pytest

from scarce.trees import risks
from scarce.trees.risks import Risk, positive_shares
from tests.reference import naive_pu_tree

node_risk = numba.njit(error_model="numpy")(risks.node_risk.py_func)
INF = math.inf
LN2 = math.log(2)
QUARTER = 0.4 * (-0.25 * math.log(0.25) - 0.75 * math.log(0.75))
# 10 labeled and 100 unlabeled rows, class prior 0.4: 0.04 and 0.01 a row. A node's labeled and unlabeled rows, then
# risks: uPU quadratic and logistic, nnPU quadratic and logistic
BY_HAND = {
    "v = 1/2": ((5, 40), (0.4, 0.4 * LN2, 0.4, 0.4 * LN2)),
    "v = 1/4": ((5, 80), (0.6, 0.8 * QUARTER / 0.4, 0.6, 0.8 * QUARTER / 0.4)),
    "v = 0": ((0, 40), (0, 0, 0, 0)),
    "v = 1": ((5, 20), (0, 0, 0, 0)),
    "v = 2": ((5, 10), (-0.8, -INF, 0, 0)),
    "v infinite": ((5, 0), (-INF, -INF, 0, 0)),
}


def risk_of(kind, loss, scheme="two_sample", class_prior=0.4, labeled=10.0, other=100.0):
    return Risk.of(kind, loss, class_prior, scheme, labeled, other)


@pytest.mark.parametrize("name", BY_HAND)
def test_risks_of_positive_and_unlabeled_rows(name):
    (labeled, unlabeled), expected = BY_HAND[name]
    values = [
        node_risk(risk_of(kind, loss), labeled + unlabeled, labeled)
        for kind, loss in product(("upu", "nnpu"), ("quadratic", "logistic"))
    ]
    assert values == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", BY_HAND)
def test_one_sample_is_two_samples_with_labeled_rows_in_both(name):
    (labeled, unlabeled), _ = BY_HAND[name]
    for kind, loss in product(("upu", "nnpu"), ("quadratic", "logistic")):
        shared = risk_of(kind, loss, "one_sample", other=90.0)
        apart = risk_of(kind, loss)
        t = max(labeled, unlabeled)
        assert node_risk(shared, t, labeled) == pytest.approx(node_risk(apart, t + labeled, labeled), abs=1e-15)


@pytest.mark.parametrize(
    "labeled, negative, quadratic, logistic",
    [(5, 20, 0.4, 0.4 * LN2), (5, 60, 0.6, 0.8 * QUARTER / 0.4), (0, 20, 0, 0), (5, 0, 0, 0)],
)
def test_risks_of_two_classes(labeled, negative, quadratic, logistic):
    """60 negatives with a mass of 0.6: 0.01 a row."""
    for loss, expected in (("quadratic", quadratic), ("logistic", logistic)):
        risk = risk_of("pn", loss, other=60.0)
        assert node_risk(risk, labeled + negative, labeled) == pytest.approx(expected, abs=1e-15)


def test_quadratic_risk_of_two_classes_is_gini():
    risk = risk_of("pn", "quadratic", class_prior=None, labeled=10.0, other=90.0)
    for labeled, total in ((1, 5), (7, 10), (10, 100)):
        gini = 1 - (labeled / total) ** 2 - (1 - labeled / total) ** 2
        assert node_risk(risk, total, labeled) == pytest.approx(2 * total / 100 * gini)


@pytest.mark.parametrize("loss", ["quadratic", "logistic"])
@pytest.mark.parametrize("scheme", ["two_sample", "one_sample"])
def test_risks_equal_the_exact_ones_and_only_that_of_upu_can_be_negative(loss, scheme):
    random = np.random.RandomState(0)
    for _ in range(300):
        labeled, other = random.randint(1, 40, 2)
        marked, total = random.randint(0, labeled + 1), random.randint(0, other + 1)
        total += marked
        if total == 0:
            continue
        for kind in ("upu", "nnpu", "pn"):
            risk = risk_of(kind, loss, scheme, random.uniform(0.05, 0.95), float(labeled), float(other))
            value = node_risk(risk, total, marked)
            p, w = (naive_pu_tree.Fraction(x) for x in risks.masses_of(risk, total, marked))
            if abs(p - w) > 1e-9 * w:
                expected = float(naive_pu_tree.node_risk(kind, loss, p, w))
                assert value == pytest.approx(expected, rel=1e-9, abs=1e-12)
            assert value >= 0 or kind == "upu"


def test_shares_of_positives_are_cut_at_one_and_exact_at_one_half():
    risk = risk_of("nnpu", "quadratic", class_prior=0.3)
    labeled, unlabeled = np.array([0, 1, 5, 5, 10, 1]), np.array([10, 6, 30, 29, 10, 0])
    shares = positive_shares(risk, labeled + unlabeled, labeled)
    np.testing.assert_allclose(shares, [0, 0.5, 0.5, 15 / 29, 1, 1])
    assert (shares[1:3] == 0.5).all()
