"""Tables of the paper: samples as rows, the two readings of F, the sizes of the samples, and the tests over samples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scarce.report.layouts.base import layout, tidy_frame
from scarce.report.tables import BOLD, Cell, Column, Row, Table
from scarce.words import MISSING, p_value

if TYPE_CHECKING:
    import pandas as pd

    from scarce.papers.ienco2016.samples import Comparison
    from scarce.report.results import StudyResults

SAMPLES = ["dataset", "scenario", "metric", "method", "mean", "published"]
DISTANCES = ["dataset", "metric", "method", "mean", "published", "difference", "mean_absolute_difference"]
SIZES = ["dataset", "scenario", "quantity", "smallest", "largest", "published"]
TESTS = [
    "values", "metric", "k", "blocks", "n_methods", "n", "friedman", "printed_friedman", "p", "iman_davenport",
    "critical_difference", "critical_difference_df48", "pulce_rank", "best_other", "best_other_rank", "significant",
]  # fmt: skip


@layout("metric", ranks=True)
def samples(spec: Any, results: StudyResults) -> Table:
    """A row a sample (data set and scenario), a column a method; under them wins, mean and average rank."""
    from scarce.papers.ienco2016.samples import compare, wide
    from scarce.report import table_notes

    methods = list(spec.methods or results.names.methods)
    run = [name for name in methods if name not in results.published_only]
    columns = {"mean": run, "published": methods}
    frames = {name: _cells(results, spec.metric, asked, name) for name, asked in columns.items()}
    own, paper = frames["mean"], frames["published"]
    printed = [name for name in methods if paper[name].notna().any()]
    rows, numbers = [], []
    for dataset in results.present:
        for scenario, label in results.names.scenarios.items():
            key = dataset, scenario
            best = _as_ranked(own.loc[key], spec).max()
            cells = []
            for name in methods:
                value = own.loc[key].get(name, math.nan)
                numbers.append((*key, spec.metric, name, value, paper.loc[key][name]))
                top = _as_ranked(own.loc[key], spec).get(name, math.nan) == best
                cells.append(_cell(value, paper.loc[key][name], spec.digits, top, published_only=name not in run))
            rows.append(Row(f"{results.names.titles.get(dataset, dataset)}, {label.split(' of ')[0]}", tuple(cells)))
    counted = results.counted
    ours = compare(wide(results.stats("means"), spec.metric, run, datasets=counted), digits=spec.rank_digits)
    theirs = compare(wide(results.stats("means"), spec.metric, printed, "published", counted), digits=spec.rank_digits)
    footer = [
        _foot("wins", methods, ours.wins, theirs.wins, 0, "samples in which no method is better"),
        _foot("mean F", methods, ours.values.mean(axis=0), theirs.values.mean(axis=0), 2, "over these samples"),
        _foot("average rank", methods, ours.average, theirs.average, 2, "1 is best"),
        *_printed(methods),
    ]
    notes = [_tested("Here", ours), _tested("Published numbers of these samples", theirs)]
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, [len(counted)], [len(results.counted_names)], None),
        columns=(
            Column("Sample: data set, positives labeled", kind="name"),
            *(Column(results.names.methods[name] + (" (published)" if name not in run else "")) for name in methods),
        ),
        rows=tuple(rows),
        footer=tuple(footer),
        reading=f"Mean {results.metric_label(spec.metric)} over folds; wins and ranks are of values "
        + ("before rounding." if spec.rank_digits is None else f"rounded to {spec.rank_digits} decimals."),
        marks=((BOLD, "best of the methods that are run here"),),
        notes=tuple(filter(None, notes)),
        frame=tidy_frame(numbers, SAMPLES),
    )


def _cells(results: StudyResults, metric: str, methods: list[str], column: str) -> pd.DataFrame:
    """Samples x methods, missing where there is no number."""
    import pandas as pd

    from scarce.papers.ienco2016.samples import with_gaps

    keys = pd.MultiIndex.from_product([results.present, list(results.names.scenarios)])
    return with_gaps(results.stats("means"), metric, methods, column).reindex(keys)


def _as_ranked(values: pd.Series, spec: Any) -> pd.Series:
    return values if spec.rank_digits is None else values.round(spec.rank_digits)


def _cell(value: float, published: float, digits: int, best: bool, *, published_only: bool) -> Cell:
    printed = "" if math.isnan(published) else f"{published:.{digits}f}"
    if published_only:
        return Cell(printed or MISSING, tooltip="published, not run here", sort=float(published))
    if math.isnan(value):
        return Cell(published=printed, tooltip="no results", sort=math.nan)
    emphasis = BOLD if best else ""
    return Cell(f"{value:.{digits}f}", "", emphasis, printed, f"{value:.5f}", float(value))


def _foot(label: str, methods: list[str], own: pd.Series, paper: pd.Series, digits: int, tooltip: str) -> Row:
    def text(values: pd.Series, name: str) -> str:
        value = values.get(name, math.nan)
        return "" if math.isnan(value) else f"{value:.{digits}f}"

    cells = [Cell(text(own, name) or MISSING, published=text(paper, name)) for name in methods]
    return Row(label, tuple(cells), tooltip)


def _printed(methods: list[str]) -> list[Row]:
    """What stands under the paper's table of these methods."""
    from scarce.papers.ienco2016.reference import summary

    lines = summary()
    ks = [k for k, rows in lines[lines["method"] != ""].groupby("k") if set(rows["method"]) <= set(methods)]
    rows = []
    for statistic, digits in (("wins", 0), ("mean", 2), ("average_rank", 2)) if ks else ():
        numbers = lines[(lines["k"] == ks[0]) & (lines["statistic"] == statistic)].set_index("method")["value"]
        cells = [Cell("", published=f"{numbers[m]:.{digits}f}" if m in numbers else "") for m in methods]
        rows.append(Row(f"{statistic.replace('_', ' ')}, as printed", tuple(cells), "over all 48 samples of the paper"))
    return rows


