"""Formats that hold a matrix and a vector of classes: NPZ, MATLAB, LIBSVM. Features are x1, x2, ..., the class y."""

from __future__ import annotations

import itertools
import multiprocessing
import re
import zipfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np

from scarce.data import unpacking
from scarce.data.readers.text import check_file, read_text
from scarce.data.tables import Table, some, texts
from scarce.errors import DataError


def read_npz(path: Path, options: dict) -> Table:
    """Read a NumPy archive; an array of Python objects (a pickle) is refused.

    Parameters
    ----------
    path : Path
    options : dict
        ``features`` and ``labels``: names of the arrays; ``target``: name for the class column.
    """
    check_file(path)
    try:
        packed = path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                unpacking.check_size(member.file_size, packed, f"{path.name}:{member.filename}")
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in _wanted(options, archive.files, path)}
        for name, array in arrays.items():
            if not isinstance(array, np.ndarray):  # a member whose bytes are not in NumPy's format, such as a pickle
                raise DataError(f"{name!r} is no array", where=path.name)
            unpacking.check_matrix(array.shape, path.name, packed)
    except DataError:
        raise
    except Exception as error:  # zipfile, zlib and the parser of array headers raise many kinds
        if "allow_pickle" in str(error):
            raise DataError("it holds Python objects, which are not read", where=path.name) from None
        raise DataError(f"not a whole npz: {error}", where=path.name, hint="fetch it again") from None
    return _table(path, arrays, options)


def read_mat(path: Path, options: dict) -> Table:
    """Read a MATLAB file, by SciPy up to version 7, by h5py for version 7.3 (whose arrays are stored transposed).

    Parameters
    ----------
    path : Path
    options : dict
        ``features`` and ``labels``: names of the variables; ``target``: name for the class column.
    """
    check_file(path)
    # SciPy and HDF5 are C, and a damaged file can end the process that reads it: then it is a child's
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as child:
        try:
            found = child.submit(_mat, path, options).result()
        except BrokenProcessPool:
            found = DataError("the process that reads it is ended by it", where=path.name, hint="fetch it again")
    if isinstance(found, DataError):
        raise found
    return found


def _mat(path: Path, options: dict) -> Table | DataError:
    try:
        with open(path, "rb") as handle:
            start = handle.read(16)
        if not start.startswith((b"MATLAB 7.3", b"\x89HDF")):
            return _table(path, _of_matlab(path, options), options)
        import h5py

        with h5py.File(path) as file:
            arrays = {name: _of_hdf5(file, name, path) for name in _wanted(options, list(file), path)}
        return _table(path, arrays, options)
    except DataError as error:
        return error
    except Exception as error:  # they raise many kinds
        return DataError(f"not a whole MATLAB file: {error}", where=path.name, hint="fetch it again")


def _of_hdf5(file: Any, name: str, path: Path) -> np.ndarray:
    """An array that lies in the file itself: links and storage that lead to other files are refused.

    MATLAB keeps texts as the numbers of their letters, and a sparse matrix as a group of its parts.
    """
    import h5py
    from scipy.sparse import csc_matrix

    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        raise DataError(f"{name!r} is a link to another place, which is not followed", where=path.name)
    found = file[name]
    if isinstance(found, h5py.Group) and "MATLAB_sparse" in found.attrs:
        parts = tuple(_of_hdf5(found, part, path) for part in ("data", "ir", "jc"))
        shape = (int(found.attrs["MATLAB_sparse"]), len(parts[2]) - 1)
        unpacking.check_matrix(shape, path.name)
        matrix = csc_matrix(parts, shape)
        matrix.check_format(full_check=True)
        return matrix.toarray()
    if not isinstance(found, h5py.Dataset):
        raise DataError(f"{name!r} is no array", where=path.name)
    if found.is_virtual or found.external:
        raise DataError(f"the values of {name!r} lie in another file, which is not read", where=path.name)
    unpacking.check_matrix(found.shape[::-1], path.name, path.stat().st_size)
    array = np.asarray(found).T
    if found.attrs.get("MATLAB_class") == b"char" and array.ndim == 2 and array.dtype.kind == "u":
        return np.array(["".join(map(chr, row)) for row in array.tolist()])
    return array


def _of_matlab(path: Path, options: dict) -> dict[str, np.ndarray]:
    from scipy.io import loadmat, whosmat

    held = {name: (shape, kind) for name, shape, kind in whosmat(path)}
    wanted = _wanted(options, list(held), path)
    for name in wanted:
        shape, kind = held[name]
        if kind in ("struct", "object", "function", "opaque", "unknown"):
            raise DataError(f"{name!r} is of MATLAB's type {kind}, which is not read", where=path.name)
        unpacking.check_matrix(shape, path.name, None if kind == "sparse" else path.stat().st_size)
    content = loadmat(path, variable_names=wanted)
    arrays = {name: content[name] for name in wanted}
    return {name: array.toarray() if hasattr(array, "toarray") else array for name, array in arrays.items()}


