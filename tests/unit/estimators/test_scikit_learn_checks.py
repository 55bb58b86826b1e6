"""scikit-learn's own checks of every estimator, and the few that do not apply, each with its reason.

``xfail_strict`` is on: an expected failure that passes fails the test.
"""

from __future__ import annotations

import importlib.util

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from scarce.methods.adasyn import ADASYNRandomForestClassifier
from scarce.methods.bagging import PUBaggingClassifier
from scarce.methods.boosted_risks import BoostedRiskClassifier
from scarce.methods.boosting import BoostingBaggingClassifier, BoostingClassifier, BoostingElkanNotoClassifier
from scarce.methods.elkan_noto import ElkanNotoClassifier
from scarce.methods.lbe import LBEClassifier
from scarce.methods.lightgbm_trees import (
    LightGBMBaggingClassifier,
    LightGBMClassifier,
    LightGBMElkanNotoClassifier,
)
from scarce.methods.neural import NeuralPUClassifier
from scarce.methods.positive_bayes import APNBClassifier, APTANClassifier, PNBClassifier, PTANClassifier
from scarce.methods.propensity_weighting import PropensityWeightedClassifier
from scarce.methods.pulce import PulceClassifier
from scarce.methods.pusb import PUSBClassifier
from scarce.methods.rank_pruning import RankPruningClassifier
from scarce.methods.sampling import SamplingWrapper
from scarce.methods.sar_em import SAREMClassifier
from scarce.methods.spy_em import SpyEMClassifier
from scarce.methods.weighted_logistic import PUWeightedLogisticRegression
from scarce.registry import METHODS
from scarce.trees import (
    ForestClassifier,
    PUBaggingExtraTreesClassifier,
    PUExtraTreesClassifier,
    PUHellingerForestClassifier,
    PUHellingerTreeClassifier,
    TreeClassifier,
)

WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
BOOTSTRAP = {WEIGHTS: "a bootstrap draws rows: two equal rows are not drawn like one of weight 2"}
ROUNDING = {WEIGHTS: "XGBoost adds in 32 bits: a weight and equal rows round differently, by about 1e-7"}
REFUSED = dict.fromkeys(
    [WEIGHTS, "check_sample_weights_not_overwritten"],
    "weights that differ are refused: the method counts or draws single rows",
)
EXPECTED = {
    ForestClassifier: BOOTSTRAP,
    BoostedRiskClassifier: ROUNDING,
    ElkanNotoClassifier: REFUSED,
    BoostingElkanNotoClassifier: REFUSED,
    LightGBMElkanNotoClassifier: REFUSED,
    LightGBMBaggingClassifier: BOOTSTRAP,
    SpyEMClassifier: REFUSED,
    SamplingWrapper: REFUSED,
    ADASYNRandomForestClassifier: REFUSED,
    PulceClassifier: REFUSED,
}
ESTIMATORS = [
    TreeClassifier(),
    TreeClassifier("hellinger", leaf="laplace"),
    TreeClassifier("gain_ratio"),
    TreeClassifier("entropy", ties="lowest_index"),
    ForestClassifier(5),
    PUHellingerTreeClassifier(0.6),
    PUHellingerForestClassifier(0.6, n_estimators=5),
    PUWeightedLogisticRegression(C=1.0),
    PUBaggingClassifier(7, random_state=0),
    BoostedRiskClassifier(class_prior=0.5, n_estimators=7),
    RankPruningClassifier(random_state=0),
    ElkanNotoClassifier(random_state=0),
    SpyEMClassifier(random_state=0),
    SamplingWrapper(n_folds=2, undersample=(0, 50), smote=(0, 100), random_state=0),
    ADASYNRandomForestClassifier(7, random_state=0),
    PNBClassifier(0.5),
    PTANClassifier(0.5),
    APNBClassifier(),
    APTANClassifier(),
    PulceClassifier(),
    PropensityWeightedClassifier(0.9),
    SAREMClassifier(),
    LBEClassifier(),
    PUSBClassifier(0.5),
    PUExtraTreesClassifier(0.5, n_estimators=5, random_state=0),
    PUBaggingExtraTreesClassifier(5, random_state=0),
    BoostingClassifier(n_estimators=7, random_state=0),
    BoostingElkanNotoClassifier(n_estimators=7, random_state=0),
    BoostingBaggingClassifier(3, 7, random_state=0),
]
LIGHT_TREES = [
    LightGBMClassifier(n_estimators=7, random_state=0),
    LightGBMElkanNotoClassifier(n_estimators=7, random_state=0),
    LightGBMBaggingClassifier(3, 7, random_state=0),
]
NETWORKS = [NeuralPUClassifier("upu", class_prior=0.5, hidden=(20,), learning_rate=0.01, epochs=50, random_state=0)]


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED.get(type(estimator), {}))
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed: make test-neural")
@parametrize_with_checks(NETWORKS, expected_failed_checks=lambda _: REFUSED)
def test_scikit_learn_check_of_networks(estimator, check):
    check(estimator)


@pytest.mark.skipif(importlib.util.find_spec("lightgbm") is None, reason="lightgbm is not installed")
@parametrize_with_checks(LIGHT_TREES, expected_failed_checks=lambda estimator: EXPECTED.get(type(estimator), {}))
def test_scikit_learn_check_of_light_trees(estimator, check):
    check(estimator)


def test_every_registered_estimator_is_checked():
    checked = set(map(type, [*ESTIMATORS, *NETWORKS, *LIGHT_TREES]))
    assert {method.load() for method in METHODS.values() if method.own} == checked
