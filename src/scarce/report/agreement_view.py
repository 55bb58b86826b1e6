"""What the report says of agreement with a paper: by panel, by method, run by run, and the largest differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """Agreement with a paper: numbers of single data sets within the tolerance, known and outside, and the tables.

    The tables are by metric and scenario, by method, and of the largest differences; `runs` counts by data set and
    method the runs equal to the authors' own, and is None without such runs.
    """

    within: int
    known: int
    outside: int
    groups: Table
    methods: Table
    worst: Table
    runs: Table | None


def with_status(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of agreement.csv that have both numbers, in percent, with a status each.

    ``average`` is true for averages over data sets, whose ``dataset`` is empty; ``status`` is within, outside, or
    unknown where ``within`` is empty, as no standard error is known.
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

    The frames hold the rows of agreement.csv and agreement_runs.csv; `reasons` says by method why its numbers differ.
    ``label(kind, name)`` has kind method, metric, dataset or scenario.
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


def _columns(**kinds: Sequence[str]) -> tuple[Column, ...]:
    """Columns from their heads by kind."""
    return tuple(Column(head, kind=kind) for kind, heads in kinds.items() for head in heads)


def _by_panel(rows: pd.DataFrame, label: LabelOf) -> Table:
    lines = []
    for (metric, scenario, average), part in rows.groupby(["metric", "scenario", "average"], sort=True):
        gaps = part["difference"].abs()
        names = (label("scenario", scenario), "averages over data sets" if average else "single data sets")
        numbers = (_number(gaps.median()), _number(gaps.max()))
        lines.append(Row(label("metric", metric), (*map(Cell, names), *_counts(part, digits=0), *numbers)))
    numbers = ("Within", "Compared", "Share", "Median difference", "Largest")
    columns = _columns(name=("Metric", "Scenario", "Of what"), number=numbers)
    return Table("agreement_groups", "By metric and scenario; differences in percentage points", columns, tuple(lines))


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
    numbers = ["Within", "Compared", "Share", "Largest"]
    if runs is not None:
        caption += f"; equal runs: {label('metric', RUNS_METRIC)} equal to the authors' own single run to 1e-6"
        numbers.insert(3, "Equal runs")
    columns = _columns(name=["Method"], number=numbers, text=["Where", "Why it differs, as far as we know"])
    lines.sort(key=lambda line: line[:3])
    return Table("agreement_methods", caption, columns, tuple(row for *_, row in lines))


def _worst(cells: pd.DataFrame, label: LabelOf) -> Table:
    rows = []
    for row in largest(cells, LARGEST).itertuples():
        names = (Cell(label(kind, getattr(row, kind))) for kind in ("method", "metric", "scenario"))
        numbers = (_number(row.published), _number(row.reproduced), _signed(row.difference))
        rows.append(Row(label("dataset", row.dataset), (*names, *numbers, Cell(row.status))))
    caption = f"Single data sets, in percent, the {len(rows)} largest by absolute difference"
    heads = ("Data set", "Method", "Metric", "Scenario")
    columns = _columns(name=heads, number=("Published", "Reproduced", "Difference"))
    return Table("agreement_worst", caption, (*columns, *_columns(name=["Within?"])), tuple(rows))


def _run_matrix(runs: pd.DataFrame, label: LabelOf) -> Table:
    """Runs equal to the authors' by data set and method, over all scenarios.

    Where not all are equal, the least correlation of a scenario's runs and the largest difference stand beside.
    """
    methods = list(dict.fromkeys(runs["method"]))
    cells = {key: _equal(part) for key, part in runs.groupby(["dataset", "method"])}
    caption = (
        f"Runs whose {label('metric', RUNS_METRIC)} equals the authors' own to 1e-6, over all scenarios; where "
        "not all are, the least correlation of a scenario's runs, and the largest difference in points"
    )
    columns = _columns(name=["Data set"], number=[label("method", method) for method in methods])
    rows = (
        Row(label("dataset", dataset), tuple(cells.get((dataset, method), Cell()) for method in methods))
        for dataset in dict.fromkeys(runs["dataset"])
    )
    return Table("agreement_runs", caption, columns, tuple(rows))


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
