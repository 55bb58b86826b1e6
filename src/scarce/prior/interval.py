"""Intervals of the class prior, and when an estimate is not to be relied on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scarce.prior.evidence import FEWEST_LABELED, unlabeled_shares

MOST_OUTSIDE = 1.25
"""An estimate may lie outside of what the labels admit by this factor."""
MOST_OPEN = 5.0
"""An interval whose ends are further apart than this factor, two or so to either side, leaves the prior open."""
MOST_SPREAD = 3.0
"""Estimates of half of the rows that are further apart than this factor are of chance."""


def limits(X: np.ndarray, s: np.ndarray, level: float) -> tuple[float, float]:
    """The smallest and the largest class prior that the labels admit, each wrong with probability (1 - level) / 2.

    The labeled share is certain of these rows, and so is that one row at least is negative. What lies between is
    narrowed down by `unlabeled_shares`.
    """
    labeled = float(s.mean())
    low, high = (labeled + (1 - labeled) * share for share in unlabeled_shares(X, s, (1 - level) / 2))
    return low, min(high, 1 - 1 / len(s))


def doubt(estimate: float, low: float, high: float, labeled: int) -> str:
    """Why the labels do not bear the estimate out, in one line, or ""."""
    if labeled < FEWEST_LABELED:
        return f"only {labeled} labeled rows, fewer than {FEWEST_LABELED}"
    if estimate > MOST_OUTSIDE * high:
        return f"the labels admit a class prior of {high:.3g} at the most, and the estimate is {estimate:.3g}"
    if estimate < low / MOST_OUTSIDE:
        return f"the labels admit a class prior of {low:.3g} at the least, and the estimate is {estimate:.3g}"
    if high > MOST_OPEN * low:
        return f"the labels admit any class prior from {low:.3g} to {high:.3g}: classes overlap, or labels are too few"
    return ""


def halves(
    estimate: Callable[[np.ndarray], float], s: np.ndarray, n_resamples: int, random_state: np.random.RandomState
) -> np.ndarray:
    """Estimates from random halves of the labeled and of the unlabeled rows, drawn without replacement.

    Their variance is that of an estimate from all rows [1]_. No row is drawn twice, as it is by a bootstrap of all
    rows, so that no copy of a row that a fold holds out trains its classifier.

    References
    ----------
    .. [1] Politis, Romano (1994), Large sample confidence regions based on subsamples under minimal assumptions. Of a
       finite sample of n rows, half without replacement: (1 - 1/2) / (n/2) = 1 / n.
    """
    parts = [np.flatnonzero(s), np.flatnonzero(~s)]
    estimates = []
    for _ in range(n_resamples):
        rows = np.concatenate([random_state.choice(part, (len(part) + 1) // 2, replace=False) for part in parts])
        estimates.append(estimate(rows))
    return np.array(estimates)


def spread(estimates: np.ndarray) -> str:
    """Why estimates of halves of the rows do not agree, in one line, or ""."""
    low, high = min(estimates), max(estimates)
    if high > MOST_SPREAD * low:
        return f"halves of the rows give estimates from {low:.3g} to {high:.3g}"
    return ""
