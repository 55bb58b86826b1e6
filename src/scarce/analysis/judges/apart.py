"""The judge of how many data sets it takes to tell methods apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.analysis.judges.base import Findings, Verdict, data_sets, judge
from scarce.analysis.judges.order import Ranked
from scarce.config.block import Share

if TYPE_CHECKING:
    from scarce.analysis.evidence import Case

TESTS = {"pair": "a pair alone", "nemenyi": "all pairs (Nemenyi)"}


class TellsApartArguments(Ranked):
    """Arguments of `tells_apart`."""

    difference: Annotated[float, Field(gt=0)] = Field(1.0, description="of average ranks, that is to be found")
    power: Share = Field(0.8, description="probability with which it is to be found")


@judge(TellsApartArguments)
def tells_apart(case: Case, claim: TellsApartArguments) -> Verdict:
    """Are the data sets enough to tell two methods apart whose average ranks differ by so much?

    The standard deviation over data sets of the difference of two ranks is that of each pair of methods of the study.

    held: for every pair and both tests, two methods alone and Nemenyi's of all pairs; partly: for some; not held: else.
    """
    from itertools import combinations

    import numpy as np

    from scarce.analysis import evidence
    from scarce.analysis.power import datasets_needed
    from scarce.analysis.statistics import Procedure

    case = case.among(claim.among)
    findings, enough = Findings(case), []
    alpha = case.settings.alpha
    for panel in evidence.panels(case, claim.metrics, claim.scenarios):
        if panel.procedure.blocks != Procedure().blocks:
            continue
        if panel.reason:
            findings.gap(panel.metric, panel.scenario, panel.reason)
            continue
        n, k = panel.ranks.shape
        needed: dict[str, list[int]] = {test: [] for test in TESTS}
        for one, other in combinations(panel.ranks.columns, 2):
            sd = float(np.std(panel.ranks[one] - panel.ranks[other], ddof=1))
            findings.rows.append(panel.row("sd_rank_difference", sd, one, other))
            for test, numbers in needed.items():
                numbers.append(datasets_needed(claim.difference, sd, k, alpha=alpha, power=claim.power, test=test))
                findings.rows.append(panel.row(f"needed_{test}", numbers[-1], one, other))
                enough.append(numbers[-1] <= n)
        texts = [
            f"for {words}, {min(needed[test])} to {max(needed[test])}, in the median of the pairs "
            f"{math.ceil(float(np.median(needed[test])))}"
            for test, words in TESTS.items()
        ]
        findings.reading.append(
            f"{case.label('metric', panel.metric)}, {k} methods on {data_sets([n], panel.blocks.n_datasets_asked)}: "
            f"a difference of {claim.difference:g} in average rank is found with probability {claim.power:g} at the "
            f"level {alpha:g} with so many data sets: {'; '.join(texts)}."
        )
    return findings.of_items(enough)
