"""Files of fitted runs: for each repeat a status, times, and the scores of its test and validation rows."""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scarce.errors import DataError
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


def missing_packages(path: Path) -> set[str]:
    """The packages that the runs of a file with status ``not_installed`` name in their messages."""
    runs = read_npz(path, "status", "message")
    messages = runs["message"][runs["status"] == "not_installed"]
    return {message.partition(" ")[0] for message in messages.tolist()}


def write_runs(
    path: Path,
    runs: Iterable[FittedRun],
    fingerprint: str,
    inputs: str = "",
    *,
    versions: Mapping[str, str] | None = None,
) -> None:
    """Write runs as plain arrays: a row per repeat, scores padded with nan, a column of `facts` per name.

    An array that a method left is stored under ``array:<repeat>:<name>``. `versions` are those of the libraries that
    made the runs, by name.
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
    made = {"fingerprint": np.array(fingerprint), "inputs": np.array(inputs)}
    made["versions"] = np.array([f"{name} {version}" for name, version in sorted((versions or {}).items())], "U")
    write_npz(path, **made, **arrays, **left)


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


def read_identity(path: Path) -> tuple[str, str]:
    """The fingerprint and the inputs of a file of runs; raises DataError if it is damaged."""
    arrays = read_npz(path, "fingerprint", "inputs")
    return arrays["fingerprint"].item(), arrays["inputs"].item()


def read_versions(path: Path) -> dict[str, str]:
    """Versions of the libraries that made the runs of a file; empty where the file does not record them."""
    try:
        listed = read_npz(path, "versions")["versions"].tolist()
    except DataError:  # written before versions were recorded
        return {}
    return dict(one.split(" ", 1) for one in listed)


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


def append_checkpoint(path: Path, run: FittedRun, key: str) -> None:
    """Append a finished repeat to the checkpoint file of its cell, as a line of CRC-32 and JSON.

    The file is not flushed to disk: a line that a crash of the system cuts is ignored, and its repeat is run again.
    """
    text = json.dumps([key, vars(run)], default=_array_to_json).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:  # the line break comes first: the last line may be cut
            file.write(b"\n%08x %s" % (zlib.crc32(text), text))
    except OSError as error:
        error.filename = str(path)
        raise


def read_checkpoint(path: Path, key: str = "") -> dict[int, FittedRun]:
    """The finished repeats of a cell under a key (default: any), by number; damaged lines are left out."""
    runs = {}
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        with suppress(ValueError, TypeError):
            crc, text = line.split(b" ", 1)
            if int(crc, 16) == zlib.crc32(text):
                key_of_run, values = json.loads(text, object_hook=_array_from_json)
                run = FittedRun(**values)
                runs |= {run.repeat: run} if key in ("", key_of_run) else {}
    return runs


def _array_to_json(array: np.ndarray) -> dict[str, str]:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return {"npy": base64.b64encode(file.getvalue()).decode()}


def _array_from_json(value: dict[str, Any]) -> Any:
    if isinstance(value.get("npy"), str):
        return np.load(io.BytesIO(base64.b64decode(value["npy"])), allow_pickle=False)
    return value
