"""Runs as the metrics see them: true labels, saved scores, and every threshold and count computed once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from scarce.scoring.metrics import BY_TRUE_LABELS
from scarce.scoring.observed_rows import ObservedRows
from scarce.scoring.ranking import Ranking
from scarce.scoring.thresholds import best_f1
from scarce.scoring.top import Top, top_of
from scarce.scoring.values import Values, defined

FIXED = ("f1_default", "f1_prior")
DECISIONS = (*FIXED, "f1_validation", "f1_observed", "f1_oracle")
"""The metrics whose threshold a study may decide by."""


def strictly(decision: str, search: str, *, strict: bool) -> bool:
    """Whether positive is ``score > threshold``, else ``>=``; `strict` is what the method says, see `Runs`."""
    return strict and (search != "sweep" or decision in FIXED)


@dataclass(frozen=True, eq=False)
class Runs:
    """What runs with equally many rows leave behind for the metrics; one line a run.

    Parameters
    ----------
    y_test : ndarray of shape (n_runs, n_test)
        True labels, 1 or 0.
    test_scores : ndarray of shape (n_runs, n_test)
        Larger for positives.
    y_validation, s_validation, validation_scores : ndarray of shape (n_runs, n_validation)
        True and observed labels and scores of the rows that choose a threshold; no columns where there are none.
    class_prior : ndarray of shape (n_runs,)
        The threshold of ``f1_prior``; NaN where it is unknown.
    decision : str
        One of `DECISIONS`: its threshold is that of precision, recall, accuracy and f1_negative.
    search : {"grid", "sweep"}
        How thresholds are chosen, see `best_f1`.
    strict : bool
        Positive is ``score > threshold`` on the grid and at fixed thresholds; else, and always after a sweep, ``>=``.
    s_test : ndarray of shape (n_runs, n_test) or None
        Observed labels of the test rows, where the class column is the observed label. Then true labels are all -1.
    scheme : {"one_sample", "two_sample", ""}
        Sample scheme of the observed labels; "" where the method saw true labels instead.
    prior_interval : pair of float or None
        The smallest and the largest class prior, where the study states an interval.
    at_k : int, float or None
        Rows, or share of the rows, that metrics at k look at, where the study states it.
    costs : pair of float or None
        Costs of a false positive and of a false negative, where the study states them.
    """

    y_test: np.ndarray
    test_scores: np.ndarray
    y_validation: np.ndarray
    s_validation: np.ndarray
    validation_scores: np.ndarray
    class_prior: np.ndarray
    decision: str = "f1_validation"
    search: str = "sweep"
    strict: bool = True
    s_test: np.ndarray | None = None
    scheme: str = "one_sample"
    prior_interval: tuple[float, float] | None = None
    at_k: float | None = None
    costs: tuple[float, float] | None = None
    _counts: dict[str, tuple[np.ndarray, ...]] = field(default_factory=dict, init=False, repr=False)
    _observed: dict[str, ObservedRows] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def y(self) -> np.ndarray:
        """True labels of the test rows, bool."""
        return self.y_test == 1

    @cached_property
    def ranking(self) -> Ranking:
        """Test rows by score; `problem` says where their scores are not finite."""
        return Ranking(self.test_scores, self.y)

    @cached_property
    def top(self) -> Top:
        """The test rows with the highest scores; `problem` says where their scores are not finite."""
        return top_of(np.nan_to_num(self.test_scores), self.y, self.at_k)

    @cached_property
    def problem(self) -> np.ndarray:
        """The reason why all metrics are undefined, or ""; shape (n_runs,)."""
        if not self.ranking.n_rows:
            return np.full(len(self.y), "no test row")
        return np.where(self.ranking.finite, "", "test scores that are not finite")

    @cached_property
    def no_positive(self) -> np.ndarray:
        """The reason why metrics of the positives are undefined, or ""; shape (n_runs,)."""
        return np.where(self.y.any(axis=1), "", "no positive among the test rows")

    @cached_property
    def one_class(self) -> np.ndarray:
        """The reason why metrics that need both classes are undefined, or ""; shape (n_runs,)."""
        return np.where(self.y.all(axis=1), "no negative among the test rows", self.no_positive)

    @cached_property
    def thresholds(self) -> dict[str, Values]:
        """The threshold of every decision."""

        def best(ranking: Ranking) -> Values:
            return best_f1(ranking, self.search, self.strict)

        no_prior = np.where(np.isfinite(self.class_prior), "", "no class prior")
        return {
            "f1_default": defined(np.full(len(self.y), 0.5)),
            "f1_prior": defined(self.class_prior).unless(no_prior),
            "f1_validation": best(Ranking(self.validation_scores, self.y_validation == 1)),
            "f1_observed": best(Ranking(self.validation_scores, self.s_validation == 1)),
            "f1_oracle": best(self.ranking),
        }

    def threshold(self, decision: str | None = None) -> Values:
        """The threshold of a decision (None: the study's)."""
        return self.thresholds[decision or self.decision]

    def predicted(self, scores: np.ndarray, decision: str) -> np.ndarray:
        """Which rows with these scores the threshold of a decision takes for positives."""
        above = np.greater if strictly(decision, self.search, strict=self.strict) else np.greater_equal
        return above(scores, self.thresholds[decision].value[:, None])

    @cached_property
    def of_validation(self) -> Runs:
        """The same runs with validation rows in the place of test rows; thresholds stay, but for f1_oracle's."""
        return replace(self, y_test=self.y_validation, test_scores=self.validation_scores, s_test=None)

    def observed(self, part: str) -> ObservedRows:
        """The validation or the test rows as a user without negatives sees them."""
        if part not in self._observed:
            lacking = "" if self.scheme else "the method saw true labels"
            s, scores = self.s_validation, self.validation_scores
            if part == "test":
                s, scores = self.s_test, self.test_scores
            if s is None:
                s, lacking = np.zeros(scores.shape, bool), "test rows have no observed labels"
            if not s.shape[1]:
                lacking = f"no {part} row"
            threshold = self.threshold()
            if self.decision in BY_TRUE_LABELS:
                threshold = threshold.unless(f"true labels choose the threshold of {self.decision}")
            predicted = self.predicted(scores, self.decision)
            self._observed[part] = ObservedRows(
                s == 1, scores, threshold, predicted, self.scheme or "one_sample", self.class_prior,
                self.prior_interval, lacking, self.at_k, self.costs,
            )  # fmt: skip
        return self._observed[part]

    def counts(self, decision: str | None = None) -> tuple[np.ndarray, ...]:
        """True positives, false positives, false negatives, true negatives of the test rows, each of shape (n_runs,).

        Meaningless where the threshold of the decision is undefined; see `Values.unless`.
        """
        decision = decision or self.decision
        if decision not in self._counts:
            predicted = self.predicted(self.test_scores, decision)
            tp, fp = (predicted & self.y).sum(axis=1), (predicted & ~self.y).sum(axis=1)
            self._counts[decision] = tp, fp, self.y.sum(axis=1) - tp, (~self.y).sum(axis=1) - fp
        return self._counts[decision]
