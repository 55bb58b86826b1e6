"""What the report says of agreement with a paper: by panel, by method, run by run, and the largest differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from scarce.report.cells import OUTSIDE, UNKNOWN, WITHIN, judged, largest

LARGEST = 20  # differences from the published numbers that are listed
RUNS_METRIC = "auc_pr"  # of the runs, ranks alone: no threshold decides whether two runs are equal

LabelOf = Callable[[str, str], str]


def agreement_view(
    agreement: pd.DataFrame | None,
    runs: pd.DataFrame | None = None,
    reasons: Mapping[str, str] | None = None,
    label: LabelOf = lambda kind, name: name,
) -> dict[str, Any] | None:
    """Everything that a page says of agreement, differences in percentage points.

    Parameters
    ----------
    agreement, runs : DataFrame or None
        Rows of agreement.csv and agreement_runs.csv.
    reasons : mapping from method to str, optional
        Why its numbers differ, as far as is known.
    label : callable
        ``label(kind, name)`` with kind method, metric, dataset or scenario.

    Returns
    -------
    dict or None
        within, known, outside (single cells); groups (rows by metric and scenario), methods (`by_method`), worst (the
        largest differences) and runs (`run_matrix`). None where nothing is published.
    """
    if agreement is None or agreement.empty:
        return None
    rows = judged(agreement)
    cells = rows[~rows["average"]]
    known = cells[cells["verdict"] != UNKNOWN]
    return {
        "groups": [
            {
                "metric": label("metric", metric),
                "scenario": label("scenario", scenario),
                "kind": "averages over data sets" if average else "single data sets",
                **_counts(part),
                "median": float(part["difference"].abs().median()),
                "largest": float(part["difference"].abs().max()),
            }
            for (metric, scenario, average), part in rows.groupby(["metric", "scenario", "average"], sort=True)
        ],
        "methods": by_method(cells, runs, reasons or {}, label),
        "worst": [_miss(row, label) for row in largest(cells, LARGEST).itertuples()],
        "runs": run_matrix(runs, label),
        "within": int((known["verdict"] == WITHIN).sum()),
        "known": len(known),
        "outside": int((known["verdict"] == OUTSIDE).sum()),
    }


def by_method(
    cells: pd.DataFrame, runs: pd.DataFrame | None, reasons: Mapping[str, str], label: LabelOf
) -> list[dict[str, Any]]:
    """For each method the share within, its largest difference with the reason, and how many single runs are equal."""
    found = []
    for method, part in cells.groupby("method", sort=False):
        theirs = _of_metric(runs)
        theirs = theirs[theirs["method"] == method]
        found.append(
            {
                "method": label("method", method),
                **_counts(part),
                "miss": _miss(next(largest(part, 1).itertuples()), label),
                "n_runs": int(theirs["n_runs"].sum()),
                "n_equal": int(theirs["n_equal"].sum()),
                "reason": reasons.get(method, ""),
            }
        )
    return sorted(found, key=lambda row: (-row["n_equal"], -row["within"], row["method"]))


def run_matrix(runs: pd.DataFrame | None, label: LabelOf) -> dict[str, Any] | None:
    """Runs equal to the authors' in AUC-PR, by data set and method, over all scenarios; None without such runs.

    Where not all are equal, ``correlation`` is the least over the scenarios and ``difference`` the largest.
    """
    rows = _of_metric(runs)
    if rows.empty:
        return None
    methods = list(dict.fromkeys(rows["method"]))
    cells = {
        key: {
            "n_runs": int(part["n_runs"].sum()),
            "n_equal": int(part["n_equal"].sum()),
            "correlation": float(part["correlation"].min()),
            "difference": 100 * float(part["largest_difference"].max()),
        }
        for key, part in rows.groupby(["dataset", "method"])
    }
    return {
        "metric": label("metric", RUNS_METRIC),
        "methods": [label("method", method) for method in methods],
        "rows": [
            {"dataset": label("dataset", dataset), "cells": [cells.get((dataset, method)) for method in methods]}
            for dataset in dict.fromkeys(rows["dataset"])
        ],
    }


def _of_metric(runs: pd.DataFrame | None) -> pd.DataFrame:
    if runs is None:
        return pd.DataFrame(columns=["dataset", "method", "metric", "n_runs", "n_equal"])
    return runs[runs["metric"] == RUNS_METRIC]


def _counts(part: pd.DataFrame) -> dict[str, int]:
    counts = part["verdict"].value_counts()
    unknown = int(counts.get(UNKNOWN, 0))
    return {"within": int(counts.get(WITHIN, 0)), "known": len(part) - unknown, "unknown": unknown}


def _miss(row: Any, label: LabelOf) -> dict[str, Any]:
    return {
        **{kind: label(kind, getattr(row, kind)) for kind in ("dataset", "method", "metric", "scenario")},
        "published": row.published,
        "reproduced": row.reproduced,
        "difference": row.difference,
        "verdict": row.verdict,
    }
