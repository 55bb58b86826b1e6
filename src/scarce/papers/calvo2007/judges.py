"""The judge of the paper's claims: how many problems does a method win?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from scarce.analysis.judges.base import Findings, Methods, Verdict, Where, apart, judge
from scarce.analysis.rows import matching
from scarce.config.block import Once, across
from scarce.words import percent

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case

Limit = Annotated[float, Field(ge=0, le=1)]


class ProblemsArguments(Where):
    """Arguments of `problems`."""

    methods: Methods = Field(description="the first of each pair")
    over: Methods = Field(description="the second of each pair")
    sources: Annotated[list[str], Field(min_length=1), Once] = Field(
        description="databases, data sets or topologies whose problems count"
    )
    class_priors: Annotated[list[float], Field(min_length=1), Once] | None = Field(
        None, description="of the problems that count; by default all"
    )
    outcome: Literal["won", "lost", "undecided"] = Field("won", description="of a problem, for the first method")
    more_than: Limit | None = Field(0.5, description="more than this share of the problems ends so; null: any")
    at_most: Limit = Field(1.0, description="and no more than this share")
    together: bool = Field(False, description="whether the problems of all sources are counted together")

    @across("methods", "over")
    def _pairs(self) -> None:
        apart(self.methods, self.over)

    @across("more_than", "at_most")
    def _limits(self) -> None:
        if self.more_than is not None and self.more_than >= self.at_most:
            raise ValueError("more_than must be less than at_most")


@judge(ProblemsArguments)
def problems(case: Case, claim: ProblemsArguments) -> Verdict:
    """Does a method win the claimed share of problems against another (Wilcoxon's signed-rank test over draws)?

    A problem is won where the test rejects at the study's alpha, two-sided, and the method has the larger rank sum. The
    p values are not adjusted for the number of problems. Repeats of a data set draw from the same rows, so draws are
    not independent, and the test overstates what differs.

    held: in every metric, pair and source the share is as claimed. partly: in some. not held: in none.
    """
    from scarce.papers.calvo2007.problems import OUTCOMES, outcomes

    pairs = [(method, other) for method in claim.methods for other in claim.over]
    findings, hits = Findings(case), []
    for metric in claim.metrics or case.settings.metrics:
        frame = outcomes(_of_claim(case, claim, metric), metric, pairs, alpha=case.settings.alpha)
        for method, other in pairs:
            rows = matching(frame, method=method, other=other)
            for source, own in _by_source(rows, claim):
                if own.empty:
                    both = " and ".join(case.label("method", name) for name in (method, other))
                    findings.reading.append(f"{case.label('metric', metric)}, {source}: no draw has both {both}.")
                    continue
                counts = {outcome: int((own["outcome"] == outcome).sum()) for outcome in OUTCOMES}
                share = counts[claim.outcome] / len(own)
                hits.append((claim.more_than is None or share > claim.more_than) and share <= claim.at_most)
                numbers = counts | {"problems": len(own), "share": share, "difference": own["difference"].mean()}
                findings.add(numbers, metric=metric, blocks="draws", dataset=source, method=method, other=other)
                pair = case.label("method", method), case.label("method", other)
                start = f"{case.label('metric', metric)}, {source}"
                findings.reading.append(f"{start}: {_words(pair, counts, numbers['difference'], hits[-1])}.")
    if len(hits) > 1:
        findings.reading.append(f"{sum(hits)} of {len(hits)} shares are as claimed ({_range(claim)}).")
    return findings.of_items(hits)


def _of_claim(case: Case, claim: ProblemsArguments, metric: str) -> pd.DataFrame:
    """The scores that a claim is about."""
    from scarce.papers.calvo2007.problems import design_of

    scores = matching(case.scores, metric=metric)
    scores = scores[scores["method"].isin([*claim.methods, *claim.over])]
    scenarios = claim.scenarios or case.all_scenarios()
    if claim.class_priors is not None:
        scenarios = [name for name in scenarios if design_of(name)[2] in claim.class_priors]
    return scores[scores["scenario"].isin(scenarios)]


def _by_source(frame: pd.DataFrame, claim: ProblemsArguments) -> list[tuple[str, pd.DataFrame]]:
    """The problems of each source of a claim, or of all of them together."""
    if claim.together:
        chosen = frame["database"].isin(claim.sources) | frame["source"].isin(claim.sources)
        return [(", ".join(claim.sources), frame[chosen])]
    return [(name, frame[(frame["database"] == name) | (frame["source"] == name)]) for name in claim.sources]


def _words(pair: tuple[str, str], counts: dict[str, int], difference: float, hit: bool) -> str:
    first, second = pair
    return (
        f"of {sum(counts.values())} problems {first} wins {counts['won']}, {second} wins {counts['lost']}, "
        f"{counts['undecided']} undecided; mean difference {percent(difference, sign=True)} points "
        f"({'as' if hit else 'not as'} claimed)"
    )


def _range(claim: ProblemsArguments) -> str:
    low = [] if claim.more_than is None else [f"more than {100 * claim.more_than:g} %"]
    high = [] if claim.at_most == 1 else [f"at most {100 * claim.at_most:g} %"]
    return f"{claim.outcome}: {' and '.join(low + high)}"
