"""Values of a metric for many runs, with the reason where a value is undefined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Values(NamedTuple):
    """One number for each run.

    Parameters
    ----------
    value : ndarray of shape (n_runs,)
        NaN where the number is undefined; an undefined value is never 0.
    reason : ndarray of shape (n_runs,), text
        Why a value is undefined; "" where it is defined.
    """

    value: np.ndarray
    reason: np.ndarray

    def unless(self, reason: np.ndarray | str) -> Values:
        """Make the values undefined wherever `reason` is not ""; that reason replaces an earlier one."""
        reason = np.broadcast_to(np.asarray(reason), self.value.shape)
        undefined = reason != ""
        return Values(np.where(undefined, np.nan, self.value), np.where(undefined, reason, self.reason))


def defined(value: np.ndarray) -> Values:
    """Values that are defined in every run."""
    return Values(np.asarray(value, float), np.full(len(value), ""))


def ratio(above: np.ndarray, below: np.ndarray, reason: str) -> Values:
    """``above / below``; undefined for `reason` where `below` is 0."""
    return defined(above / np.where(below == 0, 1, below)).unless(np.where(below == 0, reason, ""))
