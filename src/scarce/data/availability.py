"""Which data sets are at hand, and what is wrong with the user's own files. Imports no NumPy: the Snakefile uses it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.config.datasets.fields import class_text
from scarce.data.cells import doubtful_classes
from scarce.data.names import absent, after_step, class_column, file_options, some
from scarce.data.rows import OneName, open_rows
from scarce.data.sources import mirror_folder
from scarce.errors import DataError


def forget_stale_failures(described: Iterable[DatasetSpec], mirror: str | PathLike | None = None) -> list[str]:
    """Remove each PROVENANCE.json that is damaged, or says `unavailable` of a data set that is at hand by now.

    Returns the names of these data sets, which the next run fetches again.
    """
    forgotten = []
    for spec in described:
        path = paths.provenance(spec.name)
        status = _record(path)["status"]
        if status == "damaged" or (status == "unavailable" and at_hand(spec, mirror)):
            with contextlib.suppress(OSError):  # the job that writes there reports a read-only folder
                path.unlink()
                forgotten.append(spec.name)
    return forgotten


def _record(path: Path) -> dict:
    """A PROVENANCE.json, or the description of a prepared table; its status is "" if absent, or damaged."""
    try:
        record = files.read_json(path)
    except FileNotFoundError:
        return {"status": ""}
    except DataError:
        record = None
    return record if isinstance(record, dict) and "status" in record else {"status": "damaged"}


def at_hand(spec: DatasetSpec, mirror: str | PathLike | None = None) -> bool:
    """Whether a data set needs no network: fetched already, generated, in the mirror, or a file of the user's."""
    path, folder = paths.provenance(spec.name), mirror_folder(mirror)
    if _record(path)["status"] == "ok":
        return True
    roots = {"local": Path(), **({"mirror": folder} if folder is not None else {})}
    return any(
        source.kind == "generated"
        or (source.kind in roots and all((roots[source.kind] / file.path).is_file() for file in source.files))
        for source in spec.sources
    )


def own_files(spec: DatasetSpec) -> list[str]:
    """The user's own files that a data set reads and that exist: inputs of its fetch job."""
    listed = [file.path for source in spec.sources if source.kind == "local" for file in source.files]
    return [path for path in listed if Path(path).is_file()]


def missing(dataset: str) -> str:
    """Why studies leave out a data set: it could not be fetched or used when last tried; or ""."""
    return unavailable(dataset) or unusable(dataset)


def unavailable(dataset: str) -> str:
    """Why a data set could not be fetched when last tried, or ""."""
    record = _record(paths.provenance(dataset))
    return record["reason"] if record["status"] == "unavailable" else ""


def unusable(dataset: str) -> str:
    """Why a data set's table could not be used when last prepared, or ""."""
    record = _record(paths.prepared_json(dataset))
    return record["reason"] if record["status"] == "unusable" else ""


def about_prepared(dataset: str) -> dict[str, Any]:
    """What the preparation of a data set said of its table; its status is "" if that is not there."""
    return _record(paths.prepared_json(dataset))


def repeated(datasets: Iterable[str]) -> dict[str, str]:
    """Data sets that hold the table of an earlier one of `datasets`, with the name of that one.

    Rows and columns may stand in another order, and columns may have other names.
    """
    first: dict[str, str] = {}
    copies = {}
    for name in datasets:
        sha256 = _record(paths.prepared_json(name)).get("rows_sha256")
        if sha256 and first.setdefault(sha256, name) != name:
            copies[name] = first[sha256]
    return copies


def same_table(copies: Mapping[str, str]) -> list[str]:
    """A sentence for each data set that `repeated` gives."""
    return [
        f"{name} holds the same table as {first}: averages, ranks and tests count it once"
        for name, first in copies.items()
    ]


#: Classes of each side that a line lists.
SHOWN_CLASSES = 6
#: Own files of more bytes are not read for their classes before they are prepared.
LARGEST_LOOK = 5_000_000


def about_classes(spec: DatasetSpec) -> list[str]:
    """The classes of a data set and what is doubtful of its table, as far as known: in words, one line each.

    From the user's own file if that is small, else from the prepared table.
    """
    for source in spec.sources:
        if source.kind == "local" and not spec.test_files:
            own = [Path(file.path) for file in source.files]
            if all(path.is_file() for path in own) and sum(path.stat().st_size for path in own) < LARGEST_LOOK:
                from scarce.data.prepare import build

                try:
                    content = build(spec, source, own)
                except DataError as error:
                    return [f"warning: {' '.join(error.lines())}"]
                return _about({"classes": content.classes, "warnings": content.warnings})
    return _about(_record(paths.prepared_json(spec.name)))


def _about(description: Mapping[str, Any]) -> list[str]:
    words = classes_in_words(description)
    return [*([words] if words else []), *(f"warning: {text}" for text in description.get("warnings", ()))]


def classes_in_words(description: Mapping[str, Any]) -> str:
    """Classes of a prepared table with their numbers of rows, by its description; "" if it has none.

    >>> classes_in_words({"classes": {"positive": {"fault": 34}, "negative": {"ok": 366}}})
    'positive: fault (34); negative: ok (366)'
    """
    sides = []
    for side, counts in sorted(description.get("classes", {}).items(), reverse=True):  # positive first
        ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        shown = ", ".join(f"{name} ({rows})" for name, rows in ordered[:SHOWN_CLASSES])
        more = f" and {len(counts) - SHOWN_CLASSES} more classes" if len(counts) > SHOWN_CLASSES else ""
        sides.append(f"{side}: {shown}{more}")
    return "; ".join(sides)


