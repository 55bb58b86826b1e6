"""The judge of what is left of the order of methods in other scenarios."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.analysis.judges.base import Findings, Methods, Verdict, Where, by_scenario, data_sets, judge, methods_of
from scarce.config.block import across, known
from scarce.config.names import Name

if TYPE_CHECKING:
    from scarce.analysis.evidence import Case
    from scarce.analysis.ranks import Blocks


class KeepsOrderArguments(Where):
    """Arguments of `keeps_order`."""

    among: Methods | None = Field(None, description="methods that are compared; by default all of the study")
    reference: Annotated[Name, known("scenario of this study")] = Field(
        description="the scenario whose order is looked for in `scenarios`, by default in all others"
    )

    @across("scenarios", "reference")
    def _apart(self) -> None:
        if self.reference in (self.scenarios or ()):
            raise ValueError(f"{self.reference} cannot be compared with itself")


@judge(KeepsOrderArguments)
def keeps_order(case: Case, claim: KeepsOrderArguments) -> Verdict:
    """Is the order of methods in one scenario left in others (pairs that Wilcoxon's test tells apart over data sets)?

    Both scenarios are compared over the data sets that both have. A pair that differs in the reference at the study's
    alpha is kept where it differs in the same direction, reversed where it differs in the other one, and lost where it
    no longer differs. The p values are not adjusted.

    held: all pairs are kept everywhere. partly: none is reversed. not held: one is, somewhere.
    """
    from scarce.errors import IncompleteError

    case = case.among(claim.among)
    findings, kept, reversed_ = Findings(case), [], []
    scenarios = claim.scenarios or [name for name in case.all_scenarios() if name != claim.reference]
    for metric in claim.metrics or case.settings.metrics:
        texts, counted = {}, []
        for scenario in scenarios:
            try:
                both = _both(case, metric, claim.reference, scenario)
            except IncompleteError as error:
                findings.gap(metric, scenario, str(error))
                continue
            before, after = (_directions(blocks, case.settings.alpha) for blocks in both)
            told = [pair for pair, direction in before.items() if direction]
            if not told:
                findings.gap(metric, scenario, "no pair of methods differs in the reference")
                continue
            agreement, leaders = _rankings(both)
            numbers = {
                "pairs": len(told),
                "kept": sum(after[pair] == before[pair] for pair in told),
                "lost": sum(not after[pair] for pair in told),
                "reversed": sum(after[pair] == -before[pair] for pair in told),
                "new": sum(bool(after[pair]) for pair in after if not before[pair]),
                "rank_correlation": agreement,
            }
            findings.add(numbers, scenario=scenario, metric=metric, blocks="datasets")
            texts[scenario] = _sentence(case, numbers, leaders)
            kept.append(numbers["kept"] == numbers["pairs"])
            reversed_.append(numbers["reversed"] > 0)
            counted.append(both[0].n_datasets)
        if texts:
            head = f"{case.label('metric', metric)}, over {data_sets(counted, both[0].n_datasets_asked)}"
            against = f"against {case.label('scenario', claim.reference)}"
            findings.reading.append(f"{head}, {against}: {by_scenario(case, texts)}.")
    if not kept:
        return findings.untested()
    return findings.verdict(held=all(kept), partly=not any(reversed_))


def _sentence(case: Case, numbers: dict[str, float], leaders: list[list[str]]) -> str:
    return (
        f"{numbers['kept']} of {numbers['pairs']} pairs are kept, {numbers['lost']} lost and {numbers['reversed']} "
        f"reversed, {numbers['new']} are new, rank correlation {numbers['rank_correlation']:.2f}, best "
        f"{' before and '.join(methods_of(case, names) for names in leaders)} after"
    )


def _both(case: Case, metric: str, *scenarios: str) -> tuple[Blocks, Blocks]:
    """Both scenarios over the data sets and methods that both have; IncompleteError where there are too few."""
    from dataclasses import replace

    from scarce.analysis.statistics import Procedure
    from scarce.errors import IncompleteError

    blocks = [case.settings.blocks_of(case.scores, metric, scenario, Procedure()) for scenario in scenarios]
    first, second = (one.values for one in blocks)
    rows, columns = first.index.intersection(second.index), first.columns.intersection(second.columns)
    if len(rows) < 2 or len(columns) < 2:
        raise IncompleteError("fewer than two data sets or methods are in both scenarios")
    return tuple(replace(one, values=one.values.loc[rows, columns], n_datasets=len(rows)) for one in blocks)


def _directions(blocks: Blocks, alpha: float) -> dict[tuple[str, str], int]:
    """By pair of methods: 1 where the first is significantly better, -1 where the second is, else 0."""
    from scarce.analysis import evidence

    directions = {}
    for method, other in itertools.combinations(blocks.values, 2):
        numbers = evidence.pair(blocks, method, other)
        ahead = numbers["won"] - numbers["lost"] or numbers["difference"]
        directions[method, other] = (1 if ahead > 0 else -1) if numbers["p"] <= alpha else 0
    return directions


def _rankings(both: tuple[Blocks, Blocks]) -> tuple[float, list[list[str]]]:
    """Spearman's correlation of the average ranks, and the best of each."""
    from scarce.analysis import evidence
    from scarce.analysis.ranks import rank_blocks

    first, second = (rank_blocks(one.values, one.higher_is_better).mean(axis=0) for one in both)
    correlation = first.rank().corr(second.rank())
    return float(correlation), [evidence.leaders(average) for average in (first, second)]
