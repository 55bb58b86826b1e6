"""From raw files to the table that every study starts from: X, y, names, nominal columns."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from scarce import files, paths
from scarce.config.datasets import SPLIT_KEYS, DatasetSpec
from scarce.data import dates, doubts, steps
from scarce.data.cells import doubtful_classes, is_plain, left_out, spelling
from scarce.data.names import class_column, file_options, some, through_steps
from scarce.data.readers import READERS
from scarce.data.split_columns import split_values
from scarce.data.tables import Table, below, numbers, texts, whole_numbers_once
from scarce.errors import ConfigError, DataError
from scarce.words import listed, one_line

#: A class column with more classes than the first is warned of if the mean class has fewer rows than the second.
MANY_CLASSES, FEW_ROWS = 10, 5
#: So many classes of so few rows are refused.
TOO_MANY_CLASSES = 1000


@dataclass(frozen=True)
class Content:
    """A prepared table.

    `X` is float64 (n, d), NaN for a missing cell, or uint8 if all columns are; a nominal column (`categorical`) holds
    positions in its sorted `categories`: the values of its rows, and the levels that the file (if its reader is to keep
    them) or a step declares. `y` is int8 (n,), 1 for the positive class. `test_part` is bool (n,), true for rows of the
    data set's own test part, or None; `group` and `time` are those of `split_values`, or None. `shape` is that of the
    array that a row is, or None. `classes` has the numbers of rows of the ``positive`` and of the ``negative`` classes;
    `warnings` are sentences about what is doubtful of the table.
    """

    X: np.ndarray
    y: np.ndarray
    names: list[str]
    categorical: np.ndarray
    categories: dict[str, list[str]]
    test_part: np.ndarray | None = None
    group: np.ndarray | None = None
    time: np.ndarray | None = None
    shape: tuple[int, ...] | None = None
    classes: dict[str, dict[str, int]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def sha256(self) -> str:
        """SHA-256 of a canonical form of names, values and labels; equal tables have equal hashes."""
        digest = hashlib.sha256()
        described = [[name, self.categories.get(name)] for name in self.names]
        digest.update(json.dumps(["scarce table 1", len(self.y), described], ensure_ascii=True).encode())
        for column in self.X.T:  # one by one: no copy of the whole table as float64
            values = column + 0.0  # -0.0 becomes 0.0
            values[np.isnan(values)] = np.nan  # one bit pattern for all NaN
            digest.update(values.astype("<f8").tobytes())
        digest.update(self.y.astype("<i1").tobytes())
        if self.test_part is not None:
            digest.update(self.test_part.astype("<i1").tobytes())
        for key in SPLIT_KEYS:
            if (values := getattr(self, key)) is not None:
                digest.update(key.encode() + values.astype("<f8").tobytes())
        return digest.hexdigest()

    def rows_sha256(self) -> str:
        """SHA-256 of the rows in any order of rows and columns, see `scarce.data.doubts.rows_sha256`."""
        return doubts.rows_sha256(self.X, [self.categories.get(name) for name in self.names], self.y)


def prepare_dataset(spec: DatasetSpec, *, allow_unusable: bool = False) -> dict[str, Any]:
    """Check the fetched files of a data set; write ``data/prepared/<name>.npz`` and ``.json`` and return the latter.

    Both describe no rows if the data set could not be fetched or, with `allow_unusable`, not be used.

    Raises DataError if a raw file has changed since it was fetched; unless `allow_unusable`, also if the files cannot
    be read, the table does not agree with the description, or no method could learn from it.
    """
    description: dict[str, Any] = {"name": spec.name, "title": spec.title, "code": spec.code}
    arrays = {"X": np.zeros((0, 0)), "y": np.zeros(0, np.int8), "categorical": np.zeros(0, bool)}
    record = _provenance(spec)
    if record["status"] == "unavailable":
        description |= {"status": "unavailable", "reason": record["reason"]}
    else:
        source, raw = _source(spec, record), _raw_files(spec, record)
        try:
            content, sha256 = build_checked(spec, source, raw, record.get("flagged", {}))
        except DataError as error:
            if not allow_unusable:
                raise
            reason = DataError(error.message.removeprefix(f"{spec.name}: "), where=error.where, hint=error.hint)
            description |= {"status": "unusable", "reason": " ".join(reason.lines())}
        else:
            arrays = {"X": content.X, "y": content.y, "categorical": content.categorical}
            parts = {key: getattr(content, key) for key in ("test_part", *SPLIT_KEYS)}
            arrays |= {key: part for key, part in parts.items() if part is not None}
            description |= spec.split_columns
            if content.test_part is not None:
                description["test_rows"] = int(content.test_part.sum())
            if content.shape is not None:
                description["shape"] = list(content.shape)
            description |= {
                "status": "ok",
                "n": len(content.y),
                "d": len(content.names),
                "positives": int(content.y.sum()),
                "classes": content.classes,
                "names": content.names,
                "categories": content.categories,
                "levels": [len(content.categories.get(name, ())) for name in content.names],
                "scaled": spec.scaled,
                "content_sha256": sha256,
                "rows_sha256": content.rows_sha256(),
                "source": record["source"],
                "warnings": [one_line(text) for text in [*record.get("warnings", []), *content.warnings]],
            }
    files.write_npz(paths.prepared(spec.name), **arrays)
    files.write_json(paths.prepared_json(spec.name), description)
    return description


def reading_of(spec: DatasetSpec) -> tuple[Any, list[Any]]:
    """How the fetched files of a data set are read, and the steps that follow."""
    return _reading(spec, _source(spec, _provenance(spec)))


def _reading(spec: DatasetSpec, source: Any) -> tuple[Any, list[Any]]:
    return spec.reader(source), [*source.steps, *spec.steps]


def build_checked(spec: DatasetSpec, source: Any, raw: list[Path], flagged: Mapping[str, str]) -> tuple[Content, str]:
    """The table of a source and its content hash, checked against the description.

    `flagged` are columns that the source says to be no features, and why. They are left out, unless the description's
    ``content_sha256`` or ``expected`` is that of a table with them.
    """
    content = build(spec, source, raw, flagged)
    try:
        return content, check(spec, source, content)
    except DataError as error:
        if not flagged:
            raise
        whole = build(spec, source, raw, flagged, leave_out=False)
        try:
            return whole, check(spec, source, whole)
        except DataError:
            columns = listed([f"{name!r} ({why})" for name, why in flagged.items() if name in whole.names])
            raise DataError(f"{error.message}; without the columns that the source flags: {columns}") from None


def build(
    spec: DatasetSpec,
    source: Any,
    raw: list[Path],
    flagged: Mapping[str, str] = MappingProxyType({}),
    *,
    leave_out: bool = True,
) -> Content:
    """Read the files of a source, apply its steps and the data set's, and code labels and nominal columns.

    Columns that the source flags are left out first, if `leave_out`, but for those that the description names.
    """
    read, all_steps = _reading(spec, source)
    options = file_options(read, spec, all_steps)
    try:
        table = whole_numbers_once(_read(spec, READERS[read.format], raw, options))
        table = replace(table, place=np.arange(1, table.n + 1))
        if leave_out:
            table = _without_flagged(source, all_steps, options, table, flagged)
        target = _target(spec, table, all_steps)
        table = dates.parsed(table, spec.dates, all_steps)
        apart = spec.split_columns.values()
        table = steps.apply(
            table, all_steps, steps.Target(target, list(spec.positive), spec.nominal, spec.numeric, apart)
        )
        content = _coded(spec, table, target)
        known = {*content.categories, *spec.numeric, *spec.dates}
        undeclared = {name for name in content.names if name not in known}
        warnings = [
            *content.warnings,
            *doubts.of_cells(table.doubts),
            *(
                f"column {name!r} is a feature, though {source.where} flags it: {flagged[name]}"
                for name in content.names
                if name in flagged
            ),
            *doubts.of_columns(content.names, content.X, content.y, table.place, len(raw), undeclared),
        ]
        return replace(content, warnings=warnings)
    except DataError as error:
        raise DataError(f"{spec.name}: {error.message}", where=error.where or raw[0].name, hint=error.hint) from None


def _read(spec: DatasetSpec, reader: Callable, raw: list[Path], options: dict[str, Any]) -> Table:
    """The rows of all files; those of `test_files` stand below the others and are marked."""
    parts = [[path for path in raw if (path.name in spec.test_files) is test] for test in (False, True)]
    if not parts[1]:
        return reader(raw, options)
    tables = [reader(files, options) for files in parts]
    test = np.repeat([False, True], [table.n for table in tables])
    return replace(below(tables, [files[0].name for files in parts]), test=test)


def _without_flagged(
    source: Any, all_steps: Sequence[Any], options: Mapping[str, Any], table: Table, flagged: Mapping[str, str]
) -> Table:
    """The table without the columns that its source flags, but for those that the description names."""
    named = {options["target"], *options["nominal"], *options["numeric"]}
    for step in all_steps:
        named |= {*(getattr(step, "columns", None) or ()), *getattr(step, "names", ()), getattr(step, "column", None)}
    left_out = [name for name in table.names if name in flagged and name not in named]
    if not left_out:
        return table
    words = listed([f"{name!r} ({flagged[name]})" for name in left_out])
    table = table.select([name for name in table.names if name not in left_out])
    return replace(table, warnings=(*table.warnings, f"left out, since {source.where} flags them: {words}"))


def check(spec: DatasetSpec, source: Any, content: Content) -> str:
    """Check a table against ``expected`` and ``content_sha256``; returns its content hash."""
    actual = {"n": len(content.y), "d": len(content.names), "positives": int(content.y.sum())}
    named = f"source {source.kind} ({source.where})"
    if spec.expected is not None:
        wrong = [
            f"{key} {actual[key]}, expected {value}"
            for key, value in spec.expected.model_dump(include=set(actual), exclude_none=True).items()
            if actual[key] != value
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
    """Paths of the fetched files, whose hashes are checked."""
    out = []
    for entry in record["files"]:
        path = paths.raw(spec.name) / entry["name"]
        sha256 = files.sha256(path) if path.is_file() else "nothing"
        if sha256 != entry["sha256"]:
            raise DataError(
                f"{spec.name}: the file has changed since it was fetched: sha256 {sha256}, expected {entry['sha256']}",
                where=path.as_posix(),
                hint=f"scarce fetch {spec.name}",
            )
        out.append(path)
    return out


def _target(spec: DatasetSpec, table: Table, listed: list[Any]) -> str:
    """Name of the class column after the steps; `table` is that of the file."""
    if spec.target is None and table.target is None:
        raise ConfigError(
            f"{spec.name}: the class column is not stated: add `target: <column>`; columns are {some(table.names, 40)}"
        )
    names = class_column(spec.target, listed) if spec.target else through_steps(table.target, listed)
    if names[0] == spec.target:  # another name stands in a step, which raises the error
        table.index(names[0], "class column", "correct `target:`")
    return names[-1]


def _coded(spec: DatasetSpec, table: Table, target: str) -> Content:
    y, classes = _positive(spec, texts(table.column(target)), target)
    split, aside = split_values(spec, table), {target, *spec.no_features}
    names = [name for name in table.names if name not in aside]
    listed = {key: set(getattr(spec, key)) for key in ("nominal", "numeric", "dates")}
    for key in listed:
        for name in getattr(spec, key):
            table.index(name, hint=f"correct `{key}:`")
    if not names:
        raise DataError("there is no column beside the class column")
    columns, categories, warnings = [], {}, _many_classes(classes, target)
    for name in names:
        nominal = name in listed["nominal"] or (table.categorical[table.index(name)] and name not in listed["numeric"])
        if nominal:
            column = table.column(name)  # texts keep blanks that were inside quotes
            column = column if column.dtype == object else texts(column)
            codes, categories[name] = _codes(column, table.levels.get(name, ()))
            columns.append(codes)
            if name not in listed["nominal"]:
                warnings += doubts.of_levels(name, Counter(text for text in column.tolist() if text is not None))
        else:
            column = table.column(name)
            columns.append(column if column.dtype == np.uint8 else numbers(column, name))
            infinite = np.flatnonzero(np.isinf(columns[-1]))
            if len(infinite):
                raise DataError(
                    f"column {name!r} has infinite values: {len(infinite)}, the first in row {infinite[0] + 1}",
                    hint=f"{{step: set_missing, column: {name}, values: [.inf, -.inf]}} makes them missing cells",
                )
    nominal = np.array([name in categories for name in names])
    warnings = [*table.warnings, *warnings]
    X = np.column_stack(columns)
    return Content(
        X, y, names, nominal, categories, table.test, shape=table.shape, classes=classes, warnings=warnings, **split
    )


def _positive(spec: DatasetSpec, classes: np.ndarray, target: str) -> tuple[np.ndarray, dict[str, dict[str, int]]]:
    """Which rows are positive, 1 or 0, and the number of rows of each class, as in `Content`."""
    if not len(classes):
        raise DataError("there is no row")
    if empty := [row for row, value in enumerate(classes.tolist(), start=1) if value is None]:
        more = f", nor have {len(empty) - 1} more rows" if empty[1:] else ""
        raise DataError(f"row {empty[0]} has no class in column {target!r}{more}", hint=left_out(target, [""]))
    counts = dict(sorted(Counter(classes.tolist()).items()))
    listed = some([f"{name} ({count})" for name, count in counts.items()], 30)
    for key in ("positive", "negative"):
        for name in getattr(spec, key):
            if name not in counts:
                raise DataError(
                    f"column {target!r} has no class {name!r}; classes are {listed}", hint=f"correct `{key}:`"
                )
    if spec.expected and spec.expected.classes and set(counts) != set(spec.expected.classes):
        raise DataError(f"classes of {target!r} are {listed}, expected {', '.join(spec.expected.classes)}")
    for other in set(counts) - set(spec.positive):
        for positive in spec.positive:
            if spelling(other) == spelling(positive):
                raise DataError(
                    f"classes {positive!r} and {other!r} of {target!r} differ in spelling alone; classes are {listed}",
                    hint="list both under `positive:`, or give one another name by a step `relabel`",
                )
    if doubt := doubtful_classes(counts, spec.positive, spec.negative, target):
        raise DataError(f"{doubt[0]}; classes are {listed}", hint=doubt[1])
    y = np.isin(classes, spec.positive).astype(np.int8)
    if y.all():
        raise DataError(f"all rows are of the positive class; classes of {target!r} are {listed}")
    sides: dict[str, dict[str, int]] = {"positive": {}, "negative": {}}
    for name, rows in counts.items():
        sides["positive" if name in spec.positive else "negative"][name] = rows
    return y, sides


def _many_classes(classes: dict[str, dict[str, int]], target: str) -> list[str]:
    """A warning if the values of the class column look like those of something else; DataError if they must be."""
    counts = classes["positive"] | classes["negative"]
    rare = len(counts) * FEW_ROWS > sum(counts.values())
    fraction = next((name for name in counts if "." in name and is_plain(name)), None)
    if len(counts) <= MANY_CLASSES or not (rare or fraction):
        return []
    such = f", such as {fraction}" if fraction else ""
    message = (
        f"column {target!r} has {len(counts)} classes in {sum(counts.values())} rows{such}: is this the class column?"
    )
    if rare and len(counts) > TOO_MANY_CLASSES:
        raise DataError(message, hint="correct `target:`")
    return [f"{message} (if not, correct `target:`)"]


def _codes(column: np.ndarray, declared: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """Positions in the sorted list of texts and declared levels, NaN for a missing cell, and that list."""
    levels = sorted({value for value in column if value is not None} | {*declared})
    position = {level: float(i) for i, level in enumerate(levels)}
    return np.array([np.nan if value is None else position[value] for value in column.tolist()]), levels
