"""Synthetic data sets of two classes with a given class prior.

Values are rounded to six decimals, so that the last bits of a machine's mathematics library cannot change the table.
"""

from __future__ import annotations

import numpy as np

from scarce.data.tables import Table


def generate(
    kind: str,
    *,
    n: int,
    prior: float,
    seed: int,
    noise: float = 0.25,
    d: int = 4,
    separation: float = 2.0,
    levels: int = 0,
) -> Table:
    """Draw a data set.

    Parameters
    ----------
    kind : {"moons", "blobs"}
        Two interleaved half circles in the plane, or two Gaussian clouds with unit variances.
    n : int
        Rows.
    prior : float in (0, 1)
        Share of positives; their number is ``round(n * prior)``, at least 1.
    seed : int
    noise : float
        Standard deviation around the half circles (moons).
    d, separation, levels : int, float, int
        Numeric features, distance of the centres, levels of one nominal feature more common the one among positives
        than among negatives (0 for none) (blobs).

    Returns
    -------
    Table
        Columns x1, x2, ... (and ``group``), then ``label``: positive or negative; rows in random order.
    """
    random = np.random.RandomState(seed)
    positives = min(max(round(n * prior), 1), n - 1)
    y = np.zeros(n, dtype=int)
    y[:positives] = 1
    if kind == "moons":
        angle = np.pi * random.uniform(size=n)
        x = np.where(
            y[:, None] == 1,
            np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)]),
            np.column_stack([np.cos(angle), np.sin(angle)]),
        )
        x = x + noise * random.standard_normal((n, 2))
        group = None
    elif kind == "blobs":
        x = random.standard_normal((n, d)) + y[:, None] * separation / np.sqrt(d)
        group = None
        if levels:
            # Level k has weight k + 1 among positives and levels - k among negatives.
            weight = np.arange(1, levels + 1) / (levels * (levels + 1) / 2)
            draw = random.uniform(size=n)
            group = np.where(
                y == 1,
                np.searchsorted(np.cumsum(weight[:-1]), draw),
                np.searchsorted(np.cumsum(weight[::-1][:-1]), draw),
            )
    else:
        raise ValueError(f"there is no generator {kind!r}; there are moons and blobs")
    order = random.permutation(n)
    x, y = np.round(x[order], 6) + 0.0, y[order]
    names = [f"x{j}" for j in range(1, x.shape[1] + 1)]
    columns = list(x.T.copy())
    if group is not None:
        names.append("group")
        columns.append(np.array([f"g{k + 1}" for k in group[order]], dtype=object))
    columns.append(np.where(y == 1, "positive", "negative").astype(object))
    return Table([*names, "label"], columns, [column.dtype == object for column in columns], "label")
