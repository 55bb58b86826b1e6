"""How long fits take: what earlier runs say of it, nearest first.

A fit of this project's methods takes time about in proportion to its rows; where only fits on other data sets are
known, their seconds are taken in that proportion.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import about_prepared
from scarce.stages.cell import StudyCell, sharing
from scarce.stages.shared_fits import PART

#: The costs that come with scarce, and their columns.
RECORDED = Path(__file__).with_name("costs.csv")
COLUMNS = ("method", "rows", "seconds")
#: Where the cost of a cell comes from -> by how much it may be wrong, either way.
SOURCES = {"study": 1.5, "data_set": 2.5, "elsewhere": 5.0, "guess": 10.0}
#: Seconds of a run where there is no record at all.
UNKNOWN_SECONDS = 0.5


class Record(NamedTuple):
    """Mean wall seconds of the fit and of the scores of a run, and its training rows."""

    study: str
    dataset: str
    method: str
    rows: float
    fit: float
    score: float


class Cost(NamedTuple):
    """Wall seconds of one repeat of a cell on one core, and which of `SOURCES` says so."""

    seconds: float
    source: str


def runs_here() -> Iterator[tuple[str, Iterable[dict[str, str]]]]:
    """The runs of every study with results, and of every pack, by the name of the study."""
    for file in sorted(paths.RESULTS.glob("*/runs.csv")):
        with file.open(encoding="utf-8", newline="") as handle:
            yield file.parent.name, csv.DictReader(handle)
    for file in sorted(paths.PACKS.glob("*/results/runs.csv.gz")):
        text = gzip.decompress(file.read_bytes()).decode()
        yield file.parents[1].name, csv.DictReader(io.StringIO(text))


def summed(study: str, runs: Iterable[dict[str, str]]) -> list[Record]:
    """The means of the runs of a study by data set and method; runs without a time do not count."""
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0])
    for run in runs:
        if run.get("fit_seconds") and run.get("predict_seconds") and run.get("n_train"):
            total = sums[run["dataset"], run["method"]]
            for place, column in enumerate(("n_train", "fit_seconds", "predict_seconds")):
                total[place] += float(run[column])
            total[3] += 1
    return [Record(study, *names, *(value / total[3] for value in total[:3])) for names, total in sums.items()]


def recorded() -> list[Record]:
    """The costs that come with scarce; ``benchmarks/costs.py`` measures them."""
    with RECORDED.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    return [Record("", "", one["method"], float(one["rows"]), float(one["seconds"]), 0.0) for one in rows]


class Costs:
    """The seconds that a repeat of each cell of a study is expected to take.

    Parameters
    ----------
    records : iterable of Record
        Of this study, of others, and, with an empty name of the study, those that come with scarce.
    """

    def __init__(self, records: Iterable[Record]):
        self._by_method: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            self._by_method[record.method].append(record)

    def cost(self, project: Project, study: Study, dataset: str, method: str) -> Cost:
        """What one repeat takes, with its fit and scores of validation rows."""
        rows, found = training_rows(project, study, dataset), self._by_method.get(method, [])
        whole = study.name.partition(PART)[0]
        nearest = {
            "study": [one for one in found if one.dataset == dataset and one.study.partition(PART)[0] == whole],
            "data_set": [one for one in found if one.dataset == dataset],
            "elsewhere": _of_like_size(found, rows),
        }
        for source, records in nearest.items():
            if records:
                return Cost(statistics.median(_seconds(one, study, dataset, rows) for one in records), source)
        others = [_seconds(one, study, dataset, rows) for records in self._by_method.values() for one in records]
        return Cost(statistics.median(others) if others else UNKNOWN_SECONDS, "guess")


def _of_like_size(records: list[Record], rows: float | None) -> list[Record]:
    """The records whose number of rows is nearest by ratio; all where no number is known."""
    if not rows or not records:
        return records
    least = min(abs(math.log(one.rows / rows)) for one in records)
    return [one for one in records if abs(math.log(one.rows / rows)) <= least]


def _seconds(record: Record, study: Study, dataset: str, rows: float | None) -> float:
    """Seconds of a run like a record on so many training rows of a data set, with those of its validation rows."""
    scale = rows / record.rows if rows and record.dataset != dataset else 1.0
    again = 1 - getattr(study.split, "validation_size", 1) if study.split.chooses_thresholds else 0.0
    return scale * (record.fit * (1 + again) + record.score * (2 if again else 1))


def rows_of(project: Project, study: Study, dataset: str) -> float | None:
    """About how many rows of a data set a repeat uses; None where that is not known before it is prepared."""
    spec = project.dataset(dataset)
    n = spec.expected.n if spec.expected else about_prepared(dataset).get("n")
    drawn = [
        one.axes["labeled"] + one.axes["unlabeled"]
        for one in study.scenarios_of(dataset)
        if {"labeled", "unlabeled"} <= one.axes.keys()
    ]
    bounds = [getattr(study.split, "subsample", None), statistics.mean(drawn) if drawn else None]
    return n and min(n, *(bound for bound in bounds if bound)) if any(bounds) else n


def training_rows(project: Project, study: Study, dataset: str) -> float | None:
    """About how many rows train a repeat."""
    n = rows_of(project, study, dataset)
    return n and n * (1 - test_share(study))


def test_share(study: Study) -> float:
    """About which share of the rows tests in a repeat."""
    if hasattr(study.split, "folds"):
        return 1 / study.split.folds
    return getattr(study.split, "test_size", 0.5)


def known_costs() -> Costs:
    """What earlier runs here, packs, and the records of scarce say."""
    return Costs([*recorded(), *(one for name, runs in runs_here() for one in summed(name, runs))])


def cells_of(project: Project, study: Study) -> list[list[StudyCell]]:
    """The cells of a study; those that share their fits are together."""
    return [
        group
        for pair in study.pairs
        for group in sharing(StudyCell(project, study, *pair, method) for method in study.fitted_methods)
    ]


def weights(costs: Costs, groups: Iterable[list[StudyCell]]) -> dict[tuple[str, ...], Cost]:
    """The cost of each cell with all its repeats, by its names; of cells that share a fit, one has that of all."""
    found: dict[tuple[str, ...], Cost] = {}
    memo: dict[tuple[str, str], Cost] = {}
    for group in groups:
        for place, cell in enumerate(group):
            key = cell.dataset, cell.method
            if key not in memo:
                memo[key] = costs.cost(cell.project, cell.study, *key)
            seconds = memo[key].seconds * cell.study.repeats if place == 0 else 0.0
            found[cell.names] = Cost(seconds, memo[key].source)
    return found
