"""Elkan-Noto: g/c and the authors' scale by hand, the hold-out, and what happens without one."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from scarce.methods.elkan_noto import ElkanNotoClassifier, posterior
from tests.contract.method_checks import pu_data


def test_posterior_by_hand():
    """g/c up to 0.9; beyond, 1 - 0.09 c/g."""
    np.testing.assert_allclose(posterior([0.0, 0.1, 0.18, 0.2, 0.4, 1.0], 0.2), [0, 0.5, 0.9, 0.91, 0.955, 0.982])


@given(st.floats(1e-6, 1), st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_posterior_keeps_the_ranking(c, g):
    g = np.sort(g)
    score = posterior(g, c)
    assert score.min() >= 0
    assert score.max() < 1
    assert (np.diff(score) >= 0).all()
    assert (np.diff(score)[np.diff(g) > 1e-3] > 0).all()


def test_as_coded_by_hand():
    """Ten rows, two labeled, c = 1/2: weights 1 and 1/3, E = (2 + 4/3)/10, and scores g c E m/n = g 5/6."""
    model = ElkanNotoClassifier(scores="as_coded")
    model.label_frequency_, model._n_labeled, model._n_rows = 0.5, 2, 10
    np.testing.assert_allclose(model._as_coded(np.array([0.5, 0.25])), [0.5 * 5 / 6, 0.25 * 5 / 6])


def libsvm(X, s, seed):
    """The hold-out and libsvm's probabilities, plainly."""
    A, B, a, b = train_test_split(X, s, test_size=0.2, stratify=s, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        svm = SVC(kernel="linear", probability=True, random_state=seed).fit(A, a)
        slope, shift = svm.probA_[0], svm.probB_[0]
    return svm, B[b == 1], lambda rows: 1 / (1 + np.exp(slope * svm.decision_function(rows) - shift))


@pytest.mark.parametrize("seed", range(4))
def test_as_coded_equals_a_plain_implementation(seed):
    X, s, new = pu_data(400, 50, seed)
    svm, held, _ = libsvm(X, s, seed)
    c, g = svm.predict_proba(held)[:, 1].mean(), svm.predict_proba(new)[:, 1]
    scale = (50 + sum(p / (1 - p) * (1 - c) / c for p in g)) / 400
    model = ElkanNotoClassifier(scores="as_coded", random_state=seed).fit(X, s)
    np.testing.assert_allclose(model.predict_proba(new)[:, 1], [p * c * scale * 400 / 50 for p in g], rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_posterior_is_platts_function_over_its_mean_on_held_out_labeled_rows(seed):
    X, s, new = pu_data(400, 50, seed)
    svm, held, platt = libsvm(X, s, seed)
    c = platt(held).mean()
    model = ElkanNotoClassifier(random_state=seed).fit(X, s)
    assert model.label_frequency_ == pytest.approx(c)
    np.testing.assert_allclose(model.predict_proba(new)[:, 1], posterior(platt(new), c), rtol=1e-9)
    np.testing.assert_allclose(platt(new), svm.predict_proba(new)[:, 1], atol=0.01)  # libsvm approximates


def test_the_scale_of_as_coded_depends_on_the_batch_and_its_ranking_does_not():
    X, s, new = pu_data(400, 50)
    model = ElkanNotoClassifier(scores="as_coded", random_state=0).fit(X, s)
    all_rows, half = model.predict_proba(new)[:20, 1], model.predict_proba(new[:20])[:, 1]
    assert (abs(all_rows / half - 1) > 0.01).all()
    np.testing.assert_array_equal(all_rows.argsort(), half.argsort())


def test_recovers_the_label_frequency():
    """A quarter of well separated positives is hidden. (With more hidden than labeled, hinge loss sees one class.)"""
    random = np.random.RandomState(0)
    X, s = random.normal(size=(2000, 2)), np.zeros(2000, int)
    X[:1000] += 4
    s[:750] = 1
    model = ElkanNotoClassifier(random_state=0).fit(X, s)
    assert model.label_frequency_ == pytest.approx(0.75, abs=0.05)
    assert model.notes_ == []


def test_seeded():
    X, s, new = pu_data(400, 50)
    one, same, other = (ElkanNotoClassifier(random_state=seed).fit(X, s).predict_proba(new) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


@pytest.mark.parametrize("labeled", [1, 2])
@pytest.mark.parametrize("scores", ["posterior", "as_coded"])
def test_too_few_labeled_rows_for_a_hold_out(labeled, scores):
    """Of two labeled rows, one in five rounds to none."""
    X, _, new = pu_data()
    s = np.zeros(len(X), int)
    s[:labeled] = 1
    model = ElkanNotoClassifier(scores=scores, random_state=0).fit(X, s)
    assert np.isfinite(model.predict_proba(new)).all()
    assert "too few labeled rows for a hold-out" in " ".join(model.notes_)


def test_an_inverted_order_is_a_note():
    """Where the label is noise, the folds behind Platt's scaling contradict the SVM now and then."""
    inverted = []
    for seed in range(12):
        random = np.random.RandomState(seed)
        X, s = random.normal(size=(80, 2)), np.arange(80) < 6
        model = ElkanNotoClassifier(random_state=0).fit(X, s)
        ends = X[model._svm.decision_function(X).argsort()[[0, -1]]]
        low, high = model.predict_proba(ends)[:, 1]
        assert (low > high) == any("turned the order" in note for note in model.notes_)
        inverted.append(low > high)
    assert any(inverted)
    assert not all(inverted)


def test_separable_data_and_constant_columns():
    X = np.c_[np.arange(-50.0, 50.0), np.full(100, 7.0)]
    score = ElkanNotoClassifier(random_state=0).fit(X, (X[:, 0] >= 0).astype(int)).predict_proba(X)[:, 1]
    assert (np.diff(score) > 0).all()


def test_no_deprecation_reaches_the_user():
    X, s, new = pu_data()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ElkanNotoClassifier(random_state=0).fit(X, s).predict_proba(new)


@pytest.mark.parametrize("wrong", [{"holdout": 0}, {"holdout": 1.0}, {"scores": "clipped"}])
def test_wrong_arguments(wrong):
    X, s, _ = pu_data()
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ElkanNotoClassifier(**wrong).fit(X, s)
