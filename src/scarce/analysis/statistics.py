"""From scores to the frames of ``stats/``: ranks, omnibus tests, post-hoc tests and critical differences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from scarce.analysis import tests
from scarce.analysis.means import curves, mean_of_blocks, means_table, spread_within
from scarce.analysis.ranks import Blocks, block_matrix, rank_blocks, with_oracles
from scarce.result_files import columns_of

if TYPE_CHECKING:
    from scarce.config.selection import Selection

PANEL = ["scenario", "metric", "blocks"]
FRAMES = ("ranks", "omnibus", "posthoc", "critical_difference", "notes", "block_ranks", "means", "curves")
COLUMNS = {name: columns_of(name) for name in FRAMES}
OMNIBUS = ("test", "statistic", "df1", "df2", "p", "p_exact")
HOLM = {"step_down": "holm", "no_stop": "holm_no_stop"}


@dataclass(frozen=True)
class Procedure:
    """How methods are compared: what a block is, which side, which Holm, and which methods stay out.

    `exclude` names those that stay out for a metric, `oracles` those that stay out for all.
    """

    blocks: str = "datasets"
    alternative: str = "two-sided"
    holm: str = "step_down"
    exclude: Mapping[str, Sequence[str]] = field(default_factory=dict)
    oracles: Collection[str] = ()

    @property
    def of_holm(self) -> dict[str, Any]:
        """Arguments of `scarce.analysis.tests.holm`."""
        return {"alternative": self.alternative, "step_down": self.holm == "step_down"}


@dataclass(frozen=True)
class AnalysisSettings:
    """What a study asks of its analysis.

    Attributes
    ----------
    metrics : sequence of str
        Metrics to compare; those without scores are passed over.
    tabulated : sequence of str
        Metrics of tables, which are compared as well.
    alpha : float
        Level of all tests.
    missing : {"drop_dataset", "worst", "refuse"}
        See `scarce.analysis.ranks.block_matrix`.
    control : str
        "best" (average rank) or a method.
    exclude : mapping from metric to methods
        Methods that the study's own procedure leaves out where its blocks are "runs". With data sets as blocks no
        method but oracles is left out, in the study's own procedure or beside it.
    oracles : collection of str
        Methods that are fitted on true labels. No procedure ranks or tests them, and what they lack drops no data set.
    blocks, alternative, holm : str
        The study's own procedure: "datasets" or "runs"; "two-sided" or "one-sided"; "step_down" or "no_stop".
        See `procedures`.
    methods, datasets : sequence of str, optional
        What should be there, in order.
    lower_is_better : collection of str
        Metrics of which a small value is good.
    limited : mapping from scenario to data sets
        The data sets that have a scenario, where not all have it.
    selection : Selection, optional
        Among which methods is chosen, by which metrics.
    prevalence : mapping from data set to share of positives
        Of the true labels; for `selection` only.
    """

    metrics: Sequence[str]
    alpha: float = 0.05
    missing: str = "drop_dataset"
    control: str = "best"
    exclude: Mapping[str, Sequence[str]] = field(default_factory=dict)
    blocks: str = "datasets"
    alternative: str = "two-sided"
    holm: str = "step_down"
    methods: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    lower_is_better: frozenset[str] = frozenset()
    tabulated: Sequence[str] = ()
    limited: Mapping[str, Sequence[str]] = field(default_factory=dict)
    selection: Selection | None = None
    prevalence: Mapping[str, float] = field(default_factory=dict)
    oracles: Collection[str] = ()

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha < 1.0:
            raise ValueError(f"alpha lies between 0 and 1, not {self.alpha}")
        if self.holm not in HOLM:
            raise ValueError(f"holm is one of {', '.join(HOLM)}, not {self.holm!r}")

    @property
    def own(self) -> Procedure:
        """The study's own procedure; only with blocks "runs" does it leave methods out that are no oracles."""
        exclude = self.exclude if self.blocks == "runs" else {}
        return Procedure(self.blocks, self.alternative, self.holm, exclude, self.oracles)

    @property
    def procedures(self) -> list[Procedure]:
        """What is compared: always data sets as blocks, and runs beside them where the study has them; no oracles.

        With own blocks "datasets" there is one procedure, with the study's own `alternative` and `holm`. With own
        blocks "runs" there are two: data sets, two-sided with Holm's step-down, and the study's own, with its
        `alternative`, `holm` and `exclude`.
        """
        return [self.own] if self.blocks == "datasets" else [Procedure(oracles=self.oracles), self.own]

    def among(self, datasets: Iterable[str], *scenarios: str) -> list[str]:
        """Those of the data sets that have one of the scenarios."""
        return [name for name in datasets if any(name in self.limited.get(one, (name,)) for one in scenarios)]

    def blocks_of(self, scores: pd.DataFrame, metric: str, scenario: str, procedure: Procedure) -> Blocks:
        """The blocks that `procedure` compares; excluded methods neither rank nor drop a data set."""
        left_out = {*procedure.exclude.get(metric, ()), *procedure.oracles}
        methods = sorted(scores["method"].unique()) if self.methods is None else self.methods
        datasets = sorted(scores["dataset"].unique()) if self.datasets is None else self.datasets
        return block_matrix(
            scores,
            metric,
            scenario,
            procedure.blocks,
            self.missing,
            methods=[m for m in methods if m not in left_out],
            datasets=self.among(datasets, scenario),
            higher_is_better=metric not in self.lower_is_better,
        )


