"""Features as integer codes, made once per forest: every node then counts codes instead of sorting floats.

*Value codes* number the distinct float32 values of a feature in ascending order. *Slot codes* number their position
among the values that labeled rows take: ``2j + 1`` is the j-th labeled value, ``2j`` the open interval below it.
Where the number of labeled rows on the left is fixed, every criterion is convex in the number of rows on the left
(see ``splitter``), so only the ends of slots need a score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# scikit-learn's FEATURE_THRESHOLD: float32 values this close count as one (literal mode only)
CLOSE = np.float32(1e-7)


class Coded(NamedTuple):
    """A feature matrix as codes, feature by feature.

    Attributes
    ----------
    codes : ndarray of shape (n_features, n_samples), int32
        Value codes.
    slots : ndarray of shape (n_features, n_samples), int32
        Slot codes; a single empty row where they are not used.
    values : ndarray, float32
        Distinct values of all features, feature after feature, each ascending.
    offsets : ndarray of shape (n_features + 1,), int64
        Where the values of each feature start.
    close : ndarray of shape (n_features,), bool
        Whether a feature has two distinct values closer than ``CLOSE``.
    """

    codes: np.ndarray
    slots: np.ndarray
    values: np.ndarray
    offsets: np.ndarray
    close: np.ndarray


def encode(X: np.ndarray, labeled: np.ndarray, *, slots: bool) -> Coded:
    """Code a float32 matrix.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), float32
        Finite features.
    labeled : ndarray of shape (n_samples,), bool
        Rows that define the slots.
    slots : bool
        Whether slot codes are wanted.
    """
    n, d = X.shape
    codes = np.empty((d, n), np.int32)
    slot_codes = np.empty((d, n) if slots else (1, 0), np.int32)
    distinct, offsets, close = [], np.zeros(d + 1, np.int64), np.zeros(d, np.bool_)
    for j in range(d):
        values, codes[j] = np.unique(X[:, j], return_inverse=True)
        distinct.append(values)
        offsets[j + 1] = offsets[j] + len(values)
        close[j] = bool((values[1:] <= values[:-1] + CLOSE).any())
        if slots:
            marked = np.zeros(len(values), np.int32)
            marked[codes[j][labeled]] = 1
            slot_codes[j] = (2 * np.cumsum(marked) - marked)[codes[j]]
    return Coded(codes, slot_codes, np.concatenate(distinct), offsets, close)
