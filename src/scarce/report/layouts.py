"""The layouts that a table of a study may have, each one record: from the study's words and the results to a `Table`.

Every number is read from the files of ``stats/``; a layout selects, formats and says what is missing. A paper registers
a layout of its own with the same decorator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scarce.errors import ConfigError
from scarce.report.tables import BOLD, UNDERLINED, Cell, Column, Row, Table
from scarce.words import MISSING, p_value, percent

if TYPE_CHECKING:
    import pandas as pd

    from scarce.report.results import StudyResults

AVERAGES = [
    "scenario", "metric", "dataset", "method", "mean", "sd", "n_datasets", "n_runs", "best", "mark", "published",
    "difference",
]  # fmt: skip
RANKS = [
    "scenario", "metric", "dataset", "method", "mean", "sd", "n_runs", "rank", "published", "published_sd",
    "published_rank", "p_adjusted", "significant", "published_significant",
]  # fmt: skip
SIZES = ["dataset", "examples", "features", "positives", "positive_percent", "published_examples",
         "published_features", "published_percent"]  # fmt: skip
EMPHASIS = {"best": UNDERLINED, "not_outperformed": BOLD}

Build = Callable[[Any, "StudyResults"], Table]


@dataclass(frozen=True)
class TableLayout:
    """A layout: its name under ``layout:``, the keys of a study's table that it needs, and what builds the table."""

    name: str
    needs: frozenset[str]
    build: Build


LAYOUTS: dict[str, TableLayout] = {}


def layout(*needs: str) -> Callable[[Build], Build]:
    """Register a function as the layout of its own name; raises ConfigError if the name is taken."""

    def record(build: Build) -> Build:
        if build.__name__ in LAYOUTS:
            raise ConfigError(f"two layouts of tables are named {build.__name__}")
        LAYOUTS[build.__name__] = TableLayout(build.__name__, frozenset(needs), build)
        return build

    return record


def build_table(spec: Any, results: StudyResults) -> Table:
    """One table of a study.

    Parameters
    ----------
    spec : scarce.config.study.Table
        What the study says about the table.
    results : StudyResults

    Raises
    ------
    ValueError
        If there is no such layout, or a key is missing that it needs.
    """
    if spec.layout not in LAYOUTS:
        raise ValueError(f"table {spec.name}: no layout is named {spec.layout!r}; there are {', '.join(LAYOUTS)}")
    lacking = [key for key in sorted(LAYOUTS[spec.layout].needs) if not getattr(spec, key)]
    if lacking:
        raise ValueError(f"table {spec.name}: the layout {spec.layout} needs {', '.join(lacking)}")
    return LAYOUTS[spec.layout].build(spec, results)


# --- a row a method ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnTest:
    """The Iman-Davenport test of a column; without numbers, `reason` says why there was none."""

    statistic: float = math.nan
    df1: int = 0
    df2: int = 0
    p: float = math.nan
    reason: str = ""

    @property
    def cell(self) -> Cell:
        if math.isnan(self.p):
            return Cell(tooltip=self.reason)
        statistic = "∞" if math.isinf(self.statistic) else f"{self.statistic:.2f}"
        return Cell(p_value(self.p), tooltip=f"F({self.df1}, {self.df2}) = {statistic}, {p_value(self.p)}")


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
        top = _top(means["mean"], metric, results)
        columns.append(Column(label, label))
        columns += [Column(f"{label}: authors")] if authors else []
        for method in names.methods:
            mean = _mean(means, method)
            reason = table_notes.why_no_average(results, metric, scenario, method)
            cells[method].append(_mean_cell(mean, reason, EMPHASIS.get(marks.get(method, ""), ""), averages=True))
            cells[method] += [Cell(percent(mean["authors"]))] if authors else []
            numbers.append((scenario, metric, "", method, *_numbers(mean, top), marks.get(method, ""), *_gap(mean)))
    tests = [_column_test(metric, scenario, results).cell for scenario in names.scenarios]
    return Table(
        name=spec.name,
        caption=table_notes.caption_of_averages(spec.title, results, metric),
        columns=tuple(columns),
        rows=_method_rows(cells, results),
        footer=() if authors else (Row("Iman-Davenport", tuple(tests)),),
        reading="Mean ± standard deviation over repeats, both in percent and averaged over data sets.",
        marks=table_notes.marks_of_averages(metric, results),
        notes=tuple(table_notes.notes_of_averages(metric, results)),
        frame=_frame(numbers, AVERAGES),
    )