def analyse(
    scores: pd.DataFrame,
    settings: AnalysisSettings,
    published: pd.DataFrame | None = None,
    author_runs: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Compare methods in every scenario and metric; a pure function.

    Parameters
    ----------
    scores : DataFrame
        Columns dataset, scenario, repeat, method, metric, value, fractions unrounded.
    settings : AnalysisSettings
    published, author_runs : DataFrame or None
        As `scarce.analysis.reference` gives them.

    Returns
    -------
    dict of DataFrame
        ``ranks`` (mean: over blocks; sd: mean over data sets of the standard deviation over repeats, ddof 1; wins:
        blocks in which no method is better), ``omnibus``, ``posthoc`` (statistic: difference of average ranks in
        standard errors, for Nemenyi to be held against q), ``critical_difference``, ``notes`` (what was missing,
        left out or could not be tested, and why), ``block_ranks`` (value and rank of each method in each data set
        that is compared), ``means`` and ``curves`` (see `scarce.analysis.means`). All sorted; the order of data sets,
        methods and repeats changes no bit.
    """
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in COLUMNS}
    panels = []
    for scenario in sorted(scores["scenario"].unique()):
        metrics = set(scores.loc[scores["scenario"] == scenario, "metric"])
        for metric in sorted(metrics.intersection([*settings.metrics, *settings.tabulated])):
            for procedure in settings.procedures:
                blocks = settings.blocks_of(scores, metric, scenario, procedure)
                if procedure.blocks == "datasets":
                    panels.append(with_oracles(scores, blocks, settings.oracles))
                for name, rows in _compare(scores, blocks, procedure, settings).items():
                    if len(rows):
                        panel = {"scenario": scenario, "metric": metric, "blocks": procedure.blocks}
                        parts[name].append(rows.assign(**panel)[COLUMNS[name]])
    frames = {
        name: pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=COLUMNS[name])
        for name, rows in parts.items()
    }
    frames["posthoc"] = frames["posthoc"].sort_values(
        [*PANEL, "alternative", "test", "p", "control", "method"], ignore_index=True, kind="stable"
    )
    counted = scores if settings.datasets is None else scores[scores["dataset"].isin(settings.datasets)]
    frames["means"] = means_table(scores, panels, published, author_runs)
    frames["curves"] = curves(counted)
    return frames


def _compare(
    scores: pd.DataFrame, blocks: Blocks, procedure: Procedure, settings: AnalysisSettings
) -> dict[str, pd.DataFrame]:
    """All rows of one panel under one procedure, without the panel's own columns."""
    notes = [(note.dataset, note.method, note.note) for note in blocks.notes]
    n, k = blocks.values.shape
    result: dict[str, pd.DataFrame] = {}
    if n and k:
        ranks = rank_blocks(blocks.values, blocks.higher_is_better)
        average = ranks.mean(axis=0)
        result["ranks"] = _ranks(scores, blocks, ranks, average)
        if procedure.blocks == "datasets":
            values = blocks.values.stack().rename("value")  # noqa: PD013
            block_ranks = pd.DataFrame({"value": values, "rank": ranks.stack()})  # noqa: PD013
            result["block_ranks"] = block_ranks.rename_axis(["dataset", "method"]).reset_index()
    reason = tests.untestable(k, n)
    if reason is None and settings.control != "best" and settings.control not in average.index:
        reason = f"the control method {settings.control} has no ranks"
    if reason is not None:
        notes.append(("", "", f"not tested: {reason}"))
    else:
        results = [tests.friedman(ranks), tests.friedman_tie_corrected(ranks), tests.iman_davenport(ranks)]
        omnibus, alpha = results[-1], settings.alpha
        rows = pd.DataFrame([result.row for result in results])
        result["omnibus"] = rows.astype({"df1": "Int64", "df2": "Int64"})
        result["posthoc"] = tests.after_omnibus(_posthoc(average, n, procedure, settings), omnibus, alpha)
        limits = {"q": tests.nemenyi_q(k, alpha), "critical_difference": tests.critical_difference(k, n, alpha)}
        sizes = pd.DataFrame([{"k": k, "n": n, "alpha": alpha, **limits}])
        result["critical_difference"] = sizes.assign(exploratory=omnibus.keeps(alpha))
        if bool((ranks == (k + 1) / 2).all(axis=None)):
            notes.append(("", "", "all methods tie in every block"))
    result["notes"] = pd.DataFrame(notes, columns=["dataset", "method", "note"])
    return result


def omnibus_tests(rows: pd.DataFrame) -> list[tests.Omnibus]:
    """Iman and Davenport's tests among rows of stats/omnibus.csv, as they were made."""
    own = rows[rows["test"] == "iman_davenport"].astype(object)
    own = own.where(own.notna(), None)
    return [tests.Omnibus(**{name: row[name] for name in OMNIBUS}) for row in own.to_dict("records")]


def _ranks(scores: pd.DataFrame, blocks: Blocks, ranks: pd.DataFrame, average: pd.Series) -> pd.DataFrame:
    rows = pd.DataFrame(
        {
            "average_rank": average,
            "mean": mean_of_blocks(blocks),
            "sd": spread_within(scores, blocks),
            "wins": ranks.eq(ranks.min(axis=1), axis=0).sum(axis=0),
            "n_blocks": len(ranks),
        }
    )
    rows = rows.rename_axis("method").reset_index()
    return rows.sort_values(["average_rank", "method"], ignore_index=True)


def _posthoc(average: pd.Series, n: int, procedure: Procedure, settings: AnalysisSettings) -> pd.DataFrame:
    """Holm's rows always, those of the study's variant beside them, and Nemenyi's."""
    alpha, alternative = settings.alpha, procedure.alternative
    rows = [tests.nemenyi(average, n, alpha=alpha).assign(test="nemenyi", alternative="two-sided")]
    for variant in dict.fromkeys(["step_down", procedure.holm]):
        how = replace(procedure, holm=variant).of_holm
        compared = tests.holm(average, n, control=settings.control, alpha=alpha, **how)
        rows.append(compared.assign(test=HOLM[variant], alternative=alternative))
    return pd.concat(rows, ignore_index=True).assign(alpha=alpha, p_kind=tests.APPROXIMATE)
