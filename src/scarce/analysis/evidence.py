"""What verdicts on a paper's claims rest on: ranks and tests of chosen panels, pairs of methods, scores read twice.

A *panel* is one metric in one scenario, compared under one procedure (see `scarce.analysis.statistics.Procedure`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from scarce.analysis import tests
from scarce.analysis.exact import EXACT, signed_rank
from scarce.analysis.means import mean_of_blocks
from scarce.analysis.ranks import SCORE_KEYS, Blocks, by_rank, rank_blocks
from scarce.analysis.rows import matching
from scarce.analysis.statistics import AnalysisSettings, Procedure
from scarce.analysis.ties import exact_mean, settled
from scarce.errors import IncompleteError
from scarce.result_files import columns_of

EVIDENCE = columns_of("evidence")[1:]  # without the claim


@dataclass(frozen=True)
class Case:
    """What a claim is judged on.

    Attributes
    ----------
    scores : DataFrame
        Columns dataset, scenario, repeat, method, metric, value.
    settings : AnalysisSettings
        Of the study; `settings.datasets` are the data sets that count.
    labels : mapping of str to mapping
        Under "method", "metric" and "scenario": name to label, in the study's order.
    published, author_runs : DataFrame or None
        As `scarce.analysis.reference` gives them.
    importances : DataFrame or None
        As in importances.csv.
    others : mapping from study to Case
        The other studies that claims name.
    """

    scores: pd.DataFrame
    settings: AnalysisSettings
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    published: pd.DataFrame | None = None
    author_runs: pd.DataFrame | None = None
    importances: pd.DataFrame | None = None
    others: Mapping[str, Case] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        return list(self.settings.methods or sorted(self.scores["method"].unique()))

    @property
    def datasets(self) -> list[str]:
        return list(self.settings.datasets or sorted(self.scores["dataset"].unique()))

    def among(self, methods: Sequence[str] | None) -> Case:
        """The same case with these methods alone; an oracle that is named is compared like the others."""
        if methods is None:
            return self
        return replace(self, settings=replace(self.settings, methods=list(methods), oracles=()))

    def label(self, kind: str, name: str) -> str:
        """How a reader knows a method, metric or scenario."""
        return str(self.labels.get(kind, {}).get(name, name))

    def all_scenarios(self) -> list[str]:
        return list(self.labels.get("scenario", {})) or sorted(self.scores["scenario"].unique())

    def settings_of(self, metrics: Sequence[str] | None, scenarios: Sequence[str] | None) -> list[tuple[str, str]]:
        """(metric, scenario) of a claim: those that it names, else all of the study."""
        return [(m, s) for m in metrics or self.settings.metrics for s in scenarios or self.all_scenarios()]


@dataclass(frozen=True)
class Panel:
    """Methods ranked by one metric in one scenario under one procedure; without ranks, `reason` says why."""

    metric: str
    scenario: str
    procedure: Procedure
    blocks: Blocks | None
    ranks: pd.DataFrame
    reason: str = ""

    @property
    def average(self) -> pd.Series:
        """Average rank by method."""
        return self.ranks.mean(axis=0)

    @property
    def omnibus(self) -> tests.Omnibus:
        """Iman and Davenport's test of the panel, with the exact p-value where there is one."""
        return tests.iman_davenport(self.ranks)

    @property
    def means(self) -> pd.Series:
        """Mean over the blocks, by method."""
        return mean_of_blocks(self.blocks)

    @property
    def key(self) -> tuple[str, str, str]:
        return self.scenario, self.metric, self.procedure.blocks

    def row(self, quantity: str, value: float, method: str = "", other: str = "") -> tuple:
        """A row of evidence."""
        return (*self.key, "", method, other, quantity, float(value))


def panels(case: Case, metrics: Sequence[str] | None, scenarios: Sequence[str] | None) -> list[Panel]:
    """The panels of a claim under each of the study's procedures, tested or with the reason why not."""
    panels = []
    for procedure in case.settings.procedures:
        for metric, scenario in case.settings_of(metrics, scenarios):
            try:
                blocks = case.settings.blocks_of(case.scores, metric, scenario, procedure)
            except IncompleteError as error:
                panels.append(Panel(metric, scenario, procedure, None, pd.DataFrame(), str(error)))
                continue
            n, k = blocks.values.shape
            ranks = rank_blocks(blocks.values, blocks.higher_is_better)
            panels.append(Panel(metric, scenario, procedure, blocks, ranks, tests.untestable(k, n) or ""))
    return panels


