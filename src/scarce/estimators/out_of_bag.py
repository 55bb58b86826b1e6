"""Out-of-bag scores: each training row is scored by the members of an ensemble whose bag it is not in."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from scarce.estimators import checks
from scarce.estimators.types import ArrayLike, Weighted


class OutOfBagMixin:
    """The parameter ``oob_score`` and the attribute ``oob_decision_function_`` of an ensemble of bags.

    A subclass calls `_set_out_of_bag` at the end of ``_learn``.
    """

    oob_score: bool

    def _check_parameters(self) -> None:
        checks.choice("oob_score", self.oob_score, (True, False))
        super()._check_parameters()  # type: ignore[misc]

    def _weighted_rows(self, X: np.ndarray, s: np.ndarray, sample_weight: ArrayLike | None) -> Weighted:
        rows = super()._weighted_rows(X, s, sample_weight)  # type: ignore[misc]
        if self.oob_score and len(rows[0]) < len(X):
            raise ValueError("oob_score=True needs weights above 0: a row of weight 0 is in no bag and out of none")
        return rows

    def _set_out_of_bag(self, scores: np.ndarray | None) -> None:
        """Set ``oob_decision_function_`` to scores of the positive class; None removes that of an earlier fit."""
        vars(self).pop("oob_decision_function_", None)
        if scores is not None:
            self.oob_decision_function_ = np.column_stack([1.0 - scores, scores])


def out_of_bag_means(n_rows: int, members: Iterable[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Mean score of each row over the members that score it, shape (n_rows,); NaN where none does.

    `members` gives the rows out of each bag, and the scores that its member gives them.

    >>> out_of_bag_means(3, [([0, 1], [0.5, 1.0]), ([1], [0.0])])
    array([0.5, 0.5, nan])
    """
    sums, counts = np.zeros(n_rows), np.zeros(n_rows)
    for rows, scores in members:
        sums[rows] += scores
        counts[rows] += 1
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
