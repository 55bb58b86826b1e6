"""Trees with categorical features: by hand, against the naive tree, and what levels without a branch get."""

from __future__ import annotations

import itertools
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from scarce.trees import PUHellingerTreeClassifier, TreeClassifier, export_text
from tests.reference.naive_categorical import NaiveCategorical, predict, score

CRITERIA = ("hellinger", "dkm", "entropy", "gain_ratio", "gini")
PATIENT = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])


def decode(tree, categorical, top, node=0):
    """The nodes as the naive tree writes them; checks what levels without a row lead to."""
    t, l = int(tree.weighted_n_node_samples[node]), int(tree.labeled[node])  # noqa: E741
    f = int(tree.feature[node])
    if f < 0:
        return t, l
    if f not in categorical:
        parts = [decode(tree, categorical, top, child[node]) for child in (tree.children_left, tree.children_right)]
        return (t, l, f, tree.threshold[node], *parts)
    groups = {}
    for level in range(-1, top + 2):
        at = node
        while at == node or (tree.n_node_samples[at] == 0 and tree.feature[at] == f):
            at = (tree.children_left if level <= tree.threshold[at] else tree.children_right)[at]
        if tree.n_node_samples[at] == 0:
            assert tree.value[at] == tree.value[node]
        else:
            groups.setdefault(int(at), set()).add(float(level))
    return t, l, f, {frozenset(some): decode(tree, categorical, top, at) for at, some in groups.items()}


@st.composite
def problems(draw):
    n = draw(st.integers(2, 30))
    d = draw(st.integers(1, 4))
    categorical = sorted(draw(st.sets(st.integers(0, d - 1), min_size=1)))
    levels = st.integers(0, draw(st.sampled_from([0, 1, 3, 9])))
    numbers = st.one_of(st.integers(-2, 2).map(float), st.floats(-2, 2, width=16))
    column = lambda j: draw(st.lists(levels if j in categorical else numbers, min_size=n, max_size=n))  # noqa: E731
    X = np.column_stack([np.array(column(j), float) for j in range(d)]) + 0.0
    y = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    y[:2] = 0, 1
    return X, y, categorical


@pytest.mark.parametrize("criterion", CRITERIA)
@given(problem=problems(), cut_off=st.sampled_from([2, 2, 6]), depth=st.sampled_from([1, 2, 100]))
@PATIENT
def test_trees_are_those_of_a_plain_search(criterion, problem, cut_off, depth):
    X, y, categorical = problem
    expected = NaiveCategorical(criterion, categorical, cut_off, depth).fit(X, y)
    model = TreeClassifier(criterion, categorical=categorical, ties="lowest_index", min_samples_split=cut_off,
                           max_depth=depth, leaf="laplace").fit(X, y)  # fmt: skip
    assert decode(model.tree_, categorical, 10) == expected
    assert model.get_depth() <= depth
    Z = X.copy()
    Z[:, categorical] = np.random.RandomState(len(X)).randint(0, 12, (len(X), len(categorical)))
    for rows in (X, Z):
        counts = np.array([predict(expected, x) for x in rows])
        np.testing.assert_allclose(model.predict_proba(rows)[:, 1], (counts[:, 1] + 1) / (counts[:, 0] + 2))


