"""Tables with a row for each data set: ranks of methods, numbers that methods state of their fits, sizes of the data.

Ranks here are a table's own: of the methods that it compares, on means rounded as it prints them, as papers rank what
they print. (The ranks of ``stats/`` are of all methods of a study and of unrounded means.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from scarce.analysis import tests
from scarce.analysis.ranks import rank_blocks
from scarce.report import table_notes
from scarce.report.results import StudyResults
from scarce.words import MISSING, p_value

NAN = math.nan
RANKS = [
    "scenario", "metric", "dataset", "method", "mean", "sd", "n_runs", "rank", "published", "published_sd",
    "published_rank", "p_adjusted", "significant", "published_significant",
]  # fmt: skip
SIZES = ["dataset", "examples", "features", "positives", "positive_percent", "published_examples",
         "published_features", "published_percent"]  # fmt: skip


@dataclass(frozen=True)
class GridCell:
    """What stands in a cell: ours, the paper's, and what a reader sees when pointing at it."""

    text: str
    published: str = ""
    title: str = ""
    sort: float = NAN
    bold: bool = False


@dataclass(frozen=True)
class GridRow:
    """A row: its label and full name, and a cell for each column."""

    label: str
    title: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class Grid:
    """A table before it takes the form of a file; `frame` holds its numbers, unrounded."""

    name: str
    layout: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    footer: tuple[GridRow, ...]
    notes: tuple[str, ...]
    frame: pd.DataFrame


@dataclass(frozen=True)
class Measure:
    """One number of each (data set, method): means, and their ranks over the data sets that have all of them.

    Attributes
    ----------
    name : str
    found : DataFrame
        Index (dataset, method); columns mean, std, count.
    ranks : DataFrame
        Data sets x methods; 1 is the largest of means rounded to `digits`, or the smallest.
    counted : list of str
        Data sets that average ranks and tests are over.
    printed : Series
        The paper's values by (dataset, method).
    sds : Series
        The paper's standard deviations.
    their_ranks : DataFrame
        The paper's ranks: index (dataset, method), columns rank, significant, corrected, note.
    digits : int
    """

    name: str
    found: pd.DataFrame
    ranks: pd.DataFrame
    counted: list[str]
    printed: pd.Series
    sds: pd.Series
    their_ranks: pd.DataFrame
    digits: int

    @property
    def average(self) -> pd.Series:
        return self.ranks.loc[self.counted].mean(axis=0)

    def their_average(self, method: str, datasets: Iterable[str]) -> float:
        """Mean of the paper's own ranks over data sets; NaN where it ranks not all of them."""
        rows = [(d, method) for d in datasets]
        known = [row for row in rows if row in self.their_ranks.index]
        return self.their_ranks.loc[known, "rank"].mean() if rows and len(known) == len(rows) else NAN


def build_grid(spec: Any, results: StudyResults) -> Grid:
    """Make one table of the layouts "ranks", "facts" and "sizes".

    Parameters
    ----------
    spec : scarce.config.study.Table
    results : StudyResults
    """
    if spec.layout == "sizes":
        return _sizes(spec, results)
    methods = list(spec.methods or results.labels.methods)
    if spec.layout == "ranks":
        scores = results.scores[results.scores["metric"] == spec.metric]
        theirs = _indexed(results.published, "metric", spec.metric, spec.scenario)
        measures = [_measure(spec, results, methods, spec.metric, scores, theirs)]
    else:
        measures = [
            _measure(
                spec, results, methods, fact, results.facts[results.facts["fact"] == fact],
                _indexed(results.printed_facts, "fact", fact, spec.scenario),
            )
            for fact in spec.facts
        ]  # fmt: skip
    return _compared(spec, results, methods, measures)


def _indexed(frame: pd.DataFrame | None, column: str, name: str, scenario: str) -> pd.DataFrame:
    if frame is None:
        return pd.DataFrame(columns=["dataset", "method", "published"]).set_index(["dataset", "method"])
    rows = frame[(frame[column] == name) & (frame["scenario"] == scenario)]
    return rows.set_index(["dataset", "method"])


