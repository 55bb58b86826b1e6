"""Which processes of the project run now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from scarce import paths

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


def command_lines() -> Iterator[list[str]]:
    """The command line of every other process whose working directory is this one (Linux; elsewhere none)."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if int(process.name) != os.getpid() and os.readlink(process / "cwd") == os.getcwd():
                yield words


def snakemake_runs() -> bool:
    """Whether a Snakemake runs here; a program that reads its log does not count."""
    return any(Path(word).name == "snakemake" for words in command_lines() for word in words)


def running_cells(study: str) -> set[tuple[str, str, str]]:
    """(data set, scenario, method) of every cell whose lock a process holds, where the system has such locks."""
    locks = paths.lock(study, "*", "*", "*").relative_to(paths.results(study))
    return {
        (file.parts[-3], file.parts[-2], file.name[1 : -len(".lock")])
        for file in paths.results(study).glob(str(locks))
        if _held(file)
    }


def _held(lock: Path) -> bool:
    with suppress(FileNotFoundError), open(lock, "rb") as handle:
        try:
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
