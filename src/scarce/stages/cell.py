"""One (data set, scenario, method) ready to be fitted: its features, labels, and what builds the estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scarce import registry, seeds
from scarce.config.placeholders import fill
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.stages.inputs import digest_of_inputs, labels_of, load_features, nominal


def load_cell(project: Project, study: Study, dataset: str, scenario: str, method: str) -> tuple[Any, str]:
    """A cell ready to run, and the digest of what it was read from."""
    from scarce.fitting.cell import Cell

    study.check_cell(dataset, scenario, method)
    labels = labels_of(study, dataset, scenario)
    encoding = project.encoding(study, method)
    X, encoder = load_features(study, dataset, encoding)
    build = builder(project, study, dataset, scenario, method)
    foreign = not registry.find(project.method(method).estimator).own
    if foreign:  # what nearly all of them import takes a second: once here, not in the process of each repeat
        import sklearn.base  # noqa: F401
    return Cell(build, X, labels, encoder, foreign), digest_of_inputs(study, dataset, scenario, encoding)


def builder(project: Project, study: Study, dataset: str, scenario: str, method: str) -> Callable[[Any], Any]:
    """A function that builds the unfitted estimator for a repeat's labels.

    What goes wrong in it (an import that fails, an argument that is refused) is the method's failure, and a row.
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
