"""Models of named blocks, and what is wrong with the files that blocks of data sets describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from scarce.config.yamlfile import YamlFile, not_a_block, validate
from scarce.errors import ConfigError

if TYPE_CHECKING:
    from scarce.config.datasets import DatasetSpec

Made = TypeVar("Made")


def named(model: type[Made], file: YamlFile, name: str, context: Mapping[str, Any]) -> Made:
    """The model of a block whose key is its name."""
    value = file.value[name]
    if not isinstance(value, dict):
        raise not_a_block(file, value, (name,))
    problems = []
    if "name" in value:
        problems.append(file.error((name, "name"), "unknown key", "the key of the block is its name"))
    try:
        made = validate(model, file, value | {"name": name}, (name,), context)
    except ConfigError as error:
        problems += error.problems
    if problems:
        raise ConfigError.collect(problems)
    return made


def data_problems(
    name: str, file: YamlFile, spec: DatasetSpec | None, wrong: set[Any]
) -> tuple[list[ConfigError], list[ConfigError]]:
    """What is wrong with the data that a block describes, and the files that are absent.

    `spec` is the block's model; where it is None, `wrong` has the keys of the block whose form is wrong.
    """
    from scarce.config.datasets import DatasetSpec
    from scarce.data.availability import ABSENT, own_problems

    try:
        spec = spec or DatasetSpec.model_validate(
            {key: part for key, part in file.value[name].items() if key not in wrong} | {"name": name}
        )
    except (ValidationError, AttributeError):
        return [], []
    problems: tuple[list[ConfigError], list[ConfigError]] = ([], [])
    for at, message, hint in (
        own_problems(spec) if not wrong & {"sources", "read", "target", "positive", "steps"} else ()
    ):
        problems[at == ABSENT].append(file.error((name, *at), message, hint))
    return problems
