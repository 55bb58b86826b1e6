"""Out-of-bag scores of forests, against the trees that did not see each row."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from scarce.trees import ForestClassifier, PUBaggingExtraTreesClassifier, PUHellingerForestClassifier
from scarce.trees.rng import Bootstrap

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(120, 3))
Y = X[:, 0] + X[:, 1] + RANDOM.normal(size=120) > 1
S = (Y & (RANDOM.uniform(size=120) < 0.6)).astype(int)
#: Forest, kind of its bootstrap, rows that it draws.
FORESTS = [
    (ForestClassifier(25, oob_score=True, random_state=1), True, 120),
    (ForestClassifier(25, aggregation="vote", max_samples=0.5, oob_score=True, random_state=1), True, 60),
    (
        PUHellingerForestClassifier(0.3, n_estimators=25, max_depth=3, oob_score=True, random_state=1),
        "stratified",
        None,
    ),
    (PUBaggingExtraTreesClassifier(25, oob_score=True, random_state=1), "stratified", None),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("forest, kind, draws", FORESTS)
def test_each_row_is_scored_by_the_trees_whose_bootstrap_left_it_out(forest, kind, draws, weighted):
    weight = 1 + np.arange(len(X)) % 3 if weighted else None
    forest.fit(X, S, sample_weight=weight)
    trees = forest.estimators_
    bags = Bootstrap(S == 1, np.ones(len(X), np.int64), kind, draws or int((S == 0).sum()))
    left_out = np.array([bags.draw(tree.random_state)[0] == 0 for tree in trees])
    vote = forest.aggregation == "vote"
    assert not hasattr(trees[0], "oob_decision_function_")
    for row in range(len(X)):
        scores = [tree.predict_proba(X[[row]])[0, 1] for tree, out in zip(trees, left_out[:, row], strict=True) if out]
        expected = np.mean([score > 0.5 for score in scores] if vote else scores) if scores else np.nan
        assert forest.oob_decision_function_[row, 1] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if kind == "stratified":
        np.testing.assert_array_equal(np.isnan(forest.oob_decision_function_[:, 1]), S == 1)
    np.testing.assert_allclose(forest.oob_decision_function_.sum(1)[left_out.any(0)], 1)


def test_they_are_those_of_scikit_learns_forest():
    forest = ForestClassifier(60, oob_score=True, random_state=3).fit(X, S)
    peer = RandomForestClassifier(60, oob_score=True, random_state=3).fit(X, S)
    np.testing.assert_allclose(forest.oob_decision_function_, peer.oob_decision_function_, atol=1e-12)


def test_they_depend_on_no_number_of_threads_and_change_no_score():
    one, four, without = (
        ForestClassifier(20, oob_score=oob, n_jobs=jobs, random_state=5).fit(X, S)
        for oob, jobs in ((True, 1), (True, 4), (False, 1))
    )
    np.testing.assert_array_equal(one.oob_decision_function_, four.oob_decision_function_)
    np.testing.assert_array_equal(one.predict_proba(X), without.predict_proba(X))
    assert not hasattr(without, "oob_decision_function_")
    assert not hasattr(one.set_params(oob_score=False).fit(X, S), "oob_decision_function_")


@pytest.mark.parametrize(
    "settings, weight", [({"bootstrap": False}, None), ({}, np.arange(len(X))), ({"oob_score": "yes"}, None)]
)
def test_what_has_no_out_of_bag_score_is_refused(settings, weight):
    with pytest.raises(ValueError, match="oob_score"):
        ForestClassifier(2, **{"oob_score": True} | settings).fit(X, S, sample_weight=weight)
