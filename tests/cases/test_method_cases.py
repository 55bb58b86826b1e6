"""L03, M01, M03, M04, M05, M08, M13, M14: the cases' numbers for methods, through the classes that a study runs."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost
from scipy.special import expit
from sklearn.metrics import average_precision_score, roc_auc_score

from scarce.config.methods import MethodSpec
from scarce.config.options import Options
from scarce.fitting.cell import Cell, run_repeat
from scarce.labels.labelings.scar import Scar
from scarce.labels.make import make_labels
from scarce.labels.protocols.holdout import Holdout
from scarce.methods.adasyn import ADASYNRandomForestClassifier
from scarce.methods.bagging import PUBaggingClassifier
from scarce.methods.boosted_risks import (
    BoostedRiskClassifier,
    RiskWeights,
    derivatives,
    negative_risk,
    reversed_derivatives,
)
from scarce.methods.elkan_noto import posterior
from scarce.trees import TreeClassifier
from tests.cases.test_file_cases import _xy
from tests.contract.method_checks import pu_data
from tests.contract.test_methods import METHODS, VARIANTS, build


def test_l03_one_prior_for_all_methods_that_need_one(refs):
    """U is all rows, labeled ones included: that convention, and its number, go to every method."""
    given = refs["prior_convention"]
    y = np.arange(given["n"]) < given["positives"]
    (scenario,) = Scar(flip_ratios=[0.75]).scenarios()
    options = Options.model_validate({"class_prior": "all_true"})
    labels = make_labels(
        y.astype(int), scenario=scenario, split=Holdout(), repeats=2, options=options, study_seed=0, dataset="d"
    )
    for one in labels:
        assert round(one.label_share * len(y)) == given["labeled"]
        assert one.class_prior == given["pi_population"]
        assert one.label_share / one.class_prior == pytest.approx(given["label_frequency_c"])
    asked = {name for name, block in METHODS.items() if "$class_prior" in str(block)}
    assert {"pu_hdt", "pu_hrf", "pu_shrf", "upu", "nnpu", "imb_nnpu"} <= asked
    for name in asked:
        assert MethodSpec.model_validate({"name": name} | METHODS[name]).params["class_prior"] == "$class_prior"


def test_m01_ranking_by_the_unclipped_posterior(refs):
    given = refs["elkan_noto"]
    score = posterior(given["g_test"], given["c"])
    assert ((score >= 0) & (score <= 1)).all()
    assert roc_auc_score(given["y_test"], score) == given["roc_auc_raw"]
    assert average_precision_score(given["y_test"], score) == given["ap_raw"]
    below = np.array(given["g_over_c"]) <= 0.9
    np.testing.assert_allclose(score[below], np.array(given["g_over_c"])[below])


@pytest.mark.filterwarnings("ignore")
def test_m03_training_rows_are_scored_by_two_bags(cases):
    X, y, _ = _xy(cases / "csv/upu_separable.csv", "s_labeled", "1")
    for aggregate in ("margin", "vote"):
        scores = PUBaggingClassifier(2, aggregate=aggregate, random_state=0).fit(X, y).predict_proba(X)
        assert np.isfinite(scores).all()
        assert len(scores) == len(X)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "preset"), VARIANTS)
def test_m04_one_labeled_row_is_enough_and_none_is_an_error(cases, name, preset):
    X, y, _ = _xy(cases / "csv/tiny_3_positives.csv", "target", "1")
    one = np.zeros(len(y), int)
    one[np.flatnonzero(y)[0]] = 1
    assert np.isfinite(build(name, preset).fit(X, one).predict_proba(X)).all()
    with pytest.raises(ValueError, match=r"no labeled positive|two classes are needed"):
        build(name, preset).fit(X, np.zeros(len(y), int))


@pytest.mark.parametrize("block", ["A_positive_negative_part", "B_negative_negative_part"])
def test_m05_risk_of_the_negatives_and_the_sign_of_its_gradient(refs, block):
    """By the logistic loss, which the boosted trees have; weights of a case-control sample."""
    given = refs["nnpu"][block]
    margin = np.array([*given["g_labeled"], *given["g_unlabeled"]])
    labeled = np.arange(len(margin)) < len(given["g_labeled"])
    n, m, pi = labeled.sum(), (~labeled).sum(), given["pi"]
    weights = RiskWeights(pi / n, -pi / n, 1 / m, clipped=True)
    part, expected = negative_risk(margin, labeled, weights), given["logistic_loss"]
    assert part == pytest.approx(expected["negative_part"], abs=1e-9)
    positive = pi * np.logaddexp(0, -margin[labeled]).mean()
    assert positive + part == pytest.approx(expected["uPU"], abs=1e-9)
    assert positive + max(0, part) == pytest.approx(expected["nnPU"], abs=1e-9)
    upu, _ = derivatives(margin, labeled, weights)
    np.testing.assert_allclose(upu[labeled], -pi / n)  # linear in a labeled row's margin
    assert (upu[~labeled] > 0).all()
    if part < 0:  # minus the gradient of the negative part
        back, _ = reversed_derivatives(margin, labeled, weights)
        np.testing.assert_allclose(back, np.where(labeled, pi / n, -1 / m) * expit(margin))


def test_m08_without_hidden_positives_boosting_is_that_of_the_builtin_objective(cases):
    X, y, _ = _xy(cases / "csv/upu_separable.csv", "s_labeled", "1")
    rows = xgboost.DMatrix(X, label=y)
    share = float(y.mean())
    common = {"tree_method": "exact", "eta": 0.3, "max_depth": 6, "min_child_weight": 1, "reg_lambda": 0, "nthread": 1}
    for start in (0.0, 0.5):
        builtin = xgboost.train(common | {"objective": "binary:logistic", "base_score": float(expit(start))}, rows, 30)
        weights = RiskWeights(1.0, 0.0, 1.0)

        def objective(margin, _, weights=weights):
            return derivatives(margin, y == 1, weights)

        own = xgboost.train(common | {"base_score": start, "disable_default_eval_metric": 1}, rows, 30, obj=objective)
        margin = own.predict(rows, output_margin=True)
        np.testing.assert_allclose(expit(margin), builtin.predict(rows), atol=1e-5)
    wrapped = BoostedRiskClassifier("upu", class_prior=share, n_estimators=30, scores="sigmoid32").fit(X, y)
    np.testing.assert_allclose(wrapped.predict_proba(X)[:, 1], builtin.predict(rows), atol=1e-5)


def holdout(y):
    (scenario,) = Scar(flip_ratios=[0.5]).scenarios()
    options = Options()
    return make_labels(y, scenario=scenario, split=Holdout(), repeats=1, options=options, study_seed=0, dataset="d")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", METHODS)
def test_m13_test_rows_change_no_fit(name):
    """Scores of validation rows, which come from another fit, stay as they are to the bit; so does the fitted model."""
    from scarce.data.encode import FittedEncoder

    X, s, _ = pu_data()
    labels = holdout(s)
    one = labels.repeat(0)
    assert not set(one.test) & set(one.train)
    assert not set(one.train[one.validation]) & {*one.train[one.fit], *one.test}
    changed = X.copy()
    changed[one.test] = np.random.RandomState(1).normal(size=changed[one.test].shape) * 9
    probe = X[:20]
    seen, scored = [], []

    def kept(_):
        seen.append(build(name, "sound"))
        return seen[-1]

    for matrix in (X, changed):
        cell = Cell(kept, matrix, labels, lambda: FittedEncoder("onehot", np.zeros(X.shape[1], bool)))
        run = run_repeat(cell, 0)
        assert run.status in ("ok", "degenerate"), run.message
        assert (len(run.test_scores), len(run.validation_scores)) == (len(one.test), len(one.validation))
        scored.append(run.validation_scores)
    np.testing.assert_array_equal(*scored)
    np.testing.assert_array_equal(seen[0].predict_proba(probe), seen[2].predict_proba(probe))


def test_m13_oversampling_is_used_and_of_training_rows_only():
    X, s, _ = pu_data()
    model = ADASYNRandomForestClassifier(5, random_state=0).fit(X, s)
    assert model.n_resampled_ > len(X)


@pytest.mark.parametrize("criterion", ["hellinger", "entropy", "gini", "dkm"])
def test_m14_split_tables(refs, criterion):
    key = {"hellinger": "hellinger", "entropy": "info_gain", "gini": "gini_gain", "dkm": "dkm_gain"}[criterion]
    for table in refs["split_criteria"].values():
        if not isinstance(table, dict):
            continue
        (pl, nl), (pr, nr) = table["counts"]["left"], table["counts"]["right"]
        X = np.repeat([[0.0], [1.0]], [pl + nl, pr + nr], axis=0)
        y = np.repeat([1, 0, 1, 0], [pl, nl, pr, nr])
        tree = TreeClassifier(criterion, max_depth=1).fit(X, y)
        assert tree.tree_.gain[0] == pytest.approx(table[key], abs=1e-9)
        lighter = TreeClassifier(criterion, max_depth=1).fit(X, y, sample_weight=np.full(len(y), 0.01))
        np.testing.assert_array_equal(lighter.tree_.threshold, tree.tree_.threshold)
        np.testing.assert_allclose(lighter.predict_proba(X), tree.predict_proba(X), rtol=1e-12)
    with pytest.raises(ValueError, match="binary"):
        TreeClassifier(criterion).fit(np.arange(6.0)[:, None], [0, 1, 2, 0, 1, 2])
