"""Spy-EM: its steps by hand and against plain loops, and what stands in where a step is not possible."""

import math
import warnings

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

from scarce.methods.spy_em import SpyEMClassifier, joint_log_likelihood, maximise
from tests.contract.method_checks import pu_data

PAPER = {"flat": "infinite", "scores": "sigmoid"}


def test_m_step_by_hand():
    """Class 0 has half of the rows at 0 and 2; class 1 has the other halves and all of the row at 6."""
    weight = np.array([[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]])
    share, mean, deviation = maximise(weight, np.array([[0.0], [2.0], [6.0]]))
    np.testing.assert_allclose(share, [1 / 3, 2 / 3])
    np.testing.assert_allclose(mean[:, 0], [1, 3.5])
    np.testing.assert_allclose(deviation[:, 0], [1, math.sqrt(19 - 3.5**2)])


def test_likelihood_is_that_of_independent_gaussians():
    model = np.array([0.3, 0.7]), np.array([[0.0, 1.0], [2.0, -1.0]]), np.array([[1.0, 2.0], [0.5, 3.0]])
    X = np.random.RandomState(0).normal(size=(5, 2))
    expected = [[math.log(p) + norm.logpdf(x, m, d).sum() for p, m, d in zip(*model, strict=True)] for x in X]
    np.testing.assert_allclose(joint_log_likelihood(model, X), expected)


def test_a_class_without_spread_is_infinitely_likely():
    model = np.array([0.5, 0.5]), np.zeros((2, 2)), np.array([[1.0, 0.0], [1.0, 1.0]])
    joint = joint_log_likelihood(model, np.ones((3, 2)))
    assert (joint[:, 0] == np.inf).all()
    assert np.isfinite(joint[:, 1]).all()


def naive(X, s, new, seed):
    """Row by row, with scipy's densities."""
    inner = np.random.RandomState(seed).randint(2**31 - 1)
    labeled, unlabeled = np.flatnonzero(s), np.flatnonzero(s == 0)
    spies = np.random.RandomState(inner).choice(labeled, max(round(0.1 * len(labeled)), 1), replace=False)
    observed = s.copy()
    observed[spies] = 0
    p = GaussianNB().fit(X, observed).predict_proba(X)[:, 1]
    bound = np.quantile(p[spies], 0.15)
    negative = {i for i in unlabeled if p[i] < bound}
    member = {i: 1.0 if s[i] else 0.0 for i in range(len(s)) if s[i] or i in negative}
    soft = [i for i in unlabeled if i not in negative]
    last = None
    while True:
        densities = []
        for k in (0, 1):
            rows, w = X[list(member)], np.array([m if k else 1 - m for m in member.values()])
            mean = np.average(rows, axis=0, weights=w)
            spread = np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=w))
            densities.append(w.mean() * norm.pdf(X, mean, spread).prod(1))
        total = np.log(np.sum(densities, 0))[soft].sum()
        if last is not None and total - last <= 0.1:
            break
        last = total
        member.update({i: densities[1][i] / (densities[0][i] + densities[1][i]) for i in soft})
    classes = np.where(s == 1, 1, densities[1] > densities[0])
    final = GaussianNB().fit(X, classes)
    return len(negative), classes.sum(), final.predict_proba(new)[:, 1], final


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("arguments", [{}, PAPER])
def test_equals_a_plain_implementation(seed, arguments):
    X, s, new = pu_data(400, 50, seed)
    n_negative, n_positive, scores, _ = naive(X, s, new, seed)
    model = SpyEMClassifier(random_state=seed, **arguments).fit(X, s)
    assert model.n_reliable_ == n_negative
    assert model.n_positive_ == n_positive > 50
    assert model.n_iter_ > 1
    np.testing.assert_allclose(model.predict_proba(new)[:, 1], scores, rtol=1e-6, atol=1e-6)
    assert model.notes_ == []


def test_far_rows_differ_though_their_posteriors_are_one():
    X, s, _ = pu_data(400, 50)
    X[s == 1] += 20
    far = np.full((4, 4), 20.0) + np.arange(4)[:, None]
    posterior = SpyEMClassifier(random_state=0, **PAPER).fit(X, s).predict_proba(far)[:, 1]
    kept = SpyEMClassifier(random_state=0).fit(X, s)
    assert (posterior == 1).all()
    margins = kept.decision_function(far)
    assert margins.min() > 50
    np.testing.assert_array_equal(kept.predict_proba(far)[:, 1].argsort(), margins.argsort())
    assert len(set(kept.predict_proba(far)[:, 1])) == 4


def test_a_feature_that_is_constant_among_the_labeled_rows():
    """The authors' EM ends without a likelihood and moves nobody; EM without the feature does."""
    X, s, new = pu_data(400, 50)
    X[:, 0] = np.where((s == 1) | (np.arange(400) % 10 > 0), 0.0, X[:, 0])
    paper, sound = (SpyEMClassifier(random_state=0, **arguments).fit(X, s) for arguments in (PAPER, {}))
    assert paper.n_positive_ == 50
    assert "EM has no likelihood" in paper.notes_[0]
    np.testing.assert_array_equal(paper.predict_proba(new), GaussianNB().fit(X, s).predict_proba(new))
    assert sound.n_positive_ > 50
    assert sound.notes_ == []


