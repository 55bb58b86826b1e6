"""What the report says of agreement, on a handful of made-up numbers."""

from __future__ import annotations

import pandas as pd
import pytest

from scarce.report.agreement_view import agreement_view

CELL = ["scenario", "metric", "dataset", "method"]


def agreement_rows():
    rows = [
        ("flip-25", "auc_pr", "a", "tree", 0.50, 0.50, True),
        ("flip-25", "auc_pr", "b", "tree", 0.60, 0.64, False),
        ("flip-25", "auc_pr", "a", "svm", 0.70, 0.69, True),
        ("flip-25", "auc_pr", "b", "svm", 0.80, 0.81, None),
        ("flip-25", "auc_pr", "", "tree", 0.55, 0.57, True),
    ]
    frame = pd.DataFrame(rows, columns=[*CELL, "published", "reproduced", "within"])
    return frame.assign(difference=frame.reproduced - frame.published)


def run_rows():
    rows = [
        ("flip-25", "auc_pr", "a", "tree", 20, 20, 1.0, 0.0),
        ("flip-50", "auc_pr", "a", "tree", 20, 15, 0.9, 0.02),
        ("flip-25", "auc_pr", "a", "svm", 20, 20, 1.0, 0.0),
        ("flip-25", "auc_roc", "a", "tree", 20, 1, 0.1, 0.5),
    ]
    return pd.DataFrame(rows, columns=[*CELL, "n_runs", "n_equal", "correlation", "largest_difference"])


@pytest.fixture
def agreement():
    return agreement_rows()


@pytest.fixture
def runs():
    return run_rows()


def texts(table):
    """By head of the column, a row a label."""
    heads = [column.label for column in table.columns[1:]]
    return {row.label: dict(zip(heads, [cell.text for cell in row.cells], strict=True)) for row in table.rows}


def test_single_cells_are_counted_without_averages(agreement):
    view = agreement_view(agreement)
    assert (view.within, view.known, view.outside) == (2, 3, 1)
    assert [(row.cells[1].text, row.cells[3].text) for row in view.groups.rows] == [
        ("single data sets", "3"), ("averages over data sets", "1")
    ]  # fmt: skip
    assert view.groups.rows[0].cells[3].spread == "(+1 without a standard error)"
    worst = view.worst.rows[0]
    assert (worst.label, worst.cells[5].text, worst.cells[6].text) == ("b", "+4.0", "outside")
    assert worst.cells[5].sort == pytest.approx(4.0)


def test_by_method(agreement, runs):
    rows = texts(agreement_view(agreement, runs, {"svm": "a vote on the boundary"}).methods)
    tree, svm = rows["tree"], rows["svm"]
    assert (tree["Within"], tree["Compared"], tree["Equal runs"]) == ("1", "2", "35 of 40")
    assert tree["Where"] == "b, auc_pr, flip-25"
    reason = "Why it differs, as far as we know"
    assert (svm["Compared"], svm[reason], tree[reason]) == ("1", "a vote on the boundary", "–")


def test_runs_by_data_set_and_method(agreement, runs):
    matrix = agreement_view(agreement, runs, label=lambda kind, name: f"{kind} {name}").runs
    assert [column.label for column in matrix.columns] == ["Data set", "method tree", "method svm"]
    (row,) = matrix.rows
    assert row.label == "dataset a"
    assert (row.cells[0].text, row.cells[0].spread) == ("35 of 40", "(r = 0.900, 2)")
    assert (row.cells[1].text, row.cells[1].spread) == ("20 of 20", "")


def test_without_published_numbers_or_runs(agreement, runs):
    assert agreement_view(None) is None
    assert agreement_view(agreement[:0]) is None
    assert agreement_view(agreement).runs is None
    assert agreement_view(agreement, runs[runs.metric == "auc_roc"]).runs is None
