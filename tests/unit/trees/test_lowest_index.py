"""``ties="lowest_index"`` and C4.5's gain ratio against the naive tree, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scarce.trees import ForestClassifier, TreeClassifier
from scarce.trees.codes import FEW
from tests.unit.trees.test_slots import PATIENT, assert_equal, columns, problems, trees


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm", "pu_hellinger", "gain_ratio"])
@given(
    problem=problems(),
    some=st.booleans(),
    state=st.integers(1, 50),
    min_split=st.sampled_from([2, 2, 7]),
    few=st.sampled_from([0, FEW]),
)
@settings(PATIENT, max_examples=50)
def test_trees_by_index_are_those_of_a_plain_search(criterion, problem, some, state, min_split, few):
    limits = {"max_features": 1 + problem[0].shape[1] // 2 if some else None, "min_split": min_split}
    assert_equal(*trees(criterion, True, True, problem, by_index=True, state=state, few=few, **limits))


@given(problem=problems(), state=st.integers(1, 50))
@settings(PATIENT, max_examples=50)
def test_gain_ratio_trees_are_those_of_a_plain_search(problem, state):
    assert_equal(*trees("gain_ratio", True, True, problem, max_features=2, state=state))


def test_a_node_too_small_for_two_branches_of_two_rows_draws_no_feature():
    """Two rows, one of them labeled, lie left of a node in which two columns tie: the stream must not move between."""
    X = np.zeros((24, 2), np.float32)
    X[[9, 21], 1], X[[10, 22], 1], X[[11, 23]] = -1, -2, 1
    problem = X, np.isin(np.arange(24), [0, 9, 10, 22]), np.ones(24), 1.0
    for state in range(1, 9):
        assert_equal(*trees("gain_ratio", True, True, problem, max_features=2, state=state))


@given(data=st.data())
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_hellinger_and_dkm_grow_the_same_tree(data):
    n = data.draw(st.integers(2, 40))
    X = np.column_stack([data.draw(columns(n)) for _ in range(data.draw(st.integers(1, 4)))])
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    y[:2] = 0, 1
    a, b = (TreeClassifier(c, ties="lowest_index").fit(X, y).tree_ for c in ("hellinger", "dkm"))
    for name in ("feature", "threshold", "children_left", "children_right", "labeled"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm", "hellinger", "gain_ratio"])
def test_equal_columns_leave_the_first_one_whatever_the_seed(criterion):
    line = np.arange(8.0)
    X = np.column_stack([np.ones(8), line, line, -line])
    y = (line > 3).astype(int)
    for seed in range(8):
        tree = TreeClassifier(criterion, ties="lowest_index", random_state=seed).fit(X, y).tree_
        assert tree.feature[0] == 1
        assert tree.threshold[0] == 3.5
    forest = ForestClassifier(40, criterion=criterion, ties="lowest_index", bootstrap=False, max_features=3)
    # three of the four columns: two that vary at least, so the last one never is the lowest
    assert {tree.feature[0] for tree in forest.set_params(random_state=0).fit(X, y).trees_} == {1, 2}


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm", "hellinger"])
def test_a_split_without_gain_is_made_while_a_cut_exists(criterion):
    """Exclusive or: no first cut gains anything, the lowest feature's lowest threshold is taken."""
    X = np.repeat([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], 2, axis=0)
    tree = TreeClassifier(criterion, ties="lowest_index").fit(X, [0, 0, 1, 1, 1, 1, 0, 0]).tree_
    assert tree.feature.tolist() == [0, 1, -2, -2, 1, -2, -2]
    assert tree.gain[0] == pytest.approx(0, abs=1e-7)
    assert TreeClassifier("gain_ratio").fit(X, [0, 0, 1, 1, 1, 1, 0, 0]).get_n_leaves() == 1


