"""From raw files to the one table that every study starts from: X, y, names, which columns are nominal."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.data import steps
from scarce.data.readers import READERS
from scarce.data.tables import Table, number, numbers, some, texts
from scarce.errors import ConfigError, DataError

#: From so many texts on, a nominal column is taken for an identifier if at least this share of them differ.
FEWEST_IDENTIFIERS, SHARE_OF_IDENTIFIERS = 20, 0.9


@dataclass(frozen=True)
class Content:
    """A prepared table.

    Parameters
    ----------
    X : ndarray of shape (n, d), float64
        Numbers as they are, NaN where missing; in a nominal column the position in `categories`, NaN where missing.
    y : ndarray of shape (n,), int8
        True labels, 1 for the positive class.
    names : list of str
    categorical : ndarray of shape (d,), bool
    categories : dict of str to list of str
        Values of each nominal column, sorted.
    """

    X: np.ndarray
    y: np.ndarray
    names: list[str]
    categorical: np.ndarray
    categories: dict[str, list[str]]

    def sha256(self) -> str:
        """SHA-256 of a canonical form of names, values and labels: equal for equal tables from any source."""
        digest = hashlib.sha256()
        described = [[name, self.categories.get(name)] for name in self.names]
        digest.update(json.dumps(["scarce table 1", len(self.y), described], ensure_ascii=True).encode())
        values = self.X + 0.0  # -0.0 becomes 0.0
        values[np.isnan(values)] = np.nan  # one bit pattern for all NaN
        for column in values.T:
            digest.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
        digest.update(self.y.astype("<i1").tobytes())
        return digest.hexdigest()


def prepare(spec: DatasetSpec, *, allow_unusable: bool = False) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read what `fetch` left in ``data/raw/<name>`` and check it against the description.

    Parameters
    ----------
    spec : DatasetSpec
    allow_unusable : bool
        Whether a table that cannot be used is an outcome, not an error.

    Returns
    -------
    arrays : dict
        ``X`` (n, d) float64, ``y`` (n,) int8, ``categorical`` (d,) bool. A data set that cannot be had or used has
        n = 0.
    description : dict
        name, title, code, status, n, d, positives, names, categories, scaled, content_sha256, source; for a data set
        that cannot be had (status ``unavailable``) or used (``unusable``) a reason instead of what the table has.

    Raises
    ------
    DataError
        If a raw file is not the one that was fetched; unless `allow_unusable`, if the raw files cannot be read, or the
        table is not what the description says or nothing that a method could learn from.
    """
    about = {"name": spec.name, "title": spec.title, "code": spec.code}
    record = _provenance(spec)
    if record["status"] == "unavailable":
        return _nothing(), about | {"status": "unavailable", "reason": record["reason"]}
    source, raw = _source(spec, record), _raw_files(spec, record)
    try:
        content = build(spec, source, raw)
        found = check(spec, source, content)
    except DataError as error:
        if not allow_unusable:
            raise
        said = DataError(error.message.removeprefix(f"{spec.name}: "), where=error.where, hint=error.hint)
        return _nothing(), about | {"status": "unusable", "reason": " ".join(said.lines())}
    arrays = {"X": content.X, "y": content.y, "categorical": content.categorical}
    return arrays, about | {
        "status": "ok",
        "n": len(content.y),
        "d": len(content.names),
        "positives": int(content.y.sum()),
        "names": content.names,
        "categories": content.categories,
        "scaled": spec.scaled,
        "content_sha256": found,
        "source": record["source"],
    }


def _nothing() -> dict[str, np.ndarray]:
    return {"X": np.zeros((0, 0)), "y": np.zeros(0, np.int8), "categorical": np.zeros(0, bool)}


def build(spec: DatasetSpec, source: Any, raw: list[Path]) -> Content:
    """Read the files of a source, do its steps and the data set's, and code labels and nominal columns."""
    read = spec.reader(source)
    options = {
        **read.model_dump(),
        "target": spec.target,
        "positive": list(spec.positive),
        "nominal": list(spec.nominal),
        "numeric": list(spec.numeric),
        "dropped": steps.dropped([*source.steps, *spec.steps]),
    }
    try:
        table = READERS[read.format](raw, options)
        for listed in (source.steps, spec.steps):
            table = steps.apply(table, listed, steps.Target(_target(spec, table), list(spec.positive)))
        return _coded(spec, table, _target(spec, table))
    except DataError as error:
        raise DataError(f"{spec.name}: {error.message}", where=error.where or raw[0].name, hint=error.hint) from None


def check(spec: DatasetSpec, source: Any, content: Content) -> str:
    """Hold a table against the description; returns its content hash."""
    found = {"n": len(content.y), "d": len(content.names), "positives": int(content.y.sum())}
    named = f"source {source.kind} ({source.where})"
    if spec.expected is not None:
        wrong = [
            f"{key} {found[key]}, expected {value}"
            for key, value in spec.expected.model_dump(include=set(found), exclude_none=True).items()
            if found[key] != value
        ]
        if wrong:
            raise DataError(f"{spec.name}: {named} gives {', '.join(wrong)}")
    sha256 = content.sha256()
    if spec.content_sha256 is not None and sha256 != spec.content_sha256:
        raise DataError(
            f"{spec.name}: {named} gives a table with content_sha256 {sha256}, expected {spec.content_sha256}"
        )
    return sha256


def _provenance(spec: DatasetSpec) -> dict:
    path = paths.provenance(spec.name)
    try:
        return files.read_json(path)
    except FileNotFoundError:
        raise DataError(
            f"{spec.name} is not fetched", where=path.as_posix(), hint=f"scarce fetch {spec.name}"
        ) from None


