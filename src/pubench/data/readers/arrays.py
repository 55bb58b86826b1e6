"""Formats that hold a matrix and a vector of classes: NPZ, MATLAB, LIBSVM. Features are x1, x2, ..., the class y."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from pubench.data.readers.text import read_bytes
from pubench.data.tables import Table, some, texts
from pubench.errors import DataError


def read_npz(paths: list[Path], options: dict) -> Table:
    """Read a NumPy archive; an array of Python objects (a pickle) is refused.

    Parameters
    ----------
    paths : list of Path
        One path.
    options : dict
        ``features`` and ``labels``: names of the arrays; ``target``: name for the class column.
    """
    (path,) = paths
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in _wanted(options, archive.files, path)}
    except (zipfile.BadZipFile, EOFError, OSError) as error:
        raise DataError(f"not a whole npz: {error}", where=path.name, hint="fetch it again") from None
    except ValueError as error:
        pickled = "allow_pickle" in str(error)
        raise DataError(
            "it holds Python objects, which are not read" if pickled else str(error), where=path.name
        ) from None
    return _table(path, arrays, options)


def read_mat(paths: list[Path], options: dict) -> Table:
    """Read a MATLAB file, by SciPy up to version 7, by h5py for version 7.3 (whose arrays are stored transposed).

    Parameters
    ----------
    paths : list of Path
        One path.
    options : dict
        ``features`` and ``labels``: names of the variables; ``target``: name for the class column.
    """
    (path,) = paths
    with open(path, "rb") as handle:
        start = handle.read(16)
    try:
        if start.startswith((b"MATLAB 7.3", b"\x89HDF")):
            import h5py

            with h5py.File(path) as file:
                arrays = {name: np.asarray(file[name]).T for name in _wanted(options, list(file), path)}
        else:
            from scipy.io import loadmat

            content = loadmat(path)
            arrays = {name: content[name] for name in _wanted(options, [k for k in content if k[0] != "_"], path)}
    except DataError:
        raise
    except Exception as error:  # scipy and h5py raise many kinds for a damaged file
        raise DataError(f"not a whole MATLAB file: {error}", where=path.name, hint="fetch it again") from None
    return _table(path, arrays, options)


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

    try:
        parts = load_svmlight_files([BytesIO(read_bytes(path)) for path in paths], n_features=options.get("n_features"))
    except ValueError as error:
        raise DataError(f"not LIBSVM's format: {error}", where=paths[0].name) from None
    matrix = np.vstack([part.toarray() for part in parts[::2]])
    return _table(paths[0], {"X": matrix, "y": np.concatenate(parts[1::2])}, {"target": options.get("target")})


def _wanted(options: dict, names: list[str], path: Path) -> list[str]:
    wanted = [options.get("features", "X"), options.get("labels", "y")]
    for name in wanted:
        if name not in names:
            raise DataError(f"there is no array {name!r}; arrays are {some(names)}", where=path.name)
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
    if features.dtype.kind not in "biuf":
        raise DataError(f"the features are of type {features.dtype}, not numbers", where=path.name)
    d = features.shape[1]
    target = options.get("target") or "y"
    columns = [np.ascontiguousarray(features[:, j], dtype=np.float64) for j in range(d)]
    return Table([*(f"x{j}" for j in range(1, d + 1)), target], [*columns, texts(labels)], [False] * d + [True], target)
