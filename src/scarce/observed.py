"""The observed label s, as every estimator accepts it: 1 is a labeled positive, 0 is unlabeled."""

from __future__ import annotations

from numbers import Number

import numpy as np


def plain(labels) -> np.ndarray:
    """Labels as an array; numbers and booleans in an array of objects, as a mixed table's column has, as such.

    >>> plain(np.array([True, False], dtype=object)).dtype, plain(["a", None]).dtype
    (dtype('bool'), dtype('O'))
    """
    labels = np.asarray(labels)
    if labels.dtype == object and all(isinstance(value, Number | np.bool_) for value in labels.flat):
        return np.array(labels.tolist())
    return labels


def observed_labels(s) -> np.ndarray:
    """Read observed labels in any of the three usual codings.

    Parameters
    ----------
    s : array-like of shape (n_samples,)
        ``{1, 0}``, ``{1, -1}`` or ``{True, False}``; the first means labeled positive, the second unlabeled.

    Returns
    -------
    ndarray of shape (n_samples,), int8
        1 for labeled positives, 0 for unlabeled rows.

    Raises
    ------
    ValueError
        If a value is missing or outside the three codings, or no row is labeled.
    """
    s = plain(s)
    if s.ndim == 2 and s.shape[1] == 1:
        s = s[:, 0]
    if s.ndim != 1:
        raise ValueError(f"observed labels must be one-dimensional, got shape {s.shape}")
    if s.dtype.kind == "f" and np.isnan(s).any():
        raise ValueError("observed labels hold NaN; an unlabeled row is 0 (or -1, or False)")
    values = set(np.unique(s).tolist()) if s.dtype.kind in "biuf" else {object()}
    if not (values <= {0, 1} or values <= {-1, 1}):
        shown = sorted(map(str, set(s.tolist())))[:5]
        raise ValueError(f"observed labels must be {{1, 0}}, {{1, -1}} or {{True, False}}, got {', '.join(shown)}")
    labeled = (s == 1).astype(np.int8)
    if not labeled.any():
        raise ValueError("no labeled positive: at least one row must have the observed label 1")
    return labeled


def coding(s) -> np.ndarray:
    """The two classes of observed labels as the caller codes them, ``classes_`` of an estimator: unlabeled, labeled.

    >>> coding([1, -1, -1]).tolist(), coding([1, 0]).tolist(), coding([True, False]).tolist()
    ([-1, 1], [0, 1], [False, True])
    """
    s = plain(s)
    if s.dtype == bool:
        return np.array([False, True])
    return np.array([-1, 1]) if (s == -1).any() else np.array([0, 1])