def _measure(
    spec: Any, results: StudyResults, methods: Sequence[str], name: str, rows: pd.DataFrame, theirs: pd.DataFrame
) -> Measure:
    rows = rows[(rows["scenario"] == spec.scenario) & rows["method"].isin(methods)].dropna(subset=["value"])
    found = rows.groupby(["dataset", "method"])["value"].agg(["mean", "std", "count"])
    index = pd.MultiIndex.from_product([results.labels.datasets, methods], names=found.index.names)
    means = found["mean"].reindex(index).to_numpy().reshape(-1, len(methods))
    means = pd.DataFrame(means, list(results.labels.datasets), list(methods))
    whole = means.dropna().round(spec.digits)
    ranks = rank_blocks(whole, higher_is_better=name not in results.settings.lower_is_better)
    their_ranks = results.printed_ranks
    their_ranks = their_ranks[(their_ranks["table"] == spec.name) & (their_ranks["metric"] == name)]
    return Measure(
        name=name,
        found=found,
        ranks=ranks.reindex(columns=methods),
        counted=[d for d in results.settings.datasets or results.labels.datasets if d in ranks.index],
        printed=theirs["published"].astype(float),
        sds=theirs["published_sd"].astype(float) if "published_sd" in theirs else pd.Series(dtype=float),
        their_ranks=their_ranks.set_index(["dataset", "method"]),
        digits=spec.digits,
    )


def _compared(spec: Any, results: StudyResults, methods: Sequence[str], measures: Sequence[Measure]) -> Grid:
    labels = results.labels
    rows = [
        GridRow(labels.titles.get(d, d), d, tuple(_cell(spec, results, measures, d, method) for method in methods))
        for d in labels.datasets
    ]
    frames, footer, notes = [], [], [_how(spec, measures)]
    for measure in measures:
        compared, said = _tested(spec, results, measure)
        frames += [_frame(spec, measure, methods, labels.datasets), _footer_frame(spec, measure, methods, compared)]
        footer += _footer(spec, results, measure, methods, compared, several=len(measures) > 1)
        notes.append(said)
    notes += _missing(results, measures[0])
    first = measures[0]
    asked = len(results.settings.datasets or labels.datasets)
    repeats = int(first.found["count"].max()) if len(first.found) else 0
    return Grid(
        name=spec.name,
        layout=spec.layout,
        caption=table_notes.caption_of_datasets(spec.title, len(first.counted), asked, repeats),
        columns=("Data set", *(labels.methods[method] for method in methods)),
        rows=tuple(rows),
        footer=tuple(footer),
        notes=tuple(notes),
        frame=pd.concat([frame.astype(object) for frame in frames], ignore_index=True)[RANKS],
    )


def _cell(spec: Any, results: StudyResults, measures: Sequence[Measure], dataset: str, method: str) -> GridCell:
    key = dataset, method
    first = measures[0]
    theirs = _joined(measures, lambda m: m.printed.get(key, NAN), lambda m: m.sds.get(key, NAN), _their(key), spec)
    if any(key not in measure.found.index for measure in measures):
        return GridCell(MISSING, theirs, results.tables.reason(dataset, spec.scenario, method))
    ours = _joined(
        measures,
        lambda m: m.found.loc[key, "mean"],
        lambda m: m.found.loc[key, "std"],
        lambda m: m.ranks[method].get(dataset, NAN),
        spec,
    )
    notes = [measure.their_ranks.loc[key, "note"] for measure in measures if key in measure.their_ranks.index]
    mean, sd, n = first.found.loc[key]
    title = "; ".join(filter(None, [f"{mean:.5f} ± {sd:.5f} ({n:.0f} runs)", *notes]))
    best = (
        first.ranks[method].get(dataset, NAN) == first.ranks.loc[dataset].min() if dataset in first.ranks.index else 0
    )
    sort = float(first.ranks[method].get(dataset, NAN)) if spec.cells == "rank" and spec.layout == "ranks" else mean
    return GridCell(ours, theirs, title, float(sort), bool(best))


def _their(key: tuple[str, str]) -> Callable[[Measure], float]:
    return lambda measure: measure.their_ranks["rank"].get(key, NAN)


