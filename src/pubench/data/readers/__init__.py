"""Readers: files and options in, a table out. One function per format, looked up by the `format` of a `read:` block."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pubench.data.readers.arff import read_arff
from pubench.data.readers.arrays import read_mat, read_npz, read_svmlight
from pubench.data.readers.delimited import read_csv
from pubench.data.readers.keel import read_keel
from pubench.data.tables import Table, below


def _each(read: Callable[[Path, dict], Table]) -> Callable[[list[Path], dict], Table]:
    """A reader of several files from a reader of one."""

    def read_all(paths: list[Path], options: dict) -> Table:
        return below([read(path, options) for path in paths], [path.name for path in paths])

    return read_all


#: Each takes the paths in order, whose rows are put one below the other, and the options of `pubench.data.specs` as a
#: dict, with `target`, `nominal` and `numeric` of the data set among them.
READERS: dict[str, Callable[[list[Path], dict], Table]] = {
    "keel": _each(read_keel),
    "arff": _each(read_arff),
    "csv": read_csv,
    "svmlight": read_svmlight,
    "npz": _each(read_npz),
    "mat": _each(read_mat),
}

__all__ = ["READERS", "read_arff", "read_csv", "read_keel", "read_mat", "read_npz", "read_svmlight"]
