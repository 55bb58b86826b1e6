"""Observed labels as every estimator reads them: of two codes the larger marks labeled positives."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def plain(labels: Any) -> np.ndarray:
    """Labels as an array; an array of objects that are all numbers or booleans becomes one of that type.

    >>> plain(np.array([True, False], dtype=object)).dtype, plain(["a", None]).dtype
    (dtype('bool'), dtype('O'))
    """
    labels = np.asarray(labels)
    if labels.dtype == object and all(isinstance(value, Number | np.bool_) for value in labels.flat):
        return np.array(labels.tolist())
    return labels


def read_labels(y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Read observed labels in any coding by two values, such as ``{-1, 1}`` or ``{"no", "yes"}``.

    The larger value means labeled positive. If all values are equal, 1 and True mean labeled and everything else
    unlabeled.

    Returns
    -------
    classes : ndarray of shape (2,)
        The codes of unlabeled and of labeled rows.
    labeled : ndarray of shape (n_samples,), int8
        1 for labeled positives, 0 for unlabeled rows.

    Raises
    ------
    ValueError
        If a value is missing, there are more than two values, they have no order, or no row is labeled.

    Examples
    --------
    >>> read_labels(["no", "yes", "no"])
    (array(['no', 'yes'], dtype='<U3'), array([0, 1, 0], dtype=int8))
    """
    y = plain(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"observed labels must be one-dimensional, got shape {y.shape}")
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise ValueError("observed labels hold NaN: give unlabeled rows a code of their own, such as 0")
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError as error:  # values of several types
        raise ValueError(f"observed labels have no order: {error}") from None
    if len(classes) > 2:
        shown = ", ".join(map(repr, classes.tolist()[:5]))
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass: observed labels must have "
            f"two values, got {len(classes)}: {shown}"
        )
    if len(classes) == 2:
        return classes, codes.astype(np.int8)
    if len(classes) == 1 and classes[0] in (1, True):
        return np.array([0, 1], classes.dtype), np.ones(len(y), np.int8)
    shown = repr(classes.tolist()[0]) if len(classes) else "none"
    raise ValueError(f"no labeled positive: the observed labels hold one class, {shown}")


def observed_labels(y: ArrayLike) -> np.ndarray:
    """Observed labels as int8, 1 for labeled positives and 0 for unlabeled rows; see `read_labels`."""
    return read_labels(y)[1]
