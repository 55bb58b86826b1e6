"""Propensities e(x), the probability that the label of a positive with features x is observed, as pure functions.

A *shape* says how e depends on x; `scaled` or `shifted` turn it into propensities with a chosen mean over the
positives. `drawn` draws labels by them.
"""

from __future__ import annotations

import math

import numpy as np

from scarce.labels.records import Impossible

#: Steps between two places of a permutation that a draw tells apart.
FINE = 2**20
#: Size from which a shape is as good as infinite beside 1, and a sum of them still a number.
HUGE = 1e100


def positions(X: np.ndarray) -> np.ndarray:
    """Place of each value between the smallest (0) and the largest (1) of its column, shape (n, d).

    A column that does not vary has 1/2 everywhere; a missing cell has the mean of its column.

    >>> positions(np.array([[1.0, 7.0], [3.0, 7.0], [np.nan, np.nan]])).tolist()
    [[0.0, 0.5], [1.0, 0.5], [0.5, 0.5]]
    """
    X = np.asarray(X, float) / 2  # the range of a column of the largest doubles does not overflow
    low, high = (np.where(np.isnan(X), empty, X).min(0, initial=np.inf) for X, empty in ((X, np.inf), (-X, np.inf)))
    span = -high - low
    varies = np.isfinite(span) & (span > 0)
    places = np.full(X.shape, 0.5)
    places[:, varies] = (X[:, varies] - low[varies]) / span[varies]
    missing = np.isnan(places)
    if missing.any():
        places[missing] = np.broadcast_to(np.nanmean(places, 0), places.shape)[missing]
    return places


def standardised(X: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and standard deviation 1; 0 where a column does not vary."""
    places = positions(X)
    deviation = places.std(0)
    return (places - places.mean(0)) / np.where(deviation > 0, deviation, 1)


def product(X: np.ndarray, low: float, high: float) -> np.ndarray:
    """Geometric mean of the columns, each scaled to [low, high], shape (n,).

    References
    ----------
    Bekker, Robberechts & Davis (2019), section 6: the product over k attributes of their scaled values to the power
    1/k.
    """
    return np.prod(low + (high - low) * positions(X), axis=1) ** (1 / X.shape[1])


def posterior(X: np.ndarray, y: np.ndarray, categorical: np.ndarray) -> np.ndarray:
    """P(y = 1 | x) of a logistic regression on the true labels, shape (n,), in (0, 1).

    Numbers are standardised; a nominal column becomes an indicator for each of its levels.
    """
    from sklearn.linear_model import LogisticRegression

    if y.all():
        return np.ones(len(y))
    codes = [(X[:, j, None] == np.unique(X[:, j])).astype(float) for j in np.flatnonzero(categorical)]
    features = np.hstack([standardised(X[:, ~categorical]), *codes])
    return LogisticRegression(max_iter=1000).fit(features, y).predict_proba(features)[:, 1]


def power(values: np.ndarray, exponent: float, positive: np.ndarray, mean: float) -> np.ndarray:
    """Non-negative values to a power, as a shape for `scaled` with the same positives and mean, shape (n,).

    They are shares of the largest one. Where positives that must have a label in the mean would underflow, they are
    multiples of the value of the last of these. Larger ones have a propensity of 1 then, so that the size at which they
    are cut off does not matter.

    >>> power(np.array([0.6, 0.5, 0.0]), 2, np.ones(3, bool), 1 / 3).round(3).tolist()
    [1.0, 0.694, 0.0]
    """
    unit, heights = values.max(), np.sort(values[positive])
    last = heights[-math.ceil(round(mean * len(heights), 6))]
    if last > 0 and (last / unit) ** exponent < 1 / HUGE:
        return np.minimum(values / last, HUGE ** (1 / exponent)) ** exponent
    return (values / unit) ** exponent


def scaled(shape: np.ndarray, positive: np.ndarray, mean: float) -> np.ndarray:
    """Propensities min(1, a shape), with the factor a that gives the positives the mean.

    Parameters
    ----------
    shape : ndarray of shape (n,)
        Non-negative.
    positive : ndarray of shape (n,), bool
    mean : float
        In (0, 1).

    Raises
    ------
    Impossible
        If fewer than that share of the positives have a shape above 0.

    Examples
    --------
    >>> scaled(np.array([1.0, 2.0, 9.0, 4.0]), np.array([True, True, True, False]), 0.6).round(3).tolist()
    [0.267, 0.533, 1.0, 1.0]
    """
    heights = np.sort(shape[positive])[::-1]
    wanted, above = mean * len(heights), int((heights > 0).sum())
    if above + 1e-9 < wanted:
        raise Impossible(
            f"{wanted:g} labels are wanted in the mean, and {above} of {len(heights)} positives can have one: the "
            "propensity of the others is 0"
        )
    rest = np.cumsum(heights[::-1])[::-1]  # the sum from each place on
    for whole in range(above):  # so many have a propensity of 1
        factor = (wanted - whole) / rest[whole]
        if factor * heights[whole] <= 1:
            return np.minimum(1, factor * shape)
    return (shape > 0).astype(float)


def shifted(score: np.ndarray, positive: np.ndarray, mean: float) -> np.ndarray:
    """Propensities 1 / (1 + exp(-(score + b))), with the shift b that gives the positives the mean in (0, 1).

    >>> shifted(np.array([-1.0, 0.0, 1.0]), np.ones(3, bool), 0.5).round(3).tolist()
    [0.269, 0.5, 0.731]
    """
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    of_positives = score[positive]
    around = logit(mean) - np.array([of_positives.max(), of_positives.min()])
    if around[0] == around[1]:
        return expit(score + around[0])
    shift = brentq(lambda b: expit(of_positives + b).mean() - mean, *around, xtol=1e-14, rtol=1e-14)
    return expit(score + shift)


def drawn(propensity: np.ndarray, seed: int) -> np.ndarray:
    """Draw labels of n positives: each is labeled with exactly its propensity, shape (n,), bool.

    The positives are put in random order, that of `scarce.labels.labelings.scar.scar_flip` with the same seed, and
    positive i at place r_i gets the number u_i = (r_i + v_i) / n, with v_i uniform in (0, 1). It is labeled where
    u_i >= 1 - e_i. Each u_i is uniform in (0, 1), so the probability is e_i; together they fill (0, 1) evenly, so the
    number of labels varies less than with independent draws. Where all propensities are k / n, exactly the last k of
    the order are labeled, which is what `scar_flip` leaves labeled.

    For one seed, whoever is labeled is labeled as well with larger propensities.
    """
    n = len(propensity)
    place = np.empty(n)
    place[np.random.RandomState(seed).permutation(n)] = np.arange(n)
    # the middle of a fine step: no rounding of n (1 - e) moves a row over its threshold
    between = (np.random.RandomState([seed, 1]).randint(FINE, size=n) + 0.5) / FINE
    return place + between >= n * (1 - propensity)
