"""Boosted PU risks: derivatives against the risks as their papers write them, and what the estimator makes of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.special import expit

from scarce.methods.boosted_risks import (
    RISKS,
    BoostedRiskClassifier,
    derivatives,
    negative_risk,
    reversed_derivatives,
    risk_weights,
)
from tests.contract.method_checks import pu_data

PRIOR, RHO = 0.2, 0.3


def l_plus(margin):
    return np.logaddexp(0, -margin)


def l_minus(margin):
    return np.logaddexp(0, margin)


def negatives(margin, labeled):
    """Risk of the negatives times their share, from all rows and labeled ones (Kiryo et al. 2017)."""
    return l_minus(margin).mean() - PRIOR * l_minus(margin[labeled]).mean()


def positives(margin, labeled):
    return l_plus(margin[labeled]).mean()


WRITTEN = {  # a risk of each name, as a sum over rows
    "upu": lambda m, s: len(m) * (PRIOR * positives(m, s) + negatives(m, s)),
    "nnpu": lambda m, s: len(m) * (PRIOR * positives(m, s) + max(0, negatives(m, s))),
    "nnpu_rowwise": lambda m, s: PRIOR / s.mean() * l_plus(m[s]).sum() + l_minus(m[~s]).sum(),
    "imb_nnpu": lambda m, s: (
        len(m) * (RHO * positives(m, s) + (1 - RHO) * max(0, negatives(m, s)) / (1 - PRIOR))
    ),
    "imb_nnpu_as_coded": lambda m, s: (
        RHO * l_plus(m[s]).sum() + (1 - RHO) / (1 - PRIOR) * l_minus(m[~s]).sum()
    ),
}  # fmt: skip


def margins(seed=0, n=40, labeled=4, shift=0.0):
    random = np.random.RandomState(seed)
    s = np.arange(n) < labeled
    return random.normal(size=n) * 2 + shift * s, s


@pytest.mark.parametrize("risk", RISKS)
def test_derivatives_are_those_of_the_written_risk(risk):
    margin, s = margins()
    assert negatives(margin, s) > 0  # else the clipped risks are reversed
    weights = risk_weights(risk, PRIOR, s.mean(), RHO)
    gradient, hessian = derivatives(margin, s, weights)
    np.testing.assert_allclose(gradient, approx_fprime(margin, WRITTEN[risk], 1e-6, s), atol=1e-4)
    step = 1e-5
    above, below = (derivatives(margin + d, s, weights)[0] for d in (step, -step))
    np.testing.assert_allclose(hessian, (above - below) / (2 * step), atol=1e-6)


@pytest.mark.parametrize("risk", ["nnpu", "imb_nnpu"])
def test_reversed_gradient_is_that_of_the_negative_risk(risk):
    margin, s = margins(shift=30)
    assert negatives(margin, s) < 0
    weights = risk_weights(risk, PRIOR, s.mean(), RHO)
    factor = (1 - RHO) / (1 - PRIOR) if risk == "imb_nnpu" else 1

    def minus(margin):
        return -factor * len(margin) * negatives(margin, s)

    assert negative_risk(margin, s, weights) == pytest.approx(-minus(margin))
    gradient, _ = reversed_derivatives(margin, s, weights)
    np.testing.assert_allclose(gradient, approx_fprime(margin, minus, 1e-6), atol=1e-4)


@given(
    seed=st.integers(0, 10**6),
    scale=st.floats(0.1, 30),
    rate=st.floats(0.05, 1),
    risk=st.sampled_from(["nnpu", "imb_nnpu"]),
)
def test_a_reversed_step_raises_the_negative_risk(seed, scale, rate, risk):
    """Whatever the margins: a quarter of a weight bounds the curvature."""
    margin, s = margins(seed)
    margin *= scale
    weights = risk_weights(risk, PRIOR, s.mean())
    gradient, hessian = reversed_derivatives(margin, s, weights)
    after = negative_risk(margin - rate * gradient / hessian, s, weights)
    assert after >= negative_risk(margin, s, weights) - 1e-9


@pytest.mark.parametrize(
    "risk, q, expected",  # 1/c = 4, prior 0.2, rho 0.5; gradient and hessian of s = 1, then of s = 0
    [
        ("upu", 0.5, (-3.5, 0.25, 0.5, 0.25)),
        ("upu", 0.75, (-3.25, 0.1875, 0.75, 0.1875)),
        ("nnpu_rowwise", 0.5, (-2, 1, 0.5, 0.25)),
        ("nnpu_rowwise", 0.75, (-1, 0.75, 0.75, 0.1875)),
        ("imb_nnpu_as_coded", 0.5, (-0.25, 0.125, 0.3125, 0.15625)),
        ("imb_nnpu_as_coded", 0.75, (-0.125, 0.09375, 0.46875, 0.1171875)),
    ],
)
def test_what_the_authors_ran(risk, q, expected):
    margin = np.full(2, np.log(q / (1 - q)), np.float32)
    gradient, hessian = derivatives(margin, np.array([True, False]), risk_weights(risk, 0.2, 0.05))
    np.testing.assert_allclose([gradient[0], hessian[0], gradient[1], hessian[1]], expected, rtol=1e-6)


@given(
    prior=st.floats(0.001, 0.999),
    c=st.floats(0.01, 1),
    rho=st.floats(0.01, 0.99),
)
def test_imbalanced_weights_make_rho_the_class_prior(prior, c, rho):
    """Positives weigh a share rho of the rows and negatives the rest: one a row on average."""
    share = prior * c
    weights = risk_weights("imb_nnpu", prior, share, rho)
    assert share * weights.positive == pytest.approx(rho)
    assert share * weights.negative + (1 - share) * weights.unlabeled == pytest.approx(1 - rho)


def test_hessians_are_never_negative():
    margin, s = margins()
    for risk in RISKS:
        for prior in (0.05, 0.5, 0.95):
            assert (derivatives(margin, s, risk_weights(risk, prior, s.mean()))[1] >= 0).all()


@pytest.mark.parametrize(("risk", "rounds"), [("upu", 10), ("nnpu", 1)])
def test_one_sample_is_the_same_as_passing_labeled_rows_twice(risk, rounds):
    """But for rounds that raise the negative risk: the bound of a pair's curvature is the sum of two."""
    X, s, _ = pu_data(400, 20)
    union, twice = np.vstack([X[s == 1], X]), np.repeat([1, 0], [20, 400])
    few = {"class_prior": 0.3, "n_estimators": rounds}
    one = BoostedRiskClassifier(risk, **few).fit(X, s)
    two = BoostedRiskClassifier(risk, scheme="two_sample", **few).fit(union, twice)
    np.testing.assert_allclose(one.decision_function(X), two.decision_function(X), rtol=1e-3, atol=1e-3)
    assert one.n_reversed_ == two.n_reversed_ == 0
    apart = BoostedRiskClassifier(risk, scheme="two_sample", **few).fit(X, s)
    assert np.abs(apart.decision_function(X) - one.decision_function(X)).max() > 0.1


