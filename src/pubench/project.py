"""The project as configured: its data sets, methods and studies, read together and checked against each other."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pubench import paths, registry
from pubench.errors import ConfigError
from pubench.study import PLACEHOLDERS, Config, MethodSpec, Study
from pubench.yamlfile import YamlFile, did_you_mean, read_yaml, validate

WORDS = ("title", "code", "licence", "citation", "note", "reason", "substitute_for", "expected")


@dataclass(frozen=True)
class Project:
    """Everything that configuration says; building one raises every problem at once."""

    config: Config
    datasets: dict[str, Any]
    methods: dict[str, MethodSpec]
    studies: dict[str, Study]
    sources: dict[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def mirror(self) -> Path | None:
        """The mirror folder, where one is configured."""
        folder = os.environ.get("PUBENCH_MIRROR") or self.config.mirror
        return Path(folder).expanduser() if folder else None

    def study(self, name: str) -> Study:
        """A study by name.

        Raises
        ------
        ConfigError
            If there is no such study.
        """
        return _pick("study", name, self.studies)

    def dataset(self, name: str) -> Any:
        """A data set's description by name; raises ConfigError if there is none."""
        return _pick("data set", name, self.datasets)

    def method(self, name: str) -> MethodSpec:
        """A method variant by name; raises ConfigError if there is none."""
        return _pick("method", name, self.methods)

    def fingerprint(self, study: Study, method: str) -> str:
        """What a fit depends on beside its input files: arguments, version and code of the method."""
        spec = self.methods[method]
        target = registry.find(spec.estimator).target
        return registry.digest(
            {
                "arguments": spec.arguments(study),
                "target": target,
                "version": spec.version,
                "encoding": study.options.encoding,
                "seconds": study.limits.seconds or spec.limits.seconds,
                "code": self._code(target.partition(":")[0]),
            }
        )

    def source_fingerprint(self, dataset: str) -> str:
        """What a data set's raw and prepared files depend on: its description, but for words and checks."""
        return registry.digest(self.dataset(dataset).model_dump(mode="json", exclude=set(WORDS)))

    def encode_fingerprint(self, study: Study) -> str:
        """What encoded features depend on beside the prepared data."""
        return registry.digest([study.options.encoding, self._code("pubench.data.encode")])

    def stage_fingerprint(self, study: Study, *modules: str) -> str:
        """What a stage after the fits depends on beside its input files: study, names of methods, its own code."""
        labels = [[name, self.methods[name].label, self.methods[name].family] for name in study.methods]
        templates = registry.template_digest() if any(m.startswith("pubench.report") for m in modules) else ""
        return registry.digest([study.model_dump(mode="json"), labels, templates, *map(self._code, modules)])

    def _code(self, module: str) -> str:
        return registry.code_digest(module) if self.config.code_tracking == "source" else ""

    def label_fingerprint(self, study: Study, scenario: str) -> str:
        """What a labels file depends on beside the data."""
        options = study.options.model_dump(include={"class_prior", "strata", "seeds", "flip_count"})
        plan = study.split.model_dump() | {"repeats": study.repeats, "seed": study.seed}
        what = {"scenario": study.scenario(scenario).model_dump(), "plan": plan, "options": options}
        return registry.digest([what, self._code("pubench.labels")])


def _pick(what: str, name: str, known: dict[str, Any]) -> Any:
    if name not in known:
        raise ConfigError(f"no {what} is named {name!r}", hint=did_you_mean(name, known))
    return known[name]


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
    from pubench.data.availability import own_problem
    from pubench.data.specs import DatasetSpec

    _find_own_modules()
    problems: list[ConfigError] = []

    def attempt(build: Callable[[], Any]) -> Any:
        try:
            return build()
        except ConfigError as error:
            problems.append(error)
            return None

    def blocks(path: Path, model: Any) -> tuple[dict[str, Any], YamlFile | None]:
        file = attempt(lambda: read_yaml(path))
        found = {}
        for name, value in (file.value if file else {}).items():
            if isinstance(value, dict):
                found[name] = attempt(
                    lambda name=name, value=value: validate(model, file, {"name": name} | value, (name,))
                )
            else:
                problems.append(file.error((name,), f"must be a block of keys, got {value!r}"))
        return found, file

    config_file = attempt(lambda: read_yaml(paths.CONFIG_YAML))
    config = attempt(lambda: validate(Config, config_file)) if config_file else None
    for plugin in config.plugins if config else ():
        attempt(lambda plugin=plugin: _import_plugin(plugin, config_file))
    datasets, datasets_file = blocks(paths.DATASETS_YAML, DatasetSpec)
    for name, spec in datasets.items():
        if spec and (found_wrong := own_problem(spec)):
            key, message, hint = found_wrong
            problems.append(datasets_file.error((name, key), message, hint))
    methods, methods_file = blocks(paths.METHODS_YAML, MethodSpec)
    for name, spec in methods.items():
        if spec:
            problems += _method_problems(name, spec, methods_file)

    found: dict[str, Study] = {}
    sources: dict[str, str] = {}
    for path in sorted(paths.STUDIES.glob("*.yaml")) if studies is None else studies:
        path = Path(path)
        file = attempt(lambda path=path: read_yaml(path))
        study = attempt(lambda file=file: validate(Study, file)) if file else None
        if study:
            problems += _study_problems(study, file, datasets, methods)
            found[study.name] = study
            sources[study.name] = str(path)
    for place, name in enumerate(config.studies if config and studies is None else ()):
        if name not in found and not (paths.study_yaml(name)).is_file():
            problems.append(
                config_file.error(("studies", place), f"no study is named {name!r}", did_you_mean(name, found))
            )
    if problems:
        raise ConfigError.collect(problems)
    return Project(config, datasets, methods, found, sources)


