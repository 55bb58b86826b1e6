"""Slot codes against the plain search on drawn problems, with slots on nodes of any size: the corners of a stretch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from scarce.trees.codes import CLOSE, encode
from scarce.trees.criteria import CODES
from scarce.trees.grow import Options, grow
from tests.reference.naive_tree import NaiveTree

pytestmark = pytest.mark.slow
COLUMNS = ("feature", "threshold", "children_left", "children_right", "weight", "labeled")
PATIENT = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def columns(draw, n: int):
    """A feature: continuous, heavily tied, constant, of duplicates, or with neighbours a float32 step or 1e-7 apart."""
    kind = draw(st.sampled_from(["any", "tied", "two", "constant", "steps", "close"]))
    event(kind)
    small = st.integers(-3, 3)
    if kind == "constant":
        return np.full(n, draw(small), np.float32)
    numbers = draw(st.lists(st.floats(-2, 2, width=16) if kind == "any" else small, min_size=n, max_size=n))
    x = np.array(numbers, np.float32)
    if kind == "two":
        return (x > 1).astype(np.float32)
    if kind == "steps":  # 0.5 and its float32 neighbours, 6e-8 apart
        return (np.float32(0.5) + x * np.float32(2.0**-24)).astype(np.float32)
    if kind == "close":  # chains of values, some of them parted by less than 1e-7
        return (x * np.float32(0.9e-7)).astype(np.float32)
    return x


@st.composite
def problems(draw):
    """Rows, observed labels, weights and 1/c: one labeled row, all but one, clipped nodes, 1/c below and above 1."""
    n = draw(st.integers(2, 40))
    X = np.column_stack([draw(columns(n)) for _ in range(draw(st.integers(1, 3)))])
    labeled = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    if draw(st.booleans()):
        labeled[:] = False
    labeled[draw(st.integers(0, n - 1))] = True
    if draw(st.booleans()):  # duplicated rows
        X[n // 2 :] = X[: n - n // 2]
    weight = np.array(draw(st.lists(st.sampled_from([1, 1, 1, 2, 3, 0]), min_size=n, max_size=n)), float)
    weight[labeled.argmax()] = 1
    return X, labeled, weight, draw(st.sampled_from([0.7, 0.999, 1.0, 1.0001, 1.5, 2.0, 3.0, 10.0, 1 / 0.3]))


def trees(
    criterion, exact, purity_stop, problem, *, max_features=None, state=5, small=0, few=0, by_index=False, min_split=2
):
    """The arrays of the naive and of the compiled tree."""
    X, labeled, weight, inv_c = problem
    inv_c = inv_c if criterion == "pu_hellinger" else 1.0
    ratio = criterion == "gain_ratio"
    shared = {"inv_c": inv_c, "exact": exact, "purity_stop": purity_stop, "by_index": by_index, "min_split": min_split}
    naive = NaiveTree(criterion, state=state, max_features=max_features, **shared)
    options = Options(CODES[criterion], random=False, max_depth=1000, min_leaf=1, small=small, gain_ratio=ratio,
                      max_features=max_features or X.shape[1], **shared)  # fmt: skip
    coded = encode(X, labeled & (weight > 0), slots=not ratio, merge=not exact, few=few)
    tree = grow(coded, labeled, weight, options, state)
    return naive.fit(X, labeled, weight).arrays(), [getattr(tree, name) for name in COLUMNS]


def assert_equal(expected, got):
    for name, a, b in zip(COLUMNS, expected, got, strict=True):
        np.testing.assert_array_equal(a, b, err_msg=name)


@pytest.mark.parametrize("purity_stop", [False, True])
@pytest.mark.parametrize("exact", [False, True], ids=["literal", "exact"])
@given(problem=problems(), state=st.integers(1, 50))
@PATIENT
def test_pu_hellinger_trees_from_slots_are_those_of_a_plain_search(exact, purity_stop, problem, state):
    expected, got = trees("pu_hellinger", exact, purity_stop, problem, max_features=1, state=state)
    assert_equal(expected, got)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm"])
@pytest.mark.parametrize("exact", [False, True], ids=["literal", "exact"])
@given(problem=problems(), purity_stop=st.booleans())
@PATIENT
def test_two_class_trees_from_slots_are_those_of_a_plain_search(criterion, exact, problem, purity_stop):
    expected, got = trees(criterion, exact, purity_stop, problem)
    assert_equal(expected, got)


@pytest.mark.parametrize("criterion", ["pu_hellinger", "gini"])
@pytest.mark.parametrize("exact", [False, True], ids=["literal", "exact"])
@given(problem=problems())
@PATIENT
def test_sorted_nodes_are_those_of_a_plain_search(criterion, exact, problem):
    expected, got = trees(criterion, exact, False, problem, small=1000)
    assert_equal(expected, got)


def test_slot_codes_by_hand():
    X = np.array([[-0.0], [1], [0], [2], [3], [2], [5]], np.float32)
    labeled = np.array([0, 0, 0, 1, 0, 0, 1], bool)
    coded = encode(X, labeled, slots=True, few=0)
    np.testing.assert_array_equal(coded.values, [0, 1, 2, 3, 5])
    np.testing.assert_array_equal(coded.codes[0], [0, 1, 0, 2, 3, 2, 4])
    np.testing.assert_array_equal(coded.slots[0], [0, 0, 0, 1, 2, 1, 3])
    assert coded.n_slots[0] == 4
    assert not coded.close[0]


def test_values_that_no_cut_may_part_share_a_slot():
    step = CLOSE / 2
    X = np.array([[0], [step], [1], [2], [3], [4]], np.float32)
    labeled = np.array([0, 1, 0, 0, 1, 0], bool)
    merged, plain = (encode(X, labeled, slots=True, merge=merge, few=0) for merge in (True, False))
    np.testing.assert_array_equal(merged.slots[0], [1, 1, 2, 2, 3, 4])
    np.testing.assert_array_equal(plain.slots[0], [0, 1, 2, 2, 3, 4])
    assert merged.close[0]
    assert plain.close[0]


def test_a_labeled_value_in_a_long_chain_of_close_values_leaves_the_feature_without_slots():
    """The chain may be parted in a node that lacks its middle."""
    step = CLOSE * np.float32(0.7)
    X = np.array([[0], [step], [2 * step], [1]], np.float32)
    labeled = np.array([0, 1, 0, 0], bool)
    assert encode(X, labeled, slots=True, merge=True, few=0).n_slots[0] == 0
    assert encode(X, labeled, slots=True, merge=False, few=0).n_slots[0] == 3
    assert encode(X, np.roll(labeled, 2), slots=True, merge=True, few=0).n_slots[0] == 2


def test_more_slots_than_a_code_holds_are_not_used():
    n = 2**16
    X = np.arange(n, dtype=np.float32).reshape(-1, 1)
    assert encode(X, np.ones(n, bool), slots=True).n_slots[0] == 0
    assert encode(X, np.arange(n) < 100, slots=True).n_slots[0] == 201


def test_the_first_cut_wins_where_all_scores_are_equal_within_the_tolerance():
    """One labeled row of next to no weight: every score is below the tolerance, and the lowest threshold is due."""
    n = 30
    X = np.arange(n, dtype=np.float32).reshape(-1, 1)
    labeled = np.arange(n) == 20
    weight = np.where(labeled, 1, 2**45).astype(float)
    problem = X, labeled, weight, 1.0
    expected, got = trees("gini", True, True, problem)
    assert_equal(expected, got)
    assert got[1][0] == 0.5
