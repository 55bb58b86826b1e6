"""One cell of a study: fit a method on the training rows of each repeat and score its test and validation rows.

No code here reads the true labels y: the labels file gives the training rows and the observed labels s.
"""

from __future__ import annotations

import importlib.util
import random
import resource
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scarce.extras import EXTRAS
from scarce.fitting.fits import SCORED, FittedRun, append_checkpoint, not_installed, read_checkpoint
from scarce.fitting.fitted import Left, left_by, scores_of, wrong_in_words
from scarce.fitting.worker import run_each

#: Different warnings of a method that a message quotes.
MOST_WARNINGS = 2


@dataclass(frozen=True)
class Cell:
    """What the repeats of one (data set, scenario, method) share.

    `build` makes an unfitted estimator for a repeat's labels. `features` are encoded, or prepared values for a new
    `encoder` that is fitted on training rows. Each repeat of a `foreign` method, which is not part of this package,
    runs in a process of its own. Cells that differ only in their `shared_params`, which affect only predictions, share
    their fits. `propensity` says whether `fit` gets the propensity of each row.
    """

    build: Callable[[Any], Any]
    features: np.ndarray
    labels: Any
    encoder: Callable[[], Any] | None = None
    foreign: bool = False
    shared_params: dict[str, Any] = field(default_factory=dict)
    propensity: bool = False


class CellTask(NamedTuple):
    """A cell, the file of its finished repeats, and the digest of everything that its result depends on."""

    cell: Cell
    checkpoint: Path
    key: str


def run_cell(
    cell: Cell, checkpoint: Path, key: str, *, seconds: float | None = None, output: Path | None = None
) -> list[FittedRun]:
    """All repeats of one cell; see `run_cells`."""
    return run_cells([CellTask(cell, checkpoint, key)], seconds=seconds, output=output)[0][0]


def run_cells(
    tasks: Sequence[CellTask], *, seconds: float | None = None, output: Path | None = None
) -> tuple[list[list[FittedRun]], float]:
    """The repeats of cells that share their fits, a list for each, and the CPU seconds of fits and scores.

    Finished repeats of an interrupted job are read from checkpoints under the same key. A repeat may take `seconds`.
    What the methods print is appended to the file `output`. Where a process of several cells dies or takes too long,
    each of them runs this repeat alone, so that one cell does not cost the others their results.
    """
    runs, cpu = [_scored_runs(task) for task in tasks], 0.0
    labels = tasks[0].cell.labels
    for one in labels:
        if one.skipped:
            for finished in runs:
                finished[one.repeat] = FittedRun(one.repeat, "skipped", one.skipped)
    pending = [one.repeat for one in labels if any(one.repeat not in finished for finished in runs)]
    cells, interrupted = [task.cell for task in tasks], False
    for repeat, outcome, value in run_each(
        lambda repeat: run_repeats(cells, repeat), pending, seconds, output, apart=cells[0].foreign
    ):
        if outcome != "done" and len(tasks) > 1:
            interrupted = True
            continue
        if outcome == "done":
            fitted, used = value
            cpu += used
        else:
            fitted = [FittedRun(repeat, "timeout" if outcome == "timeout" else "failed", value) for _ in tasks]
        for task, finished, run in zip(tasks, runs, fitted, strict=True):
            finished[repeat] = run
            append_checkpoint(task.checkpoint, run, task.key)
    if interrupted:
        alone = [run_cells([task], seconds=seconds, output=output) for task in tasks]
        return [own for (own,), _ in alone], cpu + sum(used for _, used in alone)
    return [[finished[repeat] for repeat in sorted(finished)] for finished in runs], cpu


def _scored_runs(task: CellTask) -> dict[int, FittedRun]:
    runs = read_checkpoint(task.checkpoint, task.key).items()
    return {repeat: run for repeat, run in runs if run.status in SCORED}


def run_repeat(cell: Cell, repeat: int, *, catch: bool = True) -> FittedRun:
    """One repeat of one cell; see `run_repeats`."""
    return run_repeats([cell], repeat, catch=catch)[0][0]


class Scored(NamedTuple):
    """Scores of rows by one fitted estimator, and what it left behind."""

    scores: np.ndarray
    fit_seconds: float
    predict_seconds: float
    left: Left