def test_a_class_prior_below_the_share_of_labeled_rows_is_odd_in_one_sample_only():
    X, s, _ = pu_data(100, 40)
    notes = [
        BoostedRiskClassifier(class_prior=0.2, scheme=scheme, n_estimators=1).fit(X, s).notes_
        for scheme in ("one_sample", "two_sample")
    ]
    assert "below the share" in notes[0][0] and notes[1] == []


def test_the_non_negative_risk_stays_near_zero_where_the_unbiased_one_falls():
    X, s, _ = pu_data(400, 20)
    final = {}
    for risk in ("upu", "nnpu", "imb_nnpu"):
        model = BoostedRiskClassifier(risk, class_prior=0.3).fit(X, s)
        final[risk] = negative_risk(model.decision_function(X), s == 1, model.weights_) / len(s)
        assert (model.n_reversed_ > 0) == (risk != "upu")
    assert final["upu"] < -0.5
    assert min(final["nnpu"], final["imb_nnpu"]) > final["upu"] / 4


def test_labels_without_hidden_positives_are_ordinary_boosting():
    """With c = 1 uPU, nnPU and the row-wise form weigh all rows alike."""
    X, s, new = pu_data()
    share = s.mean()
    one, *others = (
        BoostedRiskClassifier(risk, class_prior=share).fit(X, s).decision_function(new)
        for risk in ("upu", "nnpu", "nnpu_rowwise")
    )
    for margin in others:
        np.testing.assert_array_equal(margin, one)


def test_scores():
    X, s, _ = pu_data(400, 20)
    fitted = BoostedRiskClassifier("upu", class_prior=0.3).fit(X, s)
    margin = fitted.decision_function(X)
    assert margin.max() > 20
    assert len(np.unique(fitted.predict_proba(X)[:, 1])) == len(np.unique(margin))
    rounded = fitted.set_params(scores="sigmoid32").predict_proba(X)[:, 1]
    np.testing.assert_array_equal(rounded, expit(margin))
    assert rounded.max() == 1
    assert len(np.unique(rounded)) < len(np.unique(margin))


