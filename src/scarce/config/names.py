"""Names of studies, data sets, scenarios and methods: one folder level each, readable in one way on every system."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator

#: Names that Windows keeps for devices, whatever their ending.
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))}


PATTERN = "[a-z0-9][a-z0-9_.-]*"
#: Letters of a name: with what is added to it, a file's name stays shorter than any system's limit.
LONGEST = 100


def folder(name: str) -> str:
    """The name itself, where every system can have a folder of that name; else a ValueError."""
    if name.split(".")[0].lower() in RESERVED or name.endswith("."):
        raise ValueError(f"{name!r} cannot be a folder name on every system, choose another")
    if len(name) > LONGEST:
        raise ValueError(f"{name[:20]!r}... has {len(name)} letters, choose a name of at most {LONGEST}")
    return name


def _name(name: str) -> str:
    if not re.fullmatch(PATTERN, name):
        raise ValueError(f"{name!r} is no name: {_instead(name)}")
    return folder(name)


def _instead(name: str) -> str:
    foreign = next((letter for letter in name if not letter.isascii()), None)
    if foreign is not None:
        known = unicodedata.name(foreign, f"U+{ord(foreign):04X}")
        return f"{foreign!r} is {known}; small letters a-z, digits, _ . and - are wanted"
    plain = re.sub(r"[^a-z0-9_.-]+", "_", name.lower()).strip("_.-")
    return "small letters, digits, _ . and - are wanted" + (f" (write {plain})" if plain else "")


Name = Annotated[str, AfterValidator(_name)]
