"""From the fits of a study and the true labels to the rows of scores, runs, failures, facts and importances."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scarce.fitting.fits import SCORED, FittedRun
from scarce.result_files import columns_of
from scarce.scoring.metrics import METRICS, Metric, evaluate
from scarce.scoring.runs import Runs
from scarce.words import as_cell

SCORE_COLUMNS, RUN_COLUMNS, FAILURE_COLUMNS = map(columns_of, ("scores", "runs", "failures"))


@dataclass(frozen=True)
class Repeat:
    """What one repeat of a (data set, scenario) shows to the metrics and to runs.csv; methods share it.

    An oracle has its own, made from the labels as it sees them.

    True labels `y` and observed labels `s` of test and validation rows, sample scheme ("": the method saw true labels),
    and columns of runs.csv. `s_test` is None where test rows have true labels alone.
    """

    y_test: np.ndarray
    y_validation: np.ndarray
    s_validation: np.ndarray
    about: dict[str, float | int]
    s_test: np.ndarray | None = None
    scheme: str = "one_sample"

    @classmethod
    def of(cls, labels: Any, y: np.ndarray, *, truth_known: bool = True, oracle: bool = False) -> Repeat:
        """From a `scarce.labels.RepeatLabels` and the class column `y` of all prepared rows.

        `truth_known` says whether that column holds true labels, else observed ones: then no true label is passed on,
        and none is counted. `oracle`: the labels are those of a method that saw the true ones.
        """
        column = y
        y = y if truth_known else np.full(len(y), -1, np.int8)
        y_train = y[labels.train]
        counts = {
            "n_train": len(labels.train),
            "n_labeled": int((labels.s == 1).sum()),
            "n_hidden": int(((labels.s == 0) & (y_train == 1)).sum()) if truth_known else math.nan,
        }
        about = counts | {"class_prior": labels.class_prior, "seed": labels.seed}
        s_test, scheme = None if truth_known else column[labels.test], "" if oracle else labels.scheme
        return cls(y[labels.test], y_train[labels.validation], labels.s[labels.validation], about, s_test, scheme)


@dataclass(frozen=True)
class CellResult:
    """The runs of one (data set, scenario, method), with what is needed to score them.

    `repeats` are those of the labels file, in order; `strict` says whether positive is ``score > threshold``;
    `features` names the prepared columns; `note` is said of every run.
    """

    dataset: str
    scenario: str
    method: str
    runs: list[FittedRun]
    fingerprint: str
    repeats: Sequence[Repeat]
    strict: bool
    features: Sequence[str] = ()
    note: str = ""


def collect(
    cells: Iterable[CellResult], *, study: str, metrics: Sequence[Metric] = tuple(METRICS.values()), **settings: Any
) -> dict[str, list[tuple]]:
    """Sorted rows of the result files scores, runs, failures, facts and importances, by name, in the order of columns.

    `study` is its name, for the commands of failures.csv, and `metrics` are those that it saves. `settings` are what
    else it states for `Runs`: decision, search, prior_interval, at_k and costs.
    """
    tables: dict[str, list[tuple]] = {"scores": [], "runs": [], "failures": [], "facts": [], "importances": []}
    for cell in cells:
        scored = dict(_score(cell, metrics, settings))
        for run in cell.runs:
            key = (cell.dataset, cell.scenario, run.repeat, cell.method)
            values, reasons = scored.get(run.repeat, ({}, []))
            tables["scores"] += [(*key, metric, value) for metric, value in values.items()]
            tables["facts"] += [(*key, fact, value) for fact, value in run.facts.items()]
            tables["importances"] += [(*key, *row) for row in _importances(run, cell.features)]
            row = _run_row(cell, run, values, reasons)
            tables["runs"].append(row)
            if run.status != "ok":
                where = (cell.dataset, cell.scenario, cell.method, "--repeat", str(run.repeat))
                tables["failures"].append((*row, shlex.join(["scarce", "fit", study, *where])))
    # features stay in the order of their columns
    width = dict.fromkeys(tables, 5) | {"importances": 4}
    return {name: sorted(rows, key=lambda row: row[: width[name]]) for name, rows in tables.items()}


def _importances(run: FittedRun, names: Sequence[str]) -> Iterator[tuple[str, float, float]]:
    """Feature, importance and normalised importance of each feature, where the method left an array of them."""
    plain = run.arrays.get("importances", np.empty(0))
    normalised = run.arrays.get("normalised_importances", np.full(len(plain), np.nan))
    names = names if len(names) == len(plain) else [f"x{place}" for place in range(1, len(plain) + 1)]
    return zip(names, plain.tolist(), normalised.tolist(), strict=True)


def _score(
    cell: CellResult, metrics: Sequence[Metric], settings: Mapping[str, Any]
) -> Iterator[tuple[int, tuple[dict[str, float], list[str]]]]:
    """Each scored repeat with its values, NaN where undefined, and the reasons; no value where all are undefined."""
    names = [metric.name for metric in metrics]
    for runs in _equally_long(cell):
        repeats = [cell.repeats[run.repeat] for run in runs]
        scored = evaluate(
            Runs(
                y_test=np.stack([repeat.y_test for repeat in repeats]),
                test_scores=np.stack([run.test_scores for run in runs]),
                y_validation=np.stack([repeat.y_validation for repeat in repeats]),
                s_validation=np.stack([repeat.s_validation for repeat in repeats]),
                validation_scores=np.stack([run.validation_scores for run in runs]),
                class_prior=np.array([repeat.about["class_prior"] for repeat in repeats]),
                strict=cell.strict,
                s_test=None if repeats[0].s_test is None else np.stack([repeat.s_test for repeat in repeats]),
                scheme=repeats[0].scheme,
                **settings,
            ),
            metrics,
        )
        values = zip(*(one.value.tolist() for one in scored.values()), strict=True)
        reasons = zip(*(one.reason.tolist() for one in scored.values()), strict=True)
        for run, value, reason in zip(runs, values, reasons, strict=True):
            nothing = all(map(math.isnan, value))
            undefined = _undefined(dict(zip(names, reason, strict=True)))
            yield run.repeat, ({} if nothing else dict(zip(names, value, strict=True)), undefined)


def _equally_long(cell: CellResult) -> Iterable[list[FittedRun]]:
    """Scored runs of a cell in groups with equally many test rows and equally many validation rows."""
    groups: dict[tuple[int, int], list[FittedRun]] = {}
    for run in cell.runs:
        if run.status in SCORED:
            groups.setdefault((len(run.test_scores), len(run.validation_scores)), []).append(run)
    return groups.values()


def _undefined(reasons: Mapping[str, str]) -> list[str]:
    """One sentence for each reason, with the metrics that it concerns."""
    metrics: dict[str, list[str]] = {}
    for metric, reason in reasons.items():
        if reason:
            metrics.setdefault(reason, []).append(metric)
    return [f"{', '.join(names)} undefined: {reason}" for reason, names in metrics.items()]


def _run_row(cell: CellResult, run: FittedRun, values: dict[str, float], reasons: list[str]) -> tuple:
    row = {
        "dataset": cell.dataset,
        "scenario": cell.scenario,
        "repeat": run.repeat,
        "method": cell.method,
        "status": run.status,
        "message": as_cell("; ".join(part for part in (run.message, *reasons, cell.note) if part)),
        "fit_seconds": round(run.fit_seconds, 6),
        "predict_seconds": round(run.predict_seconds, 6),
        "peak_memory_mb": round(run.peak_memory_mb, 1),
        "threshold": values.get("threshold_decision", math.nan),
        "fingerprint": cell.fingerprint,
        **cell.repeats[run.repeat].about,
    }
    return tuple(row[name] for name in RUN_COLUMNS)