@given(problem=problems())
@settings(PATIENT, max_examples=200)
def test_hellinger_and_dkm_grow_the_same_tree(problem):
    X, y, categorical = problem
    a, b = (TreeClassifier(c, categorical=categorical, ties="lowest_index").fit(X, y).tree_
            for c in ("hellinger", "dkm"))  # fmt: skip
    for name in ("feature", "threshold", "children_left", "children_right", "n_node_samples", "value"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


def test_hellinger_and_dkm_grow_the_same_tree_on_larger_sets():
    for seed in range(15):
        rng = np.random.RandomState(seed)
        X = np.column_stack([np.round(rng.randn(300, 3), seed % 3), rng.randint(0, 9, (300, 2))])
        y = (X[:, 0] + (X[:, 3] % 3) + rng.randn(300) > 2.5).astype(int)
        for categorical in (None, [3, 4]):
            a, b = (TreeClassifier(c, categorical=categorical, ties="lowest_index").fit(X, y).tree_
                    for c in ("hellinger", "dkm"))  # fmt: skip
            np.testing.assert_array_equal(a.feature, b.feature)
            np.testing.assert_array_equal(a.threshold, b.threshold)
            assert a.node_count > 50


# levels 0, 2, 5 with (positives, negatives) 3 and 1, 0 and 4, 1 and 3
HAND = np.repeat([0, 2, 5], 4).reshape(-1, 1).astype(float)
LABELS = np.array([1, 1, 1, 0] + [0] * 4 + [1, 0, 0, 0])


@pytest.mark.parametrize(
    "criterion, gain",
    [  # P = 4, N = 8 of 12
        ("hellinger", ((0.75**0.5 - 0.125**0.5) ** 2 + 0.5 + (0.25**0.5 - 0.375**0.5) ** 2) ** 0.5),
        ("dkm", 2 * (2 / 9) ** 0.5 - 2 / 3 * (3 / 16) ** 0.5 * 2),
        ("entropy", 0.9182958341 - 2 / 3 * 0.8112781245),
    ],
)
def test_one_branch_a_level_by_hand(criterion, gain):
    model = TreeClassifier(criterion, categorical=[0], leaf="laplace").fit(HAND, LABELS)
    assert model.tree_.gain[0] == pytest.approx(gain)
    assert (model.get_depth(), model.get_n_leaves()) == (1, 3)
    score = model.predict_proba([[0], [2], [5], [1], [3], [4], [6], [400], [np.nan]])[:, 1]
    np.testing.assert_allclose(score, [4 / 6, 1 / 6, 2 / 6] + [5 / 14] * 6)
    assert model.feature_importances_.tolist() == [1.0]
    assert export_text(model, ["colour"], decimals=2) == (
        "|-- colour = 0\n|   |-- score 0.67 (labeled 3 of 4)\n"
        "|-- colour = 2\n|   |-- score 0.17 (labeled 0 of 4)\n"
        "|-- colour = 5\n|   |-- score 0.33 (labeled 1 of 4)\n"
    )


def test_gini_parts_levels_in_two():
    """0 of 4 and 1 of 4 against 3 of 4: 4/9 - (8/12 2 1/8 7/8 + 4/12 2 3/16)."""
    model = TreeClassifier("gini", categorical=[0], max_depth=1).fit(HAND, LABELS)
    assert model.tree_.gain[0] == pytest.approx(4 / 9 - (2 / 3 * 7 / 32 + 1 / 3 * 3 / 8))
    scores = model.predict_proba([[0], [2], [5], [1], [7]])[:, 1]
    np.testing.assert_allclose(scores, [3 / 4, 1 / 8, 1 / 8, 1 / 3, 1 / 3])
    assert "colour = 2, 5\n" in export_text(model, ["colour"])
    deep = TreeClassifier("gini", categorical=[0]).fit(HAND, LABELS)  # CART may use the feature again
    assert (deep.get_depth(), deep.get_n_leaves()) == (2, 3)


def test_gini_finds_the_best_of_all_ways_to_part_the_levels():
    for seed in range(20):
        rng = np.random.RandomState(seed)
        X, y = rng.randint(0, 6, (40, 1)), rng.randint(0, 2, 40)
        best = max(
            float(
                score("gini", [(Decimal(int(y[m].sum())), Decimal(int((1 - y[m]).sum()))) for m in (inside, ~inside)])[
                    0
                ]
            )
            for k in range(1, 6)
            for some in itertools.combinations(range(6), k)
            for inside in [np.isin(X[:, 0], some)]
            if 0 < inside.sum() < 40
        )
        tree = TreeClassifier("gini", categorical=[0], max_depth=1).fit(X, y).tree_
        assert tree.gain[0] == pytest.approx(best)


def test_a_missing_level_seen_in_training_has_a_branch_of_its_own():
    X = HAND.copy()
    X[4:8] = np.nan
    model = TreeClassifier("hellinger", categorical=[True]).fit(X, LABELS)
    np.testing.assert_allclose(model.predict_proba([[np.nan], [0], [2]])[:, 1], [0, 3 / 4, 1 / 3])
    assert "x0 = missing\n" in export_text(model)


def test_levels_of_weight_0_have_no_branch_and_weights_are_repeated_rows():
    rng = np.random.RandomState(0)
    X = np.column_stack([rng.randint(0, 5, 80), rng.randn(80)])
    y, weight = rng.randint(0, 2, 80), rng.randint(0, 3, 80)
    for criterion in ("hellinger", "gini"):
        model = TreeClassifier(criterion, categorical=[0], ties="lowest_index", max_depth=4)
        a = clone(model).fit(X, y, sample_weight=weight).predict_proba(X)
        b = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).predict_proba(X)
        np.testing.assert_array_equal(a, b)


