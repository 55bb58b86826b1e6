"""What of the data is at hand, told from the names of files alone; a Snakefile can afford to ask."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from pubench import files, paths
from pubench.data.sources import mirror_folder
from pubench.data.specs import DatasetSpec
from pubench.errors import DataError


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
#: Steps that change which classes or columns there are.
RESHAPING = ("rename", "relabel", "keep_classes", "sample_classes", "take_rows")


def own_problem(spec: DatasetSpec) -> tuple[str, str, str] | None:
    """What is wrong with the user's own file of a data set, as far as a glance at a CSV file can tell.

    Returns
    -------
    (key, message, hint) or None
        The key of the description to correct. A file that is not there is no problem where there are other sources, or
        where the description gives the `reason` why not everyone has it.
    """
    own = [source for source in spec.sources if source.kind == "local"]
    if len(own) == len(spec.sources) and not spec.reason:
        for file in own[0].files:
            if not Path(file.path).is_file():
                return "sources", f"no such file: {file.path}", "a relative path starts at the project's root"
    steps = {step.step for source in own for step in source.steps} | {step.step for step in spec.steps}
    for source in own:
        read = spec.reader(source)
        files_ = [Path(file.path) for file in source.files]
        plain = read.format == "csv" and read.header and len(read.delimiter) == 1 and not steps & set(RESHAPING)
        if plain and len(files_) == 1 and files_[0].suffix in (".csv", ".data", ".txt") and files_[0].is_file():
            return _glance(spec, files_[0], read) if files_[0].stat().st_size < LARGEST_PEEK else None
    return None


def _glance(spec: DatasetSpec, path: Path, read: Any) -> tuple[str, str, str] | None:
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            rows = csv.reader(handle, delimiter=read.delimiter, quotechar=read.quote, skipinitialspace=True)
            header = [name.strip() for name in next(rows, [])]
            if spec.target not in header:
                return "target", f"{path} has no column {spec.target!r}", f"columns: {', '.join(header[:30])}"
            place = header.index(spec.target)
            classes = {row[place].strip() for row in rows if len(row) > place}
    except (UnicodeDecodeError, csv.Error):
        return None  # the reader says it better, with the line
    for name in spec.positive:
        if name not in classes:
            shown = ", ".join(sorted(classes)[:20])
            return "positive", f"no row of {path} has {spec.target} {name!r}", f"classes: {shown}"
    return None
