"""Rule `prepare`: one checked table per data set."""

from __future__ import annotations

from scarce.config.project import Project


def prepare(project: Project, dataset: str, *, allow_unusable: bool) -> list[str]:
    """Read and check the raw files of a data set and write its table; returns its classes and a line for each warning.

    Raises
    ------
    DataError
        If it cannot be used and `allow_unusable` is false.
    """
    from scarce.data.availability import classes_in_words
    from scarce.data.prepare import prepare_dataset

    result = prepare_dataset(project.dataset(dataset), allow_unusable=allow_unusable)
    warnings = [f"{dataset}: {text}" for text in result.get("warnings", [])]
    if result["status"] == "unusable":
        warnings.append(f"{dataset} is left out of all studies: {result['reason']}")
    lines = [f"{dataset}: {classes}"] if (classes := classes_in_words(result)) else []
    return [*lines, *(f"scarce: warning: {text}" for text in warnings)]
