"""Blocks of methods and presets, and the check of a method's arguments against its source."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import InitErrorDetails

from scarce import registry, source_code
from scarce.config import choice
from scarce.config.advice import fault
from scarce.config.block import Block, across, known
from scarce.config.names import Name
from scarce.config.options import Options
from scarce.config.placeholders import PLACEHOLDERS
from scarce.config.yamlfile import doubtful
from scarce.estimators.schemes import SCHEMES, WORDS, Scheme
from scarce.words import did_you_mean

A_YEAR = 366 * 24 * 3600

Seconds = Annotated[float, Field(gt=0, le=A_YEAR)]
Arguments = dict[str, Any]
BY_DATASET = "by_dataset"


class Resources(Block):
    """What one repeat of a method needs."""

    memory_mb: Annotated[int, Field(gt=0)] | None = Field(None, description="memory that the workflow reserves, in MiB")
    seconds: Seconds | None = Field(None, description="a repeat that takes longer is a timeout")
    gpu: Annotated[int, Field(ge=0)] = Field(0, description="GPUs that the workflow reserves")


class MethodSpec(Block):
    """One block of methods.yaml: a method as a study runs it."""

    name: Name
    label: str = Field(description="as tables and figures print it")
    family: str = Field(description="groups methods in figures")
    builds_on: Annotated[Name, known("method")] | None = Field(
        None, description="the method that this one adds something to"
    )
    source: Literal["fitted", "published"] = Field(
        "fitted", description="published: never fitted, appears with the numbers of its paper only"
    )
    estimator: str | None = Field(None, description="key of the registry, or module:Class")
    params: Arguments = Field({}, description="arguments of the estimator; values that start with $ are filled in")
    by_dataset: dict[Annotated[str, known("data set")], Arguments] = Field(
        {}, description="data set: arguments in place of params"
    )
    grid: dict[str, Annotated[list[Any], Field(min_length=1)]] = Field(
        {}, description="argument: values, each of which makes a variant named <method>-<argument>-<value>"
    )
    variant_of: Name | None = Field(None, description="set by `grid`: the block that the variant comes from")
    encoding: Literal["woe_train_observed", "onehot", "none"] | None = Field(
        None, description="of nominal columns, where the method needs another one than the study's"
    )
    comparison: Literal[">", ">="] = Field(">", description="how a score is compared with 0.5, the prior and the grid")
    scheme: Scheme | Literal["both", "none"] | None = Field(
        None, description="sample scheme that it assumes; none: it is no PU method; by default not stated"
    )
    hidden_labels: bool = Field(
        False, description="an oracle: fitted on the true labels of the training rows; reports say so"
    )
    propensity: bool = Field(
        False,
        description="fit gets the true propensity of each training row, which a user lacks; reports say so",
    )
    resources: Resources = Resources()
    version: Annotated[int, Field(ge=1)] = Field(1, description="raise it to have every fit of the method run again")

    @across("source", "estimator")
    def _fitted_by_an_estimator(self) -> None:
        if (self.estimator is None) == (self.source == "fitted"):
            raise ValueError(f"a {self.source} method {'needs an' if self.source == 'fitted' else 'has no'} estimator")

    @across("hidden_labels", "propensity")
    def _one_kind_of_oracle(self) -> None:
        if self.hidden_labels and self.propensity:
            raise ValueError("a method that is fitted on true labels has no propensities")

    @field_validator("estimator")
    @classmethod
    def _found(cls, estimator: str | None, info: ValidationInfo) -> str | None:
        if estimator and (info.context or {}).get("estimators") is not None:
            _check_estimator(estimator, registered=info.context["registered"])
        return estimator

    @field_validator("params")
    @classmethod
    def _accepted(cls, params: Arguments, info: ValidationInfo) -> Arguments:
        return checked_arguments({info.data.get("name"): params}, info, depth=0)[info.data.get("name")]

    @field_validator("by_dataset")
    @classmethod
    def _accepted_by_dataset(cls, by_dataset: dict[str, Arguments], info: ValidationInfo) -> dict[str, Arguments]:
        for dataset, arguments in by_dataset.items():
            checked_arguments({info.data.get("name"): arguments}, info, depth=0, at=(dataset,))
        return by_dataset

    @field_validator("grid")
    @classmethod
    def _accepted_values(cls, grid: dict[str, list[Any]], info: ValidationInfo) -> dict[str, list[Any]]:
        for key, values in grid.items():
            for value in values:
                checked_arguments({info.data.get("name"): {key: value}}, info, depth=0)
        return grid

    def mismatch(self, scheme: Scheme) -> str:
        """What to say where labels are of a sample scheme that the method does not assume, or ""."""
        if self.scheme not in SCHEMES or self.scheme == scheme:
            return ""
        return f"made for {WORDS[self.scheme]}, and the labels are of {WORDS[scheme]}"

    def variants(self) -> list[MethodSpec]:
        """The methods that the block stands for: itself, or one for each combination of the grid."""
        if not self.grid:
            return [self]
        made = []
        for values in itertools.product(*self.grid.values()):
            chosen = dict(zip(self.grid, values, strict=True))
            words = [(key, f"{value:g}" if isinstance(value, float) else str(value)) for key, value in chosen.items()]
            name = "-".join([self.name, *(f"{_plain(key)}-{_plain(word)}" for key, word in words)])
            label = f"{self.label} ({', '.join(f'{key} {word}' for key, word in words)})"
            grid = {key: [value] for key, value in chosen.items()}
            made.append(self.model_copy(update={"name": name, "label": label, "grid": grid, "variant_of": self.name}))
        return made


def _plain(word: str) -> str:
    return re.sub(r"[^a-z0-9_.-]+", "_", word.lower())


def _check_estimator(estimator: str, *, registered: bool) -> None:
    """Raise a pydantic error where an estimator cannot be there; `registered`: all plugins have registered theirs."""
    entry = registry.find(estimator)
    if entry is None:
        hint = did_you_mean(estimator, registry.METHODS) or "a key of the registry, or module:Class"
        if registered:
            raise fault("unknown_name", f"no method is registered as {estimator!r}", hint)
    elif missing := source_code.missing_module(entry.target):
        raise fault("no_module", f"there is no module {missing!r}", "put its file here or install it")
    elif why := source_code.unreadable(entry.target):
        raise fault("no_module", why, "correct that file")
    elif (names := source_code.lacking(entry.target)) is not None:
        module, _, name = entry.target.partition(":")
        raise fault("unknown_name", f"module {module} has no {name!r}", did_you_mean(name, names))
    elif kind := source_code.no_class(entry.target):
        raise fault("no_class", f"{entry.target} is {kind}", "module:Class of a scikit-learn style classifier")


def checked_arguments(
    methods: Mapping[str, Arguments], info: ValidationInfo, *, depth: int = 1, at: tuple = ()
) -> Mapping[str, Arguments]:
    """Arguments by method, held against the estimators' signatures; raises a ValidationError with all that is wrong.

    Checked only where the validation context has ``estimators``, a mapping from methods to estimators.
    """
    estimators = (info.context or {}).get("estimators")
    if estimators is None:
        return methods
    varied = info.context.get("varied", {})
    problems = [
        InitErrorDetails(type=error, loc=(*at, *((method,) if depth else ()), key), input=value)
        for method, arguments in methods.items()
        for key, value, error in _wrong(estimators.get(method), arguments, varied.get(method, ()))
    ]
    if problems:
        raise ValidationError.from_exception_data("arguments", problems)
    return methods


def _wrong(estimator: Any, arguments: Arguments, varied: Iterable[str] = ()) -> Iterable[tuple[str, Any, Any]]:
    entry = registry.find(estimator) if isinstance(estimator, str) else None
    names = source_code.parameters(entry.target) if entry else None
    for key, value in arguments.items():
        kind, message, hint = "value_error", None, None
        if names is not None and key not in names:
            kind = "unknown_name"
            message, hint = f"{entry.target} takes no argument {key!r}", did_you_mean(key, names)
        elif key in varied:
            message, hint = "the grid of the method's block gives its values", "change them there, or leave it out"
        elif why := doubtful(value):
            message = why
        elif isinstance(value, str) and value.startswith("$"):
            if value not in PLACEHOLDERS:
                kind = "unknown_name"
                message, hint = f"unknown placeholder {value}", did_you_mean(value, PLACEHOLDERS)
        elif inner := _placeholder_inside(value):
            message = f"{inner} is filled in only as an argument, not inside one"
        elif names and isinstance(names[key], int) and isinstance(value, str | list | dict):
            got = "a block" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)
            message, hint = f"must be a number, got {got}", f"by default {names[key]}"
        if key == "class_prior" and isinstance(value, int | float) and not 0 < value < 1:
            message = f"must lie between 0 and 1, got {value}"
        if message:
            yield key, value, fault(kind, message, hint)


def _placeholder_inside(value: Any) -> str | None:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        name = one if isinstance(one, str) and one in PLACEHOLDERS else _placeholder_inside(one)
        if name:
            return name
    return None


def layers(settings: Mapping[str, Any], dataset: str) -> list[Arguments]:
    """The arguments that a method's settings in a study give on a data set: the plain ones, then its ``by_dataset``."""
    plain = {key: value for key, value in settings.items() if key != BY_DATASET}
    return [plain, settings.get(BY_DATASET, {}).get(dataset, {})]