def test_every_branch_keeps_min_samples_leaf_rows():
    X = np.array([[0]] * 5 + [[1]] * 5 + [[2]] * 2)
    y = np.array([0] * 5 + [1] * 5 + [0, 1])
    assert TreeClassifier("hellinger", categorical=[0], min_samples_leaf=2).fit(X, y).get_n_leaves() == 3
    assert TreeClassifier("hellinger", categorical=[0], min_samples_leaf=3).fit(X, y).get_n_leaves() == 1
    assert TreeClassifier("gini", categorical=[0], min_samples_leaf=3).fit(X, y).get_n_leaves() == 2


def test_c45_takes_a_split_of_which_two_branches_have_two_rows():
    X = np.array([0, 0, 1, 1, 2])[:, None]
    y = np.array([0, 0, 1, 1, 1])
    assert TreeClassifier("gain_ratio", categorical=[0]).fit(X, y).get_n_leaves() == 3
    assert TreeClassifier("gain_ratio", categorical=[0]).fit(X[1:], y[1:]).get_n_leaves() == 1


@pytest.mark.parametrize("value", [[1], np.array([False, True]), [0, 1]])
def test_categorical_survives_clone_and_get_params(value):
    model = TreeClassifier("dkm", categorical=value)
    assert clone(model).get_params()["categorical"] is not None
    X = np.column_stack([np.arange(12) % 5, np.arange(12) % 3])
    a, b = model.fit(X, LABELS), clone(model).fit(X, LABELS)
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))
    assert a.is_categorical_.tolist() == [value[0] == 0 and len(value) == 2 and value[1] is not np.True_, True]


def test_no_categorical_feature_is_the_ordinary_tree():
    X = np.column_stack([np.arange(12) % 5, np.arange(12) % 3])
    a, b = (TreeClassifier("dkm", categorical=some).fit(X, LABELS) for some in (None, []))
    np.testing.assert_array_equal(a.tree_.threshold, b.tree_.threshold)
    with pytest.raises(ValueError, match="NaN"):
        b.predict([[np.nan, 1]])


@pytest.mark.parametrize(
    "changes, X, message",
    [
        ({"categorical": [1]}, HAND, "categorical must be indices"),
        ({"categorical": [0.5]}, HAND, "categorical must be indices"),
        ({"categorical": [True, False]}, HAND, "mask of 2 features"),
        ({"categorical": [0]}, HAND + 0.5, "whole numbers"),
        ({"categorical": [0]}, HAND - 1, "whole numbers"),
        ({"categorical": [0]}, np.column_stack([HAND, HAND * np.nan]), "NaN in a feature that is not categorical"),
        ({"categorical": [0], "criterion": "pu_hellinger", "class_prior": 0.5}, HAND, "pu_hellinger"),
        ({"categorical": [0], "ties": "literal"}, HAND, "literal"),
        ({"categorical": [0], "splitter": "random"}, HAND, "random"),
    ],
)
def test_what_cannot_be_is_refused(changes, X, message):
    with pytest.raises(ValueError, match=message):
        TreeClassifier(**changes).fit(X, LABELS)


def test_the_pu_tree_takes_no_categorical_features():
    assert "categorical" not in PUHellingerTreeClassifier(0.5).get_params()
