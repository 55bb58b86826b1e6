"""Numbers that cannot be printed without what they assume: `Assumed`, and a `Sentence` made of them."""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scarce.words import MISSING, percent

COUNTED = "counted in the file"

_FORMS = {
    "count": lambda value: f"{value:,.0f}",
    "percent": lambda value: f"{percent(value)} %",
    "number": lambda value: f"{value:.3g}",
}


@dataclass(frozen=True)
class Assumed:
    """A number, perhaps with bounds, and what must hold for it to mean what it says.

    Parameters
    ----------
    value : float
        NaN where it cannot be known, perhaps but for its bounds.
    assumes : sequence of str
        At least one assumption, or how the number was counted.
    low, high : float, optional
        Bounds of it.
    form : {"count", "percent", "number"}
        How it is printed.

    Raises
    ------
    ValueError
        If it assumes nothing.
    """

    value: float
    assumes: Sequence[str]
    low: float = math.nan
    high: float = math.nan
    form: str = "number"

    def __post_init__(self) -> None:
        if isinstance(self.assumes, str) or not self.assumes or not all(self.assumes):
            raise ValueError(f"the number {self.value!r} needs a list of what it assumes, got {self.assumes!r}")

    def __str__(self) -> str:
        write = _FORMS[self.form]
        texts = [] if math.isnan(self.value) else [write(self.value)]
        texts += [] if math.isnan(self.low) else [f"[{write(self.low)}, {write(self.high)}]"]
        return " ".join(texts) or MISSING

    def as_json(self) -> dict[str, Any]:
        """Value, bounds and assumptions; None for NaN."""
        ends = {name: getattr(self, name) for name in ("value", "low", "high")}
        return {name: None if math.isnan(end) else end for name, end in ends.items()} | {"assumes": list(self.assumes)}


@dataclass(frozen=True)
class Sentence:
    """Words with named places for numbers and for names of columns, methods or files.

    Parameters
    ----------
    words : str
        With a place ``{name}`` for each of the others. A number in it is refused; F1 is a name.
    numbers : mapping of str to Assumed
        By place.
    names : mapping of str to str
        By place.

    Raises
    ------
    ValueError
        If the words hold a number, which has no assumption there, or the places are not those of the others.
    """

    words: str
    numbers: Mapping[str, Assumed] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        places = [place for _, place, _, _ in string.Formatter().parse(self.words) if place is not None]
        if re.search(r"(?<![A-Za-z])\d", string.Formatter().vformat(self.words, (), dict.fromkeys(places, ""))):
            raise ValueError(f"a number in {self.words!r} needs what it assumes")
        if set(places) != {*self.numbers, *self.names} or {*self.numbers} & {*self.names}:
            raise ValueError(f"the places of {self.words!r} are not {sorted({*self.numbers, *self.names})}")
        if wrong := [name for name, one in self.numbers.items() if not isinstance(one, Assumed)]:
            raise ValueError(f"{wrong[0]} is no Assumed")

    def __str__(self) -> str:
        return self.words.format(**self.numbers, **self.names)

    @property
    def assumes(self) -> list[str]:
        """What its numbers assume, each once."""
        return assumptions(self.numbers.values())


def assumptions(numbers: Iterable[Assumed]) -> list[str]:
    """What some numbers assume, each once, in order.

    Parameters
    ----------
    numbers : iterable of Assumed
        In the order in which they are said.

    Returns
    -------
    list of str
        Assumptions.
    """
    return list(dict.fromkeys(one for number in numbers for one in number.assumes))


def say(words: str, **parts: Assumed | str) -> Sentence:
    """A sentence; the parts that are `Assumed` are its numbers.

    Parameters
    ----------
    words : str
        With a place ``{name}`` for each part.
    **parts : Assumed or str
        Numbers, and names of columns, methods or files.

    Returns
    -------
    Sentence
        Which prints its words with its parts.

    Examples
    --------
    >>> str(say("{n} rows in {file}.", n=Assumed(1234, [COUNTED], form="count"), file="a1.csv"))
    '1,234 rows in a1.csv.'
    >>> say("1,234 rows.")
    Traceback (most recent call last):
    ...
    ValueError: a number in '1,234 rows.' needs what it assumes
    """
    numbers = {name: part for name, part in parts.items() if isinstance(part, Assumed)}
    return Sentence(words, numbers, {name: part for name, part in parts.items() if not isinstance(part, Assumed)})
