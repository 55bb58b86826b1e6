"""The layout of Tables 2 to 7: a row a data set, a column a method, mean (sd) in percent beside the published ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scarce.report.layouts.base import layout, tidy_frame
from scarce.report.tables import BOLD, Cell, Column, Row, Table, sentence
from scarce.words import MISSING

if TYPE_CHECKING:
    from scarce.report.results import StudyResults

NUMBERS = [
    "scenario", "metric", "dataset", "method", "mean", "sd", "n_runs", "published", "published_sd", "corrected", "note"
]  # fmt: skip


@layout("metric")
def beside_published(spec: Any, results: StudyResults) -> Table:
    """A row a data set, a column a method: mean and standard deviation over repeats beside those of the paper."""
    from scarce.analysis.reference import published

    names, metric = results.names, spec.metric
    methods = [name for name in spec.methods or names.methods if name in names.methods]
    printed = published("wilton2022").set_index(["scenario", "metric", "dataset", "method"])
    rows, numbers = [], []
    for scenario, label in names.scenarios.items():
        means = results.means(metric, scenario).set_index(["dataset", "method"])
        for dataset in names.datasets:
            found = {m: means.loc[(dataset, m)] for m in methods if (dataset, m) in means.index}
            values = {m: float(row["mean"]) for m, row in found.items() if row["n_runs"]}
            best, cells = max(values.values(), default=math.nan), []
            for method in methods:
                key = (scenario, metric, dataset, method)
                paper = printed.loc[key] if key in printed.index else {}
                value, own = values.get(method, math.nan), found.get(method)
                sd = float(own["sd"]) if method in values else math.nan
                n_runs = int(own["n_runs"]) if method in values else 0
                share, spread, corrected = (
                    float(paper.get(name, math.nan)) for name in ("published", "published_sd", "corrected")
                )
                remark = str(paper.get("note", ""))
                reason = "" if n_runs else _reason(results, dataset, scenario, method)
                cells.append(
                    Cell(
                        mean_and_sd(value, sd),
                        emphasis=BOLD if value == best and dataset not in results.unavailable else "",
                        published="" if math.isnan(share) else mean_and_sd(share, spread),
                        tooltip="; ".join(filter(None, [f"{n_runs} runs" if n_runs else "", reason, remark])),
                        sort=value,
                    )
                )
                numbers.append((*key, value, sd, n_runs, share, spread, corrected, remark))
            title = names.titles.get(dataset, dataset)
            rows.append(Row(title if len(names.scenarios) == 1 else f"{title}, {label}", tuple(cells), dataset))
    absent = [f"{names.titles.get(name, name)}: {reason}" for name, reason in results.unavailable.items()]
    return Table(
        name=spec.name,
        caption=sentence(spec.title),
        columns=(Column("Data set", kind="name"), *(Column(names.methods[name]) for name in methods)),
        rows=tuple(rows),
        reading="Mean and, in parentheses, standard deviation over repeats, in percent.",
        marks=((BOLD, "highest mean of the row"),),
        notes=tuple(f"{text.rstrip('.')}." for text in absent),
        frame=tidy_frame(numbers, NUMBERS),
    )


def mean_and_sd(mean: float, sd: float) -> str:
    """Two fractions in percent as the paper prints them.

    >>> mean_and_sd(0.936, 0.0039), mean_and_sd(0.5, float("nan"))
    ('93.60 (0.39)', '50.00')
    """
    if math.isnan(mean):
        return MISSING
    return f"{100 * mean:.2f}" + ("" if math.isnan(sd) else f" ({100 * sd:.2f})")


def _reason(results: StudyResults, dataset: str, scenario: str, method: str) -> str:
    """Why a cell is empty."""
    return "published only" if method in results.published_only else results.reason(dataset, scenario, method)
