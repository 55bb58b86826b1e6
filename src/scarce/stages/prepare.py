"""Rule `prepare`: one checked table per data set."""

from __future__ import annotations

from scarce.config.project import Project


def prepare(project: Project, dataset: str, *, allow_unusable: bool) -> str:
    """Read and check the raw files of a data set and write its table; returns a warning if it cannot be used, or "".

    Raises
    ------
    DataError
        If it cannot be used and `allow_unusable` is false.
    """
    from scarce.data.prepare import prepare_dataset

    result = prepare_dataset(project.dataset(dataset), allow_unusable=allow_unusable)
    return f"{dataset} is left out of all studies: {result['reason']}" if result["status"] == "unusable" else ""
