"""Columns of dates: texts of a stated form as days since 1970."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from scarce.data.names import back_through_steps
from scarce.data.tables import Table, texts
from scarce.errors import DataError

_EPOCH, _DAY = datetime(1970, 1, 1, tzinfo=UTC), timedelta(days=1)
#: A year of four digits, month and day in any order and with any mark between them, perhaps with a time of day.
_DATE = re.compile(r"(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?:[ T]\d{1,2}:\d{2}.*)?\Z")


def days(text: str, form: str) -> float:
    """Days since 1970-01-01, with the time of day as a fraction; ValueError if `text` is not of the form.

    A text with a time zone (``%z``) is converted to UTC; others are taken as they are.

    >>> days("1970-01-02", "%Y-%m-%d"), days("31/12/1969 18:00", "%d/%m/%Y %H:%M")
    (1.0, -0.25)
    >>> days("1970-01-01T01:00:00+0100", "%Y-%m-%dT%H:%M:%S%z")
    0.0
    """
    moment = datetime.strptime(text, form)
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) / _DAY


def parsed(table: Table, forms: Mapping[str, str], steps: Sequence[Any]) -> Table:
    """A table, as it is before some steps, in which columns of dates are numeric; NaN for a missing cell.

    Parameters
    ----------
    table : Table
    forms : mapping
        By column, named as after the steps, the form of its dates as ``datetime.strptime`` reads it.
    steps : sequence of steps

    Raises
    ------
    DataError
        If there is no such column, or a cell is no date of the form; it names the first one.
    """
    changed = {}
    for name, form in ((name, form) for last, form in forms.items() for name in back_through_steps([last], steps)[0]):
        cells = texts(table.columns[table.index(name, hint="correct `dates:`")]).tolist()
        known: dict[str | None, float] = {None: np.nan}
        for row, text in enumerate(cells, start=1):
            if text not in known:
                try:
                    known[text] = days(text, form)
                except ValueError:
                    raise DataError(
                        f"column {name!r} holds {text!r} in row {row}, which is no date of the form {form!r}",
                        hint="correct `dates:`, or list the text under the reader's `missing:`",
                    ) from None
        changed[name] = np.array([known[text] for text in cells], float), False, ()
    return table.with_columns(changed) if changed else table


def look_like_dates(levels: Collection[str]) -> bool:
    """Whether all texts of a nominal column look like dates.

    >>> look_like_dates(["2024-01-31", "2024-02-01 12:30"]), look_like_dates(["1.2.3", "1-2"])
    (True, False)
    """
    return bool(levels) and all(_DATE.match(text) for text in levels)
