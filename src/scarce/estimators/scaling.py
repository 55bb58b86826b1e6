"""Columns that say nothing, and powers of two that bring columns of extreme size to where their squares are numbers."""

from __future__ import annotations

import numpy as np

#: Largest and, inverted, smallest size of a column whose numbers fit 32 bits, which trees compare in, and whose sums of
#: squares neither overflow nor vanish.
EXTREME = 2.0**100

#: Units of the last place, of its largest number, by which a column may vary and still be constant up to rounding.
ROUNDING = 2.0**10
#: Size from which a constant drowns other columns in sums of products.
DROWNING = 2.0**20


def flat_columns(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two masks of columns, shape (n_features,): those that vary by rounding alone, and large constants.

    In exact arithmetic neither would change a distance, a scaled column or a linear model with an intercept.

    >>> flat_columns(np.array([[1.0, 1.0, 1e12, 3.0], [1.0 + 2e-16, 1.1, 1e12, 3.0]]))[0].tolist()
    [True, False, False, False]
    >>> flat_columns(np.array([[1.0, 1.0, 1e12, 3.0], [1.0 + 2e-16, 1.1, 1e12, 3.0]]))[1].tolist()
    [False, False, True, False]
    """
    low, high = X.min(0).astype(np.float64), X.max(0).astype(np.float64)
    largest = np.maximum(np.abs(low), np.abs(high))
    with np.errstate(over="ignore"):
        rounding = (high > low) & (high - low <= ROUNDING * np.finfo(np.float64).eps * largest)
    return rounding, (high == low) & (largest > DROWNING)


def unit_of(X: np.ndarray) -> np.ndarray:
    """What to divide each column by: 1, or for a column of extreme size the power of two near its largest value.

    Division by it is exact, so that ordinary columns keep every bit. Missing values are NaN.

    >>> unit_of(np.array([[1.0, 0.0, np.nan, 2.0**900], [-3.0, 0.0, np.nan, 1.0]])).tolist() == [1, 1, 1, 2.0**900]
    True
    """
    largest = np.abs(np.nan_to_num(X, nan=0.0, posinf=0.0, neginf=0.0)).max(0, initial=0.0)
    extreme = (largest > EXTREME) | ((largest > 0) & (largest < 1 / EXTREME))
    _, exponent = np.frexp(largest)
    # the smallest numbers have fewer bits: a unit below the smallest normal number would be 0
    return np.where(extreme, np.ldexp(1.0, np.clip(exponent - 1, -1022, 1023)), 1.0)
