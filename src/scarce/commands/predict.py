"""Score the rows of a CSV by a model that `scarce refit` wrote; needs no project."""

from __future__ import annotations

import os
import platform
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from pydantic import BaseModel, ValidationError

from scarce import __version__, libraries, registry
from scarce.commands.model_card import KIND
from scarce.config.datasets.reading import Csv, Step
from scarce.data.new_rows import read_new_rows
from scarce.errors import ConfigError, DataError, MethodError
from scarce.files import read_json, sha256, write_rows
from scarce.fitting.model import scores_and_classes
from scarce.words import number, one_line

COLUMNS = ("row", "score", "predicted")
MODEL = ".joblib"


class _File(BaseModel):
    sha256: str


class _Column(BaseModel):
    name: str
    levels: list[str] | None


class _Table(BaseModel):
    read: Csv
    steps: list[Step]
    target: str | None
    dates: dict[str, str]


class _Threshold(BaseModel):
    value: float
    min: float
    max: float
    repeats: int
    comparison: str


class _Described(BaseModel):
    """What `predict` reads of the JSON beside a model."""

    file: _File
    columns: list[_Column]
    table: _Table
    threshold: _Threshold
    versions: dict[str, str | None]
    python: str
    scarce: str


def predict(model: Path, table: Path, *, output: Path) -> str:
    """Write row (counted from 0), score and predicted class (1 or 0) of each row of a CSV.

    Raises
    ------
    ConfigError
        If the model is given in place of the rows.
    DataError
        If the model's files are missing, damaged or not of each other, or the rows have other columns.
    MethodError
        If the model cannot score the rows.
    """
    if table.suffix == MODEL != model.suffix:
        raise ConfigError("the model comes first", where=str(table), hint=f"scarce predict {table} {model}")
    if output.exists() and any(file.exists() and os.path.samefile(output, file) for file in (model, table)):
        raise DataError("this file is read, it cannot be written", where=str(output), hint="-o predictions.csv")
    about = described(model)
    remarks = list(_differences(about))
    columns = {column["name"]: column["levels"] for column in about["columns"]}
    frame, doubts = read_new_rows(table, about["table"], columns)
    fitted = _loaded(model)
    try:
        scores, classes = scores_and_classes(fitted, frame)
    except Exception as error:
        raise MethodError(f"{type(error).__name__}: {one_line(error)}", where=str(model)) from error
    write_rows(output, COLUMNS, zip(range(len(scores)), scores.tolist(), classes.tolist(), strict=True))
    for line in [*remarks, *doubts]:
        print(f"scarce: warning: {line}", file=sys.stderr)
    limit = about["threshold"]
    spread = f"median of {limit['repeats']} from {limit['min']:.6g} to {limit['max']:.6g}"
    return (
        f"{output}: {number(len(scores), 'row')}, {int(np.sum(classes))} predicted positive: "
        f"score {limit['comparison']} {limit['value']:.6g} ({spread})"
    )


def described(model: Path) -> dict[str, Any]:
    """The JSON beside a model, checked against the model's bytes; raises DataError if they do not agree."""
    beside = model.with_suffix(".json")
    for file in (model, beside):
        if not file.is_file():
            raise DataError(
                "the file is not there", where=str(file), hint="`scarce refit` writes model and description"
            )
    about = read_json(beside)
    if not isinstance(about, dict) or about.get("kind") != KIND:
        raise DataError("this describes no model of this version of scarce", where=str(beside), hint="scarce refit")
    try:
        _Described.model_validate(about)
    except ValidationError as error:
        lacking = ".".join(map(str, error.errors()[0]["loc"]))
        raise DataError(f"{lacking} is missing or of another kind", where=str(beside), hint="scarce refit") from None
    if sha256(model) != about["file"]["sha256"]:
        raise DataError(
            f"the file is not the one that {beside} describes",
            where=str(model),
            hint="keep both files of one `scarce refit` together",
        )
    return about


def _differences(about: Mapping[str, Any]) -> Iterator[str]:
    """A line where versions here differ from those that fitted the model."""
    there = {"scarce": about["scarce"], "python": about["python"], **about["versions"]}
    here = {"scarce": __version__, "python": platform.python_version()}
    here |= {name: there[name] for name in about["versions"]} | libraries.differing(about["versions"])
    other = [
        f"{name} {here[name] or 'is not installed'} (then {there[name]})" for name in there if here[name] != there[name]
    ]
    if other:
        yield f"other versions than those that fitted the model: {', '.join(other)}"


def _loaded(model: Path) -> Any:
    registry.import_from_here()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # versions are compared above
            return joblib.load(model)
    except Exception as error:
        raise DataError(
            f"the model cannot be loaded: {type(error).__name__}: {one_line(error)}", where=str(model)
        ) from None
