"""Powers of two that bring columns of extreme size to where they and their squares are numbers."""

from __future__ import annotations

import numpy as np

#: Largest and, inverted, smallest size of a column whose numbers fit 32 bits, which trees compare in, and whose sums of
#: squares neither overflow nor vanish.
EXTREME = 2.0**100


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
