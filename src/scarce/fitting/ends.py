"""How repeats ended, for a person who asks: no fit depends on this module."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from scarce.files import read_npz


class Ended(NamedTuple):
    """How a repeat ended."""

    repeat: int
    status: str
    message: str


def read_ends(path: Path) -> list[Ended]:
    """How each repeat of a file of runs ended, without its scores; raises DataError if the file is damaged."""
    arrays = read_npz(path, *Ended._fields)
    return [Ended(*row) for row in zip(*(arrays[name].tolist() for name in Ended._fields), strict=True)]


def count_checkpoint(path: Path) -> int:
    """About how many repeats a checkpoint file holds: its lines, of which one may be cut."""
    try:
        return path.read_bytes().count(b"\n")
    except OSError:
        return 0