@layout("metric", "scenario")
def datasets(spec: Any, results: StudyResults) -> Table:
    """A row a method, a column a data set of one scenario."""
    from scarce.report import table_notes

    names, metric, scenario = results.names, spec.metric, spec.scenario
    found = results.means(metric, scenario)
    remarks = results.remarks(metric, scenario)
    columns, cells, numbers = [Column("Method", kind="name")], {method: [] for method in names.methods}, []
    for dataset, code in names.datasets.items():
        means = found[found["dataset"] == dataset].set_index("method")
        top = _top(means["mean"].reindex(list(names.methods)), metric, results)
        columns.append(Column(code, names.titles.get(dataset, dataset)))
        for method in names.methods:
            mean = _mean(means, method)
            values = _numbers(mean, top)
            best = values[-1]
            reason = "" if mean["n_runs"] else results.reason(dataset, scenario, method)
            remark = remarks.get((dataset, method), "")
            cells[method].append(_mean_cell(mean, reason, BOLD if best else "", remark))
            numbers.append((scenario, metric, dataset, method, *values, "best" if best else "", *_gap(mean)))
    here = found[(found["n_runs"] > 0) & found["dataset"].isin(names.datasets) & found["method"].isin(names.methods)]
    repeats = int(here["n_runs"].max()) if len(here) else 0
    end = "lowest" if metric in results.settings.lower_is_better else "highest"
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, here["dataset"].nunique(), len(names.datasets), repeats),
        columns=tuple(columns),
        rows=_method_rows(cells, results),
        reading="Mean over repeats in percent.",
        marks=((BOLD, f"{end} of the column, before rounding"),),
        notes=tuple(table_notes.notes_of_datasets(results, here, repeats)),
        frame=_frame(numbers, AVERAGES),
    )


def _frame(rows: Sequence[tuple], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns))


def _mean(means: pd.DataFrame, method: str) -> Mapping[str, Any]:
    """The row of a method in frames of `stats/means.csv`; missing numbers where there is none."""
    missing = {"mean": math.nan, "sd": math.nan, "n_datasets": 0, "n_runs": 0}
    return means.loc[method] if method in means.index else missing | {"published": math.nan, "authors": math.nan}


def _top(means: pd.Series, metric: str, results: StudyResults) -> float:
    """The best mean of a column."""
    return means.min() if metric in results.settings.lower_is_better else means.max()


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


def _column_test(metric: str, scenario: str, results: StudyResults) -> ColumnTest:
    rows = results.panel("omnibus", metric, scenario, results.settings.blocks)
    rows = rows[rows["test"] == "iman_davenport"]
    if len(rows):
        row = rows.iloc[0]
        return ColumnTest(float(row["statistic"]), int(row["df1"]), int(row["df2"]), float(row["p"]))
    notes = results.panel("notes", metric, scenario, results.settings.blocks)["note"]
    return ColumnTest(reason=next((note for note in notes if note.startswith("not tested")), "not tested: no scores"))


# --- a row a data set ----------------------------------------------------------------------------------------------


@layout("metric", "scenario")
def ranks(spec: Any, results: StudyResults) -> Table:
    """A row a data set: values of the methods that the table compares, and their ranks."""
    what = "Ranks" if spec.cells == "rank" else "Mean ± standard deviation over runs (rank)"
    reading = f"{what}; 1 is best. Means that are equal to {spec.digits} decimals share a rank."
    return _compared(spec, results, [spec.metric], reading, ((BOLD, "best of the row"),))


@layout("facts", "scenario")
def facts(spec: Any, results: StudyResults) -> Table:
    """A row a data set: numbers that methods state of their fits, and their ranks."""
    listed = ", ".join(map(_words, spec.facts))
    reading = f"In a cell: {listed}, means over runs, and in parentheses their ranks; the largest mean has rank 1."
    return _compared(spec, results, spec.facts, reading, ())


