"""Entry points: fetch, prepare and load a data set, with its files under ``data/``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.data.sources import fetch, mirror_folder
from scarce.errors import DataError, DataUnavailable

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Features:
    """Prepared features, without labels.

    `X` is float64 (n, d), with codes in nominal columns (positions in their `categories`) and NaN for missing cells;
    `description` is the content of ``data/prepared/<name>.json``.
    """

    X: np.ndarray
    names: list[str]
    categorical: np.ndarray
    categories: dict[str, list[str]]
    description: dict[str, Any]

    @property
    def available(self) -> bool:
        """False for a data set without rows, which could not be fetched or used."""
        return self.description["status"] == "ok"

    @property
    def levels(self) -> list[int]:
        """Number of categories of each column in the whole data set, 0 for a numeric column."""
        return [len(self.categories.get(name, ())) for name in self.names]

    @property
    def scaled(self) -> bool:
        """Whether the numeric columns are standardised already."""
        return bool(self.description.get("scaled", False))


@dataclass(frozen=True)
class Prepared(Features):
    """Prepared features with the true labels, which are read at the first access to `y`."""

    @cached_property
    def y(self) -> np.ndarray:
        """True labels, int8 of shape (n,), 1 for the positive class."""
        return files.read_npz(paths.prepared(self.description["name"]), "y")["y"]


def fetch_dataset(spec: DatasetSpec, mirror: str | PathLike | None = None) -> dict:
    """Fetch a data set into ``data/raw/<name>``; returns the content of PROVENANCE.json.

    `mirror` is by default the folder that SCARCE_MIRROR names. If no source gives the data, ``status`` is
    ``unavailable``.
    """

    def verify(source: Any, raw: list[Path]) -> None:
        if spec.content_sha256 is not None:
            from scarce.data.prepare import build, check

            check(spec, source, build(spec, source, raw))

    try:
        return fetch(spec, mirror=mirror_folder(mirror), verify=verify)
    except DataUnavailable as error:
        record = {"dataset": spec.name, "status": "unavailable", "reason": error.message.removeprefix(f"{spec.name}: ")}
        files.write_json(paths.provenance(spec.name), record)
        return record


def prepare_dataset(spec: DatasetSpec, *, allow_unusable: bool = False) -> dict:
    """Write ``data/prepared/<name>.npz`` and ``.json``; returns the content of the latter.

    Raises DataError as `prepare` does. With `allow_unusable`, a table that cannot be used becomes an empty one with the
    reason.
    """
    from scarce.data.prepare import prepare

    arrays, description = prepare(spec, allow_unusable=allow_unusable)
    files.write_npz(paths.prepared(spec.name), **arrays)
    files.write_json(paths.prepared_json(spec.name), description)
    return description


def load_prepared(name: str) -> Prepared:
    """A prepared data set; its labels are read at the first access to `y`."""
    return Prepared(**_features(name))


def load_features_only(name: str) -> Features:
    """A prepared data set without true labels, for jobs that fit methods."""
    return Features(**_features(name))


def _features(name: str) -> dict[str, Any]:
    try:
        description = files.read_json(paths.prepared_json(name))
        arrays = files.read_npz(paths.prepared(name), "X", "categorical")
    except FileNotFoundError as error:
        raise DataError(
            f"{name} is not prepared", where=Path(error.filename).as_posix(), hint=f"scarce prepare {name}"
        ) from None
    return {
        "X": arrays["X"],
        "categorical": arrays["categorical"],
        "names": description.get("names", []),
        "categories": description.get("categories", {}),
        "description": description,
    }
