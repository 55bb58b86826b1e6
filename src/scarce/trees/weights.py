"""Row weights on a scale of their own, so that the splits of a tree do not depend on the unit of a caller's weights.

Nor do the leaves, except with ``leaf="laplace"``: it adds to them as to counts of rows, in the caller's unit.
"""

from __future__ import annotations

import numpy as np

LARGEST_RATIO = 64  # the largest common denominator that is looked for
BITS = 50  # of the sum of weights without a common denominator


def counting_weights(weight: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights as whole numbers, times a unit.

    Sums of whole numbers are exact in any order. Weights that are integer multiples of a common unit (ones, counts,
    0.01 times counts, ...) become the smallest such integers; others are rounded to 50 bits of their sum.

    Parameters
    ----------
    weight : ndarray of shape (n_samples,), float64
        Non-negative weights, not all zero.

    Returns
    -------
    counts : ndarray of shape (n_samples,), int64
        Zero where the weight is zero.
    unit : float
        ``counts * unit`` equals the weights up to rounding.
    """
    present = weight[weight > 0]
    least, total = present.min(), present.sum()
    ratios = np.unique(present / least)
    for denominator in range(1, LARGEST_RATIO + 1):
        if total / least * denominator >= 2.0**BITS:
            break
        multiples = ratios * denominator
        if (np.abs(multiples - np.rint(multiples)) <= 1e-12 * multiples).all():
            return np.rint(weight / least * denominator).astype(np.int64), least / denominator
    unit = total / 2.0**BITS
    return np.where(weight > 0, np.maximum(1.0, np.rint(weight / unit)), 0.0).astype(np.int64), unit
