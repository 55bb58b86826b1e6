"""`scarce run`: Snakemake with one line of progress, and at the end what became of the study."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from scarce import paths
from scarce.commands import outcome
from scarce.commands.parts import restricted, write_part
from scarce.commands.processes import available_cores, lock
from scarce.commands.progress import Cells, Line, in_words
from scarce.commands.summary import summary
from scarce.commands.terminal import Said
from scarce.config.loading import load_project
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.config.study_files import study_file
from scarce.errors import ConfigError, IncompleteError, MethodError, ScarceError
from scarce.files import write_text
from scarce.stages.fit import AS_A_ROW

#: Seconds between two looks at the files of the cells.
LOOK = 1.0
#: Exit code of a command that a signal has ended.
INTERRUPTED = 130
_STEP = re.compile(r"Job \d+: (.+)")
_SAID = re.compile(r"scarce: (error|warning): (.+)")
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def run(
    study: str,
    *,
    method: Sequence[str] = (),
    dataset: Sequence[str] = (),
    repeats: int | None = None,
    cores: int | None = None,
) -> Said:
    """Run a study, given by its name or its file, or a part of it, and say what became of it.

    With `method`, `dataset` or `repeats` it is a part with a name and results of its own, see `scarce.commands.parts`.

    Raises
    ------
    ConfigError
        If the study, or what is asked of it, is described wrongly.
    ScarceError
        If a Snakemake runs here, or one that died has left its lock.
    """
    cores = available_cores() if cores is None else cores
    if cores < 1:
        raise ConfigError(f"--cores must be 1 or more, got {cores}")
    project, chosen = _chosen(study, method, dataset, repeats)
    if locked := lock():
        raise ScarceError(locked.text, where=str(Path.cwd()))
    started = time.monotonic()
    cells = Cells(project, chosen)
    log = paths.log(chosen.name, "run")
    watched = _watched(["--cores", str(cores), chosen.name], cells, cores, log)
    cells.look()
    return summary(
        cells,
        code=_exit_code(watched, cells, chosen),
        seconds=time.monotonic() - started,
        errors=watched.said["error"] or _last_words(log),
        warnings=[*watched.said["warning"], *_lacks(project, chosen, watched)],
        log=log,
        locked=lock(),
    )


def _chosen(word: str, methods: Sequence[str], datasets: Sequence[str], repeats: int | None) -> tuple[Project, Study]:
    """The project and the study to run; writes the file of a part, or of a study that stands elsewhere."""
    file = study_file(word)
    project = load_project([file], strict=False)
    study = project.study(file.stem)
    if settings := restricted(study, methods, datasets, repeats):
        part = write_part(settings, study.name)
        note(f"this is a part of {study.name}, the study {settings['name']}, with results of its own: {part.parent}")
        return _read(part)
    if file.resolve() not in [one.resolve() for one in paths.study_files()]:
        own = paths.own_study_yaml(study.name)
        if (other := paths.study_yaml(study.name)).is_file() and other != own:
            raise ConfigError(f"a study of this name stands in {other} as well", where=str(file), hint="rename it")
        write_text(own, file.read_text(encoding="utf-8"))
        note(f"{file} is copied to {own}, where Snakemake finds it; each `scarce run` of the file copies it again")
        return _read(own)
    return project, study


def note(text: str) -> None:
    print(f"scarce: note: {text}", file=sys.stderr, flush=True)


def _read(file: Path) -> tuple[Project, Study]:
    """The project with the study of a file that was just written, which is removed where the study is wrong."""
    project = load_project([file], strict=False)
    try:
        return project, project.study(file.stem)
    except ConfigError:
        file.unlink()
        raise


@dataclass
class Watched:
    """A Snakemake as it was seen.

    Its exit code and its group of processes, whether it was interrupted, its last step, when its fits began, and its
    errors and warnings, each once.
    """

    code: int = 0
    group: int | None = None
    interrupted: bool = False
    step: str = ""
    fitting_since: float | None = None
    said: dict[str, dict[str, None]] = field(default_factory=lambda: {"error": {}, "warning": {}})

    def hear(self, line: str) -> None:
        """Take note of a line of its output."""
        if match := _STEP.match(line):
            self.step = match[1]
            if self.fitting_since is None and self.step.startswith("Fit "):
                self.fitting_since = time.monotonic()
        elif match := _SAID.match(line.strip()):
            self.said[match[1]][match[2]] = None


def _watched(arguments: Sequence[str], cells: Cells, cores: int, log: Path) -> Watched:
    """Run Snakemake, its output in a log, and show a line about its progress until it has ended."""
    watched, line = Watched(), Line()
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "snakemake", *arguments]
    # in a session of its own: a signal from the keyboard reaches it once, and through this process. The handlers come
    # first: a child inherits signals that are ignored here, as they are behind `&` in a script
    with (
        _signals_passed_on(watched),
        log.open("w", encoding="utf-8") as copy,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process,
    ):
        watched.group = process.pid
        reader = threading.Thread(target=_hear, args=(process.stdout, copy, watched), daemon=True)
        reader.start()
        while process.poll() is None:
            cells.look()
            since = watched.fitting_since
            elapsed = 0.0 if since is None else time.monotonic() - since
            line.show(in_words(cells, watched.step, cells.seconds_left(elapsed, cores)))
            _wait(process, LOOK)
        line.end()
        if process.returncode < 0:  # a signal has ended it, and its jobs would go on
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        reader.join()
    watched.code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return watched


def _hear(output: IO[str], copy: IO[str], watched: Watched) -> None:
    for line in output:
        copy.write(line)
        copy.flush()
        watched.hear(line)


def _wait(process: subprocess.Popen, seconds: float) -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


@contextmanager
def _signals_passed_on(watched: Watched) -> Iterator[None]:
    """Pass signals that would end this process on to Snakemake and its jobs; a second one ends them at once."""

    def end(number: int, frame: object) -> None:
        how = signal.SIGKILL if watched.interrupted else signal.SIGINT
        watched.interrupted = True
        with suppress(ProcessLookupError):
            if watched.group is not None:
                os.killpg(watched.group, how)

    before = {number: signal.signal(number, end) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _last_words(log: Path) -> list[str]:
    """Why Snakemake ended by itself without an error of scarce: its exception, else the last line of its output."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8").splitlines()]
    raised = [line for line in lines if re.match(r"\w+(Exception|Error)\b", line)]
    return raised[-1:] or [line for line in lines if line][-1:]


def _lacks(project: Project, study: Study, watched: Watched) -> list[str]:
    """What keeps the results from being complete, where Snakemake has not said it."""
    if watched.code or watched.interrupted:
        return []
    return [line for line in outcome.incomplete(project, [study.name]) if line not in watched.said["warning"]]


def _exit_code(watched: Watched, cells: Cells, study: Study) -> int:
    """Exit code of the command: that of Snakemake, and 5 where a run of a finished study has no result."""
    if watched.interrupted:
        return INTERRUPTED
    if watched.code not in (0, IncompleteError.exit_code):
        raised = study.on_error == "raise" and any(AS_A_ROW in line for line in watched.said["error"])
        return MethodError.exit_code if raised else watched.code
    return IncompleteError.exit_code if watched.code or cells.without_result else 0