def _find_own_modules() -> None:
    """Let methods and plugins be modules of the project's root; what is installed comes first."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _import_plugin(name: str, file: YamlFile) -> None:
    try:
        importlib.import_module(name)
    except ConfigError:
        raise
    except Exception as error:
        raise file.error(("plugins",), f"cannot import {name}: {type(error).__name__}: {error}") from error


def _method_problems(name: str, spec: MethodSpec, file: YamlFile) -> list[ConfigError]:
    problems = []
    if registry.find(spec.estimator) is None:
        problems.append(
            file.error(
                (name, "estimator"),
                f"no method is registered as {spec.estimator!r}",
                did_you_mean(spec.estimator, registry.METHODS),
            )
        )
    for part in ("params", "paper", "corrected"):
        for key, value in getattr(spec, part).items():
            if isinstance(value, str) and value.startswith("$") and value not in PLACEHOLDERS:
                problems.append(
                    file.error((name, part, key), f"unknown placeholder {value}", did_you_mean(value, PLACEHOLDERS))
                )
    return problems


def _study_problems(study: Study, file: YamlFile, datasets: dict, methods: dict) -> list[ConfigError]:
    from pubench.evaluate.metrics import METRICS
    from pubench.report.catalogue import FIGURES

    problems: list[ConfigError] = []

    def known(key: tuple, name: str, among: Iterable[str], what: str) -> None:
        if name not in among:
            problems.append(file.error(key, f"no {what} is named {name!r}", did_you_mean(name, among)))

    if file.path.stem != study.name:
        problems.append(
            file.error(("name",), f"is {study.name!r}, but the file is {file.path.name}; the two must agree")
        )
    for place, name in enumerate(study.datasets):
        known(("datasets", place), name, datasets, "data set")
    for place, name in enumerate(study.methods):
        known(("methods", place), name, methods, "method")
    for name, options in study.method_options.items():
        known(("method_options", name), name, study.methods, "method of this study")
        prior = options.get("class_prior", 0.5)
        if isinstance(prior, int | float) and not 0 < prior < 1:
            problems.append(
                file.error(("method_options", name, "class_prior"), f"must lie between 0 and 1, got {prior}")
            )
    for place, name in enumerate(study.analysis.metrics):
        known(("analysis", "metrics", place), name, METRICS, "metric")
    for metric, names in study.analysis.exclude.items():
        known(("analysis", "exclude", metric), metric, METRICS, "metric")
        for place, name in enumerate(names):
            known(("analysis", "exclude", metric, place), name, methods, "method")
    if study.analysis.control != "best":
        known(("analysis", "control"), study.analysis.control, study.methods, "method of this study")
    if study.analysis.reference and not paths.reference(study.analysis.reference).is_dir():
        problems.append(file.error(("analysis", "reference"), f"no folder {paths.reference(study.analysis.reference)}"))
    scenarios = [scenario.name for scenario in study.scenarios]
    for place, table in enumerate(study.report.tables):
        known(("report", "tables", place, "metric"), table.metric, METRICS, "metric")
        if table.scenario:
            known(("report", "tables", place, "scenario"), table.scenario, scenarios, "scenario of this study")
    for place, name in enumerate(study.report.figures):
        known(("report", "figures", place), name, FIGURES, "figure")
    return problems