def _joined(measures, value, spread, rank, spec: Any) -> str:
    """The text of a cell: ``0.952 ± 0.010 (1.5)``, a bare rank, or ``26, 350 (2.5, 2.5)`` of several measures."""
    values, ranks = [value(m) for m in measures], [rank(m) for m in measures]
    if spec.layout == "ranks" and spec.cells == "rank":
        return "" if math.isnan(ranks[0]) else f"{ranks[0]:g}"
    if any(math.isnan(v) for v in values):
        return ""
    text = ", ".join(f"{v:.{spec.digits}f}" for v in values)
    if spec.layout == "ranks" and not math.isnan(spread(measures[0])):
        text += f" ± {spread(measures[0]):.{spec.digits}f}"
    return text if any(math.isnan(r) for r in ranks) else f"{text} ({', '.join(f'{r:g}' for r in ranks)})"


def _tested(spec: Any, results: StudyResults, measure: Measure) -> tuple[pd.DataFrame | None, str]:
    """Holm's comparisons over the counted data sets, and the tests in words; None and why where there are none."""
    ranks, settings = measure.ranks.loc[measure.counted], results.settings
    n, k = ranks.shape
    name = "" if spec.layout == "ranks" else f"{_words(measure.name)}: "
    if reason := tests.untestable(k, n):
        return None, f"{name}not tested: {reason}."
    compared = tests.holm(
        measure.average,
        n,
        control=spec.control or "best",
        alternative=settings.own.alternative,
        alpha=settings.alpha,
        step_down=settings.own.holm == "step_down",
    )
    friedman, davenport = tests.friedman(ranks), tests.iman_davenport(ranks)
    control = results.labels.methods[compared["control"].iloc[0]]
    return compared, (
        f"{name}Friedman χ² = {friedman.statistic:.2f} ({p_value(friedman.p)}), Iman-Davenport "
        f"F = {davenport.statistic:.2f} ({p_value(davenport.p)}) over {n} data sets; ✓: differs from {control} by "
        f"Holm's procedure, {settings.own.alternative}, at {settings.alpha:g}."
    )


def _words(name: str) -> str:
    return name.replace("_", " ").replace(" percent", " (%)").capitalize()


def _how(spec: Any, measures: Sequence[Measure]) -> str:
    if spec.layout == "facts":
        names = ", ".join(_words(measure.name) for measure in measures)
        return f"In a cell: {names}, means over runs, and in parentheses their ranks; the largest mean has rank 1."
    what = "Ranks" if spec.cells == "rank" else "Mean ± standard deviation over runs (rank)"
    return f"{what}; 1 is best. Means that are equal to {spec.digits} decimals share a rank. Bold: best of the row."


def _footer(
    spec: Any, results: StudyResults, measure: Measure, methods: Sequence[str], compared, *, several: bool
) -> list[GridRow]:
    which = f"{_words(measure.name)}: " if several else ""
    average = measure.average if measure.counted else pd.Series(NAN, index=methods)
    same = GridRow(
        f"{which}average rank",
        f"over {len(measure.counted)} data sets, in the paper as well",
        tuple(
            GridCell(_two(average[m]), _two(measure.their_average(m, measure.counted)), sort=float(average[m]))
            for m in methods
        ),
    )
    rows = [same]
    whole = {m: measure.their_ranks.loc[("", m)] for m in methods if ("", m) in measure.their_ranks.index}
    if whole:
        cells = [
            GridCell("", _two(float(whole[m]["rank"])), str(whole[m]["note"])) if m in whole else GridCell("")
            for m in methods
        ]
        rows.append(GridRow(f"{which}average rank, as printed", "over all data sets of the paper", tuple(cells)))
    if compared is not None:
        marks = compared.set_index("method")["significant"]
        cells = [
            GridCell("control" if m not in marks.index else "✓" if marks[m] else "no", _mark(whole.get(m)))
            for m in methods
        ]
        rows.append(GridRow(f"{which}differs from the control", "Holm's procedure", tuple(cells)))
    return rows


def _mark(row: pd.Series | None) -> str:
    return {"yes": "✓", "no": "no"}.get("" if row is None else row["significant"], "")


def _two(value: float) -> str:
    return MISSING if math.isnan(value) else f"{value:.2f}"


