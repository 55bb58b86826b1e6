"""PU bagging: the bags, the fit on rows that count, the vote and the margin."""

import copy

import numpy as np
import pytest
from sklearn.svm import SVC

from scarce.methods.bagging import PUBaggingClassifier
from scarce.methods.bagging import bags as bags_of


def data(n=200, labeled=20, seed=0):
    random = np.random.RandomState(seed)
    X = random.normal(size=(n, 3))
    X[: 2 * labeled] += 1
    return X, (np.arange(n) < labeled).astype(int), random.normal(size=(100, 3)) + 0.5


def bags(model, X, s):
    return list(bags_of(s, model.n_estimators, X.shape[1], model.random_state))


def test_a_bag_is_all_labeled_once_and_as_many_unlabeled():
    X, s, _ = data()
    counts = bags(PUBaggingClassifier(50, random_state=1), X, s)
    assert len(counts) == 50
    for count in counts:
        assert (count[s == 1] == 1).all()
        assert count[s == 0].sum() == s.sum()
    assert any((count[s == 0] > 1).any() for count in counts)
    assert len({count.tobytes() for count in counts}) == 50


def test_fit_on_rows_that_count_equals_weights_of_zero():
    X, s, _ = data()
    model = PUBaggingClassifier(25, aggregate="vote", random_state=3).fit(X, s)
    everything = [SVC(kernel="linear").fit(X, s, sample_weight=count.astype(float)) for count in bags(model, X, s)]
    for one, coef, intercept in zip(everything, model.coef_, model.intercept_, strict=True):
        np.testing.assert_allclose(coef, one.coef_[0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(intercept, one.intercept_[0], rtol=0, atol=1e-12)


def test_votes_equal_those_of_the_svms():
    X, s, new = data(seed=5)
    model = PUBaggingClassifier(40, aggregate="vote", random_state=3).fit(X, s)
    votes = np.zeros(len(new))
    for count in bags(model, X, s):
        rows = np.flatnonzero(count)
        votes += SVC(kernel="linear").fit(X[rows], s[rows], sample_weight=count[rows].astype(float)).predict(new)
    np.testing.assert_array_equal(model.predict_proba(new)[:, 1], votes / 40)
    assert len(np.unique(votes)) > 5


def test_margins_are_the_mean_of_the_svms_distances():
    X, s, new = data()
    model = PUBaggingClassifier(10, random_state=0).fit(X, s)
    margins = np.array(
        [SVC(kernel="linear").fit(X, s, sample_weight=c).decision_function(new) for c in bags(model, X, s)]
    )
    np.testing.assert_allclose(model.decision_function(new), margins.mean(0), atol=1e-9)


def test_margin_scores_keep_the_order_of_large_margins():
    X, s, _ = data()
    model = PUBaggingClassifier(5, random_state=0).fit(X, s)
    far = np.outer(10.0 ** np.arange(1, 7), np.ones(3))
    margins, scores = model.decision_function(far), model.predict_proba(far)[:, 1]
    assert margins[-1] > 1e5
    assert (np.diff(scores) > 0).all()
    assert scores[-1] < 1


def test_prediction_follows_the_sign_of_the_decision():
    X, s, new = data()
    for aggregate in ("margin", "vote"):
        model = PUBaggingClassifier(15, aggregate=aggregate, random_state=2).fit(X, s)
        np.testing.assert_array_equal(model.predict(new) == 1, model.decision_function(new) > 0)


def test_training_rows_get_a_score_from_the_full_ensemble():
    X, s, _ = data()
    assert np.isfinite(PUBaggingClassifier(2, random_state=0).fit(X, s).predict_proba(X)).all()


@pytest.mark.parametrize(
    ("wrong", "match"), [({"aggregate": "mean"}, "aggregate"), ({"n_estimators": 0}, "n_estimators")]
)
def test_wrong_parameters(wrong, match):
    X, s, _ = data()
    with pytest.raises(ValueError, match=match):
        PUBaggingClassifier(**wrong).fit(X, s)


@pytest.mark.parametrize("aggregate", ["margin", "vote"])
def test_out_of_bag_scores_are_those_of_the_svms_whose_bag_lacks_the_row(aggregate):
    X, s, _ = data()
    model = PUBaggingClassifier(30, aggregate=aggregate, random_state=4, oob_score=True).fit(X, s)
    without = PUBaggingClassifier(30, aggregate=aggregate, random_state=4).fit(X, s)
    counts = bags(model, X, s)
    for row in range(len(X)):
        svms = [place for place, count in enumerate(counts) if not count[row]]
        if not svms:
            assert s[row] == 1
            assert np.isnan(model.oob_decision_function_[row]).all()
            continue
        alone = copy.copy(without)
        alone.coef_, alone.intercept_ = without.coef_[svms], without.intercept_[svms]
        np.testing.assert_allclose(model.oob_decision_function_[row], alone.predict_proba(X[[row]])[0], atol=1e-12)
    np.testing.assert_array_equal(model.predict_proba(X), without.predict_proba(X))
    assert not hasattr(without, "oob_decision_function_")
