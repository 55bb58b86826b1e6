"""One cell of a study, i.e. (data set, scenario, method): its files, its identity, and its estimator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from scarce import libraries, paths, registry, seeds
from scarce.config.placeholders import fill
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import IncompleteError
from scarce.fitting.machine import kernels
from scarce.source_code import class_constant
from scarce.stages import unpacked
from scarce.stages.inputs import digest_of_inputs, labels_of, load_features, nominal, true_labels


@dataclass(frozen=True)
class StudyCell:
    """A cell of a study, by the names of its parts."""

    project: Project
    study: Study
    dataset: str
    scenario: str
    method: str

    def __str__(self) -> str:
        return f"{self.dataset} {self.scenario} {self.method}"

    @property
    def names(self) -> tuple[str, str, str, str]:
        return self.study.name, self.dataset, self.scenario, self.method

    @property
    def file(self) -> Path:
        return paths.fit(*self.names)

    @property
    def encoding(self) -> str:
        return self.project.encoding(self.study, self.method)

    @property
    def estimator(self) -> Any:
        """The registered entry of the method's estimator."""
        return registry.find(self.project.method(self.method).estimator)

    @cached_property
    def identity(self) -> tuple[str, str]:
        """Digests of arguments and code, and of labels and features; the fit file of the cell records both.

        Of a cell from a pack, those that its file records.
        """
        if packed := unpacked.identity(self.study.name, self.dataset, self.method):
            return packed
        fingerprint = self.project.fingerprint(self.study, self.dataset, self.method)
        return fingerprint, digest_of_inputs(self.study, self.dataset, self.scenario, self.encoding)

    def check_current(self, file: Path, fingerprint: str, inputs: str | None = None) -> None:
        """Raise IncompleteError where a file records other digests than those of the cell as it is now.

        Snakemake would make such a file again by itself, unless its records (``.snakemake``) are lost.
        """
        known = self.identity
        if inputs not in (None, known[1]):
            how = "from other labels or features"
        elif fingerprint != known[0]:
            how = "with other arguments or other code"
        else:
            return
        again = f"snakemake --cores 2 {self.study.name}"
        hint = f"{again}; should that not make it again: {again} --forceall"
        raise IncompleteError(f"{file} was made {how}", hint=hint)

    @cached_property
    def versions(self) -> dict[str, str]:
        """Versions of libraries and kernels of this CPU that a fit of the cell may depend on; its file records them."""
        return libraries.versions(self.project.libraries(self.study, self.method)) | kernels()

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of the estimator, with placeholders unfilled."""
        return self.project.arguments(self.study, self.dataset, self.method)

    def filled_arguments(self, labels: Any) -> dict[str, Any]:
        """Arguments of the estimator for a repeat's labels."""
        return fill(self.arguments, Repeat(labels, self.seed(labels.repeat), self.dataset, self.encoding))

    def seen(self, labels: Any) -> Any:
        """The labels of the data set under the scenario as the method sees them: an oracle, with the true ones."""
        spec = self.project.method(self.method)
        if spec.hidden_labels:
            return labels.with_true_labels(true_labels(self.study, self.dataset))
        return labels.with_propensities_only() if spec.propensity else labels

    def seed(self, repeat: int) -> int:
        return method_seed(self.study, self.dataset, self.scenario, self.method, repeat)

    @property
    def shared_params(self) -> dict[str, Any]:
        """Names and values of the arguments that only affect predictions: ``shared_params`` of the estimator class.

        A placeholder is not one of them: its value differs by repeat.
        """
        names = class_constant(self.estimator.target, "shared_params") or ()
        arguments = {name: value for name, value in self.arguments.items() if name in names}
        return {name: value for name, value in arguments.items() if not str(value).startswith("$")}

    def load(self, labels: Any = None, features: tuple | None = None) -> Any:
        """The cell as it is fitted; `labels` and `features` are read from files where they are not passed.

        An exception while the estimator is built (an import that fails, an argument that is refused) is a failure of
        the method, and a row.
        """
        from scarce.fitting.cell import Cell

        labels = self.seen(labels_of(self.study, self.dataset, self.scenario) if labels is None else labels)
        X, encoder = features or load_features(self.study, self.dataset, self.encoding)
        entry = self.estimator
        return Cell(
            build=lambda one: entry.load()(**self.filled_arguments(one)),
            features=X,
            labels=labels,
            encoder=encoder,
            foreign=not entry.own,
            shared_params=self.shared_params,
            propensity=self.project.method(self.method).propensity,
        )


def all_cells(project: Project, study: Study) -> list[StudyCell]:
    """Every cell of a study."""
    pairs, methods = study.pairs, study.fitted_methods
    return [StudyCell(project, study, *pair, method) for pair in pairs for method in methods]


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


def method_seed(study: Study, dataset: str, scenario: str, method: str, repeat: int) -> int:
    """The seed of a method in one run; scenarios that differ in the prior's factor alone are paired by sharing it."""
    run = {"dataset": dataset, "scenario": study.scenario(scenario).plain, "method": method, "repeat": repeat}
    return seeds.of_method(study.options.seeds, study.seed, **run)


def sharing(cells: Iterable[StudyCell]) -> list[list[StudyCell]]:
    """Group cells that can share each fit: only the `shared_params` of their arguments differ.

    A seed that is derived from the name of a method is an argument that differs.
    """
    groups: dict[Any, list[StudyCell]] = {}
    for cell in cells:
        arguments, shared = cell.arguments, cell.shared_params
        fixed = sorted((name, value) for name, value in arguments.items() if name not in shared)
        seed = cell.seed(0) if "$seed" in arguments.values() else None
        spec = cell.project.method(cell.method)
        told = (spec.hidden_labels, spec.propensity)
        settings = (cell.scenario, cell.encoding, told, cell.project.seconds(cell.study, cell.method), seed)
        key = repr((cell.estimator.target, fixed, sorted(shared), settings)) if shared else cell.names
        groups.setdefault(key, []).append(cell)
    return list(groups.values())


def resource_groups(project: Project, study: Study) -> dict[str, list[str]]:
    """The methods that one job fits, by the name of its index file: those that reserve the same memory and GPU."""
    groups: dict[str, list[str]] = {}
    for method in study.fitted_methods:
        stated = project.method(method).resources
        memory, gpu = stated.memory_mb, stated.gpu
        parts = ["cells", *([f"{memory:g}mb"] if memory else []), *(["gpu"] if gpu else [])]
        groups.setdefault("-".join(parts), []).append(method)
    return groups