class ByDataset(Block):
    """Arguments by data set inside the settings of a method."""

    by_dataset: dict[Annotated[str, known("data set")], Arguments] = Field({})


def checked_settings(methods: Mapping[str, Mapping[str, Any]], info: ValidationInfo) -> Mapping[str, Any]:
    """Settings by method as `checked_arguments` checks arguments, and those in their ``by_dataset`` likewise."""
    checked_arguments({name: layers(settings, "")[0] for name, settings in methods.items()}, info)
    for name, settings in methods.items():
        if BY_DATASET in settings:
            block = choice.settings(ByDataset, {BY_DATASET: settings[BY_DATASET]}, name, context=info.context)
            for dataset, arguments in block.by_dataset.items():
                checked_arguments({name: arguments}, info, depth=0, at=(name, BY_DATASET, dataset))
    return methods


class Preset(Block):
    """Options, and arguments of methods, that a study starts from."""

    description: str = ""
    options: dict[str, Any] = Field({}, description="options that differ from those of `sound`")
    methods: dict[Annotated[str, known("method")], Arguments] = Field(
        {}, description="method: arguments in place of those in its block; those of some data sets under by_dataset"
    )

    @field_validator("options")
    @classmethod
    def _legal(cls, options: dict[str, Any]) -> dict[str, Any]:
        Options.model_validate(options)
        return options

    @field_validator("methods")
    @classmethod
    def _accepted(cls, methods: dict[str, Arguments], info: ValidationInfo) -> Mapping[str, Arguments]:
        return checked_settings(methods, info)


SOUND = Preset(description="thresholds, encodings and class priors without the labels of test rows")


class PaperFile(Block):
    """``paper.yaml`` of a paper's folder."""

    title: str = ""
    citation: str = ""
    presets: dict[Name, Preset] = Field({})
