"""Which processes of the project run now, where the system tells (Linux); elsewhere none is seen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def here() -> Iterator[list[str]]:
    """The command line of every other process whose working directory is this one."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if int(process.name) != os.getpid() and os.readlink(process / "cwd") == os.getcwd():
                yield words


def snakemake_runs() -> bool:
    """Whether a Snakemake runs here; a program that reads its log is none."""
    return any(Path(word).name == "snakemake" for words in here() for word in words)


def running_cells() -> set[tuple[str, ...]]:
    """(study, data set, scenario, method) of every fit that runs here."""
    found = set()
    for words in here():
        if "fit" in words and any(word.endswith("scarce") for word in words[:3]):
            place = words.index("fit")
            found.add(tuple(words[place + 1 : place + 5]))
    return found
