"""Formats that hold a matrix and a vector of classes: NPZ, IDX, LIBSVM, text. Features are x1, x2, ..., the class y."""

from __future__ import annotations

import itertools
import math
import re
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from scarce.data import unpacking
from scarce.data.names import some
from scarce.data.opening import check_file, read_bytes
from scarce.data.readers.text import read_lines
from scarce.data.tables import Table, below, texts
from scarce.data.tables import number as as_number
from scarce.errors import DataError

#: Most axes of an array in an IDX file; NumPy 1 has no more.
MOST_AXES = 32


def read_npz(path: Path, options: dict) -> Table:
    """Read the arrays `features` and `labels` of a NumPy archive; an array of Python objects (a pickle) is refused."""
    return _table(path, *arrays_of(path, [options.get("features", "X"), options.get("labels", "y")]), options)


def arrays_of(path: Path, names: list[str]) -> list[np.ndarray]:
    """Arrays of a NumPy archive by their names; one of Python objects is refused."""
    check_file(path)
    try:
        packed = path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                unpacking.check_size(member.file_size, packed, f"{path.name}:{member.filename}")
        with np.load(path, allow_pickle=False) as archive:
            if absent := [name for name in names if name not in archive.files]:
                known = some(archive.files) or "none"
                raise DataError(f"there is no array {absent[0]!r}; arrays are {known}", where=path.name)
            arrays = [archive[name] for name in names]
        for name, array in zip(names, arrays, strict=True):
            if not isinstance(array, np.ndarray):  # a member that is not in NumPy's format, such as a pickle
                raise DataError(f"{name!r} is no array", where=path.name)
            unpacking.check_matrix(array.shape, path.name, packed)
    except DataError:
        raise
    except Exception as error:  # zipfile, zlib and the parser of array headers raise many kinds
        if "allow_pickle" in str(error):
            raise DataError("it holds Python objects, which are not read", where=path.name) from None
        raise DataError(f"not a whole npz: {error}", where=path.name, hint="fetch it again") from None
    return arrays


def read_matrix(paths: list[Path], options: dict) -> Table:
    """Read files of numbers separated by blanks, each followed by a file with a class a line."""
    tables = []
    for path, beside in _with_classes(paths):
        rows = [(place, line.split()) for place, line in enumerate(read_lines(path), start=1) if line.strip()]
        classes = [line.strip() for line in read_lines(beside) if line.strip()]
        matrix = np.empty((len(rows), len(rows[0][1])))
        for at, (line, cells) in enumerate(rows):
            where = f"{path.name}:{line}"
            if len(cells) != matrix.shape[1]:
                raise DataError(f"{len(cells)} values, {matrix.shape[1]} columns", where=where)
            try:
                matrix[at] = [as_number(cell) for cell in cells]
            except ValueError as error:
                raise DataError(f"not all values are numbers: {error}", where=where) from None
        tables.append(_table(path, matrix, np.array(classes, dtype=str), options))
    return below(tables, [path.name for path in paths[::2]])


_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?i:inf|infinity|nan)"
_LINE = re.compile(rf"\s*(?:(?:{_NUMBER})(?:\s+(?:qid|[0-9]{{1,9}}):(?:{_NUMBER}))*+\s*)?", re.ASCII)