def _compared(
    spec: Any, results: StudyResults, measures: Sequence[str], reading: str, marks: tuple[tuple[str, str], ...]
) -> Table:
    from scarce.report import table_notes

    names = results.names
    methods = list(spec.methods or names.methods)
    frame = results.stats("table_ranks")
    frame = frame[frame["table"] == spec.name]
    by_measure = [frame[frame["metric"] == name].set_index(["dataset", "method"]) for name in measures]
    rows = [
        Row(names.titles.get(d, d), tuple(_ranked(spec, results, by_measure, d, m) for m in methods), d)
        for d in names.datasets
    ]
    first = by_measure[0].drop("", level="dataset")
    ranked = set(first.index[first["rank"].notna()].get_level_values("dataset"))
    present = set(first.index[first["n_runs"] > 0].get_level_values("dataset"))
    counted = [d for d in results.counted_names if d in ranked]
    footer, notes = [], []
    for name, numbers in zip(measures, by_measure, strict=True):
        which = f"{_words(name)}: " if len(measures) > 1 else ""
        footer += _footer(which, numbers.loc[""], methods, len(counted))
        notes.append(_tests(name if spec.layout == "facts" else "", spec.name, name, results))
    notes += table_notes.notes_of_ranks(results, present, ranked, counted)
    repeats = int(first["n_runs"].max()) if len(first) else 0
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, len(counted), len(results.counted_names), repeats),
        columns=(Column("Data set", kind="name"), *(Column(names.methods[method]) for method in methods)),
        rows=tuple(rows),
        footer=tuple(footer),
        reading=reading,
        marks=marks,
        notes=tuple(notes),
        frame=frame[RANKS].reset_index(drop=True),
    )


def _ranked(spec: Any, results: StudyResults, by_measure: Sequence[pd.DataFrame], dataset: str, method: str) -> Cell:
    key = dataset, method
    rows = [numbers.loc[key] for numbers in by_measure]
    published = _joined(spec, [(row["published"], row["published_sd"], row["published_rank"]) for row in rows])
    if any(row["n_runs"] == 0 for row in rows):
        return Cell(MISSING, published=published, tooltip=results.reason(dataset, spec.scenario, method), sort=math.nan)
    first = rows[0]
    texts = [f"{first['mean']:.5f} ± {first['sd']:.5f} ({first['n_runs']} runs)", *(row["note"] for row in rows)]
    own_ranks = by_measure[0].loc[dataset]["rank"]
    rank_alone = spec.layout == "ranks" and spec.cells == "rank"
    return Cell(
        _joined(spec, [(row["mean"], row["sd"], row["rank"]) for row in rows]),
        emphasis=BOLD if spec.layout == "ranks" and first["rank"] == own_ranks.min() else "",
        published=published,
        tooltip="; ".join(filter(None, texts)),
        sort=float(first["rank"] if rank_alone else first["mean"]),
    )


def _joined(spec: Any, numbers: Sequence[tuple[float, float, float]]) -> str:
    """Value, spread and rank in a cell: ``0.952 ± 0.010 (1.5)``, a bare rank, or ``26, 350 (2.5, 2.5)`` of several."""
    values, spreads, ranks = ([float(number) for number in column] for column in zip(*numbers, strict=True))
    if spec.layout == "ranks" and spec.cells == "rank":
        return "" if math.isnan(ranks[0]) else f"{ranks[0]:g}"
    if any(map(math.isnan, values)):
        return ""
    text = ", ".join(f"{value:.{spec.digits}f}" for value in values)
    if spec.layout == "ranks" and not math.isnan(spreads[0]):
        text += f" ± {spreads[0]:.{spec.digits}f}"
    return text if any(map(math.isnan, ranks)) else f"{text} ({', '.join(f'{rank:g}' for rank in ranks)})"