def _tested(who: str, comparison: Comparison) -> str:
    if comparison.untestable:
        return ""
    friedman, davenport = comparison.friedman, comparison.iman_davenport
    return (
        f"{who}: Friedman χ² = {friedman.statistic:.4f} ({p_value(friedman.p)}), Iman-Davenport "
        f"F = {davenport.statistic:.2f} ({p_value(davenport.p)}), both approximate, for {comparison.ranks.shape[1]} "
        f"methods over {comparison.n} samples, which are not independent{comparison.rounded_words}; Nemenyi's critical "
        f"difference {comparison.critical_difference():.4f}."
    )


@layout()
def distances(spec: Any, results: StudyResults) -> Table:
    """A row a data set: a method's means over the scenarios by each reading of F, and the distance to the paper's."""
    from scarce.papers.ienco2016.reference import READINGS
    from scarce.papers.ienco2016.samples import wide
    from scarce.report import table_notes

    (method,) = spec.methods
    means = results.stats("means")
    paper = wide(means, READINGS[0], [method], "published")[method]
    readings = {}
    for metric in READINGS:
        rows = wide(means, metric, [method])[method].rename("mean").to_frame().join(paper.rename("published"))
        rows = rows.dropna().assign(difference=lambda r: r["mean"] - r["published"])
        rows["mean_absolute_difference"] = rows["difference"].abs()
        readings[metric] = rows
    by_dataset = {metric: rows.groupby(level="dataset").mean() for metric, rows in readings.items()}
    heads, numbers, lines = [Column("Data set", kind="name"), Column("published")], [], []
    for metric in READINGS:
        label = results.metric_label(metric)
        heads += [Column(label), Column("difference", label), Column("mean |difference|", label)]
    for dataset in results.present:
        if any(dataset not in rows.index for rows in by_dataset.values()):
            continue
        cells = [_three(by_dataset[READINGS[0]].loc[dataset]["published"])]
        for metric, rows in by_dataset.items():
            row = rows.loc[dataset]
            cells += [_three(row[name]) for name in ("mean", "difference", "mean_absolute_difference")]
            numbers.append((dataset, metric, method, *(row[name] for name in DISTANCES[3:])))
        lines.append(Row(results.names.titles.get(dataset, dataset), tuple(cells)))
    overall = [_three(readings[READINGS[0]]["published"].mean())]
    for rows in readings.values():
        overall += [_three(rows[name].mean()) for name in ("mean", "difference", "mean_absolute_difference")]
    correlations = [Cell("")]
    for rows in by_dataset.values():
        correlations += [
            Cell(""),
            Cell(""),
            _three(rows["mean"].corr(rows["published"]) if len(rows) > 2 else math.nan),
        ]
    footer = (
        Row("mean", tuple(overall), "over all samples"),
        Row("correlation with the published F over data sets", tuple(correlations), "Pearson"),
    )
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, [len(lines)], [len(results.counted_names)], None),
        columns=tuple(heads),
        rows=tuple(lines),
        footer=footer,
        reading=f"{results.names.methods[method]}: means over folds and over the shares of labeled positives.",
        frame=tidy_frame(numbers, DISTANCES),
    )