def read_svmlight(paths: list[Path], options: dict) -> Table:
    """Read LIBSVM's text format. Places start at 1, or at 0 if any row has a place 0. Query ids are ignored."""
    labels: list[float] = []
    places: list[list[int]] = []
    values: list[list[float]] = []
    for path in paths:
        for number, line in enumerate(read_lines(path), start=1):
            text, where = line.partition("#")[0], f"{path.name}:{number}"
            if not _LINE.fullmatch(text):
                words = f"not LIBSVM's format, <class> <place>:<value> ..., all numbers: {text[:40].strip()!r}"
                raise DataError(words, where=where)
            label, *pairs = [cell.split(":") for cell in text.split()] or [None]
            pairs = [(int(place), float(value)) for place, value in pairs if place != "qid"]
            if any(place >= following for (place, _), (following, _) in itertools.pairwise(pairs)):
                raise DataError("not LIBSVM's format: places ascend, and each stands once", where=where)
            if label:
                labels.append(float(label[0]))
                places.append([place for place, _ in pairs])
                values.append([value for _, value in pairs])
    start = 0 if any(row and row[0] == 0 for row in places) else 1
    widest = max((row[-1] + 1 - start for row in places if row), default=0)
    d = options.get("n_features") or widest
    if widest > d:
        raise DataError(f"a row has place {widest - 1 + start}, but n_features is {d}", where=paths[0].name)
    unpacking.check_matrix((len(labels), d), paths[0].name)
    columns = np.zeros((d, len(labels)))  # as a table keeps them: a matrix of rows would be copied
    for row, (at, cells) in enumerate(zip(places, values, strict=True)):
        columns[np.array(at, dtype=int) - start, row] = cells
    return _table(paths[0], columns.T, np.array(labels), options)


def read_idx(paths: list[Path], options: dict) -> Table:
    """Read IDX files of bytes, such as MNIST's: an array whose first axis is the rows, then its classes, and so on."""
    tables = []
    for path, beside in _with_classes(paths):
        features, labels = _idx(path), _idx(beside)
        if features.ndim < 2:
            raise DataError(f"an array of two axes or more is wanted, not {features.shape}", where=path.name)
        table = _table(path, features.reshape(len(features), -1), labels, options)
        tables.append(replace(table, shape=features.shape[1:]))
    return below(tables, [path.name for path in paths[::2]])


def _with_classes(paths: list[Path]) -> list[tuple[Path, Path]]:
    """Pairs of a file of features and the file of classes after it."""
    if len(paths) % 2:
        raise DataError("a file of features has no file of classes after it", where=paths[-1].name)
    return list(zip(paths[::2], paths[1::2], strict=True))


def _idx(path: Path) -> np.ndarray:
    """The array of an IDX file: two zeros, the type, the number of axes, their lengths in big-endian order, values."""
    content = read_bytes(path)
    if content[:3] != b"\0\0\x08" or len(content) < 4 + 4 * content[3]:
        raise DataError("not an IDX file of unsigned bytes", where=path.name)
    shape = struct.unpack_from(f">{content[3]}I", content, 4)
    values = np.frombuffer(content, np.uint8, offset=4 + 4 * len(shape))
    if not 0 < len(shape) <= MOST_AXES:
        raise DataError(f"an array of 1 to {MOST_AXES} axes is wanted, not of {len(shape)}", where=path.name)
    if not len(values) or len(values) != math.prod(shape):
        raise DataError(f"{len(values)} values do not fill an array of shape {shape}", where=path.name)
    unpacking.check_matrix((shape[0], math.prod(shape[1:])), path.name)
    return values.reshape(shape)


def _table(path: Path, features: np.ndarray, labels: np.ndarray, options: dict) -> Table:
    if labels.ndim == 2 and 1 in labels.shape:
        labels = labels.ravel()
    if features.ndim != 2 or labels.ndim != 1 or len(features) != len(labels):
        raise DataError(
            f"a matrix and a vector of one length are wanted, not {features.shape} and {labels.shape}", where=path.name
        )
    if not features.nbytes or not labels.nbytes:  # an array can be long and have no bytes
        raise DataError(f"no values are in arrays of shape {features.shape} and {labels.shape}", where=path.name)
    if labels.dtype.kind not in "biufUS":
        raise DataError(f"the classes are of type {labels.dtype}, neither numbers nor texts", where=path.name)
    if features.dtype.kind not in "biuf":
        raise DataError(f"the features are of type {features.dtype}, not numbers", where=path.name)
    d = features.shape[1]
    target = options.get("target") or "y"
    columns = np.ascontiguousarray(features.T, dtype=np.uint8 if features.dtype == np.uint8 else np.float64)
    return Table([*(f"x{j}" for j in range(1, d + 1)), target], [*columns, texts(labels)], [False] * d + [True], target)