def run_repeats(cells: Sequence[Cell], repeat: int, *, catch: bool = True) -> tuple[list[FittedRun], float]:
    """Fit on all training rows and score the test rows; fit on half of them and score the other half.

    Of cells that share their fits, the first is fitted, and each predicts with its `shared_params`. Returns a run for
    each cell, and the CPU seconds of this process. An exception of the method becomes a run with status ``failed`` if
    `catch`, else it is raised.
    """
    first, start = cells[0], time.process_time()
    labels = first.labels.repeat(repeat)
    _reset_peak_memory()
    validation = [None] * len(cells)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            test = _fit_and_score(cells, labels, np.arange(len(labels.train)), labels.test)
            if len(labels.validation):
                validation = _fit_and_score(cells, labels, labels.fit, labels.train[labels.validation])
    except Exception as error:
        if not catch:
            raise
        if len(cells) > 1:  # each alone, so that one that fails costs only its own row
            alone = [run_repeats([cell], repeat) for cell in cells]
            return [runs[0] for runs, _ in alone], sum(cpu for _, cpu in alone)
        failure = _failure(repeat, error)
        return [failure] * len(cells), time.process_time() - start
    cpu = time.process_time() - start
    notes = [labels.note] if labels.note else []
    return [_run(repeat, *scored, notes, _warned(caught)) for scored in zip(test, validation, strict=True)], cpu


def _failure(repeat: int, error: Exception) -> FittedRun:
    package, cause = None, error
    while cause is not None:
        if isinstance(cause, ModuleNotFoundError) and cause.name:
            package = cause.name.partition(".")[0]
        cause = cause.__cause__
    if package and importlib.util.find_spec(package) is None:
        return FittedRun(repeat, "not_installed", not_installed(package, EXTRAS.get(package, "")))
    message = _one_line(f"{type(error).__name__}: {error}")
    return FittedRun(repeat, "failed", message, peak_memory_mb=_peak_memory_mb())


def _run(repeat: int, test: Scored, validation: Scored | None, notes: list[str], warned: list[str]) -> FittedRun:
    wrong = [*test.left.wrong, *(validation.left.wrong if validation else ())]
    notes = [*notes, *wrong_in_words(wrong), *test.left.notes]
    if validation:
        notes += [f"validation: {note}" for note in validation.left.notes]
    if test.scores.min() < 0 or test.scores.max() > 1:
        notes.append("scores outside [0, 1]: fixed thresholds mean little")
    notes += warned
    status = "ok"
    if np.ptp(test.scores) == 0:
        status = "degenerate"
        notes.insert(0, "the score is the same for every test row")
    return FittedRun(
        repeat,
        status,
        _one_line("; ".join(dict.fromkeys(notes))),
        test.fit_seconds,
        test.predict_seconds,
        _peak_memory_mb(),
        test.scores,
        validation.scores if validation else np.empty(0),
        test.left.facts,
        test.left.arrays,
    )


def seed_all(seed: int) -> None:
    """Seed the global generators before each fit and each scoring.

    A method that draws from them then gives the same scores after an interruption, and beside variants that share its
    fit. The methods of this package have generators of their own.
    """
    random.seed(int(seed))
    np.random.seed(int(seed) % 2**32)  # noqa: NPY002


def _fit_and_score(cells: Sequence[Cell], labels: Any, fit: np.ndarray, scored: np.ndarray) -> list[Scored]:
    """Fit on some positions of the training rows, and score some rows."""
    first, s_train = cells[0], labels.s[fit]
    X_train, X_scored = first.features[labels.train[fit]], first.features[scored]
    told = {"propensity": labels.propensity[fit]} if first.propensity else {}
    if first.encoder:
        encoder = first.encoder().fit(X_train, s_train)
        X_train, X_scored = encoder.transform(X_train), encoder.transform(X_scored)
    estimator = first.build(labels)
    seed_all(labels.seed)
    start = time.perf_counter()
    estimator.fit(X_train, s_train, **told)
    fit_seconds = time.perf_counter() - start
    results = []
    for cell in cells:
        if len(cells) > 1:
            estimator.set_params(**cell.shared_params)
        seed_all(labels.seed)
        start = time.perf_counter()
        scores = scores_of(estimator, X_scored)
        results.append(Scored(scores, fit_seconds, time.perf_counter() - start, left_by(estimator)))
    return results


def _warned(caught: Iterable[warnings.WarningMessage]) -> list[str]:
    """Each warning once, and of many the first few."""
    texts = list(
        dict.fromkeys(f"{warning.category.__name__}: {_one_line(str(warning.message), 120)}" for warning in caught)
    )
    more = [f"and {len(texts) - MOST_WARNINGS} other warnings"] if len(texts) > MOST_WARNINGS + 1 else []
    return texts[:MOST_WARNINGS] + more if more else texts


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