def test_the_cut_off_is_the_smallest_number_of_rows_that_is_split():
    X, y = np.arange(8.0).reshape(-1, 1), np.array([0, 1, 0, 1, 1, 0, 1, 0])
    fit = lambda C: TreeClassifier("hellinger", ties="lowest_index", min_samples_split=C).fit(X, y).tree_  # noqa: E731
    assert fit(9).node_count == 1
    assert fit(8).node_count == 3
    for C in range(2, 9):
        tree = fit(C)
        inner = tree.children_left >= 0
        assert tree.n_node_samples[inner].min() >= C
        mixed = ~inner & (tree.labeled > 0) & (tree.labeled < tree.n_node_samples)
        assert (tree.n_node_samples[mixed] < C).all()
        assert mixed.any() == (C > 2)


def test_c45_charges_for_the_number_of_cuts():
    """Eight rows, four positive. Column 0: at best 0 of 2 against 4 of 6, gain 1 - 6/8 H(4/6) = 0.311, five cuts with
    two rows on both sides: 0.311 - log2(5)/8 = 0.021. Column 1: 1 of 4 against 3 of 4, gain 1 - H(1/4) = 0.189,
    one cut."""
    y = np.array([0, 0, 1, 1, 0, 1, 0, 1])
    X = np.column_stack([np.arange(8.0), [0, 0, 0, 1, 0, 1, 1, 1]])
    plain = TreeClassifier("entropy", max_depth=1).fit(X, y).tree_
    assert (plain.feature[0], plain.threshold[0]) == (0, 1.5)
    assert plain.gain[0] == pytest.approx(0.3112781245)
    ratio = TreeClassifier("gain_ratio", max_depth=1).fit(X, y).tree_
    assert (ratio.feature[0], ratio.threshold[0]) == (1, 0.5)
    assert ratio.gain[0] == pytest.approx(0.1887218755)
    alone = TreeClassifier("gain_ratio", max_depth=1).fit(X[:, :1], y).tree_
    assert math.log2(5) / 8 < 0.3112781245
    assert (alone.feature[0], alone.threshold[0]) == (0, 1.5)


def test_c45_wants_two_rows_a_branch_and_a_gain():
    """1 of 2 against 0 of 3: 0.722 - 2/5 = 0.322 less log2(2)/5; the two rows are a leaf."""
    X, y = np.arange(5.0).reshape(-1, 1), np.array([1, 0, 0, 0, 0])
    assert TreeClassifier("entropy").fit(X, y).tree_.threshold[0] == 0.5
    tree = TreeClassifier("gain_ratio").fit(X, y).tree_
    assert tree.threshold.tolist() == [1.5, -2, -2]
    for n in (2, 3):
        assert TreeClassifier("gain_ratio").fit(X[:n], y[:n]).get_n_leaves() == 1
    # 1 of 2 against 1 of 4, or 1 of 3 against 1 of 3, ...: no cut gains more than it costs
    assert TreeClassifier("gain_ratio").fit(np.arange(6.0).reshape(-1, 1), [1, 0, 0, 1, 0, 0]).get_n_leaves() == 1


def test_c45_passes_over_gains_below_the_mean_whatever_their_ratio():
    """Sixteen rows, eight positive. Column 0: 2 of 2 against 6 of 14, gain 0.138, information H(1/8) = 0.544, ratio
    0.254. Column 1: 6 of 8 against 2 of 8, gain and ratio 0.189. The mean gain is 0.163."""
    y = np.repeat([1, 0], 8)
    X = np.zeros((16, 2))
    X[:2, 0] = 1
    X[:6, 1] = X[8:10, 1] = 1
    assert TreeClassifier("gain_ratio").fit(X[:, :1], y).tree_.gain[0] == pytest.approx(0.1379, abs=1e-4)
    assert TreeClassifier("gain_ratio").fit(X, y).tree_.feature[0] == 1
    # a third column of little gain lowers the mean to (0.138 + 0.189 + 0.046)/3, and the highest ratio wins
    third = np.zeros(16)
    third[[0, 1, 2, 3, 4, 8, 9, 10]] = 1
    tree = TreeClassifier("gain_ratio", max_features=None).fit(np.column_stack([X, third]), y).tree_
    assert tree.feature[0] == 0