def _three(value: float) -> Cell:
    text = MISSING if math.isnan(value) else f"{value:.3f}".replace("-", "−")
    return Cell(text, sort=float(value))


@layout()
def fold_sizes(spec: Any, results: StudyResults) -> Table:
    """A row a sample: attributes, and labeled, unlabeled and test rows of a fold, beside the paper's."""
    from scarce.papers.ienco2016.reference import fold_sizes
    from scarce.report import table_notes

    paper = fold_sizes().set_index(["dataset", "scenario"])
    quantities = ("n_labeled", "n_unlabeled", "n_test")
    runs = results.runs.dropna(subset=["n_train", "n_labeled"])
    folds = runs.drop_duplicates(["dataset", "scenario", "repeat"])
    folds = folds.assign(
        n_unlabeled=folds["n_train"] - folds["n_labeled"],
        n_test=folds["dataset"].map({name: size[0] for name, size in results.sizes.items()}) - folds["n_train"],
    )
    extremes = folds.groupby(["dataset", "scenario"])[list(quantities)].agg(["min", "max"])
    rows, numbers = [], []
    for dataset in results.present:
        for scenario, label in results.names.scenarios.items():
            key = dataset, scenario
            if key not in extremes.index:
                continue
            printed = paper.loc[key] if key in paper.index else {}
            features = results.sizes[dataset][1]
            cells = [Cell(f"{features}", published=_whole(printed, "features"), sort=float(features))]
            for name in quantities:
                low, high = (int(extremes.loc[key][name, end]) for end in ("min", "max"))
                text = f"{low}" if low == high else f"{low} to {high}"
                cells.append(Cell(text, published=_whole(printed, name), sort=float(low)))
                numbers.append((*key, name, low, high, float(printed[name]) if len(printed) else math.nan))
            rows.append(Row(f"{results.names.titles.get(dataset, dataset)}, {label.split(' of ')[0]}", tuple(cells)))
    heads = ("Attributes", "Labeled", "Unlabeled", "Test")
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, [len(results.counted)], [len(results.counted_names)], None),
        columns=(Column("Sample: data set, positives labeled", kind="name"), *map(Column, heads)),
        rows=tuple(rows),
        reading="Rows of a fold, from the smallest to the largest fold.",
        notes=(
            "For credit-a, iris, madelon and spambase the printed numbers of labeled rows are shares of all positives, "
            "for the other data sets of the positives of the training rows, as here.",
        ),
        frame=tidy_frame(numbers, SIZES),
    )


def _whole(printed: Any, name: str) -> str:
    return f"{int(printed[name])}" if len(printed) else ""


