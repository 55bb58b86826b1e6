"""Reads all configuration files into a project, and reports all that is wrong with any of them at once."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from scarce import papers, paths, registry
from scarce.config.described import data_problems, named
from scarce.config.faults import PROJECT, StudyRead, blame_plugins, by_owner, collected, imported
from scarce.config.kinds import names_of_study, registered_names, texts_in
from scarce.config.known_labels import refused_oracles
from scarce.config.methods import SOUND, MethodSpec, PaperFile, Preset
from scarce.config.project import Project
from scarce.config.study import WHOLE, Study
from scarce.config.study_files import in_project
from scarce.config.switches import Config
from scarce.config.yamlfile import YamlFile, not_a_block, read_yaml, shown, validate
from scarce.errors import ConfigError
from scarce.labels.records import LABELINGS
from scarce.words import did_you_mean

Made = TypeVar("Made")

#: Rules of the workflow beside the studies: `snakemake <name>` can mean only one thing.
RULES = {
    "all", "default", "fetch", "fetch_dataset", "prepare", "label", "prior", "warm", "fit", "collect", "analyse",
    "verdicts", "tables", "figures", "page",
}  # fmt: skip


def load_project(studies: Iterable[Path] | None = None, *, thorough: bool = True, strict: bool = True) -> Project:
    """Read and check the configuration below the working directory, and that of the papers.

    Parameters
    ----------
    studies : iterable of Path, optional
        Study files; by default all of ``config/studies`` and of the papers.
    thorough : bool
        False: read only the data sets and methods of these studies, and leave out the checks of estimators and of the
        user's own data files. For jobs, which start after a thorough check.
    strict : bool
        False: leave out each study, data set and method that is described wrongly, and keep what is wrong with it in
        `Project.faults`. A study that names a wrong data set or method is wrong, too; one whose data set lacks its file
        is not, and the job that fetches it says so.

    Raises
    ------
    ConfigError
        With every problem of every file at once; unless `strict`, with those of ``config/config.yaml`` and of whole
        files of data sets or methods only.
    """
    in_project()
    registry.import_from_here()
    reading = _Reading(thorough, strict)
    project = reading.project(None if studies is None else list(map(Path, studies)))
    reading.raise_problems()
    return project


class _Reading:
    """The files as they are read, the names that they define, and all problems."""

    def __init__(self, thorough: bool, strict: bool):
        self.thorough, self.strict = thorough, strict
        self.problems: list[ConfigError] = []
        self._misread: list[ConfigError] = []  # values that could not be read; no other problem is reported of them
        self._context: dict[str, Any] = {}
        self._papers: dict[str, PaperFile] = {}
        self._studies: dict[str, Study | None] = {}
        self._files: dict[str, YamlFile] = {}  # of the studies, by path
        self._kinds: dict[str, str] = {}  # file of blocks -> their kind
        self._absent: dict[str, list[ConfigError]] = {}  # files of the user's that are not there, by data set

    def project(self, files: list[Path] | None) -> Project:
        switches = self._open(paths.CONFIG_YAML)
        registered = self._plugged_in(switches)
        listed, found = paths.study_files(), papers.discover()
        discovered = self._without_twins(found)
        for paper in discovered:
            error = functools.partial(ConfigError, where=str(paper.folder / "__init__.py"))
            self._attempt(lambda paper=paper, error=error: imported(paper.load, error))
        datasets = self._blocks(
            [*paths.shared_dataset_files(), *(paper.folder / "datasets.yaml" for paper in discovered)], "data set"
        )
        methods = self._blocks([paths.METHODS_YAML, *(paper.folder / "methods.yaml" for paper in discovered)], "method")
        self._context |= {
            "data set": datasets,
            "study": {path.stem for path in listed},
            "paper with published numbers": [paper.name for paper in discovered if paper.reference.is_dir()],
        }
        known = self._context if files is None else None
        config = switches and self._attempt(lambda: validate(Config, switches, context=known))
        used = None if self.thorough else self._used(files or [])
        described = self._datasets(datasets or {}, used)
        specs = self._methods(methods or {}, used, registered)
        presets = self._presets(discovered)
        self._context |= registered_names()
        todo = list(listed) if files is None else files
        sources: dict[str, str] = {}
        for path in todo:  # grows by the studies that claims rest on
            study = self._study(path)
            if study and study.name not in sources:
                sources[study.name] = str(path)
                todo += [paths.study_yaml(name) for name in study.other_studies]
        self._report_misplaced(listed, None if files is None else todo)
        studies = {name: self._studies[path] for name, path in sources.items()}
        readable = Project(config, described, specs, studies, sources, presets)
        for study in filter(None, studies.values() if self.thorough else ()):
            file = self._files[sources[study.name]]
            self.problems += [file.error((key,), *problem) for key, *problem in readable.lacking(study)]
        faults: dict[tuple[str, str], ConfigError] = {}
        if self.strict:
            self.problems += [problem for absent in self._absent.values() for problem in absent]
        else:
            owned = by_owner(self._worth_saying(), self._kinds, found, drafts=todo)
            self._misread, self.problems = [], owned.pop(PROJECT, [])
            blame_plugins(owned, specs)
            read = {path.stem: StudyRead(path, self._value(path), self._studies[str(path)]) for path in todo}
            faults = collected(owned, read)
            faults |= {("own file", name): ConfigError.collect(absent) for name, absent in self._absent.items()}
        described, specs, studies = (
            {name: one for name, one in all_of_a_kind.items() if one is not None and (kind, name) not in faults}
            for kind, all_of_a_kind in (("data set", described), ("method", specs), ("study", studies))
        )
        return Project(config, described, specs, studies, sources, presets, faults)

    def _value(self, path: Path) -> dict:
        """What the file of a study says, as far as it can be read."""
        return self._files[str(path)].value if str(path) in self._files else {}

    def raise_problems(self) -> None:
        """Raise all problems, each once; those that are kept as faults are no longer among them."""
        if problems := {str(problem): problem for problem in self._worth_saying()}:
            raise ConfigError.collect(problems.values())

    def _worth_saying(self) -> list[ConfigError]:
        misread = {problem.place for problem in self._misread}
        return [*self._misread, *(one for one in self.problems if not one.place or one.place not in misread)]

    def _attempt(self, build: Callable[[], Made]) -> Made | None:
        try:
            return build()
        except ConfigError as error:
            self.problems.extend(error.problems or [error])
            return None

    def _open(self, path: Path) -> YamlFile | None:
        """A file that holds a block of keys."""
        file = self._attempt(lambda: read_yaml(path, self._misread))
        if file and not isinstance(file.value, dict):
            self.problems.append(not_a_block(file, file.value))
            return None
        return file

    def _plugged_in(self, switches: YamlFile | None) -> bool:
        """Import the plugins of ``config/config.yaml``; whether all of them have registered their methods."""
        plugins = switches.value.get("plugins", []) if switches else None
        before, listed = len(self.problems), plugins if isinstance(plugins, list) else []
        names = [plugin for plugin in listed if isinstance(plugin, str)]
        for name in names:
            load = functools.partial(importlib.import_module, name)
            self._attempt(lambda load=load: imported(load, lambda message: switches.error(("plugins",), message)))
        return names == plugins and len(self.problems) == before

    def _blocks(self, files: list[Path], kind: str) -> dict[str, YamlFile] | None:
        """The file of each block; None where a file cannot be read, so that no name can be said to be unknown."""
        blocks: dict[str, YamlFile] = {}
        readable = True
        for place, path in enumerate(files):
            if place and not path.is_file():  # only the shared file is required
                continue
            self._kinds[shown(path)] = kind
            file = self._open(path)
            if file and not file.value:
                self.problems.append(file.error((), "describes nothing"))
            if not file or not file.value:
                readable = readable and not self.strict and place > 0
                continue
            for name in file.value:
                if name in blocks:
                    message = f"a {kind} of this name stands in {blocks[name].where((name,))} as well"
                    self.problems.append(file.error((name,), message))
                else:
                    blocks[name] = file
        return blocks if readable else None

    def _used(self, files: list[Path]) -> set[str]:
        """Words of studies that may be names of data sets or methods, and of the studies that they rest on."""
        words: set[str] = set()
        todo = [str(path) for path in files]
        for path in todo:
            file = self._extended(Path(path))
            new = {one for one in texts_in(file.value) if one not in words} if file else set()
            words |= new
            known = self._context["study"] & new
            todo += [path for name in known if (path := str(paths.study_yaml(name))) not in todo]
        return words

    def _datasets(self, blocks: Mapping[str, YamlFile], used: set[str] | None) -> dict[str, Any]:
        from scarce.config.datasets import DatasetSpec

        described = {}
        for name, file in blocks.items():
            if used is None or name in used:
                before = len(self.problems)
                described[name] = self._attempt(lambda: named(DatasetSpec, file, name, self._context))  # noqa: B023
                if self.thorough:
                    wrong = {problem.place[2] for problem in self.problems[before:] if len(problem.place) > 2}
                    own, absent = data_problems(name, file, described[name], wrong)
                    self.problems += own
                    self._absent |= {name: absent} if absent else {}
        return described

    def _methods(
        self, blocks: Mapping[str, YamlFile], used: set[str] | None, registered: bool
    ) -> dict[str, MethodSpec]:
        self._context["method"] = blocks or None
        if self.thorough:
            values = {name: file.value[name] for name, file in blocks.items()}
            estimators = {name: value.get("estimator") for name, value in values.items() if isinstance(value, dict)}
            self._context |= {"estimators": estimators, "registered": registered or not self.strict}
        specs: dict[str, MethodSpec] = {}
        grids: dict[str, list[str]] = {}
        varied: dict[str, set[str]] = {}
        for name, file in blocks.items():
            # a study may name a variant of a grid, whose block has a shorter name
            if used is not None and not any(word == name or word.startswith(f"{name}-") for word in used):
                continue
            spec = self._attempt(lambda: named(MethodSpec, file, name, self._context))  # noqa: B023
            variants = spec.variants() if spec else []
            for variant in variants:
                if variant.name in specs or (variant.name != name and variant.name in blocks):
                    self.problems.append(file.error((name, "grid"), f"two methods are named {variant.name!r}"))
                specs[variant.name] = variant
            if spec and spec.grid:
                grids[name] = [variant.name for variant in variants]
                varied |= {method: set(spec.grid) for method in (name, *grids[name])}
        if blocks:
            estimators = self._context.get("estimators")
            for name, variants in grids.items():
                if estimators is not None:
                    estimators.update(dict.fromkeys(variants, estimators[name]))
            self._context |= {"grids": grids, "varied": varied}
            self._context |= {"method": [*blocks, *(one for names in grids.values() for one in names)]}
            self._context["published methods"] = [name for name, spec in specs.items() if spec.source == "published"]
            self._context["oracles"] = [name for name, spec in specs.items() if spec.hidden_labels]
        return specs

    def _presets(self, discovered: list[papers.Paper]) -> dict[str, Preset]:
        presets = {"sound": SOUND}
        readable = True
        for paper in discovered:
            path = paper.folder / "paper.yaml"
            if not path.is_file():
                continue
            file = self._open(path)
            about = file and self._attempt(lambda: validate(PaperFile, file, context=self._context))  # noqa: B023
            if not about:
                readable = False
                continue
            self._papers[paper.name] = about
            for name, preset in about.presets.items():
                if name in presets:
                    self.problems.append(file.error(("presets", name), "another preset has this name"))
                presets[name] = preset
        self._context["preset"] = presets if readable or not self.strict else None
        self._context["presets"] = presets
        return presets

    def _extended(self, path: Path, below: tuple[Path, ...] = ()) -> YamlFile | None:
        """A study's file laid over those of the studies that it extends, with the paper it belongs to."""
        file = self._open(path)
        if file is None:
            return None
        self._of_a_paper(file, path)
        self._files.setdefault(str(path), file)
        name = file.value.get("extends")
        if not isinstance(name, str):
            return file
        if name not in self._context["study"]:
            hint = did_you_mean(name, self._context["study"])
            self.problems.append(file.error(("extends",), f"no study is named {name!r}", hint))
            return None
        parent_path = paths.study_yaml(name)
        if parent_path in (path, *below):
            self.problems.append(file.error(("extends",), f"study {name!r} extends itself"))
            return None
        parent = self._extended(parent_path, (path, *below))
        if parent:
            parent.value.pop("name", None)  # each study has its own
            parent.lines.pop(("name",), None)
        return parent and file.over(parent, WHOLE)

    def _of_a_paper(self, file: YamlFile, path: Path) -> None:
        if "paper" in file.value:
            hint = "give the citation as `citation:`"
            message = "is the folder that the study stands in and is not given"
            self.problems.append(file.error(("paper",), message, hint))
            del file.value["paper"]
        for paper in papers.discover():
            if path.parent == paper.folder / "studies":
                file.value["paper"] = paper.name

    def _study(self, path: Path) -> Study | None:
        """A checked study; None where something is wrong with it, which is reported once."""
        if str(path) in self._studies:
            return self._studies[str(path)]
        self._studies[str(path)] = None
        before = len(self.problems) + len(self._misread)
        file = self._extended(path)
        if file is None:
            return None
        self._files[str(path)] = file
        value = self._resolved(file.value)
        context = self._context | names_of_study(value, self._context)
        study = self._attempt(lambda: validate(Study, file, value, context=context))
        name = value.get("name")
        if isinstance(name, str) and name in RULES:
            self.problems.append(file.error(("name",), f"{name!r} is a rule of the workflow, choose another name"))
        ill = {problem.place for problem in self.problems}
        if isinstance(name, str) and path.stem != name and (str(path), "name") not in ill:
            message = f"is {name!r}, but the file is {path.name}; the two must agree"
            self.problems.append(file.error(("name",), message))
        if study:
            for place, claim in enumerate(study.claims):
                for other in claim.arguments.studies():
                    self._compare(study, other, file, ("claims", place, "arguments"))
            oracles = [method for method in study.methods if method in self._context.get("oracles", ())]
            for message, hint in refused_oracles(oracles, study.labeling_name, study.split.plan):
                self.problems.append(file.error(("methods",), message, hint))
            specs = self._context.get("published methods", ())
            study._published = frozenset(study.methods) & frozenset(specs)
        if len(self.problems) + len(self._misread) == before:
            self._studies[str(path)] = study
        return self._studies[str(path)]

    def _resolved(self, value: dict[str, Any]) -> dict[str, Any]:
        """A study's value with defaults of its labeling, options of its preset and the citation of its paper."""
        value = dict(value)
        preset, labeling = value.get("preset", "sound"), value.get("labeling")
        preset = self._context["presets"].get(preset) if isinstance(preset, str) else None
        name = next(iter(labeling), None) if isinstance(labeling, dict) else None
        defaults = dict(LABELINGS[name].defaults) if name in LABELINGS else {}
        if preset:
            defaults["options"] = {**defaults.get("options", {}), **preset.options}
        for block, settings in defaults.items():
            if isinstance(value.get(block, {}), dict):
                value[block] = settings | value.get(block, {})
        about = self._papers.get(value.get("paper"))
        return {"citation": about.citation or None} | value if about else value

    def _compare(self, study: Study, name: str, file: YamlFile, at: tuple[str | int, ...]) -> None:
        """Report another study that a claim rests on and that has nothing in common with this one."""
        at = next((key for key in file.lines if key[: len(at)] == at and key[-1] == "study"), at)
        if name == study.name:
            self.problems.append(file.error(at, f"{name!r} is this study itself"))
            return
        other = self._study(paths.study_yaml(name))
        if other is None:  # its own problems are reported
            return
        arguments = next(claim.arguments for claim in study.claims if name in claim.arguments.studies())
        if lacking := [method for method in getattr(arguments, "methods", None) or [] if method not in other.methods]:
            self.problems.append(file.error(at, f"study {name} has no method {', '.join(lacking)}"))
        scenarios = arguments.scenarios or [scenario.name for scenario in study.scenarios]
        if not {scenario.name for scenario in other.scenarios} & set(scenarios):
            self.problems.append(file.error(at, f"study {name} has none of the scenarios {', '.join(scenarios)}"))
        for kind, words in (("datasets", "data sets"), ("methods", "methods")):
            if not set(getattr(study, kind)) & set(getattr(other, kind)):
                self.problems.append(file.error(at, f"study {name} has none of this study's {words}"))

    def _report_misplaced(self, listed: list[Path], read: list[Path] | None) -> None:
        """Report studies of one name and, where all studies are `read`, files that are no studies by their ending."""
        for path in paths.study_files(".yml") if read is None else ():
            error = ConfigError("is not read: study files end in .yaml", where=str(path), hint="rename it")
            self.problems.append(error)
        places = {path.resolve() for path in listed if read is None} or {path.resolve() for path in read or ()}
        first: dict[str, Path] = {}
        for path in listed:
            other = first.setdefault(path.stem, path)
            if other != path and {path.resolve(), other.resolve()} & places:
                self.problems.append(ConfigError(f"a study of this name stands in {other} as well", where=str(path)))

    def _without_twins(self, discovered: list[papers.Paper]) -> list[papers.Paper]:
        """The papers without those that have the name of an earlier one, which are reported."""
        first: dict[str, papers.Paper] = {}
        for paper in discovered:
            if (other := first.setdefault(paper.name, paper)) is not paper:
                message = f"a paper of this name stands in {shown(other.folder)} as well"
                self.problems.append(ConfigError(message, where=str(paper.folder), hint="rename the folder"))
        return list(first.values())
