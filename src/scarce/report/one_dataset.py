"""What the page says where a study has one data set: paired differences and intervals in place of ranks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from scarce.analysis.rows import matching
from scarce.report.tables import BOLD, Cell, Column, Row, Table
from scarce.words import MISSING, listed, number, p_value, percent

if TYPE_CHECKING:
    from scarce.report.results import StudyResults

READING = (
    "Mean over repeats of the first method minus the second, with an interval for this pair alone, in percent. The "
    "interval takes the variance as (1/J + n_test/n_train) S² for J repeats (Nadeau & Bengio 2003), since repeats "
    "share training rows. p adjusted allows for all pairs of a metric and scenario (Holm). Repeats needed: with so "
    "many the interval would exclude 0, if mean and spread stay; a dash where no number of repeats would. All of it "
    "speaks of this data set alone."
)


def differences(results: StudyResults) -> Table | None:
    """The rows of stats/pairs.csv, the metrics in the study's order; None without rows."""
    pairs = results.stats("pairs")
    if pairs.empty:
        return None
    heads = {"Scenario": "name", "Better mean": "name", "Other": "name", "Difference": "number", "Interval": "name",
             "p": "number", "p adjusted": "number", "Repeats": "number", "Repeats needed": "number",
             "Note": "text"}  # fmt: skip
    ordered = [*results.metrics, *(name for name in pairs["metric"].unique() if name not in results.metrics)]
    rows = [_row(row, results) for metric in ordered for row in matching(pairs, metric=metric).itertuples()]
    columns = (Column("Metric", kind="name"), *(Column(head, kind=kind) for head, kind in heads.items()))
    return Table("pairs", "", columns, tuple(rows))


def _row(row, results: StudyResults) -> Row:
    names = results.names
    metric, scenario = names.of("metric", row.metric), names.of("scenario", row.scenario)
    methods = (Cell(names.of("method", name)) for name in (row.method, row.other))
    excludes = not math.isnan(row.low) and (row.low > 0 or row.high < 0)
    interval = MISSING if math.isnan(row.low) else f"[{percent(row.low, sign=True)}, {percent(row.high, sign=True)}]"
    tests = (Cell(MISSING if math.isnan(p) else p_value(p), sort=p) for p in (row.p, row.p_adjusted))
    needed = bool(pd.notna(row.repeats_needed))
    cells = (
        Cell(scenario),
        *methods,
        Cell(percent(row.mean_difference, sign=True), sort=row.mean_difference),
        Cell(interval, emphasis=BOLD if excludes else ""),
        *tests,
        Cell(str(int(row.n_runs)), sort=row.n_runs),
        Cell(str(int(row.repeats_needed)) if needed else MISSING, sort=row.repeats_needed if needed else math.inf),
        Cell(row.note if isinstance(row.note, str) else ""),
    )
    return Row(metric, cells)


def headline(results: StudyResults) -> list[str]:
    """One sentence for each metric and scenario: who has the best mean, and which others its intervals exclude."""
    names, pairs, sentences = results.names, results.stats("pairs"), []
    for metric, scenario in results.panels():
        rows = matching(pairs, metric=metric, scenario=scenario)
        if rows.empty:
            continue
        best = rows["method"].iloc[0]
        panel = f"{names.of('metric', metric)}, {names.of('scenario', scenario)}"
        against = _against(matching(rows, method=best), names)
        sentences.append(f"{panel}: {names.of('method', best)} has the best mean; {against}.")
    if sentences:
        level = f"{100 * (1 - results.settings.alpha):g} %"
        sentences.append(
            f"One data set: no ranks are tested. Differences are paired over repeats, with corrected {level} intervals "
            "for each pair (Nadeau & Bengio 2003); they speak of this data set alone."
        )
    return sentences


def certainty(results: StudyResults) -> str:
    """Against how many others the intervals of the best means exclude 0."""
    pairs = results.stats("pairs")
    first = pairs.groupby(["metric", "scenario"], sort=False)["method"].transform("first")
    pairs = pairs[(pairs["method"] == first) & pairs["metric"].isin(results.metrics)]
    if pairs.empty:
        return "One data set and one method: there is nothing to compare."
    apart = int(((pairs["low"] > 0) | (pairs["high"] < 0)).sum())
    level = f"{100 * (1 - results.settings.alpha):g} %"
    return (
        f"One data set: no ranks are tested. The corrected {level} intervals exclude 0 in {apart} of "
        f"{number(len(pairs), 'comparison')} with the best mean; they speak of this data set alone."
    )


def _against(rows: pd.DataFrame, names) -> str:
    known = rows.dropna(subset=["low"])
    if known.empty:
        note = next((note for note in rows["note"] if isinstance(note, str) and note), "no interval")
        return note
    apart = (known["low"] > 0) | (known["high"] < 0)
    above, level = (
        [names.of("method", name) for name in known.loc[chosen, "other"]] for chosen in (apart, ~apart)
    )  # fmt: skip
    parts = []
    if above:
        parts.append(f"the interval excludes 0 against {listed(above)}")
    if level:
        parts.append(f"these repeats do not tell it from {listed(level)}")
    return "; ".join(parts)


def estimates(results: StudyResults) -> Table | None:
    """Means of metrics without negatives, with bounds where an interval of the class prior is known; None without any.

    Each row says what its number assumes. Metrics that only choose among methods are not shown.
    """
    from scarce.scoring.observed_metrics import OBSERVED_METRICS, bounds_of

    scores, asked = results.scores, results.settings.selection
    choosing = set(asked.by if asked else ()) - set(results.settings.metrics)
    shown = [name for name in OBSERVED_METRICS if name not in choosing]
    scores = scores[scores["metric"].isin(shown)].dropna(subset=["value"])
    if scores.empty:
        return None
    means = scores.groupby(["dataset", "scenario", "metric", "method"])["value"].mean()
    rows = []
    for (dataset, scenario, metric, method), value in means.items():
        if OBSERVED_METRICS[metric].direction is None:
            continue
        ends = [means.get((dataset, scenario, name, method), math.nan) for name in bounds_of(metric) or ()]
        interval = f"[{percent(ends[0])}, {percent(ends[1])}]" if ends and not math.isnan(ends[0]) else MISSING
        assumed = [results.assumptions.get(metric, "")]
        assumed += [f"bounds: {results.assumptions[bounds_of(metric)[0]]}"] if interval != MISSING else []
        rows.append((metric, dataset, scenario, method, value, interval, "; ".join(assumed)))
    order = list(OBSERVED_METRICS)
    rows.sort(key=lambda row: (order.index(row[0]), row[1:4]))
    of = results.names.of
    heads = {"Data set": "name", "Scenario": "name", "Method": "name", "Mean (%)": "number", "Bounds (%)": "name",
             "Assumes": "text"}  # fmt: skip
    return Table(
        "estimates",
        "",
        (Column("Metric", kind="name"), *(Column(head, kind=kind) for head, kind in heads.items())),
        tuple(
            Row(of("metric", metric), (
                Cell(of("dataset", dataset)), Cell(of("scenario", scenario)), Cell(of("method", method)),
                Cell(percent(value), sort=value), Cell(interval), Cell(assumed),
            ))
            for metric, dataset, scenario, method, value, interval, assumed in rows
        ),
    )  # fmt: skip
