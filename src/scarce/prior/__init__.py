"""The class prior, estimated from labeled positives and unlabeled rows.

All rows are one sample (single-training-set setting), and some of its positives are labeled. The prior is the share of
positives among all rows, labeled ones included. It lies between the share of labeled rows and 1. The estimators are
imported when they are first used.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scarce.registry import Method
from scarce.words import did_you_mean

if TYPE_CHECKING:
    import numpy as np

    from scarce.estimators.types import ArrayLike, Seed


@dataclass(frozen=True)
class PriorEstimator(Method):
    """An estimator: its code, its assumption beside SCAR, its source and its cost.

    Half of the rows are estimated from with the settings `of_half`.
    """

    cost: str
    of_half: dict[str, Any] = field(default_factory=dict)


class DoubtfulPrior(UserWarning):
    """An estimate of the class prior is not to be relied on."""


@dataclass(frozen=True)
class PriorInterval:
    """An estimate of the class prior, and the interval of what the labels admit.

    Parameters
    ----------
    method : str
        The estimator.
    estimate : float
        In (0, 1).
    low, high : float
        Ends of the interval, which covers the class prior with a probability of at least `level`.
    level : float
        In (0, 1).
    abstains : str
        Why the estimate is not to be relied on, in one line; "" where nothing speaks against it.
    """

    method: str
    estimate: float
    low: float
    high: float
    level: float
    abstains: str = ""


LEVEL = 0.9
"""Probability with which an interval covers the class prior, where no other is asked for."""

ESTIMATORS: dict[str, PriorEstimator] = {
    one.key: one
    for one in (
        PriorEstimator(
            "tice",
            "scarce.prior.tice:tice",
            assumption="some box of the feature space holds positives only",
            source="Bekker & Davis 2018",
            cost="linear in rows and features: a fraction of a second for 10,000 rows",
        ),
        PriorEstimator(
            "km2",
            "scarce.prior.km2:km2",
            assumption="the negatives are no mixture that holds the positives",
            source="Ramaswamy, Scott & Tewari 2016",
            cost="cubic in rows, so at most 800 of them are drawn: seconds, a minute or more for many columns",
            of_half={"max_rows": 400},
        ),
        PriorEstimator(
            "elkan_noto",
            "scarce.prior.elkan_noto:elkan_noto",
            assumption="positives and negatives do not overlap, and a logistic model of s given x holds",
            source="Elkan & Noto 2008, estimator e1",
            cost="five logistic regressions",
        ),
        PriorEstimator(
            "bbe",
            "scarce.prior.bbe:bbe",
            assumption="the rows with the largest scores are positives",
            source="Garg, Wu, Smola, Balakrishnan & Lipton 2021",
            cost="five logistic regressions",
        ),
        PriorEstimator(
            "dedpul",
            "scarce.prior.dedpul:dedpul",
            assumption="where labeled rows are densest beside unlabeled ones, all are positives",
            source="Ivanov 2020",
            cost="five logistic regressions, and quadratic in rows, of which at most 3,000 are drawn: a second",
        ),
    )
}


def find_estimator(method: str) -> PriorEstimator:
    """An estimator by name; raises ValueError, with the closest name, if there is none."""
    if method not in ESTIMATORS:
        raise ValueError(f"no estimator of the class prior is named {method!r} ({did_you_mean(method, ESTIMATORS)})")
    return ESTIMATORS[method]


def estimate_class_prior(
    X: ArrayLike, s: ArrayLike, method: str = "tice", random_state: Seed = None, **settings: Any
) -> float:
    """Estimate the share of positives among all rows from labeled positives and unlabeled rows.

    All rows are one sample (single-training-set setting) and labels are selected completely at random (SCAR).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers without gaps, nominal columns as indicators. Every estimator scales the columns itself.
    s : array-like of shape (n_samples,)
        Observed labels: of two values the larger means labeled positive.
    method : {"tice", "km2", "elkan_noto", "bbe", "dedpul"}, default="tice"
        See `ESTIMATORS`.
    random_state : int, RandomState instance or None, default=None
        Of folds and of rows that are drawn.
    **settings
        Further arguments of the estimator, e.g. ``max_rows`` of km2.

    Returns
    -------
    float
        In [labeled share, 1 - 1/n_samples]: at least the labeled rows are positive, and at least one row is negative.

    Raises
    ------
    ValueError
        If no row or every row is labeled, or the estimator cannot work with so few labeled rows.

    Warns
    -----
    DoubtfulPrior
        If there are fewer than five labeled rows, the labels do not admit the estimate, or they leave the prior open.
        `class_prior_interval` says what they admit, and looks at halves of the rows as well.

    References
    ----------
    Bekker, Davis (2018), Estimating the class prior in positive and unlabeled data through decision tree induction,
    AAAI. Ramaswamy, Scott, Tewari (2016), Mixture proportion estimation via kernel embedding of distributions, ICML.
    Elkan, Noto (2008), Learning classifiers from only positive and unlabeled data, KDD. Garg, Wu, Smola, Balakrishnan,
    Lipton (2021), Mixture proportion estimation and PU learning: a modern approach, NeurIPS. Ivanov (2020), DEDPUL:
    difference-of-estimated-densities-based positive-unlabeled learning, ICMLA.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.arange(1000) % 5 == 0  # 20 % positives, half of them labeled
    >>> X, s = y + 0.1 * np.random.RandomState(0).normal(size=1000), y & (np.arange(1000) % 2 == 0)
    >>> 0.15 < estimate_class_prior(X.reshape(-1, 1), s, random_state=0) < 0.25
    True
    """
    from scarce.prior import interval

    rows, labeled = _checked(X, s)
    estimate = _estimate(rows, labeled, method, random_state, settings)
    if reason := interval.doubt(estimate, *interval.limits(rows, labeled, LEVEL), int(labeled.sum())):
        message = f"the class prior by {method} is not to be relied on: {reason}"
        warnings.warn(message, DoubtfulPrior, stacklevel=2)
    return estimate


def class_prior_interval(
    X: ArrayLike,
    s: ArrayLike,
    method: str = "tice",
    *,
    level: float = LEVEL,
    n_resamples: int = 10,
    random_state: Seed = None,
    **settings: Any,
) -> PriorInterval:
    """An interval of the class prior, and whether an estimate of it is to be relied on.

    Estimates err upwards where classes overlap, and a bootstrap repeats their error. The interval therefore is what the
    labels admit, whatever the method (`scarce.prior.evidence`), widened to the estimate where that lies a little
    outside. Its upper end needs SCAR only. Its lower end is the labeled share, which is certain, or more where there
    are enough labeled rows and, by assumption, negatives get rarer towards the largest scores of a linear classifier.

    The method abstains where there are fewer than five labeled rows, where its estimate lies outside by a factor of
    1.25, where the ends are a factor of five apart, and where estimates of random halves of the rows, drawn without
    replacement in place of a bootstrap, are a factor of three apart.

    Parameters
    ----------
    X, s, method
        See `estimate_class_prior`, whose estimate it is.
    level : float, default=0.9
        Probability, in (0, 1), with which the interval covers the prior at least.
    n_resamples : int, default=10
        Halves of the rows whose estimates are compared; 0 compares none. Each costs an estimate (km2: of 400 rows).
    random_state, **settings
        See `estimate_class_prior`.

    Returns
    -------
    PriorInterval
        With the estimate that `estimate_class_prior` gives for the same arguments.

    Raises
    ------
    ValueError
        As `estimate_class_prior`, and if `level` or `n_resamples` is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.arange(1000) % 5 == 0  # 20 % positives, half of them labeled
    >>> X, s = y + 0.1 * np.random.RandomState(0).normal(size=1000), y & (np.arange(1000) % 2 == 0)
    >>> found = class_prior_interval(X.reshape(-1, 1), s, "bbe", random_state=0)
    >>> 0.1 <= found.low < 0.2 < found.high < 0.25, found.abstains
    (True, '')
    """
    from sklearn.utils import check_random_state

    from scarce.prior import interval

    if not 0 < level < 1:
        raise ValueError(f"level must be in (0, 1), got {level!r}")
    if n_resamples < 0:
        raise ValueError(f"n_resamples must not be negative, got {n_resamples!r}")
    rows, labeled = _checked(X, s)
    random = check_random_state(random_state)
    estimate = _estimate(rows, labeled, method, random, settings)
    low, high = interval.limits(rows, labeled, level)
    reason = interval.doubt(estimate, low, high, int(labeled.sum()))
    if n_resamples and not reason:
        of_half = find_estimator(method).of_half | settings

        def estimate_of(half: np.ndarray) -> float:
            return _estimate(rows[half], labeled[half], method, random, of_half)

        reason = interval.spread(interval.halves(estimate_of, labeled, n_resamples, random))
    if not reason:
        low, high = min(low, estimate), max(high, estimate)
    return PriorInterval(method, estimate, low, high, level, reason)


def _checked(X: ArrayLike, s: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Features in units that do not overflow, and a mask of labeled rows."""
    import numpy as np
    from sklearn.utils import check_array

    from scarce.estimators.observed import observed_labels
    from scarce.estimators.scaling import flat_columns, unit_of

    rows = check_array(X, dtype=float)
    rows = np.where(np.logical_or(*flat_columns(rows)), 0, rows)
    rows = rows / unit_of(rows)  # every estimator scales the columns; extreme sizes would overflow
    labeled = observed_labels(s) == 1
    if len(labeled) != len(rows):
        raise ValueError(f"inconsistent numbers of samples: {len(rows)} rows and {len(labeled)} observed labels")
    if labeled.all():
        raise ValueError("no unlabeled row: every row is a labeled positive")
    return rows, labeled


def _estimate(X: np.ndarray, s: np.ndarray, method: str, random_state: Seed, settings: dict[str, Any]) -> float:
    from sklearn.utils import check_random_state

    estimate = find_estimator(method).load()
    prior = float(estimate(X, s, random_state=check_random_state(random_state), **settings))
    return min(max(prior, float(s.mean())), 1 - 1 / len(s))
