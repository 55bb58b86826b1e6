"""The entry points of this room: fetch, prepare, load; files under ``data/``, everything else in its modules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.data import prepare as preparing
from scarce.data.sources import fetch, mirror_folder
from scarce.errors import DataError, DataUnavailable


@dataclass(frozen=True)
class Features:
    """Prepared features, without labels.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        Codes in nominal columns, NaN where missing.
    names : list of str
    categorical : ndarray of shape (d,), bool
    categories : dict of str to list of str
        Values of each nominal column, in the order of the codes.
    description : dict
        The whole of ``data/prepared/<name>.json``.
    """

    X: np.ndarray
    names: list[str]
    categorical: np.ndarray
    categories: dict[str, list[str]]
    description: dict[str, Any]

    @property
    def available(self) -> bool:
        """False for a data set that could not be had or used: it has no rows."""
        return self.description["status"] == "ok"

    @property
    def scaled(self) -> bool:
        """Whether the numeric columns are standardised already."""
        return bool(self.description.get("scaled", False))


@dataclass(frozen=True)
class Prepared(Features):
    """Prepared features with the true labels, which are read only when asked for."""

    @cached_property
    def y(self) -> np.ndarray:
        """True labels, int8 of shape (n,), 1 for the positive class."""
        return files.read_npz(paths.prepared(self.description["name"]), "y")["y"]


def fetch_dataset(spec: DatasetSpec, mirror: str | PathLike | None = None) -> dict:
    """Fetch a data set into ``data/raw/<name>``; one that cannot be had is written down as unavailable.

    Parameters
    ----------
    spec : DatasetSpec
    mirror : path, optional
        Mirror folder; by default the one that SCARCE_MIRROR names.

    Returns
    -------
    dict
        What PROVENANCE.json holds; ``status`` is ``ok`` or ``unavailable``.
    """

    def verify(source: Any, raw: list[Path]) -> None:
        if spec.content_sha256 is not None:
            preparing.check(spec, source, preparing.build(spec, source, raw))

    try:
        return fetch(spec, mirror=mirror_folder(mirror), verify=verify)
    except DataUnavailable as error:
        record = {"dataset": spec.name, "status": "unavailable", "reason": error.message.removeprefix(f"{spec.name}: ")}
        files.write_json(paths.provenance(spec.name), record)
        return record


def prepare_dataset(spec: DatasetSpec, *, allow_unusable: bool = False) -> dict:
    """Write ``data/prepared/<name>.npz`` and ``.json``; returns what the latter holds.

    Parameters
    ----------
    spec : DatasetSpec
    allow_unusable : bool
        Whether a table that cannot be used is written down as such (no rows, and the reason), as studies want it.

    Raises
    ------
    DataError
        If the raw files are not those fetched; unless `allow_unusable`, if they give no table as described.
    """
    arrays, description = preparing.prepare(spec, allow_unusable=allow_unusable)
    files.write_npz(paths.prepared(spec.name), **arrays)
    files.write_json(paths.prepared_json(spec.name), description)
    return description


def load_prepared(name: str) -> Prepared:
    """A prepared data set; its labels are read when `y` is first asked for."""
    return Prepared(**_features(name))


def load_features_only(name: str) -> Features:
    """A prepared data set without its labels: what jobs that fit methods may see."""
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
