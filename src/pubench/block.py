"""What every block of a configuration file is made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def once(names: list[str]) -> list[str]:
    """The names themselves, where none stands there twice; else a ValueError."""
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"names {', '.join(twice)} twice")
    return names


Once = AfterValidator(once)
Share = Annotated[float, Field(gt=0, lt=1)]


class Block(BaseModel):
    """A block of a configuration file: unknown keys and silent conversions are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
