"""The layout with a row for each way to choose among methods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scarce.analysis.rows import matching
from scarce.report.layouts.base import layout
from scarce.report.tables import BOLD, Cell, Column, Row, Table, sentence
from scarce.words import number, percent

if TYPE_CHECKING:
    import pandas as pd

    from scarce.report.results import StudyResults


@layout("metric")
def selection(spec: Any, results: StudyResults) -> Table:
    """A row a way to choose, a column a group of candidates and rarity of positives: regrets, means over scenarios."""
    rows = results.panel("selection", spec.metric, "")
    averages, asked = matching(rows, dataset=""), results.settings.selection
    columns, cells = [Column("Chosen by", kind="name")], {way: [] for way in averages["by"].unique()}
    for (group, rarity), column in averages.groupby(["candidates", "rarity"], sort=False):
        least = column["regret"].min()
        size = number(int(column["n_datasets"].max()), "data set")
        columns.append(Column(f"{group}: {results.rarity_words(rarity)}", size))
        for row in column.itertuples():
            cells[row.by].append(_cell(row, least))
    one = matching(averages, rarity="all", candidates=next(iter(asked.candidates), ""))
    return Table(
        name=spec.name,
        caption=sentence(spec.title),
        columns=tuple(columns),
        rows=tuple(Row(results.way_label(way), tuple(of_way)) for way, of_way in cells.items()),
        reading=(
            f"{results.metric_label(spec.metric)} on test rows that is lost against choosing by the true labels of the "
            "validation rows: mean over data sets and scenarios, in percent, with its "
            f"{100 * (1 - results.settings.alpha):g} % interval (Student's t over data sets; repeats averaged first)."
        ),
        marks=((BOLD, "smallest mean of the column"),),
        notes=(_groups(results), *_counts(one, averages, results)),
        frame=rows,
    )


def _cell(row: Any, least: float) -> Cell:
    if math.isnan(row.regret):
        return Cell(tooltip="nothing was chosen", sort=row.regret)
    interval = "" if math.isnan(row.low) else f"[{percent(row.low, sign=True)}, {percent(row.high, sign=True)}]"
    about = (
        f"{number(row.n_datasets, 'data set')}, {number(row.n_runs, 'run')}; {percent(row.regret_to_best, sign=True)} "
        "against the best candidate on the test rows"
    )
    return Cell(percent(row.regret), interval, BOLD if row.regret == least else "", tooltip=about, sort=row.regret)


def _groups(results: StudyResults) -> str:
    labels = results.names.methods
    groups = results.settings.selection.candidates.items()
    return " ".join(f"{group}: {', '.join(labels.get(name, name) for name in names)}." for group, names in groups)


def _counts(one: pd.DataFrame, averages: pd.DataFrame, results: StudyResults) -> list[str]:
    """What is in no mean, and what is there with fewer candidates."""
    notes = []
    without = one[one["n_no_choice"] > 0]
    if len(without):
        words = [f"{results.way_label(row.by)} ({row.n_no_choice})" for row in without.itertuples()]
        notes.append(f"Runs in which nothing is chosen, since all values are undefined: {', '.join(words)}.")
    for column, what in {
        "n_left_out": "left out, since fewer than two candidates have true values",
        "n_short": "with fewer candidates, since some have no true value",
    }.items():
        if most := int(averages.loc[averages["rarity"] == "all", column].max()):
            notes.append(f"{number(most, 'run')} {what}.")
    return notes
