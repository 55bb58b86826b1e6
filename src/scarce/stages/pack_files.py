"""The files of a pack: tables of labels, true labels and scores as parquet, results as CSV, and pack.json over them.

docs/packs.md describes the format.
"""

from __future__ import annotations

import gzip
import io
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import ArrowException, parquet

from scarce.errors import DataError
from scarce.files import atomic, read_json, sha256, write_json
from scarce.fitting.fits import PLAIN as PLAIN_OF_RUNS
from scarce.fitting.fits import SCORES, FittedRun
from scarce.labels.file import PADDED, Labels, RepeatLabels
from scarce.labels.file import PLAIN as PLAIN_OF_LABELS

#: Raised where an older reader would misread a pack.
FORMAT = 1
INDEX = "pack.json"
LABELS, TRUTH = "labels.parquet", "truth.parquet"
#: Estimated class priors, one a repeat: array of the priors file -> column.
PRIORS = {"class_prior": "estimated_prior", "failed": "estimate_failed", "note": "estimate_note"}
#: Of zstd, where smaller files count more than the time that writing takes.
LEVEL = 19

#: (data set, scenario)
Setting = tuple[str, str]


class PackedCell(NamedTuple):
    """The runs of one cell, with the versions of libraries that made them."""

    runs: list[FittedRun]
    versions: dict[str, str]


class PackedLabels(NamedTuple):
    """The labels of one (data set, scenario), and estimated class priors as the priors file has them, if any."""

    labels: Labels
    priors: dict[str, Any] | None = None


def scores_file(method: str) -> str:
    """The file of a method's runs, relative to the pack."""
    return f"scores/{method}.parquet"


def result_file(path: str) -> str:
    """The file of a result file, e.g. of stats/ranks.csv, relative to the pack."""
    return f"results/{path}.gz"


def write_index(folder: Path, about: Mapping[str, Any]) -> None:
    """Write pack.json, with the SHA-256 of every other file."""
    files = {file.relative_to(folder).as_posix(): sha256(file) for file in _files(folder)}
    write_json(folder / INDEX, {"format": FORMAT, **about, "files": files})


def read_index(folder: Path) -> dict[str, Any]:
    """The pack.json of a pack, after a check that every file is there and as it was written.

    Raises
    ------
    DataError
        If the folder is no pack, is of a later format, or lacks, changed or added a file; all of them at once.
    """
    if not (folder / INDEX).is_file():
        raise DataError(f"{folder} is no pack: it has no {INDEX}", hint="name the folder that `scarce pack` wrote")
    about = read_json(folder / INDEX)
    if about.get("format") != FORMAT:
        hint = "use the version of scarce that made the pack, or a later one"
        raise DataError(f"format {about.get('format')} of packs is not known here", where=str(folder), hint=hint)
    listed, found = about["files"], {file.relative_to(folder).as_posix(): file for file in _files(folder)}
    faults = [
        *(f"{name} is not there" for name in listed if name not in found),
        *(f"{name} is not part of the pack" for name in found if name not in listed),
        *(f"{name} was changed" for name, file in found.items() if name in listed and sha256(file) != listed[name]),
    ]
    if faults:
        hint = "get the pack again"
        raise DataError.collect([DataError(fault, where=str(folder), hint=hint) for fault in sorted(faults)])
    return about


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path != folder / INDEX]


def write_result(folder: Path, path: str, content: bytes) -> None:
    """Write a result file compressed; the same content gives the same bytes."""
    with atomic(folder / result_file(path)) as handle:
        handle.write(gzip.compress(content, mtime=0))


def read_result(folder: Path, path: str) -> bytes:
    """The content of a result file of a pack."""
    return gzip.decompress((folder / result_file(path)).read_bytes())


def write_labels(folder: Path, packed: Mapping[Setting, PackedLabels]) -> None:
    """Write a row a repeat; repeats of the same number stand together, since scenarios share rows."""
    rows = [
        (dataset, scenario, one, of_setting.priors)
        for (dataset, scenario), of_setting in packed.items()
        for one in of_setting.labels
    ]
    rows.sort(key=lambda row: (row[0], row[2].repeat, row[1]))
    repeats = [one for _, _, one, _ in rows]
    columns = {"dataset": [row[0] for row in rows], "scenario": [row[1] for row in rows]}
    columns["repeat"] = [one.repeat for one in repeats]
    columns |= {
        name: pa.array([getattr(one, name) for one in repeats], _arrow(kind)) for name, kind in PLAIN_OF_LABELS.items()
    }
    columns |= {name: _lists([getattr(one, name) for one in repeats], kind) for name, (kind, _) in PADDED.items()}
    for array, column in PRIORS.items():
        kind = pa.float64() if array == "class_prior" else pa.string()
        columns[column] = pa.array([priors and priors[array][one.repeat] for _, _, one, priors in rows], kind)
    _write(folder / LABELS, pa.table(columns))


def read_labels(folder: Path) -> dict[Setting, PackedLabels]:
    """What `write_labels` wrote; a setting without repeats is not among them."""
    table = _read(folder / LABELS)
    plain = table.drop_columns(list(PADDED)).to_pylist()
    lists = {name: _arrays(table[name], kind) for name, (kind, _) in PADDED.items()}
    found: dict[Setting, list[tuple[RepeatLabels, dict]]] = {}
    for place, row in enumerate(plain):
        values = {name: row[name] for name in PLAIN_OF_LABELS} | {name: column[place] for name, column in lists.items()}
        one = RepeatLabels(repeat=row["repeat"], **values)
        found.setdefault((row["dataset"], row["scenario"]), []).append((one, row))
    return {setting: PackedLabels(Labels([one for one, _ in rows]), _priors(rows)) for setting, rows in found.items()}


