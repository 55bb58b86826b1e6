"""What every block of a configuration file is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import ErrorType

from scarce.words import closest


def once(names: list) -> list:
    """The names themselves, where none stands there twice; else a ValueError."""
    if twice := sorted(name for name, times in Counter(names).items() if times > 1):
        raise ValueError(f"names {', '.join(map(str, twice))} twice")
    return names


Once = AfterValidator(once)
Share = Annotated[float, Field(gt=0, lt=1)]


def across(*keys: str) -> Callable:
    """Mark a method of a block as a check of these keys together; it raises ValueError.

    Pydantic checks a block as a whole only where all its keys are right; this one is made wherever its own keys are.
    """

    def mark(check: Callable) -> Callable:
        check.across = keys
        return check

    return mark


@dataclass(frozen=True)
class Registered:
    """Marks a field whose block is read by a record of a registry; `model()` has all keys that the block may have."""

    model: Callable[[], type[BaseModel]]


class Block(BaseModel):
    """A block of a configuration file: unknown keys and silent conversions are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @classmethod
    def resolved(cls, value: dict[str, Any]) -> dict[str, Any]:
        """The block as it is read, once what some keys say of others is done."""
        return value

    @model_validator(mode="wrap")
    @classmethod
    def _checked(cls, value: Any, handler: Callable) -> Any:
        if not isinstance(value, dict):
            return handler(value)
        value, found, wrong = cls.resolved(value), None, set()
        try:
            made = handler(value)
        except ValidationError as error:
            made, found = None, error
            wrong = {place for detail in error.errors() for place in detail["loc"][:1] or cls.model_fields}
            # a key that is not there may be the one that an unknown key was to be
            wrong |= {closest(key, cls.model_fields) for key in value.keys() - cls.model_fields} - value.keys()
        clashes = [
            InitErrorDetails(type=fault, loc=(), input=value)
            for keys, check in cls._checks()
            if not wrong & {*keys} and (fault := _fault(check, made or cls._partly(value, keys)))
        ]
        if clashes:
            again = [_again(detail) for detail in found.errors()] if found else []
            raise ValidationError.from_exception_data(cls.__name__, [*again, *clashes])
        if found:
            raise found
        return made

    @classmethod
    def _checks(cls) -> Iterator[tuple[tuple[str, ...], Callable]]:
        for each in cls.__mro__:
            yield from ((check.across, check) for check in vars(each).values() if hasattr(check, "across"))

    @classmethod
    def _partly(cls, value: dict[str, Any], keys: tuple[str, ...]) -> Any:
        """A block of which these keys alone are read."""
        given = {}
        for key in keys:
            part = cls.model_fields[key]
            if key in value:
                kind = TypeAdapter(Annotated[(part.annotation, *part.metadata)] if part.metadata else part.annotation)
                given[key] = kind.validate_python(value[key], strict=True)
        return cls.model_construct(**given)


def _fault(check: Callable, block: Block) -> PydanticCustomError | None:
    try:
        check(block)
    except PydanticCustomError as error:  # whose type is the key that it is about
        return error
    except ValueError as error:
        return PydanticCustomError("value_error", "{said}", {"said": str(error)})
    return None


_OWN_TO_PYDANTIC = {*get_args(ErrorType)} - {"value_error"}


def _again(detail: Any) -> InitErrorDetails:
    """An error as pydantic tells of it, to be raised once more."""
    kind, again = detail["type"], InitErrorDetails(loc=detail["loc"], input=detail["input"])
    if kind in _OWN_TO_PYDANTIC:
        return again | {"type": kind, "ctx": detail.get("ctx", {})}
    return again | {"type": PydanticCustomError(kind, "{said}", {"said": detail["msg"].removeprefix("Value error, ")})}
