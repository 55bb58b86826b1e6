"""What labels admit: Fisher's test against its naive form, and limits that hold on populations of every kind."""

import numpy as np
import pytest
from scipy.stats import fisher_exact

from scarce.prior.evidence import FEWEST_LABELED, Region, _threshold, crowded_region, least_share, unlabeled_shares
from scarce.prior.scores import shares_above


def naive_largest_share(region: Region, risk: float) -> float:
    """The largest number of positives whose table of labeled and unlabeled ones, in and out, is no surprise."""
    k, n, u, m = region.labeled, region.of_labeled, region.unlabeled, region.of_unlabeled
    admitted = [
        positives
        for positives in range(m + 1)
        if fisher_exact([[k, n - k], [min(u, positives), positives - min(u, positives)]], "greater").pvalue > risk
    ]
    return max(admitted) / m


@pytest.mark.parametrize("risk", [0.05, 0.3])
@pytest.mark.parametrize("counts", [(5, 6, 3, 40), (0, 4, 3, 20), (9, 9, 0, 30), (3, 10, 12, 25), (8, 10, 25, 25)])
def test_the_limit_is_the_last_count_that_fishers_test_admits(counts, risk):
    assert Region(*counts).largest_share(risk) == naive_largest_share(Region(*counts), risk)


def test_no_row_chooses_its_own_region():
    """The region of each fold is that of a threshold which the labels of the other folds give."""
    rng = np.random.RandomState(0)
    scores, fold = rng.rand(300), np.arange(300) % 3
    s = rng.rand(300) < 0.1 + 0.5 * (scores > 0.7)
    inside = np.zeros(300, bool)
    for f in range(3):
        others = np.flatnonzero(fold != f)
        inside[fold == f] = scores[fold == f] >= _threshold(scores[others], s[others])
    expected = Region((inside & s).sum(), s.sum(), (inside & ~s).sum(), (~s).sum())
    assert crowded_region(scores, fold, s) == expected


def population(kind: str, seed: int, n: int = 800, prior: float = 0.15, frequency: float = 0.5):
    """Populations of which the rules were not made: heavy tails, a hidden cluster, skewed counts, pure noise."""
    rng = np.random.RandomState(seed)
    y = np.arange(n) < n * prior
    X = rng.normal(size=(n, 12))
    if kind == "heavy":
        X = rng.standard_t(2, size=(n, 3))
        X[y, 0] += 3
    elif kind == "cluster":  # a fifth of the negatives lies among the positives
        X[y | (rng.rand(n) < 0.2), 0] += 5
    elif kind == "counts":
        X = rng.poisson(np.where(y, 6, 2)[:, None], size=(n, 4)).astype(float)
    s = np.zeros(n, bool)
    s[rng.choice(y.sum(), round(frequency * y.sum()), replace=False)] = True
    return X, s, y


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["heavy", "cluster", "counts", "noise"])
def test_the_upper_limit_holds_where_nothing_is_known_of_the_classes(kind):
    """At a risk of 0.1 of each of 60 draws, more than 12 misses have a probability below 0.01."""
    misses = 0
    for seed in range(60):
        X, s, y = population(kind, 700 + seed)
        misses += unlabeled_shares(X, s, 0.1)[1] < y[~s].mean()
    assert misses <= 12


@pytest.mark.parametrize("kind", ["heavy", "counts", "noise"])
def test_the_lower_limit_holds_where_negatives_get_rarer(kind):
    """At a risk of 0.1 of each of 20 draws, more than 5 misses have a probability of 0.01."""
    draws = [population(kind, 900 + seed) for seed in range(20)]
    assert sum(unlabeled_shares(X, s, 0.1)[0] > y[~s].mean() for X, s, y in draws) <= 5


def test_many_labels_of_well_parted_classes_give_a_lower_limit():
    of_truth = []
    for seed in range(5):
        rng = np.random.RandomState(seed)
        y = np.arange(4000) < 1200
        X, s = rng.normal(size=(4000, 3)) + 6 * y[:, None], y & (rng.rand(4000) < 0.5)
        of_truth.append(np.array(unlabeled_shares(X, s, 0.05)) / y[~s].mean())
    low, high = np.median(of_truth, axis=0)
    assert 0.3 < low < 1 < high < 1.1


def test_a_ratio_that_falls_by_half_leaves_no_lower_limit():
    """As many labeled rows above as below the middle; of the unlabeled rows there are twice as many below."""
    scores = np.r_[np.linspace(0, 1, 400), np.linspace(0, 0.5, 400), np.linspace(0.5, 1, 200)]
    assert least_share(scores, np.arange(1000) < 400, 0.05) == 0


def test_few_rows_admit_everything():
    rng = np.random.RandomState(0)
    X, s = rng.normal(size=(100, 2)), np.arange(100) < FEWEST_LABELED - 1
    assert unlabeled_shares(X, s, 0.05) == (0, 1)
    assert unlabeled_shares(X, ~s, 0.05) == (0, 1)


def test_many_rows_are_drawn_from_and_give_the_same_limits_twice(monkeypatch):
    monkeypatch.setattr("scarce.prior.evidence.MOST_ROWS", 150)
    X, s, _ = population("counts", 0)
    assert unlabeled_shares(X, s, 0.05) == unlabeled_shares(X, s, 0.05)


def test_shares_above_count_ties():
    scores, s = np.array([1.0, 2, 2, 2, 3, 0]), np.array([1, 1, 0, 1, 0, 0], bool)
    thresholds, labeled, unlabeled = shares_above(scores, s)
    for t, of_labeled, of_unlabeled in zip(thresholds, labeled, unlabeled, strict=True):
        assert of_labeled == np.mean(scores[s] >= t)
        assert of_unlabeled == np.mean(scores[~s] >= t)
    assert thresholds.tolist() == [1, 2]
