"""What the report says of agreement with a paper: by panel, by method, run by run, and the largest differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from scarce.report.tables import Cell, Column, Row, Table
from scarce.words import MISSING, percent

WITHIN, OUTSIDE, UNKNOWN = "within", "outside", "unknown"
LARGEST = 20  # differences from the published numbers that are listed
RUNS_METRIC = "auc_pr"  # of the runs, ranks alone: no threshold decides whether two runs are equal

LabelOf = Callable[[str, str], str]


@dataclass(frozen=True)
class AgreementView:
    """Agreement with a paper.

    Attributes
    ----------
    within, known, outside : int
        Single numbers within the tolerance, those that have one, and those outside.
    groups, methods, worst : Table
        By metric and scenario, by method, and the largest differences.
    runs : Table or None
        Runs equal to the authors' own by data set and method; None without such runs.
    """

    within: int
    known: int
    outside: int
    groups: Table
    methods: Table
    worst: Table
    runs: Table | None


def with_status(rows: pd.DataFrame) -> pd.DataFrame:
    """Single cells and averages of agreement.csv with a status each, in percent.

    Parameters
    ----------
    rows : DataFrame
        As agreement.csv has them: fractions, an empty or missing `dataset` for averages over data sets, an empty
        `within` where no standard error could be had.

    Returns
    -------
    DataFrame
        The same columns; `published`, `reproduced`, `difference` in percent; `average` true for averages; `status`
        is within, outside or unknown. Rows without both numbers are left out.
    """
    rows = rows.dropna(subset=["published", "reproduced"]).reset_index(drop=True)
    within = rows["within"].astype("string").str.lower()  # a column with gaps comes back from a CSV as text
    percents = {name: rows[name].astype(float) * 100 for name in ("published", "reproduced", "difference")}
    status = within.map({"true": WITHIN, "false": OUTSIDE}).fillna(UNKNOWN)
    datasets = rows["dataset"].astype("string").fillna("")
    return rows.assign(**percents, dataset=datasets, average=(datasets == "").astype(bool), status=status)


def largest(rows: pd.DataFrame, n: int) -> pd.DataFrame:
    """The n rows with the largest absolute difference, largest first; ties keep their order."""
    order = rows["difference"].abs().sort_values(ascending=False, kind="stable").index
    return rows.loc[order].head(n)


def agreement_view(
    agreement: pd.DataFrame | None,
    runs: pd.DataFrame | None = None,
    reasons: Mapping[str, str] | None = None,
    label: LabelOf = lambda kind, name: name,
) -> AgreementView | None:
    """Everything that a page says of agreement; None where nothing is published.

    Parameters
    ----------
    agreement, runs : DataFrame or None
        Rows of agreement.csv and agreement_runs.csv.
    reasons : mapping from method to str, optional
        Why its numbers differ, as far as is known.
    label : callable
        ``label(kind, name)`` with kind method, metric, dataset or scenario.
    """
    if agreement is None or agreement.empty:
        return None
    rows = with_status(agreement)
    cells = rows[~rows["average"]]
    status = cells["status"].value_counts()
    within, outside = int(status.get(WITHIN, 0)), int(status.get(OUTSIDE, 0))
    if runs is not None:
        runs = runs[runs["metric"] == RUNS_METRIC]
        runs = None if runs.empty else runs
    return AgreementView(
        within=within,
        known=within + outside,
        outside=outside,
        groups=_by_panel(rows, label),
        methods=_by_method(cells, runs, reasons or {}, label),
        worst=_worst(cells, label),
        runs=None if runs is None else _run_matrix(runs, label),
    )


def _by_panel(rows: pd.DataFrame, label: LabelOf) -> Table:
    lines = []
    for (metric, scenario, average), part in rows.groupby(["metric", "scenario", "average"], sort=True):
        gaps = part["difference"].abs()
        names = (label("scenario", scenario), "averages over data sets" if average else "single data sets")
        numbers = (_number(gaps.median()), _number(gaps.max()))
        lines.append(Row(label("metric", metric), (*map(Cell, names), *_counts(part, digits=0), *numbers)))
    return Table(
        name="agreement_groups",
        caption="By metric and scenario; differences in percentage points",
        columns=(
            *(Column(head, kind="name") for head in ("Metric", "Scenario", "Of what")),
            *map(Column, ("Within", "Compared", "Share", "Median difference", "Largest")),
        ),
        rows=tuple(lines),
    )


def _by_method(cells: pd.DataFrame, runs: pd.DataFrame | None, reasons: Mapping[str, str], label: LabelOf) -> Table:
    """For each method the share within, its largest difference with the reason, and how many single runs are equal."""
    lines = []
    for method, part in cells.groupby("method", sort=False):
        miss = next(largest(part, 1).itertuples())
        place = [label(kind, getattr(miss, kind)) for kind in ("dataset", "metric", "scenario")]
        own = None if runs is None else runs[runs["method"] == method]
        equal = () if own is None else (_of(int(own["n_equal"].sum()), int(own["n_runs"].sum())),)
        texts = (Cell(", ".join(place)), Cell(reasons.get(method) or MISSING))
        row = Row(label("method", method), (*_counts(part, digits=1), *equal, _signed(miss.difference), *texts))
        lines.append((-(equal[0].sort if equal else 0), -int((part["status"] == WITHIN).sum()), row.label, row))
    caption = "Single data sets of all panels; the largest difference in percentage points"
    if runs is not None:
        caption += f"; equal runs: {label('metric', RUNS_METRIC)} equal to the authors' own single run to 1e-6"
    return Table(
        name="agreement_methods",
        caption=caption,
        columns=(
            Column("Method", kind="name"),
            *map(Column, ("Within", "Compared", "Share")),
            *(() if runs is None else (Column("Equal runs"),)),
            Column("Largest"),
            Column("Where", kind="text"),
            Column("Why it differs, as far as we know", kind="text"),
        ),
        rows=tuple(row for *_, row in sorted(lines, key=lambda line: line[:3])),
    )


def _worst(cells: pd.DataFrame, label: LabelOf) -> Table:
    rows = [
        Row(
            label("dataset", row.dataset),
            (
                *(Cell(label(kind, getattr(row, kind))) for kind in ("method", "metric", "scenario")),
                *(_number(number) for number in (row.published, row.reproduced)),
                _signed(row.difference),
                Cell(row.status),
            ),
        )
        for row in largest(cells, LARGEST).itertuples()
    ]
    return Table(
        name="agreement_worst",
        caption=f"Single data sets, in percent, the {len(rows)} largest by absolute difference",
        columns=(
            *(Column(head, kind="name") for head in ("Data set", "Method", "Metric", "Scenario")),
            *map(Column, ("Published", "Reproduced", "Difference")),
            Column("Within?", kind="name"),
        ),
        rows=tuple(rows),
    )


def _run_matrix(runs: pd.DataFrame, label: LabelOf) -> Table:
    """Runs equal to the authors' by data set and method, over all scenarios.

    Where not all are equal, the least correlation of a scenario's runs and the largest difference stand beside.
    """
    methods = list(dict.fromkeys(runs["method"]))
    cells = {key: _equal(part) for key, part in runs.groupby(["dataset", "method"])}
    return Table(
        name="agreement_runs",
        caption=f"Runs whose {label('metric', RUNS_METRIC)} equals the authors' own to 1e-6, over all scenarios; where "
        "not all are, the least correlation of a scenario's runs, and the largest difference in points",
        columns=(Column("Data set", kind="name"), *(Column(label("method", method)) for method in methods)),
        rows=tuple(
            Row(label("dataset", dataset), tuple(cells.get((dataset, method), Cell()) for method in methods))
            for dataset in dict.fromkeys(runs["dataset"])
        ),
    )


def _equal(part: pd.DataFrame) -> Cell:
    cell = _of(int(part["n_equal"].sum()), int(part["n_runs"].sum()))
    correlation, gap = float(part["correlation"].min()), 100 * float(part["largest_difference"].max())
    if part["n_equal"].sum() == part["n_runs"].sum():
        return cell
    words = [] if correlation != correlation else [f"r = {correlation:.3f}"]
    return Cell(cell.text, f"({', '.join([*words, f'{gap:.2g}'])})", sort=cell.sort)


def _counts(part: pd.DataFrame, digits: int) -> tuple[Cell, Cell, Cell]:
    """Numbers within, numbers that are compared, and the share."""
    status = part["status"].value_counts()
    within, unknown = int(status.get(WITHIN, 0)), int(status.get(UNKNOWN, 0))
    known = len(part) - unknown
    without = f"(+{unknown} without a standard error)" if unknown else ""
    share = Cell(f"{100 * within / known:.{digits}f}%", sort=within / known) if known else Cell(sort=float("nan"))
    return Cell(str(within), sort=within), Cell(str(known), without, sort=known), share


def _of(n: int, total: int) -> Cell:
    return Cell(f"{n} of {total}", sort=n)


def _number(value: Any) -> Cell:
    return Cell(f"{value:.1f}", sort=float(value))


def _signed(value: float) -> Cell:
    return Cell(percent(value / 100, sign=True), sort=float(value))
