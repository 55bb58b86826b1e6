"""Columns that say nothing; units and origins that bring columns to where 32 bits, and squares, keep numbers apart."""

from __future__ import annotations

import numpy as np

#: Largest and, inverted, smallest size of a column whose numbers fit 32 bits, which trees compare in, and whose sums of
#: squares neither overflow nor vanish.
EXTREME = 2.0**100
#: Share of the different numbers of a column above which it matters that 32 bits merge them.
WORTH_MENTION = 0.01
#: 32 bits hold all whole numbers below.
WHOLE_NUMBERS = 2.0**24

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


def origin_of(X: np.ndarray) -> np.ndarray:
    """What to subtract from each column: 0, or a number in its middle if the column is far from zero for its range.

    Trees and other methods compare in 32 bits, in which seconds since 1970 are 128 s apart. A column gets an origin if
    32 bits merge more than one in a hundred of its different numbers. The subtraction is exact. Missing values are NaN.

    >>> origin_of(np.array([[1.7e9, 5.0, 1.5], [1.7e9 + 1, 6.0, np.nan], [1.7e9 + 2, 7.0, 1.6]])).tolist()
    [1700000001.0, 0.0, 0.0]
    """
    if not len(X):
        return np.zeros(X.shape[1])
    low, high = (np.where(np.isnan(X), empty, X).min(0) for X, empty in ((X, np.inf), (-X, np.inf)))
    largest, span = np.maximum(np.abs(low), np.abs(high)), -high - low
    origins = np.zeros(X.shape[1])
    for j in np.flatnonzero(span < largest / 2):
        if merged_share(X[:, j]) > WORTH_MENTION:
            values = np.unique(X[~np.isnan(X[:, j]), j])
            origins[j] = values[len(values) // 2]
    return origins


def merged_share(column: np.ndarray) -> float:
    """Share of the different numbers of a column that 32 bits merge with another one; missing values are NaN."""
    known = column[~np.isnan(column)]
    if np.array_equal(known, known.astype(np.float32)):
        return 0.0
    values = np.unique(known)
    return 1 - len(np.unique(values.astype(np.float32))) / len(values)