def _frame(spec: Any, measure: Measure, methods: Sequence[str], datasets: Mapping[str, str]) -> pd.DataFrame:
    rows = []
    for dataset in datasets:
        for method in methods:
            key = dataset, method
            mean, sd, n = measure.found.loc[key] if key in measure.found.index else (NAN, NAN, 0)
            rank = measure.ranks[method].get(dataset, NAN)
            theirs = (measure.printed.get(key, NAN), measure.sds.get(key, NAN), _their(key)(measure))
            rows.append(
                (spec.scenario, measure.name, dataset, method, mean, sd, int(n), rank, *theirs, NAN, None, None)
            )
    return pd.DataFrame(rows, columns=RANKS)


def _footer_frame(spec: Any, measure: Measure, methods: Sequence[str], compared) -> pd.DataFrame:
    holm = None if compared is None else compared.set_index("method")
    rows = []
    for method in methods:
        theirs = measure.their_ranks.loc[("", method)] if ("", method) in measure.their_ranks.index else None
        there = holm is not None and method in holm.index
        average = measure.average[method] if measure.counted else NAN
        printed = (NAN, NAN, NAN if theirs is None else float(theirs["rank"]))
        p, significant = (
            (holm.loc[method, "p_adjusted"], bool(holm.loc[method, "significant"])) if there else (NAN, None)
        )
        marked = {"yes": True, "no": False}.get("" if theirs is None else theirs["significant"])
        rows.append((spec.scenario, measure.name, "", method, NAN, NAN, 0, average, *printed, p, significant, marked))
    return pd.DataFrame(rows, columns=RANKS)


def _missing(results: StudyResults, measure: Measure) -> list[str]:
    labels, there = results.labels, set(measure.found.index.get_level_values("dataset"))
    gone = [labels.titles.get(d, d) for d in labels.datasets if d not in there]
    part = [labels.titles.get(d, d) for d in labels.datasets if d in there and d not in measure.ranks.index]
    apart = [labels.titles.get(d, d) for d in measure.ranks.index if d not in measure.counted]
    said = [(gone, "No results for"), (part, "Not ranked, since a method lacks results:")]
    said.append((apart, "Stand-ins, in no average rank and no test:"))
    return [f"{text} {', '.join(names)}." for names, text in said if names]


def _sizes(spec: Any, results: StudyResults) -> Grid:
    """Rows, features and share of positives of the data sets, beside what the paper prints."""
    theirs = results.printed_sizes.set_index("dataset")
    rows, numbers = [], []
    for dataset, title in ((d, results.labels.titles.get(d, d)) for d in results.labels.datasets):
        n, d, positives = results.sizes.get(dataset, (NAN, NAN, NAN))
        percent = 100 * positives / n
        printed = theirs.loc[dataset] if dataset in theirs.index else {}
        ours = (n, d, percent)
        their = tuple(float(printed.get(name, NAN)) for name in ("examples", "features", "minority_percent"))
        note = str(printed.get("note", "") or "")
        reason = results.unavailable.get(dataset, "")
        texts = [(MISSING if math.isnan(v) else f"{v:.{digits}f}") for v, digits in zip(ours, (0, 0, 1), strict=True)]
        cells = (
            GridCell(text, "" if math.isnan(t) else f"{t:g}", note or reason, float(v))
            for text, t, v in zip(texts, their, ours, strict=True)
        )
        rows.append(GridRow(title, dataset, tuple(cells)))
        numbers.append((dataset, n, d, positives, percent, *their))
    found = [d for d in results.settings.datasets or results.labels.datasets if d in results.sizes]
    asked = len(results.settings.datasets or results.labels.datasets)
    notes = [
        f"{results.labels.titles.get(d, d)}: {theirs.loc[d, 'note']}." for d in theirs.index if theirs.loc[d, "note"]
    ]
    notes += [f"{results.labels.titles.get(d, d)}: {reason}." for d, reason in results.unavailable.items()]
    return Grid(
        name=spec.name,
        layout=spec.layout,
        caption=table_notes.caption_of_datasets(spec.title, len(found), asked, 0),
        columns=("Data set", "Examples", "Features", "Minority (%)"),
        rows=tuple(rows),
        footer=(),
        notes=tuple(notes),
        frame=pd.DataFrame(numbers, columns=SIZES),
    )