#: Files of more bytes are left to the job that prepares them.
LARGEST_PEEK = 50_000_000
#: Steps that change which classes there are.
RESHAPING = ("relabel", "keep_classes", "sample_classes", "take_rows")
#: What is wrong: the keys that lead to the value to be corrected, the message, the hint.
Problem = tuple[tuple[str | int, ...], str, str]


#: Where the problem of an absent file is reported.
ABSENT = ("sources",)


def own_problems(spec: DatasetSpec) -> list[Problem]:
    """What is wrong with the user's own file of a data set, if it is a small CSV file with a header.

    An absent file is a problem, at the key `ABSENT`, only if there is no other source and the description gives no
    `reason`. What does not look like a table is left to the reader, which says what it is.
    """
    own = [source for source in spec.sources if source.kind == "local"]
    if len(own) == len(spec.sources) and not spec.reason:
        absent = [file.path for file in own[0].files if not Path(file.path).is_file()]
        if absent:
            hint = "a relative path starts at the project's root"
            return [(ABSENT, f"no such file: {path}", hint) for path in absent]
    for source in own:
        read = spec.reader(source)
        path = Path(source.files[0].path)
        plain = read.format == "csv" and read.header and len(read.delimiter) == 1 and len(source.files) == 1
        if plain and path.suffix in (".csv", ".data", ".txt") and path.is_file():
            return _file_problems(spec, source, path, read) if path.stat().st_size < LARGEST_PEEK else []
    return []


def _file_problems(spec: DatasetSpec, source: Any, path: Path, read: Any) -> list[Problem]:
    steps = [*source.steps, *spec.steps]
    options = file_options(read, spec, steps)
    problems = []
    with contextlib.suppress(DataError, OSError):  # the job that fetches or reads it says why
        try:
            names, body = open_rows(path, options)
        except OneName as error:
            return [(("read",), f"{path}: {error.message}", error.hint)]
        start = names[0].lstrip()
        if start[:1] in ("<", "{", "[") or (len(names) < 2 and not set(start) & set(";,|\t")):
            return []  # a page, the message of a server, or no table
        problems += _wrong_columns(spec, source, path, names)
        problems += _wrong_classes(spec, steps, path, names, options, body())
    return problems


def _wrong_columns(spec: DatasetSpec, source: Any, path: Path, header: list[str]) -> Iterator[Problem]:
    """Columns that the description names and that the file, or the table after the steps, does not have."""
    names = header

    def problems(at: tuple[str | int, ...], lacking: Iterable[str]) -> Iterator[Problem]:
        left = "" if names == header else "what the steps leave of "
        for name in lacking:
            yield at, f"{left}{path} has no column {name!r}", f"columns: {', '.join(names[:30])}"

    place = ("sources", spec.sources.index(source), "steps")
    listed = [*(((*place, i), step) for i, step in enumerate(source.steps))]
    listed += [(("steps", i), step) for i, step in enumerate(spec.steps)]
    targets = class_column(spec.target, [step for _, step in listed])
    lost = targets[0] == spec.target and spec.target not in header
    yield from problems(("target",), [spec.target] if lost else [])
    for (at, step), target in zip(listed, targets, strict=False):
        if lacking := absent(step, names):
            yield from problems(at, lacking)
            return
        try:
            names = list(after_step(step, names, target))
        except DataError as error:
            if not lost:
                yield at, f"{path}: {error.message}", error.hint or ""
            return
    known = set(names)
    stated = {key: getattr(spec, key) for key in ("nominal", "numeric", "dates")}
    for key, columns in (stated | {key: [name] for key, name in spec.split_columns.items()}).items():
        yield from problems((key,), [name for name in columns if name not in known])


def _wrong_classes(
    spec: DatasetSpec,
    steps: list[Any],
    path: Path,
    names: list[str],
    options: dict[str, Any],
    body: Iterable[list[str]],
) -> Iterator[Problem]:
    """Classes that the description names and that no row has; classes that mean that there is no label."""
    target = options["target"]
    if target not in names or {step.step for step in steps} & set(RESHAPING):
        return
    place = names.index(target)
    classes = Counter(class_text(row[place]) for row in body)
    shown = ", ".join(sorted(classes)[:20])
    for key in ("positive", "negative"):
        for name in getattr(spec, key):
            if name not in classes:
                yield (key,), f"no row of {path} has {target} {name!r}", f"classes: {shown}"
    if not any(getattr(step, "column", None) in class_column(spec.target, steps) for step in steps):
        missing = {"", *options["missing"]} - {*spec.positive}
        counts = {name: rows for name, rows in classes.items() if name not in missing}
        if doubt := doubtful_classes(counts, spec.positive, spec.negative, target):
            yield ("positive",), f"{path}: {doubt[0]}", doubt[1]


def columns_and_classes(fields: Mapping[str, Any]) -> tuple[str, str]:
    """Endings of the messages that a description states no class column, or no positive class; "" if not known.

    ``; columns are ...`` and ``; classes of ... are ...`` of the first source whose files are local. `fields` are the
    keys validated so far.
    """
    from scarce.data.readers import READERS
    from scarce.data.tables import texts

    mirror = mirror_folder()
    roots = {"local": Path(), **({"mirror": mirror} if mirror else {})}
    for source in fields.get("sources", []):
        read = source.read or fields.get("read")
        if read is None or source.kind not in roots:
            continue
        options = {**read.model_dump(), "target": fields.get("target"), "refuse_unmarked": False}
        with contextlib.suppress(Exception):  # the message is complete without
            table = READERS[read.format]([roots[source.kind] / file.path for file in source.files], options)
            columns, target = f"; columns are {some(table.names, 30)}", fields.get("target") or table.target
            if target not in table.names:
                return columns, ""
            classes = {text for text in texts(table.column(target)) if text is not None}
            return columns, f"; classes of {target!r} are {some(sorted(classes), 30)}"
    return "", ""
