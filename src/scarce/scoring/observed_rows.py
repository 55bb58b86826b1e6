"""Rows of many runs as a user without negatives sees them: observed labels, scores and predictions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scarce.scoring import without_negatives as estimate
from scarce.scoring.top import Top
from scarce.scoring.values import Values

BOUND_LEVEL = 0.05
"""One minus the confidence of the band around the recall, which bounds allow for."""


@dataclass(frozen=True, eq=False)
class ObservedRows:
    """Test or validation rows of runs, one line a run, without any true label.

    Parameters
    ----------
    s : ndarray of shape (n_runs, n_rows), bool
        Whether a row is labeled.
    scores : ndarray of shape (n_runs, n_rows)
    threshold : Values of shape (n_runs,)
        That of the study's decision, undefined where true labels choose it.
    predicted : ndarray of shape (n_runs, n_rows), bool
        By that threshold.
    scheme : {"one_sample", "two_sample"}
    prior : ndarray of shape (n_runs,)
        The class prior that methods are given; NaN where it is unknown.
    prior_interval : pair of float or None
        The smallest and the largest class prior, where an interval is known.
    lacking : str
        Why the runs have no such rows at all, or "".
    at_k, costs
        As in `scarce.scoring.runs.Runs`.
    """

    s: np.ndarray
    scores: np.ndarray
    threshold: Values
    predicted: np.ndarray
    scheme: str
    prior: np.ndarray
    prior_interval: tuple[float, float] | None = None
    lacking: str = ""
    at_k: float | None = None
    costs: tuple[float, float] | None = None

    @cached_property
    def problem(self) -> np.ndarray:
        """The reason why all metrics are undefined, or ""; shape (n_runs,)."""
        unlabeled, labeled = ~self.s.all(axis=1), self.s.any(axis=1)
        reason = np.where(unlabeled, "", "no unlabeled row among the rows that are scored")
        reason = np.where(labeled, reason, "no labeled row among the rows that are scored")
        reason = np.where(np.isfinite(self.scores).all(axis=1), reason, "scores that are not finite")
        return np.full(len(self.s), self.lacking) if self.lacking else reason

    @cached_property
    def usable(self) -> tuple[np.ndarray, np.ndarray]:
        """Observed labels and scores; scores that are not finite are 0, and `problem` says so."""
        return self.s, np.where(np.isfinite(self.scores), self.scores, 0.0)

    @cached_property
    def recall(self) -> np.ndarray:
        return estimate.recall(self.s, self.predicted)

    @cached_property
    def positive_rate(self) -> np.ndarray:
        return estimate.positive_rate(self.s, self.predicted, self.scheme)

    @cached_property
    def top(self) -> Top:
        """The rows with the highest scores, with k counted among those that are a sample of the population."""
        return estimate.top(*self.usable, self.at_k, self.scheme)

    @cached_property
    def pu_auc(self) -> np.ndarray:
        return estimate.pu_auc(*self.usable)

    @property
    def auc(self) -> np.ndarray:
        return estimate.auc_given_prior(self.pu_auc, estimate.unlabeled_prior(self.prior, self.s, self.scheme))

    @property
    def aul(self) -> np.ndarray:
        return estimate.aul(*self.usable, self.scheme)

    @property
    def average_precision(self) -> np.ndarray:
        return estimate.average_precision(*self.usable, self.prior, self.scheme)

    @property
    def lee_liu(self) -> np.ndarray:
        return estimate.lee_liu(self.recall, self.positive_rate)

    @property
    def accuracy_as_coded(self) -> np.ndarray:
        return estimate.accuracy_as_coded(self.s, self.predicted, self.prior, self.scheme)

    @property
    def precision_at_k(self) -> np.ndarray:
        return estimate.precision(self.top.recall, self.top.k / self.top.n, self.prior)

    @property
    def cost(self) -> np.ndarray:
        return estimate.cost(self.recall, self.positive_rate, self.prior, *(self.costs or (0.0, 0.0)))

    def given_prior(self, metric: str) -> np.ndarray:
        """A metric that follows from recall, share predicted positive and class prior: accuracy, precision, f1, mcc."""
        return getattr(estimate, metric)(self.recall, self.positive_rate, self.prior)

    def risk(self, *, non_negative: bool) -> np.ndarray:
        """PU risk of the zero-one loss."""
        margins = np.where(self.predicted, 1.0, -1.0)
        return estimate.pu_risk(self.s, margins, self.prior, self.scheme, non_negative=non_negative)

    def bounds(self, metric: str) -> tuple[np.ndarray, np.ndarray]:
        """Smallest and largest value of a metric, see `without_negatives.bounds` and `auc_bounds`."""
        if self.prior_interval is None:
            return (np.full(len(self.s), np.nan),) * 2
        margin = estimate.recall_margin(self.s.sum(axis=1), BOUND_LEVEL)
        low, high = self.prior_interval
        if self.scheme == "one_sample":  # all labeled rows are positives
            low, high = (np.maximum(end, estimate.labeled_share(self.s)) for end in (low, high))
        if metric != "auc":
            return estimate.bounds(metric, self.recall, self.positive_rate, (low, high), margin)
        shares = [estimate.unlabeled_prior(end, self.s, self.scheme) for end in (low, high)]
        return estimate.auc_bounds(self.pu_auc, shares, margin)
