"""What single runs said, cost and decided by, as tables by method."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from scarce.report.summary import MANY
from scarce.report.tables import Cell, Column, Row, Table
from scarce.words import percent

if TYPE_CHECKING:
    from scarce.report.results import StudyResults

KINDS = 200  # kinds of messages that are listed
VALIDATION = "validation: "  # of a fit without the validation rows
DEFAULT = 0.5
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")


def messages(results: StudyResults) -> Table | None:
    """What runs said, by method, the most frequent first; None where no run said anything.

    Messages that differ in numbers alone are of one kind, and a number that differs stands as #.
    """
    runs = results.runs
    said = runs.dropna(subset=["message"])
    texts: dict[tuple[str, str], set[str]] = {}
    counts: dict[tuple[str, str], Counter] = {}
    for row in said.itertuples():
        parts = {(validation, _NUMBER.sub("#", text)): text for validation, text in _parts(row.message)}
        for (validation, kind), text in parts.items():  # a run counts once, however often it said something
            texts.setdefault((row.method, kind), set()).add(text)
            counts.setdefault((row.method, kind), Counter())[validation] += 1
    of_method, order = runs["method"].value_counts(), list(results.names.methods)
    kinds = sorted(counts, key=lambda kind: (-sum(counts[kind].values()), order.index(kind[0]), kind[1]))
    rows = []
    for method, text in kinds[:KINDS]:
        numbers = (counts[method, text][False], counts[method, text][True], int(of_method[method]))
        exact = texts[method, text]
        cells = (Cell(next(iter(exact)) if len(exact) == 1 else text), *(Cell(str(n), sort=n) for n in numbers))
        rows.append(Row(results.names.of("method", method), cells))
    kinds_of = (Column("Method", kind="name"), Column("Message", kind="text"))
    heads = (Column("Runs"), Column("Runs, fit for validation"), Column("Runs of the method"))
    return Table("messages", "", (*kinds_of, *heads), tuple(rows)) if rows else None


def _parts(message: str) -> Iterator[tuple[bool, str]]:
    """The parts of a message: whether the fit without the validation rows said it, and the text."""
    for part in " ".join(message.split()).split("; "):
        if part != "...":
            yield part.startswith(VALIDATION), part.removeprefix(VALIDATION)


def costs(results: StudyResults) -> Table | None:
    """Time and memory by method, over its runs that have a fit; None without any."""
    if not {"fit_seconds", "peak_memory_mb"} <= set(results.runs.columns):
        return None
    runs = results.runs.dropna(subset=["fit_seconds"])
    rows = []
    for method in results.methods:
        own = runs[runs["method"] == method.name]
        if own.empty:
            continue
        low, middle, high = own["fit_seconds"].quantile([0.25, 0.5, 0.75])
        total, memory = own["fit_seconds"].sum(), own["peak_memory_mb"]
        rows.append(
            Row(
                method.label,
                (
                    Cell(_seconds(middle), f"{_seconds(low)} to {_seconds(high)}", sort=middle),
                    Cell(_seconds(total), sort=total),
                    *(Cell(f"{value:.0f}", sort=value) for value in (memory.median(), memory.max())),
                    Cell(str(len(own)), sort=len(own)),
                ),
            )
        )
    columns = ("Fit, s", "All fits, s", "Memory, MB", "Largest memory, MB", "Runs")
    reading = (
        "Wall seconds of the fit on all training rows: median, quartiles, and the sum over runs. Memory is the peak of "
        "the process that ran the repeat: median and largest. Both depend on the machine."
    )
    heads = (Column("Method", kind="name"), *map(Column, columns))
    return Table("costs", "", heads, tuple(rows), reading=reading) if rows else None


def _seconds(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def thresholds(results: StudyResults, rules: Mapping[str, str]) -> list[tuple[str, Table]]:
    """A table for each scenario: F1 under each rule, and the thresholds that it chose.

    `rules` maps metrics to what chooses the threshold. No table where no rule has values, or with more than `MANY`
    scenarios.
    """
    scores = results.scores[results.scores["dataset"].isin(results.counted)].dropna(subset=["value"])
    present = [metric for metric in rules if (scores["metric"] == metric).any()]
    if not present or len(results.names.scenarios) > MANY:
        return []
    metrics = [*present, *map(_threshold, present)]
    scores = scores[scores["metric"].isin(metrics)]
    tables = []
    for scenario, label in results.names.scenarios.items():
        cells = scores[scores["scenario"] == scenario].groupby(["metric", "method"])
        groups = {key: rows for key, rows in cells}
        rows = [
            Row(method.label, tuple(_rule(groups, metric, method.name) for metric in present))
            for method in results.methods
            if any((metric, method.name) in groups for metric in present)
        ]
        heads = (Column(f"{results.metric_label(metric)}, %", rules[metric]) for metric in present)
        reading = (
            "F1, mean over data sets (repeats averaged first); then the threshold: median, and in brackets the "
            "smallest and the largest, over repeats of all data sets."
        )
        table = Table(
            f"thresholds_{scenario}", "", (Column("Method", kind="name"), *heads), tuple(rows), reading=reading
        )
        tables += [(label, table)] if rows else []
    return tables


def _threshold(metric: str) -> str:
    return metric.replace("f1", "threshold")


def _rule(groups: Mapping[tuple[str, str], pd.DataFrame], metric: str, method: str) -> Cell:
    if (metric, method) not in groups:
        return Cell(sort=float("nan"))
    f1 = groups[metric, method].groupby("dataset")["value"].mean().mean()
    if metric == "f1_default":
        return Cell(percent(f1), f"at {DEFAULT:g}", sort=f1)
    if (_threshold(metric), method) not in groups:
        return Cell(percent(f1), sort=f1)
    chosen = groups[_threshold(metric), method]["value"]
    return Cell(percent(f1), f"at {chosen.median():.3g} [{chosen.min():.3g}, {chosen.max():.3g}]", sort=f1)
