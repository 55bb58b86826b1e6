"""What of the data is at hand, told from the names of files alone; a Snakefile can afford to ask."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.config.datasets.fields import class_text
from scarce.data.comments import blank_comments
from scarce.data.sources import mirror_folder
from scarce.errors import DataError
from scarce.files import read_json


def forget_stale_failures(
    described: Mapping[str, DatasetSpec] | Iterable[DatasetSpec], mirror: str | PathLike | None = None
) -> list[str]:
    """Remove the PROVENANCE.json of data sets that were unavailable and whose mirror or own file has appeared since.

    One that is damaged, as a power failure can leave it, is removed as well.

    Returns
    -------
    list of str
        Names of these data sets, which the next run fetches again.
    """
    forgotten = []
    for spec in described.values() if isinstance(described, Mapping) else described:
        path = paths.provenance(spec.name)
        status = _status(path)
        if status == "damaged" or (status == "unavailable" and at_hand(spec, mirror)):
            with contextlib.suppress(OSError):  # a read-only folder is said by what must write there
                path.unlink()
                forgotten.append(spec.name)
    return forgotten


def _status(path: Path) -> str:
    """What a PROVENANCE.json says: ok, unavailable, damaged, or "" where there is none."""
    if not path.is_file():
        return ""
    with contextlib.suppress(DataError, AttributeError):
        return files.read_json(path).get("status", "damaged")
    return "damaged"


def at_hand(spec: DatasetSpec, mirror: str | PathLike | None = None) -> bool:
    """Whether a data set needs no network: fetched already, generated, in the mirror, or a file of the user's."""
    path, folder = paths.provenance(spec.name), mirror_folder(mirror)
    if _status(path) == "ok":
        return True
    roots = {"local": Path(), **({"mirror": folder} if folder is not None else {})}
    return any(
        source.kind == "generated"
        or (source.kind in roots and all((roots[source.kind] / file.path).is_file() for file in source.files))
        for source in spec.sources
    )


def own_files(spec: DatasetSpec) -> list[str]:
    """The user's own files that a data set reads and that are there: inputs of its fetch job."""
    listed = [file.path for source in spec.sources if source.kind == "local" for file in source.files]
    return [path for path in listed if Path(path).is_file()]


#: Larger files are left to the job that prepares them.
LARGEST_PEEK = 50_000_000
#: Steps that change which classes there are.
RESHAPING = ("relabel", "keep_classes", "sample_classes", "take_rows")
#: What is wrong: the keys that lead to what is to be corrected, the message, the hint.
Problem = tuple[tuple[str | int, ...], str, str]


def own_problems(spec: DatasetSpec) -> list[Problem]:
    """What is wrong with the user's own file of a data set, as far as a glance at a CSV file can tell.

    A file that is not there is no problem where there are other sources, or where the description gives the `reason`
    why not everyone has it.
    """
    own = [source for source in spec.sources if source.kind == "local"]
    if len(own) == len(spec.sources) and not spec.reason:
        lacking = [file.path for file in own[0].files if not Path(file.path).is_file()]
        if lacking:
            hint = "a relative path starts at the project's root"
            return [(("sources",), f"no such file: {path}", hint) for path in lacking]
    for source in own:
        read = spec.reader(source)
        files_ = [Path(file.path) for file in source.files]
        plain = read.format == "csv" and read.header and len(read.delimiter) == 1
        if plain and len(files_) == 1 and files_[0].suffix in (".csv", ".data", ".txt") and files_[0].is_file():
            return _glance(spec, source, files_[0], read) if files_[0].stat().st_size < LARGEST_PEEK else []
    return []


def _glance(spec: DatasetSpec, source: Any, path: Path, read: Any) -> list[Problem]:
    with contextlib.suppress(UnicodeDecodeError, csv.Error):
        text = io.StringIO(blank_comments(path.read_bytes(), read.comment).decode("utf-8-sig"), newline="")
        lines = csv.reader(text, delimiter=read.delimiter, quotechar=read.quote, skipinitialspace=True)
        rows = (row for row in lines if len(row) > 1 or "".join(row).strip())
        header = [name.strip() for name in next(rows, [])]
        if header and header[-1] == "":
            header = header[:-1]
        return [*_wrong_columns(spec, source, path, header), *_wrong_classes(spec, source, path, header, rows)]
    return []  # the reader says it better, with the line


def _wrong_columns(spec: DatasetSpec, source: Any, path: Path, header: list[str]) -> Iterator[Problem]:
    """Columns that the description names and the file, or what the steps have left of it, does not have."""
    names = header

    def absent(at: tuple[str | int, ...], used: Iterable[str]) -> list[Problem]:
        left = "" if names == header else "what the steps leave of "
        hint = f"columns: {', '.join(names[:30])}"
        return [(at, f"{left}{path} has no column {name!r}", hint) for name in used if name not in names]

    place = ("sources", spec.sources.index(source), "steps")
    for at, step in [
        *(((*place, i), step) for i, step in enumerate(source.steps)),
        *((("steps", i), step) for i, step in enumerate(spec.steps)),
    ]:
        used = [*getattr(step, "columns", ()), *getattr(step, "names", ())]
        used += [step.column] if hasattr(step, "column") else []
        if wrong := absent(at, used):
            yield from wrong
            return  # which columns it was to leave is not known
        if step.step == "drop_columns":
            names = [name for name in names if name not in step.columns]
        elif step.step == "keep_columns":
            names = [*step.columns, *({spec.target} - {*step.columns})]
        elif step.step == "rename":
            names = [step.names.get(name, name) for name in names]
    for key in ("target", "nominal", "numeric"):
        yield from absent((key,), [spec.target] if key == "target" else getattr(spec, key))


def _wrong_classes(
    spec: DatasetSpec, source: Any, path: Path, header: list[str], rows: Iterable[list[str]]
) -> Iterator[Problem]:
    """Positive classes that no row has."""
    if spec.target not in header or {step.step for step in (*source.steps, *spec.steps)} & set(RESHAPING):
        return
    place = header.index(spec.target)
    classes = {class_text(row[place]) for row in rows if len(row) > place}
    shown = ", ".join(sorted(classes)[:20])
    for name in spec.positive:
        if name not in classes:
            yield ("positive",), f"no row of {path} has {spec.target} {name!r}", f"classes: {shown}"


def missing(dataset: str) -> str:
    """Why studies go without a data set: it could not be had or used when it was last tried; or ""."""
    return unavailable(dataset) or unusable(dataset)


def unavailable(dataset: str) -> str:
    """Why a data set could not be had when it was last tried, or ""."""
    return _reason(paths.provenance(dataset), "unavailable")


def unusable(dataset: str) -> str:
    """Why a data set's table could not be used when it was last prepared, or ""."""
    return _reason(paths.prepared_json(dataset), "unusable")


def _reason(file: Path, status: str) -> str:
    if not file.is_file():
        return ""
    try:
        found = read_json(file)
    except DataError:  # to be made again
        return ""
    return found["reason"] if found["status"] == status else ""
