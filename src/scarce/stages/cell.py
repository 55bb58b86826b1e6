"""Cells of one data set and scenario ready to be fitted: features, labels, and what builds the estimator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scarce import registry, seeds
from scarce.config.placeholders import fill
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.source_code import class_constant
from scarce.stages.inputs import labels_of, load_features, nominal


def load_cell(project: Project, study: Study, dataset: str, scenario: str, method: str) -> Any:
    """The cell of one method, with its labels and features read from files."""
    study.check_cell(dataset, scenario, method)
    labels = labels_of(study, dataset, scenario)
    features = load_features(study, dataset, project.encoding(study, method))
    return cell(project, study, dataset, scenario, method, labels, features)


def cell(project: Project, study: Study, dataset: str, scenario: str, method: str, labels: Any, features: tuple) -> Any:
    """The cell of one method; `features` are what `load_features` returned."""
    from scarce.fitting.cell import Cell

    X, encoder = features
    entry = registry.find(project.method(method).estimator)
    shared = _shared_params(project, study, dataset, method)
    build = builder(project, study, dataset, scenario, method)
    return Cell(build, X, labels, encoder, not entry.own, shared, getattr(entry, "extra", ""))


def _shared_params(project: Project, study: Study, dataset: str, method: str) -> dict[str, Any]:
    """Names and values of the arguments that only affect predictions: ``shared_params`` of the estimator class.

    A placeholder is not one of them: its value differs by repeat.
    """
    spec = project.method(method)
    names = class_constant(registry.find(spec.estimator).target, "shared_params") or ()
    chosen = {name: value for name, value in project.arguments(study, dataset, method).items() if name in names}
    return {name: value for name, value in chosen.items() if not str(value).startswith("$")}


def sharing(project: Project, study: Study, dataset: str, scenario: str, methods: Sequence[str]) -> list[list[str]]:
    """Group methods that can share each fit: the same estimator, limits and arguments, apart from its `shared_params`.

    A seed that is derived from the name of a method is an argument that differs.
    """
    groups: dict[str, list[str]] = {}
    for method in methods:
        spec = project.method(method)
        target = registry.find(spec.estimator).target
        chosen = project.arguments(study, dataset, method)
        shared = _shared_params(project, study, dataset, method)
        fixed = sorted((name, value) for name, value in chosen.items() if name not in shared)
        seed = method_seed(study, dataset, scenario, method, 0) if "$seed" in chosen.values() else None
        settings = (project.encoding(study, method), project.seconds(study, method), seed)
        key = repr((target, fixed, sorted(shared), settings)) if shared else method
        groups.setdefault(key, []).append(method)
    return list(groups.values())


def resource_groups(project: Project, study: Study) -> dict[str, list[str]]:
    """The methods that one job fits, by the name of its index file: those that reserve the same memory and GPU."""
    groups: dict[str, list[str]] = {}
    for method in study.fitted_methods:
        memory, gpu = resources(project, method)
        parts = ["cells", *([f"{memory:g}mb"] if memory else []), *(["gpu"] if gpu else [])]
        groups.setdefault("-".join(parts), []).append(method)
    return groups


def resources(project: Project, method: str) -> tuple[float, int]:
    """Memory in MB that a fit of the method reserves (0: not stated), and GPUs."""
    stated = project.method(method).resources
    return stated.memory_mb or 0, stated.gpu


def builder(project: Project, study: Study, dataset: str, scenario: str, method: str) -> Callable[[Any], Any]:
    """A function that builds the unfitted estimator for a repeat's labels.

    An exception in it (an import that fails, an argument that is refused) is a failure of the method, and a row.
    """
    entry = registry.find(project.method(method).estimator)
    return lambda labels: entry.load()(**arguments(project, study, dataset, scenario, method, labels))


@dataclass(frozen=True)
class Repeat:
    """What placeholders in a method's arguments are filled from, see `scarce.config.placeholders`."""

    labels: Any
    seed: int
    dataset: str
    encoding: str

    @property
    def categorical(self) -> list[int]:
        return nominal(self.dataset)[0] if self.encoding == "none" else []

    @property
    def levels(self) -> list[int]:
        return nominal(self.dataset)[1] if self.encoding == "none" else []

    @property
    def shape(self) -> tuple[int, ...]:
        return nominal(self.dataset)[2]


def arguments(project: Project, study: Study, dataset: str, scenario: str, method: str, labels: Any) -> dict[str, Any]:
    """Arguments of the estimator for a repeat's labels."""
    seed = method_seed(study, dataset, scenario, method, labels.repeat)
    repeat = Repeat(labels, seed, dataset, project.encoding(study, method))
    return fill(project.arguments(study, dataset, method), repeat)


def method_seed(study: Study, dataset: str, scenario: str, method: str, repeat: int) -> int:
    """The seed of a method in one run; scenarios that differ in the prior's factor alone are paired by sharing it."""
    run = {"dataset": dataset, "scenario": study.scenario(scenario).plain, "method": method, "repeat": repeat}
    return seeds.of_method(study.options.seeds, study.seed, **run)
