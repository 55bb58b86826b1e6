"""Layouts with a row for each data set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scarce.analysis.rows import matching
from scarce.report.layouts.base import layout, tidy_frame
from scarce.report.tables import BOLD, Cell, Column, Row, Table
from scarce.words import MISSING, number, p_value

if TYPE_CHECKING:
    import pandas as pd

    from scarce.report.results import StudyResults

RANKS = [
    "scenario", "metric", "dataset", "method", "mean", "sd", "n_runs", "rank", "published", "published_sd",
    "published_rank", "p_adjusted", "significant", "published_significant", "exploratory",
]  # fmt: skip
SIZES = ["dataset", "examples", "features", "positives", "positive_percent", "published_examples",
         "published_features", "published_percent"]  # fmt: skip


@layout("metric", "scenario", ranks=True)
def ranks(spec: Any, results: StudyResults) -> Table:
    """A row a data set: values of the methods that the table compares, and their ranks."""
    what = "Ranks" if spec.cells == "rank" else "Mean ± standard deviation over runs (rank)"
    reading = f"{what}; 1 is best. {_ranked_how(spec)}"
    return _compared(spec, results, [spec.metric], reading, ((BOLD, "best of the row"),))


@layout("facts", "scenario", ranks=True)
def facts(spec: Any, results: StudyResults) -> Table:
    """A row a data set: numbers that methods state of their fits, and their ranks."""
    listed = ", ".join(map(_words, spec.facts))
    reading = f"In a cell: {listed}, means over runs, and in parentheses their ranks; the largest mean has rank 1. "
    reading += _ranked_how(spec)
    return _compared(spec, results, spec.facts, reading, ())


def _ranked_how(spec: Any) -> str:
    if spec.rank_digits is None:
        return "Means are ranked before rounding."
    return f"Means that are equal to {number(spec.rank_digits, 'decimal')} share a rank."


def _compared(
    spec: Any, results: StudyResults, measures: Sequence[str], reading: str, marks: tuple[tuple[str, str], ...]
) -> Table:
    from scarce.report import table_notes

    names, having = results.names, results.settings.among
    methods = list(spec.methods or names.methods)
    datasets, asked = having(names.datasets, spec.scenario), having(results.counted_names, spec.scenario)
    frame = matching(results.stats("table_ranks"), table=spec.name)
    by_measure = [matching(frame, metric=name).set_index(["dataset", "method"]) for name in measures]
    rows = [
        Row(names.titles.get(d, d), tuple(_ranked(spec, results, by_measure, d, m) for m in methods), d)
        for d in datasets
    ]
    first = by_measure[0].drop("", level="dataset")
    ranked = set(first.index[first["rank"].notna()].get_level_values("dataset"))
    present = set(first.index[first["n_runs"] > 0].get_level_values("dataset"))
    counted = [d for d in asked if d in ranked]
    footer, notes = [], []
    for name, numbers in zip(measures, by_measure, strict=True):
        which = f"{_words(name)}: " if len(measures) > 1 else ""
        footer += _footer(which, numbers.loc[""], methods, len(counted))
        notes.append(_tests(name if spec.layout == "facts" else "", spec.name, name, results))
    notes += table_notes.notes_of_ranks(results, datasets, present, ranked, counted)
    repeats = int(first["n_runs"].max()) if len(first) else 0
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, [len(counted)], [len(asked)], repeats),
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
    by_method = [numbers.loc[method] for method in methods]
    averages = [
        Cell(_two(n["rank"]), published=_two(n["published_rank_here"]), sort=float(n["rank"])) for n in by_method
    ]
    rows = [Row(f"{which}average rank", tuple(averages), f"over {n_counted} data sets, in the paper as well")]
    if numbers["published_rank"].notna().any():
        printed = [
            Cell("") if math.isnan(n["published_rank"]) else Cell("", "", "", _two(n["published_rank"]), n["note"])
            for n in by_method
        ]
        rows.append(Row(f"{which}average rank, as printed", tuple(printed), "over all data sets of the paper"))
    if numbers["p_adjusted"].notna().any():
        differs = [Cell(_outcome(n), published=_mark(n["published_significant"])) for n in by_method]
        rows.append(Row(f"{which}differs from the control", tuple(differs), "Holm's procedure"))
    return rows


def _mark(significant: Any) -> str:
    """A truth value as a mark; empty where it is missing."""
    return {"true": "✓", "false": "no"}.get(str(significant).lower(), "")


def _outcome(numbers: Any) -> str:
    """What Holm's procedure says of a method; withheld where the omnibus test keeps its hypothesis."""
    withheld = MISSING if str(numbers["exploratory"]).lower() == "true" else ""
    return withheld or _mark(numbers["significant"]) or "control"


def _two(value: Any) -> str:
    return MISSING if math.isnan(value) else f"{value:.2f}"


def _words(name: str) -> str:
    return name.replace("_", " ").replace(" percent", " (%)").capitalize()


def _tests(prefix: str, table: str, measure: str, results: StudyResults) -> str:
    """The tests of a table's ranks in words, or why there are none."""
    from scarce.analysis.statistics import omnibus_tests  # brings pandas, and checks of studies read this module

    rows = matching(results.stats("table_tests"), table=table, metric=measure).set_index("test")
    start = f"{_words(prefix)}: " if prefix else ""
    if "friedman" not in rows.index:
        return f"{start}not tested: {rows['note'].iloc[0]}."
    friedman, alpha, own = rows.loc["friedman"], results.settings.alpha, results.settings.own
    (davenport,) = omnibus_tests(rows.reset_index())
    statistic = "∞" if math.isinf(davenport.statistic) else f"{davenport.statistic:.2f}"
    exact = "" if davenport.p_exact is None else f"; exact {p_value(davenport.p_exact)}"
    rounded = f", {friedman['note']}" if friedman["note"] else ""
    withheld = f"{davenport.words(alpha)}, so no method is called different from"
    return (
        f"{start}Friedman χ² = {friedman['statistic']:.2f} ({p_value(friedman['p'])}), Iman-Davenport "
        f"F = {statistic} ({p_value(davenport.p)}), both approximate{exact}, over {friedman['n']} data sets{rounded}; "
        f"{withheld if davenport.keeps(alpha) else '✓: differs from'} {results.names.methods[friedman['control']]} "
        f"by Holm's procedure, {own.alternative}, at {alpha:g}."
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
        paper = printed.loc[dataset] if dataset in printed.index else {}
        published = tuple(float(paper.get(name, math.nan)) for name in ("examples", "features", "minority_percent"))
        tooltip = str(paper.get("note", "") or results.unavailable.get(dataset, ""))
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
    share = "Positives (%)" if results.truth_known else "Labeled (%)"
    notes = {d: printed.loc[d, "note"] for d in printed.index if printed.loc[d, "note"]}
    present = [d for d in results.counted_names if d in results.sizes]
    return Table(
        name=spec.name,
        caption=table_notes.caption(spec.title, [len(present)], [len(results.counted_names)], None),
        columns=(Column("Data set", kind="name"), Column("Examples"), Column("Features"), Column(share)),
        rows=tuple(rows),
        notes=tuple(f"{names.titles.get(d, d)}: {text}." for d, text in [*notes.items(), *results.unavailable.items()]),
        frame=tidy_frame(numbers, SIZES),
    )
