"""Readers of file formats, by the `format` of a `read:` block.

A reader takes the paths, in order, whose rows are put one below the other, and a dict of options: those that
`scarce.config.datasets.read` declares, and `target`, `positive`, `nominal`, `numeric` and `dropped` of the data set. It
returns a `Table`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scarce.data.readers.arrays import read_npz, read_svmlight
from scarce.data.readers.attributes import read_arff, read_keel
from scarce.data.readers.delimited import read_csv
from scarce.data.registry import Registry
from scarce.data.tables import Table, below

READERS = Registry("reader")


def _each(read: Callable[[Path, dict], Table]) -> Callable[[list[Path], dict], Table]:
    """A reader of several files from a reader of one."""

    def read_all(paths: list[Path], options: dict) -> Table:
        return below([read(path, options) for path in paths], [path.name for path in paths])

    return read_all


READERS.register("keel")(_each(read_keel))
READERS.register("arff")(_each(read_arff))
READERS.register("csv")(read_csv)
READERS.register("svmlight")(read_svmlight)
READERS.register("npz")(_each(read_npz))

__all__ = ["READERS", "read_arff", "read_csv", "read_keel", "read_npz", "read_svmlight"]
