"""Files of fitted runs: for each repeat a status, times, and the scores of its test and validation rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scarce.files import damaged, read_npz, write_npz

STATUSES = ("ok", "failed", "timeout", "skipped", "degenerate", "not_installed")
SCORED = ("ok", "degenerate")
#: Statuses that stop a study with ``on_error: raise``.
FAILED = ("failed", "timeout")


@dataclass(frozen=True)
class FittedRun:
    """One repeat of one (data set, scenario, method).

    `test_scores` and `validation_scores` are in the order of the labels file's rows, empty where there are none.
    `facts` are numbers and `arrays` are arrays of numbers or text that the fitted method left in `facts_` and
    `arrays_`.
    """

    repeat: int
    status: str
    message: str = ""
    fit_seconds: float = np.nan
    predict_seconds: float = np.nan
    peak_memory_mb: float = np.nan
    test_scores: np.ndarray = field(default_factory=lambda: np.empty(0))
    validation_scores: np.ndarray = field(default_factory=lambda: np.empty(0))
    facts: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"status {self.status!r} is none of {', '.join(STATUSES)}")


SCORES = ("test_scores", "validation_scores")
PLAIN = tuple(f.name for f in fields(FittedRun) if f.name not in (*SCORES, "facts", "arrays"))


class FitFile(NamedTuple):
    """Content of a file of runs.

    `fingerprint` identifies the arguments and code of the runs, `inputs` their labels and features.
    """

    runs: list[FittedRun]
    fingerprint: str
    inputs: str


def not_installed(package: str, extra: str = "") -> str:
    """Message of a run whose method needs a package that is missing, with the command that installs it."""
    target = f'"scarce[{extra}]"' if extra else package
    return f"{package} is not installed: pip install {target}"


def missing_packages(runs: Iterable[FittedRun]) -> list[str]:
    """The packages that runs with status ``not_installed`` name in their messages."""
    return sorted({run.message.partition(" ")[0] for run in runs if run.status == "not_installed"})


def write_runs(path: Path, runs: Iterable[FittedRun], fingerprint: str, inputs: str = "") -> None:
    """Write runs as plain arrays: a row per repeat, scores padded with nan, a column of `facts` per name.

    An array that a method left is stored under ``array:<repeat>:<name>``.
    """
    runs = sorted(runs, key=lambda run: run.repeat)
    arrays = {name: np.array([getattr(run, name) for run in runs]) for name in PLAIN}
    if not runs:
        arrays = {name: np.empty(0, "U1") for name in arrays}
    for name in SCORES:
        rows = [np.asarray(getattr(run, name), float) for run in runs]
        padded = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
        for place, row in enumerate(rows):
            padded[place, : len(row)] = row
        arrays[name] = padded
        arrays[f"{name}_length"] = np.array([len(row) for row in rows], np.int32)
    names = sorted({name for run in runs for name in run.facts})
    arrays["fact_names"] = np.array(names, "U")
    arrays["facts"] = np.array([[run.facts.get(name, np.nan) for name in names] for run in runs], float)
    left = {f"array:{run.repeat}:{name}": array for run in runs for name, array in run.arrays.items()}
    write_npz(path, fingerprint=np.array(fingerprint), inputs=np.array(inputs), **arrays, **left)


def read_runs(path: Path) -> FitFile:
    """Read what `write_runs` wrote.

    Raises
    ------
    DataError
        If the file is damaged, or holds something else.
    """
    arrays = read_npz(path)
    try:
        runs = [_run(arrays, place) for place in range(len(arrays["repeat"]))]
        return FitFile(runs, arrays["fingerprint"].item(), arrays["inputs"].item())
    except (LookupError, TypeError, ValueError) as error:  # arrays of other names or shapes: of another version, say
        raise damaged(path, error) from None


def _run(arrays: dict[str, np.ndarray], place: int) -> FittedRun:
    values = {name: arrays[name][place].item() for name in PLAIN}
    for name in SCORES:
        values[name] = arrays[name][place, : arrays[f"{name}_length"][place]]
    facts = zip(arrays["fact_names"].tolist(), arrays["facts"][place].tolist(), strict=True)
    own = f"array:{values['repeat']}:"
    return FittedRun(
        **values,
        facts={name: value for name, value in facts if not np.isnan(value)},
        arrays={name.removeprefix(own): array for name, array in arrays.items() if name.startswith(own)},
    )
