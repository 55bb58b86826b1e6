"""Gini and entropy trees and forests are scikit-learn's for the same seed, node by node."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from scarce.trees import ForestClassifier, TreeClassifier


def data_sets():
    yield "breast cancer", *load_breast_cancer(return_X_y=True)
    X, y = load_iris(return_X_y=True)  # one decimal: many ties
    yield "iris", X, (y == 1).astype(int)
    X, y = make_classification(400, 9, n_informative=4, n_redundant=3, weights=[0.9], flip_y=0.1, random_state=0)
    yield "imbalanced", X, y
    yield "counts", np.round(2 * X), y
    yield "two values", (X > 0).astype(float), y
    yield "words", X[:150, :3], np.where(y[:150] == 1, "yes", "no")


DATA = {name: (X, y) for name, X, y in data_sets()}
SETTINGS = {
    "grown fully": {},
    "depth 3": {"max_depth": 3},
    "one feature a node": {"max_features": 1},
    "sqrt features, 5 rows a leaf": {"max_features": "sqrt", "min_samples_leaf": 5},
    "shares": {"max_features": 0.5, "min_samples_leaf": 0.02, "min_samples_split": 0.1},
    "20 rows to split": {"min_samples_split": 20, "max_features": "log2"},
}


def assert_same(tree, peer):
    counts = ("n_node_samples", "weighted_n_node_samples")
    for name in ("feature", "threshold", "children_left", "children_right", *counts):
        np.testing.assert_array_equal(getattr(tree, name), getattr(peer, name), err_msg=name)
    np.testing.assert_allclose(tree.value, peer.value[:, 0, 1], rtol=1e-12)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("splitter, Peer", [("best", DecisionTreeClassifier), ("random", ExtraTreeClassifier)])
def test_trees_equal(criterion, data, settings, splitter, Peer):
    X, y = DATA[data]
    for seed in range(3):
        tree = TreeClassifier(criterion, splitter=splitter, random_state=seed, **settings).fit(X, y)
        peer = Peer(criterion=criterion, random_state=seed, **{"max_features": None, **settings}).fit(X, y)
        assert_same(tree.tree_, peer.tree_)
        np.testing.assert_allclose(tree.feature_importances_, peer.feature_importances_, atol=1e-12)
        assert tree.get_depth() == peer.get_depth()
        assert tree.get_n_leaves() == peer.get_n_leaves()
        np.testing.assert_array_equal(tree.apply(X), peer.apply(X))
        np.testing.assert_array_equal(tree.predict(X), peer.predict(X))


@pytest.mark.parametrize("data", DATA)
def test_trees_with_integer_weights_equal(data):
    X, y = DATA[data]
    weight = np.random.RandomState(4).randint(0, 4, len(y))
    tree = TreeClassifier(random_state=1).fit(X, y, sample_weight=weight)
    peer = DecisionTreeClassifier(random_state=1).fit(X, y, sample_weight=weight)
    assert_same(tree.tree_, peer.tree_)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("bootstrap", [True, False])
def test_forests_equal(data, bootstrap):
    X, y = DATA[data]
    forest = ForestClassifier(6, bootstrap=bootstrap, random_state=2).fit(X, y)
    peer = RandomForestClassifier(6, bootstrap=bootstrap, random_state=2).fit(X, y)
    for a, b in zip(forest.trees_, peer.estimators_, strict=True):
        assert_same(a, b.tree_)
    np.testing.assert_allclose(forest.predict_proba(X), peer.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(forest.feature_importances_, peer.feature_importances_, atol=1e-12)


def test_extra_trees_equal():
    X, y = DATA["imbalanced"]
    forest = ForestClassifier(6, splitter="random", bootstrap=False, random_state=2).fit(X, y)
    peer = ExtraTreesClassifier(6, random_state=2).fit(X, y)
    for a, b in zip(forest.trees_, peer.estimators_, strict=True):
        assert_same(a, b.tree_)


def test_the_seeds_matter():
    """Guards the tests above: another seed gives another tree on tied data."""
    X, y = DATA["two values"]
    a, b = (TreeClassifier(random_state=seed).fit(X, y).tree_ for seed in (0, 1))
    assert a.node_count != b.node_count or (a.feature != b.feature).any()
