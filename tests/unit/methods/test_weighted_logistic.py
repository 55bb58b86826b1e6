"""Weighted logistic regression: the weights of Lee & Liu, and a note where the solver stops early."""

import warnings

import numpy as np
import pytest
from scipy.optimize import minimize

from scarce.methods.weighted_logistic import PUWeightedLogisticRegression
from tests.contract.method_checks import pu_data


def data():
    random = np.random.RandomState(0)
    X = random.normal(size=(300, 2))
    X[:60] += 1
    return X, (np.arange(300) < 30).astype(int)


def test_minimises_the_weighted_loss():
    """Labeled rows weigh the share of unlabeled ones, unlabeled rows the share of labeled ones; no penalty."""
    X, s = data()
    weight, sign = np.where(s == 1, 0.9, 0.1), np.where(s == 1, 1, -1)

    def loss(theta):
        return (weight * np.logaddexp(0, -sign * (X @ theta[:2] + theta[2]))).sum()

    theta = minimize(loss, np.zeros(3), tol=1e-12).x
    model = PUWeightedLogisticRegression().fit(X, s)
    np.testing.assert_allclose([*model.coef_[0], model.intercept_[0]], theta, atol=1e-3)
    assert model.notes_ == []


def test_groups_are_balanced():
    X, s = data()
    probability = PUWeightedLogisticRegression().fit(X, s).predict_proba(X)[:, 1]
    weight = np.where(s == 1, 0.9, 0.1)
    assert abs((weight * probability).sum() / weight.sum() - 0.5) < 1e-3  # an intercept matches the weighted share


def test_penalty_shrinks():
    X, s = data()
    free, bound = PUWeightedLogisticRegression().fit(X, s), PUWeightedLogisticRegression(C=0.001).fit(X, s)
    assert np.abs(bound.coef_).max() < 0.5 * np.abs(free.coef_).max()


def test_stopping_early_is_a_note_not_a_warning():
    X, s = data()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = PUWeightedLogisticRegression(max_iter=1).fit(X, s)
    assert model.notes_ == ["logistic regression stopped at 1 iterations before it converged"]


@pytest.mark.parametrize("C", [0.5, np.inf])
def test_weights_are_repeated_rows(C):
    X, s, new = pu_data()
    weight = np.random.RandomState(0).randint(0, 4, len(s))
    model = PUWeightedLogisticRegression(C=C)
    weighted = model.fit(X, s, weight).predict_proba(new)
    repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(s, weight)).predict_proba(new)
    np.testing.assert_allclose(weighted, repeated, atol=1e-9)
