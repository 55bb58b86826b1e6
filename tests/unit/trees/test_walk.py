"""Rows walked in blocks end where one row at a time does."""

from __future__ import annotations

import numpy as np
import pytest

from scarce.trees import ForestClassifier, walk

RNG = np.random.RandomState(0)
ROWS = RNG.randint(0, 30, (300, 5)).astype(float)
LABELS = (ROWS[:, 0] * ROWS[:, 1] > 300) ^ (RNG.random_sample(300) < 0.1)


def leaf(tree, row: np.ndarray) -> int:
    node = 0
    while tree.children_left[node] >= 0:
        left = np.float64(np.float32(row[tree.feature[node]])) <= tree.threshold[node]
        node = (tree.children_left if left else tree.children_right)[node]
    return node


@pytest.mark.parametrize("block", [1, 7, 16, 40, 128, walk.BLOCK])
@pytest.mark.parametrize("n", [1, 15, 16, 17, 129, 300])
def test_leaves_and_scores_are_those_of_one_row_at_a_time(n, block, monkeypatch):
    monkeypatch.setattr(walk, "BLOCK", block)
    forest = ForestClassifier(n_estimators=5, max_depth=6, random_state=0).fit(ROWS, LABELS)
    rows = ROWS[RNG.permutation(300)[:n]]
    leaves = np.array([[leaf(tree, row) for tree in forest.trees_] for row in rows])
    np.testing.assert_array_equal(forest.apply(rows), leaves)
    scores = sum(tree.value[leaves[:, k]] for k, tree in enumerate(forest.trees_)) / 5
    np.testing.assert_array_equal(forest.predict_proba(rows)[:, 1], scores)
    votes = forest.set_params(aggregation="vote").predict_proba(rows)[:, 1]
    np.testing.assert_array_equal(
        votes, np.mean([tree.value[leaves[:, k]] > 0.5 for k, tree in enumerate(forest.trees_)], axis=0)
    )
