"""What several stages read: prepared features, labels, class priors, and digests of these files."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scarce import paths, source_code
from scarce.config.study import Study
from scarce.errors import IncompleteError
from scarce.files import read_npz, sha256


def existing(file: Path, target: str | Path = "") -> Path:
    """The file itself.

    Raises
    ------
    IncompleteError
        If the file does not exist; names the Snakemake target that makes it, by default the file. The target of a file
        that an index lists is the index.
    """
    if not file.is_file():
        raise IncompleteError(f"{file} is not there", hint=f"snakemake --cores 2 {target or file}")
    return file


def labels_file(study: Study, dataset: str, scenario: str) -> Path:
    return existing(paths.labels(study.name, dataset, scenario), paths.labels_index(study.name, dataset))


def _features_file(study: Study, dataset: str, encoding: str) -> Path:
    """Where a fit reads its features: encoded on all rows, or prepared, to be encoded inside the fit."""
    if encoding == "woe_all_true":
        return existing(paths.features(study.name, dataset), paths.labels_index(study.name, dataset))
    return existing(paths.prepared(dataset))


def _prior_file(study: Study, dataset: str, scenario: str) -> Path:
    return existing(paths.prior(study.name, dataset, scenario), paths.priors_index(study.name, dataset))


@functools.cache
def digest_of(file: Path) -> str:
    """SHA-256 of a file that does not change while the command runs."""
    return sha256(file)


def digest_of_inputs(study: Study, dataset: str, scenario: str, encoding: str) -> str:
    """Digest of what a fit reads: its labels, its features, and its class priors where they are estimated."""
    files = [labels_file(study, dataset, scenario), _features_file(study, dataset, encoding)]
    if study.options.estimator:
        files.append(_prior_file(study, dataset, scenario))
    return source_code.digest([digest_of(file) for file in files])


def labels_of(study: Study, dataset: str, scenario: str) -> Any:
    """The labels of a cell, with the estimated class priors where the study estimates them."""
    from scarce.labels.file import Labels

    labels = Labels.load(labels_file(study, dataset, scenario))
    if study.options.estimator is None:
        return labels
    return labels.with_priors(**read_npz(_prior_file(study, dataset, scenario), "class_prior", "failed", "note"))


def true_labels(dataset: str) -> Any:
    """True labels of a prepared data set: for scoring, and for methods that are marked as using hidden labels."""
    return read_npz(existing(paths.prepared(dataset)), "y")["y"]


def load_features(study: Study, dataset: str, encoding: str) -> tuple[Any, Callable[[], Any] | None]:
    """Features encoded on all rows, or prepared ones with what makes a new encoder to be fitted on training rows."""
    from scarce.data.encode import FittedEncoder
    from scarce.data.store import load_features_only

    file = _features_file(study, dataset, encoding)
    if encoding == "woe_all_true":
        return read_npz(file, "X")["X"], None
    prepared = load_features_only(dataset)
    levels = _levels(prepared)
    return prepared.X, lambda: FittedEncoder(encoding, prepared.categorical, scaled=prepared.scaled, levels=levels)


@functools.cache
def nominal(dataset: str) -> tuple[list[int], list[int], tuple[int, ...]]:
    """Places of a data set's nominal columns, the number of levels of each, and the shape of a row.

    Missing cells of a column are one level more, which the encoding ``none`` puts after the others.
    """
    import numpy as np

    from scarce.data.store import load_features_only

    prepared = load_features_only(dataset)
    places = prepared.categorical.nonzero()[0].tolist()
    missing = np.isnan(prepared.X[:, places]).any(0).tolist()
    levels = [known + more for known, more in zip(_levels(prepared), missing, strict=True)]
    return places, levels, tuple(prepared.description.get("shape", prepared.X.shape[1:]))


def _levels(prepared) -> list[int]:
    """Number of levels that the cells of each nominal column have, without missing cells."""
    return [len(prepared.categories[prepared.names[place]]) for place in prepared.categorical.nonzero()[0]]
