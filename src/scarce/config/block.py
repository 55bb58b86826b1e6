"""The base class of every YAML block, and helpers for its checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from scarce.config.advice import fault, in_words, together
from scarce.words import closest, did_you_mean


def once(names: list) -> list:
    """The names themselves; raises ValueError where one stands there twice."""
    if twice := sorted(name for name, times in Counter(names).items() if times > 1):
        raise ValueError(f"names {', '.join(map(str, twice))} twice")
    return names


Once = AfterValidator(once)
Share = Annotated[float, Field(gt=0, lt=1)]


def known(kind: str, *others: str) -> AfterValidator:
    """A check that a text is a name of a kind, such as ``known("data set")``, or one of `others`.

    The names of each kind come with pydantic's validation context, a mapping of kinds to names. A kind that is not in
    it is not checked.
    """

    def check(name: str, info: ValidationInfo) -> str:
        names = (info.context or {}).get(kind)
        if names is not None and name not in names and name not in others:
            raise fault("unknown_name", f"no {kind} is named {name!r}", did_you_mean(name, [*others, *names]))
        return name

    return AfterValidator(check)


def across(*keys: str) -> Callable:
    """Mark a method of a block as a check of several keys together; it raises ValueError.

    The keys stand in the order of the fields. The check runs as soon as the last of them is read and all are right, so
    that its error is reported beside those of other keys. ``self`` holds these keys only. The error is about the block;
    one of `scarce.config.advice.fault` is about the key that it names.
    """

    def mark(check: Callable) -> Callable:
        def checked(cls: type[Block], value: Any, info: ValidationInfo) -> Any:
            if all(key in info.data for key in keys[:-1]):
                try:
                    check(_holding(cls, {key: info.data[key] for key in keys[:-1]} | {keys[-1]: value}))
                except PydanticCustomError as error:
                    raise together(error.message(), keys, about=error.type) from None
                except ValueError as error:
                    raise together(str(error), keys) from None
            return value

        return field_validator(keys[-1])(classmethod(checked))

    return mark


def _holding(cls: type[Block], values: dict[str, Any]) -> Block:
    """A block that has these values only: `model_construct` copies the default of every other key as well."""
    block = cls.__new__(cls)
    object.__setattr__(block, "__dict__", values)
    for name in ("__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__"):
        object.__setattr__(block, name, None)
    return block


class Block(BaseModel):
    """A block of a configuration file: unknown keys and silent conversions are errors, in plain words."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=True, defer_build=True)

    @model_validator(mode="wrap")
    @classmethod
    def _in_words(cls, value: Any, handler: Callable) -> Any:
        try:
            return handler(value)
        except ValidationError as error:
            details = error.errors(include_url=False)
            unknown = [detail["loc"][0] for detail in details if detail["type"] == "extra_forbidden"]
            # an unknown key is likely another key misspelled, which the checks of that key then miss
            meant = {closest(key, cls.model_fields) for key in unknown if len(details) > 1}
            words = [
                in_words(detail, cls) for detail in details if not meant & {*detail.get("ctx", {}).get("keys", ())}
            ]
            raise ValidationError.from_exception_data(cls.__name__, words) from None
