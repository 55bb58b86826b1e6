"""The judge of published numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.analysis.judges.base import Findings, Metric, Verdict, Where, data_sets, judge

if TYPE_CHECKING:
    from scarce.analysis.evidence import Case

#: Share of numbers that lie within two standard errors where nothing but chance tells them apart.
BY_CHANCE = 0.95


class ReproducesArguments(Where):
    """Arguments of `reproduces`."""

    published: Metric | None = Field(
        None, description="metric of the published numbers, where they are held against another one of ours"
    )
    layout: Literal["scenarios", "datasets"] = Field(
        "scenarios", description="averages over data sets, or single data sets, as a table of the report"
    )


@judge(ReproducesArguments)
def reproduces(case: Case, claim: ReproducesArguments) -> Verdict:
    """Do our numbers agree with the published ones (as in agreement.csv)?

    held: at least 95 % lie within two standard errors and half the last printed digit, as chance alone would leave
    it; partly: at least half; not held: fewer.
    """
    from scarce.analysis.agreement import compare_cells
    from scarce.analysis.rows import matching

    findings, inside = Findings(case), []
    if case.published is None:
        return findings.untested()
    datasets = case.settings.among(case.datasets, *(claim.scenarios or case.all_scenarios()))
    scores = case.scores[case.scores["dataset"].isin(datasets)]
    for metric in claim.metrics or case.settings.metrics:
        printed = claim.published or metric
        published = matching(case.published, metric=printed)
        runs = None if case.author_runs is None else matching(case.author_runs, metric=printed)
        cells = compare_cells(matching(scores, metric=metric).assign(metric=printed), published, runs)
        cells = cells[(cells["dataset"] == "") == (claim.layout == "scenarios")]
        cells = cells[cells["scenario"].isin(claim.scenarios or case.all_scenarios())].dropna(subset=["within"])
        if cells.empty:
            for scenario in claim.scenarios or case.all_scenarios():
                findings.gap(metric, scenario, "no published number can be had over the data sets that are here")
            continue
        for cell in cells.to_dict("records"):
            where = {name: cell[name] for name in ("scenario", "dataset", "method")}
            numbers = {name: cell[name] for name in ("published", "reproduced", "difference", "within")}
            findings.add(numbers, metric=metric, **where)
        inside += cells["within"].astype(bool).tolist()
        against = "" if printed == metric else f" against the published {case.label('metric', printed)}"
        what = "averages" if claim.layout == "scenarios" else "numbers of single data sets"
        distance = 100 * cells["difference"].abs()
        findings.reading.append(
            f"{case.label('metric', metric)}{against}: {int(cells['within'].sum())} of {len(cells)} {what} agree; the "
            f"median difference is {distance.median():.1f} points, the largest {distance.max():.1f}."
        )
    if not inside:
        return findings.untested()
    n_datasets = scores["dataset"].nunique()
    if n_datasets < len(datasets):
        findings.reading.append(f"Both sides are taken over {data_sets([n_datasets], len(datasets))}.")
    share = sum(inside) / len(inside)
    return findings.verdict(held=share >= BY_CHANCE, partly=share >= 0.5)
