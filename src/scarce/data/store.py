"""Load a prepared data set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scarce import files, paths
from scarce.errors import DataError

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Features:
    """Prepared features, without labels.

    `X` is float64 (n, d), or uint8 where the files hold bytes, with codes in nominal columns (positions in their
    `categories`) and NaN for missing cells; `description` is the content of ``data/prepared/<name>.json``.
    """

    X: np.ndarray
    names: list[str]
    categorical: np.ndarray
    categories: dict[str, list[str]]
    description: dict[str, Any]

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

    @cached_property
    def test_part(self) -> np.ndarray | None:
        """Which rows are the data set's own test part, bool of shape (n,); None where it has none."""
        return self._stated("test_part", "test_rows")

    @cached_property
    def group(self) -> np.ndarray | None:
        """Number of the group of each row, int32 of shape (n,); None where the data set declares no groups."""
        return self._stated("group", "group")

    @cached_property
    def time(self) -> np.ndarray | None:
        """Time of each row, float64 of shape (n,); None where the data set declares no times."""
        return self._stated("time", "time")

    def _stated(self, array: str, key: str) -> np.ndarray | None:
        """An array of the prepared file; None where the description has no such key."""
        if key not in self.description:
            return None
        return files.read_npz(paths.prepared(self.description["name"]), array)[array]


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
