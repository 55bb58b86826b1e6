"""Types of values in descriptions: hashes, paths, file names, classes, cells."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator

from scarce.config.advice import fault


def _sha256(value: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", value):
        raise fault("sha256", "a sha256 has 64 digits 0-9 a-f")
    return value


def plain(name: str) -> bool:
    """Whether a raw file may have this name: no folder, no control characters, no name that fetching uses itself."""
    return (
        name.isprintable()
        and not re.search(r"[/\\]", name)
        and name.casefold() not in (".", "..", "provenance.json", ".archive")
    )


def _path(value: str) -> str:
    if not value.isprintable() or not value.strip():
        raise fault("path", "must be a path without control characters")
    return value


def _inside(value: str) -> str:
    path = PurePosixPath(_path(value))
    if path.is_absolute() or ".." in path.parts or "\\" in value or not path.name:
        raise fault("inside", "must be a relative path with / that stays inside its folder")
    return value


def _file_name(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_+-][A-Za-z0-9._+-]*", value) or not plain(value):
        raise fault("file_name", "must be a plain file name: letters, digits, . _ + and -")
    return value


def _label(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise fault("label", f"YAML reads this as {type(value).__name__}; put the class in quotes, as in the file")
    return class_text(str(value))


def class_text(text: str) -> str:
    """A class in the form in which classes are compared: stripped, a whole number without plus and decimal part.

    >>> class_text(" +1"), class_text("-1.0"), class_text("1.5"), class_text("+"), class_text("-0.0")
    ('1', '-1', '1.5', '+', '0')
    """
    text = text.strip()
    whole, dot, decimals = text.partition(".")
    if whole.lstrip("+-").isdigit() and (not dot or (decimals and not decimals.strip("0"))):
        return "0" if whole == "-0" else whole.removeprefix("+")
    return text


def _cell(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise fault("cell", 'must be a text or a number, as in the file; "" is a missing cell')
    return value


def _date_form(value: str) -> str:
    moment = datetime(2001, 2, 3, 16, 5, 6, tzinfo=UTC)
    if "%Z" in value:
        raise fault("dates", f"{value!r} has %Z, names of time zones, which are ambiguous: only offsets are read, %z")
    try:
        year = datetime.strptime(moment.strftime(value), value).year
    except ValueError as error:
        raise fault("dates", f"{value!r} is no form of dates: {error}") from None
    if year != moment.year:
        raise fault("dates", f"{value!r} has no year")
    return value


#: Any path on this machine; ~ is the user's home.
AnyPath = Annotated[str, AfterValidator(_path), AfterValidator(os.path.expanduser)]
Sha256 = Annotated[str, AfterValidator(_sha256)]
#: A path below the mirror, or of a member of an archive.
Inside = Annotated[str, AfterValidator(_inside)]
FileName = Annotated[str, AfterValidator(_file_name)]
#: A class as in the file; 1 and "1" are the same.
Label = Annotated[Any, AfterValidator(_label)]
#: The form of a date, in the directives of strptime.
DateForm = Annotated[str, AfterValidator(_date_form)]
#: A value of a column.
Cell = Annotated[Any, AfterValidator(_cell)]
