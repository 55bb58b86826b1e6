"""Judges of average ranks: do methods differ at all, who leads, who is significantly better than whom."""

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
    at,
    by_scenario,
    enough,
    head,
    judge,
    methods_of,
)
from scarce.config.block import Share, across
from scarce.words import p_value

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case, Panel


class Ranked(Where):
    """Arguments of judges that rank methods."""

    among: Methods | None = Field(None, description="methods that are ranked together; by default all of the study")

    def _refuse_unranked(self, names: Sequence[str]) -> None:
        if self.among and (strangers := [name for name in names if name not in self.among]):
            raise ValueError(f"{', '.join(strangers)} must be among those that are ranked")


class OmnibusArguments(Ranked):
    """Arguments of `omnibus`."""

    alpha: Share | None = Field(None, description="level of the test; by default the study's")


@judge(OmnibusArguments)
def omnibus(case: Case, claim: OmnibusArguments) -> Verdict:
    """Do the methods differ at all (Friedman's test, exact where that is feasible, else Iman-Davenport's)?

    held: it rejects in every panel; partly: in some; not held: in none.
    """
    case = case.among(claim.among)
    findings, rejected = Findings(case), []
    panels = _tested(case, claim, findings)
    alpha = claim.alpha or case.settings.alpha
    for group in _sentences(panels):
        results = [panel.omnibus for panel in group]
        for panel, result in zip(group, results, strict=True):
            findings.rows += [panel.row("iman_davenport_f", result.statistic), panel.row("p", result.decisive)]
            findings.rows.append(panel.row("exact", result.p_exact is not None))
        rejected += [not result.keeps(alpha) for result in results]
        kept = [panel.scenario for panel, result in zip(group, results, strict=True) if result.keeps(alpha)]
        outcome = f"not rejected {at(case, kept)}".rstrip() if kept else "rejected"
        findings.reading.append(
            f"{head(case, group, tested=False)}: that all methods perform alike is {outcome} at the level {alpha:g} "
            f"({'largest ' if len(group) > 1 else ''}{p_value(max(result.decisive for result in results))})."
        )
    return findings.of_items(rejected)


class LeadsArguments(Ranked):
    """Arguments of `leads`."""

    methods: Methods = Field(description="said to be best; of several, the best-ranked one speaks for all")
    over: Methods | None = Field(None, description="whom they are compared with; by default all others")
    need: Need = Field("all", description="whether all settings must be as claimed, or more than half")

    @across("methods", "over")
    def _apart(self) -> None:
        apart(self.methods, self.over or ())

    @across("among", "methods", "over")
    def _ranked(self) -> None:
        self._refuse_unranked([*self.methods, *(self.over or ())])


class OutperformsArguments(LeadsArguments):
    """Arguments of `outperforms`."""

    tied: Others = Field([], description="methods that are said not to be outperformed")

    @across("methods", "tied")
    def _apart_from_tied(self) -> None:
        apart(self.methods, self.tied)

    @across("among", "tied")
    def _tied_are_ranked(self) -> None:
        self._refuse_unranked(self.tied)


@judge(LeadsArguments)
def leads(case: Case, claim: LeadsArguments) -> Verdict:
    """Have the methods the best average rank?

    held: in all settings (most, if that is claimed), whatever counts as a block; partly: in some; not held: in none.
    """
    from scarce.analysis import evidence

    case, panels, findings = _with_methods(case, claim)
    if not panels:
        return findings.untested()
    right: dict[str, list[bool]] = {}
    for group in _sentences(panels):
        texts = {}
        for panel in group:
            average = panel.average
            findings.rows += [panel.row("average_rank", average[name], name) for name in evidence.by_rank(average)]
            own = evidence.by_rank(average[_present(panel, claim.methods)])
            best = evidence.leaders(average[[*own, *_rivals(panel, claim.over, own)]])
            first = set(best) <= set(own)
            right.setdefault(panel.procedure.blocks, []).append(first)
            text = f"{methods_of(case, best)} {'leads' if len(best) == 1 else 'lead'} ({average[best[0]]:.2f})"
            texts[panel.scenario] = text if first else f"{text}, {methods_of(case, own[:1])} has {average[own[0]]:.2f}"
        findings.reading.append(f"{head(case, group, tested=False)}, average ranks: {by_scenario(case, texts)}.")
    met = all(enough(items, claim.need) for items in right.values())
    return findings.verdict(held=met, partly=any(any(items) for items in right.values()))


