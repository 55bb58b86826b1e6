"""Readers of file formats, by the `format` of a `read:` block.

A reader takes the paths, in order, whose rows are put one below the other, and a dict of options: those that
`scarce.config.datasets.reading` declares, and `target`, `positive`, `nominal`, `numeric` and `dropped` of the data
set. It returns a `Table`, or raises DataError with file and line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scarce.data.readers.arrays import read_matrix, read_npz, read_svmlight
from scarce.data.readers.attributes import read_arff, read_keel
from scarce.data.readers.delimited import read_csv
from scarce.data.tables import Table, below


def _each(read: Callable[[Path, dict], Table]) -> Callable[[list[Path], dict], Table]:
    """A reader of several files from a reader of one."""
    return lambda paths, options: below([read(path, options) for path in paths], [path.name for path in paths])


READERS: dict[str, Callable[[list[Path], dict], Table]] = {
    "keel": _each(read_keel),
    "arff": _each(read_arff),
    "csv": read_csv,
    "svmlight": read_svmlight,
    "npz": _each(read_npz),
    "matrix": read_matrix,
}
