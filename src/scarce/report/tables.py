"""Tables of results: one view of the numbers, written as CSV, LaTeX and HTML.

Two layouts, both with a row for each method: "scenarios" has a column for each scenario and averages over data sets,
as Tables 3, 4 and A1 of ortega2023 do; "datasets" has a column for each data set of one scenario, as A2 to A7 do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from scarce.analysis.agreement import compare_cells
from scarce.analysis.ranks import Blocks, block_matrix, exact_mean
from scarce.analysis.statistics import AnalysisSettings, mean_of_blocks, spread_within
from scarce.report import table_notes

FRAME = [
    "scenario", "metric", "dataset", "method", "mean", "sd", "n_datasets", "n_runs", "best", "mark", "published",
    "difference",
]  # fmt: skip


@dataclass(frozen=True)
class TableSpec:
    """What a study says about a table: layout "scenarios", or "datasets" with a scenario."""

    name: str
    title: str
    metric: str
    layout: str
    scenario: str | None = None


@dataclass(frozen=True)
class Labels:
    """Names as a reader sees them; the order of the mappings is the order of rows and columns.

    Attributes
    ----------
    methods, scenarios : mapping from name to label
    datasets : mapping from name to code
    titles : mapping from data set to its full title
    """

    methods: Mapping[str, str]
    datasets: Mapping[str, str]
    scenarios: Mapping[str, str]
    titles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Column:
    """A column: its scenario, its data set (empty: average over data sets), its label and what it stands for."""

    scenario: str
    dataset: str
    label: str
    title: str


@dataclass(frozen=True)
class Cell:
    """A number with its context; `mean` is NaN where there is none, and `reason` says why."""

    mean: float = math.nan
    sd: float = math.nan
    n_datasets: int = 0
    n_runs: int = 0
    best: bool = False
    mark: str = ""
    published: float = math.nan
    difference: float = math.nan
    reason: str = ""
    remark: str = ""


@dataclass(frozen=True)
class Verdict:
    """Result of the Iman-Davenport test in a column; missing numbers where there was no test, and `reason` says why."""

    statistic: float = math.nan
    df1: int = 0
    df2: int = 0
    p: float = math.nan
    reason: str = ""


@dataclass(frozen=True)
class TableView:
    """A table before it takes the form of a file: ``cells[method][column]``, all numbers unrounded fractions.

    `procedure` says what the marks mean, and `notes` say it once more in the words for underlined and bold.
    """

    name: str
    layout: str
    metric: str
    caption: str
    columns: tuple[Column, ...]
    methods: Mapping[str, str]
    cells: Mapping[str, tuple[Cell, ...]]
    tests: tuple[Verdict, ...] = ()
    procedure: str = ""
    notes: tuple[str, ...] = ()

    def frame(self) -> pd.DataFrame:
        """The numbers as tidy rows, column by column."""
        rows = [
            (
                column.scenario, self.metric, column.dataset, method, cell.mean, cell.sd, cell.n_datasets, cell.n_runs,
                cell.best, cell.mark, cell.published, cell.difference,
            )
            for place, column in enumerate(self.columns)
            for method in self.methods
            for cell in [self.cells[method][place]]
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=FRAME)


@dataclass(frozen=True)
class Results:
    """Everything that tables are made of.

    Attributes
    ----------
    scores : DataFrame
        Columns dataset, scenario, repeat, method, metric, value.
    stats : dict of DataFrame
        As `scarce.analysis.statistics.analyse` gives it for these scores and settings.
    settings : AnalysisSettings
        ``settings.datasets`` are the data sets of averages and tests.
    labels : Labels
        ``labels.datasets`` are the columns of the layout "datasets"; they may be more.
    published, author_runs : DataFrame, optional
        As `scarce.analysis.reference` gives them.
    runs : DataFrame, optional
        runs.csv, for the reasons of missing cells.
    unavailable : mapping from data set to reason
    """

    scores: pd.DataFrame
    stats: Mapping[str, pd.DataFrame]
    settings: AnalysisSettings
    labels: Labels
    published: pd.DataFrame | None = None
    author_runs: pd.DataFrame | None = None
    runs: pd.DataFrame | None = None
    unavailable: Mapping[str, str] = field(default_factory=dict)

    def reason(self, dataset: str, scenario: str, method: str) -> str:
        """Why a data set has no value of a method, in one line."""
        if dataset in self.unavailable:
            return f"no data: {self.unavailable[dataset]}"
        if self.runs is not None:
            here = self.runs
            for name, value in (("dataset", dataset), ("scenario", scenario), ("method", method)):
                here = here[here[name] == value]
            said = here.dropna(subset=["message"])
            if len(said):
                texts = (said["status"] + ": " + said["message"]).value_counts()
                return " ".join(str(texts.index[0]).split())
        return "no results"


def build_table(spec: TableSpec, results: Results) -> TableView:
    """Make the view of one table.

    Parameters
    ----------
    spec : TableSpec
        Layout "scenarios", or "datasets" with a scenario.
    results : Results

    Raises
    ------
    ValueError
        If the layout is unknown, or "datasets" has no scenario.
    """
    if spec.layout == "scenarios":
        return _by_scenario(spec, results)
    if spec.layout == "datasets":
        if spec.scenario is None:
            raise ValueError(f"table {spec.name}: the layout datasets needs a scenario")
        return _by_dataset(spec, results)
    raise ValueError(f"table {spec.name}: the layout is scenarios or datasets, not {spec.layout!r}")


def _panel(frame: pd.DataFrame, metric: str, scenario: str) -> pd.DataFrame:
    return frame[(frame["metric"] == metric) & (frame["scenario"] == scenario)]


def _by_scenario(spec: TableSpec, results: Results) -> TableView:
    labels = results.labels
    panels = {scenario: _average_blocks(spec.metric, scenario, results) for scenario in labels.scenarios}
    verdicts = [_verdict(spec.metric, scenario, results) for scenario in labels.scenarios]
    columns = [_average_column(spec.metric, scenario, results, blocks) for scenario, blocks in panels.items()]
    procedure = table_notes.procedure(spec.metric, results, panels)
    return TableView(
        name=spec.name,
        layout=spec.layout,
        metric=spec.metric,
        caption=table_notes.caption(spec.title, results, spec.metric, panels),
        columns=tuple(Column(scenario, "", label, label) for scenario, label in labels.scenarios.items()),
        methods=labels.methods,
        cells={method: tuple(column[method] for column in columns) for method in labels.methods},
        tests=tuple(verdicts),
        procedure=procedure,
        notes=tuple(table_notes.of_averages(procedure, results, panels)),
    )


def _average_blocks(metric: str, scenario: str, results: Results) -> Blocks:
    settings, labels = results.settings, results.labels
    return block_matrix(
        results.scores,
        metric,
        scenario,
        "datasets",
        settings.missing,
        methods=list(labels.methods),
        datasets=list(labels.datasets) if settings.datasets is None else settings.datasets,
        higher_is_better=metric not in settings.lower_is_better,
    )


def _average_column(metric: str, scenario: str, results: Results, blocks: Blocks) -> dict[str, Cell]:
    means, spread = mean_of_blocks(blocks), spread_within(results.scores, blocks)
    datasets = list(blocks.values.index)
    there = _panel(results.scores, metric, scenario).dropna(subset=["value"])
    there = there[there["dataset"].isin(datasets)]
    counts = there.groupby("method")["dataset"].agg(["nunique", "count"])
    marks = table_notes.marks(results, metric, scenario)
    published = _compared(metric, scenario, results, datasets)
    top = means.max() if blocks.higher_is_better else means.min()
    cells = {}
    for method in results.labels.methods:
        if method not in means.index or math.isnan(means[method]):
            cells[method] = Cell(reason=_why_no_average(blocks, method))
            continue
        printed = float(published.get(("", method), math.nan))
        cells[method] = Cell(
            mean=float(means[method]),
            sd=float(spread[method]),
            n_datasets=int(counts.loc[method, "nunique"]),
            n_runs=int(counts.loc[method, "count"]),
            best=bool(means[method] == top),
            mark=marks.get(method, ""),
            published=printed,
            difference=float(means[method]) - printed,
        )
    return cells


def _why_no_average(blocks: Blocks, method: str) -> str:
    own = [note.note for note in blocks.notes if note.method == method]
    return own[0] if own else "no data set has all results"


def _verdict(metric: str, scenario: str, results: Results) -> Verdict:
    own = results.settings.blocks
    rows = _panel(results.stats["omnibus"], metric, scenario)
    rows = rows[(rows["blocks"] == own) & (rows["test"] == "iman_davenport")]
    if len(rows):
        row = rows.iloc[0]
        return Verdict(float(row["statistic"]), int(row["df1"]), int(row["df2"]), float(row["p"]))
    notes = _panel(results.stats["notes"], metric, scenario)
    notes = [note for note in notes.loc[notes["blocks"] == own, "note"] if note.startswith("not tested")]
    return Verdict(reason=notes[0] if notes else "not tested: no scores")


def _by_dataset(spec: TableSpec, results: Results) -> TableView:
    labels, metric, scenario = results.labels, spec.metric, spec.scenario
    there = _panel(results.scores, metric, scenario).dropna(subset=["value"])
    found = there.groupby(["dataset", "method"])["value"].agg(mean=exact_mean, std="std", count="count")
    published = _compared(metric, scenario, results, list(labels.datasets))
    misprints = _misprints(metric, scenario, results)
    cells: dict[str, list[Cell]] = {method: [] for method in labels.methods}
    for dataset in labels.datasets:
        means = found["mean"].reindex([(dataset, method) for method in labels.methods]).dropna()
        top = means.min() if metric in results.settings.lower_is_better else means.max()
        for method in labels.methods:
            key = dataset, method
            printed = float(published.get(key, math.nan))
            if key not in means.index:
                cells[method].append(Cell(published=printed, reason=results.reason(dataset, scenario, method)))
                continue
            mean, best = float(means[key]), bool(means[key] == top)
            cells[method].append(
                Cell(
                    mean=mean,
                    sd=float(found.loc[key, "std"]),
                    n_datasets=1,
                    n_runs=int(found.loc[key, "count"]),
                    best=best,
                    mark=table_notes.BEST if best else "",
                    published=printed,
                    difference=mean - printed,
                    remark=misprints.get(key, ""),
                )
            )
    n_found = sum(dataset in found.index.get_level_values("dataset") for dataset in labels.datasets)
    repeats = int(found["count"].max()) if len(found) else 0
    short = {key: int(n) for key, n in found["count"].items() if n < repeats and key[1] in labels.methods}
    return TableView(
        name=spec.name,
        layout=spec.layout,
        metric=metric,
        caption=table_notes.caption_of_datasets(spec.title, n_found, len(labels.datasets), repeats),
        columns=tuple(Column(scenario, d, code, labels.titles.get(d, d)) for d, code in labels.datasets.items()),
        methods=labels.methods,
        cells={method: tuple(row) for method, row in cells.items()},
        notes=tuple(table_notes.of_datasets(results, short, repeats, there)),
    )


def _compared(metric: str, scenario: str, results: Results, datasets: list[str]) -> Mapping[tuple[str, str], float]:
    """Published value by (data set, method); averages ("") over the very data sets that are averaged here.

    There is none where an average holds data sets that the paper does not have.
    """
    if results.published is None:
        return {}
    printed = _panel(results.published, metric, scenario)
    runs = None if results.author_runs is None else _panel(results.author_runs, metric, scenario)
    scores = _panel(results.scores, metric, scenario)
    scores = scores[scores["dataset"].isin(datasets)]
    cells = compare_cells(scores, printed, runs).set_index(["dataset", "method"])["published"]
    single = printed[printed["dataset"] != ""].set_index(["dataset", "method"])["published"]
    values = single.to_dict() | cells.to_dict()
    papers = set(single.index.get_level_values("dataset")) | (set() if runs is None else set(runs["dataset"]))
    if not set(datasets) <= papers:
        values = {key: value for key, value in values.items() if key[0] != ""}
    return values


def _misprints(metric: str, scenario: str, results: Results) -> Mapping[tuple[str, str], str]:
    if results.published is None:
        return {}
    noted = _panel(results.published, metric, scenario)
    return noted[noted["note"] != ""].set_index(["dataset", "method"])["note"].to_dict()
