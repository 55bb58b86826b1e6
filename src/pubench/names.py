"""Names of studies, data sets, scenarios and methods: one folder level each, readable in one way on every system."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

#: Names that Windows keeps for devices, whatever their ending.
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))}


def _folder(name: str) -> str:
    if name.split(".")[0] in RESERVED or name.endswith("."):
        raise ValueError(f"{name!r} cannot be a folder name on every system, choose another")
    return name


PATTERN = "[a-z0-9][a-z0-9_.-]*"
Name = Annotated[str, Field(pattern=f"^{PATTERN}$"), AfterValidator(_folder)]
