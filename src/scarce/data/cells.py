"""What a text of a table says: a number in some notation, that a value is missing, or a level.

All readers ask here, and so does the check of the user's files before a run. Imports no NumPy.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

#: Letters of the longest text that may be a number or a mark.
_LONGEST = 60
#: Words that say that a value is not known, as `_squeezed` writes them: without case, blanks, points and other marks.
_UNKNOWN = {
    "na", "nana", "nan", "nanind", "1ind", "1qnan", "1inf", "nat", "null", "unknown", "unk", "undefined", "undef",
    "undetermined", "indeterminate", "unspecified", "unlabeled", "unlabelled", "unlabel", "unclassified",
    "unannotated", "unassigned", "nolabel", "nolabels", "notlabeled", "notlabelled", "notannotated", "notknown",
    "notavailable", "notapplicable", "notspecified", "notrecorded", "notreported", "notstated", "notmeasured",
    "nodata", "noinfo", "noinformation", "noanswer", "noresponse", "noclass", "missingvalue", "missinglabel",
    "missingdata", "tbd", "tba", "tobedetermined", "tobeconfirmed",
    "dontknow", "unbekannt", "keineangabe", "keineangaben", "ohneangabe", "nichtbekannt",
    "inconnu", "inconnue", "nonrenseigne", "nondisponible", "desconocido", "desconocida", "sindato", "sindatos",
    "nodisponible", "sconosciuto", "nondisponibile", "desconhecido", "naoinformado", "ignorado", "semdados",
    "onbekend", "brakdanych", "neznamo", "\u672a\u77e5", "\u4e0d\u660e", "\u7f3a\u5931",
    "\u043d\u0435\u0438\u0437\u0432\u0435\u0441\u0442\u043d\u043e",
    "\u043d\u0435\u0442\u0434\u0430\u043d\u043d\u044b\u0445",
}  # fmt: skip
#: Words that say so as well, and that are the name of a class in many tables.
_PERHAPS_UNKNOWN = {
    "none", "nil", "missing", "empty", "blank", "void", "nd", "sd", "ka", "nb", "nr", "nc", "ns", "dk", "nk",
    "leer", "vide", "vacio", "geen", "fehlt", "fehlend", "uncertain", "unsure", "unclear", "inconclusive", "pending",
    "brak", "nvt", "nonapplicable",
}  # fmt: skip
#: Words that stand for a number that is not there.
_NO_NUMBER = {"error", "err", "invalid", "overflow", "overrange"}
#: Characters of a mark without letters and digits; a dash or a plus can be a class, see `without_label`.
_STROKES = set("?.*~_/\\|\u00b7\u2026\u2022- \u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ac\u221e+")
_FAULT = re.compile(
    r"#\s?(?:(?i:N/?A|NV|VALUE|WERT|VALOR|VALEUR|REF|BEZUG|NUM|ZAHL|NAME|NOMBRE|DIV/0|NULL)[!?]?|[A-Z\u00c0-\u00de/0]+[!?])"
)
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))

_PLAIN = re.compile(r"[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|(?i:inf(?:inity)?))\Z")

_CURRENCY = (
    r"(?:[A-Z]{0,3}[$\u00a2-\u00a5\u20a0-\u20cf]"
    r"|EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|BRL|Rs\.?|Fr\.?)"
)
#: What may stand before a number: bounds, roughly, signs, money, the mark of a comment.
_BEFORE = re.compile(
    r"(?:(?P<bound>[<>\u2264\u2265]=?|=|>>|<<)|[-+~\u2248\u00b1\#\s]|(?i:ca\.?|approx\.?|about)" rf"|{_CURRENCY})*"
)
_DIGITS = re.compile(
    r"""(?: 0[xX][0-9a-fA-F]+
      | \d+ (?: :\d+ ){1,2} (?: [.,]\d+ )? (?: \s?[aApP]\.?[mM]\.? )?        # 12:30, 1:02:03.5, 1:30 pm, 2:1
      | \d+ (?: \s\d+ )? \s?[/\u2044]\s? \d+ (?! [/\d] )                     # 1/2, 1 1/2
      | (?: \d{1,3} (?: [ ,._'`\u2019]\d{3} )+ | \d{1,2} (?: ,\d{2} )+ ,\d{3} | \d+ | (?= [.,]\d ) )
        (?: [.,]\d* )?
        (?: [eEdD][-+]?\d+ | \s?[x*\u00d7\u00b7]\s?10 (?: \^|\*\* )? [-+]?\d+ )?
    )""",
    re.VERBOSE,
)
#: What may stand behind one: a sign, a percent sign, degrees, money, the mark of a footnote, `.-` of prices, an error.
_BEHIND = re.compile(
    rf"\s*(?:[-+%\u2030\u00b0*\u2020\u2021?!#]+|\u00b0\s?[CFcf]|[.,]-+|{_CURRENCY}|(?:\u00b1|\+/-)\s*[0-9.,]+\s*%?)\.?\Z"
)
_UNIT = re.compile(r"\s*[^\W\d_]+(?:\s?/\s?[^\W\d_]+)?(?:(?<=m)[23])?\.?\s*")
_UNITS = {
    "ms", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "h", "hr", "hrs", "hour", "hours",
    "std", "stunden", "day", "days", "tag", "tage", "week", "weeks", "wk", "wks", "month", "months", "mon", "monate",
    "year", "years", "yr", "yrs", "jahr", "jahre", "ans", "nm", "mm", "cm", "dm", "km", "inch", "inches", "ft",
    "feet", "mile", "miles", "mi", "mg", "kg", "kgs", "lb", "lbs", "oz", "gram", "grams", "ton", "tons", "cl", "ml",
    "dl", "liter", "litre", "liters", "litres", "mv", "kv", "ma", "kw", "kwh", "mw", "mwh", "hz", "khz", "mhz", "ghz",
    "kb", "mb", "gb", "tb", "kib", "mib", "gib", "hpa", "kpa", "mpa", "bar", "mbar", "psi", "mmhg", "rpm", "mph",
    "kmh", "kph", "mol", "mmol", "mmol/l", "mg/dl", "mg/l", "g/l", "g/dl", "km/h", "m/s", "kg/m2", "m2", "m3", "cm2",
    "cm3", "km2", "k", "m", "kr", "mio", "mrd", "mln", "bln", "bn", "tsd", "tn", "million", "millions", "billion",
    "thousand", "lakh", "crore", "eur", "euro", "euros", "usd", "gbp", "chf", "dollar", "dollars", "pct", "percent",
    "prozent", "pcs", "stk", "kcal", "cal", "kj",
}  # fmt: skip


class Number(NamedTuple):
    """A text that is a number, though not one that `float` reads."""

    unit: str = ""
    bound: bool = False

    @property
    def sure(self) -> bool:
        """Whether it is a number in any column: it has no unit, or a usual one."""
        return not self.unit or self.unit in _UNITS


def is_plain(text: str) -> bool:
    """Whether a text is a decimal number as `float` reads it.

    >>> is_plain("-1.5e3"), is_plain("1,5"), is_plain("1_000")
    (True, False, False)
    """
    return _PLAIN.match(text) is not None


def as_number(text: str) -> Number | None:
    """What a text is if it is a number in another notation, else None.

    >>> [as_number(text) is not None for text in ("1.234,50 \u20ac", "(500)", "<0.1", "20k", "1-2", "1.2.3", "2 to 4")]
    [True, True, True, True, False, False, False]
    >>> as_number("5 Kg").unit, as_number("<0.1").bound
    ('kg', True)
    """
    if len(text) > _LONGEST:
        return None
    rest = _visible(text).strip(" '\"`\u2019").translate(_DASHES)
    if rest[:1] in ("(", "[") and rest[-1:] in (")", "]"):
        rest = rest[1:-1].strip()
    before = _BEFORE.match(rest)
    rest, bound, units = rest[before.end() :], before["bound"] is not None, []
    while (digits := _DIGITS.match(rest)) and digits.end():
        rest = rest[digits.end() :]
        if not units and (not rest.strip() or _BEHIND.match(rest)):
            return Number("", bound)
        unit = _UNIT.match(rest)
        if unit is None:
            return None
        units.append("".join(unit[0].split()).strip(".").casefold())
        rest = rest[unit.end() :]
        if not rest:  # 2 h 30 min is one number, 3 a 2 b is none
            return Number(units[0], bound) if len(units) == 1 or {*units} <= _UNITS else None
    return None


def is_mark(text: str) -> bool:
    """Whether a text usually means that a number is missing.

    >>> [is_mark(text) for text in ("N.A", "---", "#NV", "no data", "<NA>", "k. A.", "1", "high")]
    [True, True, True, True, True, True, False, False]
    """
    if len(text) > _LONGEST:
        return False
    word = _squeezed(text)
    return (not word and _is_stroke(text)) or word in _UNKNOWN | _PERHAPS_UNKNOWN | _NO_NUMBER or _is_fault(text)


def spelling(text: str) -> object:
    """A key that is equal for two spellings of a class: its number, or the text without case, blanks, marks around it
    and invisible characters.
    """
    if is_plain(text):
        return float(text)
    words = " ".join(_visible(text).casefold().split())
    return words.strip(" .,;:'\"`") or words  # >50K and >50K. are one class


class Finding(NamedTuple):
    """What a nominal column holds that looks like a numeric one: in words, and the text to look for.

    `marks` are the texts that seem to mean a missing cell; `rewrite` says that numbers stand in other notations. `sure`
    is false if the texts may well be levels; `usual` is false if only numbers beside it make a text a mark.
    """

    says: str
    text: str
    marks: tuple[str, ...] = ()
    rewrite: bool = False
    sure: bool = True
    usual: bool = True


def remedy(findings: Iterable[Finding]) -> str:
    """What to do about findings of a table."""
    marks = list(dict.fromkeys(mark for finding in findings for mark in finding.marks))
    parts = ["write them as plain decimals"] * any(finding.rewrite for finding in findings)
    parts += [f"add `missing: {marks}` to the reader"] * bool(marks)
    return f"{' and '.join(parts)}, or list the column under `nominal:`"


#: A column of texts with more different numbers than this, most of whose cells are numbers, is taken for a numeric
#: column with an undeclared mark for missing cells.
_MANY_NUMBERS = 20
#: So many different numbers with one unit that is no usual one are taken for measurements.
_FEW_NUMBERS = 3
#: Marks that a finding lists.
_MOST_MARKS = 6


def numbers_as_levels(counts: Mapping[str, int]) -> Finding | None:
    """What shows that the texts of a nominal column, given with their numbers of cells, are numbers and marks.

    One text beside nothing but numbers is a mark, whatever it is.

    >>> numbers_as_levels({"1": 9, "2": 9, "ND": 2}).says, numbers_as_levels({"0,5": 9, "1,0": 9}).says
    ("holds numbers, but 'ND'", "holds numbers such as '0,5'")
    >>> [numbers_as_levels(dict.fromkeys(levels, 1)) for levels in (["1", "2"], ["1", "low", "high"], ["<30", ">30"])]
    [None, None, None]
    """
    plain = {float(text) for text in counts if is_plain(text)}
    marks, others, texts, units, bounds = [], [], [], set(), True
    for text in itertools.filterfalse(is_plain, counts):
        if is_mark(text):
            marks.append(text)
        elif (number := as_number(text)) and number.sure:
            others.append(text)
            bounds &= number.bound
        else:
            texts.append(text)
            units.add(number.unit if number else "")
    if not plain and not others and len(units) == 1 and "" not in units and len(texts) >= _FEW_NUMBERS:
        return Finding(f"holds numbers such as {texts[0]!r}", texts[0], rewrite=True, sure=False)
    if not plain and bounds:
        return None  # names; or classes with bounds alone, such as <30 and >30
    if not texts and not marks:
        return Finding(f"holds numbers such as {others[0]!r}", others[0], rewrite=True) if others else None
    rare = sum(counts[text] for text in (*texts, *marks)) < sum(counts.values()) / 2
    several = len(plain) + len(others)
    alone = len(texts) == 1 and several > 1
    sure = not texts or (alone and all(_says_unknown(text) for text in marks)) or (several > _MANY_NUMBERS and rare)
    fractions = bool(others) or not all(value.is_integer() for value in plain)
    if not sure and not alone and not (rare and fractions and several > len(texts)):
        return None
    first, *_ = listed = (*texts, *marks)[:_MOST_MARKS]
    says = f"holds numbers such as {others[0]!r}, and {first!r}" if others else f"holds numbers, but {first!r}"
    return Finding(says, first, listed, bool(others), sure, not texts)


def without_label(classes: Collection[str], positive: Collection[str]) -> list[str]:
    """Classes that seem to mean that the class of a row is not known, in the order of `classes`.

    A text such as ``?``, ``NA`` or ``unknown``; one text beside nothing but numbers, or one number such as -1 or 99
    beside nothing but texts; -1 beside other whole numbers, and 9, 99 or 999 beyond a run of them from 0 or 1. Words
    that name a class in many tables, such as ``none``, are taken for one if no other negative class is left.

    >>> without_label(["leak", "tight", "?", "NA"], ["leak"]), without_label(["1", "0", "-1"], ["1"])
    (['?', 'NA'], ['0', '-1'])
    >>> without_label(["+", "-"], ["+"]), without_label(["crack", "none"], ["crack"])
    ([], [])
    """
    signs = any("+" in text and not _squeezed(text) for text in classes)
    left = [text for text in classes if text not in positive]
    marks = {text for text in left if _says_unknown(text, signs)} | _codes_without_label(classes, left)
    perhaps = {text for text in left if _squeezed(text) in _PERHAPS_UNKNOWN} - marks
    named_so = any(
        _says_unknown(text, signs) or _squeezed(text) in _PERHAPS_UNKNOWN for text in positive
    )  # in this file, such words are names of classes
    if not named_so and set(left) - marks - perhaps:
        marks |= perhaps
    return [text for text in left if text in marks]


def doubtful_classes(
    counts: Mapping[str, int], positive: Collection[str], negative: Collection[str], target: str
) -> tuple[str, str] | None:
    """Message and hint about classes of the column `target` that are neither positive nor negative; None without any.

    `counts` has the number of rows of each class. All others than the positive ones are negative if `negative` is
    empty, except those that seem to mean that there is no label.
    """
    if negative:
        doubtful = [name for name in counts if name not in positive and name not in negative]
        says, remedy = "neither under `positive:` nor under `negative:`", "list all negative classes there"
    else:
        doubtful = without_label(counts, positive)
        says, remedy = "which may mean that the class is not known", "list all negative classes under `negative:`"
    if not doubtful:
        return None
    named = [f"{name!r} ({counts[name]})" for name in doubtful]
    shown = ", ".join(named[:30]) + (f" and {len(named) - 30} more" if len(named) > 30 else "")
    rows = sum(counts[name] for name in doubtful)
    message = f"column {target!r} has {rows} {'row' if rows == 1 else 'rows'} of {shown}, {says}"
    return message, f"{left_out(target, doubtful[:30])}; or {remedy}"


def left_out(target: str, classes: list[str]) -> str:
    """A hint: the step that leaves out the rows of some classes; "" is a missing one."""
    values = json.dumps(classes, ensure_ascii=False)
    return f"{{step: drop_rows, column: {target}, values: {values}}} leaves such rows out"


def _says_unknown(text: str, signs: bool = False) -> bool:
    """Whether a text says so by itself; `signs`: strokes of plus and minus are classes."""
    word = _squeezed(text)
    if word:
        return word in _UNKNOWN or _is_fault(text) or _visible(text) == "\\N"  # as MySQL and PostgreSQL export NULL
    signed = signs and not set(text.translate(_DASHES)) - set("+- ")
    return not signed and _is_stroke(text)


def _codes_without_label(classes: Collection[str], left: Collection[str]) -> set[str]:
    """Numbers among `left` that usually code a class that is not known; a text that stands beside numbers only."""
    numbers = {text: float(text) for text in classes if is_plain(text)}
    texts = [text for text in classes if text not in numbers and not _says_unknown(text)]
    if len(texts) == 1 and len(numbers) > 1:
        return {*texts} & {*left} if {*left} & {*numbers} else set()
    whole = {text: int(value) for text, value in numbers.items() if math.isfinite(value) and value.is_integer()}
    if texts:
        return {text for text in left if len(numbers) == 1 and is_code(whole.get(text, 0))}
    values = set(whole.values())
    if len(whole) < len(numbers) or not values:
        return set()
    negative, beyond = {value for value in values if value < 0}, {value for value in values if is_code(value)}
    rest = sorted(values - negative - beyond)
    if values & {9} and set(rest) - {7, 8} in ({0, 1}, {1, 2}):  # 7, 8 and 9: not known, refused, no answer
        beyond, rest = beyond | {7, 8} & values, rest[:2]
    run = len(rest) > 1 and rest[0] in (0, 1) and rest[-1] == rest[0] + len(rest) - 1
    codes = {
        value for value in beyond if value > max(rest, default=0) + 1 and (run or value > 9 >= max(rest, default=0))
    }
    if values == {-1, 0, 1}:  # either of -1 and 0 codes it, by scikit-learn's or by SVMlight's custom
        codes = {-1, 0}
    elif negative != {*range(-len(negative), 0)} or len(negative) == 1:  # no scale such as -2 to 2
        codes |= {value for value in negative if (len(values - negative) > 1 and (run or is_code(value))) or value < -9}
    return {text for text in left if whole.get(text) in codes}


def is_code(value: int) -> bool:
    """Whether a whole number usually codes a value that is not known: -1, 9, 77, 88, 99, 777, ..., or -9, -77, ..."""
    digits = str(abs(value))
    return value == -1 or set(digits) == {"9"} or (len(digits) > 1 and digits in ("7" * len(digits), "8" * len(digits)))


def _visible(text: str) -> str:
    """A text in one form for characters that look alike, without invisible ones."""
    if text.isascii():
        return text.strip()
    normal = unicodedata.normalize("NFKC", text)
    return "".join(letter for letter in normal if unicodedata.category(letter) != "Cf").strip()


def _squeezed(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    parts = unicodedata.normalize("NFKD", _visible(text).casefold())
    return parts if parts.isalnum() else "".join(letter for letter in parts if letter.isalnum())


def _is_stroke(text: str) -> bool:
    """Whether a text is nothing, or nothing but strokes and points, perhaps in brackets or quotes."""
    inner = _visible(text).strip(" '\"`")
    if inner[:1] + inner[1:][-1:] in ("()", "[]", "<>", "{}"):
        inner = inner[1:-1]
    return not set(inner) - _STROKES


def _is_fault(text: str) -> bool:
    """Whether a text is the name that a spreadsheet gives a fault, such as #VALUE, #NAME? or #WERT!."""
    return _FAULT.fullmatch(_visible(text)) is not None
