"""A field that names a record of a registry, and settings that the record's own model checks.

A record has a name and a model of its settings, such as a judge and its arguments. The model's errors keep their places
inside the settings, so that a message points to the line of the faulty value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationInfo

from scarce.config.advice import did_you_mean, fault


def pick(kind: str, name: Any, records: Mapping[str, Any]) -> Any:
    """The record of that name; raises a pydantic error with a suggestion where there is none."""
    if name not in records:
        raise fault("unknown_name", f"no {kind} is named {name!r}", did_you_mean(name, records))
    return records[name]


def settings(model: type[BaseModel], value: Any, info: ValidationInfo) -> BaseModel:
    """Settings of a record, checked by its model in the validation context of the field around them.

    Called in a validator; pydantic puts the place of the field before the places of the model's errors.
    """
    return value if isinstance(value, model) else model.model_validate(value, context=info.context)
