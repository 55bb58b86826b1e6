"""Columns by which protocols split rows: the group and the time of each row."""

from __future__ import annotations

from typing import Any

import numpy as np

from scarce.data.tables import Table, numbers, texts
from scarce.errors import DataError


def split_values(spec: Any, table: Table) -> dict[str, np.ndarray]:
    """Values of the columns that a description names as ``group:`` and ``time:``, by key, of shape (n,).

    Groups are int32, numbered in the order of their sorted texts; times are float64.

    Raises
    ------
    DataError
        If there is no such column, or a cell is missing or infinite.
    """
    out = {}
    for key, name in spec.split_columns.items():
        column = table.columns[table.index(name, hint=f"correct `{key}:`")]
        cells = texts(column) if key == "group" else _times(column, name)
        lacking = np.equal(cells, None).astype(bool) if key == "group" else ~np.isfinite(cells)
        if lacking.any():
            raise DataError(
                f"column {name!r}, which `{key}:` names, has no value in row {int(lacking.argmax()) + 1}",
                hint=f'{{step: drop_rows, column: {name}, values: [""]}} leaves such rows out',
            )
        out[key] = np.unique(cells.astype(str), return_inverse=True)[1].astype(np.int32) if key == "group" else cells
    return out


def _times(column: np.ndarray, name: str) -> np.ndarray:
    try:
        return numbers(column, name)
    except DataError as error:
        hint = f'state the form of its dates, such as `dates: {{{name}: "%Y-%m-%d"}}`'
        raise DataError(error.message, hint=hint) from None