def test_boosting_starts_at_a_margin_of_one_half():
    X, s, new = pu_data()
    stump = BoostedRiskClassifier("nnpu_rowwise", class_prior=0.2, min_child_weight=1e9, n_estimators=1).fit(X, s)
    np.testing.assert_array_equal(stump.decision_function(new), np.float32(0.5))


def test_label_share_replaces_that_of_the_rows():
    X, s, _ = pu_data()
    assert BoostedRiskClassifier(class_prior=0.4).fit(X, s).label_frequency_ == pytest.approx(0.25)
    given = BoostedRiskClassifier(class_prior=0.4, label_share=0.2).fit(X, s)
    assert given.label_frequency_ == pytest.approx(0.5)
    assert given.weights_.positive == pytest.approx(2)


def test_threads_and_seeds_change_nothing():
    X, s, new = pu_data(400, 30)
    first = BoostedRiskClassifier(class_prior=0.3).fit(X, s).decision_function(new)
    for arguments in ({"n_jobs": 2}, {"n_jobs": 1}, {"random_state": 7}, {"random_state": np.random.RandomState(1)}):
        again = BoostedRiskClassifier(class_prior=0.3, **arguments).fit(X, s).decision_function(new)
        np.testing.assert_array_equal(again, first)


@pytest.mark.parametrize("risk", RISKS)
def test_one_labeled_row_and_constant_columns(risk):
    X, s = np.ones((60, 2)), np.arange(60) == 3
    model = BoostedRiskClassifier(risk, class_prior=0.1).fit(X, s)
    score = model.predict_proba(X)[:, 1]
    assert np.isfinite(score).all()
    assert np.ptp(score) == 0


def test_a_prior_below_the_labeled_share_is_noted():
    X, s, _ = pu_data()
    assert BoostedRiskClassifier(class_prior=0.05).fit(X, s).notes_ == [
        "class prior 0.05 is below the share of labeled rows"
    ]
    assert BoostedRiskClassifier(class_prior=0.2).fit(X, s).notes_ == []


@pytest.mark.parametrize("value", [1e39, -1e300])
def test_a_number_too_large_for_32_bits_is_a_clear_error(value):
    X, s, new = pu_data()
    model = BoostedRiskClassifier(class_prior=0.2, n_estimators=2).fit(X, s)
    new[3, 1] = X[5, 0] = value
    for wrong in (lambda: model.predict_proba(new), lambda: model.fit(X, s)):
        with pytest.raises(ValueError, match=r"^Input X contains infinity or a value too large for dtype\('float32'\)"):
            wrong()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"risk": "pu"}, "risk must be one of"),
        ({"scores": "sigmoid"}, "scores must be one of"),
        ({"class_prior": None}, "class_prior must be"),
        ({"class_prior": 1}, r"class_prior must be a number in \(0, 1\), got 1"),
        ({"label_share": 0.0}, r"label_share must be a number in \(0, 1\)"),
        ({"rho": "half"}, r"rho must be a number in \(0, 1\)"),
        ({"n_estimators": 0}, "n_estimators must be"),
        ({"max_depth": 2.5}, "max_depth must be"),
        ({"learning_rate": 0}, "learning_rate must be a number"),
        ({"min_child_weight": -1}, "min_child_weight must be"),
        ({"reg_lambda": float("nan")}, "reg_lambda must be"),
    ],
)
def test_wrong_parameters_are_clear_errors(arguments, message):
    X, s, _ = pu_data()
    with pytest.raises(ValueError, match=message):
        BoostedRiskClassifier(**{"class_prior": 0.2} | arguments).fit(X, s)


@pytest.mark.parametrize("risk", RISKS)
def test_weights_are_repeated_rows_up_to_32_bits(risk):
    X, s, new = pu_data(300, 40)
    weight = np.random.RandomState(0).randint(0, 4, 300)
    model = BoostedRiskClassifier(risk, class_prior=0.2, n_estimators=3)
    weighted = model.fit(X, s, weight).predict_proba(new)
    repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(s, weight)).predict_proba(new)
    np.testing.assert_allclose(weighted, repeated, atol=1e-5)
    assert np.abs(model.fit(X, s).predict_proba(new) - repeated).max() > 1e-3
