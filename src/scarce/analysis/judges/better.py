"""The judge of pairs of methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from scarce.analysis.judges.base import (
    Findings,
    Methods,
    Need,
    Others,
    Verdict,
    Where,
    apart,
    by_scenario,
    data_sets,
    judge,
    methods_of,
)
from scarce.config.block import across
from scarce.words import p_value, percent

if TYPE_CHECKING:
    from scarce.analysis.evidence import Case


class BetterArguments(Where):
    """Arguments of `better`."""

    methods: Methods = Field(description="said to be better")
    over: Others = Field([], description="than each of these")
    tied: Others = Field([], description="said not to differ from these")
    need: Need = Field("all", description="whether all comparisons must be as claimed, or more than half")

    @across("over", "tied")
    def _compared(self) -> None:
        if not (self.over or self.tied):
            raise ValueError("needs `over` or `tied`: the methods to compare with")

    @across("methods", "over", "tied")
    def _pairs(self) -> None:
        apart(self.methods, [*self.over, *self.tied])


@judge(BetterArguments)
def better(case: Case, claim: BetterArguments) -> Verdict:
    """Is a method better than another, pair by pair (means, data sets won, Wilcoxon's signed-rank test over data sets)?

    A comparison is as claimed where the mean is higher and the test rejects at the study's alpha; with `tied`, where
    the test does not reject. The p values are not adjusted for the number of comparisons.

    held: all comparisons (most, if that is claimed). partly: all (most) have at least the higher mean, or some are as
    claimed. not held: else.
    """
    from scarce.analysis import evidence
    from scarce.errors import IncompleteError

    findings, shown, ahead = Findings(case), [], []
    compared: dict[tuple[str, str, str], list[tuple]] = {}
    pairs = [(m, o, False) for m in claim.methods for o in claim.over]
    pairs += [(m, o, True) for m in claim.methods for o in claim.tied]
    for metric, scenario in case.settings_of(claim.metrics, claim.scenarios):
        lacking: dict[str, list[str]] = {}
        for method, other, tied in pairs:
            try:
                blocks = evidence.blocks_of_pair(case, metric, scenario, method, other)
            except IncompleteError as error:
                findings.gap(metric, scenario, str(error))
                continue
            if blocks is None:
                lacking.setdefault(method, []).append(other)
                continue
            numbers = evidence.pair(blocks, method, other)
            findings.add(numbers, scenario=scenario, metric=metric, blocks="datasets", method=method, other=other)
            significant, positive = numbers["p"] <= case.settings.alpha, numbers["difference"] > 0
            shown.append(not significant if tied else significant and positive)
            ahead.append(not significant if tied else positive)
            compared.setdefault((metric, method, other), []).append((scenario, numbers, blocks))
        for method, others in lacking.items():
            who = f"{case.label('method', method)} beside {methods_of(case, others)}"
            findings.gap(metric, scenario, f"no data set has {who}")
    findings.reading += [_sentence(case, *key, pairs) for key, pairs in compared.items()]
    return findings.of_comparisons(shown, ahead, claim.need, by_means=not claim.tied)


def _sentence(case: Case, metric: str, method: str, other: str, pairs: Sequence[tuple]) -> str:
    over = data_sets([numbers["n"] for _, numbers, _ in pairs], pairs[0][2].n_datasets_asked)
    texts = {
        scenario: f"{percent(numbers['difference'], sign=True)} points, {numbers['won']} won and {numbers['lost']} "
        f"lost, {p_value(numbers['p'])}"
        for scenario, numbers, _ in pairs
    }
    pair = f"{case.label('method', method)} against {case.label('method', other)}"
    return f"{case.label('metric', metric)}, {pair} over {over}: {by_scenario(case, texts)}."
