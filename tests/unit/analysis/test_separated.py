"""Data sets on which every method is without error."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.separated import in_words, separated

COLUMNS = ["dataset", "scenario", "repeat", "method", "metric", "value"]


def scores(*rows) -> pd.DataFrame:
    """Two repeats of each (dataset, scenario, method, value of one repeat, of the other)."""
    return pd.DataFrame(
        [(d, s, repeat, m, "auc_roc", values[repeat]) for d, s, m, *values in rows for repeat in (0, 1)],
        columns=COLUMNS,
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("d", "s", "a", 1.0, 1.0), ("d", "s", "b", 1.0, 1.0)], {"d": ["s"]}),
        ([("d", "s", "a", 1.0, 1.0), ("d", "s", "b", 0.9995, 0.9988)], {"d": ["s"]}),
        ([("d", "s", "a", 1.0, 1.0), ("d", "s", "b", 1.0, 0.9)], {}),
        ([("d", "s", "a", 1.0, 1.0), ("d", "t", "a", 0.7, 0.7), ("e", "t", "a", 1.0, 1.0)], {"d": ["s"], "e": ["t"]}),
        ([("d", "s", "a", 1.0, np.nan), ("d", "s", "b", np.nan, np.nan)], {"d": ["s"]}),
        ([("d", "s", "a", np.nan, np.nan)], {}),
        ([], {}),
    ],
)
def test_separated(rows, expected):
    assert separated(scores(*rows)) == expected


def test_other_metrics_are_no_areas():
    assert separated(scores(("d", "s", "a", 1.0, 1.0)).assign(metric="accuracy")) == {}


def test_scenarios_are_named():
    assert "25%, 50%" in in_words(["25%", "50%"])
