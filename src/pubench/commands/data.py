"""The stages from a data set's description to its prepared table: fetch and prepare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pubench import paths
from pubench.errors import ConfigError, DataError, DataUnavailable
from pubench.files import read_json
from pubench.project import Project


def fetch(project: Project, datasets: Sequence[str], *, missing: bool, allow_missing: bool) -> Iterator[str]:
    """Get the raw files of data sets; yields a line for each.

    Raises
    ------
    DataUnavailable
        If a data set cannot be had and `allow_missing` is false.
    """
    from pubench.data.store import fetch_dataset

    if not datasets and not missing:
        raise ConfigError("name the data sets to fetch, or give --missing", hint="`snakemake --cores 1 fetch` gets all")
    names = list(datasets)
    if missing:
        names += [name for name in project.datasets if name not in names and unavailable(name)]
    lost = []
    for name in names:
        spec = project.dataset(name)
        found = fetch_dataset(spec, project.mirror)
        if found["status"] == "ok":
            yield f"{name}: from {found['source']['kind']}"
        else:
            lost.append(f"{name}: {found['reason']}")
            yield f"{name}: cannot be had: {found['reason']}"
    if lost and not allow_missing:
        raise DataUnavailable("; ".join(lost), hint="the studies go on without it and say so")


def prepare(project: Project, dataset: str, *, allow_unusable: bool) -> str:
    """Read and check the raw files of a data set and write its table; returns why it cannot be used, or "".

    Raises
    ------
    DataError
        If it cannot be used and `allow_unusable` is false.
    """
    from pubench.data.store import prepare_dataset

    found = prepare_dataset(project.dataset(dataset), allow_unusable=allow_unusable)
    return found["reason"] if found["status"] == "unusable" else ""


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
