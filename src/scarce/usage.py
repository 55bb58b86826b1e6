"""CPU time and peak memory of a command and its children, as its log states them in the last line."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path
from typing import NamedTuple

_LINE = re.compile(r"# used ([\d.]+) \+ ([\d.]+) CPU s, ([\d.]+) \+ ([\d.]+) MB\n")
_FITTED = re.compile(r"# fitted (\S+) (\S+): ([\d.]+) CPU s")
_PER_MB = 1024**2 if sys.platform == "darwin" else 1024


class Usage(NamedTuple):
    """Of a process that is about to end.

    `cpu` and `children_cpu` are seconds of the process and of those that it started and saw end; `peak` and
    `children_peak` the largest resident memory of the process and of one such child, in MiB. Pages that a child shares
    with its parent count in both.
    """

    cpu: float
    children_cpu: float
    peak: float
    children_peak: float

    def __str__(self) -> str:
        return f"# used {self.cpu:.2f} + {self.children_cpu:.2f} CPU s, {self.peak:.0f} + {self.children_peak:.0f} MB\n"


def usage() -> Usage:
    """Of this process up to now."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return Usage(
        own.ru_utime + own.ru_stime,
        children.ru_utime + children.ru_stime,
        own.ru_maxrss / _PER_MB,
        children.ru_maxrss / _PER_MB,
    )


def read_usage(log: Path) -> Usage | None:
    """What the last line of a log states, or None where it does not: the job was killed, or has not ended."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True) if log.is_file() else []
    match = _LINE.fullmatch(lines[-1]) if lines else None
    return Usage(*map(float, match.groups())) if match else None


def fitted_line(scenario: str, methods: list[str], cpu: float) -> str:
    """Line of the log of a fit job: CPU seconds of the fits and scores of a cell, or of cells that share their fits."""
    return f"# fitted {scenario} {'+'.join(methods)}: {cpu:.2f} CPU s\n"


def read_fits(log: Path) -> dict[tuple[str, str], float]:
    """CPU seconds by scenario and method (joined by ``+`` where they share their fits), as a log states them."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.is_file() else []
    matches = filter(None, map(_FITTED.fullmatch, lines))
    return {(match[1], match[2]): float(match[3]) for match in matches}
