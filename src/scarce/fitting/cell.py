"""One cell of a study: fit a method on the training rows of each repeat and score its test and validation rows.

Nothing here reads y. The labels file says which rows train and what s is; the true labels stay with the stages that
make labels and compute metrics.
"""

from __future__ import annotations

import random
import resource
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from scarce.errors import DataError
from scarce.fitting.fits import SCORED, FittedRun, read_runs, write_runs
from scarce.fitting.worker import run_each

#: Different warnings of a method that a message quotes.
MOST_WARNINGS = 2


@dataclass(frozen=True)
class Cell:
    """What the repeats of one (data set, scenario, method) share.

    Parameters
    ----------
    build : callable
        ``build(repeat)`` gives a new, unfitted estimator for a repeat's labels.
    features : ndarray of shape (n, d)
        Encoded, or prepared values where `encoder` is given.
    labels : Labels
    encoder : callable, optional
        Gives a new encoder with ``fit(X, s)`` and ``transform(X)``, to be fitted on training rows.
    foreign : bool
        Whether the method is no part of this package: what it leaves behind in its process is not known.
    """

    build: Callable[[Any], Any]
    features: np.ndarray
    labels: Any
    encoder: Callable[[], Any] | None = None
    foreign: bool = False


def run_cell(
    cell: Cell, checkpoints: Path, key: str, *, seconds: float | None = None, output: Path | None = None
) -> list[FittedRun]:
    """All repeats of a cell; a repeat that an earlier, interrupted job has scored is read, not run.

    Parameters
    ----------
    cell : Cell
    checkpoints : Path
        Folder of finished repeats.
    key : str
        Digest of everything the result depends on; a checkpoint under another key is not read.
    seconds : float, optional
        Time a repeat may take.
    output : Path, optional
        File that what the method prints is appended to.
    """
    runs: dict[int, FittedRun] = {}
    for repeat in range(len(cell.labels)):
        if reason := cell.labels.repeat(repeat).skipped:
            runs[repeat] = FittedRun(repeat, "skipped", reason)
        elif (saved := _read_checkpoint(checkpoints, repeat, key)) is not None:
            runs[repeat] = saved
    pending = [repeat for repeat in range(len(cell.labels)) if repeat not in runs]
    for repeat, outcome, value in run_each(
        lambda repeat: run_repeat(cell, repeat), pending, seconds, output, apart=cell.foreign
    ):
        runs[repeat] = (
            value if outcome == "done" else FittedRun(repeat, "timeout" if outcome == "timeout" else "failed", value)
        )
        write_runs(_checkpoint(checkpoints, repeat), [runs[repeat]], key)
    return [runs[repeat] for repeat in sorted(runs)]


def _checkpoint(folder: Path, repeat: int) -> Path:
    return folder / f"{repeat}.npz"


def _read_checkpoint(folder: Path, repeat: int, key: str) -> FittedRun | None:
    with suppress(OSError, ValueError, DataError):
        file = read_runs(_checkpoint(folder, repeat))
        (run,) = file.runs
        return run if file.fingerprint == key and run.status in SCORED else None
    return None


def run_repeat(cell: Cell, repeat: int, *, catch: bool = True) -> FittedRun:
    """Fit on all training rows and score the test rows; fit on half of them and score the other half.

    Parameters
    ----------
    cell : Cell
    repeat : int
    catch : bool
        Whether an exception of the method becomes a run with status ``failed``; otherwise it is raised.
    """
    labels = cell.labels.repeat(repeat)
    notes = [labels.note] if labels.note else []
    _reset_peak_memory()
    _seed_all(labels.seed)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            test, fit_seconds, predict_seconds, fitted = _fit_and_score(
                cell, labels, labels.train, labels.s, labels.test
            )
            notes += getattr(fitted, "notes_", ())
            facts = {str(name): float(value) for name, value in getattr(fitted, "facts_", {}).items()}
            validation = np.empty(0)
            if len(labels.validation):
                validation, _, _, fitted = _fit_and_score(
                    cell, labels, labels.train[labels.fit], labels.s[labels.fit], labels.train[labels.validation]
                )
                notes += [f"validation: {note}" for note in getattr(fitted, "notes_", ())]
    except Exception as error:
        if not catch:
            raise
        return FittedRun(
            repeat, "failed", _one_line(f"{type(error).__name__}: {error}"), peak_memory_mb=_peak_memory_mb()
        )
    if test.min() < 0 or test.max() > 1:
        notes.append("scores outside [0, 1]: fixed thresholds mean little")
    notes += _warned(caught)
    run = FittedRun(repeat, "ok", "", fit_seconds, predict_seconds, _peak_memory_mb(), test, validation, facts)
    if np.ptp(test) == 0:
        run = replace(run, status="degenerate")
        notes.insert(0, "the score is the same for every test row")
    return replace(run, message=_one_line("; ".join(dict.fromkeys(notes))))


def _seed_all(seed: int) -> None:
    """Seed the generators that a process shares: a method of others that draws from them gives the same scores after an
    interruption as without. The methods of this package have generators of their own."""
    random.seed(int(seed))
    np.random.seed(int(seed) % 2**32)  # noqa: NPY002


def _fit_and_score(
    cell: Cell, labels: Any, train: np.ndarray, s_train: np.ndarray, scored: np.ndarray
) -> tuple[np.ndarray, float, float, Any]:
    X_train, X_scored = cell.features[train], cell.features[scored]
    if cell.encoder:
        encoder = cell.encoder().fit(X_train, s_train)
        X_train, X_scored = encoder.transform(X_train), encoder.transform(X_scored)
    estimator = cell.build(labels)
    start = time.perf_counter()
    estimator.fit(X_train, s_train)
    fitted = time.perf_counter()
    scores = _scores(estimator, X_scored)
    return scores, fitted - start, time.perf_counter() - fitted, estimator


def _scores(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Scores of the positive class, checked; higher means more likely positive."""
    name = getattr(estimator, "score_function", "predict_proba")
    scores = np.asarray(getattr(estimator, name)(X), float)
    if name == "predict_proba":
        if scores.ndim != 2 or scores.shape[1] != 2:
            raise ValueError(f"predict_proba must give an array of shape ({len(X)}, 2), gave {scores.shape}")
        scores = scores[:, 1]
    if scores.shape != (len(X),):
        raise ValueError(f"{name} must give {len(X)} scores, gave an array of shape {scores.shape}")
    if not np.isfinite(scores).all():
        raise ValueError(f"{name} gave {(~np.isfinite(scores)).sum()} scores that are nan or infinite")
    return scores


def _warned(caught: Iterable[warnings.WarningMessage]) -> list[str]:
    """Each warning once, and of many the first few."""
    said = list(
        dict.fromkeys(f"{warning.category.__name__}: {_one_line(str(warning.message), 120)}" for warning in caught)
    )
    more = [f"and {len(said) - MOST_WARNINGS} other warnings"] if len(said) > MOST_WARNINGS + 1 else []
    return said[:MOST_WARNINGS] + more if more else said


def _one_line(text: str, length: int = 300) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."


def _reset_peak_memory() -> None:
    with suppress(OSError), open("/proc/self/clear_refs", "w") as handle:
        handle.write("5")  # Linux: the peak of this process starts anew


def _peak_memory_mb() -> float:
    with suppress(OSError), open("/proc/self/status") as handle:
        for line in handle:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
