"""Fits that a study and its parts share: the same cell, with equal arguments, code, labels and features."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from scarce import paths
from scarce.errors import DataError
from scarce.fitting.fits import missing_packages, read_identity, read_runs
from scarce.stages.cell import StudyCell

#: Between the name of a study and the digest that tells its parts.
PART = "-part-"


def relatives(study: str) -> Iterator[str]:
    """The studies with results that are the whole study of one, or a part of the same."""
    whole = study.partition(PART)[0]
    for folder in sorted(paths.RESULTS.glob(f"{whole}*/")):
        if folder.name != study and folder.name.partition(PART)[0] == whole:
            yield folder.name


def is_done(cell: StudyCell) -> bool:
    """Whether the file of a cell is valid, and every package that its runs need is installed."""
    try:
        _, *identity = read_runs(cell.file)
        return tuple(identity) == cell.identity and not missing_packages(cell.file)
    except (OSError, DataError):
        return False


def taken_over(cell: StudyCell) -> bool:
    """Whether a study that shares fits with that of the cell has this cell; its file then is the cell's as well.

    Fits of a pack are not shared: their scores may be rounded.
    """
    if paths.pack_mark(cell.study.name).is_file():
        return False
    for study in relatives(cell.study.name):
        file = paths.fit(study, *cell.names[1:])
        with suppress(OSError, DataError):
            if read_identity(file) == cell.identity and not paths.pack_mark(study).is_file():
                _link(file, cell.file)
                if is_done(cell):
                    return True
    return False


def _link(file: Path, other: Path) -> None:
    """Make a file stand in another place as well; a copy where the file system has no hard links."""
    other.parent.mkdir(parents=True, exist_ok=True)
    other.unlink(missing_ok=True)
    try:
        os.link(file, other)
    except OSError:
        shutil.copyfile(file, other)
