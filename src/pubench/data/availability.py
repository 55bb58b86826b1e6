"""What of the data is at hand, told from the names of files alone; a Snakefile can afford to ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from pubench import files, paths
from pubench.data.sources import mirror_folder
from pubench.data.specs import DatasetSpec


def forget_stale_failures(
    described: Mapping[str, DatasetSpec] | Iterable[DatasetSpec], mirror: str | PathLike | None = None
) -> list[str]:
    """Remove the PROVENANCE.json of data sets that were unavailable and whose mirror or own file has appeared since.

    Returns
    -------
    list of str
        Names of these data sets, which the next run fetches again.
    """
    forgotten = []
    for spec in described.values() if isinstance(described, Mapping) else described:
        path = paths.provenance(spec.name)
        if path.is_file() and files.read_json(path).get("status") == "unavailable" and at_hand(spec, mirror):
            path.unlink()
            forgotten.append(spec.name)
    return forgotten


def at_hand(spec: DatasetSpec, mirror: str | PathLike | None = None) -> bool:
    """Whether a data set needs no network: fetched already, generated, in the mirror, or a file of the user's."""
    path, folder = paths.provenance(spec.name), mirror_folder(mirror)
    if path.is_file() and files.read_json(path).get("status") == "ok":
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
