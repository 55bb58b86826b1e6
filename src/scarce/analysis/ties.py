"""Numbers that are equal in exact arithmetic are equal here, and sums do not depend on the order of their terms.

Scores are ratios of counts, areas that are sums of such ratios, and means of them. Computed in another way or another
order, one number comes out as doubles that differ in their last bits: ``0.1 + 0.2`` and ``0.3``. Measured against exact
fractions, AUC-ROC and AUC-PR of up to a million rows are within two units in the last place. Two different values of
such metrics are further apart by orders of magnitude, so numbers within 64 units in the last place are taken as equal.

`settled` is the one place that says so. Whatever compares methods (ranks, wins, Wilcoxon's test, marks, verdicts) first
replaces the numbers that are equal by one of them, and compares with ``==`` and ``<`` then.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

#: Largest difference of equal numbers, relative to the larger one: 64 units in the last place.
RELATIVE = 2.0**-46
#: The same for numbers near zero, where numbers around 1 cancel.
ABSOLUTE = 2.0**-50


def settled(numbers: ArrayLike, scale: ArrayLike | None = None) -> np.ndarray:
    """Numbers of each row (the last axis) in which those that are equal but for rounding are the same double.

    Sorted neighbours are equal where they differ by at most ``max(RELATIVE * scale, ABSOLUTE)``, and so is whatever
    such steps join: that is transitive, and depends on no order. The number with the shortest decimals stands for all
    of them, the smaller one where two are as short.

    Parameters
    ----------
    numbers : array-like of shape (..., n)
        NaN and infinite numbers stay as they are.
    scale : array-like, broadcast to `numbers`, optional
        Size of the numbers that a number was computed from; by default its own. For differences, that of their
        operands.

    Returns
    -------
    ndarray of the same shape

    Examples
    --------
    >>> settled([0.1 + 0.2, 0.3, 0.31]).tolist()
    [0.3, 0.3, 0.31]
    >>> settled([0.3 - 0.2, 0.2 - 0.1], scale=1).tolist()
    [0.1, 0.1]
    """
    numbers = np.asarray(numbers, float)
    scale = np.broadcast_to(np.abs(numbers if scale is None else np.asarray(scale, float)), numbers.shape)
    order = np.argsort(numbers, axis=-1, kind="stable")
    result, scale = np.take_along_axis(numbers, order, -1), np.take_along_axis(scale, order, -1)
    low, high = result[..., :-1], result[..., 1:]
    with np.errstate(invalid="ignore"):
        gap, limit = high - low, np.maximum(RELATIVE * np.maximum(scale[..., :-1], scale[..., 1:]), ABSOLUTE)
        joined = (low == high) | (np.isfinite(low) & np.isfinite(high) & (gap <= limit))
    for row in map(tuple, np.argwhere((joined & (low != high)).any(axis=-1))):
        for group in np.split(np.arange(numbers.shape[-1]), np.flatnonzero(~joined[row]) + 1):
            members = result[row][group]
            result[(*row, group)] = min(members.tolist(), key=lambda number: (len(repr(number)), number))
    sorted_back = np.empty_like(result)
    np.put_along_axis(sorted_back, order, result, -1)
    return sorted_back


def exceeds(number: float, limit: float, scale: float = 1.0) -> bool:
    """Whether a number is larger than a limit by more than rounding; `scale` as in `settled`.

    >>> exceeds(0.31 - 0.3, 0.01), exceeds(0.0101, 0.01)
    (False, True)
    """
    number, limit = settled([number, limit], scale)
    return bool(number > limit)


def exact_mean(values: pd.Series | np.ndarray) -> float:
    """Mean whose sum is rounded once: the same numbers in another order give the same bits, and so a tie.

    >>> exact_mean(pd.Series([0.1, 0.2, 0.3])) == exact_mean(pd.Series([0.3, 0.2, 0.1]))
    True
    """
    return math.fsum(values) / len(values) if len(values) else math.nan
