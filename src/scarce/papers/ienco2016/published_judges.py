"""Judges that hold results against the printed F on both of its readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.analysis.judges.base import (
    Findings,
    Methods,
    Metric,
    Verdict,
    Where,
    judge,
)
from scarce.config.block import Share, known
from scarce.config.names import Name
from scarce.papers.ienco2016.judges import DataSets, means_of, points
from scarce.words import listed, number

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case


class EqualsArguments(Where):
    """Arguments of `column_equals`."""

    method: Annotated[Name, known("method of this study")] = Field(description="of ours")
    published: Annotated[Name, known("method of this study")] = Field(description="whose published numbers it equals")
    limit: Share = Field(0.01, description="a sample is equal where the difference, at two decimals, is no larger")
    excluding: DataSets = Field([], description="data sets that are said to differ")


@judge(EqualsArguments)
def column_equals(case: Case, claim: EqualsArguments) -> Verdict:
    """Does a published column equal one of our methods, on all data sets but those that are excluded?

    held: it does on each of the others, in all scenarios; partly: on at least half; not held: on fewer.
    """
    from scarce.papers.ienco2016.samples import wide

    findings, equal, means = Findings(case), [], means_of(case)
    if case.published is None:
        return findings.untested()
    for metric in claim.metrics or case.settings.metrics:
        own = wide(means, metric, [claim.method])[claim.method]
        paper = wide(case.published, metric, [claim.published], "published")[claim.published]
        gaps = (own.round(2) - paper).dropna().round(2)
        if gaps.empty:
            continue
        columns = {"method": claim.method, "other": claim.published}
        for (dataset, scenario), value in gaps.items():
            findings.add({"difference": value}, scenario=scenario, metric=metric, dataset=dataset, **columns)
        by_dataset = (gaps.abs() <= claim.limit).groupby(level="dataset").all()
        counted = by_dataset.drop([d for d in claim.excluding if d in by_dataset.index])
        equal += counted.tolist()
        differing = sorted(by_dataset.index[~by_dataset])
        findings.reading.append(
            f"{case.label('metric', metric)}: {by_dataset.sum()} of {number(len(by_dataset), 'data set')} agree within "
            f"{claim.limit:g} in all scenarios" + (f"; not {listed(differing)}." if differing else ".")
        )
    return findings.of_items(equal, partly="half")


class NearerArguments(Where):
    """Arguments of `nearer_metric`."""

    methods: Methods
    than: Metric = Field(description="the other reading of the published numbers")


@judge(NearerArguments)
def nearer_metric(case: Case, claim: NearerArguments) -> Verdict:
    """Are published numbers nearer to our values of a metric than to those of another (mean difference, correlation)?

    A method is as claimed where the mean absolute difference over samples is smaller and the correlation higher.

    held: for each of the methods; partly: for some; not held: for none.
    """
    findings, shown, means = Findings(case), [], means_of(case)
    if case.published is None:
        return findings.untested()
    for metric in claim.metrics or case.settings.metrics:
        for method in claim.methods:
            pairs = {name: _against(case, means, name, method, metric) for name in (metric, claim.than)}
            if any(rows.empty for rows in pairs.values()):
                findings.gap(metric, "", f"{case.label('method', method)} has no published numbers or no results")
                continue
            words, numbers = [], {}
            for name, rows in pairs.items():
                distance, correlation = float(rows["gap"].abs().mean()), _correlation(rows)
                numbers[name] = distance, correlation
                both = {"mean_difference": distance, "correlation": correlation}
                findings.add(both, metric=name, blocks="samples", method=method)
                words.append(f"{case.label('metric', name)} {points(distance)} (correlation {points(correlation)})")
            nearer = numbers[metric][0] < numbers[claim.than][0] and numbers[metric][1] > numbers[claim.than][1]
            shown.append(nearer)
            findings.reading.append(
                f"{case.label('method', method)}, mean absolute difference to the printed F over "
                f"{number(len(pairs[metric]), 'sample')}: {', '.join(words)}."
            )
    return findings.of_items(shown)


def _against(case: Case, means: pd.DataFrame, metric: str, method: str, printed: str) -> pd.DataFrame:
    """Columns own, published and gap by sample; the published numbers are those of the metric `printed`."""
    from scarce.papers.ienco2016.samples import wide

    own = wide(means, metric, [method])[method].rename("own")
    paper = wide(case.published, printed, [method], "published")[method].rename("published")
    rows = own.to_frame().join(paper, how="inner")
    return rows.assign(gap=rows["own"] - rows["published"])


def _correlation(rows: pd.DataFrame) -> float:
    """Pearson's over data sets of the means over scenarios; 0 where one side is constant."""
    import numpy as np

    sides = rows.groupby(level="dataset").mean()
    varies = len(sides) > 2 and np.ptp(sides["own"]) > 0 and np.ptp(sides["published"]) > 0
    return float(sides["own"].corr(sides["published"])) if varies else 0.0


class NearArguments(Where):
    """Arguments of `near_published`."""

    methods: Methods
    datasets: DataSets = Field([], description="by default all that count")
    excluding: DataSets = Field([], description="data sets that are left out")
    limit: Share = Field(description="largest distance")
    each: bool = Field(False, description="whether it holds for the mean over scenarios of each data set, or over all")


@judge(NearArguments)
def near_published(case: Case, claim: NearArguments) -> Verdict:
    """How far are the means from the published numbers, in the mean over samples or data set by data set?

    With `each`, every data set is judged: its mean over scenarios lies within `limit` of the published mean. Otherwise
    the mean absolute difference over all samples is at most `limit`.

    held: for all methods (and data sets); partly: for at least half; not held: for fewer.
    """
    findings, inside, means = Findings(case), [], means_of(case)
    if case.published is None:
        return findings.untested()
    for metric in claim.metrics or case.settings.metrics:
        for method in claim.methods:
            rows = _against(case, means, metric, method, metric)
            names = rows.index.get_level_values("dataset")
            keep = names.isin(claim.datasets or set(names)) & ~names.isin(claim.excluding)
            rows = rows[keep]
            if rows.empty:
                findings.gap(metric, "", f"{case.label('method', method)} has no published numbers or no results")
                continue
            by_dataset = rows["gap"].groupby(level="dataset").mean()
            for dataset, value in by_dataset.items():
                findings.add({"difference": value}, metric=metric, blocks="datasets", dataset=dataset, method=method)
            distance = float(rows["gap"].abs().mean())
            findings.add({"mean_difference": distance}, metric=metric, blocks="samples", method=method)
            start = f"{case.label('metric', metric)}, {case.label('method', method)}"
            if claim.each:
                inside += (by_dataset.abs() <= claim.limit).tolist()
                listing = ", ".join(f"{d} {points(v)}" for d, v in by_dataset.items())
                findings.reading.append(f"{start}, mean over scenarios against the printed one: {listing}.")
            else:
                inside.append(distance <= claim.limit)
                findings.reading.append(
                    f"{start}: mean absolute difference {points(distance)} over {number(len(rows), 'sample')} of "
                    f"{number(len(by_dataset), 'data set')}."
                )
    return findings.of_items(inside, partly="half")
