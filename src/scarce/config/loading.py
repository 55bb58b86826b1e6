"""How configuration becomes a project: every file is read, and whatever is wrong with any is said at once."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from scarce import papers, paths
from scarce.config import checks
from scarce.config.claims import studies_of
from scarce.config.mentions import unknown
from scarce.config.project import STAGES, Project
from scarce.config.study import Config, MethodSpec, Study
from scarce.config.yamlfile import Key, YamlFile, not_a_block, read_tolerantly, validate
from scarce.errors import ConfigError

Made = TypeVar("Made")

#: Rules of the workflow beside the studies: `snakemake <name>` can mean only one thing.
RULES = {"all", "fetch", "fetch_dataset", "prepare", "encode", "label", "prior", "warm", "fit", *STAGES}


def load_project(studies: Iterable[Path] | None = None) -> Project:
    """Read and check the configuration below the working directory.

    Parameters
    ----------
    studies : iterable of Path, optional
        Study files; by default all of ``config/studies``.

    Raises
    ------
    ConfigError
        With every problem of every file at once.
    """
    from scarce.config.datasets import DatasetSpec

    if not paths.CONFIG.exists():
        hint = "go to the folder that holds the Snakefile and config/, and run the command there"
        raise ConfigError(f"{Path.cwd()} is no project: there is no {paths.CONFIG}", hint=hint)
    _find_own_modules()
    for paper in papers.discover():
        paper.load()
    reading = _Reading()
    switches, config, plugged_in = reading.switches()
    datasets_file, datasets = reading.blocks(paths.DATASETS_YAML, DatasetSpec)
    methods_file, methods = reading.blocks(paths.METHODS_YAML, MethodSpec)
    # what a file that cannot be read would have described is not missed where it is named
    known = checks.Blocks(datasets_file and datasets_file.value, methods_file and methods_file.value)
    wrong = reading.places()
    for name in datasets:
        reading.problems += checks.dataset_problems(name, datasets_file, known, wrong)
    for name in methods:
        reading.problems += checks.method_problems(name, methods_file, known, wrong, plugged_in=plugged_in)
    found = reading.studies(map(Path, paths.study_files() if studies is None else studies), known)
    if studies is None:
        reading.look_beside_the_studies(switches)
    reading.raise_problems()
    return Project(config, datasets, methods, *found)


class _Reading:
    """What has been read, and the problems found on the way."""

    def __init__(self) -> None:
        self.problems: list[ConfigError] = []
        self._misread: list[ConfigError] = []  # values that could not be read, of which nothing more is said
        self._scales: dict[Path, list[tuple[YamlFile, Study | None]]] = {}

    def places(self) -> set[Key]:
        """Where something is said already."""
        return {problem.place for problem in [*self.problems, *self._misread]}

    def raise_problems(self) -> None:
        """Raise all of them, each once."""
        misread = {problem.place for problem in self._misread}
        rest = [problem for problem in self.problems if not problem.place or problem.place not in misread]
        if problems := [*self._misread, *rest]:
            raise ConfigError.collect({str(problem): problem for problem in problems}.values())

    def switches(self) -> tuple[YamlFile | None, Config | None, bool]:
        """``config/config.yaml``, and whether all of it is right and its plugins have registered their methods."""
        file = self._opened(paths.CONFIG_YAML)
        if file is None:
            return None, None, False
        before = len(self.problems)
        config = self._attempt(lambda: validate(Config, file))
        plugins, mirror = file.value.get("plugins", []), file.value.get("mirror")
        for plugin in plugins if isinstance(plugins, list) else ():
            if isinstance(plugin, str):
                self._attempt(lambda plugin=plugin: _import_plugin(plugin, file))
        plugged_in = len(self.problems) == before
        if mirror and isinstance(mirror, str) and not Path(mirror).expanduser().is_dir():
            self.problems.append(file.error(("mirror",), f"no folder {mirror}"))
        return file, config, plugged_in

    def blocks(self, path: Path, model: type[Made]) -> tuple[YamlFile | None, dict[str, Made | None]]:
        """A file, and what each of its blocks describes: None where it is wrong."""
        file = self._opened(path)
        if file is None:
            return None, {}
        if not file.value:
            self.problems.append(file.error((), "describes nothing"))
            return None, {}
        return file, {name: self._attempt(lambda name=name: _named(model, file, name)) for name in file.value}

    def studies(self, files: Iterable[Path], known: checks.Blocks) -> tuple[dict[str, Study], dict[str, str]]:
        """Studies by name with those that their claims rest on, and the file of each."""
        found: dict[str, Study] = {}
        sources: dict[str, str] = {}
        todo = list(files)
        for path in todo:
            scales, wrong, own = self._at_its_scales(path), self.places(), []
            for file, study in scales:
                own += checks.study_problems(file, study, wrong, known, RULES, self._other)
            self.problems += own
            study = self._sound(path)
            if study and study.name not in found:
                found[study.name], sources[study.name] = study, str(path)
                # what its claims rest on is part of it
                todo += [] if own else map(paths.study_yaml, studies_of(study))
        return found, sources

    def look_beside_the_studies(self, switches: YamlFile | None) -> None:
        """Files that are no studies by their ending, and studies that are to be built and are not there."""
        for path in paths.study_files(".yml"):
            self.problems.append(
                ConfigError("is not read: study files end in .yaml", where=str(path), hint="rename it")
            )
        if switches:
            named = [path.stem for path in paths.study_files()]
            self.problems += unknown(Config, switches.value, switches, {"study": named}, self.places())

    def _attempt(self, build: Callable[[], Made]) -> Made | None:
        try:
            return build()
        except ConfigError as error:
            self.problems.extend(error.problems or [error])
            return None

    def _opened(self, path: Path) -> YamlFile | None:
        """A file that holds a block of keys."""
        file = self._attempt(lambda: read_tolerantly(path))
        if file and not isinstance(file.value, dict):
            self.problems.append(not_a_block(file, file.value))
            return None
        self._misread.extend(file.problems if file else ())
        return file

    def _at_its_scales(self, path: Path) -> list[tuple[YamlFile, Study | None]]:
        """A study as it is run and, with a block `laptop`, as it is at the other scale; None where one is wrong."""
        if path not in self._scales:
            file = self._opened(path)
            scales = _scales(file) if file else []
            self._scales[path] = [(one, self._attempt(lambda one=one: validate(Study, one))) for one in scales]
        return self._scales[path]

    def _sound(self, path: Path) -> Study | None:
        scales = self._at_its_scales(path)
        return scales[0][1] if scales and all(study for _, study in scales) else None

    def _other(self, name: str) -> Study | None:
        return self._sound(paths.study_yaml(name))


def _scales(file: YamlFile) -> list[YamlFile]:
    if not isinstance(file.value.get("laptop"), dict):
        return [file]
    full, small = replace(file, value=file.value | {"scale": "full"}), file.replacing("laptop", scale="laptop")
    return {"full": [full, small], "laptop": [small, full]}.get(str(file.value.get("scale", "full")), [file])


def _named(model: Any, file: YamlFile, name: str) -> Any:
    """What a block describes, whose key is its name."""
    value = file.value[name]
    if not isinstance(value, dict):
        raise not_a_block(file, value, (name,))
    if "name" not in value:
        return validate(model, file, {"name": name} | value, (name,))
    problems = [file.error((name, "name"), "unknown key", "the key of the block is its name")]
    try:
        validate(model, file, value | {"name": name}, (name,))
    except ConfigError as error:
        problems += error.problems
    raise ConfigError.collect(problems)


def _find_own_modules() -> None:
    """Let methods and plugins be modules of the project's root; what is installed comes first."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _import_plugin(name: str, file: YamlFile) -> None:
    try:
        importlib.import_module(name)
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:  # a script that ends itself must not end this one, and well
        raise file.error(("plugins",), f"cannot import {name}: {type(error).__name__}: {error}") from error
