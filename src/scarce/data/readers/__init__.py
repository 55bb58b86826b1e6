"""Readers: files and options in, a table out. One function per format, looked up by the `format` of a `read:` block."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scarce.data.readers.arff import read_arff
from scarce.data.readers.arrays import read_mat, read_npz, read_svmlight
from scarce.data.readers.delimited import read_csv
from scarce.data.readers.keel import read_keel
from scarce.data.tables import Table, below


def _each(read: Callable[[Path, dict], Table]) -> Callable[[list[Path], dict], Table]:
    """A reader of several files from a reader of one."""

    def read_all(paths: list[Path], options: dict) -> Table:
        return below([read(path, options) for path in paths], [path.name for path in paths])

    return read_all


#: Each takes the paths in order, whose rows are put one below the other, and the options of `scarce.config.datasets` as
#: a dict, with `target`, `nominal` and `numeric` of the data set among them.
READERS: dict[str, Callable[[list[Path], dict], Table]] = {
    "keel": _each(read_keel),
    "arff": _each(read_arff),
    "csv": read_csv,
    "svmlight": read_svmlight,
    "npz": _each(read_npz),
    "mat": _each(read_mat),
}

__all__ = ["READERS", "read_arff", "read_csv", "read_keel", "read_mat", "read_npz", "read_svmlight"]
