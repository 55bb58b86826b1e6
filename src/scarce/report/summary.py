"""A study in words: its size, the headline from its statistics, and what is said of agreement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from scarce.analysis.rows import is_true, matching
from scarce.analysis.statistics import omnibus_tests
from scarce.report.agreement_view import LabelOf
from scarce.words import listed, number

if TYPE_CHECKING:
    from scarce.report.results import StudyResults

MANY = 24  # scenarios; more of them are counted, not listed


def sizes_of(results: StudyResults, repeats: int) -> list[tuple[str, str]]:
    """Number of data sets, scenarios, repeats, methods and runs, as label and value."""
    counted, asked = len(results.counted), len(results.counted_names)
    data_sets = str(counted) if counted == asked else f"{counted} of {asked}"
    for names, noun, plural in ((results.stand_ins, "stand-ins", "stand-ins"), (results.copies, "copy", "copies")):
        data_sets += f" + {number(len(names), noun, plural)}" if names else ""
    scenarios = list(results.names.scenarios.values())
    return [
        ("Data sets", data_sets),
        ("Scenarios", listed(scenarios) if len(scenarios) <= MANY else str(len(scenarios))),
        ("Repeats", str(repeats)),
        ("Methods", str(len(results.methods))),
        ("Runs", f"{len(results.runs):,}"),
    ]


def agreement_notes(results: StudyResults) -> list[str]:
    """How many single runs are equal to the authors', misprints, and averages over fewer data sets."""
    notes = []
    for metric, rows in results.frames["agreement_runs"].groupby("metric", sort=False):
        equal, n = int(rows["n_equal"].sum()), int(rows["n_runs"].sum())
        label = results.names.of("metric", metric)
        notes.append(f"{label}: {equal:,} of {n:,} single runs equal the authors' stored runs to 1e-6.")
    for row in results.frames["agreement_notes"].itertuples():
        where = " ".join(part for part in (row.scenario, row.metric, row.dataset, row.method) if part)
        notes.append(f"{where}: {row.note}" if where else row.note)
    return notes


def winners(
    ranks: pd.DataFrame,
    posthoc: pd.DataFrame | None = None,
    omnibus: pd.DataFrame | None = None,
    *,
    blocks: str = "datasets",
    label: LabelOf = lambda kind, name: name,
    metrics: Sequence[str] | None = None,
) -> list[str]:
    """One sentence for each metric and scenario: who is best, and from whom the test cannot tell it apart.

    Of more than `MANY` scenarios, one sentence for the metric: who is best in how many of them.

    The frames hold rows of stats/ranks.csv, stats/posthoc.csv and stats/omnibus.csv; of the second, Holm's comparisons
    with the best are read. Where the omnibus test keeps its hypothesis, that is said in their place. `metrics` says
    which, in which order; by default all. ``label(kind, name)`` has kind method, metric or scenario.
    """
    ranks, sentences = matching(ranks, blocks=blocks), []
    for metric in metrics if metrics is not None else dict.fromkeys(ranks["metric"]):
        scenarios = list(dict.fromkeys(matching(ranks, metric=metric)["scenario"]))
        if len(scenarios) > MANY:
            sentences.append(_counted(matching(ranks, metric=metric), metric, label))
            continue
        for scenario in scenarios:
            rows = matching(ranks, metric=metric, scenario=scenario)
            best = rows["average_rank"].min()
            if math.isnan(best):
                continue
            names = [label("method", name) for name in rows.loc[rows["average_rank"] == best, "method"]]
            verb = "has" if len(names) == 1 else "share"
            text = f"{label('metric', metric)}, {label('scenario', scenario)}: {listed(names)} {verb}"
            text += f" the best average rank, {best:.2f}"
            if posthoc is not None:
                text += _comparison(posthoc, omnibus, metric, scenario, blocks, label)
            sentences.append(text + ".")
    if posthoc is not None and sentences:
        sentences.extend(_tests(ranks, matching(posthoc, blocks=blocks), blocks))
    return sentences


def best_of(ranks: pd.DataFrame) -> list[tuple[str, int]]:
    """In how many scenarios each method has the best average rank of a metric, alone or with others; most first."""
    best = ranks["average_rank"] == ranks.groupby("scenario")["average_rank"].transform("min")
    counts = ranks.loc[best, "method"].value_counts()
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _counted(ranks: pd.DataFrame, metric: str, label: LabelOf) -> str:
    methods = listed([f"{label('method', name)} in {count}" for name, count in best_of(ranks)])
    n_scenarios = ranks["scenario"].nunique()
    return f"{label('metric', metric)}: of {n_scenarios} scenarios, the best average rank has {methods}."


def _comparison(
    posthoc: pd.DataFrame, omnibus: pd.DataFrame | None, metric: str, scenario: str, blocks: str, label: LabelOf
) -> str:
    panel = {"metric": metric, "scenario": scenario, "blocks": blocks}
    rows = matching(posthoc, test="holm", **panel).dropna(subset=["significant"])
    if rows.empty:
        return ""
    if "exploratory" in rows and is_true(rows["exploratory"]).any():
        tested = [] if omnibus is None else omnibus_tests(matching(omnibus, **panel))
        words = [test.words(float(rows["alpha"].iloc[0])) for test in tested] or ["Friedman's test is not significant"]
        return f"; {words[0]}, so no method is called different"
    rows = rows.sort_values("p", ascending=False, kind="stable")
    close = [label("method", name) for name in rows.loc[~is_true(rows["significant"]), "method"]]
    control = label("method", rows["control"].iloc[0])
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
