"""One run as the metrics see it: true labels, saved scores, and every threshold and count computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scarce.scoring.thresholds import Threshold, best_f1_grid, best_f1_sweep

FIXED = ("f1_default", "f1_prior")
DECISIONS = (*FIXED, "f1_validation", "f1_observed", "f1_oracle")
"""The metrics whose threshold a study may decide by."""


@dataclass(frozen=True)
class Run:
    """What one repeat of one method leaves behind for the metrics.

    Parameters
    ----------
    y_test : ndarray of shape (n_test,)
        True labels, 1 or 0.
    test_scores : ndarray of shape (n_test,)
        Larger for positives.
    y_validation, s_validation, validation_scores : ndarray of shape (n_validation,)
        True and observed labels and scores of the rows that choose a threshold; empty where there are none.
    class_prior : float
        The threshold of ``f1_prior``.
    decision : str
        The F1 metric whose threshold precision, recall, accuracy and f1_negative use, e.g. ``f1_validation``.
    search : {"grid", "sweep"}
        Where thresholds are looked for: `best_f1_grid` or `best_f1_sweep`.
    strict : bool
        Positive is ``score > threshold`` on the grid and at fixed thresholds; else, and always after a sweep, ``>=``.
    """

    y_test: np.ndarray
    test_scores: np.ndarray
    y_validation: np.ndarray
    s_validation: np.ndarray
    validation_scores: np.ndarray
    class_prior: float
    decision: str = "f1_validation"
    search: str = "sweep"
    strict: bool = True


class Evaluation:
    """A run with each threshold and each table of counts computed once."""

    def __init__(self, run: Run):
        if run.search not in ("grid", "sweep"):
            raise ValueError(f"threshold search must be grid or sweep, got {run.search!r}")
        if run.decision not in DECISIONS:
            raise ValueError(f"decision must be one of {', '.join(DECISIONS)}, got {run.decision!r}")
        self.run = run
        self.y = np.asarray(run.y_test) == 1
        self.score = np.asarray(run.test_scores, float)
        self._counts: dict[str, tuple[int, int, int, int]] = {}

    @cached_property
    def problem(self) -> str:
        """Why nothing can be computed, or ""."""
        if not len(self.y):
            return "no test row"
        if self.y.shape != self.score.shape:
            return f"{len(self.y)} test rows but scores of shape {self.score.shape}"
        return "" if np.isfinite(self.score).all() else "test scores that are not finite"

    @cached_property
    def one_class(self) -> str:
        """Why the test rows cannot be ranked, or ""."""
        if not self.y.any():
            return "no positive among the test rows"
        return "no negative among the test rows" if self.y.all() else ""

    @cached_property
    def thresholds(self) -> dict[str, Threshold]:
        run = self.run
        return {
            "f1_default": Threshold(0.5, None),
            "f1_prior": self._fixed(run.class_prior),
            "f1_validation": self._search(run.y_validation, run.validation_scores),
            "f1_observed": self._search(run.s_validation, run.validation_scores),
            "f1_oracle": self._search(self.y, self.score),
        }

    def _fixed(self, value: float | None) -> Threshold:
        known = value is not None and np.isfinite(value)
        return Threshold(float(value), None) if known else Threshold(None, None, "no class prior")

    def _search(self, labels, scores) -> Threshold:
        scores = np.asarray(scores, float)
        if not np.isfinite(scores).all():
            return Threshold(None, None, "validation scores that are not finite")
        if self.run.search == "grid":
            return best_f1_grid(labels, scores, strict=self.run.strict)
        return best_f1_sweep(labels, scores)

    def counts(self, decision: str) -> tuple[int, int, int, int]:
        """True positives, false positives, false negatives, true negatives of the test rows."""
        if decision not in self._counts:
            swept = self.run.search == "sweep" and decision not in FIXED
            threshold = self.thresholds[decision].value
            predicted = self.score > threshold if self.run.strict and not swept else self.score >= threshold
            tp, fp = int((predicted & self.y).sum()), int((predicted & ~self.y).sum())
            self._counts[decision] = tp, fp, int(self.y.sum()) - tp, int((~self.y).sum()) - fp
        return self._counts[decision]
