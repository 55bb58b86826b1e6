"""Layouts with a row for each method."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scarce.analysis.rows import matching
from scarce.report.layouts.base import layout, tidy_frame
from scarce.report.tables import BOLD, UNDERLINED, Cell, Column, Row, Table
from scarce.words import MISSING, p_value, percent

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.tests import Omnibus
    from scarce.report.results import StudyResults

AVERAGES = [
    "scenario", "metric", "dataset", "method", "mean", "sd", "n_datasets", "n_runs", "best", "mark", "published",
    "difference",
]  # fmt: skip
EMPHASIS = {"best": UNDERLINED, "not_outperformed": BOLD}


@layout("metric")
def scenarios(spec: Any, results: StudyResults, *, authors: bool = False) -> Table:
    """A row a method, a column a scenario: averages over data sets.

    With `authors`, the averages of the authors' own runs over the same data sets stand beside each column.
    """
    from scarce.report import table_notes

    names, metric = results.names, spec.metric
    columns, cells, numbers = [Column("Method", kind="name")], {method: [] for method in names.methods}, []
    for scenario, label in names.scenarios.items():
        means = results.averages(metric, scenario)
        marks = table_notes.marks(results, metric, scenario)
        top = _top(means["mean"], metric, results).reindex(list(names.methods))
        columns.append(Column(label, label))
        columns += [Column(f"{label}: authors")] if authors else []
        for method in names.methods:
            mean = _mean(means, method)
            reason = table_notes.why_no_average(results, metric, scenario, method)
            cells[method].append(_mean_cell(mean, reason, EMPHASIS.get(marks.get(method, ""), ""), averages=True))
            cells[method] += [Cell(percent(mean["authors"]))] if authors else []
            numbers.append(
                (scenario, metric, "", method, *_numbers(mean, top[method]), marks.get(method, ""), *_gap(mean))
            )
    tests = {scenario: results.omnibus(metric, scenario, results.settings.blocks) for scenario in names.scenarios}
    footer = [Row("Iman-Davenport", tuple(_column_test(*own, metric, results) for own in tests.items()))]
    if any(test and test.p_exact is not None for test in tests.values()):
        footer.append(Row("Friedman (exact)", tuple(_exact_test(test) for test in tests.values())))
    return Table(
        name=spec.name,
        caption=table_notes.caption_of_averages(spec.title, results, metric),
        columns=tuple(columns),
        rows=_method_rows(cells, results),
        footer=() if authors else tuple(footer),
        reading="Mean ± standard deviation over repeats, both in percent and averaged over data sets.",
        marks=table_notes.marks_of_averages(metric, results),
        notes=tuple(table_notes.notes_of_averages(metric, results)),
        frame=tidy_frame(numbers, AVERAGES),
    )


@layout("metric", "scenario")
def datasets(spec: Any, results: StudyResults) -> Table:
    """A row a method, a column a data set of one scenario."""
    from scarce.report import table_notes

    names, metric, scenario = results.names, spec.metric, spec.scenario
    panel = results.means(metric, scenario)
    remarks = results.remarks(metric, scenario)
    columns, cells, numbers = [Column("Method", kind="name")], {method: [] for method in names.methods}, []
    asked = results.settings.among(names.datasets, scenario)
    for dataset in asked:
        code = names.datasets[dataset]
        means = matching(panel, dataset=dataset).set_index("method")
        top = _top(means["mean"].reindex(list(names.methods)), metric, results)
        columns.append(Column(code, names.titles.get(dataset, dataset)))
        for method in names.methods:
            mean = _mean(means, method)
            values = _numbers(mean, top[method])
            best = values[-1]
            reason = "" if mean["n_runs"] else results.reason(dataset, scenario, method)
            remark = remarks.get((dataset, method), "")
            cells[method].append(_mean_cell(mean, reason, BOLD if best else "", remark))
            numbers.append((scenario, metric, dataset, method, *values, "best" if best else "", *_gap(mean)))
    shown = panel[(panel["n_runs"] > 0) & panel["dataset"].isin(asked) & panel["method"].isin(names.methods)]
    repeats = int(shown["n_runs"].max()) if len(shown) else 0
    distinct = [dataset for dataset in asked if dataset not in results.copies]
    end = "lowest" if metric in results.settings.lower_is_better else "highest"
    passed_over = ", oracles passed over" if results.settings.oracles else ""
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, [len({*shown["dataset"]} & {*distinct})], [len(distinct)], repeats),
        columns=tuple(columns),
        rows=_method_rows(cells, results),
        reading="Mean over repeats in percent.",
        marks=((BOLD, f"{end} of the column, before rounding{passed_over}"),),
        notes=(*table_notes.notes_of_datasets(results, shown, repeats, asked), *results.copy_words()),
        frame=tidy_frame(numbers, AVERAGES),
    )


def _mean(means: pd.DataFrame, method: str) -> Mapping[str, Any]:
    """The row of a method in frames of `stats/means.csv`; missing numbers where there is none."""
    missing = {"mean": math.nan, "sd": math.nan, "n_datasets": 0, "n_runs": 0}
    return means.loc[method] if method in means.index else missing | {"published": math.nan, "authors": math.nan}


def _top(means: pd.Series, metric: str, results: StudyResults) -> pd.Series:
    """What a method must reach to be the best of a column: the best mean of all but oracles, which cannot be it."""
    ordinary = means.mask(means.index.isin(list(results.settings.oracles)))
    top = ordinary.min() if metric in results.settings.lower_is_better else ordinary.max()
    return ordinary.where(ordinary.isna(), top)


def _numbers(mean: Mapping[str, Any], top: float) -> tuple[float, float, int, int, bool]:
    """Mean, sd, data sets, runs and whether no method of the column is better."""
    value = float(mean["mean"])
    return value, float(mean["sd"]), int(mean["n_datasets"]), int(mean["n_runs"]), value == top


def _gap(mean: Mapping[str, Any]) -> tuple[float, float]:
    """The published value, and the difference from it."""
    return float(mean["published"]), float(mean["mean"] - mean["published"])


def _mean_cell(
    mean: Mapping[str, Any], reason: str, emphasis: str, remark: str = "", *, averages: bool = False
) -> Cell:
    """A mean in percent with its spread beside it (of averages) or in the tooltip."""
    value, spread, printed = float(mean["mean"]), float(mean["sd"]), float(mean["published"])
    parts = [reason]
    if not math.isnan(value):
        n_datasets = f"{mean['n_datasets']:.0f} data sets, " if averages else ""
        parts = [f"{percent(value)} ± {percent(spread)} ({n_datasets}{mean['n_runs']:.0f} runs)"]
    if not math.isnan(printed):
        gap = "" if math.isnan(value) else f", difference {percent(value - printed, sign=True)}"
        parts.append(f"published {percent(printed)}{gap}")
    return Cell(
        percent(value),
        f"± {percent(spread)}" if averages and not math.isnan(spread) else "",
        emphasis,
        "" if math.isnan(printed) else percent(printed),
        "; ".join(filter(None, [*parts, remark])),
        value,
    )


def _method_rows(cells: Mapping[str, Sequence[Cell]], results: StudyResults) -> tuple[Row, ...]:
    """A row a method; of methods that are not run here, the published numbers stand for the missing ones."""
    rows = []
    for method, label in results.names.methods.items():
        own = cells[method]
        if method in results.published_only:
            label = f"{label} (published)"
            own = [Cell(cell.published or MISSING, tooltip="published, not run here") for cell in own]
        rows.append(Row(label, tuple(own)))
    return tuple(rows)


def _column_test(scenario: str, test: Omnibus | None, metric: str, results: StudyResults) -> Cell:
    """The Iman-Davenport test of a column, or why there is none."""
    if test is None:
        notes = results.panel("notes", metric, scenario, results.settings.blocks)["note"]
        reasons = (note for note in notes if note.startswith("not tested"))
        return Cell(tooltip=next(reasons, "not tested: no scores"))
    statistic = "∞" if math.isinf(test.statistic) else f"{test.statistic:.2f}"
    p = p_value(test.p)
    return Cell(p, tooltip=f"F({test.df1:.0f}, {test.df2:.0f}) = {statistic}, {p}")


def _exact_test(test: Omnibus | None) -> Cell:
    """The exact p-value of a column, where there is one."""
    if test is None or test.p_exact is None:
        return Cell(tooltip="no exact test: too many arrangements of ranks")
    return Cell(p_value(test.p_exact), tooltip="all arrangements of the ranks within blocks; it decides")
