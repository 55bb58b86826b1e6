"""Judges of the paper's claims: who is ahead by data set, what settings change, and whether importances agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.analysis.judges.base import (
    Findings,
    Methods,
    Need,
    StudyName,
    Verdict,
    Where,
    apart,
    enough,
    judge,
    methods_of,
)
from scarce.config.block import Share, across
from scarce.words import listed, number, percent

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case


class AheadArguments(Where):
    """Arguments of `ahead`."""

    methods: Methods = Field(description="the best of them by mean counts")
    over: Methods = Field(description="the best of them by mean counts")
    margin: Annotated[float, Field(ge=0, lt=1)] = Field(
        0.0, description="how far behind still counts as ahead; 0: the mean must be higher"
    )
    need: Need = Field("all", description="whether on all data sets, or on more than half")

    @across("methods", "over")
    def _others(self) -> None:
        apart(self.methods, self.over)


@judge(AheadArguments)
def ahead(case: Case, claim: AheadArguments) -> Verdict:
    """Is the best of some methods ahead of the best of others, data set by data set, or no more than a margin behind?

    Stand-ins count. held: on all data sets (on most, if that is claimed) in every metric and scenario. partly: on more
    than half of the comparisons. not held: else.
    """
    from scarce.analysis.ties import exceeds

    findings, settings, outcomes = Findings(case), [], []
    for metric, scenario in case.settings_of(claim.metrics, claim.scenarios):
        means = means_by_dataset(case, metric, scenario)
        first, second = ({name for name in names if name in means} for names in (claim.methods, claim.over))
        both = means[[*first, *second]].dropna(how="all") if first and second else means.iloc[:0]
        gaps = (both[list(first)].max(axis=1) - both[list(second)].max(axis=1)).dropna() if len(both) else both
        if not len(gaps):
            continue
        won = {
            name: exceeds(gap, 0) if claim.margin == 0 else not exceeds(-gap, claim.margin)
            for name, gap in gaps.items()
        }
        sides = {"method": claim.methods[0], "other": claim.over[0]}
        for name, gap in gaps.items():
            findings.add({"difference": gap}, scenario=scenario, metric=metric, dataset=name, **sides)
        settings.append(enough(list(won.values()), claim.need))
        outcomes += won.values()
        texts = ", ".join(f"{name} {percent(gap, sign=True)}" for name, gap in gaps.items())
        pair = f"{methods_of(case, claim.methods)} against {methods_of(case, claim.over)}"
        findings.reading.append(
            f"{case.label('metric', metric)}, {pair}: as claimed on "
            f"{sum(won.values())} of {number(len(won), 'data set')} ({texts} points)."
        )
    if not settings:
        return findings.untested("no data set has methods of both sides")
    return findings.verdict(held=all(settings), partly=2 * sum(outcomes) > len(outcomes))


class SettingsArguments(Where):
    """Arguments of `little_to_tune`."""

    study: StudyName = Field(description="the study that has one method under several settings")
    start: str = Field(description="how the names of the method's variants start")
    against: str = Field(description="how the names of another method's variants start")
    limit: Share = Field(0.02, description="largest difference between the best and the worst setting on a data set")

    def studies(self) -> list[str]:
        return [self.study]


@judge(SettingsArguments)
def little_to_tune(case: Case, claim: SettingsArguments) -> Verdict:
    """Does it matter little how a method is set (best and worst setting by the mean on each data set)?

    held: on every data set the two differ by at most `limit`, and by less than those of another method where that has
    results; partly: one of the two; not held: neither.
    """
    from scarce.analysis.ties import exceeds

    other = case.others[claim.study]
    findings, small, smaller = Findings(case), [], []
    for metric, scenario in other.settings_of(claim.metrics, claim.scenarios):
        means = means_by_dataset(other, metric, scenario)
        ranges = {}
        for start in (claim.start, claim.against):
            variants = means[[name for name in means if name.startswith(start)]].dropna()
            if len(variants) and variants.shape[1] > 1:
                ranges[start] = variants.max(axis=1) - variants.min(axis=1)
        own = ranges.get(claim.start)
        if own is None:
            continue
        small += [not exceeds(span, claim.limit) for span in own]
        for start, spans in ranges.items():
            for name, span in spans.items():
                findings.add({"range": span}, scenario=scenario, metric=metric, dataset=name, method=start)
            texts = [f"{name} {percent(span)}" for name, span in spans.items()]
            findings.reading.append(
                f"{other.label('metric', metric)}, {start}: best and worst setting differ by {', '.join(texts)} points."
            )
        if claim.against in ranges:
            shared = own.index.intersection(ranges[claim.against].index)
            smaller += [exceeds(ranges[claim.against][name], own[name]) for name in shared]
    if not small:
        return findings.untested(f"{claim.study} has no variants of {claim.start}")
    if not smaller:
        findings.reading.append(f"{claim.against} has no results to compare with.")
    parts = [all(small), *([all(smaller)] if smaller else [])]
    return findings.verdict(held=all(parts), partly=any(parts))


class ImportancesArguments(Where):
    """Arguments of `importances_agree`."""

    methods: Methods = Field(min_length=2, max_length=2, description="whose importances are compared")
    limit: Share = Field(0.7, description="smallest rank correlation that counts as agreement")


@judge(ImportancesArguments)
def importances_agree(case: Case, claim: ImportancesArguments) -> Verdict:
    """Do two methods find the same features important (Spearman's rank correlation of mean importances)?

    Features that neither uses are left out. held: at least `limit` on every data set; partly: on more than half; not
    held: else.
    """
    from scarce.papers.wilton2022.importances import mean_importances, rank_correlation

    findings, texts, close = Findings(case), [], []
    first, second = claim.methods
    for dataset in case.importances["dataset"].unique() if case.importances is not None else ():
        means = mean_importances(case.importances, dataset, claim.methods, "importance")
        if means.shape[1] < 2:
            continue
        correlation, n_features = rank_correlation(means[first], means[second])
        close.append(correlation >= claim.limit)
        numbers = {"rank_correlation": correlation, "n_features": n_features}
        findings.add(numbers, dataset=dataset, method=first, other=second)
        texts.append(f"{dataset} {correlation:.2f} ({n_features} features)")
    if not close:
        return findings.untested("no data set has importances of both methods")
    findings.reading.append(f"Rank correlation of {methods_of(case, claim.methods)}: {listed(texts)}.")
    return findings.of_items(close, partly="most")


def means_by_dataset(case: Case, metric: str, scenario: str) -> pd.DataFrame:
    """Means over repeats: a row a data set, stand-ins too, a column a method with results."""
    from scarce.analysis.means import by_dataset
    from scarce.analysis.rows import matching

    rows = matching(case.scores, metric=metric, scenario=scenario)
    return by_dataset(rows).pivot(index="dataset", columns="method", values="mean")  # noqa: PD010 - unique keys