def _source(spec: DatasetSpec, record: dict) -> Any:
    for source in spec.sources:
        if {"kind": source.kind, "where": source.where} == record["source"]:
            return source
    raise DataError(
        f"{spec.name} was fetched from {record['source']['where']}, which is no longer one of its sources",
        hint=f"scarce fetch {spec.name}",
    )


def _raw_files(spec: DatasetSpec, record: dict) -> list[Path]:
    out = []
    for entry in record["files"]:
        path = paths.raw(spec.name) / entry["name"]
        found = files.sha256(path) if path.is_file() else "nothing"
        if found != entry["sha256"]:
            raise DataError(
                f"{spec.name}: the file has changed since it was fetched: sha256 {found}, expected {entry['sha256']}",
                where=path.as_posix(),
                hint=f"scarce fetch {spec.name}",
            )
        out.append(path)
    return out


def _target(spec: DatasetSpec, table: Table) -> str:
    target = spec.target or table.target
    if target is None:
        raise ConfigError(
            f"{spec.name}: the class column is not stated: add `target: <column>`; columns are {some(table.names, 40)}"
        )
    if target not in table.names:
        raise DataError(
            f"there is no class column {target!r}; columns are {some(table.names, 40)}", hint="correct `target:`"
        )
    return target


def _coded(spec: DatasetSpec, table: Table, target: str) -> Content:
    y = _positive(spec, texts(table.column(target)), target)
    names = [name for name in table.names if name != target]
    for key in ("nominal", "numeric"):
        for name in getattr(spec, key):
            if name not in table.names:
                raise DataError(
                    f"there is no column {name!r}; columns are {some(table.names, 40)}", hint=f"correct `{key}:`"
                )
    columns, categories = [], {}
    for name in names:
        nominal = name in spec.nominal or (table.categorical[table.index(name)] and name not in spec.numeric)
        if nominal:
            codes, categories[name] = _codes(texts_kept(table.column(name)))
            columns.append(codes)
            levels, given = len(categories[name]), np.count_nonzero(~np.isnan(codes))
            if name not in spec.nominal and given >= FEWEST_IDENTIFIERS and levels >= SHARE_OF_IDENTIFIERS * given:
                rows = "each row" if levels == given else "nearly each row"
                raise DataError(
                    f"column {name!r} has another text in {rows}, such as {categories[name][0]!r}: it tells rows "
                    "apart and says nothing of others",
                    hint="leave it out by a step `drop_columns`, or list it under `nominal:`",
                )
        else:
            columns.append(numbers(table.column(name), name))
            infinite = np.flatnonzero(np.isinf(columns[-1]))
            if len(infinite):
                raise DataError(
                    f"column {name!r} has infinite values: {len(infinite)}, the first in row {infinite[0] + 1}",
                    hint=f"{{step: set_missing, column: {name}, values: [.inf, -.inf]}} makes them missing cells",
                )
    if not columns:
        raise DataError("there is no column beside the class column")
    return Content(np.column_stack(columns), y, names, np.array([name in categories for name in names]), categories)


def _positive(spec: DatasetSpec, classes: np.ndarray, target: str) -> np.ndarray:
    """Which rows are positive: 1 or 0."""
    if not len(classes):
        raise DataError("there is no row")
    if any(value is None for value in classes):
        raise DataError(
            f"row {int(np.argmax([v is None for v in classes])) + 1} has no class in column {target!r}",
            hint=f'{{step: drop_rows, column: {target}, values: [""]}} leaves such rows out',
        )
    found, sizes = np.unique(classes.astype(str), return_counts=True)
    counts = dict(zip(found.tolist(), sizes.tolist(), strict=True))
    listed = some([f"{name} ({count})" for name, count in counts.items()], 30)
    for positive in spec.positive:
        if positive not in counts:
            raise DataError(
                f"column {target!r} has no class {positive!r}; classes are {listed}", hint="correct `positive:`"
            )
    if spec.expected and spec.expected.classes and set(counts) != set(spec.expected.classes):
        raise DataError(f"classes of {target!r} are {listed}, expected {', '.join(spec.expected.classes)}")
    for other in set(counts) - set(spec.positive):
        for positive in spec.positive:
            if _spelling(other) == _spelling(positive):
                raise DataError(
                    f"classes {positive!r} and {other!r} of {target!r} differ in spelling alone; classes are {listed}",
                    hint="list both under `positive:`, or give one another name by a step `relabel`",
                )
    y = np.isin(classes, spec.positive).astype(np.int8)
    if y.all():
        raise DataError(f"all rows are of the positive class; classes of {target!r} are {listed}")
    return y


def _spelling(label: str) -> object:
    """What a person takes for one class: by its number, or without case, blanks, marks around it and what is unseen."""
    try:
        return number(label)
    except ValueError:
        seen = "".join(
            letter for letter in unicodedata.normalize("NFKC", label) if unicodedata.category(letter) != "Cf"
        )
        words = " ".join(seen.casefold().split())
        return words.strip(" .,;:'\"`") or words  # >50K and >50K. are one


def texts_kept(column: np.ndarray) -> np.ndarray:
    """A nominal column as texts; those that are texts already stay as they are, blanks inside quotes included."""
    return column if column.dtype == object else texts(column)


def _codes(column: np.ndarray) -> tuple[np.ndarray, list[str]]:
    levels = sorted({value for value in column if value is not None})
    position = {level: float(i) for i, level in enumerate(levels)}
    return np.array([np.nan if value is None else position[value] for value in column.tolist()]), levels
