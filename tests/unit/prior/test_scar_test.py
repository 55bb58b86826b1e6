"""The test of SCAR: exact where positives are known, and blind where nothing can be seen."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from scarce.analysis.scar import SEPARATED, ScarResult, verdict
from scarce.prior.scar_test import _Places, scar_test


def separated(seed: int, chosen=lambda X: np.ones(len(X), bool), n: int = 300):
    random = np.random.RandomState(seed)
    y = np.arange(n) < n // 3
    X = random.normal(size=(n, 3)) + 8 * np.outer(y, [1, 0, 0])
    return X, y & chosen(X) & (random.uniform(size=n) < 0.5)


def test_distances_are_those_of_scipy_with_ties():
    random = np.random.RandomState(0)
    X = np.column_stack([random.normal(size=60), random.randint(4, size=60), np.zeros(60)])
    subset = random.uniform(size=60) < 0.4
    expected = [ks_2samp(X[subset, j], X[:, j]).statistic for j in range(3)]
    assert _Places(X).distances(subset) == pytest.approx(expected)


def test_the_level_is_kept_where_positives_are_known():
    p = [scar_test(*separated(seed), 1 / 3, n_draws=19, random_state=seed).p_value for seed in range(40)]
    assert np.mean(np.array(p) <= 0.05) <= 0.15
    assert max(p) > 0.5


def test_labels_by_another_column_are_found_and_the_column_named():
    X, s = separated(0, lambda X: X[:, 1] > 0)
    found = scar_test(X, s, 1 / 3, n_draws=99, random_state=0)
    assert found.p_value == 0.01
    assert np.argmax(found.excess) == 1
    assert found.n_presumed == 100


def test_rows_and_their_order_do_not_matter_but_scores_do():
    X, s = separated(0)
    scores = X[:, 0]
    found = scar_test(X, s, 1 / 3, scores=scores, n_draws=9, random_state=0)
    order = np.random.RandomState(1).permutation(len(s))
    assert scar_test(X[order], s[order], 1 / 3, scores=scores[order], n_draws=9).statistic == pytest.approx(
        found.statistic
    )
    assert scar_test(X, s, 1 / 3, scores=-scores, n_draws=9, random_state=0).statistic > found.statistic


@pytest.mark.parametrize("prior", [0.01, 1.0])
def test_a_class_prior_that_leaves_nothing_to_compare_is_refused(prior):
    with pytest.raises(ValueError, match="class prior"):
        scar_test(*separated(0), prior)


def test_shapes_and_few_labels_are_refused():
    X, s = separated(0)
    with pytest.raises(ValueError, match="inconsistent"):
        scar_test(X, s, 1 / 3, scores=np.zeros(3))
    few = np.zeros(len(s), int)
    few[:4] = 1
    with pytest.raises(ValueError, match="4 labeled rows"):
        scar_test(X, few, 1 / 3)


@pytest.mark.parametrize(
    ("auc", "p_values", "says"),
    [
        (1.0, [], "not tested"),
        (SEPARATED - 0.001, [0.01, 0.01, 0.01], "overlap"),
        (SEPARATED, [0.01, 0.05, 0.01], "rejected"),
        (SEPARATED, [0.01, 0.01, 0.06], "not rejected"),
    ],
)
def test_verdicts(auc, p_values, says):
    assert verdict([ScarResult(0.1, auc, p) for p in p_values]) == says