@layout(ranks=True)
def sample_tests(spec: Any, results: StudyResults) -> Table:
    """Friedman's and Nemenyi's tests by k of Pulce: the published column and ours, over samples and over data sets."""
    from scarce.papers.ienco2016.reference import READINGS, summary
    from scarce.papers.ienco2016.samples import BLOCKS, compare, wide
    from scarce.papers.ienco2016.variants import BAYES, TABLE_KS, pulce

    printed = summary()
    printed = printed[printed["statistic"] == "friedman"].set_index("k")["value"]
    means = results.stats("means")
    sources = [
        ("published, with LUHC", READINGS[0], "published", ["luhc"], None),
        ("published, without LUHC", READINGS[0], "published", [], None),
        *((f"here, {results.metric_label(metric)}", metric, "mean", [], results.counted) for metric in READINGS),
    ]
    rows, numbers = [], []
    for label, metric, column, more, datasets in sources:
        for k in TABLE_KS:
            values = wide(means, metric, [*BAYES, *more, pulce(k)], column, datasets)
            for blocks, word in BLOCKS.items():
                comparison = compare(values, blocks, spec.rank_digits)
                if comparison.untestable:
                    continue
                as_printed = printed[k] if more and blocks == "samples" else math.nan
                cells, values_of_row = _test_cells(comparison, pulce(k), as_printed, results)
                rows.append(Row(f"{label}, k = {k}, {comparison.n} {word}", cells))
                numbers.append((label, metric, k, blocks, *values_of_row))
    heads = (
        "Methods", "Friedman χ²", "p", "Iman-Davenport F", "CD", "CD, df = 48", "Rank of Pulce", "Best other",
        "Pulce significantly better than", "significantly worse than",
    )  # fmt: skip
    return Table(
        name=spec.name,
        caption=f"{spec.title}.",
        columns=(Column("Values, blocks", kind="name"), *(Column(head) for head in heads)),
        rows=tuple(rows),
        reading="Ranks"
        + ("" if spec.rank_digits is None else f" of values rounded to {spec.rank_digits} decimals")
        + ", no correction for ties; p is approximate. CD: Nemenyi's critical difference at 0.05, and with the "
        "quantile for 48 degrees of freedom, as the paper has it (1.1333). Where Friedman's test is not significant, "
        "no pair is told apart.",
        notes=("Samples of a data set share its rows, so tests over samples overstate the evidence.",),
        frame=tidy_frame(numbers, TESTS),
    )


def _test_cells(
    comparison: Comparison, pulce: str, printed: float, results: StudyResults
) -> tuple[tuple[Cell, ...], tuple]:
    friedman, davenport, average = comparison.friedman, comparison.iman_davenport, comparison.average
    cd, cd48 = comparison.critical_difference(), comparison.critical_difference(df=48)
    gaps = average.drop(pulce) - average[pulce]
    other = average.drop(pulce).idxmin()
    labels = results.names.methods
    better, worse = (", ".join(labels[name] for name in names) for names in comparison.apart(pulce))
    n_methods = comparison.ranks.shape[1]
    cells = (
        Cell(str(n_methods)),
        Cell(f"{friedman.statistic:.4f}", published="" if math.isnan(printed) else f"{printed:.4f}"),
        Cell(p_value(friedman.p).removeprefix("p ").removeprefix("= ")),
        Cell(f"{davenport.statistic:.2f}"),
        Cell(f"{cd:.4f}"),
        Cell(f"{cd48:.4f}"),
        Cell(f"{average[pulce]:.2f}"),
        Cell(f"{labels[other]} {average[other]:.2f}"),
        Cell(better or "none"),
        Cell(worse or "none"),
    )
    numbers = (
        n_methods, comparison.n, friedman.statistic, printed, friedman.p, davenport.statistic, cd, cd48, average[pulce],
        other, average[other], len(comparison.apart(pulce)[0]) == len(gaps),
    )  # fmt: skip
    return cells, numbers
