"""From the fits of a study and the true labels to its tidy results: scores, runs, failures and facts."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scarce.fitting.fits import SCORED, FittedRun
from scarce.scoring.metrics import METRICS, evaluate
from scarce.scoring.run import Run
from scarce.words import as_cell

SCORE_COLUMNS = ["dataset", "scenario", "repeat", "method", "metric", "value"]
RUN_COLUMNS = [
    "dataset",
    "scenario",
    "repeat",
    "method",
    "status",
    "message",
    "fit_seconds",
    "predict_seconds",
    "peak_memory_mb",
    "n_train",
    "n_labeled",
    "n_hidden",
    "class_prior",
    "threshold",
    "seed",
    "fingerprint",
]
FAILURE_COLUMNS = [*RUN_COLUMNS, "command"]
FACT_COLUMNS = ["dataset", "scenario", "repeat", "method", "fact", "value"]


@dataclass(frozen=True)
class CellResult:
    """The runs of one (data set, scenario, method), with what is needed to score them."""

    dataset: str
    scenario: str
    method: str
    runs: list[FittedRun]
    fingerprint: str
    labels: Any
    y: np.ndarray
    strict: bool


def collect(cells: Iterable[CellResult], *, study: str, decision: str, search: str) -> tuple[pd.DataFrame, ...]:
    """Score every run.

    Parameters
    ----------
    cells : iterable of CellResult
    study : str
        For the commands of failures.csv.
    decision, search : str
        The study's options.

    Returns
    -------
    scores, runs, failures, facts : DataFrame
        With the columns of the contract, sorted; facts are what fitted methods say of themselves, in numbers.
    """
    scores: list[tuple] = []
    rows: list[dict] = []
    facts: list[tuple] = []
    for cell in cells:
        for run in cell.runs:
            values, reasons = _evaluate(cell, run, decision, search)
            key = (cell.dataset, cell.scenario, run.repeat, cell.method)
            scores += [(*key, metric, values.get(metric, np.nan)) for metric in METRICS] if values else []
            rows.append(_run_row(cell, run, values, reasons))
            facts += [(*key, fact, value) for fact, value in run.facts.items()]
    runs = _sorted(pd.DataFrame(rows, columns=RUN_COLUMNS), 4)
    failures = runs[runs.status != "ok"].copy()
    failures["command"] = [
        shlex.join(["scarce", "fit", study, r.dataset, r.scenario, r.method, "--repeat", str(r.repeat)])
        for r in failures.itertuples()
    ]
    return (
        _sorted(pd.DataFrame(scores, columns=SCORE_COLUMNS), 5),
        runs,
        failures[FAILURE_COLUMNS],
        _sorted(pd.DataFrame(facts, columns=FACT_COLUMNS), 5),
    )


def _evaluate(cell: CellResult, run: FittedRun, decision: str, search: str) -> tuple[dict[str, float], list[str]]:
    if run.status not in SCORED:
        return {}, []
    labels = cell.labels.repeat(run.repeat)
    found = evaluate(
        Run(
            y_test=cell.y[labels.test],
            test_scores=run.test_scores,
            y_validation=cell.y[labels.train[labels.validation]],
            s_validation=labels.s[labels.validation],
            validation_scores=run.validation_scores,
            class_prior=labels.class_prior,
            decision=decision,
            search=search,
            strict=cell.strict,
        )
    )
    values = {metric: value for metric, (value, _) in found.items() if value is not None}
    undefined: dict[str, list[str]] = {}
    for metric, (value, reason) in found.items():
        if value is None:
            undefined.setdefault(reason, []).append(metric)
    return values, [f"{', '.join(metrics)} undefined: {reason}" for reason, metrics in undefined.items()]


def _run_row(cell: CellResult, run: FittedRun, values: dict[str, float], reasons: list[str]) -> dict:
    labels = cell.labels.repeat(run.repeat)
    s, y = labels.s, cell.y[labels.train]
    return {
        "dataset": cell.dataset,
        "scenario": cell.scenario,
        "repeat": run.repeat,
        "method": cell.method,
        "status": run.status,
        "message": as_cell("; ".join(part for part in (run.message, *reasons) if part)),
        "fit_seconds": round(run.fit_seconds, 6),
        "predict_seconds": round(run.predict_seconds, 6),
        "peak_memory_mb": round(run.peak_memory_mb, 1),
        "n_train": len(labels.train),
        "n_labeled": int((s == 1).sum()),
        "n_hidden": int(((s == 0) & (y == 1)).sum()),
        "class_prior": labels.class_prior,
        "threshold": values.get("threshold_decision", np.nan),
        "seed": labels.seed,
        "fingerprint": cell.fingerprint,
    }


def _sorted(frame: pd.DataFrame, keys: int) -> pd.DataFrame:
    return frame.sort_values(list(frame.columns[:keys]), kind="stable", ignore_index=True)
