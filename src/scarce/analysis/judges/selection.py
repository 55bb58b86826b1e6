"""The judge of metrics that choose among methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.analysis.judges.base import Findings, Need, Verdict, Where, apart, by_scenario, data_sets, judge
from scarce.config.block import across, known
from scarce.config.selection import Rarity, way_label
from scarce.words import percent

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case

Judged = Annotated[str, known("metric that analysis.selection judges in")]
Ways = Annotated[list[Annotated[str, known("way to choose in analysis.selection")]], Field(min_length=1)]
WORDS = {"all": "data sets", "rare": "data sets with rare positives", "common": "data sets with more positives"}


class SelectionArguments(Where):
    """Arguments of `selection`."""

    metrics: Annotated[list[Judged], Field(min_length=1)] | None = Field(
        None, description="what the loss is measured in; by default all that analysis.selection judges in"
    )
    candidates: Annotated[str, known("group of candidates in analysis.selection")] = Field(
        description="the methods that one is chosen of"
    )
    by: Ways = Field(description="ways to choose that are said to lose less")
    over: Ways = Field(description="than each of these")
    rarity: Rarity = Field("all", description="data sets with rare positives, with more, or all")
    need: Need = Field("all", description="whether all comparisons must be as claimed, or more than half")

    @across("by", "over")
    def _pairs(self) -> None:
        apart(self.by, self.over)


@judge(SelectionArguments)
def selection(case: Case, claim: SelectionArguments) -> Verdict:
    """Is less lost by choosing among methods in one way than in another?

    A comparison pairs the runs in which both ways choose, and averages them by data set first. It is as claimed where
    the interval of the mean difference over data sets (Student's t, at the study's alpha) lies above 0.

    held: all comparisons are as claimed (most, if that is claimed). partly: all (most) have at least the better mean,
    or some are as claimed. not held: else.
    """
    from scarce.analysis.selection import among, by_dataset, choices, interval

    asked, findings, shown, ahead = case.settings.selection, Findings(case), [], []
    if asked is None:
        return findings.untested("the study chooses among no methods, as it has no analysis.selection")
    for metric in claim.metrics or asked.judged_in:
        made = choices(case.scores, case.settings, claim.candidates, metric)
        for way, other in ((way, other) for way in claim.by for other in claim.over):
            texts, counted = {}, []
            gained = made.regret(way)[other].rename("gained").to_frame().dropna()
            for scenario in claim.scenarios or case.all_scenarios():
                means = by_dataset(gained, scenario)["gained"]
                means = means[among(list(means.index), claim.rarity, case.settings)]
                if len(means) < 2:
                    findings.gap(metric, scenario, f"fewer than two {WORDS[claim.rarity]} have choices by both")
                    continue
                numbers = _numbers(means, interval(means.to_numpy(), case.settings.alpha))
                findings.add(numbers, scenario=scenario, metric=metric, blocks="datasets", method=way, other=other)
                shown.append(numbers["low"] > 0)
                ahead.append(numbers["difference"] > 0)
                counted.append(numbers["n"])
                texts[scenario] = _words(**numbers)
            if texts:
                total = len(among(case.datasets, claim.rarity, case.settings))
                over = data_sets(counted, total).replace("data sets", WORDS[claim.rarity])
                pair = f"{way_label(way, case.label)} against {way_label(other, case.label)}"
                judged = f"{case.label('metric', metric)} of the chosen method"
                findings.reading.append(f"{judged}, by {pair}, over {over}: {by_scenario(case, texts)}.")
    return findings.of_comparisons(shown, ahead, claim.need, by_means=True)


def _numbers(means: pd.Series, ends: tuple[float, float]) -> dict[str, float]:
    """What evidence says of the differences of data sets."""
    won, lost = int((means > 0).sum()), int((means < 0).sum())
    ends = dict(zip(("low", "high"), ends, strict=True))
    return {"difference": float(means.mean()), **ends, "won": won, "lost": lost, "n": len(means)}


def _words(difference: float, low: float, high: float, won: int, lost: int, n: int) -> str:
    mean, low, high = (percent(value, sign=True) for value in (difference, low, high))
    return f"{mean} points [{low}, {high}], {won} won and {lost} lost"
