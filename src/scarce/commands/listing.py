"""`scarce list`: what there is of a kind, with what one needs to know to choose."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Generic, Literal, TypeVar

from pydantic import Field

from scarce import registry
from scarce.commands.answers import Answer, Keys
from scarce.commands.terminal import grid
from scarce.config.options import Options
from scarce.config.project import Project
from scarce.data.availability import at_hand, unavailable, unusable


class DatasetItem(Keys):
    name: str = Field(description="name in a study")
    code: str = Field(description="short name of the paper")
    rows: int | None = Field(description="rows of the prepared table, where they are known beforehand")
    features: int | None = Field(description="features, likewise")
    positives: int | None = Field(description="positive rows, likewise")
    available: Literal["here", "download", "no"] = Field(description="at hand, to be downloaded, or not to be had")
    reason: str = Field(description="why it could not be had or used when last tried, or empty")
    sources: list[str] = Field(description="kinds of sources, in the order in which they are tried")
    licence: str = Field(description="licence of the data")
    title: str = Field(description="title")

    def row(self) -> tuple:
        share = f"{100 * self.positives / self.rows:.2f} %" if self.positives and self.rows else ""
        available = f"{self.available} (scarce doctor)" if self.reason else self.available
        kinds = "/".join(self.sources)
        return self.name, self.code, self.rows, self.features, share, available, kinds, self.licence, self.title


class MethodItem(Keys):
    name: str = Field(description="name in a study")
    label: str = Field(description="name in reports")
    family: str = Field(description="group of methods in reports")
    assumption: str = Field(description="what it assumes of the labels")
    scheme: str = Field(description="sample scheme that it is for")
    estimator: str = Field(description="module:Class, or empty for published numbers only")
    source: str = Field(description="where it comes from")

    def row(self) -> tuple:
        return self.name, self.label, self.family, self.assumption, self.scheme, self.estimator, self.source


class StudyItem(Keys):
    name: str = Field(description="name of the study")
    file: str = Field(description="its file")
    datasets: list[str] = Field(description="names of its data sets")
    scenarios: list[str] = Field(description="names of its scenarios")
    methods: list[str] = Field(description="names of its methods")
    repeats: int = Field(description="number of repeats")
    preset: str = Field(description="where its options start")
    title: str = Field(description="title")

    def row(self) -> tuple:
        counts = (len(self.datasets), len(self.scenarios), len(self.methods), self.repeats)
        return self.name, *counts, self.preset, self.title


class MetricItem(Keys):
    name: str = Field(description="name in a study")
    label: str = Field(description="name in reports")
    better: Literal["max", "min"] | None = Field(description="whether the largest or the smallest value is best")
    uses_hidden_labels: bool = Field(description="whether it needs labels that a user of PU data does not have")
    assumes: list[str] = Field(description="what it assumes of the labels")
    description: str = Field(description="what it measures")

    def row(self) -> tuple:
        hidden = "uses hidden labels" if self.uses_hidden_labels else ""
        return self.name, self.label, self.better, hidden, ", ".join(self.assumes), self.description


class OptionItem(Keys):
    name: str = Field(description="name in a study")
    presets: dict[str, Any] = Field(description="its value in each preset")
    description: str = Field(description="what it decides")

    def row(self) -> tuple:
        return self.name, *self.presets.values(), self.description


class JudgeItem(Keys):
    name: str = Field(description="name in a claim")
    arguments: list[str] = Field(description="names of its arguments")
    question: str = Field(description="what it decides")

    def row(self) -> tuple:
        return self.name, ", ".join(self.arguments), self.question


Item = TypeVar("Item", DatasetItem, MethodItem, StudyItem, MetricItem, OptionItem, JudgeItem)


class Listing(Answer, Generic[Item]):
    """What there is of a kind."""

    items: list[Item] = Field(description="one object for each")

    def text(self) -> str:
        return grid([item.row() for item in self.items], self.header())

    def header(self) -> Sequence[str]:
        kind = type(self.items[0])
        return ("option", *self.items[0].presets, "what it decides") if kind is OptionItem else HEADERS[kind]


HEADERS: dict[type[Keys], Sequence[str]] = {
    DatasetItem: ("name", "code", "n", "d", "positive", "available", "sources", "licence", "title"),
    MethodItem: ("name", "label", "family", "assumption", "scheme", "estimator", "source"),
    StudyItem: ("name", "data sets", "scenarios", "methods", "repeats", "preset", "title"),
    MetricItem: ("name", "label", "better", "", "assumes", "description"),
    JudgeItem: ("name", "arguments", "question"),
}


def warn(project: Project) -> None:
    """Warn of what is described wrongly and therefore left out."""
    for line in project.fault_lines():
        print(f"scarce: warning: left out: {line}", file=sys.stderr)


def listing(project: Project, what: str) -> Listing:
    """What there is of a kind, which is a key of `LISTS`."""
    warn(project)
    made = {
        "datasets": _datasets,
        "methods": _methods,
        "studies": _studies,
        "metrics": _metrics,
        "options": _options,
        "judges": _judges,
    }
    return LISTS[what](items=list(made[what](project)))


def _datasets(project: Project) -> Iterator[DatasetItem]:
    for name, spec in project.datasets.items():
        known = spec.expected
        kinds = list(dict.fromkeys(source.kind for source in spec.sources))
        available, reason = _availability(project, name, kinds)
        yield DatasetItem(
            name=name,
            code=spec.code,
            rows=known and known.n,
            features=known and known.d,
            positives=known and known.positives,
            available=available,
            reason=reason,
            sources=kinds,
            licence=spec.licence,
            title=spec.title,
        )


def _availability(project: Project, name: str, kinds: list[str]) -> tuple[str, str]:
    """Whether a data set is here, can be had, or cannot, and why it could not be had or used; asks no network."""
    if wrong := unusable(name):
        return "no", wrong
    if at_hand(project.dataset(name), project.mirror):
        return "here", ""
    if why := unavailable(name):
        return "no", why
    return ("download" if {"url", "wheel", "openml"} & set(kinds) else "no"), ""


def _methods(project: Project) -> Iterator[MethodItem]:
    for name, spec in project.methods.items():
        entry = registry.find(spec.estimator or "") or registry.Method("", "", "", "published numbers only")
        about = {"assumption": entry.assumption, "estimator": entry.target, "source": entry.source}
        yield MethodItem(name=name, label=spec.label, family=spec.family, scheme=spec.scheme or "", **about)


def _studies(project: Project) -> Iterator[StudyItem]:
    for name, study in project.studies.items():
        yield StudyItem(
            name=name,
            file=project.sources[name],
            scenarios=[scenario.name for scenario in study.scenarios],
            **study.model_dump(include={"datasets", "methods", "repeats", "preset", "title"}),
        )


def _metrics(project: Project) -> Iterator[MetricItem]:
    from scarce.scoring.observed_metrics import ALL_METRICS

    for one in ALL_METRICS.values():
        about = {"uses_hidden_labels": one.hidden_labels, "assumes": list(one.assumes), "description": one.description}
        yield MetricItem(name=one.name, label=one.label, better=one.direction, **about)


def _options(project: Project) -> Iterator[OptionItem]:
    presets = {name: Options.model_validate(preset.options) for name, preset in project.presets.items()}
    for name, field in Options.model_fields.items():
        values = {preset: getattr(options, name) for preset, options in presets.items()}
        yield OptionItem(name=name, presets=values, description=field.description)


def _judges(project: Project) -> Iterator[JudgeItem]:
    from scarce.analysis.judges import JUDGES

    for one in JUDGES.values():
        yield JudgeItem(name=one.name, arguments=list(one.arguments.model_fields), question=one.question)


#: What can be listed -> the answer.
LISTS: dict[str, type[Listing]] = {
    "datasets": Listing[DatasetItem],
    "methods": Listing[MethodItem],
    "studies": Listing[StudyItem],
    "metrics": Listing[MetricItem],
    "options": Listing[OptionItem],
    "judges": Listing[JudgeItem],
}
