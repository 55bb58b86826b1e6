"""Tallies by value against numpy, and the trees grown from them against the plain search."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.trees.codes import FEW, VALUES_A_SLOT, encode
from scarce.trees.criteria import Node
from scarce.trees.groups import scratch, tally
from tests.unit.trees.test_slots import PATIENT, assert_equal, problems, trees

pytestmark = pytest.mark.slow


@numba.njit
def tally_alone(codes, n_values, node, s):
    return tally(codes, n_values, node, s)


@pytest.mark.parametrize("n_values", [1, 2, 3, 63, 64, 65, 127, 128, 129, 200, 256])
def test_tallies_are_the_sums_by_value(n_values):
    """With more bits than values and fewer, one and several values a bit; in succession, so that all is left at 0."""
    rng = np.random.RandomState(n_values)
    s = scratch(3000, n_values, 0, n_values)
    for m in (1, 2, 7, 40, 150, 300, 3000):
        codes = rng.randint(0, n_values, m).astype(np.uint16)
        codes[0] = n_values - 1
        weight = rng.randint(1, 2**40, m)
        rows = rng.permutation(m).astype(np.uint32)
        k = rng.randint(0, m + 1)
        node = Node(rows[:k], weight[:k], rows[k:], weight[k:], 0.0, 0.0)
        g = tally_alone(codes, n_values, node, s)
        total, labeled = np.zeros(n_values, np.int64), np.zeros(n_values, np.int64)
        np.add.at(total, codes[rows], weight)
        np.add.at(labeled, codes[rows[k:]], weight[k:])
        np.testing.assert_array_equal(s.group[:g], np.flatnonzero(total))
        np.testing.assert_array_equal(s.group_weight[:g], total[total > 0])
        np.testing.assert_array_equal(s.group_labeled[:g], labeled[total > 0])
    assert not s.tallies.any() and not s.labeled_bins.any()


@pytest.mark.parametrize("purity_stop", [False, True])
@pytest.mark.parametrize("exact", [False, True], ids=["literal", "exact"])
@given(problem=problems(), state=st.integers(1, 50))
@PATIENT
def test_pu_hellinger_trees_from_tallies_are_those_of_a_plain_search(exact, purity_stop, problem, state):
    expected, got = trees("pu_hellinger", exact, purity_stop, problem, max_features=1, state=state, few=FEW)
    assert_equal(expected, got)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm"])
@pytest.mark.parametrize("exact", [False, True], ids=["literal", "exact"])
@given(problem=problems(), purity_stop=st.booleans())
@PATIENT
def test_two_class_trees_from_tallies_are_those_of_a_plain_search(criterion, exact, purity_stop, problem):
    expected, got = trees(criterion, exact, purity_stop, problem, few=FEW)
    assert_equal(expected, got)


def test_the_drawn_problems_are_tallied():
    X = np.repeat(np.arange(8, dtype=np.float32), 5).reshape(-1, 1)
    coded = encode(X, np.arange(40) % 3 == 0, slots=True, few=FEW)
    assert coded.n_few.tolist() == [8]


def test_which_features_are_tallied():
    """Few values, unless slots are far fewer; in the place of slots stand the codes of the values."""
    n = 4 * FEW
    row = np.arange(n)
    labeled = row == 100
    X = np.column_stack([row % 2, row % (3 * VALUES_A_SLOT + 1), row % FEW, row % (FEW + 1)]).astype(np.float32)
    assert encode(X, labeled, slots=True).n_slots.tolist() == [0, 3, 3, 3]
    coded = encode(X, row % 2 == 0, slots=True)
    assert coded.n_few.tolist() == [2, 3 * VALUES_A_SLOT + 1, FEW, 0]
    assert coded.n_slots[:3].tolist() == [0, 0, 0]
    assert coded.n_slots[3] > 0
    np.testing.assert_array_equal(coded.slots[:3], coded.codes[:3])
    for none in (encode(X, labeled, slots=True, few=0), encode(X, labeled, slots=False)):
        assert not none.n_few.any()
