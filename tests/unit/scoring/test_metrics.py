"""Metrics of runs: values by hand, and NaN with a reason where a metric is undefined."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, matthews_corrcoef

from scarce.scoring.metrics import METRICS, evaluate
from scarce.scoring.runs import DECISIONS, Runs
from scarce.scoring.thresholds import GRID

# At 0.5: TP 2 (.9 .6), FP 1 (.7), FN 1 (.2), TN 2. Validation: best true F1 at 0.2, best observed F1 at 0.8
RUN = dict(
    y_test=np.array([1, 0, 1, 0, 1, 0]),
    test_scores=np.array([0.9, 0.7, 0.6, 0.3, 0.2, 0.1]),
    y_validation=np.array([1, 1, 0]),
    s_validation=np.array([1, 0, 0]),
    validation_scores=np.array([0.8, 0.2, 0.1]),
    class_prior=0.25,
    decision="f1_default",
    search="sweep",
)


def replace(run, **changes):
    return run | changes


def evaluate_one(run):
    """Value and reason of every metric of one run; None where the value is undefined."""
    arrays = {
        name: np.array([value]) if isinstance(value, np.ndarray) or name == "class_prior" else value
        for name, value in run.items()
    }
    metrics = evaluate(Runs(**arrays))
    return {name: (None if np.isnan(one.value[0]) else one.value[0], one.reason[0]) for name, one in metrics.items()}


def values(run):
    return {name: value for name, (value, _) in evaluate_one(run).items()}


def test_values_by_hand():
    metrics = values(RUN)
    assert metrics["auc_pr"] == pytest.approx((1 + 2 / 3 + 3 / 5) / 3)
    assert metrics["auc_roc"] == pytest.approx(6 / 9)
    assert metrics["f1_default"] == pytest.approx(4 / 6)
    assert metrics["f1_prior"] == pytest.approx(4 / 7)  # above 0.25: TP 2, FP 2, FN 1
    assert metrics["f1_validation"] == pytest.approx(6 / 8)  # from 0.2 on: TP 3, FP 2
    assert metrics["f1_observed"] == pytest.approx(2 / 4)  # from 0.8 on: TP 1, FN 2
    assert metrics["f1_oracle"] == pytest.approx(6 / 8)
    assert metrics["precision"] == pytest.approx(2 / 3)
    assert metrics["recall"] == pytest.approx(2 / 3)
    assert metrics["accuracy"] == pytest.approx(4 / 6)
    assert metrics["f1_negative"] == pytest.approx(4 / 6)
    thresholds = [metrics[f"threshold_{name}"] for name in ("prior", "validation", "observed", "oracle", "decision")]
    assert thresholds == [0.25, 0.2, 0.8, 0.2, 0.5]


@pytest.mark.parametrize("decision", DECISIONS)
def test_the_decision_sets_the_threshold_of_the_rest(decision):
    metrics = values(replace(RUN, decision=decision))
    f1 = 2 * metrics["precision"] * metrics["recall"] / (metrics["precision"] + metrics["recall"])
    assert f1 == pytest.approx(metrics[decision])
    assert metrics["threshold_decision"] == metrics.get(decision.replace("f1", "threshold"), 0.5)


def test_strict_decides_scores_on_the_threshold():
    run = replace(RUN, test_scores=np.full(6, 0.5), search="grid")
    assert values(run)["f1_default"] == 0
    assert values(replace(run, strict=False))["f1_default"] == pytest.approx(6 / 9)


def test_sweep_always_includes_its_own_threshold():
    assert values(RUN)["f1_validation"] == values(replace(RUN, strict=False))["f1_validation"]


def test_grid_search_uses_grid_points():
    metrics = values(replace(RUN, search="grid"))
    assert metrics["threshold_oracle"] == GRID[np.searchsorted(GRID, 0.1)]
    assert metrics["f1_oracle"] == pytest.approx(6 / 8)


def test_constant_score_has_the_prevalence_as_auc_pr():
    y = np.zeros(1000, int)
    y[:10] = 1
    metrics = values(replace(RUN, y_test=y, test_scores=np.full(1000, 0.5)))
    assert metrics["auc_pr"] == pytest.approx(0.01)
    assert metrics["auc_roc"] == 0.5


def test_ties_at_the_top():
    run = replace(RUN, y_test=np.array([0, 0, 1, 1, 0]), test_scores=np.array([0.8, 0.8, 0.8, 0.2, 0.2]))
    assert values(run)["auc_pr"] == pytest.approx(0.3666667, abs=1e-7)
    assert values(run)["auc_roc"] == pytest.approx(0.4166667, abs=1e-7)


def test_test_rows_without_positives_leave_everything_undefined_but_accuracy():
    metrics = evaluate_one(replace(RUN, y_test=np.zeros(6, int)))
    for name in ("auc_pr", "auc_roc", "f1_default", "f1_prior", "f1_validation", "f1_observed", "recall"):
        assert metrics[name] == (None, "no positive among the test rows"), name
    assert metrics["f1_oracle"][0] is None
    assert metrics["accuracy"][0] == pytest.approx(3 / 6)
    assert metrics["f1_negative"][0] == pytest.approx(6 / 9)


def test_test_rows_without_negatives():
    metrics = evaluate_one(replace(RUN, y_test=np.ones(6, int)))
    assert metrics["auc_pr"] == (1.0, "")
    assert metrics["auc_roc"] == metrics["f1_negative"] == (None, "no negative among the test rows")


def test_nothing_predicted_positive_is_f1_zero():
    run = replace(RUN, test_scores=np.linspace(0.01, 0.1, 6), decision="f1_validation")
    metrics = evaluate_one(run)
    assert metrics["f1_validation"] == (0.0, "")
    assert metrics["recall"] == (0.0, "")
    assert metrics["precision"] == (None, "no test row is predicted positive")


def test_no_validation_rows():
    empty = np.empty(0)
    metrics = evaluate_one(replace(RUN, y_validation=empty, s_validation=empty, validation_scores=empty))
    for name in ("f1_validation", "threshold_validation", "f1_observed", "threshold_observed"):
        assert metrics[name] == (None, "no row to choose a threshold on")
    assert metrics["auc_pr"][0] is not None


def test_no_labeled_validation_row_touches_only_the_observed_threshold():
    metrics = evaluate_one(replace(RUN, s_validation=np.zeros(3)))
    assert metrics["f1_observed"] == (None, "no positive among the rows that choose the threshold")
    assert metrics["f1_validation"][1] == ""


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"y_test": np.empty(0), "test_scores": np.empty(0)}, "no test row"),
        ({"test_scores": np.full(6, np.nan)}, "test scores that are not finite"),
    ],
)
def test_unusable_runs_give_one_reason(change, reason):
    assert set(evaluate_one(replace(RUN, **change)).values()) == {(None, reason)}


def test_scores_that_are_not_finite_in_validation_leave_the_rest():
    metrics = evaluate_one(replace(RUN, validation_scores=np.array([0.8, np.inf, 0.1])))
    assert metrics["f1_validation"] == (None, "validation scores that are not finite")
    assert metrics["f1_default"][1] == ""


STATED = {"at_k": 3, "costs": (1.0, 20.0)}


def test_metrics_on_request_by_hand():
    metrics = values(RUN | STATED)
    assert metrics["precision_at_k"] == pytest.approx(2 / 3)
    assert metrics["recall_at_k"] == pytest.approx(2 / 3)
    assert metrics["mcc"] == pytest.approx((2 * 2 - 1 * 1) / 9)
    assert metrics["cost"] == pytest.approx((1 * 1 + 20 * 1) / 6)
    assert metrics["brier"] == pytest.approx((0.1**2 + 0.7**2 + 0.4**2 + 0.3**2 + 0.8**2 + 0.1**2) / 6)


def test_they_agree_with_scikit_learn():
    random = np.random.RandomState(0)
    for share in (0.1, 0.5):
        y, scores = (random.uniform(size=300) < share).astype(int), random.uniform(size=300)
        metrics = values(replace(RUN, y_test=y, test_scores=scores) | STATED)
        assert metrics["mcc"] == pytest.approx(matthews_corrcoef(y, scores > 0.5))
        assert metrics["brier"] == pytest.approx(brier_score_loss(y, scores))


@pytest.mark.parametrize("scores", [np.full(6, 0.9), np.full(6, 0.1)])
def test_all_rows_predicted_alike_have_an_mcc_of_zero(scores):
    assert evaluate_one(replace(RUN, test_scores=scores))["mcc"] == (0.0, "")


@pytest.mark.parametrize(("turned", "mcc"), [(False, 1.0), (True, -1.0)])
def test_right_and_wrong_throughout_are_the_ends_of_mcc(turned, mcc):
    y = np.arange(7) % 3 == 0
    assert values(replace(RUN, y_test=y.astype(int), test_scores=(y != turned).astype(float)))["mcc"] == mcc


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("precision_at_k", {"at_k": None}, "no analysis.at_k"),
        ("precision_at_k", {"at_k": 7}, "fewer rows than analysis.at_k"),
        ("recall_at_k", {"y_test": np.zeros(6, int)}, "no positive among the test rows"),
        ("mcc", {"y_test": np.ones(6, int)}, "the test rows are of one class"),
        ("mcc", {"y_test": np.zeros(6, int), "test_scores": np.zeros(6)}, "the test rows are of one class"),
        ("cost", {"costs": None}, "no analysis.costs"),
        ("brier", {"test_scores": np.array([-0.1, 0, 0, 0, 0, 1])}, "outside [0, 1], which are no probabilities"),
        ("brier", {"test_scores": np.array([0, 0, 0, 0, 0, 1.001])}, "outside [0, 1], which are no probabilities"),
    ],
)
def test_metrics_on_request_say_why_they_are_undefined(name, changes, reason):
    value, said = evaluate_one(RUN | STATED | changes)[name]
    assert value is None and reason in said


def test_registry():
    assert list(METRICS)[:7] == [
        "auc_pr",
        "auc_roc",
        "f1_default",
        "f1_prior",
        "f1_validation",
        "f1_observed",
        "f1_oracle",
    ]
    assert list(evaluate_one(RUN)) == list(METRICS)
    assert {name for name, metric in METRICS.items() if metric.hidden_labels} == {"f1_oracle", "threshold_oracle"}
    for metric in METRICS.values():
        better = None if metric.name.startswith("threshold") else "min" if metric.name in ("cost", "brier") else "max"
        assert metric.direction == better
        assert metric.description.endswith(".")


def test_registry_needs_no_scikit_learn():
    code = "import sys, scarce.scoring.metrics; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
