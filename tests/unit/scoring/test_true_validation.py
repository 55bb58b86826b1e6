"""Twins of metrics of true labels: the same functions of validation rows."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, roc_auc_score

from scarce.scoring.metrics import METRICS, evaluate
from scarce.scoring.observed_metrics import ALL_METRICS, collected, without_negatives
from scarce.scoring.runs import Runs
from scarce.scoring.true_validation import TWINS, twin_of


def runs(**changes):
    random = np.random.RandomState(3)
    y, scores = random.uniform(size=(2, 70)) < 0.4, random.uniform(size=(2, 70)).round(1)
    s = y & (random.uniform(size=y.shape) < 0.5)
    parts = {
        "y_test": y[:, :30].astype(int), "test_scores": scores[:, :30],
        "y_validation": y[:, 30:].astype(int), "s_validation": s[:, 30:].astype(int),
        "validation_scores": scores[:, 30:], "class_prior": np.array([0.4, 0.5]), "decision": "f1_observed",
    }  # fmt: skip
    return Runs(**parts | changes)


def value(name, given):
    (values,) = evaluate(given, [ALL_METRICS[name]]).values()
    return values


@pytest.mark.parametrize("search", ["sweep", "grid"])
def test_a_twin_is_its_metric_on_validation_rows(search):
    given = runs(search=search)
    y, scores = given.y_validation, given.validation_scores
    predicted = given.predicted(scores, "f1_observed")
    for metric, function, seen in (
        ("auc_pr", average_precision_score, scores),
        ("auc_roc", roc_auc_score, scores),
        ("f1_observed", f1_score, predicted),
        ("accuracy", accuracy_score, predicted),
    ):
        expected = [function(truth, one) for truth, one in zip(y, seen, strict=True)]
        np.testing.assert_allclose(value(twin_of(metric), given).value, expected, err_msg=metric)


def test_no_twin_sees_a_test_row():
    given = runs()
    other = runs(y_test=1 - given.y_test, test_scores=given.test_scores[:, ::-1])
    for name in TWINS:
        np.testing.assert_array_equal(value(name, given).value, value(name, other).value, err_msg=name)


def test_every_metric_that_ranks_has_a_twin_but_the_oracle():
    ranking = {name for name, metric in METRICS.items() if metric.direction and metric.labels == "true"}
    assert set(TWINS) == {twin_of(name) for name in ranking - {"f1_oracle"}}
    for name, twin in TWINS.items():
        assert twin.name == name and twin.rows == "validation" and twin.hidden_labels and twin.labels == "true"


@pytest.mark.parametrize(
    ("metric", "changes", "reason"),
    [
        ("auc_pr", {"y_validation": np.zeros((2, 40), int)}, "no positive among the validation rows"),
        ("auc_roc", {"y_validation": np.ones((2, 40), int)}, "no negative among the validation rows"),
        ("auc_pr", {"validation_scores": np.full((2, 40), np.nan)}, "validation scores that are not finite"),
        (
            "accuracy",
            {name: np.empty((2, 0)) for name in ("y_validation", "s_validation", "validation_scores")},
            "no validation row",
        ),
    ],
)
def test_an_undefined_value_has_its_reason(metric, changes, reason):
    values = value(twin_of(metric), runs(**changes))
    assert np.isnan(values.value).all() and set(values.reason) == {reason}


def test_they_are_saved_where_a_study_with_true_labels_names_them():
    name = twin_of("auc_pr")
    always = [one.name for one in METRICS.values() if not one.on_request]
    assert collected([name], truth_known=True, interval=False) == [*always, name]
    assert not set(TWINS) & set(collected(["auc_pr"], truth_known=True, interval=False))
    assert not set(TWINS) & set(collected([name], truth_known=False, interval=False))
    assert without_negatives([name, "auc_pr"]) == ["pu_ap_validation", "pu_ap_test"]
