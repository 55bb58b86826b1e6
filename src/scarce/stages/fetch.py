"""Rule `fetch_dataset`: raw files from the first source that has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scarce.config.project import Project
from scarce.data.availability import unavailable
from scarce.errors import ConfigError, DataUnavailable


def fetch(project: Project, datasets: Sequence[str], *, missing: bool, allow_missing: bool) -> Iterator[str]:
    """Get the raw files of data sets; yields a line for each.

    Raises
    ------
    ConfigError
        If the only file of a data set is the user's own and is not there, and `allow_missing` is false.
    DataUnavailable
        If a data set cannot be had otherwise and `allow_missing` is false.
    """
    from scarce.data.sources import fetch_dataset

    if not datasets and not missing:
        raise ConfigError("name the data sets to fetch, or give --missing", hint="`snakemake --cores 1 fetch` gets all")
    names = list(datasets)
    for name in names if not allow_missing else ():
        if fault := project.faults.get(("own file", name)):
            raise fault
    if missing:
        names += [name for name in project.datasets if name not in names and unavailable(name)]
    lost = []
    for name in names:
        spec = project.dataset(name)
        result = fetch_dataset(spec, project.mirror)
        if result["status"] == "ok":
            yield f"{name}: from {result['source']['kind']}"
            yield from (f"scarce: warning: {name}: {text}" for text in result["warnings"])
        else:
            lost.append(f"{name}: {result['reason']}")
            yield f"{name}: cannot be had: {result['reason']}"
    if lost and not allow_missing:
        raise DataUnavailable("; ".join(lost), hint="the studies go on without it and say so")
