"""A field that names a record of a registry, and settings that the record's own model checks.

A record has a name and a model of its settings: a judge and its arguments, a labeling, a protocol. The model's errors
keep their places inside the settings, so that a message points to the line of the faulty value. Both functions are
called in validators.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails

from scarce.config.advice import fault, in_words
from scarce.words import did_you_mean

Record = TypeVar("Record")
Settings = TypeVar("Settings", bound=BaseModel)


def pick(kind: str, name: Any, records: Mapping[str, Record], *at: str) -> Record:
    """The record of that name; raises a pydantic error with a suggestion where there is none.

    `at` is the place of the name inside the field, where it is not the field itself.
    """
    if not isinstance(name, str) or name not in records:
        error = fault("unknown_name", f"no {kind} is named {name!r}", did_you_mean(str(name), records))
        details = InitErrorDetails(type=error, loc=at, input=name)
        raise ValidationError.from_exception_data(kind, [details])
    return records[name]


def settings(model: type[Settings], value: Any, *at: str, context: Any = None) -> Settings:
    """Settings of a record, checked by its model; `at` is their place inside the field."""
    if isinstance(value, model):
        return value
    try:
        return model.model_validate(value, context=context)
    except ValidationError as error:
        placed = [detail | {"loc": (*at, *detail["loc"])} for detail in error.errors(include_url=False)]
        details = [in_words(detail, model) for detail in placed]
        raise ValidationError.from_exception_data(model.__name__, details) from None
