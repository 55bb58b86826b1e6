"""The headline of a study in words, computed from its statistics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from scarce.words import listed, number


def winners(
    ranks: pd.DataFrame,
    posthoc: pd.DataFrame | None = None,
    *,
    blocks: str = "datasets",
    method_labels: Mapping[str, str] | None = None,
    metric_labels: Mapping[str, str] | None = None,
    scenario_labels: Mapping[str, str] | None = None,
    metrics: Sequence[str] | None = None,
) -> list[str]:
    """One sentence for each metric and scenario: who is best, and from whom the test cannot tell it apart.

    Parameters
    ----------
    ranks, posthoc : DataFrame
        Rows of stats/ranks.csv and stats/posthoc.csv; of the latter, Holm's comparisons with the best are read.
    blocks : str
        Which of the procedures to report.
    method_labels, metric_labels, scenario_labels : mapping, optional
    metrics : sequence of str, optional
        Which, in which order; by default all, as they come.
    """
    ranks = ranks[ranks["blocks"] == blocks]
    sentences = []
    for metric in metrics if metrics is not None else dict.fromkeys(ranks["metric"]):
        for scenario in dict.fromkeys(ranks.loc[ranks["metric"] == metric, "scenario"]):
            rows = ranks[(ranks["metric"] == metric) & (ranks["scenario"] == scenario)]
            best = rows["average_rank"].min()
            if math.isnan(best):
                continue
            names = [_label(name, method_labels) for name in rows.loc[rows["average_rank"] == best, "method"]]
            where = f"{_label(metric, metric_labels)}, {_label(scenario, scenario_labels)}"
            verb = "has" if len(names) == 1 else "share"
            text = f"{where}: {listed(names)} {verb} the best average rank, {best:.2f}"
            if posthoc is not None:
                text += _comparison(posthoc, metric, scenario, blocks, method_labels)
            sentences.append(text + ".")
    if posthoc is not None and sentences:
        sentences.extend(_tests(ranks, posthoc[posthoc["blocks"] == blocks], blocks))
    return sentences


def _comparison(
    posthoc: pd.DataFrame, metric: str, scenario: str, blocks: str, labels: Mapping[str, str] | None
) -> str:
    rows = posthoc[(posthoc["metric"] == metric) & (posthoc["scenario"] == scenario) & (posthoc["blocks"] == blocks)]
    rows = rows[rows["test"] == "holm"].dropna(subset=["significant"])
    if rows.empty:
        return ""
    rows = rows.sort_values("p", ascending=False, kind="stable")
    significant = rows["significant"].astype("string").str.lower() == "true"
    close = [_label(name, labels) for name in rows.loc[~significant, "method"]]
    control = _label(rows["control"].iloc[0], labels)
    if not close:
        return f"; every other method differs from {control}"
    if len(close) == len(rows):
        return f"; no method differs from {control}"
    return f"; not distinguishable from {control}: {listed(close)}"


def _tests(ranks: pd.DataFrame, posthoc: pd.DataFrame, blocks: str) -> list[str]:
    """One sentence about the tests behind the others."""
    alphas = [f"{alpha:g}" for alpha in sorted(set(posthoc.loc[posthoc["test"] == "holm", "alpha"]))]
    if not alphas:
        return []
    methods = ranks.groupby(["metric", "scenario"]).size()
    sizes = listed([str(n) for n in sorted(set(methods))])
    counts = sorted(set(ranks["n_blocks"].astype(int)))
    noun = "data set" if blocks == "datasets" else "run"
    return [
        f"Ranks over {listed([str(n) for n in counts[:-1]] + [number(counts[-1], noun)])} and {sizes} methods; "
        f"comparisons by Holm's procedure, α = {listed(alphas)}."
    ]


def _label(name: str, labels: Mapping[str, str] | None) -> str:
    return str((labels or {}).get(name, name))
