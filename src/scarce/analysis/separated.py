"""Data sets on which no method makes an error, which deserve a second look."""

from __future__ import annotations

import pandas as pd

#: An average AUC-ROC of at least so much counts as one: 1.000 in print, or all but.
NEARLY_ONE = 0.999


def separated(scores: pd.DataFrame) -> dict[str, list[str]]:
    """Data sets on which each method with a value has an average AUC-ROC of (nearly) 1, with the scenarios.

    `scores` has the columns of scores.csv.
    """
    areas = scores[scores["metric"] == "auc_roc"].dropna(subset=["value"])
    averages = areas.groupby(["dataset", "scenario", "method"])["value"].mean()
    least = averages.groupby(["dataset", "scenario"]).min()
    scenarios: dict[str, list[str]] = {}
    for dataset, scenario in least.index[least >= NEARLY_ONE]:
        scenarios.setdefault(dataset, []).append(scenario)
    return scenarios


def in_words(scenarios: list[str]) -> str:
    """What is said of a data set of `separated`; `scenarios` as a reader knows them."""
    return (
        f"every method has an average AUC-ROC of {NEARLY_ONE} or more ({', '.join(scenarios)}): the classes are that "
        "easy to tell apart, or a column gives them away"
    )
