"""Completion of commands, options and names in a shell; ``scarce completion SHELL`` prints what the shell has to read.

The names come from the lines of the configuration files: a shell asks at each press of a key, and reading and checking
the whole configuration takes too long.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import argcomplete

from scarce import paths

_KEY = re.compile(r"([a-z0-9][a-z0-9_.-]*):(?:\s|$)")


def completion(shell: str) -> str:
    """The lines that make a shell complete the words of `scarce`."""
    return argcomplete.shellcode(["scarce"], shell=shell)


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks what a word could become, and end the process; else do nothing."""
    for action in _actions(parser):
        if action.metavar in NAMES:
            action.completer = _offered(NAMES[action.metavar])
    argcomplete.autocomplete(parser, always_complete_options="long")


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from sub._actions


def _offered(names: Callable[[], list[str]]) -> Callable[..., list[str]]:
    def offer(prefix: str, **_: object) -> list[str]:
        return names() or argcomplete.FilesCompleter()(prefix)

    return offer


def studies() -> list[str]:
    """Names of the studies of the project."""
    return [file.stem for file in paths.study_files()]


def keys(file: Path) -> list[str]:
    """Names of the blocks of a file: the keys at the beginning of a line."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [match[1] for line in lines if (match := _KEY.match(line))]


def blocks(shared: Path) -> list[str]:
    """Names of the blocks of a shared file and of those of the same name of papers."""
    return [
        name for file in (shared, *(folder / shared.name for folder in paths.paper_folders())) for name in keys(file)
    ]


#: Metavar of an argument -> the names that it may have.
NAMES: dict[str, Callable[[], list[str]]] = {
    "STUDY": studies,
    "DATASET": lambda: blocks(paths.DATASETS_YAML),
    "METHOD": lambda: blocks(paths.METHODS_YAML),
}
