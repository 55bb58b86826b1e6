"""What `scarce advise` finds out about a user's data: plain records, which `scarce.report.advised` puts into words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scarce.scoring import without_negatives as estimate
from scarce.scoring.observed_rows import ObservedRows
from scarce.scoring.values import defined
from scarce.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.proposal import Proposal
    from scarce.analysis.scar import ScarResult
    from scarce.prior import PriorInterval


SCAR = "labels selected completely at random (SCAR)"
ONE_SAMPLE = "all rows are one sample of the population"


@dataclass(frozen=True)
class TableFacts:
    """What was read: `doubts` are sentences of the preparation."""

    file: str
    label: str
    positive: str
    rows: int
    columns: int
    nominal: int
    labeled: int
    missing: int
    dropped: Sequence[str] = ()
    doubts: Sequence[str] = ()

    @property
    def labeled_share(self) -> float:
        return self.labeled / self.rows


@dataclass(frozen=True)
class PriorBounds:
    """Between what the class prior lies.

    Parameters
    ----------
    low, high : float
    told : float or None
        What methods are told; None where nothing between the bounds is more credible than the rest.
    assumes : tuple of str
    stated : bool
        Whether the user stated it.
    """

    low: float
    high: float
    told: float | None
    assumes: tuple[str, ...]
    stated: bool = False


@dataclass(frozen=True)
class MethodFacts:
    """One method on the user's data; `scores` are out-of-fold, in the order of the file, NaN where a fold failed.

    Parameters
    ----------
    method, label, why : str
    scores : ndarray of shape (n_rows,)
    fold : ndarray of shape (n_rows,)
        The fold in which each row was scored.
    thresholds : ndarray of shape (n_folds,)
        The best by F1 of observed labels on the validation rows of each fold; NaN where a fold has none.
    means : mapping of str to float
        Mean over folds of each metric.
    failed : str
        Why folds have no scores, or "".
    """

    method: str
    label: str
    why: str
    scores: np.ndarray
    fold: np.ndarray
    thresholds: np.ndarray
    means: Mapping[str, float]
    failed: str = ""

    @property
    def spread(self) -> tuple[float, float, float]:
        """Median, smallest and largest of the thresholds."""
        return tuple(float(one) for one in (np.nanmedian(self.thresholds), *self._ends))

    @property
    def _ends(self) -> tuple[float, float]:
        return np.nanmin(self.thresholds), np.nanmax(self.thresholds)

    def rows(self, s: np.ndarray, bounds: PriorBounds, threshold: float | None = None) -> ObservedRows:
        """All rows that have scores, with a threshold for all folds, or each fold's own."""
        scored = ~np.isnan(self.scores)
        cuts = self.thresholds[self.fold[scored]] if threshold is None else threshold
        scores = self.scores[scored][None]
        return ObservedRows(
            s[scored][None] == 1,
            scores,
            defined(np.zeros(1)),
            scores >= cuts,
            "one_sample",
            np.array([np.nan if bounds.told is None else bounds.told]),
            (bounds.low, bounds.high),
        )

    def threshold_at(self, share: float) -> float:
        """The score that a share of the rows reaches."""
        known = np.sort(self.scores[~np.isnan(self.scores)])[::-1]
        return float(known[min(max(round(share * len(known)), 1), len(known)) - 1])


def prior_bounds(priors: Sequence[PriorInterval], stated: tuple[float, float] | None) -> PriorBounds:
    """Bounds of the class prior: those that the user states, or those that the labels admit.

    All estimators have one interval, which holds whether they abstain or not; what differs is whether an estimate
    within is worth telling to methods (`scarce.prior.class_prior_interval`).

    Parameters
    ----------
    priors : sequence of PriorInterval
    stated : pair of float or None
    """
    if stated:
        low, high = stated
        return PriorBounds(low, high, math.sqrt(low * high), ("the class prior that you state",), stated=True)
    low, high = min(one.low for one in priors), max(one.high for one in priors)
    usable = [one for one in priors if not one.abstains]
    level = f"below, labeled rows are positive; above, where labels crowd (level {priors[0].level:g})"
    told = float(np.median([one.estimate for one in usable])) if usable else None
    by = [f"within, the median of {listed([one.method for one in usable])}"] if usable else []
    return PriorBounds(low, high, told, (SCAR, ONE_SAMPLE, level, *by))


def auc_bounds(mean: float, s: np.ndarray, bounds: PriorBounds) -> tuple[float, float]:
    """Bounds of the AUC from a mean PU AUC, with a 95 % band around the recall of all labeled rows."""
    line = s[None] == 1
    shares = [estimate.unlabeled_prior(end, line, "one_sample") for end in (bounds.low, bounds.high)]
    low, high = estimate.auc_bounds(np.array([mean]), shares, estimate.recall_margin(line.sum(axis=1)))
    return float(low[0]), float(high[0])


@dataclass(frozen=True)
class Findings:
    """Everything that the advice is made of.

    Parameters
    ----------
    dataset : str
        Name of the data set, and of its study.
    table : TableFacts
    priors : sequence of PriorInterval
    bounds : PriorBounds
    scar : sequence of ScarResult
    methods : sequence of MethodFacts
    left_out : sequence of str
        Labels of the methods that need a class prior and were not fitted without one.
    metric : str
        The metric that orders the methods.
    pairs : DataFrame
        Rows of stats/pairs.csv for it.
    proposal : Proposal
    similar : DataFrame
        See `scarce.analysis.similar_sets.similar`.
    s : ndarray of shape (n_rows,)
        Observed labels.
    """

    dataset: str
    table: TableFacts
    priors: Sequence[PriorInterval]
    bounds: PriorBounds
    scar: Sequence[ScarResult]
    methods: Sequence[MethodFacts]
    left_out: Sequence[str]
    metric: str
    pairs: pd.DataFrame
    proposal: Proposal
    similar: pd.DataFrame
    s: np.ndarray

    @property
    def proposed(self) -> MethodFacts:
        return next(one for one in self.methods if one.method == self.proposal.method)
