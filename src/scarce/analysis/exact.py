"""Exact p-values: of Friedman's statistic and those that follow from it, and of Wilcoxon's signed-rank test.

Both come from the distribution of the statistic under the null hypothesis, given the ranks with their ties.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from scarce.analysis.ranks import ranks_of
from scarce.analysis.ties import settled

EXACT, APPROXIMATE = "exact", "approximate"
#: Arrangements of ranks that the exact test of an omnibus statistic may go through, some tenths of a second.
ARRANGEMENTS = 1_000_000
#: With more methods a single block has too many arrangements.
MANY = 8
#: Differences for which the signed-rank test is exact; with more, the normal approximation is as good.
EXACT_DIFFERENCES = 500


def exact_p(ranks: pd.DataFrame) -> float | None:
    """Exact p-value of the omnibus statistics of `ranks`, blocks x methods, or None where that takes too many steps.

    It is the probability of a sum of squared rank sums at least as large, under all arrangements of the ranks of each
    block, ties as they are (Friedman 1937, section 2).

    >>> exact_p(pd.DataFrame([[1, 2, 3], [1, 2, 3], [1, 2, 3]])) == 1 / 6**2
    True
    """
    doubled = np.rint(2 * ranks.to_numpy(dtype=float)).astype(np.int64)  # mean ranks are halves at most
    null = _null_distribution(tuple(sorted(map(tuple, np.sort(doubled, axis=1).tolist()))))
    if null is None:
        return None
    squares, counts = null
    sums = doubled.sum(axis=0)
    return math.fsum(counts[squares >= sums @ sums]) / math.fsum(counts)


@lru_cache(maxsize=64)
def _null_distribution(blocks: tuple[tuple[int, ...], ...]) -> tuple[np.ndarray, np.ndarray] | None:
    """Sums of squared rank sums and their frequencies, from the doubled ranks of each block in ascending order.

    Blocks are added one at a time. Rank sums are kept in ascending order, since all methods are alike under the null
    hypothesis.
    """
    k, n = len(blocks[0]), len(blocks)
    base = 2 * k * n + 1
    if k > MANY or base**k >= 2**63:
        return None
    powers = base ** np.arange(k, dtype=np.int64)
    sums, counts, steps = np.zeros((1, k), np.int64), np.ones(1), 0
    for block in blocks:
        n_arrangements = math.factorial(k) // math.prod(map(math.factorial, Counter(block).values()))
        steps += len(sums) * n_arrangements
        if steps > ARRANGEMENTS:
            return None
        added = np.sort((sums[:, None] + np.array(_arrangements(block))).reshape(-1, k), axis=1)
        _, first, group = np.unique(added @ powers, return_index=True, return_inverse=True)
        counts = np.bincount(group, np.repeat(counts, n_arrangements))
        sums = added[first]
    return (sums**2).sum(axis=1), counts


@lru_cache(maxsize=1024)
def _arrangements(block: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All different orders of some numbers."""
    if not block:
        return [()]
    rest = {first: tuple(sorted((Counter(block) - Counter([first])).elements())) for first in sorted(set(block))}
    return [(first, *others) for first, left in rest.items() for others in _arrangements(left)]


class SignedRank(NamedTuple):
    """Outcome of `signed_rank`.

    Parameters
    ----------
    p : float
        In (0, 1].
    side : {1, 0, -1}
        The side with the larger rank sum.
    kind : {"exact", "approximate"}
        How p was computed.
    """

    p: float
    side: int
    kind: str


def signed_rank(
    differences: np.ndarray | pd.Series, scale: np.ndarray | float = 1.0, zeros: Literal["split", "drop"] = "split"
) -> SignedRank:
    """Wilcoxon's signed-rank test of paired differences, two-sided.

    The p-value is that of the rank sum under random signs, given the ranks. It is exact for up to `EXACT_DIFFERENCES`
    differences, else by the normal distribution. Equal magnitudes share their mean rank.

    Parameters
    ----------
    differences : array-like of shape (n,)
        Finite.
    scale : array-like of shape (n,) or float
        Size of the numbers whose differences these are, see `scarce.analysis.ties.settled`.
    zeros : {"split", "drop"}
        Zeros are ranked and their ranks split evenly between both sides (Demsar 2006, section 3.1.3; Pratt 1959), or
        left out before ranking (Wilcoxon 1945).

    Returns
    -------
    p : float
        In (0, 1]; 1 where all differences are zero.
    side : {1, 0, -1}
        Whether positive or negative differences have the larger rank sum; 0 where both are equal.
    kind : {"exact", "approximate"}
        How p was computed.

    References
    ----------
    Wilcoxon (1945). Individual comparisons by ranking methods. Pratt (1959). Remarks on zeros and ties in the Wilcoxon
    signed rank procedures. Pratt & Gibbons (1981), chapter 3, on ties.

    Examples
    --------
    >>> signed_rank(np.array([1, 2, 3, 4, 5])).p == 2 / 2**5
    True
    """
    differences = np.asarray(differences, float)
    scale = np.broadcast_to(np.asarray(scale, float), differences.shape)
    size = settled(np.append(np.abs(differences), 0.0), np.append(scale, 0.0))[:-1]
    if zeros == "drop":
        differences, size = differences[size > 0], size[size > 0]
    doubled = np.rint(2 * ranks_of(size[None])[0]).astype(np.int64)
    moved = size > 0
    if not moved.any():
        return SignedRank(1.0, 0, EXACT)
    doubled, signs = doubled[moved], np.sign(differences[moved]).astype(int)
    excess = int(doubled @ signs)  # the ranks of zeros count for both sides, and cancel
    side = int(np.sign(excess))
    if len(doubled) > EXACT_DIFFERENCES:
        from scipy.special import ndtr

        return SignedRank(float(2 * ndtr(-abs(excess) / math.sqrt(doubled @ doubled))), side, APPROXIMATE)
    chance = np.ones(1)  # of each doubled rank sum of the positive differences
    for rank in np.sort(doubled):
        none, one = (np.pad(chance, pad) for pad in ((0, rank), (rank, 0)))
        chance = (none + one) / 2
    smaller = (int(doubled.sum()) - abs(excess)) // 2
    return SignedRank(min(1.0, 2 * float(chance[: smaller + 1].sum())), side, EXACT)
