"""Split scores by hand and from the literature's definitions, and what trees do with weights, constants and classes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scarce.trees import ForestClassifier, PUHellingerTreeClassifier, TreeClassifier
from scarce.trees.base import counting_weights
from scarce.trees.criteria import CODES

CRITERIA = ("hellinger", "entropy", "gini", "dkm")
# (positives, negatives) left and right, and the gain by each criterion
TABLES = {
    "mixed": (((3, 1), (1, 5)), (0.6164594793, 0.2564258917, 0.1633333333, 0.1861721401)),
    "negatives x 10": (((3, 10), (1, 50)), (0.6164594793, 0.0680333348, 0.0144348605, 0.0919887499)),
    "classes swapped": (((1, 3), (5, 1)), (0.6164594793, 0.2564258917, 0.1633333333, 0.1861721401)),
    "pure branch": (((2, 1), (0, 3)), (1.0, 0.4591479170, 0.2222222222, 0.4714045208)),
    "perfect": (((4, 0), (0, 6)), (math.sqrt(2), 0.9709505945, 0.48, 0.9797958971)),
}


def rows(table):
    (pl, nl), (pr, nr) = table
    X = np.repeat([[0.0], [1.0]], [pl + nl, pr + nr], axis=0)
    return X, np.array([1] * pl + [0] * nl + [1] * pr + [0] * nr)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("ties", ["exact", "literal"])
def test_gain_of_a_split_table(name, criterion, ties):
    table, expected = TABLES[name]
    tree = TreeClassifier(criterion, max_depth=1, ties=ties).fit(*rows(table)).tree_
    assert tree.threshold[0] == 0.5
    assert tree.gain[0] == pytest.approx(expected[CRITERIA.index(criterion)], abs=1e-9)


def test_pu_hellinger_by_hand():
    """Ten rows, 1/c = 2: left 2 labeled of 3 (clipped to 3 positives), right 1 of 7 (2 positives, 5 negatives)."""
    X = np.repeat([[0.0], [1.0]], [3, 7], axis=0)
    s = np.array([1, 1, 0] + [1] + [0] * 6)
    tree = PUHellingerTreeClassifier(class_prior=0.6, max_depth=1).fit(X, s)
    # P = 3 + 2, N = 0 + 5: (0 - sqrt(3/5))^2 + (1 - sqrt(2/5))^2
    assert tree.tree_.gain[0] ** 2 == pytest.approx(3 / 5 + (1 - math.sqrt(2 / 5)) ** 2)
    assert tree.label_frequency_ == pytest.approx(0.5)
    np.testing.assert_allclose(tree.predict_proba([[0.0], [1.0]])[:, 1], [1.0, 2 / 7])


@pytest.mark.parametrize(
    "leaf, expected", [("observed", [2 / 3, 1 / 7]), ("pu", [1.0, 2 / 7]), ("laplace", [0.6, 2 / 9])]
)
def test_leaf_scores_by_hand(leaf, expected):
    X = np.repeat([[0.0], [1.0]], [3, 7], axis=0)
    s = np.array([1, 1, 0] + [1] + [0] * 6)
    tree = TreeClassifier("pu_hellinger", class_prior=0.6, max_depth=1, leaf=leaf).fit(X, s)
    np.testing.assert_allclose(tree.predict_proba([[0.0], [1.0]])[:, 1], expected)


def test_hidden_positives_on_a_clipped_flat_stretch_leave_the_lowest_threshold():
    """All cuts below the labeled block score 2 exactly once the right side is clipped; the first of them wins."""
    X = np.arange(60.0).reshape(-1, 1)
    s = (X[:, 0] >= 50).astype(int)
    tree = PUHellingerTreeClassifier(class_prior=0.5, max_depth=1).fit(X, s).tree_
    assert tree.threshold[0] == 29.5  # 30 rows right of it, 10 labeled, 1/c = 3
    assert tree.gain[0] == pytest.approx(math.sqrt(2))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm", "hellinger"])
def test_a_node_of_one_class_is_a_leaf(criterion):
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    tree = TreeClassifier(criterion).fit(X, [0, 0, 0, 1, 1]).tree_
    assert tree.node_count == 3
    np.testing.assert_array_equal(tree.value, [0.4, 0.0, 1.0])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm", "hellinger", "pu_hellinger"])
def test_constant_columns_are_never_chosen(criterion):
    useful = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
    X = np.column_stack([np.ones(8), np.full(8, 3.0), useful])
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    prior = {"class_prior": 0.5} if criterion == "pu_hellinger" else {}
    for seed in range(5):
        tree = TreeClassifier(criterion, random_state=seed, **prior).fit(X, y)
        assert tree.tree_.feature.tolist() == [2, -2, -2]
        assert 0.4 <= tree.tree_.threshold[0] < 0.6
        np.testing.assert_array_equal(tree.feature_importances_, [0, 0, 1])


def test_only_constant_columns_give_a_single_leaf():
    tree = TreeClassifier().fit(np.ones((6, 3)), [0, 1, 0, 1, 0, 0])
    assert (tree.get_depth(), tree.get_n_leaves()) == (0, 1)
    np.testing.assert_array_equal(tree.feature_importances_, np.zeros(3))
    assert tree.predict_proba([[5.0, 5.0, 5.0]])[0, 1] == pytest.approx(1 / 3)


def test_three_classes_are_refused():
    for model in (TreeClassifier(), ForestClassifier(2), PUHellingerTreeClassifier(0.5)):
        with pytest.raises(ValueError, match="got 3"):
            model.fit(np.arange(6.0).reshape(-1, 1), [0, 1, 2, 0, 1, 2])


def some_data(seed, n=200):
    rng = np.random.RandomState(seed)
    X = np.round(rng.randn(n, 4), 1)
    return X, (X[:, 0] + X[:, 1] + rng.randn(n) > 1.5).astype(int), rng


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm", "hellinger", "pu_hellinger"])
@pytest.mark.parametrize("ties", ["exact", "literal"])
@pytest.mark.parametrize("weights", ["ones", "counts", "reals"])
def test_the_unit_of_weights_does_not_matter(criterion, ties, weights):
    X, y, rng = some_data(0)
    weight = {"ones": np.ones(200), "counts": rng.randint(0, 5, 200), "reals": rng.uniform(0.1, 3, 200)}[weights]
    prior = {"class_prior": 0.4} if criterion == "pu_hellinger" else {}
    model = TreeClassifier(criterion, ties=ties, random_state=0, **prior)
    a = model.fit(X, y, sample_weight=weight).tree_
    b = model.fit(X, y, sample_weight=weight * 0.01).tree_
    for name in ("feature", "threshold", "children_left", "n_node_samples"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    np.testing.assert_allclose(a.value, b.value)
    np.testing.assert_allclose(a.weighted_n_node_samples * 0.01, b.weighted_n_node_samples)


SETTINGS = [(criterion, {"splitter": splitter}) for criterion in CODES for splitter in ("best", "random")]
SETTINGS += [(criterion, {"ties": "lowest_index", "leaf": "laplace"}) for criterion in CODES]
SETTINGS += [(criterion, {"categorical": [0]}) for criterion in CODES if criterion != "pu_hellinger"]


@pytest.mark.parametrize("criterion, settings", SETTINGS)
@pytest.mark.parametrize("weights", ["counts", "even counts"])
def test_weights_are_repeated_rows(criterion, settings, weights):
    for seed in range(5):
        X, y, rng = some_data(seed)
        X[:, 0] = rng.randint(0, 6, 200)
        weight = rng.randint(0, 4, 200) * (2 if weights == "even counts" else 1)
        prior = {"class_prior": 0.4} if criterion == "pu_hellinger" else {}
        model = TreeClassifier(criterion, random_state=seed, **prior, **settings)
        a = model.fit(X, y, sample_weight=weight)
        scores, nodes = a.predict_proba(X), a.tree_.node_count
        b = model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
        np.testing.assert_allclose(scores, b.predict_proba(X), rtol=1e-12, atol=1e-12)
        assert nodes == b.tree_.node_count > 5


def test_gain_ratio_counts_weights_as_rows():
    """One row of weight 2 makes a branch of two rows; three rows cannot make two branches."""
    X, y = np.arange(3.0).reshape(-1, 1), [1, 0, 0]
    model = TreeClassifier("gain_ratio")
    assert model.fit(X, y).get_n_leaves() == 1
    assert model.fit(X, y, sample_weight=[2, 1, 1]).get_n_leaves() == 2
    assert model.fit(X, y, sample_weight=[0.5, 0.5, 1]).get_n_leaves() == 1


@pytest.mark.parametrize(
    "weight, counts, unit",
    [
        ([1, 1, 1], [1, 1, 1], 1),
        ([0.01, 0, 0.03], [1, 0, 3], 0.01),
        ([3, 5, 0], [3, 5, 0], 1),
        ([0.3, 0.5, 0.0], [3, 5, 0], 0.1),
    ],
)
def test_weights_with_a_common_unit_become_counts(weight, counts, unit):
    got, got_unit = counting_weights(np.array(weight, float))
    np.testing.assert_array_equal(got, counts)
    assert got_unit == pytest.approx(unit)


def test_other_weights_keep_50_bits():
    weight = np.random.RandomState(0).uniform(0, 1, 1000) ** 8
    counts, unit = counting_weights(weight)
    np.testing.assert_array_equal(counts, np.rint(counts))
    np.testing.assert_allclose(counts * unit, weight, rtol=1e-6, atol=unit)
    assert counts.min() >= 1
    assert counts.sum() < 2**53


def test_counts_stay_within_what_doubles_hold_whole():
    """Weights with a common denominator too: times it, a sum of 2^49 would be too large."""
    counts, unit = counting_weights(np.array([1, 65 / 64, 33 / 32, 2.0**49]))
    assert counts.sum() < 2**53
    assert counts[-1] * unit == pytest.approx(2.0**49)


def test_hellinger_and_dkm_grow_the_same_tree():
    """DKM is sqrt(P N)/T times the squared Hellinger distance, so at a node both rank all cuts alike."""
    for seed in range(20):
        X, y, _ = some_data(seed)
        a, b = (TreeClassifier(criterion, random_state=seed).fit(X, y).tree_ for criterion in ("hellinger", "dkm"))
        np.testing.assert_array_equal(a.feature, b.feature)
        np.testing.assert_array_equal(a.threshold, b.threshold)
        assert a.node_count > 20


def test_hellinger_is_pu_hellinger_with_complete_labels():
    for seed in range(10):
        X, y, _ = some_data(seed)
        a = TreeClassifier("hellinger", random_state=seed).fit(X, y).tree_
        b = TreeClassifier("pu_hellinger", class_prior=y.mean(), random_state=seed).fit(X, y).tree_
        np.testing.assert_array_equal(a.feature, b.feature)
        np.testing.assert_array_equal(a.threshold, b.threshold)


def test_purity_stop_makes_the_tree_smaller():
    X, y, _ = some_data(2)
    model = PUHellingerTreeClassifier(0.5, max_depth=None, random_state=0)
    small = model.fit(X, y).get_n_leaves()
    assert model.set_params(purity_stop=False).fit(X, y).get_n_leaves() > small
