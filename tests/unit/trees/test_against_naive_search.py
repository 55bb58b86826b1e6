"""The compiled engine against a plain exhaustive search, node by node, on small problems full of corner cases."""

from __future__ import annotations

import numpy as np
import pytest

from scarce.trees import PUHellingerForestClassifier
from scarce.trees.codes import FEW, encode
from scarce.trees.criteria import CODES
from scarce.trees.grow import Options, grow
from scarce.trees.rng import Bootstrap
from tests.reference.naive_tree import NaiveTree


def problem(seed: int):
    """Features of several kinds, labels from a few to most rows, 1/c from below 1 to far above, weights of 0 to 3."""
    rng = np.random.RandomState(seed)
    n, d = rng.randint(3, 260), rng.randint(1, 6)
    X = rng.randn(n, d)
    kind = seed % 6
    if kind in (1, 2):  # many equal values
        X = np.round(X * rng.choice([1, 2, 4, 10]))
    if kind == 2:  # a constant feature
        X[:, 0] = 3.0
    if kind == 3:  # duplicate rows
        X[rng.randint(0, n, n // 2)] = X[rng.randint(0, n, n // 2)]
    if kind == 4:  # values about as close as the literal mode tells apart
        X = 1 + X * 1e-7
    spread = X[:, -1].std() + 1e-12
    signal = (X[:, -1] - X[:, -1].mean()) / spread + 0.8 * rng.randn(n)
    labeled = (signal > rng.uniform(-0.5, 1.5)) & (rng.rand(n) < rng.choice([0.1, 0.3, 0.6, 1.0]))
    labeled[0] = True
    weight = rng.choice([0, 1, 1, 2, 3], n).astype(float) if seed % 2 else np.ones(n)
    weight[0] = 1
    share = labeled.mean()
    prior = np.clip(share * rng.choice([0.5, 0.99, 1, 1.01, 2, 5, 20, 100]), 0.001, 0.999)
    limits = {
        "max_features": int(rng.choice([d, 1, max(1, int(d**0.5))])),
        "max_depth": int(rng.choice([3, 6, 1000])),
        "min_leaf": int(rng.choice([1, 1, 1, 4])),
    }
    return X.astype(np.float32), labeled, weight, float(prior / share), limits


def both(seed: int, criterion: str, exact: bool, purity_stop: bool):
    """The arrays of the naive and of the compiled tree."""
    X, labeled, weight, inv_c, limits = problem(seed)
    inv_c = inv_c if criterion == "pu_hellinger" else 1.0
    naive = NaiveTree(criterion, inv_c=inv_c, exact=exact, purity_stop=purity_stop, state=seed + 1, **limits)
    return naive.fit(X, labeled, weight).arrays(), compiled(seed, criterion, exact, purity_stop)


def compiled(seed: int, criterion: str, exact: bool, purity_stop: bool):
    X, labeled, weight, inv_c, limits = problem(seed)
    inv_c = inv_c if criterion == "pu_hellinger" else 1.0
    options = Options(
        CODES[criterion],
        inv_c,
        exact,
        False,
        purity_stop,
        limits["max_depth"],
        max(2, 2 * limits["min_leaf"]),
        limits["min_leaf"],
        limits["max_features"],
    )
    coded = encode(X, labeled, slots=limits["min_leaf"] == 1, merge=not exact)
    tree = grow(coded, labeled, weight, options, seed + 1)
    names = ("feature", "threshold", "children_left", "children_right", "weight", "labeled")
    return [getattr(tree, name) for name in names]


@pytest.mark.parametrize("purity_stop", [False, True])
@pytest.mark.parametrize("exact", [False, True], ids=["literal", "exact"])
@pytest.mark.parametrize("block", range(8))
def test_pu_hellinger_trees_are_those_of_an_exhaustive_search(block, exact, purity_stop):
    for seed in range(12 * block, 12 * block + 12):
        expected, got = both(seed, "pu_hellinger", exact, purity_stop)
        for a, b in zip(expected, got, strict=True):
            np.testing.assert_array_equal(a, b, err_msg=f"seed {seed}")


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm"])
@pytest.mark.parametrize("exact", [False, True], ids=["literal", "exact"])
@pytest.mark.parametrize("purity_stop", [False, True])
def test_two_class_trees_are_those_of_an_exhaustive_search(criterion, exact, purity_stop):
    for seed in range(200, 212):
        expected, got = both(seed, criterion, exact, purity_stop)
        for a, b in zip(expected, got, strict=True):
            np.testing.assert_array_equal(a, b, err_msg=f"seed {seed}")


@pytest.mark.parametrize("criterion", ["gini", "entropy", "dkm", "pu_hellinger"])
@pytest.mark.parametrize("seed", range(12))
def test_slots_and_tallies_find_what_a_search_of_every_value_finds(criterion, seed):
    """On sets too large for the naive tree, with bootstrap counts and with weights over nine powers of ten."""
    rng = np.random.RandomState(seed)
    n, d = rng.randint(500, 4000), rng.randint(1, 6)
    X = np.round(rng.randn(n, d), 1 + seed % 3).astype(np.float32)
    labeled = (X[:, 0] + 0.7 * rng.randn(n) > rng.choice([0, 1, 2])) & (rng.rand(n) < rng.choice([0.1, 0.5, 0.9]))
    weight = [
        np.ones(n),
        np.bincount(rng.randint(0, n, n), minlength=n).astype(float),
        np.rint(rng.uniform(0, 1, n) ** 4 * 2**30) + 1,
    ][seed % 3]
    inv_c = float(rng.choice([1.3, 2, 4, 10])) if criterion == "pu_hellinger" else 1.0
    options = Options(CODES[criterion], inv_c, True, False, seed % 5 > 0, 1000, 2, 1, max(1, int(d**0.5)))
    slots, tallies, slow = (
        grow(encode(X, labeled, slots=slots, few=few), labeled, weight, options, seed + 1)
        for slots, few in ((True, 0), (True, FEW), (False, 0))
    )
    assert len(slow.feature) > 50
    for fast in (slots, tallies):
        for a, b in zip(fast, slow, strict=True):
            np.testing.assert_array_equal(a, b)


def test_the_problems_hold_the_corner_cases():
    """Guards the tests above: their nodes include clipped ones, ones without negatives, and large ones."""
    clipped = no_negatives = large = 0
    for seed in range(96):
        _, _, _, inv_c, _ = problem(seed)
        _, _, left, _, t, positives = compiled(seed, "pu_hellinger", True, False)
        inner = left >= 0
        clipped += int(((inv_c * positives > t) & inner & (positives < t)).sum())
        no_negatives += int(((positives == t) & inner).sum())
        large += int(((t > 40) & inner & (inv_c > 1)).sum())
    assert min(clipped, no_negatives, large) > 50


@pytest.mark.parametrize("bootstrap", [True, "stratified", False])
def test_forest_scores_are_those_of_naive_trees_on_the_drawn_rows(bootstrap):
    rng = np.random.RandomState(3)
    X = np.round(rng.randn(90, 4), 1).astype(np.float32)
    s = (X[:, 0] + rng.randn(90) > 1.2).astype(int)
    Z = rng.randn(40, 4)
    forest = PUHellingerForestClassifier(
        0.5, n_estimators=7, bootstrap=bootstrap, ties="literal", leaf="observed", purity_stop=False, random_state=11
    ).fit(X, s)
    seeds = np.random.RandomState(11)
    total = np.zeros(40)
    for seed in [seeds.randint(2**31 - 1) for _ in range(7)]:
        draw = np.random.RandomState(seed)
        unlabeled = np.flatnonzero(s == 0)
        rows = {
            True: lambda: draw.randint(0, 90, 90),  # noqa: B023
            False: lambda: np.arange(90),
            "stratified": lambda: np.r_[unlabeled[draw.randint(0, len(unlabeled), len(unlabeled))], np.flatnonzero(s)],  # noqa: B023
        }[bootstrap]()
        state = np.random.RandomState(seed).randint(0, 2**31 - 1)
        naive = NaiveTree("pu_hellinger", inv_c=0.5 / s.mean(), purity_stop=False, max_features=2, state=state)
        total += naive.fit(X, s == 1, np.bincount(rows, minlength=90)).score(Z)
    np.testing.assert_array_equal(forest.predict_proba(Z)[:, 1], total / 7)


@pytest.mark.parametrize("n", [1, 2, 50, 64, 65, 700])
def test_rows_are_drawn_as_numpy_draws_them(n):
    labeled = np.arange(n) % 7 == 0
    weight = 1 + np.arange(n) % 3
    unlabeled = np.flatnonzero(~labeled)
    for seed in (0, 1, 5, 2**31 - 2):
        state = np.random.RandomState(seed).randint(0, 2**31 - 1)
        ones, got = Bootstrap(labeled, weight, False, n).draw(seed)
        np.testing.assert_array_equal(ones, weight)
        assert got == state
        counts, got = Bootstrap(labeled, weight, True, 3 * n).draw(seed)
        expected = np.bincount(np.random.RandomState(seed).randint(0, n, 3 * n), minlength=n)
        np.testing.assert_array_equal(counts, expected * weight)
        assert got == state
        counts, got = Bootstrap(labeled, weight, "stratified", n).draw(seed)
        if len(unlabeled):
            drawn = unlabeled[np.random.RandomState(seed).randint(0, len(unlabeled), n)]
            expected = np.bincount(drawn, minlength=n) + labeled
            np.testing.assert_array_equal(counts, expected * weight)
        else:
            np.testing.assert_array_equal(counts, weight)
        assert got == state