def against_control(panel: Panel, control: str, alpha: float) -> pd.DataFrame:
    """Every other method of a tested panel against `control`, by the panel's procedure.

    Indexed by method: rank, p (Holm's adjusted), significant (none where the omnibus test keeps its hypothesis), ahead
    (the control has the better average rank).
    """
    average = panel.average
    compared = tests.holm(average, len(panel.ranks), control=control, alpha=alpha, **panel.procedure.of_holm)
    compared = tests.after_omnibus(compared.set_index("method"), panel.omnibus, alpha)
    rank = average[compared.index]
    compared = compared[["p_adjusted", "significant"]].rename(columns={"p_adjusted": "p"})
    return compared.assign(rank=rank, ahead=rank > average[control])


def blocks_of_pair(case: Case, metric: str, scenario: str, method: str, other: str) -> Blocks | None:
    """Two methods alone over the data sets that have both; None where there is none."""
    alone = replace(case.settings, methods=[method, other])
    blocks = alone.blocks_of(case.scores, metric, scenario, Procedure())
    return blocks if blocks.values.shape[1] == 2 and len(blocks.values) else None


def pair(blocks: Blocks, method: str, other: str) -> dict[str, float]:
    """Two methods over the same data sets.

    ``difference`` is of the means, positive where `method` is better; ``won``, ``tied``, ``lost`` and ``n`` count data
    sets; ``p`` is of Wilcoxon's signed-rank test, two-sided, zeros split evenly (Demsar 2006, section 3.1.3), and
    ``exact`` says whether it is exact.
    """
    values = blocks.values[[method, other]]
    values = values[np.isfinite(values).all(axis=1)]
    sign = 1 if blocks.higher_is_better else -1
    # zero where both are equal in exact arithmetic, since the values of a block are settled
    difference = sign * (values[method] - values[other]).to_numpy(float)
    means = settled([exact_mean(values[name]) for name in (method, other)])
    test = signed_rank(difference, scale=values.abs().max(axis=1).to_numpy(float))
    return {
        "difference": float(sign * (means[0] - means[1])),
        "won": int((difference > 0).sum()),
        "tied": int((difference == 0).sum()),
        "lost": int((difference < 0).sum()),
        "n": len(difference),
        "p": test.p,
        "exact": test.kind == EXACT,
    }


def two_readings(
    case: Case, source: Case, metric: str, other_metric: str, scenario: str, methods: Sequence[str] | None
) -> tuple[Panel, Panel, list[str]]:
    """A panel over data sets, and the same with `methods` read otherwise: from `source`, by `other_metric`.

    The other methods stay as they are; without `methods`, all that are in both readings are read otherwise. Both panels
    hold the same runs: those that are in both readings. The third is the list of what was read otherwise.

    Raises
    ------
    IncompleteError
        If there is nothing to compare, or something is missing and the study's policy is to refuse.
    """
    first, read = _cells(case, case, metric, scenario), _cells(case, source, other_metric, scenario)
    both = set(first["method"]) & set(read["method"])
    focus = [name for name in methods or case.methods if name in both]
    if missing := [name for name in methods or () if name not in both]:
        raise IncompleteError(f"without {', '.join(case.label('method', name) for name in missing)} in both readings")
    read = read[read["method"].isin(focus)].assign(metric=metric)
    runs = read[["dataset", "repeat"]].drop_duplicates()
    kept = first[~first["method"].isin(focus)].merge(runs, on=["dataset", "repeat"])
    second = pd.concat([kept, read], ignore_index=True)
    keys = first[SCORE_KEYS].merge(second[SCORE_KEYS], on=SCORE_KEYS)
    alone = replace(case.settings, methods=[name for name in case.methods if name in set(keys["method"])])
    readings = []
    for scores in (first, second):
        blocks = alone.blocks_of(scores.merge(keys, on=SCORE_KEYS), metric, scenario, Procedure())
        if not focus or not len(blocks.values) or set(focus) - set(blocks.values):
            raise IncompleteError("no data set is complete in both readings")
        readings.append(
            Panel(metric, scenario, Procedure(), blocks, rank_blocks(blocks.values, blocks.higher_is_better))
        )
    return *readings, focus


def _cells(case: Case, source: Case, metric: str, scenario: str) -> pd.DataFrame:
    rows = matching(source.scores, metric=metric, scenario=scenario)
    return rows[rows["dataset"].isin(case.datasets)].dropna(subset=["value"])


def leaders(average: pd.Series) -> list[str]:
    """The methods with the best average rank."""
    return [method for method in by_rank(average) if average[method] == average.min()]


def to_frame(rows: Iterable[tuple]) -> pd.DataFrame:
    """Rows of evidence as a frame."""
    return pd.DataFrame(list(rows), columns=EVIDENCE)
