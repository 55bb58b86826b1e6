"""Judges of average ranks: do methods differ at all, who leads, who is significantly better than whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from pubench.analysis.judges.base import (
    HELD,
    NOT_HELD,
    PARTLY,
    Methods,
    Need,
    Others,
    Verdict,
    Where,
    apart,
    at,
    blocks_in_words,
    by_scenario,
    enough,
    judge,
    methods_of,
    not_tested,
    once,
    untested,
)
from pubench.study import Share
from pubench.words import p_value

if TYPE_CHECKING:
    import pandas as pd

    from pubench.analysis.evidence import Case, Panel


class OmnibusArguments(Where):
    """Arguments of `omnibus`."""

    alpha: Share | None = Field(None, description="level of the test; by default the study's")


@judge(OmnibusArguments)
def omnibus(case: Case, given: OmnibusArguments) -> Verdict:
    """Do the methods differ at all (Iman-Davenport's test)?

    held: it rejects in every panel; partly: in some; not held: in none.
    """
    from pubench.analysis import evidence, tests

    panels, reasons = _tested(case, evidence.panels(case, given.metrics, given.scenarios))
    if not panels:
        return untested(reasons)
    alpha = given.alpha or case.settings.alpha
    rows, rejected, reading = [], [], []
    for group in _sentences(panels):
        results = [tests.iman_davenport(panel.ranks) for panel in group]
        for panel, result in zip(group, results, strict=True):
            rows += [panel.row("iman_davenport_f", result.statistic), panel.row("p", result.p)]
        rejected += [result.p < alpha for result in results]
        kept = [panel.scenario for panel, result in zip(group, results, strict=True) if result.p >= alpha]
        said = f"not rejected {at(case, kept)}".rstrip() if kept else "rejected"
        reading.append(
            f"{_head(case, group, sides=False)}: that all methods perform alike is {said} at the level {alpha:g} "
            f"({'largest ' if len(group) > 1 else ''}{p_value(max(result.p for result in results))})."
        )
    verdict = HELD if all(rejected) else PARTLY if any(rejected) else NOT_HELD
    return Verdict(verdict, (*reading, *reasons), evidence.to_frame(rows))


class LeadsArguments(Where):
    """Arguments of `leads`."""

    methods: Methods = Field(description="said to be best; of several, the best-ranked one speaks for all")
    over: Methods | None = Field(None, description="whom they are compared with; by default all others")
    need: Need = Field("all", description="whether all settings must be as claimed, or more than half")

    @model_validator(mode="after")
    def _apart(self) -> LeadsArguments:
        apart(self.methods, [*(self.over or ()), *getattr(self, "tied", ())])
        return self


class OutperformsArguments(LeadsArguments):
    """Arguments of `outperforms`."""

    tied: Others = Field([], description="methods that are said not to be outperformed")


@judge(LeadsArguments)
def leads(case: Case, given: LeadsArguments) -> Verdict:
    """Have the methods the best average rank?

    held: in all settings (most, if that is claimed), whatever counts as a block; partly: in some; not held: in none.
    """
    from pubench.analysis import evidence

    panels, reasons = _with_methods(case, given, evidence.panels(case, given.metrics, given.scenarios))
    if not panels:
        return untested(reasons)
    rows, reading = [], []
    right: dict[str, list[bool]] = {}
    for group in _sentences(panels):
        texts = {}
        for panel in group:
            average = panel.average
            rows += [panel.row("average_rank", average[name], name) for name in evidence.by_rank(average)]
            own = evidence.by_rank(average[_present(panel, given.methods)])
            best = evidence.leaders(average[[*own, *_rivals(panel, given.over, own)]])
            first = set(best) <= set(own)
            right.setdefault(panel.procedure.blocks, []).append(first)
            text = f"{methods_of(case, best)} {'leads' if len(best) == 1 else 'lead'} ({average[best[0]]:.2f})"
            texts[panel.scenario] = text if first else f"{text}, {methods_of(case, own[:1])} has {average[own[0]]:.2f}"
        reading.append(f"{_head(case, group, sides=False)}, average ranks: {by_scenario(case, texts)}.")
    met = all(enough(items, given.need) for items in right.values())
    verdict = HELD if met else PARTLY if any(any(items) for items in right.values()) else NOT_HELD
    return Verdict(verdict, (*reading, *reasons), evidence.to_frame(rows))


@judge(OutperformsArguments)
def outperforms(case: Case, given: OutperformsArguments) -> Verdict:
    """Are the methods significantly better than others (Holm's procedure on average ranks), and not than those `tied`?

    A setting (metric and scenario) is as claimed where the best-ranked of `methods` is significantly better than each
    of `over`, and not significantly different from each of `tied`.

    held: all settings (most, if that is claimed) under every procedure. partly: under one procedure; or some settings
    under all of them; or all (most) settings if one asks only for the better rank. not held: else.
    """
    from pubench.analysis import evidence

    panels, reasons = _with_methods(case, given, evidence.panels(case, given.metrics, given.scenarios))
    if not panels:
        return untested(reasons)
    rows, reading = [], []
    shown: dict[str, dict[tuple[str, str], bool]] = {}
    ahead: dict[str, list[bool]] = {}
    for group in _sentences(panels):
        texts = {}
        for panel in group:
            average = panel.average
            control = evidence.by_rank(average[_present(panel, given.methods)])[0]
            found = evidence.against_control(panel, control, case.settings.alpha)
            tied = found.loc[_present(panel, given.tied)]
            over = found.loc[_rivals(panel, given.over, [*given.methods, *given.tied])]
            as_tied = not tied["significant"].any()
            kind, setting = panel.procedure.blocks, (panel.metric, panel.scenario)
            shown.setdefault(kind, {})[setting] = as_tied and bool((over["ahead"] & over["significant"]).all())
            ahead.setdefault(kind, []).append(as_tied and bool(over["ahead"].all()))
            texts[panel.scenario] = _compared(case, control, average[control], over, tied)
            rows += [panel.row("average_rank", average[name], name) for name in evidence.by_rank(average)]
            for name, row in found.iterrows():
                rows.append(panel.row("p_adjusted", row["p"], control, str(name)))
                rows.append(panel.row("significant", row["significant"], control, str(name)))
        reading.append(f"{_head(case, group)}: {by_scenario(case, texts)}.")
    met = [enough(list(settings.values()), given.need) for settings in shown.values()]
    everywhere = [all(settings.get(key, False) for settings in shown.values()) for key in next(iter(shown.values()))]
    partly = any(met) or any(everywhere) or all(enough(items, given.need) for items in ahead.values())
    return Verdict(HELD if all(met) else PARTLY if partly else NOT_HELD, (*reading, *reasons), evidence.to_frame(rows))


def _compared(case: Case, control: str, rank: float, over: pd.DataFrame, tied: pd.DataFrame) -> str:
    """One method against others: how many are significantly worse, and who is not."""
    text = f"{case.label('method', control)} (average rank {rank:.2f})"
    if len(over):
        better = over["ahead"] & over["significant"]
        rest = over[~better].sort_values("rank", kind="stable")
        if len(over) == 1:
            text += f" is {'' if better.all() else 'not '}significantly better than {methods_of(case, over.index)}"
        else:
            text += f" is significantly better than {f'{int(better.sum())} of' if len(rest) else 'all'} {len(over)}"
            text += f", not than {methods_of(case, rest.index)}" if len(rest) else ""
        if len(rest) and not (first := rest[~rest["ahead"]]).empty:
            text += f" ({methods_of(case, first.index)} {'ranks' if len(first) == 1 else 'rank'} no worse)"
    for different, words in ((False, "not different from"), (True, "different from")):
        if len(names := tied.index[tied["significant"] == different]):
            text += f"{'; ' if len(over) else ' is '}{words} {methods_of(case, names)}"
    return text


def _head(case: Case, group: Sequence[Panel], *, sides: bool = True) -> str:
    """What a sentence is about: blocks, metric, and who is left out of the test."""
    metric = group[0].metric
    left_out = [name for name in group[0].procedure.exclude.get(metric, ()) if name in case.methods]
    more = f" (without {methods_of(case, left_out)})" if left_out else ""
    return f"{blocks_in_words(group, sides=sides)}, {case.label('metric', metric)}{more}"


def _sentences(panels: Sequence[Panel]) -> list[list[Panel]]:
    """Panels of one procedure and one metric: what one sentence speaks of."""
    groups: dict[tuple[str, str], list[Panel]] = {}
    for panel in panels:
        groups.setdefault((panel.procedure.blocks, panel.metric), []).append(panel)
    return list(groups.values())


def _tested(case: Case, found: Sequence[Panel]) -> tuple[list[Panel], list[str]]:
    """Panels that could be tested, and why others could not."""
    reasons = [not_tested(case, panel.metric, panel.scenario, panel.reason) for panel in found if panel.reason]
    return [panel for panel in found if not panel.reason], list(once(reasons))


def _present(panel: Panel, methods: Sequence[str]) -> list[str]:
    return [name for name in methods if name in panel.ranks]


def _rivals(panel: Panel, over: Sequence[str] | None, others: Sequence[str]) -> list[str]:
    """Whom a claim compares with: those it names, else all but `others`; only those that are in the panel."""
    return _present(panel, over) if over else [name for name in panel.ranks if name not in others]


def _with_methods(case: Case, given: LeadsArguments, found: Sequence[Panel]) -> tuple[list[Panel], list[str]]:
    """Panels that hold a method of the claim and one to compare it with, and why others were passed over."""
    tested, reasons = _tested(case, found)
    kept = []
    for panel in tested:
        named = [*(given.over or ()), *getattr(given, "tied", ())]
        if _present(panel, given.methods) and (_present(panel, named) or _rivals(panel, given.over, given.methods)):
            kept.append(panel)
            continue
        lacking = [name for name in (*given.methods, *named) if name not in panel.ranks]
        reasons.append(not_tested(case, panel.metric, panel.scenario, f"no results of {methods_of(case, lacking)}"))
    return kept, list(once(reasons))
