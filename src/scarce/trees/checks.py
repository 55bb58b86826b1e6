"""Checks of constructor parameters, one clear message each."""

from __future__ import annotations

import math
from numbers import Integral, Real

import numpy as np


def choice(name: str, value, allowed: tuple):
    """The value, which must be one of ``allowed``: strings by value, True and False as such."""
    if isinstance(value, np.bool_):
        value = bool(value)
    for option in allowed:
        if value is option or (isinstance(option, str) and isinstance(value, str) and value == option):
            return option
    raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def whole(name: str, value, least: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be an integer of at least {least}, got {value!r}")
    return int(value)


def count_or_share(name: str, value, of: int, least: int, *, up: bool) -> int:
    """An integer of at least ``least``, or a share in (0, 1] of ``of``, rounded up or down."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        return whole(name, value, least)
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < value <= 1.0:
        raise ValueError(f"{name} must be an integer of at least {least} or a share in (0, 1], got {value!r}")
    return max(least, math.ceil(value * of) if up else int(value * of))


def features_per_node(value, n_features: int) -> int:
    """``max_features`` as a number: None is all; "sqrt", "log2", an integer or a share as scikit-learn reads them."""
    if value is None:
        return n_features
    if isinstance(value, str):
        choice("max_features", value, ("sqrt", "log2"))
        return max(1, int(np.sqrt(n_features) if value == "sqrt" else np.log2(n_features)))
    return count_or_share("max_features", value, n_features, 1, up=False)


def columns(name: str, value, n_features: int) -> np.ndarray | None:
    """A mask of the features that indices or a mask tell; None for none of them."""
    if value is None:
        return None
    given = np.asarray(value)
    if given.ndim != 1 or (given.dtype != bool and given.size and not np.issubdtype(given.dtype, np.integer)):
        raise ValueError(f"{name} must be indices of features or a boolean mask, got {value!r}")
    if given.dtype == bool and len(given) != n_features:
        raise ValueError(f"{name} is a mask of {len(given)} features, there are {n_features}")
    if given.dtype != bool and given.size and not (given.min() >= 0 and given.max() < n_features):
        raise ValueError(f"{name} must be indices from 0 to {n_features - 1}, got {value!r}")
    mask = np.zeros(n_features, bool)
    mask[given if given.size else []] = True
    return mask if mask.any() else None


def prior(value) -> float:
    """A class prior strictly between 0 and 1."""
    if value is None:
        raise ValueError("class_prior is needed: the share of positives among all rows, a number in (0, 1)")
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < value < 1.0:
        raise ValueError(f"class_prior must be a number in (0, 1), got {value!r}")
    return float(value)
