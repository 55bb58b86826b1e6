"""The layout that puts what a method costs beside what it scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scarce.analysis.rows import matching
from scarce.report.layouts.base import layout
from scarce.report.tables import BOLD, Cell, Column, Row, Table
from scarce.words import percent

if TYPE_CHECKING:
    from scarce.report.results import StudyResults


@layout("metric", "scenario")
def cost(spec: Any, results: StudyResults) -> Table:
    """A row a method, the cheapest first: seconds of a fit, mean over data sets, average rank; the front is marked."""
    from scarce.analysis.cost import cost_and_score
    from scarce.report import table_notes

    names, metric, scenario = results.names, spec.metric, spec.scenario
    means = results.averages(metric, scenario)["mean"].dropna()
    runs = matching(results.runs, scenario=scenario)
    runs = runs[runs["dataset"].isin(results.counted)]
    higher, oracles = metric not in results.settings.lower_is_better, results.settings.oracles
    found = cost_and_score(runs, means, higher_is_better=higher, oracles=oracles)
    found = found.sort_values(["seconds", "mean"], ascending=[True, False], kind="stable")
    ranks = results.average_ranks(metric, scenario)
    found["average_rank"] = math.nan if ranks is None else ranks.reindex(found.index)
    rows = [Row(names.of("method", row.Index), _cells(row)) for row in found.itertuples()]
    return Table(
        name=spec.name,
        caption=table_notes.caption_of_averages(spec.title, results, metric),
        columns=(
            Column("Method", kind="name"),
            Column("Seconds of a fit", "median over all runs of the wall time of the fit on all training rows"),
            Column("Mean, %", results.metric_label(metric)),
            Column("Average rank"),
        ),
        rows=tuple(rows),
        reading="Wall seconds are those of the machine and of what else ran on it; compare them within the table.",
        marks=((BOLD, "no method is as cheap and as good, and better in one of both (Pareto front)"),),
        frame=found.rename_axis("method").reset_index().assign(scenario=scenario, metric=metric),
    )


def _cells(row: Any) -> tuple[Cell, ...]:
    mean = Cell(percent(row.mean), "", BOLD if row.front else "", sort=row.mean)
    return _number(row.seconds, ".3g"), mean, _number(row.average_rank, ".2f")


def _number(value: float, form: str) -> Cell:
    return Cell(sort=value) if math.isnan(value) else Cell(format(value, form), sort=value)
