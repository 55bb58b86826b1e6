"""Which processes and jobs of the project run now."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from scarce import paths
from scarce.commands import records
from scarce.words import number, one_line

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

#: Seconds that Slurm may take to list jobs.
PATIENCE = 20


def host() -> str:
    """Name of this host: processes and locks of others are not seen here."""
    return socket.gethostname()


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def slurm_jobs() -> str | None:
    """This user's jobs of this folder in Slurm's queue, in words, with what the pending ones wait for.

    None where there is no Slurm to be asked.
    """
    try:
        command = ["squeue", "--me", "--noheader", "--format=%T|%r|%Z"]
        listed = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except FileNotFoundError:
        return None
    except (OSError, subprocess.TimeoutExpired):
        return "squeue gives no answer"
    if listed.returncode:
        return f"squeue gives no answer: {one_line(listed.stderr)}"
    jobs = [line.split("|", 2) for line in listed.stdout.splitlines()]
    states = Counter(
        f"{state.lower()} ({reason})" if state == "PENDING" else state.lower()
        for state, reason, folder in jobs
        if Path(folder).resolve() == Path.cwd()
    )
    counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    return f"{number(states.total(), 'job')} of this folder in Slurm's queue{counts and f': {counts}'}"


def command_lines() -> Iterator[list[str]]:
    """The command line of every other process whose working directory is this one (Linux; elsewhere none)."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if int(process.name) != os.getpid() and os.readlink(process / "cwd") == os.getcwd():
                yield words


def snakemake_runs() -> bool:
    """Whether a Snakemake of this project runs on this host; a program that reads its log does not count."""
    return any(Path(word).name == "snakemake" for words in command_lines() for word in words)


class Lock(NamedTuple):
    """Snakemake's lock of the project: whether nothing on this host holds it, and what to do."""

    stale: bool
    text: str


def lock() -> Lock | None:
    """The lock that keeps a Snakemake from starting; None without one."""
    files = list(records.LOCKS.glob("*"))
    if not files:
        return None
    age = (time.time() - max(file.stat().st_mtime for file in files)) / 60
    if snakemake_runs():
        text = f"locked since {age:.0f} minutes by a Snakemake that is still running on this host ({host()})"
        return Lock(False, text)
    return Lock(
        True,
        f"a stale lock, {age:.0f} minutes old, and no Snakemake runs on this host ({host()}): if none runs on "
        "another either, `snakemake --unlock`, then start again",
    )


def running_cells(study: str) -> set[tuple[str, str, str]]:
    """(data set, scenario, method) of every cell whose lock a process holds.

    On some shared disks locks of other hosts are not seen.
    """
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
