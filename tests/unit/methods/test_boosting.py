"""Gradient boosting against the libraries themselves, and inside Elkan and Noto's method and PU bagging."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split

from scarce.methods.bagging import bags
from scarce.methods.boosting import BoostingBaggingClassifier, BoostingClassifier, BoostingElkanNotoClassifier
from scarce.methods.elkan_noto import posterior
from scarce.methods.lightgbm_trees import (
    LightGBMBaggingClassifier,
    LightGBMClassifier,
    LightGBMElkanNotoClassifier,
)
from tests.contract.method_checks import pu_data

needs_lightgbm = pytest.mark.skipif(importlib.util.find_spec("lightgbm") is None, reason="lightgbm is not installed")


@pytest.fixture
def data():
    return pu_data(300, 40)


def by_scikit_learn(X, s, new, weight=None, leaf=20):
    """Log-odds of the library's own classifier, few trees."""
    model = HistGradientBoostingClassifier(max_iter=9, min_samples_leaf=leaf, early_stopping=False)
    return model.fit(X, s, sample_weight=weight).decision_function(new)


def by_lightgbm(X, s, new, weight=None, leaf=20):
    import lightgbm

    model = lightgbm.LGBMClassifier(n_estimators=9, min_child_samples=leaf, n_jobs=1, verbose=-1)
    return model.fit(X, s, sample_weight=weight).booster_.predict(new, raw_score=True)


LIBRARIES = [
    pytest.param(
        by_scikit_learn, BoostingClassifier, BoostingElkanNotoClassifier, BoostingBaggingClassifier, id="scikit-learn"
    ),
    pytest.param(
        by_lightgbm, LightGBMClassifier, LightGBMElkanNotoClassifier, LightGBMBaggingClassifier, id="lightgbm",
        marks=needs_lightgbm,
    ),
]  # fmt: skip
each = pytest.mark.parametrize(("margins", "naive", "elkan_noto", "bagging"), LIBRARIES)


@each
def test_the_trees_are_those_of_the_library(margins, naive, elkan_noto, bagging, data):
    X, s, new = data
    scores = naive(n_estimators=9, random_state=0).fit(X, s).predict_proba(new)[:, 1]
    np.testing.assert_allclose(scores, expit(margins(X, s, new)), rtol=1e-6)


@each
def test_weighted_means_that_both_kinds_of_rows_weigh_the_same(margins, naive, elkan_noto, bagging, data):
    X, s, new = data
    own = np.where(np.arange(len(s)) % 2, 1.0, 3.0)
    for weight in (np.ones(len(s)), own):
        balanced = weight / np.where(s, weight[s == 1].sum(), weight[s == 0].sum()) * weight.sum() / 2
        scores = naive(weighted=True, n_estimators=9, random_state=0).fit(X, s, weight).predict_proba(new)[:, 1]
        np.testing.assert_allclose(scores, expit(margins(X, s, new, balanced)), rtol=1e-6)


@each
def test_elkan_noto_divides_by_the_mean_over_held_out_labeled_rows(margins, naive, elkan_noto, bagging, data):
    X, s, new = data
    fitted = elkan_noto(n_estimators=9, random_state=3).fit(X, s)
    seen, held = train_test_split(np.arange(len(s)), test_size=0.2, stratify=s, random_state=3)
    frequency = expit(margins(X[seen], s[seen], X[held[s[held] == 1]])).mean()
    assert fitted.label_frequency_ == pytest.approx(frequency, rel=1e-6)
    expected = posterior(expit(margins(X[seen], s[seen], new)), frequency)
    np.testing.assert_allclose(fitted.predict_proba(new)[:, 1], expected, rtol=1e-6)


@each
def test_bagging_averages_the_margins_of_balanced_bags(margins, naive, elkan_noto, bagging, data):
    X, s, new = data
    scores = bagging(n_bags=3, n_estimators=9, random_state=3).fit(X, s).predict_proba(new)[:, 1]
    own = []
    for count in bags(s, 3, X.shape[1], 3):
        assert count[s == 1].tolist() == [1] * 40
        assert count[s == 0].sum() == 40
        rows = np.repeat(np.arange(len(s)), count)
        own.append(margins(X[rows], s[rows], new))
    np.testing.assert_allclose(scores, expit(np.mean(own, axis=0)), rtol=1e-6)


@each
def test_a_bag_of_few_rows_can_be_split(margins, naive, elkan_noto, bagging):
    X, s, new = pu_data(200, 6)
    assert np.ptp(bagging(n_bags=3, n_estimators=9, random_state=0).fit(X, s).predict_proba(new)[:, 1]) > 0.1


@pytest.mark.parametrize(
    ("estimator", "wrong"),
    [
        (BoostingClassifier, {"n_estimators": 0}),
        (BoostingElkanNotoClassifier, {"n_estimators": 1.5}),
        (BoostingElkanNotoClassifier, {"holdout": 1.0}),
        (BoostingBaggingClassifier, {"n_bags": 0}),
    ],
)
def test_parameters_out_of_range_are_refused(estimator, wrong, data):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        estimator(**wrong).fit(*data[:2])
