"""Values of a metric for many runs, with the reason where a value is undefined. Imports numpy only when it computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
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
        import numpy as np

        reason = np.broadcast_to(np.asarray(reason), self.value.shape)
        undefined = reason != ""
        return Values(np.where(undefined, np.nan, self.value), np.where(undefined, reason, self.reason))


def defined(value: np.ndarray) -> Values:
    """Values that are defined in every run."""
    import numpy as np

    return Values(np.asarray(value, float), np.full(len(value), ""))


def ratio(above: np.ndarray, below: np.ndarray, reason: str) -> Values:
    """``above / below``; undefined for `reason` where `below` is 0."""
    import numpy as np

    return defined(above / np.where(below == 0, 1, below)).unless(np.where(below == 0, reason, ""))
