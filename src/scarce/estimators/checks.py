"""Checks of constructor parameters, one clear message each."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np


def choice(name: str, value: Any, allowed: tuple) -> Any:
    """The value, which must be one of ``allowed``: strings by value, True and False as such."""
    if isinstance(value, np.bool_):
        value = bool(value)
    for option in allowed:
        if value is option or (isinstance(option, str) and isinstance(value, str) and value == option):
            return option
    raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def whole(name: str, value: Any, least: int) -> int:
    """An integer of at least ``least``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be an integer of at least {least}, got {value!r}")
    return int(value)


def number(name: str, value: Any, allowed: str) -> float:
    """A real number in an interval that is written as "(0, 1)", "(0, 1]" or "[0, inf)"."""
    low, high = map(float, allowed[1:-1].split(","))
    real = isinstance(value, Real)
    above = real and (value >= low if allowed[0] == "[" else value > low)
    below = real and (value <= high if allowed[-1] == "]" else value < high)
    if isinstance(value, bool) or not (above and below):
        raise ValueError(f"{name} must be a number in {allowed}, got {value!r}")
    return float(value)


def count_or_share(name: str, value: Any, of: int, least: int, *, up: bool) -> int:
    """An integer of at least ``least``, or a share in (0, 1] of ``of``, rounded up or down."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        return whole(name, value, least)
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not (real and 0.0 < value <= 1.0):
        raise ValueError(f"{name} must be an integer of at least {least} or a share in (0, 1], got {value!r}")
    return max(least, math.ceil(value * of) if up else int(value * of))


def features_per_node(value: Any, n_features: int) -> int:
    """``max_features`` as a number: None is all; "sqrt", "log2", an integer or a share as scikit-learn reads them."""
    if value is None:
        return n_features
    if isinstance(value, str):
        choice("max_features", value, ("sqrt", "log2"))
        return max(1, int(np.sqrt(n_features) if value == "sqrt" else np.log2(n_features)))
    return count_or_share("max_features", value, n_features, 1, up=False)


def columns(name: str, value: Any, n_features: int) -> np.ndarray | None:
    """A mask of the features that ``value`` names by index or as a mask; None if it names none."""
    if value is None:
        return None
    places = np.asarray(value)
    if places.ndim != 1 or (places.dtype != bool and places.size and not np.issubdtype(places.dtype, np.integer)):
        raise ValueError(f"{name} must be indices of features or a boolean mask, got {value!r}")
    if places.dtype == bool and len(places) != n_features:
        raise ValueError(f"{name} is a mask of {len(places)} features, there are {n_features}")
    if places.dtype != bool and places.size and not (places.min() >= 0 and places.max() < n_features):
        raise ValueError(f"{name} must be indices from 0 to {n_features - 1}, got {value!r}")
    mask = np.zeros(n_features, bool)
    mask[places if places.size else []] = True
    return mask if mask.any() else None


def prior(value: Any) -> float:
    """A class prior strictly between 0 and 1."""
    if value is None:
        raise ValueError("class_prior is needed: a share of positives, a number in (0, 1)")
    return number("class_prior", value, "(0, 1)")