def _priors(rows: Sequence[tuple[RepeatLabels, dict]]) -> dict[str, Any] | None:
    if rows[0][1][PRIORS["failed"]] is None:
        return None
    return {array: np.array([row[column] for _, row in rows]) for array, column in PRIORS.items()}


def write_truth(folder: Path, truth: Mapping[str, np.ndarray]) -> None:
    """Write true labels, a row a data set."""
    _write(folder / TRUTH, pa.table({"dataset": list(truth), "y": _lists(list(truth.values()), np.int8)}))


def read_truth(folder: Path) -> dict[str, np.ndarray]:
    """What `write_truth` wrote."""
    table = _read(folder / TRUTH)
    return dict(zip(table["dataset"].to_pylist(), _arrays(table["y"], np.int8), strict=True))


def write_scores(folder: Path, method: str, cells: Mapping[Setting, PackedCell]) -> None:
    """Write the runs of a method, a row a run; scores as float32 if every score is exactly one, else as float64."""
    rows = [(*setting, run, cell.versions) for setting, cell in cells.items() for run in cell.runs]
    runs = [run for _, _, run, _ in rows]
    columns: dict[str, Any] = {"dataset": [row[0] for row in rows], "scenario": [row[1] for row in rows]}
    columns |= {name: _column([getattr(run, name) for run in runs]) for name in PLAIN_OF_RUNS}
    for name in SCORES:
        scores = [getattr(run, name) for run in runs]
        exact = all(np.array_equal(one, one.astype(np.float32)) for one in scores)
        columns[name] = _lists(scores, np.float32 if exact else float)
    columns["facts"] = pa.array([list(run.facts.items()) for run in runs], pa.map_(pa.string(), pa.float64()))
    arrays = [[(name, _npy(array)) for name, array in run.arrays.items()] for run in runs]
    columns["arrays"] = pa.array(arrays, pa.map_(pa.string(), pa.binary()))
    columns["versions"] = [json.dumps(versions, sort_keys=True) for *_, versions in rows]
    _write(folder / scores_file(method), pa.table(columns), SCORES)


def read_scores(folder: Path, method: str) -> dict[Setting, PackedCell]:
    """What `write_scores` wrote, with scores as float64; a cell without runs is not among them."""
    table = _read(folder / scores_file(method))
    scores = {name: _arrays(table[name], float) for name in SCORES}
    found: dict[Setting, PackedCell] = {}
    for place, row in enumerate(table.drop_columns(list(SCORES)).to_pylist()):
        cell = found.setdefault((row["dataset"], row["scenario"]), PackedCell([], json.loads(row["versions"])))
        cell.runs.append(
            FittedRun(
                **{name: row[name] for name in PLAIN_OF_RUNS},
                **{name: column[place] for name, column in scores.items()},
                facts=dict(row["facts"]),
                arrays={name: np.load(io.BytesIO(content), allow_pickle=False) for name, content in row["arrays"]},
            )
        )
    return found


def as_float32(run: FittedRun) -> FittedRun:
    """The run with its scores rounded to float32."""
    return replace(run, **{name: getattr(run, name).astype(np.float32).astype(float) for name in SCORES})


def _npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _arrow(kind: type) -> pa.DataType:
    return pa.string() if kind is str else pa.from_numpy_dtype(kind)


def _column(values: list) -> pa.Array:
    """Numbers or text; NaN stays a number."""
    return pa.array(values, pa.string() if values and isinstance(values[0], str) else None)


def _lists(arrays: Sequence[np.ndarray], kind: type) -> pa.ListArray:
    offsets = np.concatenate([[0], np.cumsum([len(array) for array in arrays], dtype=np.int64)]).astype(np.int32)
    values = np.concatenate([np.empty(0, kind), *(np.asarray(array, kind) for array in arrays)])
    return pa.ListArray.from_arrays(offsets, pa.array(values.astype(kind)))


def _arrays(column: pa.ChunkedArray, kind: type) -> list[np.ndarray]:
    lists = column.combine_chunks()
    values, offsets = lists.values.to_numpy(zero_copy_only=False).astype(kind), lists.offsets.to_numpy()
    return [values[start:stop] for start, stop in itertools.pairwise(offsets)]


def _write(path: Path, table: pa.Table, floats: Iterable[str] = ()) -> None:
    """Write a table in whichever encoding of the columns of `floats` is smaller.

    Scores of trees have few values, which a dictionary holds; others are smaller with their bytes apart.
    """
    split = [f"{name}.list.element" for name in floats]
    others = [name for name in _leaves(table) if name not in split]
    candidates = [{"use_dictionary": True}]
    if split:
        candidates.append({"use_dictionary": others, "use_byte_stream_split": split})
    contents = []
    for candidate in candidates:
        file = io.BytesIO()
        parquet.write_table(
            table, file, compression="zstd", compression_level=LEVEL, write_statistics=False,
            row_group_size=max(len(table), 1), data_page_size=2**24, dictionary_pagesize_limit=2**22, **candidate,
        )  # fmt: skip
        contents.append(file.getvalue())
    with atomic(path) as handle:
        handle.write(min(contents, key=len))


def _leaves(table: pa.Table) -> list[str]:
    """Paths of the columns as parquet names them."""
    file = io.BytesIO()
    parquet.write_table(table.slice(0, 0), file)
    schema = parquet.ParquetFile(file).schema
    return [schema.column(place).path for place in range(len(schema))]


def _read(path: Path) -> pa.Table:
    """A table of a pack; raises DataError where it cannot be read."""
    try:
        return parquet.read_table(path)
    except (ArrowException, OSError) as error:
        raise DataError(f"the table cannot be read: {error}", where=str(path), hint="get the pack again") from None
