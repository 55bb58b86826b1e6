"""How many data sets tell two methods apart, by the tests of average ranks in `scarce.analysis.tests`.

With k methods on N data sets the difference D of two average ranks is significant where |D| >= q sqrt(k (k + 1) / 6N).
Of two methods whose ranks differ by d in expectation, with the standard deviation sd over data sets, D is close to
normal with mean d and standard deviation sd / sqrt(N). So it is significant, and the right way round, with probability

    power(N) = Phi((d sqrt(N) - q sqrt(k (k + 1) / 6)) / sd).
"""

from __future__ import annotations

import math

from scarce.analysis.tests import nemenyi_q


def quantile(k: int, alpha: float, test: str) -> float:
    """q of a test at a level: "pair" compares two methods alone, "nemenyi" all pairs of k methods."""
    from scipy.special import ndtri

    if test not in ("pair", "nemenyi"):
        raise ValueError(f"test is pair or nemenyi, not {test!r}")
    return nemenyi_q(k, alpha) if test == "nemenyi" else float(ndtri(1 - alpha / 2))


def power(n: int, difference: float, sd: float, k: int, *, alpha: float = 0.05, test: str = "pair") -> float:
    """Probability that a test finds a difference of two average ranks.

    Parameters
    ----------
    n : int
        Data sets.
    difference : float
        Expected difference of the ranks, above 0.
    sd : float
        Standard deviation over data sets of that difference, at least 0.
    k : int
        Methods that are ranked together.
    alpha : float
        Level of the two-sided test.
    test : {"pair", "nemenyi"}
        See `quantile`.

    Examples
    --------
    >>> round(power(64, difference=1.0, sd=4.0, k=13), 2)
    0.24
    """
    from scipy.special import ndtr

    gap = difference * math.sqrt(n) - _limit(k, alpha, test)
    return float(ndtr(gap / sd)) if sd > 0 else float(gap >= 0)


def datasets_needed(
    difference: float, sd: float, k: int, *, alpha: float = 0.05, power: float = 0.8, test: str = "pair"
) -> int:
    """The smallest number of data sets, at least 2, with which a test finds a difference with some probability.

    The other parameters are those of the function `power`.

    Examples
    --------
    >>> datasets_needed(1.0, sd=4.0, k=13)
    201
    """
    from scipy.special import ndtri

    if difference <= 0 or sd < 0 or not 0 < power < 1:
        raise ValueError("the difference is above 0, sd is at least 0, power lies between 0 and 1")
    root = (_limit(k, alpha, test) + float(ndtri(power)) * sd) / difference
    return max(2, math.ceil(max(root, 0.0) ** 2))


def _limit(k: int, alpha: float, test: str) -> float:
    """The smallest significant difference, times sqrt(N)."""
    return quantile(k, alpha, test) * math.sqrt(k * (k + 1) / 6)
