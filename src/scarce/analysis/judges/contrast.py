"""The judge of two readings of the same runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from scarce.analysis.judges.base import (
    Findings,
    Methods,
    Metric,
    StudyName,
    Verdict,
    Where,
    by_scenario,
    data_sets,
    judge,
    methods_of,
)
from scarce.config.block import Block, Share, across
from scarce.words import listed, percent

if TYPE_CHECKING:
    from scarce.analysis.evidence import Case


class Against(Block):
    """The second reading of a contrast."""

    study: StudyName | None = Field(None, description="its scores; by default the study's own")
    metric: Metric | None = Field(None, description="its metric; by default the same")

    @across("study", "metric")
    def _something(self) -> None:
        if not (self.study or self.metric):
            raise ValueError("needs `study`, `metric` or both: what is read otherwise")


class ContrastArguments(Where):
    """Arguments of `contrast`."""

    methods: Methods | None = Field(None, description="methods that are read otherwise; by default all that are there")
    against: Against
    tolerance: Share = Field(0.01, description="a mean that moves by no more has not changed")

    def studies(self) -> list[str]:
        return [self.against.study] if self.against.study else []


@judge(ContrastArguments)
def contrast(case: Case, claim: ContrastArguments) -> Verdict:
    """Does it not matter how the scores were made (read by another metric, or made in another study)?

    held: no mean over data sets moves by more than `tolerance`, and the same methods lead by average rank; partly: only
    one of the two; not held: means move, and in some setting another method leads.
    """
    from scarce.analysis import evidence
    from scarce.analysis.ties import exceeds
    from scarce.errors import IncompleteError

    source = case.others[claim.against.study] if claim.against.study else case
    findings, moved, changed = Findings(case), [], []
    for metric in claim.metrics or case.settings.metrics:
        shifts, heads, counted = {}, {}, []
        for scenario in claim.scenarios or case.all_scenarios():
            try:
                first, second, focus = evidence.two_readings(
                    case, source, metric, claim.against.metric or metric, scenario, claim.methods
                )
            except IncompleteError as error:
                findings.gap(metric, scenario, str(error))
                continue
            both_of = {"mean": (first.means, second.means), "average_rank": (first.average, second.average)}
            for quantity, both in both_of.items():
                for name in first.ranks:
                    for which, values in zip(("first", "second"), both, strict=True):
                        findings.rows.append(first.row(f"{quantity}_{which}", values[name], name))
            shifts[scenario] = (second.means - first.means)[focus]
            heads[scenario] = [evidence.leaders(panel.average) for panel in (first, second)]
            counted.append(first.blocks.n_datasets)
            moved.append(any(exceeds(abs(shift), claim.tolerance) for shift in shifts[scenario]))
            changed.append(not set(heads[scenario][0]) & set(heads[scenario][1]))
        if shifts:
            other = [case.label("metric", claim.against.metric)] if claim.against.metric else []
            other += [f"in {claim.against.study}"] if claim.against.study else []
            head = f"{case.label('metric', metric)}, read again as {' '.join(other)}"
            head = head if claim.against.metric else head.replace(" as in ", " in ")
            asked = len(case.settings.among(case.datasets, *shifts))
            findings.reading.append(
                f"{head}, over {data_sets(counted, asked)}: {by_scenario(case, _moves(case, shifts))}."
            )
            findings.reading.append(f"The best average rank: {by_scenario(case, _leaders(case, heads))}.")
    if not moved:
        return findings.untested()
    return findings.verdict(held=not any(moved + changed), partly=not (any(moved) and any(changed)))


def _moves(case: Case, shifts: dict) -> dict[str, str]:
    """How means move, by scenario: each of a few methods, else the ends and the median."""
    texts = {}
    for scenario, shift in shifts.items():
        ordered = shift.sort_values(kind="stable")
        named = [f"{case.label('method', name)} {percent(value, sign=True)}" for name, value in ordered.items()]
        if len(named) <= 3:
            texts[scenario] = f"{listed(named)} points"
        else:
            median = percent(float(ordered.median()), sign=True)
            texts[scenario] = f"means move by {median} points in the median ({named[0]} to {named[-1]})"
    return texts


def _leaders(case: Case, heads: dict[str, Sequence[list[str]]]) -> dict[str, str]:
    """Who has the best average rank in the first and in the second reading, by scenario."""
    texts = {}
    for scenario, (before, after) in heads.items():
        first, second = methods_of(case, before), methods_of(case, after)
        texts[scenario] = f"{first} in both readings" if first == second else f"first {first}, then {second}"
    return texts
