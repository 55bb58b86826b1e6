"""Completion of commands, options and names in a shell; ``scarce completion SHELL`` prints what the shell has to read.

The names come from the lines of the configuration files, and where a study or a pack is given, from its file: a shell
asks at each press of a key, and reading and checking the whole configuration takes too long.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import argcomplete
import yaml

from scarce import paths

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
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


def _offered(names: Callable[[argparse.Namespace], list[str]]) -> Callable[..., list[str]]:
    def offer(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
        return names(parsed_args) or argcomplete.FilesCompleter()(prefix)

    return offer


def studies(given: argparse.Namespace) -> list[str]:
    """Names of the studies of the project."""
    return [file.stem for file in paths.study_files()]


def keys(file: Path) -> list[str]:
    """Names of the blocks of a file: the keys at the beginning of a line."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [match[1] for line in lines if (match := _KEY.match(line))]


def blocks(*shared: Path) -> list[str]:
    """Names of the blocks of shared files and of those of papers with the name of the first."""
    of_papers = (folder / shared[0].name for folder in paths.paper_folders())
    return [name for file in (*shared, *of_papers) for name in keys(file)]


def datasets(given: argparse.Namespace) -> list[str]:
    """Names of the data sets of the study that is given; of all where none is."""
    return _of_study(given, "datasets") or blocks(*paths.shared_dataset_files())


def methods(given: argparse.Namespace) -> list[str]:
    """Names of the methods of the study or pack that is given; of all where none is."""
    return _of_study(given, "methods") or _of_pack(given) or blocks(paths.METHODS_YAML)


def _of_study(given: argparse.Namespace, key: str) -> list[str]:
    """Names that stand under a key of a study's file, or of the first one that has it of those that it extends."""
    name, seen = getattr(given, "study", None), set()
    while isinstance(name, str) and name not in seen:
        seen.add(name)
        try:
            file = Path(name) if name.endswith((".yaml", ".yml")) else paths.study_yaml(name)
            settings = yaml.load(file.read_text(encoding="utf-8"), _LOADER)
            if key in settings:
                return [word for word in settings[key] if isinstance(word, str)]
            name = settings.get("extends")
        except (OSError, ValueError, TypeError, AttributeError, yaml.YAMLError):
            break
    return []


def _of_pack(given: argparse.Namespace) -> list[str]:
    """Names of the methods of a pack that a method is to be compared with."""
    try:
        return [*json.loads((given.against / "pack.json").read_text(encoding="utf-8"))["methods"]]
    except (OSError, ValueError, TypeError, AttributeError, LookupError):
        return []


#: Metavar of an argument -> the names that it may have, given the other arguments.
NAMES: dict[str, Callable[[argparse.Namespace], list[str]]] = {
    "STUDY": studies,
    "DATASET": datasets,
    "METHOD": methods,
}