@judge(OutperformsArguments)
def outperforms(case: Case, claim: OutperformsArguments) -> Verdict:
    """Are the methods significantly better than others (Holm's procedure on average ranks), and not than those `tied`?

    A setting (metric and scenario) is as claimed where the best-ranked of `methods` is significantly better than each
    of `over`, and not significantly different from each of `tied`. Where Friedman's test keeps the hypothesis that all
    methods perform alike, no pair counts as different.

    held: all settings (most, if that is claimed) under every procedure. partly: under one procedure; or some settings
    under all of them; or all (most) settings if one asks only for the better rank. not held: else.
    """
    from scarce.analysis import evidence

    case, panels, findings = _with_methods(case, claim)
    if not panels:
        return findings.untested()
    shown: dict[str, dict[tuple[str, str], bool]] = {}
    ahead: dict[str, list[bool]] = {}
    for group in _sentences(panels):
        texts = {}
        for panel in group:
            average = panel.average
            control = evidence.by_rank(average[_present(panel, claim.methods)])[0]
            compared = evidence.against_control(panel, control, case.settings.alpha)
            tied = compared.loc[_present(panel, claim.tied)]
            over = compared.loc[_rivals(panel, claim.over, [*claim.methods, *claim.tied])]
            as_tied = not tied["significant"].any()
            kind, setting = panel.procedure.blocks, (panel.metric, panel.scenario)
            shown.setdefault(kind, {})[setting] = as_tied and bool((over["ahead"] & over["significant"]).all())
            ahead.setdefault(kind, []).append(as_tied and bool(over["ahead"].all()))
            texts[panel.scenario] = _compared(case, control, average[control], over, tied)
            if (omnibus := panel.omnibus).keeps(case.settings.alpha):
                texts[panel.scenario] += f", as {omnibus.words(case.settings.alpha)}"
            for name, row in compared.sort_values("rank", kind="stable").iterrows():
                numbers = {"average_rank": average[control], "average_rank_other": row["rank"]}
                numbers |= {"p_adjusted": row["p"], "significant": row["significant"]}
                findings.rows += [panel.row(quantity, value, control, str(name)) for quantity, value in numbers.items()]
        findings.reading.append(f"{head(case, group)}: {by_scenario(case, texts)}.")
    met = [enough(list(settings.values()), claim.need) for settings in shown.values()]
    everywhere = [all(settings.get(key, False) for settings in shown.values()) for key in next(iter(shown.values()))]
    partly = any(met) or any(everywhere) or all(enough(items, claim.need) for items in ahead.values())
    return findings.verdict(held=all(met), partly=partly)


def _compared(case: Case, control: str, rank: float, over: pd.DataFrame, tied: pd.DataFrame) -> str:
    """One method against others: how many are significantly worse, and who is not."""
    text = f"{case.label('method', control)} (average rank {rank:.2f})"
    if len(over):
        better = over["ahead"] & over["significant"]
        rest = over[~better].sort_values("rank", kind="stable")
        if len(over) == 1:
            text += f" is {'' if better.all() else 'not '}significantly better than {methods_of(case, over.index)}"
        else:
            count = (
                f"{int(better.sum())} of {len(over)}" if len(rest) else "both" if len(over) == 2 else f"all {len(over)}"
            )
            text += f" is significantly better than {count}"
            text += f", not than {methods_of(case, rest.index)}" if len(rest) else ""
        if len(rest) and not (first := rest[~rest["ahead"]]).empty:
            text += f" ({methods_of(case, first.index)} {'ranks' if len(first) == 1 else 'rank'} no worse)"
    for different, words in ((False, "not different from"), (True, "different from")):
        if len(names := tied.index[tied["significant"] == different]):
            text += f"{'; ' if len(over) else ' is '}{words} {methods_of(case, names)}"
    return text


def _sentences(panels: Sequence[Panel]) -> list[list[Panel]]:
    """Panels of one procedure and one metric: what one sentence speaks of."""
    groups: dict[tuple[str, str], list[Panel]] = {}
    for panel in panels:
        groups.setdefault((panel.procedure.blocks, panel.metric), []).append(panel)
    return list(groups.values())


def _tested(case: Case, claim: Ranked, findings: Findings) -> list[Panel]:
    """The panels of a claim that can be tested."""
    from scarce.analysis import evidence

    panels = evidence.panels(case, claim.metrics, claim.scenarios)
    for panel in panels:
        if panel.reason:
            findings.gap(panel.metric, panel.scenario, panel.reason)
    return [panel for panel in panels if not panel.reason]


def _present(panel: Panel, methods: Sequence[str]) -> list[str]:
    return [name for name in methods if name in panel.ranks]


def _rivals(panel: Panel, over: Sequence[str] | None, others: Sequence[str]) -> list[str]:
    """Whom a claim compares with: those it names, else all but `others`; only those that are in the panel."""
    return _present(panel, over) if over else [name for name in panel.ranks if name not in others]


def _with_methods(case: Case, claim: LeadsArguments) -> tuple[Case, list[Panel], Findings]:
    """The case of the methods that are ranked, its panels with a method of the claim and one to compare it with."""
    case = case.among(claim.among)
    findings, kept = Findings(case), []
    for panel in _tested(case, claim, findings):
        named = [*(claim.over or ()), *getattr(claim, "tied", ())]
        if _present(panel, claim.methods) and (_present(panel, named) or _rivals(panel, claim.over, claim.methods)):
            kept.append(panel)
            continue
        lacking = [name for name in (*claim.methods, *named) if name not in panel.ranks]
        findings.gap(panel.metric, panel.scenario, f"no results of {methods_of(case, lacking)}")
    return case, kept, findings
