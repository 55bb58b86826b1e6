"""`scarce check`: what is wrong with studies, what they come to, and how long they will take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from scarce.commands.answers import Answer, Keys
from scarce.commands.estimate import Estimate, estimated
from scarce.commands.listing import warn
from scarce.commands.processes import available_cores
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import about_classes, missing, repeated, same_table
from scarce.errors import ConfigError
from scarce.words import number

#: Scenarios of a study that the text lists.
MOST = 8


class Fault(Keys):
    message: str = Field(description="the problem")
    where: str | None = Field(description="file, line and key")
    hint: str | None = Field(description="what to do about it")


class ScenarioKeys(Keys):
    name: str = Field(description="name of the scenario, and of its folder")
    label: str = Field(description="name in reports")


class CheckedStudy(Keys):
    """What a study comes to."""

    name: str = Field(description="name of the study")
    file: str = Field(description="its file")
    datasets: list[str] = Field(description="names of its data sets")
    scenarios: list[ScenarioKeys] = Field(description="its scenarios")
    methods: list[str] = Field(description="names of the methods that are fitted")
    repeats: int = Field(description="number of repeats")
    pairs: int = Field(description="combinations of a data set and a scenario that there are")
    runs: int = Field(description="runs in all: pairs x methods x repeats")
    notes: list[str] = Field(description="what is valid and may still be a slip, or does not hold for a method")
    hidden_labels: dict[str, str] = Field(description="what uses hidden labels -> how")
    without: dict[str, str] = Field(description="data sets that could not be had or used when last tried -> why")
    about_datasets: dict[str, list[str]] = Field(description="data set -> its classes and warnings, as far as known")
    warnings: list[str] = Field(description="data sets that hold one table")
    estimate: Estimate | None = Field(description="time and disk, with --estimate")

    def lines(self, described: set[str]) -> list[str]:
        """The study in words; a data set of `described` is described already."""
        all_pairs = len(self.datasets) * len(self.scenarios)
        some = "" if self.pairs == all_pairs else f", {self.pairs} of {all_pairs} combinations,"
        more = len(self.scenarios) - MOST
        new = {name: about for name, about in self.about_datasets.items() if name not in described}
        return [
            f"{self.file}: fine: {number(len(self.datasets), 'data set')} x "
            f"{number(len(self.scenarios), 'scenario')}{some} x {number(len(self.methods), 'method')} "
            f"x {number(self.repeats, 'repeat')} = {number(self.runs, 'run')}",
            *(f"  scenario {one.name}: {one.label}" for one in self.scenarios[:MOST]),
            *([f"  and {number(more, 'scenario')} more: scarce check {self.name} --json"] if more > 0 else []),
            *(f"  note: {note}" for note in self.notes),
            *(f"  uses hidden labels: {what} {use}" for what, use in self.hidden_labels.items()),
            *(f"  without {dataset}: {why}" for dataset, why in self.without.items()),
            *(f"  {name}: {line}" for name, about in new.items() for line in about),
            *(f"  warning: {text}" for text in self.warnings),
            *(f"  {line}" for line in (self.estimate.lines() if self.estimate else ())),
        ]


class Check(Answer):
    """What is wrong with studies, and what those that are right come to."""

    ok: bool = Field(description="whether nothing is wrong")
    faults: list[Fault] = Field(description="all that is wrong")
    studies: list[CheckedStudy] = Field(description="the checked studies; empty where something is wrong")

    @property
    def exit_code(self) -> int:
        return 0 if self.ok else ConfigError.exit_code

    def text(self) -> str:
        """The studies in words.

        Raises
        ------
        ConfigError
            With all that is wrong.
        """
        if self.faults:
            raise ConfigError.collect(ConfigError(f.message, where=f.where, hint=f.hint) for f in self.faults)
        lines: list[str] = []
        described: set[str] = set()
        for study in self.studies:
            lines += study.lines(described)
            described |= {*study.datasets}
        return "\n".join(lines)


def check(project: Project, files: Sequence[Path] = (), *, estimate: bool = False, cores: int | None = None) -> Check:
    """What the checked studies come to; those of `files`, by default all.

    It has all that is wrong with these studies and with what they name; without `files`, anything at all. A file that
    is absent, of a data set that no study names, is a warning. With `estimate`, also the time on so many `cores`.
    """
    named = {dataset for study in project.studies.values() for dataset in study.datasets}
    checked = {file.stem for file in files}
    errors = [
        error
        for (kind, name), error in project.faults.items()
        if (name in named if kind == "own file" else not files or (kind == "study" and name in checked))
    ]
    if errors:
        problems = {str(problem): problem for error in errors for problem in error.problems}.values()
        faults = [Fault(message=one.message, where=one.where, hint=one.hint) for one in problems]
        return Check(ok=False, faults=faults, studies=[])
    warn(project)
    timed = (cores or available_cores()) if estimate else None
    studies = [_checked(project, study, timed) for study in project.studies.values()]
    return Check(ok=True, faults=[], studies=studies)


def _checked(project: Project, study: Study, cores: int | None) -> CheckedStudy:
    return CheckedStudy(
        name=study.name,
        file=project.sources[study.name],
        datasets=study.datasets,
        scenarios=[ScenarioKeys(name=one.name, label=one.label) for one in study.scenarios],
        methods=study.fitted_methods,
        repeats=study.repeats,
        pairs=len(study.pairs),
        runs=study.runs,
        notes=[*study.notes, *project.mismatches(study)],
        hidden_labels=project.hidden_labels(study),
        without={dataset: why for dataset in study.datasets if (why := missing(dataset))},
        about_datasets={dataset: about_classes(project.dataset(dataset)) for dataset in study.datasets},
        warnings=same_table(repeated(study.datasets)),
        estimate=estimated(project, study, cores) if cores else None,
    )