def test_one_class_in_the_end_is_a_constant_score_and_a_note():
    """As all unlabeled rows are reliable negatives here, EM has no step: the infinitely likely class takes all rows."""
    X, s, new = pu_data(400, 50)
    X[:, 0] = np.where(s == 1, 0.0, X[:, 0])
    for scores, constant in (("sigmoid", 0), ("margin", 0.5)):
        model = SpyEMClassifier(flat="infinite", scores=scores, random_state=0).fit(X, s)
        assert (model.predict_proba(new)[:, 1] == constant).all()
        assert "knows one class" in model.notes_[-1]
    sound = SpyEMClassifier(random_state=0).fit(X, s)
    assert np.ptp(sound.predict_proba(new)[:, 1]) > 0
    assert sound.notes_ == []


def test_a_column_constant_everywhere_changes_nothing():
    X, s, new = pu_data(400, 50)
    one = SpyEMClassifier(random_state=0).fit(X, s).predict_proba(new)
    two = SpyEMClassifier(random_state=0).fit(np.c_[X, np.ones(400)], s).predict_proba(np.c_[new, np.ones(40)])
    np.testing.assert_allclose(one, two, atol=1e-9)


@pytest.mark.parametrize("arguments", [{}, PAPER])
def test_one_labeled_row(arguments):
    X, _, new = pu_data()
    s = np.zeros(len(X), int)
    s[7] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = SpyEMClassifier(random_state=0, **arguments).fit(X, s)
    assert "no labeled row can be spared" in model.notes_[0]
    assert np.isfinite(model.predict_proba(new)).all()


def test_no_feature_that_varies_leaves_the_observed_labels():
    X, s = np.zeros((30, 2)), np.repeat([1, 0], [10, 20])
    X[s == 0] = np.random.RandomState(0).normal(size=(20, 2))
    model = SpyEMClassifier(random_state=0).fit(X, s)
    assert "no feature varies in both classes" in " ".join(model.notes_)
    assert model.n_positive_ == 10


@pytest.mark.parametrize(("unlabeled", "drawn"), [(80, 12), (2, 1)])
def test_no_reliable_negative_draws_some_at_random(unlabeled, drawn):
    """All unlabeled rows equal the spies, so none lies below them: 15 % are drawn, one at least."""
    X, s = np.ones((20 + unlabeled, 2)), np.repeat([1, 0], [20, unlabeled])
    X[0] = 0
    model = SpyEMClassifier(random_state=0).fit(X, s)
    assert "drawn at random" in model.notes_[0]
    assert model.n_reliable_ == drawn
    assert np.isfinite(model.predict_proba(X)).all()


def test_rows_that_are_all_alike_are_a_clear_error():
    with pytest.raises(ValueError, match="no feature varies"):
        SpyEMClassifier().fit(np.ones((10, 2)), np.repeat([1, 0], 5))


def test_steps_are_bounded():
    X, s, _ = pu_data(400, 50)
    model = SpyEMClassifier(tolerance=-np.inf, max_iter=5, random_state=0).fit(X, s)
    assert model.n_iter_ == 5
    assert model.notes_ == ["EM stopped at 5 steps before it converged"]


@pytest.mark.parametrize("wrong", [{"spy_share": 0}, {"noise_level": 1.0}, {"flat": "smoothed"}, {"scores": "logit"}])
def test_wrong_arguments(wrong):
    X, s, _ = pu_data()
    with pytest.raises(ValueError, match=next(iter(wrong))):
        SpyEMClassifier(**wrong).fit(X, s)


@pytest.mark.parametrize("settings", [{}, PAPER])
@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e160, 1e300, [1e-200, 1.0, 1e200, 1e-310]])
def test_features_of_any_size(settings, size):
    X, s, _ = pu_data()
    plain, sized = (SpyEMClassifier(random_state=0, **settings).fit(Z, s).predict(Z) for Z in (X, X * size))
    assert (plain == sized).mean() > 0.9


@pytest.mark.parametrize("scores", ["margin", "sigmoid"])
def test_new_rows_far_beyond_the_training_rows_are_scored(scores):
    random = np.random.RandomState(0)
    X, s = random.normal(size=(80, 2)), np.arange(80) < 15
    X[:30] += 2.0
    model = SpyEMClassifier(scores=scores, random_state=0).fit(X, s)
    far = np.array([[1e200, 0.0], [-1.7e308, 1e300], [1e39, -1e39]])
    with np.errstate(over="raise", invalid="raise"):
        predicted = model.predict_proba(far)
    assert np.isfinite(predicted).all()
    np.testing.assert_array_equal(model.predict_proba(np.vstack([X, far]))[:80], model.predict_proba(X))