def read_svmlight(paths: list[Path], options: dict) -> Table:
    """Read LIBSVM's text format; several files are put one below the other.

    Parameters
    ----------
    paths : list of Path
    options : dict
        ``n_features``: number of features, where the last ones may be absent; ``target``: name for the class column.
    """
    from io import BytesIO

    from sklearn.datasets import load_svmlight_files

    given = [_unix(read_text(path)) for path in paths]
    for path, text in zip(paths, given, strict=True):
        if b"_" in text:  # 1_000, which would be read as a thousand
            _refuse_line(path, text)
    try:
        parts = load_svmlight_files([BytesIO(text) for text in given], n_features=options.get("n_features"))
    except (ValueError, OverflowError, MemoryError, AssertionError) as error:
        for path, text in zip(paths, given, strict=True):
            _refuse_line(path, text)
        raise DataError(f"not LIBSVM's format: {error}", where=paths[0].name) from None
    unpacking.check_matrix((sum(part.shape[0] for part in parts[::2]), parts[0].shape[1]), paths[0].name)
    matrix = np.vstack([part.toarray() for part in parts[::2]])
    return _table(paths[0], {"X": matrix, "y": np.concatenate(parts[1::2])}, {"target": options.get("target")})


def _unix(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


_NUMBER = rb"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?i:inf|infinity|nan)"
_LINE = re.compile(rb"\s*(?:(?:%b)(?:\s+(?:qid|[0-9]{1,9}):(?:%b))*+\s*)?" % (_NUMBER, _NUMBER))


def _refuse_line(path: Path, text: bytes) -> None:
    """Raise DataError for the first line that is not in LIBSVM's format, if there is one."""
    for number, line in enumerate(text.split(b"\n"), start=1):
        said = line.partition(b"#")[0]
        if not _LINE.fullmatch(said):
            shown = said[:40].decode("latin-1").strip()
            raise DataError(
                f"not LIBSVM's format, <class> <place>:<value> ..., all numbers: {shown!r}",
                where=f"{path.name}:{number}",
            )
        places = [int(place) for place in re.findall(rb"\s([0-9]+):", said)]
        if any(place >= following for place, following in itertools.pairwise(places)):
            raise DataError("not LIBSVM's format: places ascend, and each stands once", where=f"{path.name}:{number}")


def _wanted(options: dict, names: list[str], path: Path) -> list[str]:
    wanted = [options.get("features", "X"), options.get("labels", "y")]
    for name in wanted:
        if name not in names:
            raise DataError(f"there is no array {name!r}; arrays are {some(names) or 'none'}", where=path.name)
    return wanted


def _table(path: Path, arrays: dict[str, np.ndarray], options: dict) -> Table:
    features = arrays[options.get("features", "X")]
    labels = np.asarray(arrays[options.get("labels", "y")])
    if labels.ndim == 2 and 1 in labels.shape:
        labels = labels.ravel()
    if features.ndim != 2 or labels.ndim != 1 or len(features) != len(labels):
        raise DataError(
            f"a matrix and a vector of one length are wanted, not {features.shape} and {labels.shape}", where=path.name
        )
    if not features.nbytes or not labels.nbytes:  # however long they are said to be
        raise DataError(f"no values are in arrays of shape {features.shape} and {labels.shape}", where=path.name)
    if labels.dtype.kind == "O":
        labels = _cells(labels, path)
    if labels.dtype.kind not in "biufUS":
        raise DataError(f"the classes are of type {labels.dtype}, neither numbers nor texts", where=path.name)
    if features.dtype.kind not in "biuf":
        raise DataError(f"the features are of type {features.dtype}, not numbers", where=path.name)
    d = features.shape[1]
    target = options.get("target") or "y"
    columns = [np.ascontiguousarray(features[:, j], dtype=np.float64) for j in range(d)]
    return Table([*(f"x{j}" for j in range(1, d + 1)), target], [*columns, texts(labels)], [False] * d + [True], target)


def _cells(labels: np.ndarray, path: Path) -> np.ndarray:
    """MATLAB's cell array of texts as an array of texts."""
    out = []
    for cell in labels.tolist():
        held = np.asarray(cell)
        if held.size != 1 or held.dtype.kind != "U":
            raise DataError("the classes are objects, neither numbers nor texts", where=path.name)
        out.append(held.item())
    return np.array(out)
