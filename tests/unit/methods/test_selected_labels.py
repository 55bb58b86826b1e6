"""Methods that know of selected labels: their objectives, EM, thresholds, and what they refuse."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from scarce.methods.lbe import LBEClassifier
from scarce.methods.linear import Standard, minimise
from scarce.methods.propensity_weighting import PropensityWeightedClassifier
from scarce.methods.pusb import PUSBClassifier, threshold
from scarce.methods.sar_em import SAREMClassifier, expectation_maximisation, log_likelihood, posterior


def selected(n=3000, seed=0):
    """Features, true labels, propensities and observed labels; the first feature decides who is labeled."""
    random = np.random.RandomState(seed)
    X = random.normal(size=(n, 4))
    y = random.random_sample(n) < expit(X @ [0.5, 1.5, 1.5, 0.0] - 1.5)
    e = expit(3 * X[:, 0])
    return X, y.astype(int), e, (y & (random.random_sample(n) < e)).astype(int)


X, Y, E, S = selected()
Z = Standard.of(X, np.ones(len(X)))(X)


def sklearn_coefficients(features, target, weight, C=1.0):
    model = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(features[:, :-1], target, weight)
    return np.append(model.coef_[0], model.intercept_)


def test_the_objective_is_that_of_logistic_regression():
    weight = np.random.RandomState(1).random_sample(len(S))
    for C in (0.1, 10.0):
        ours = minimise(Z, weight, weight * S, C=C).coef
        np.testing.assert_allclose(ours, sklearn_coefficients(Z, S, weight, C), atol=1e-3)


def test_a_target_between_two_classes_is_a_row_of_each():
    target = np.random.RandomState(1).random_sample(len(S))
    twice, both = np.vstack([Z, Z]), np.repeat([1, 0], len(S))
    expected = sklearn_coefficients(twice, both, np.append(target, 1 - target))
    np.testing.assert_allclose(minimise(Z, np.ones(len(S)), target, C=1.0).coef, expected, atol=1e-3)


def test_weighting_counts_a_labeled_row_as_positive_and_as_minus_so_many_negatives():
    """The risk of Bekker et al.: 1/e times positive, 1 - 1/e times negative."""
    e = np.maximum(E, 0.1)
    rows = np.vstack([Z, Z[S == 1]])
    target = np.append(S, np.zeros(S.sum()))
    weight = np.append(np.where(S == 1, 1 / e, 1.0), 1 - 1 / e[S == 1])
    model = PropensityWeightedClassifier().fit(X, S, propensity=e)
    np.testing.assert_allclose(model._coef, sklearn_coefficients(rows, target, weight), atol=2e-3)
    assert model.class_prior_ == pytest.approx((S / e).mean())


def test_a_propensity_of_one_is_the_naive_method():
    model = PropensityWeightedClassifier(1.0).fit(X, S)
    np.testing.assert_allclose(model._coef, sklearn_coefficients(Z, S, None), atol=1e-3)


def test_who_knows_the_propensity_ranks_best_where_labels_are_selected():
    naive, known = PropensityWeightedClassifier(1.0).fit(X, S), PropensityWeightedClassifier().fit(X, S, propensity=E)
    new, y, _, _ = selected(seed=1)
    of = {model: roc_auc_score(y, model.predict_proba(new)[:, 1]) for model in (naive, known)}
    assert of[known] > of[naive] + 0.03
    assert known.class_prior_ == pytest.approx(Y.mean(), abs=0.03)


@pytest.mark.parametrize("refit", [True, False])
def test_who_learns_the_propensity_ranks_better_than_who_ignores_it(refit):
    """Where it is known on which feature it depends: with all features in both models, EM may swap their roles."""
    model, naive = SAREMClassifier(attributes=[0], refit=refit).fit(X, S), PropensityWeightedClassifier(1.0).fit(X, S)
    new, y, _, _ = selected(seed=1)
    assert roc_auc_score(y, model.predict_proba(new)[:, 1]) > roc_auc_score(y, naive.predict_proba(new)[:, 1]) + 0.02
    assert model.facts_["propensity_of_labeled_rows"] == pytest.approx(E[S == 1].mean(), abs=0.1)


@pytest.mark.parametrize("model", [SAREMClassifier(), LBEClassifier()])
def test_two_models_explain_the_observed_labels_better_than_one(model):
    naive = expit(PropensityWeightedClassifier(1.0).fit(X, S).decision_function(X))
    of_naive = np.log(np.where(S == 1, naive, 1 - naive)).mean()
    facts = model.fit(X, S).facts_
    assert facts["log_likelihood"] > of_naive + 0.005
    assert facts["em_steps"] == model.n_iter_


def test_the_e_step_is_bayes_rule():
    margins_h, margins_e = np.random.RandomState(0).normal(size=(2, 50)) * 3
    h, e = expit(margins_h), expit(margins_e)
    s = np.arange(50) % 2
    expected = np.where(s == 1, 1, h * (1 - e) / (h * (1 - e) + 1 - h))
    np.testing.assert_allclose(posterior(margins_h, margins_e, s), expected)
    likelihood = np.where(s == 1, h * e, 1 - h * e)
    assert log_likelihood(margins_h, margins_e, s, np.ones(50)) == pytest.approx(np.log(likelihood).mean())


def test_no_step_of_em_lowers_the_penalised_likelihood():
    weight, C = np.ones(len(S)), 1.0

    def value(h, e):
        penalty = (h[:-1] @ h[:-1] + e[:-1] @ e[:-1]) / (2 * C)
        return len(S) * log_likelihood(Z @ h, Z @ e, S, weight) - penalty

    start, values = (np.zeros(5), np.full(5, 0.1)), []
    for steps in range(1, 12):
        models = expectation_maximisation(Z, Z, S, weight, start, C=C, tolerance=0.0, max_iter=steps)
        values.append(value(models.classifier, models.propensity))
    assert (np.diff([value(*start), *values]) > -1e-6).all()
    assert values[-1] > values[0] + 1


@pytest.mark.parametrize(("prior", "positive"), [(0.1, 300), (0.25, 750), (0.5, 1500)])
def test_pusb_calls_the_class_priors_share_of_the_rows_positive(prior, positive):
    model = PUSBClassifier(prior).fit(X, S)
    assert model.predict(X).sum() == positive
    two = PUSBClassifier(prior, scheme="two_sample").fit(X, S)
    assert two.predict(X[S == 0]).mean() == pytest.approx(prior, abs=1 / (S == 0).sum())


def test_pusb_ranks_as_a_constant_propensity_does():
    prior = 0.4
    constant = PropensityWeightedClassifier(S.mean() / prior).fit(X, S).decision_function(X)
    pusb = PUSBClassifier(prior).fit(X, S)
    np.testing.assert_allclose(pusb.decision_function(X) + pusb.threshold_, constant, atol=1e-2)


@pytest.mark.parametrize(
    ("margin", "weight", "share", "expected"),
    [
        ([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1], 0.25, 3.5),
        ([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1], 0.3, 2.5),
        ([4.0, 1.0, 3.0], [2, 1, 1], 0.5, 3.5),
        ([4.0, 4.0, 1.0, 3.0], [1, 1, 1, 1], 0.5, 3.5),
        ([1.0, 2.0], [1, 1], 0.999, 1.5),
        ([1.0, 2.0], [1, 1], 0.001, 1.5),
        ([1.0], [1], 0.5, 1.0),
    ],
)
def test_the_threshold_lies_between_two_margins(margin, weight, share, expected):
    assert threshold(np.array(margin), np.array(weight, float), share) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "propensity is not known"),
        ({"propensity": E[:-1]}, "inconsistent"),
        ({"propensity": np.where(S == 1, 0.0, 0.5)}, "above 0 where a row is labeled"),
        ({"propensity": E + 1}, "must lie in"),
        ({"propensity": np.where(S == 0, np.nan, E)}, "must lie in"),
    ],
)
def test_weighting_refuses_propensities_that_it_cannot_use(given, message):
    with pytest.raises(ValueError, match=message):
        PropensityWeightedClassifier().fit(X, S, **given)


def test_a_propensity_of_0_is_fine_where_no_row_is_labeled():
    e = np.where(S == 1, 0.5, 0.0)
    model, same = (PropensityWeightedClassifier(p) for p in (None, 0.5))
    np.testing.assert_array_equal(model.fit(X, S, propensity=e).predict_proba(X), same.fit(X, S).predict_proba(X))


def test_rows_of_weight_0_take_their_propensities_along():
    weight = (np.arange(len(S)) % 3 > 0).astype(float)
    kept = weight > 0
    some = PropensityWeightedClassifier().fit(X[kept], S[kept], propensity=E[kept])
    all_rows = PropensityWeightedClassifier().fit(X, S, weight, propensity=E)
    np.testing.assert_allclose(all_rows.predict_proba(X), some.predict_proba(X), atol=1e-9)


def test_weights_that_leave_no_negative_are_cut_with_a_note():
    model = PropensityWeightedClassifier().fit(X, S, propensity=np.full(len(S), 0.01))
    assert "their weights are cut" in model.notes_[0]
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.ptp(model.predict_proba(X)[:, 1]) > 0


def test_em_that_does_not_converge_says_so():
    assert "before it converged" in SAREMClassifier(max_iter=2).fit(X, S).notes_[0]
