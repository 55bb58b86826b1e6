"""Probabilities of margins that keep the ranking: the logistic function without its ties."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from scarce.methods.base import probability_of_margin
from scarce.methods.weighted_logistic import PUWeightedLogisticRegression

MARGIN = st.floats(-1e300, 1e300)


@given(MARGIN, MARGIN)
def test_never_decreases(one, two):
    low, high = probability_of_margin(sorted([one, two]))
    assert 0 <= low <= high <= 1


@given(st.floats(14.9, 15.1))
def test_has_no_step_where_the_logistic_function_ends(margin):
    near = [margin, np.nextafter(margin, np.inf), margin + 1e-6]
    for sign in (1, -1):
        change = sign * np.diff(probability_of_margin(sign * np.array(near)))
        assert (change >= 0).all()
        assert change.max() < 1e-12


@given(st.floats(-700, 700, width=32))
def test_neighbouring_margins_of_a_booster_remain_distinct(margin):
    margin = np.float32(margin)
    if abs(margin) > 1e-3:  # doubles near one half are coarser than floats near 0
        one, two = probability_of_margin(np.array([margin, np.nextafter(margin, np.float32(np.inf))]))
        assert one < two


@given(MARGIN)
def test_is_close_to_the_logistic_function_and_symmetric(margin):
    value, mirrored = probability_of_margin([margin, -margin])
    assert abs(value - expit(margin)) < 4e-7
    assert abs(value + mirrored - 1) < 1e-15
    if abs(margin) <= 15:
        assert abs(value - expit(margin)) < 1e-15


def test_infinite_margins_are_certain():
    np.testing.assert_array_equal(probability_of_margin([-np.inf, 0, np.inf]), [0, 0.5, 1])


def test_weighted_logistic_regression_ranks_rows_that_the_logistic_function_ties():
    X, s = np.arange(-50.0, 50.0)[:, None], np.arange(-50, 50) >= 0  # separable: log-odds without bound
    far = np.array([[100.0], [200.0], [300.0]])
    tied = PUWeightedLogisticRegression(scores="sigmoid").fit(X, s).predict_proba(far)[:, 1]
    ranked = PUWeightedLogisticRegression().fit(X, s).predict_proba(far)[:, 1]
    assert (tied == 1).all()
    assert (np.diff(ranked) > 0).all()


def test_weighted_logistic_regression_keeps_the_logistic_function_to_the_last_bit():
    random = np.random.RandomState(0)
    X, s = random.normal(size=(100, 3)), np.arange(100) < 20
    scores = PUWeightedLogisticRegression(max_iter=100, scores="sigmoid").fit(X, s).predict_proba(X)
    expected = LogisticRegression(C=np.inf, class_weight={0: 0.2, 1: 0.8}, max_iter=100).fit(X, s).predict_proba(X)
    np.testing.assert_array_equal(scores, expected)
