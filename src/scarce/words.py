"""Numbers, lists and foreign text as people read them."""

from __future__ import annotations

import difflib
import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

MISSING = "–"


def number(n: int, noun: str, plural: str | None = None) -> str:
    """``1 data set``, ``2 data sets``."""
    return f"{n} {noun if n == 1 else plural or noun + 's'}"


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def percent(value: float, *, sign: bool = False) -> str:
    """A fraction as percent with one decimal; an en dash for NaN.

    >>> percent(0.7501), percent(-0.0001, sign=True)
    ('75.0', '0.0')
    """
    if math.isnan(value):
        return MISSING
    text = f"{100.0 * value:{'+' if sign else ''}.1f}"
    return text.lstrip("+-") if float(text) == 0.0 else text.replace("-", "−")


def p_value(p: float) -> str:
    """A p-value in print, never 0 or rounded to 1.

    >>> p_value(0.0), p_value(0.0198), p_value(1.0)
    ('p < 0.001', 'p = 0.020', 'p = 1.000')
    """
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p > 0.9995 or p < 0.9995 else "p > 0.999"


def as_cell(text: str) -> str:
    """Foreign text for a cell of a CSV: not a formula in a spreadsheet, and safe in a terminal as by `shown`.

    >>> as_cell("=1+1"), as_cell("a = 1"), as_cell("a\\x1b[2J")
    ("'=1+1", 'a = 1', 'a\\\\x1b[2J')
    """
    text = shown(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def shown(text: str) -> str:
    """Foreign text with control, format and surrogate characters escaped: they change terminals or letter order.

    >>> shown("404 \\x1b[2J \\u202e")
    '404 \\\\x1b[2J \\\\u202e'
    """
    return "".join(map(_letter, text))


def one_line(text: object) -> str:
    """Foreign text, e.g. of an error, in one line and escaped as by `shown`.

    >>> one_line(ValueError("a\\n \\x07"))
    'a \\\\x07'
    """
    return shown(" ".join(str(text).split()))


def _letter(letter: str) -> str:
    """A letter as it is, or the escape of a control, format or surrogate character."""
    steers = unicodedata.category(letter) in ("Cc", "Cf", "Cs") and letter not in "\n\r\t"
    return letter.encode("unicode_escape").decode() if steers else letter


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is nearest to `name`; None if none is near."""
    plain = {item.lower(): item for item in reversed(list(known))}
    close = difflib.get_close_matches(str(name).lower(), plain, n=1, cutoff=0.6)
    return plain[close[0]] if close else None


def did_you_mean(name: str, known: Any, *, listed: bool = True) -> str | None:
    """A hint: the nearest known name, or the list of all if it is short."""
    known = [str(item) for item in known]
    if meant := closest(name, known):
        return f"did you mean {meant}?"
    return f"known: {', '.join(known)}" if listed and 0 < len(known) <= 40 else None
