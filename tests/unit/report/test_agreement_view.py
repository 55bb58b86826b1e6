"""What the report says of agreement, on a handful of made-up numbers."""

from __future__ import annotations

import pandas as pd
import pytest

from scarce.report.agreement_view import agreement_view

CELL = ["scenario", "metric", "dataset", "method"]


@pytest.fixture
def agreement():
    rows = [
        ("flip-25", "auc_pr", "a", "tree", 0.50, 0.50, True),
        ("flip-25", "auc_pr", "b", "tree", 0.60, 0.64, False),
        ("flip-25", "auc_pr", "a", "svm", 0.70, 0.69, True),
        ("flip-25", "auc_pr", "b", "svm", 0.80, 0.81, None),
        ("flip-25", "auc_pr", "", "tree", 0.55, 0.57, True),
    ]
    frame = pd.DataFrame(rows, columns=[*CELL, "published", "reproduced", "within"])
    return frame.assign(difference=frame.reproduced - frame.published)


@pytest.fixture
def runs():
    rows = [
        ("flip-25", "auc_pr", "a", "tree", 20, 20, 1.0, 0.0),
        ("flip-50", "auc_pr", "a", "tree", 20, 15, 0.9, 0.02),
        ("flip-25", "auc_pr", "a", "svm", 20, 20, 1.0, 0.0),
        ("flip-25", "auc_roc", "a", "tree", 20, 1, 0.1, 0.5),
    ]
    return pd.DataFrame(rows, columns=[*CELL, "n_runs", "n_equal", "correlation", "largest_difference"])


def test_single_cells_are_counted_without_averages(agreement):
    view = agreement_view(agreement)
    assert (view["within"], view["known"], view["outside"]) == (2, 3, 1)
    assert {group["kind"]: group["known"] for group in view["groups"]} == {
        "single data sets": 3,
        "averages over data sets": 1,
    }
    assert view["worst"][0]["dataset"] == "b"
    assert view["worst"][0]["difference"] == pytest.approx(4.0)


def test_by_method(agreement, runs):
    rows = {row["method"]: row for row in agreement_view(agreement, runs, {"svm": "a vote on the boundary"})["methods"]}
    tree, svm = rows["tree"], rows["svm"]
    assert (tree["within"], tree["known"], tree["n_equal"], tree["n_runs"]) == (1, 2, 35, 40)
    assert tree["miss"]["dataset"] == "b"
    assert tree["reason"] == ""
    assert (svm["known"], svm["unknown"], svm["reason"]) == (1, 1, "a vote on the boundary")


def test_runs_by_data_set_and_method(agreement, runs):
    matrix = agreement_view(agreement, runs, label=lambda kind, name: f"{kind} {name}")["runs"]
    assert matrix["methods"] == ["method tree", "method svm"]
    (row,) = matrix["rows"]
    assert row["dataset"] == "dataset a"
    assert row["cells"][0] == {"n_runs": 40, "n_equal": 35, "correlation": 0.9, "difference": pytest.approx(2.0)}


def test_without_published_numbers_or_runs(agreement, runs):
    assert agreement_view(None) is None
    assert agreement_view(agreement[:0]) is None
    assert agreement_view(agreement)["runs"] is None
    assert agreement_view(agreement, runs[runs.metric == "auc_roc"])["runs"] is None
