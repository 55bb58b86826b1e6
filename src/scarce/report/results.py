"""The results of a study as its report needs them: frames, names as a reader sees them, and what is counted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from scarce.analysis.rows import matching
from scarce.analysis.statistics import AnalysisSettings, omnibus_tests
from scarce.analysis.tests import Omnibus
from scarce.config.selection import BASELINES, way_label
from scarce.report import table_notes
from scarce.scoring.observed_metrics import ALL_METRICS
from scarce.words import percent

#: Follows the label of a method that is fitted on true labels, wherever its name stands.
USES_HIDDEN_LABELS = " (uses hidden labels)"


def marked(label: str, hidden_labels: bool) -> str:
    """The label of a method, with the words that mark an oracle."""
    return f"{label}{USES_HIDDEN_LABELS}" if hidden_labels else label


@dataclass(frozen=True)
class DisplayNames:
    """Names as a reader sees them; the order of the mappings is the order of rows and columns.

    `methods` and `scenarios` map names to labels, `datasets` to codes, `titles` data sets to full titles.
    """

    methods: Mapping[str, str]
    datasets: Mapping[str, str]
    scenarios: Mapping[str, str]
    titles: Mapping[str, str] = field(default_factory=dict)

    def of(self, kind: str, name: str) -> str:
        """What a reader knows a method, metric, dataset or scenario by; any other name is its own.

        Where methods are compared, ways to choose among them may stand in their place.
        """
        if kind == "metric":
            return ALL_METRICS[name].label if name in ALL_METRICS else name
        if kind == "method" and name not in self.methods and name in (*BASELINES, *ALL_METRICS):
            return way_label(name, self.of)
        known = {"method": self.methods, "dataset": self.titles or self.datasets, "scenario": self.scenarios}
        return str(known.get(kind, {}).get(name, name))

    def short(self, kind: str, name: str) -> str:
        """The same where there is little room: data sets by their codes."""
        return str(self.datasets.get(name, name)) if kind == "dataset" else self.of(kind, name)


@dataclass(frozen=True)
class DisplayMethod:
    """What a figure needs to know of a method: its name in the results, its label (see `marked`) and its family."""

    name: str
    label: str
    family: str = ""


class Frames(dict):
    """The CSV files of a study by name without the ending, e.g. ``stats/means``; each is read when it is needed."""

    def __init__(self, read: Callable[[str], pd.DataFrame]):
        super().__init__()
        self._read = read

    def __missing__(self, name: str) -> pd.DataFrame:
        self[name] = frame = self._read(name)
        return frame


@dataclass(frozen=True)
class StudyResults:
    """Everything that tables, figures and the page are made of.

    Attributes
    ----------
    frames : mapping from str to DataFrame
        The CSV files of the study, see `Frames`.
    settings : AnalysisSettings
        ``settings.datasets`` are those that averages and tests count.
    names : DisplayNames
        Of all methods, data sets and scenarios of the study, in its order.
    methods : sequence of DisplayMethod
        Those that are run; of the methods in `published_only` there are published numbers only.
    ratios : mapping from scenario to flip ratio
        Of scenarios whose class prior is not multiplied.
    factors : mapping from plain scenario to a mapping from scenario to factor of the class prior
        Empty where a study has one factor.
    repeated : mapping from data set to the earlier one whose table it holds
        Those are in no average or test.
    unavailable, sizes : mappings from data set to reason, and to (rows, features, positives)
    nominal : mapping from data set to the number of its nominal columns, before they are encoded
    shapes : mapping from data set to the shape of a row, where that is no list of numbers
    bases : mapping from method to the method of the study that it builds on
    printed_sizes : DataFrame or None
        As `scarce.analysis.reference.printed` gives them.
    assumptions : mapping from metric to text
        What must hold for a metric of observed labels to mean what it says.
    stated : mapping from metric to sentence
        What the study states of a metric: its k, its costs.
    truth_known : bool
        Whether class columns hold true labels.
    """

    frames: Mapping[str, pd.DataFrame]
    settings: AnalysisSettings
    names: DisplayNames
    methods: Sequence[DisplayMethod] = ()
    published_only: Collection[str] = ()
    ratios: Mapping[str, float] = field(default_factory=dict)
    factors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    repeated: Mapping[str, str] = field(default_factory=dict)
    unavailable: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    nominal: Mapping[str, int] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    bases: Mapping[str, str] = field(default_factory=dict)
    printed_sizes: pd.DataFrame | None = None
    assumptions: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[str, str] = field(default_factory=dict)
    truth_known: bool = True

    @property
    def scores(self) -> pd.DataFrame:
        return self.frames["scores"]

    @property
    def runs(self) -> pd.DataFrame:
        return self.frames["runs"]

    def stats(self, name: str) -> pd.DataFrame:
        """A file of ``stats/``."""
        return self.frames[f"stats/{name}"]

    def panel(self, name: str, metric: str, scenario: str, blocks: str | None = None) -> pd.DataFrame:
        """The rows of a file of ``stats/`` for one metric and scenario, and one kind of blocks."""
        rows = matching(self.stats(name), metric=metric, scenario=scenario)
        return rows if blocks is None else matching(rows, blocks=blocks)

    def means(self, metric: str, scenario: str) -> pd.DataFrame:
        """Means of single data sets."""
        rows = self.panel("means", metric, scenario)
        return rows[rows["dataset"] != ""]

    def averages(self, metric: str, scenario: str) -> pd.DataFrame:
        """Averages over data sets, by method of the study."""
        rows = matching(self.panel("means", metric, scenario), dataset="")
        return rows[rows["method"].isin(list(self.names.methods))].set_index("method")

    def curves(self, metric: str) -> pd.DataFrame:
        """Means over data sets and their standard deviation over repeats, of one metric."""
        return matching(self.stats("curves"), metric=metric)

    def counted_means(self) -> pd.DataFrame:
        """Means of the data sets that averages count."""
        means = self.stats("means")
        return means[means["dataset"].isin(self.counted)]

    @cached_property
    def _with_values(self) -> pd.DataFrame:
        """Metric, scenario and data set of every cell with a value."""
        means = self.stats("means")
        means = means[(means["n_runs"] > 0) & (means["dataset"] != "")]
        return means[["metric", "scenario", "dataset"]].drop_duplicates()

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics that the study compares by and that have values."""
        present = set(self._with_values["metric"])
        return [metric for metric in self.settings.metrics if metric in present]

    @cached_property
    def present(self) -> list[str]:
        """Data sets with results, in the study's order, stand-ins last."""
        present = set(self._with_values["dataset"])
        return [name for name in self.names.datasets if name in present]

    @property
    def counted_names(self) -> list[str]:
        """Data sets that averages and tests are to count."""
        return list(self.names.datasets if self.settings.datasets is None else self.settings.datasets)

    @property
    def counted(self) -> list[str]:
        """Those of them that have results."""
        return [name for name in self.present if name in self.counted_names]

    @cached_property
    def absent(self) -> dict[str, str]:
        """Data sets without any result, those that averages do not count too: why, in one line each."""
        names = [name for name in self.names.datasets if name not in self.present]
        return {name: self.unavailable.get(name) or self._fault(matching(self.runs, dataset=name)) for name in names}

    @property
    def stand_ins(self) -> list[str]:
        """Data sets with results that are in no average or test, since they stand in for others."""
        return [name for name in self.present if name not in self.counted_names and name not in self.copies]

    @property
    def copies(self) -> list[str]:
        """Data sets with results that are in no average or test, since they hold the table of one that is."""
        counted = self.counted_names
        return [name for name in self.present if name not in counted and self.repeated.get(name) in counted]

    def panels(self) -> list[tuple[str, str]]:
        """Every (metric, scenario) that has values."""
        return [(metric, scenario) for metric in self.metrics for scenario in self.names.scenarios]

    def metric_label(self, metric: str) -> str:
        return self.names.of("metric", metric)

    def way_label(self, way: str) -> str:
        """What a reader knows a way to choose among methods by."""
        return way_label(way, self.names.of)

    def rarity_words(self, rarity: str) -> str:
        """What a reader knows a group of data sets by."""
        limit = percent(self.settings.selection.rare_below).removesuffix(".0")
        words = {"rare": f"positives below {limit} %", "common": f"positives from {limit} %"}
        return words.get(rarity, "all data sets")

    def has_values(self, metrics: Collection[str], scenarios: Collection[str]) -> bool:
        """Whether a data set that averages count has a value of any of the metrics in any of the scenarios."""
        cells = self._with_values
        cells = cells[cells["metric"].isin(list(metrics)) & cells["scenario"].isin(list(scenarios))]
        return bool(cells["dataset"].isin(self.counted_names).any())

    def reason(self, dataset: str, scenario: str, method: str) -> str:
        """Why a data set has no value of a method, in one line."""
        if dataset in self.unavailable:
            return f"no data: {self.unavailable[dataset]}"
        return self._fault(matching(self.runs, dataset=dataset, scenario=scenario, method=method))

    @staticmethod
    def _fault(runs: pd.DataFrame) -> str:
        """The commonest reason why runs have no value."""
        said = runs.dropna(subset=["message"])
        if said.empty:
            return "no results"
        texts = (said["status"] + ": " + said["message"]).value_counts()
        return " ".join(str(texts.index[0]).split())

    def remarks(self, metric: str, scenario: str) -> dict[tuple[str, str], str]:
        """What is to be said of single published numbers, by data set and method: misprints."""
        notes = matching(self.frames["agreement_notes"], metric=metric, scenario=scenario)
        return notes[notes["method"] != ""].set_index(["dataset", "method"])["note"].to_dict()

    def counted_words(self) -> str:
        """What a caption says of data sets that are missing or do not count; empty where there are none."""
        sentences = []
        if len(self.counted) < len(self.counted_names):
            sentences.append(f"N = {len(self.counted)} of {len(self.counted_names)} data sets.")
        if self.stand_ins:
            titles = ", ".join(self.names.of("dataset", name) for name in self.stand_ins)
            sentences.append(f"Stand-ins for other data sets, in no average or test: {titles}.")
        return " ".join([*sentences, *self.copy_words()])

    def dataset_note(self, name: str) -> str:
        """Why a data set has no results, or is in no average or test; empty for the others."""
        if name in self.unavailable:
            return self.unavailable[name]
        if name in self.stand_ins:
            return "stands in for another data set, in no average or test"
        return f"holds the same table as {self.names.of('dataset', self.repeated[name])}" if name in self.copies else ""

    def copy_words(self) -> list[str]:
        """A sentence for each data set that holds the table of another."""
        titles = [[self.names.of("dataset", one) for one in (name, self.repeated[name])] for name in self.copies]
        return [f"{copy} holds the same table as {first} and is in no average or test." for copy, first in titles]

    def assumed_words(self, metric: str) -> str:
        """What a caption says of the assumptions and settings of a metric; empty where it has none."""
        text = self.assumptions.get(metric, "")
        text = f"{self.metric_label(metric)} is estimated from observed labels and assumes {text}." if text else ""
        return " ".join(filter(None, [text, self.stated.get(metric)]))

    @property
    def of_one_dataset(self) -> bool:
        """Whether averages and tests would count one data set, which gives no ranks to compare."""
        return len(self.counted) == 1

    def missing_words(self, metric: str, scenario: str) -> str:
        """What a caption says of missing results, beside data sets without any; empty where there are none."""
        return " ".join(table_notes.of_missing(self, metric, [scenario], self.counted))

    def omnibus(self, metric: str, scenario: str, blocks: str = "datasets") -> Omnibus | None:
        """Iman and Davenport's test of a panel, with the exact p-value where there is one; None without a test."""
        rows = self.panel("omnibus", metric, scenario, blocks)
        return next(iter(omnibus_tests(rows)), None)

    def average_ranks(self, metric: str, scenario: str) -> pd.Series | None:
        """Average rank by method over data sets; None without ranks."""
        rows = self.panel("ranks", metric, scenario, "datasets")
        return rows.set_index("method")["average_rank"] if len(rows) else None

    def block_ranks(self, metric: str, scenario: str, column: str = "rank") -> pd.DataFrame:
        """Rank (or value) of each method in each data set that is compared: data sets x methods, in their order."""
        rows = self.panel("block_ranks", metric, scenario)
        methods = [name for name in self.names.methods if name in set(rows["method"])]
        order = [name for name in self.counted_names if name in set(rows["dataset"])]
        return rows.pivot_table(index="dataset", columns="method", values=column).reindex(index=order, columns=methods)

    def critical_difference(self, metric: str, scenario: str) -> tuple[float, int] | None:
        """Nemenyi's critical difference and the number of data sets, or None where there was no test."""
        rows = self.panel("critical_difference", metric, scenario, "datasets")
        return (float(rows["critical_difference"].iloc[0]), int(rows["n"].iloc[0])) if len(rows) else None
