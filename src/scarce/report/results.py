"""The results of a study as its report needs them: frames, names as a reader sees them, and what is counted."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pandas as pd

from scarce.analysis.ranks import Blocks, block_matrix
from scarce.analysis.statistics import AnalysisSettings
from scarce.errors import ScarceError
from scarce.report import table_notes
from scarce.report.style import Method
from scarce.report.tables import Labels, Results
from scarce.scoring.metrics import METRICS


@dataclass(frozen=True)
class StudyResults:
    """Everything that tables, figures and the page are made of.

    Attributes
    ----------
    scores, runs, failures, facts : DataFrame
        As in the CSV files.
    stats : mapping from name to DataFrame
        The files of stats/.
    agreement, agreement_runs, agreement_notes : DataFrame
    settings : AnalysisSettings
        ``settings.datasets`` are those that averages and tests count.
    labels : Labels
        Of all methods, data sets and scenarios of the study, in its order.
    methods : sequence of Method
    ratios : mapping from scenario to flip ratio
        Of scenarios whose class prior is not multiplied.
    factors : mapping from plain scenario to a mapping from scenario to factor of the class prior
        Empty where a study has one factor.
    unavailable : mapping from data set to reason
    sizes : mapping from data set to (rows, features, positives)
    bases : mapping from method to the method of the study that it builds on
    published, author_runs : DataFrame or None
    printed_ranks, printed_facts, printed_sizes : DataFrame
        As `scarce.analysis.reference.printed` gives them.
    """

    scores: pd.DataFrame
    runs: pd.DataFrame
    failures: pd.DataFrame
    facts: pd.DataFrame
    stats: Mapping[str, pd.DataFrame]
    agreement: pd.DataFrame
    agreement_runs: pd.DataFrame
    agreement_notes: pd.DataFrame
    settings: AnalysisSettings
    labels: Labels
    methods: Sequence[Method]
    ratios: Mapping[str, float]
    unavailable: Mapping[str, str]
    sizes: Mapping[str, tuple[int, int, int]]
    bases: Mapping[str, str]
    printed_ranks: pd.DataFrame
    printed_facts: pd.DataFrame
    printed_sizes: pd.DataFrame
    published: pd.DataFrame | None = None
    author_runs: pd.DataFrame | None = None
    factors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def metrics(self) -> list[str]:
        """The metrics that the study compares by and that have values."""
        there = set(self.scores.metric[self.scores.value.notna()])
        return [metric for metric in self.settings.metrics if metric in there]

    @property
    def present(self) -> list[str]:
        """Data sets with results, in the study's order, stand-ins last."""
        there = set(self.scores.dataset)
        return [name for name in self.labels.datasets if name in there]

    @property
    def counted(self) -> list[str]:
        """Data sets that averages and tests count and that have results."""
        return [name for name in self.present if name in self.settings.datasets]

    def panels(self) -> list[tuple[str, str]]:
        """Every (metric, scenario) that has values."""
        return [(metric, scenario) for metric in self.metrics for scenario in self.labels.scenarios]

    def names(self) -> dict[str, Mapping[str, str]]:
        """Under method, metric, dataset and scenario: what a reader knows each by."""
        return {
            "method": self.labels.methods,
            "metric": {metric: self.metric_label(metric) for metric in self.metrics},
            "dataset": {name: self.labels.titles[name] for name in self.labels.datasets},
            "scenario": self.labels.scenarios,
        }

    def metric_label(self, metric: str) -> str:
        return METRICS[metric].label

    def scenario_label(self, scenario: str) -> str:
        return self.labels.scenarios[scenario]

    def counted_scores(self) -> pd.DataFrame:
        """Scores of the data sets that averages count."""
        return self.scores[self.scores.dataset.isin(self.counted)]

    def counted_words(self) -> str:
        """What a caption says of missing data sets and of stand-ins; empty where there are neither."""
        asked, apart = self.settings.datasets, [name for name in self.present if name not in self.settings.datasets]
        said = []
        if len(self.counted) < len(asked):
            said.append(f"N = {len(self.counted)} of {len(asked)} data sets.")
        if apart:
            names = ", ".join(self.labels.titles[name] for name in apart)
            said.append(f"Stand-ins for other data sets, in no average or test: {names}.")
        return " ".join(said)

    def missing_words(self, metric: str, scenario: str) -> str:
        """What a caption says of missing results, beside data sets without any; empty where there are none."""
        blocks = self.blocks(metric, scenario)
        if blocks is None:
            return ""
        notes = tuple(note for note in blocks.notes if note.method or note.dataset in self.present)
        return " ".join(table_notes.of_missing(self.tables, {scenario: replace(blocks, notes=notes)}))

    def has_values(self, metrics: Collection[str], scenarios: Collection[str]) -> bool:
        """Whether a data set that averages count has a value of any of the metrics in any of the scenarios."""
        scores = self.counted_scores()
        return bool(scores.value[scores.metric.isin(metrics) & scores.scenario.isin(scenarios)].notna().any())

    @functools.cached_property
    def tables(self) -> Results:
        """The same for tables."""
        return Results(
            scores=self.scores,
            stats=self.stats,
            settings=self.settings,
            labels=self.labels,
            published=self.published,
            author_runs=self.author_runs,
            runs=self.runs,
            unavailable=self.unavailable,
        )

    def blocks(self, metric: str, scenario: str) -> Blocks | None:
        """Data sets x methods, or None where the study's policy refuses what is missing."""
        try:
            return block_matrix(
                self.scores,
                metric,
                scenario,
                missing=self.settings.missing,
                methods=self.settings.methods,
                datasets=self.settings.datasets,
                higher_is_better=metric not in self.settings.lower_is_better,
            )
        except ScarceError:
            return None

    def average_ranks(self, metric: str, scenario: str) -> pd.Series | None:
        """Average rank by method over data sets."""
        rows = self._panel("ranks", metric, scenario)
        return rows.set_index("method").average_rank if len(rows) else None

    def critical_difference(self, metric: str, scenario: str) -> tuple[float, int] | None:
        """Nemenyi's critical difference and the number of data sets, or None where there was no test."""
        rows = self._panel("critical_difference", metric, scenario)
        return (float(rows.critical_difference.iloc[0]), int(rows.n.iloc[0])) if len(rows) else None

    def _panel(self, name: str, metric: str, scenario: str) -> pd.DataFrame:
        frame = self.stats[name]
        return frame[(frame.metric == metric) & (frame.scenario == scenario) & (frame.blocks == "datasets")]