def _footer(which: str, numbers: pd.DataFrame, methods: Sequence[str], n_counted: int) -> list[Row]:
    """Average ranks over the counted data sets, the paper's own, and who differs from the control."""
    averages = tuple(
        Cell(
            _two(numbers.loc[m, "rank"]),
            published=_two(numbers.loc[m, "published_rank_here"]),
            sort=float(numbers.loc[m, "rank"]),
        )
        for m in methods
    )
    rows = [Row(f"{which}average rank", averages, f"over {n_counted} data sets, in the paper as well")]
    printed = numbers["published_rank"].notna()
    if printed.any():
        cells = tuple(
            Cell("", published=_two(numbers.loc[m, "published_rank"]), tooltip=numbers.loc[m, "note"])
            if printed[m]
            else Cell("")
            for m in methods
        )
        rows.append(Row(f"{which}average rank, as printed", cells, "over all data sets of the paper"))
    if numbers["p_adjusted"].notna().any():
        cells = tuple(
            Cell(
                _mark(numbers.loc[m, "significant"]) or "control",
                published=_mark(numbers.loc[m, "published_significant"]),
            )
            for m in methods
        )
        rows.append(Row(f"{which}differs from the control", cells, "Holm's procedure"))
    return rows


def _mark(significant: Any) -> str:
    """A truth value as a mark; empty where it is missing."""
    return {"true": "✓", "false": "no"}.get(str(significant).lower(), "")


def _two(value: Any) -> str:
    return MISSING if math.isnan(value) else f"{value:.2f}"


def _words(name: str) -> str:
    return name.replace("_", " ").replace(" percent", " (%)").capitalize()


def _tests(prefix: str, table: str, measure: str, results: StudyResults) -> str:
    """The tests of a table's ranks in words, or why there are none."""
    rows = results.stats("table_tests")
    rows = rows[(rows["table"] == table) & (rows["metric"] == measure)].set_index("test")
    start = f"{_words(prefix)}: " if prefix else ""
    if "friedman" not in rows.index:
        return f"{start}not tested: {rows['note'].iloc[0]}."
    friedman, davenport = rows.loc["friedman"], rows.loc["iman_davenport"]
    return (
        f"{start}Friedman χ² = {friedman['statistic']:.2f} ({p_value(friedman['p'])}), Iman-Davenport "
        f"F = {davenport['statistic']:.2f} ({p_value(davenport['p'])}) over {friedman['n']} data sets; ✓: differs from "
        f"{results.names.methods[friedman['control']]} by Holm's procedure, {results.settings.own.alternative}, at "
        f"{results.settings.alpha:g}."
    )


@layout()
def sizes(spec: Any, results: StudyResults) -> Table:
    """A row a data set: rows, features and share of positives, beside what the paper prints."""
    from scarce.report import table_notes

    names = results.names
    printed = results.printed_sizes.set_index("dataset")
    rows, numbers = [], []
    for dataset in names.datasets:
        n, d, positives = results.sizes.get(dataset, (math.nan, math.nan, math.nan))
        share = 100 * positives / n
        theirs = printed.loc[dataset] if dataset in printed.index else {}
        published = tuple(float(theirs.get(name, math.nan)) for name in ("examples", "features", "minority_percent"))
        tooltip = str(theirs.get("note", "") or results.unavailable.get(dataset, ""))
        cells = tuple(
            Cell(
                MISSING if math.isnan(value) else f"{value:.{digits}f}",
                published="" if math.isnan(other) else f"{other:g}",
                tooltip=tooltip,
                sort=float(value),
            )
            for value, other, digits in zip((n, d, share), published, (0, 0, 1), strict=True)
        )
        rows.append(Row(names.titles.get(dataset, dataset), cells, dataset))
        numbers.append((dataset, n, d, positives, share, *published))
    notes = {d: printed.loc[d, "note"] for d in printed.index if printed.loc[d, "note"]}
    present = [d for d in results.counted_names if d in results.sizes]
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, len(present), len(results.counted_names), None),
        columns=(Column("Data set", kind="name"), Column("Examples"), Column("Features"), Column("Minority (%)")),
        rows=tuple(rows),
        notes=tuple(f"{names.titles.get(d, d)}: {text}." for d, text in [*notes.items(), *results.unavailable.items()]),
        frame=_frame(numbers, SIZES),
    )
