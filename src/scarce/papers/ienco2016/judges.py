"""Judges of the paper's claims: over samples (data set x share of labeled positives), and on two readings of F."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.analysis.judges.base import (
    Findings,
    Methods,
    Others,
    Verdict,
    Where,
    apart,
    by_scenario,
    judge,
    methods_of,
)
from scarce.config.block import Share, across, known
from scarce.config.names import Name
from scarce.words import number, p_value, percent

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case
    from scarce.papers.ienco2016.samples import Comparison

Digits = Annotated[
    Annotated[int, Field(ge=0, le=6)] | None,
    Field(description="rank values rounded to so many decimals, as the paper did; by default unrounded"),
]
DataSets = list[Annotated[Name, known("data set")]]


def means_of(case: Case) -> pd.DataFrame:
    """Means over folds of the data sets that count."""
    from scarce.analysis.means import by_dataset

    return by_dataset(case.scores[case.scores["dataset"].isin(case.datasets)])


def one_for_each(methods: list[str], **lists: list) -> None:
    """Raise ValueError where a list has not one item for each method."""
    for name, items in lists.items():
        if len(items) != len(methods):
            raise ValueError(f"`{name}` needs as many items as `methods`, {len(methods)}, and has {len(items)}")


def points(value: float) -> str:
    """A difference of F with two decimals, as the paper prints F."""
    text = f"{value:.3f}"
    return text.replace("-", "−")


class SamplesArguments(Where):
    """Arguments of `best_over_samples`."""

    methods: Methods = Field(description="said to be better, each by itself; with `over` they are ranked one at a time")
    over: Others = Field([], description="than each of these")
    tied: Others = Field([], description="said not to differ significantly from these")
    rank_digits: Digits = None

    @across("methods", "over", "tied")
    def _others(self) -> None:
        if not (self.over or self.tied):
            raise ValueError("needs `over` or `tied`: the methods to compare with")
        apart(self.methods, [*self.over, *self.tied])


@judge(SamplesArguments)
def best_over_samples(case: Case, claim: SamplesArguments) -> Verdict:
    """Is a method significantly better over samples, data set x share (Nemenyi)?

    Each of `methods` is ranked together with `over` and `tied`. A comparison is as claimed where its average rank is
    better by at least the critical difference; with `tied`, where the ranks differ by less. The same over data sets,
    which are independent as samples are not, is told beside it and decides nothing. Where Friedman's test keeps the
    hypothesis that all methods perform alike, no pair differs significantly.

    held: all comparisons are as claimed; partly: at least half; not held: fewer.
    """
    from scarce.papers.ienco2016.samples import BLOCKS, compare, wide

    findings, shown, means = Findings(case), [], means_of(case)
    others = [*claim.over, *claim.tied]
    for metric in claim.metrics or case.settings.metrics:
        for method in claim.methods:
            values = wide(means, metric, [method, *others])
            for blocks, word in BLOCKS.items():
                comparison = compare(values, blocks, claim.rank_digits)
                if reason := comparison.untestable:
                    findings.gap(metric, "", reason)
                    continue
                cd = comparison.critical_difference(case.settings.alpha)
                better, worse = comparison.apart(method, alpha=case.settings.alpha)
                as_claimed = {name: name in better for name in claim.over}
                as_claimed |= {name: name not in {*better, *worse} for name in claim.tied}
                if blocks == "samples":
                    shown += as_claimed.values()
                _add_evidence(findings, metric, blocks, method, comparison, cd, as_claimed)
                findings.reading.append(_sentence(case, metric, word, method, comparison, cd, claim))
    return findings.of_items(shown, partly="half")


def _add_evidence(
    findings: Findings, metric: str, blocks: str, method: str, comparison: Comparison, cd: float, as_claimed: dict
) -> None:
    where = {"metric": metric, "blocks": blocks}
    tests = {"friedman": comparison.friedman.statistic, "iman_davenport_f": comparison.iman_davenport.statistic}
    findings.add(tests | {"critical_difference": cd, "n": comparison.n}, method=method, **where)
    for name, rank in comparison.average.items():
        findings.add({"average_rank": rank}, method=name, other="" if name == method else method, **where)
    for other, value in as_claimed.items():
        findings.add({"as_claimed": value}, method=method, other=other, **where)


def _sentence(
    case: Case, metric: str, word: str, method: str, comparison: Comparison, cd: float, claim: SamplesArguments
) -> str:
    average = comparison.average
    better, worse = comparison.apart(method, alpha=case.settings.alpha)
    withheld = comparison.withheld(case.settings.alpha)
    outcome = [f"significantly better than {methods_of(case, better)}"] if better else []
    outcome += [f"significantly worse than {methods_of(case, worse)}"] if worse else []
    ranks = ", ".join(f"{case.label('method', name)} {average[name]:.2f}" for name in average.sort_values().index)
    return (
        f"{case.label('metric', metric)}, {case.label('method', method)} over {comparison.n} {word}: "
        f"{' and '.join(outcome) or 'significantly different from none'} (critical difference {cd:.2f}; average ranks: "
        f"{ranks}; Friedman χ² = {comparison.friedman.statistic:.2f}, {p_value(comparison.friedman.p)}"
        f"{comparison.rounded_words}{f'; {withheld}' if withheld else ''})."
    )


class WinsArguments(Where):
    """Arguments of `wins_samples`."""

    methods: Methods = Field(description="each is compared with `over` by itself")
    over: Methods = Field(description="the other methods; those that are not run count in the published column alone")
    printed: list[Annotated[int, Field(ge=0)]] = Field(description="wins that the paper counts, for each of `methods`")
    of: Annotated[int, Field(ge=1)] = Field(description="samples of the paper")
    rank_digits: Digits = None

    @across("methods", "printed")
    def _one_each(self) -> None:
        one_for_each(self.methods, printed=self.printed)


@judge(WinsArguments)
def wins_samples(case: Case, claim: WinsArguments) -> Verdict:
    """Does a method win as large a share of the samples as printed (ties win for each)?

    The published column is counted again as well, over all samples of the paper.

    held: in every setting the share is at least the printed one; partly: no other method wins more samples, in more
    than half of the settings; not held: else.
    """
    from scarce.papers.ienco2016.samples import compare, wide

    findings, reached, first, means = Findings(case), [], [], means_of(case)
    for metric in claim.metrics or case.settings.metrics:
        words = []
        for method, printed in zip(claim.methods, claim.printed, strict=True):
            run = [name for name in claim.over if name in set(means["method"])]
            comparison = compare(wide(means, metric, [method, *run]), digits=claim.rank_digits)
            if not comparison.n:
                continue
            wins = comparison.wins
            reached.append(wins[method] / comparison.n >= printed / claim.of)
            first.append(wins[method] == wins.max())
            leaders = wins.index[wins == wins.max()]
            where = {"metric": metric, "blocks": "samples"}
            for name, n in wins.items():
                findings.add({"wins": n}, method=name, other="" if name == method else method, **where)
            findings.add({"printed_wins": printed}, method=method, **where)
            recounted = ""
            if case.published is not None:
                paper = [name for name in [method, *claim.over] if name in set(case.published["method"])]
                again = compare(wide(case.published, metric, paper, "published"), digits=claim.rank_digits)
                if method in paper and again.n:
                    recounted = f", recounted {again.wins[method]}"
                    findings.add({"recounted_wins": again.wins[method]}, method=method, **where)
            words.append(
                f"{case.label('method', method)} {wins[method]} of {comparison.n} (printed {printed} of "
                f"{claim.of}{recounted}; most: {methods_of(case, list(leaders))}, {wins.max()})"
            )
        if words:
            findings.reading.append(f"{case.label('metric', metric)}: {'; '.join(words)}.")
    if not reached:
        return findings.untested()
    return findings.verdict(held=all(reached), partly=2 * sum(first) > len(first))


class PairsArguments(Where):
    """Arguments of `pairs_above`."""

    methods: Methods = Field(description="said to be better, each than its partner in `over`")
    over: Methods = Field(description="the partners, in the same order")

    @across("methods", "over")
    def _one_each(self) -> None:
        one_for_each(self.methods, over=self.over)


@judge(PairsArguments)
def pairs_above(case: Case, claim: PairsArguments) -> Verdict:
    """Is each method better than its partner in the mean over data sets, in every scenario (Wilcoxon's test beside it)?

    held: in all pairs and scenarios; partly: in more than half; not held: else.
    """
    from scarce.analysis import evidence

    findings, ahead = Findings(case), []
    for metric in claim.metrics or case.settings.metrics:
        texts = {}
        for scenario in claim.scenarios or case.all_scenarios():
            parts = []
            for method, other in zip(claim.methods, claim.over, strict=True):
                blocks = evidence.blocks_of_pair(case, metric, scenario, method, other)
                if blocks is None:
                    findings.gap(metric, scenario, "a method has no results")
                    continue
                numbers = evidence.pair(blocks, method, other)
                findings.add(numbers, scenario=scenario, metric=metric, blocks="datasets", method=method, other=other)
                ahead.append(numbers["difference"] > 0)
                parts.append(numbers)
            if parts:
                low, high = (percent(f(n["difference"] for n in parts), sign=True) for f in (min, max))
                smallest = p_value(min(n["p"] for n in parts))
                texts[scenario] = f"{low} to {high} points over {number(len(parts), 'pair')} (smallest {smallest})"
        if texts:
            findings.reading.append(f"{case.label('metric', metric)}: {by_scenario(case, texts)}.")
    if ahead:
        findings.reading.append(f"The mean is higher in {sum(ahead)} of {len(ahead)} comparisons.")
    return findings.of_items(ahead, partly="most")


class VariesArguments(Where):
    """Arguments of `varies_within`."""

    methods: Methods = Field(description="variants whose means are compared")
    datasets: DataSets = Field([], description="by default all that count")
    limit: Share = Field(description="largest difference between two variants")


@judge(VariesArguments)
def varies_within(case: Case, claim: VariesArguments) -> Verdict:
    """Do the means of variants lie within a limit of each other, on each data set in each scenario?

    held: everywhere (rounded to two decimals, as the paper prints F); partly: on at least half of the samples; not
    held: on fewer.
    """
    from scarce.papers.ienco2016.samples import wide

    findings, inside, means = Findings(case), [], means_of(case)
    scenarios = claim.scenarios or case.all_scenarios()
    for metric in claim.metrics or case.settings.metrics:
        values = wide(means, metric, claim.methods, datasets=claim.datasets or None)
        values = values[values.index.get_level_values("scenario").isin(scenarios)]
        if values.empty:
            continue
        ranges = (values.max(axis=1) - values.min(axis=1)).round(12).round(2)
        for (dataset, scenario), value in ranges.items():
            findings.add({"range": value}, scenario=scenario, metric=metric, dataset=dataset)
        outside = ranges[ranges > claim.limit].sort_values(ascending=False)
        inside += (ranges <= claim.limit).tolist()
        largest = [f"{d} {value:.2f} at {case.label('scenario', s)}" for (d, s), value in outside.head(5).items()]
        more = f"; beyond it: {', '.join(largest)}" if largest else ""
        more += f" and {len(outside) - 5} more" if len(outside) > 5 else ""
        findings.reading.append(
            f"{case.label('metric', metric)}: {len(ranges) - len(outside)} of {number(len(ranges), 'sample')} vary by "
            f"at most {claim.limit:g} (median {ranges.median():.2f}, largest {ranges.max():.2f}){more}."
        )
    return findings.of_items(inside, partly="half")
