"""Pulce: loops with 50 digits, ties by hand, and properties."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from scarce.estimators import categories
from scarce.methods import pulce
from scarce.methods.pulce import NEIGHBOURS, PulceClassifier
from scarce.scoring.runs import Runs
from tests.reference import naive_pulce

K = (1, 3, 7, 11, 13)
WAYS = [
    {"distance": distance, "redundancy": redundancy, "unseen": unseen}
    for distance, redundancy, unseen in [
        ("euclid", "paper", "natural"),
        ("euclid", "fcbf", "max"),
        ("kl", "paper", "natural"),
    ]
]


def nominal(n_levels, **how):
    return PulceClassifier(categorical=range(len(n_levels)), n_levels=n_levels, **how)


def rows(seed, n_labeled=9, n_unlabeled=20, n_new=15):
    """Codes of few values, so that many distances tie; new rows have values outside their domains, too."""
    random = np.random.RandomState(seed)
    n_levels = random.randint(1, 4, random.randint(1, 5))
    draw = [random.randint(0, n_levels, (n, len(n_levels))) for n in (n_labeled, n_unlabeled)]
    if len(n_levels) > 1:
        draw[0][:, 1] = draw[0][:, 0] % n_levels[1]
    new = random.randint(0, n_levels + 1, (n_new, len(n_levels)))
    return np.vstack(draw), np.repeat([1, 0], [n_labeled, n_unlabeled]), new, n_levels.tolist()


def classes(seed, n=300, m=6, labeled=40):
    """Two classes in which neighbouring attributes go together, each in its own way; X, s, y."""
    random = np.random.RandomState(seed)
    y = np.repeat([1, 0], [n // 2, n - n // 2])
    X = np.empty((n, m), int)
    X[:, 0] = random.randint(0, 4, n)
    for i in range(1, m):
        follows = random.rand(n) < 0.85
        X[:, i] = np.where(follows, (X[:, i - 1] + y) % 4, random.randint(0, 4, n))
    s = np.zeros(n, int)
    s[:labeled] = 1
    return X, s, y


@pytest.mark.parametrize("how", WAYS, ids=lambda how: "-".join(how.values()))
@pytest.mark.parametrize("seed", range(12))
def test_equals_loops(seed, how):
    X, s, new, n_levels = rows(seed, n_labeled=1 + seed)
    shift = (-0.2, 0.0, 0.1)[seed % 3]
    own = nominal(n_levels, threshold_shift=shift, **how).fit(X, s)
    naive = naive_pulce.Pulce(X[s == 1].tolist(), X[s == 0].tolist(), n_levels, shift, **how)
    assert own.tau_ == pytest.approx(float(naive.tau), rel=1e-10)
    assert (own.reliable_negatives_ - s.sum()).tolist() == naive.reliable
    assert own.facts_["rn_fallback"] == naive.fallback
    for k in K:
        expected = [naive.margin(row, k) for row in new.tolist()]
        margin = own.set_params(k=k).margin(new)
        np.testing.assert_allclose(margin, np.array(expected, float), rtol=1e-9, atol=1e-10)
        assert (margin == 0).tolist() == [value == 0 for value in expected], "ties"
        assert own.predict(new).tolist() == [int(value >= 0) for value in expected]


def test_the_loops_meet_ties_fallbacks_and_few_rows():
    """What `test_equals_loops` compares is there to be compared."""
    ties = fallbacks = strict = 0
    for seed in range(12):
        X, s, new, n_levels = rows(seed, n_labeled=1 + seed)
        naive = naive_pulce.Pulce(X[s == 1].tolist(), X[s == 0].tolist(), n_levels)
        margins = [naive.margin(row, 3) for row in new.tolist()]
        ties += sum(margin == 0 for margin in margins)
        strict += sum(margin < 0 for margin in margins)
        fallbacks += naive.fallback
    assert ties
    assert strict
    assert fallbacks


def test_a_score_at_the_threshold_is_not_reliable():
    """Two positives at distance tau; an unlabeled row like either of them has tau / 2 as its mean."""
    X = np.array([[0, 0], [1, 1], [0, 0], [1, 1], [2, 2]])
    fitted = nominal([3, 3]).fit(X, [1, 1, 0, 0, 0])
    # P(a | x) is 1 or 0: distance sqrt(2 / 3) in each attribute, and sqrt(1 / 3) to a value that no row has
    assert fitted.tau_ == pytest.approx(np.sqrt(4 / 3))
    assert fitted.notes_[0].startswith("no unlabeled row")
    assert fitted.reliable_negatives_.tolist() == [4]
    # all distances to positives equal: the mean is the threshold by arithmetic, if not by rounding
    X = np.array([[0], [1], [2], [3], [3]])
    fitted = nominal([4]).fit(X, [1, 1, 1, 0, 0])
    assert fitted.tau_ == 1
    assert fitted.facts_["rn_fallback"] == 1
    assert nominal([4], threshold_shift=-0.01).fit(X, [1, 1, 1, 0, 0]).reliable_negatives_.tolist() == [3, 4]


@pytest.mark.parametrize("n", range(3, 15))
def test_rounding_makes_no_row_reliable(n):
    """All pairs of n positives are equally far, so that the mean distance from one of them is (1 - 1/n) tau."""
    X = np.repeat(np.arange(n), 2).reshape(n, 2)
    fitted = nominal([n, n], threshold_shift=-1 / n).fit(np.vstack([X, X[:2]]), np.repeat([1, 0], [n, 2]))
    assert fitted.facts_["rn_fallback"] == 1


@pytest.mark.parametrize("seed", range(4))
def test_rounding_breaks_no_tie(seed):
    """Reliable negatives are positives with other columns first: a row of equal codes is equally far from both."""
    random = np.random.RandomState(seed)
    X = random.randint(0, 4, (30, 7))
    fitted = nominal([4] * 7, threshold_shift=-1).fit(
        np.vstack([X, X[:, random.permutation(7)]]), np.repeat([1, 0], 30)
    )
    assert len(fitted.reliable_negatives_) == 30
    for k in K:
        np.testing.assert_array_equal(fitted.set_params(k=k).margin(np.repeat(np.arange(4), 7).reshape(4, 7)), 0)


def test_a_tie_is_positive():
    """New rows without a known value are at distance 0 of all: they tie."""
    X, s, _ = classes(0)
    fitted = nominal([4] * 6).fit(X, s)
    outside = np.full((1, 6), 9)
    assert fitted.margin(outside) == 0
    ((negative, positive),) = fitted.predict_proba(outside)
    assert negative < 0.5 < positive < 0.5 + 1e-15
    assert fitted.predict(outside).tolist() == [1]


@pytest.mark.parametrize("strict", [True, False])
def test_f1_default_decides_as_the_paper(strict):
    X, s, y = classes(1, labeled=60)
    scored = np.vstack([X[s == 0], np.full((3, 6), 9)])
    truth = np.append(y[s == 0], [1, 1, 0])
    fitted = nominal([4] * 6, k=3).fit(X, s)
    scores, positive = fitted.predict_proba(scored)[None, :, 1], fitted.margin(scored) >= 0
    none = np.empty((1, 0))
    runs = Runs(truth[None], scores, none, none, none, np.array([np.nan]), decision="f1_default", strict=strict)
    tp, fp, fn, tn = (int(count[0]) for count in runs.counts())
    assert (tp, fp) == ((positive & (truth == 1)).sum(), (positive & (truth == 0)).sum())
    assert (fn, tn) == ((~positive & (truth == 1)).sum(), (~positive & (truth == 0)).sum())
    assert tp > fn
    assert tn > fp


def test_scores_rank_rows_by_the_margin():
    X, s, _ = classes(2)
    fitted = nominal([4] * 6, k=7).fit(X, s)
    margin, score = fitted.margin(X), fitted.predict_proba(X)[:, 1]
    order = np.argsort(margin, kind="stable")
    assert (np.diff(score[order]) >= 0).all()
    assert ((score > 0.5) == (margin >= 0)).all()
    assert score.min() >= 0
    assert score.max() <= 1
    assert len(np.unique(score)) > 100


def test_a_margin_below_the_rounding_of_scores_still_decides(monkeypatch):
    X, s, _ = classes(2)
    fitted = nominal([4] * 6).fit(X, s)
    monkeypatch.setattr(PulceClassifier, "margin", lambda self, X: np.array([-1e-14, 0.0, 1e-14]))
    assert fitted.predict(X[:3]).tolist() == [0, 1, 1]


def test_learns_how_attributes_go_together():
    X, s, y = classes(3, n=600, labeled=100)
    hidden = s == 0
    for k in K:
        assert (nominal([4] * 6, k=k).fit(X, s).predict(X[hidden]) == y[hidden]).mean() > 0.8


@pytest.mark.parametrize("how", WAYS, ids=lambda how: "-".join(how.values()))
def test_permuting_rows_or_levels_changes_nothing(how):
    X, s, _ = classes(4, n=150)
    X[::7, 2] = 1
    expected = nominal([5] * 6, k=3, **how).fit(X, s).predict_proba(X)
    random = np.random.RandomState(0)
    order = random.permutation(len(X))
    shuffled = nominal([5] * 6, k=3, **how).fit(X[order], s[order])
    np.testing.assert_allclose(shuffled.predict_proba(X), expected, rtol=0, atol=1e-12)
    names = random.permutation(5)
    renamed = nominal([5] * 6, k=3, **how).fit(names[X], s)
    np.testing.assert_allclose(renamed.predict_proba(names[X]), expected, rtol=0, atol=1e-12)


def test_a_constant_column_changes_no_decision():
    X, s, _ = classes(5)
    more = np.column_stack([X, np.zeros(len(X), int)])
    expected = nominal([4] * 6, k=3).fit(X, s)
    wider = nominal([4] * 6 + [1], k=3).fit(more, s)
    np.testing.assert_array_equal(wider.margin(more), expected.margin(X))


def test_the_farthest_row_of_a_fallback_does_not_depend_on_the_order_of_rows():
    X = np.array([[0, 0], [0, 0], [1, 0], [0, 1], [1, 0]])
    s = np.array([1, 1, 0, 0, 0])
    # the two columns are alike, so that the last three rows are equally far: the first by its codes is taken
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 3, 1, 4]):
        fitted = nominal([2, 2], threshold_shift=1e9).fit(X[order] * [1, 1], s[order])
        assert len(fitted.reliable_negatives_) == 3, "tau is 0, which no shift raises"
    X = np.array([[0, 0], [1, 1], [1, 0], [0, 1], [1, 0]])
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 3, 1, 4]):
        fitted = nominal([2, 2], threshold_shift=5).fit(X[order], s[order])
        assert X[order][fitted.reliable_negatives_].tolist() == [[0, 1]]
        assert fitted.facts_["reliable_negatives"] == fitted.facts_["rn_fallback"] == 1


def test_one_positive():
    X, s, _ = classes(6)
    s = (np.arange(len(X)) == 0).astype(int)
    fitted = nominal([4] * 6).fit(X, s)
    assert fitted.tau_ == 0
    assert fitted.predict(X[:1]).tolist() == [1]
    others = (X != X[0]).any(axis=1)
    assert fitted.reliable_negatives_.tolist() == np.flatnonzero(others).tolist()


def test_k_larger_than_the_sets_compares_means_and_says_so():
    X, s, _ = classes(7, n=40, labeled=4)
    fitted = nominal([4] * 6, k=500).fit(X, s)
    margin = fitted.margin(X)
    means = [model.mean_distances(X) for model in (fitted.negatives_, fitted.positives_)]
    np.testing.assert_allclose(margin, means[0] - means[1], atol=1e-12)
    notes = [note for note in fitted.notes_ if note.startswith("k is 500")]
    assert len(notes) == 2
    assert "4 labeled rows" in notes[0]
    fitted.set_params(k=1).predict(X)
    assert not [note for note in fitted.notes_ if note.startswith("k is")]


def test_all_k_cost_one_pass(monkeypatch):
    X, s, _ = classes(8)
    fitted = nominal([4] * 6).fit(X, s)
    expected = {k: clone(fitted).set_params(k=k).fit(X, s).margin(X) for k in (*K, NEIGHBOURS + 5)}
    passes = []
    nearest = pulce.ClassModel.nearest
    monkeypatch.setattr(
        pulce.ClassModel, "nearest", lambda self, codes, k: passes.append(k) or nearest(self, codes, k)
    )
    for k in K:
        np.testing.assert_array_equal(fitted.set_params(k=k).margin(X), expected[k])
    assert passes == [NEIGHBOURS] * 2
    k = NEIGHBOURS + 5
    np.testing.assert_allclose(fitted.set_params(k=k).margin(X), expected[k], atol=1e-12)
    assert passes == [NEIGHBOURS] * 2 + [k] * 2


def test_other_rows_and_another_fit_are_not_mistaken_for_the_last_ones():
    X, s, _ = classes(9)
    fitted = nominal([4] * 6).fit(X, s)
    first, rows = fitted.margin(X[:50]), X[:50].copy()
    rows[0] = (rows[0] + 1) % 4
    changed = fitted.margin(rows)
    assert changed[0] != first[0]
    np.testing.assert_array_equal(changed[1:], first[1:])
    np.testing.assert_array_equal(fitted.margin(X[:50][::-1]), first[::-1])
    other_s = np.roll(s, 30)
    again = fitted.fit(X, other_s).margin(X[:50])
    np.testing.assert_array_equal(again, nominal([4] * 6).fit(X, other_s).margin(X[:50]))
    assert (again != first).any()


def test_nearest_distances_are_not_saved():
    X, s, _ = classes(10)
    fitted = nominal([4] * 6).fit(X, s)
    size = len(pickle.dumps(fitted))
    expected = fitted.predict_proba(X)
    assert len(pickle.dumps(fitted)) == size
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(X), expected)


@pytest.mark.parametrize("cells", [1, 500, 5000])
def test_the_size_of_blocks_changes_nothing(monkeypatch, cells):
    X, s, _ = classes(11, n=120)
    one = nominal([4] * 6, k=3).fit(X, s)
    expected = one.margin(X)
    monkeypatch.setattr(categories, "CELLS_AT_A_TIME", cells)
    other = nominal([4] * 6, k=3).fit(X, s)
    np.testing.assert_array_equal(one.reliable_negatives_, other.reliable_negatives_)
    np.testing.assert_allclose(other.margin(X), expected, rtol=0, atol=1e-13)


def test_the_threshold_shift_moves_the_number_of_reliable_negatives():
    X, s, _ = classes(12)
    shifts = (-1.0, -0.2, 0.0, 0.2)
    counts = [nominal([4] * 6, threshold_shift=shift).fit(X, s).facts_["reliable_negatives"] for shift in shifts]
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) > 1


def test_facts_are_numbers():
    X, s, _ = classes(13)
    facts = nominal([4] * 6, threshold_shift=0.1).fit(X, s).facts_
    assert facts["positives"] == s.sum()
    assert 0 < facts["reliable_negatives"] < len(X)
    assert facts["threshold"] == pytest.approx(1.1 * facts["tau"])
    assert facts["rn_fallback"] == 0


def test_weights_that_differ_are_refused_with_a_reason():
    X, s, _ = classes(14)
    with pytest.raises(ValueError, match="cannot use weights that differ: counts"):
        nominal([4] * 6).fit(X, s, 1.0 + s)


@pytest.mark.parametrize(
    ("argument", "value"),
    [("k", 0), ("k", 1.5), ("distance", "l2"), ("redundancy", "none"), ("unseen", 1), ("threshold_shift", -1.5)],
)
def test_arguments_are_checked(argument, value):
    X, s, _ = classes(15)
    with pytest.raises(ValueError, match=argument):
        nominal([4] * 6, **{argument: value}).fit(X, s)


def test_k_is_checked_again_when_it_was_set_after_the_fit():
    X, s, _ = classes(15)
    with pytest.raises(ValueError, match="k must be"):
        nominal([4] * 6).fit(X, s).set_params(k=0).predict(X)
