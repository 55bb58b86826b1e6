"""How far a run of a study is: which of its cells are done, how their repeats ended, and what is left."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from scarce import paths
from scarce.commands.costs import Cost, cells_of, known_costs, weights
from scarce.commands.estimate import left, overhead
from scarce.commands.terminal import duration
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import DataError, IncompleteError
from scarce.fitting.ends import Ended, count_checkpoint, read_ends
from scarce.fitting.fits import FAILED, read_identity
from scarce.stages.cell import StudyCell, resource_groups
from scarce.words import number, shown

#: Seconds between two looks at the files of the cells.
LOOK = 1.0
#: Seconds between two lines where the output is no terminal.
EVERY = 30.0


class Cells:
    """The cells of a study and of those that its claims rest on, and which of them are done; `look` looks again.

    A cell is done if its file is valid where the run begins, or is written during the run, or if the index of its job
    is: a job keeps the files that are still valid.
    """

    def __init__(self, project: Project, study: Study):
        studies = [study]
        for one in studies:  # grows
            studies += [project.study(name) for name in one.other_studies if name not in [s.name for s in studies]]
        groups = [group for one in studies for group in cells_of(project, one)]
        self.study = study
        self.ends: dict[tuple[str, ...], list[Ended]] = {}
        self._all = [cell for group in groups for cell in group]
        self._group_of = {
            (one.name, method): name
            for one in studies
            for name, methods in resource_groups(project, one).items()
            for method in methods
        }
        self._waiting = {cell.names: (cell, self._marks(cell)) for cell in self._all}
        for cell in filter(_is_current, self._all):
            self._read(cell)
        pending = [[cell for cell in group if cell.names in self._waiting] for group in groups]
        self._costs: dict[tuple[str, ...], Cost] = weights(known_costs(), filter(None, pending))

    def look(self) -> None:
        """Take note of the cells that were done since the last look."""
        for cell, marks in list(self._waiting.values()):
            if any(new not in (0, old) for new, old in zip(self._marks(cell), marks, strict=True)):
                self._read(cell)

    @property
    def total(self) -> int:
        return len(self._all)

    @property
    def runs(self) -> int:
        """Runs of all cells."""
        return sum(cell.study.repeats for cell in self._all)

    @property
    def done(self) -> int:
        return len(self.ends)

    @property
    def kept(self) -> int:
        """Repeats that are finished of cells that are not."""
        return sum(count_checkpoint(paths.checkpoint(*names)) for names in self._waiting)

    @property
    def with_failures(self) -> int:
        return sum(any(end.status in FAILED for end in ends) for ends in self.ends.values())

    @property
    def without_result(self) -> int:
        """Runs that failed, took too long, or need a package that is not installed."""
        statuses = self.statuses()
        return sum(statuses[status] for status in (*FAILED, "not_installed"))

    def statuses(self) -> Counter[str]:
        """Number of runs by status, of cells that are done."""
        return Counter(end.status for ends in self.ends.values() for end in ends)

    def seconds_left(self, elapsed: float, cores: int) -> float:
        """Wall seconds until the page is there; `elapsed` since the first fit could begin."""
        waiting = {names: self._costs[names].seconds for names in self._waiting}
        done = sum(cost.seconds for cost in self._costs.values()) - sum(waiting.values())
        for names, seconds in waiting.items():
            if seconds:
                repeats = self._waiting[names][0].study.repeats
                done += seconds * min(1.0, count_checkpoint(paths.checkpoint(*names)) / repeats)
        datasets = {names[:2] for names in waiting}
        return left(self._costs, done, elapsed, cores, overhead(self.study, len(datasets)))

    def _marks(self, cell: StudyCell) -> tuple[int, int]:
        """Times of the cell's file and of the index of its job."""
        index = paths.fits_index(cell.study.name, cell.dataset, self._group_of[cell.study.name, cell.method])
        return _time(cell.file), _time(index)

    def _read(self, cell: StudyCell) -> None:
        try:
            self.ends[cell.names] = read_ends(cell.file)
        except (OSError, DataError):  # it is written at this moment, or damaged
            return
        self._waiting.pop(cell.names, None)


def _is_current(cell: StudyCell) -> bool:
    """Whether the file is the cell's and has its repeats: with another number, labels are still the old ones."""
    try:
        return read_identity(cell.file) == cell.identity and len(read_ends(cell.file)) == cell.study.repeats
    except (OSError, DataError, IncompleteError):
        return False


def _time(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


class Line:
    """One line about a run, written over itself on a terminal; elsewhere a new one every so many seconds."""

    def __init__(self, every: float = EVERY):
        self._stream: IO[str] = sys.stderr
        self._every = every
        self.terminal = self._stream.isatty()
        self._last = -float("inf")

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def show(self, text: str) -> None:
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r\x1b[K{shown(text)[:width]}")
        elif time.monotonic() - self._last >= self._every:
            self._last = time.monotonic()
            self._stream.write(f"{shown(text)}\n")
        self._stream.flush()

    def end(self) -> None:
        """Leave nothing of the line on a terminal."""
        if self.terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


@contextmanager
def showing(cells: Cells, line: Line, step: str, cores: int) -> Iterator[None]:
    """Show on a terminal how far the cells are that this process fits meanwhile.

    A process beside it looks at their files: a thread might hold the lock of a stream while this process forks.
    """
    if not line.terminal:
        yield
        return
    started, fitting = time.monotonic(), os.getpid()
    watcher = os.fork()
    if not watcher:
        with suppress(BaseException):
            while os.getppid() == fitting:
                cells.look()
                line.show(in_words(cells, step, cells.seconds_left(time.monotonic() - started, cores)))
                time.sleep(LOOK)
        os._exit(0)
    try:
        yield
    finally:
        os.kill(watcher, signal.SIGKILL)
        os.waitpid(watcher, 0)


def in_words(cells: Cells, step: str, seconds_left: float) -> str:
    """The line: cells that are done, those with failures, the time left, and what is being done."""
    failed = f", {cells.with_failures} with failures" if cells.with_failures else ""
    counts = f"{cells.study.name}: {cells.done} of {number(cells.total, 'cell')}{failed}"
    return f"{counts}, about {duration(seconds_left)} left{f' - {step}' if step else ''}"
