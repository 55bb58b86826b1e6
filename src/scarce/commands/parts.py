"""A part of a study: fewer data sets, methods or repeats, as a study of its own.

Its file and its results stand in ``results/<study>-part-<digest>``, so that nothing of the study itself changes. It has
no claims, no published numbers and no tables of the study's report: these speak of the whole study.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from scarce import paths
from scarce.config.study import Study
from scarce.errors import ConfigError
from scarce.files import write_text
from scarce.source_code import digest
from scarce.stages.describe import settings_of
from scarce.stages.shared_fits import PART
from scarce.words import listed, number


def restricted(
    study: Study, methods: Sequence[str] = (), datasets: Sequence[str] = (), repeats: int | None = None
) -> dict[str, Any] | None:
    """Settings of the part of a study with these methods, data sets and repeats; None where that is the whole study.

    Raises
    ------
    ConfigError
        If the study has no such data set, method, or so many repeats.
    """
    for method in methods or [None]:
        for dataset in datasets or study.datasets[:1]:
            study.check_cell(dataset, method=method)
    if repeats is not None and not 1 <= repeats <= study.repeats:
        raise ConfigError(f"--repeats must be between 1 and the {study.repeats} of study {study.name}, got {repeats}")
    kept = {
        "datasets": [name for name in study.datasets if not datasets or name in datasets],
        "methods": [name for name in study.fitted_methods if not methods or name in methods],
        "repeats": repeats or study.repeats,
    }
    all_kept = {"datasets": study.datasets, "methods": study.fitted_methods, "repeats": study.repeats}
    if kept == all_kept:
        return None
    what = [listed(kept[kind]) for kind in ("datasets", "methods") if kept[kind] != all_kept[kind]]
    what += [number(kept["repeats"], "repeat")] * (kept["repeats"] != study.repeats)
    settings = settings_of(study) | kept
    method_options = {name: own for name, own in settings["method_options"].items() if name in kept["methods"]}
    return _without_none(
        settings
        | {
            "name": f"{study.name}{PART}{digest(kept)[:8]}",
            "title": f"{study.title} (a part: {', '.join(what)})",
            "extends": None,
            "paper": None,
            "labeling": _of_datasets(settings["labeling"], kept["datasets"]),
            "method_options": method_options,
            "analysis": _analysis(settings["analysis"], kept["methods"]),
            "report": {},
        }
    )


def _analysis(settings: dict[str, Any], methods: list[str]) -> dict[str, Any]:
    """Settings of statistics without those that speak of other methods or of published numbers."""
    control = settings["control"] if settings["control"] in methods else "best"
    exclude = {metric: [one for one in out if one in methods] for metric, out in settings["exclude"].items()}
    without = {"reference": None, "reasons": {}, "selection": None}
    return settings | without | {"control": control, "exclude": exclude}


def _of_datasets(value: Any, datasets: list[str]) -> Any:
    """Settings of a labeling without the items of lists that are for other data sets."""
    if isinstance(value, list):
        return [kept for one in value if (kept := _of_datasets(one, datasets)) is not None]
    if not isinstance(value, dict):
        return value
    if value.get("datasets"):
        kept = [name for name in value["datasets"] if name in datasets]
        return value | {"datasets": kept} if kept else None
    parts = {key: _of_datasets(one, datasets) for key, one in value.items()}
    return None if any(parts[key] is None and one is not None for key, one in value.items()) else parts


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(one) for key, one in value.items() if one is not None}
    return [_without_none(one) for one in value] if isinstance(value, list) else value


def write_part(settings: dict[str, Any], whole: str) -> Path:
    """Write the file of a part into the folder of its results."""
    file = paths.own_study_yaml(settings["name"])
    about = f"# A part of the study {whole}, which `scarce run` has written. Deleting this folder deletes the part.\n"
    write_text(file, about + yaml.safe_dump(settings, sort_keys=False, allow_unicode=True))
    return file
