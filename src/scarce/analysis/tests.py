"""Tests of whether methods differ, from their ranks over blocks.

Source: J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), section 3.2.
With k methods, N blocks and average ranks R_j:

    Friedman           chi2 = 12 N / (k (k + 1)) * (sum_j R_j^2 - k (k + 1)^2 / 4),    k - 1 degrees of freedom
    Iman-Davenport     F = (N - 1) chi2 / (N (k - 1) - chi2),           k - 1 and (k - 1)(N - 1) degrees of freedom
    two methods        z = (R_i - R_j) / sqrt(k (k + 1) / (6 N))
    Nemenyi            differ where |R_i - R_j| >= q_alpha sqrt(k (k + 1) / (6 N)),
                       q_alpha = quantile of the studentized range (infinite degrees of freedom) / sqrt(2)

These p-values are approximations for many blocks. The three omnibus statistics order all arrangements of the ranks
within blocks alike, so they share one exact p-value, which is computed where that takes few steps. It decides where it
is there, else Iman and Davenport's F does. Where the omnibus test keeps its hypothesis, no pair is called different
(`after_omnibus`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from scarce.analysis.exact import APPROXIMATE, EXACT, exact_p
from scarce.analysis.ranks import by_rank
from scarce.analysis.ties import settled
from scarce.words import p_value

ALTERNATIVES = ("two-sided", "one-sided")


@dataclass(frozen=True)
class Omnibus:
    """Test of the hypothesis that all methods perform alike.

    Parameters
    ----------
    test : str
        Its name.
    statistic : float
        At least 0.
    df1, df2 : int or None
        Degrees of freedom; df2 of the F distribution alone.
    p : float
        By the chi-squared or F distribution.
    p_exact : float or None
        Probability of a statistic at least as large where every arrangement of the ranks within a block is as likely as
        any other; None where that takes too many steps.
    """

    test: str
    statistic: float
    df1: int
    df2: int | None
    p: float
    p_exact: float | None = None

    @property
    def decisive(self) -> float:
        """The p-value that decides: the exact one, else the approximate one."""
        return self.p if self.p_exact is None else self.p_exact

    @property
    def kind(self) -> str:
        """Whether `decisive` is exact or approximate."""
        return APPROXIMATE if self.p_exact is None else EXACT

    def keeps(self, alpha: float) -> bool:
        """Whether the hypothesis that all methods perform alike is kept at a level."""
        return self.decisive > alpha

    def words(self, alpha: float) -> str:
        """The outcome at a level, as half a sentence.

        >>> print(Omnibus("iman_davenport", 1.81, 6, 36, 0.1247).words(0.05))
        Friedman's test is not significant at 0.05 (Iman-Davenport, p = 0.125, approximate)
        """
        outcome = "not significant" if self.keeps(alpha) else "significant"
        how = "Iman-Davenport, " if self.p_exact is None else ""
        return f"Friedman's test is {outcome} at {alpha:g} ({how}{p_value(self.decisive)}, {self.kind})"

    @property
    def row(self) -> dict[str, Any]:
        """The columns of a row of stats/omnibus.csv."""
        return vars(self) | {"p_kind": APPROXIMATE, "p_exact": math.nan if self.p_exact is None else self.p_exact}


def untestable(n_methods: int, n_blocks: int) -> str | None:
    """Why k methods on N blocks cannot be tested, or None if they can.

    >>> untestable(5, 1)
    'only 1 block: a test needs at least two'
    """
    if n_methods < 3:
        plural = "" if n_methods == 1 else "s"
        return f"only {n_methods} method{plural}: these tests compare at least three (two: Wilcoxon's signed-rank test)"
    if n_blocks < 2:
        return f"only {n_blocks} block{'' if n_blocks == 1 else 's'}: a test needs at least two"
    return None


def _check(n_methods: int, n_blocks: int) -> None:
    reason = untestable(n_methods, n_blocks)
    if reason:
        raise ValueError(reason)


def _spread(ranks: pd.DataFrame) -> tuple[int, int, float, float]:
    """k, N, and N k (k + 1) times chi2 with its largest possible value.

    Rank sums are multiples of one half, so both numbers are exact and "all blocks agree" is an equality.
    """
    n, k = ranks.shape
    _check(k, n)
    sums = ranks.to_numpy(dtype=float).sum(axis=0)
    return k, n, 12.0 * float(sums @ sums) - 3.0 * n * n * k * (k + 1) ** 2, float(n * n * k * (k + 1) * (k - 1))


def friedman(ranks: pd.DataFrame) -> Omnibus:
    """Friedman's chi2 as in the textbooks, ties uncorrected.

    Parameters
    ----------
    ranks : DataFrame of shape (n_blocks, n_methods)
        As of `scarce.analysis.ranks.rank_blocks`.

    Returns
    -------
    Omnibus
        Statistic, degrees of freedom and p.
    """
    from scipy.special import chdtrc  # SciPy is imported where it is used: tables and figures read results only

    k, n, spread, _ = _spread(ranks)
    statistic = spread / (n * k * (k + 1))
    return Omnibus("friedman", statistic, k - 1, None, float(chdtrc(k - 1, statistic)), exact_p(ranks))


def friedman_tie_corrected(ranks: pd.DataFrame) -> Omnibus:
    """Friedman's chi2 divided by its tie correction, as R and SciPy give it; 0 with p = 1 where everything ties.

    Parameters
    ----------
    ranks : DataFrame of shape (n_blocks, n_methods)
        As of `scarce.analysis.ranks.rank_blocks`.

    Returns
    -------
    Omnibus
        Statistic, degrees of freedom and p.
    """
    from scipy.special import chdtrc

    k, n, spread, _ = _spread(ranks)
    ties = 0.0
    for row in ranks.to_numpy(dtype=float):
        sizes = np.unique(row, return_counts=True)[1].astype(float)
        ties += float((sizes**3 - sizes).sum())
    correction = 1.0 - ties / (n * k * (k * k - 1))
    statistic = spread / (n * k * (k + 1)) / correction if correction > 0 else 0.0
    p = float(chdtrc(k - 1, statistic))
    return Omnibus("friedman_tie_corrected", statistic, k - 1, None, p, exact_p(ranks))


def iman_davenport(ranks: pd.DataFrame) -> Omnibus:
    """Iman and Davenport's F, from the textbook chi2; infinite with p = 0 where all blocks have the same order.

    Parameters
    ----------
    ranks : DataFrame of shape (n_blocks, n_methods)
        As of `scarce.analysis.ranks.rank_blocks`.

    Returns
    -------
    Omnibus
        Statistic, degrees of freedom and p.
    """
    from scipy.special import fdtrc

    k, n, spread, largest = _spread(ranks)
    df1, df2 = k - 1, (k - 1) * (n - 1)
    statistic = (n - 1) * spread / (largest - spread) if spread < largest else math.inf
    return Omnibus("iman_davenport", statistic, df1, df2, float(fdtrc(df1, df2, statistic)), exact_p(ranks))


def after_omnibus(compared: pd.DataFrame, omnibus: Omnibus, alpha: float) -> pd.DataFrame:
    """Comparisons of pairs, withheld where the omnibus test keeps the hypothesis that all methods perform alike.

    There ``exploratory`` is true and ``significant`` is false for each pair, whatever its p-value; Demsar 2006, section
    3.2.2: post-hoc tests follow a rejected hypothesis.
    """
    keeps = omnibus.keeps(alpha)
    return compared.assign(significant=compared["significant"] & (not keeps), exploratory=keeps)


def standard_error(n_methods: int, n_blocks: int) -> float:
    """Standard error of a difference of two average ranks."""
    return math.sqrt(n_methods * (n_methods + 1) / (6.0 * n_blocks))


def holm(
    average_ranks: pd.Series,
    n_blocks: int,
    *,
    control: str = "best",
    alternative: str = "two-sided",
    alpha: float = 0.05,
    step_down: bool = True,
) -> pd.DataFrame:
    """Holm's procedure: which methods differ from a control.

    Parameters
    ----------
    average_ranks : Series
        By method.
    n_blocks : int
        Blocks that the ranks are averaged over.
    control : str
        A method, or "best": the best average rank (the first name where ranks are equal).
    alternative : {"two-sided", "one-sided"}
        "one-sided" halves the two-sided p, whichever of the two is better.
    alpha : float
        Level at which ``significant`` is decided.
    step_down : bool
        True is Holm's: nothing counts as different after the first p that does not. False compares each p with its
        own step's level and does not stop (it does not control the family-wise error; a published study used it).

    Returns
    -------
    DataFrame
        Columns control, method, statistic (z, positive where the control ranks better), p, p_adjusted, significant;
        smallest p first, then by name.
    """
    from scipy.special import ndtr

    k = len(average_ranks)
    _check(k, n_blocks)
    if alternative not in ALTERNATIVES:
        raise ValueError(f"alternative is one of {', '.join(ALTERNATIVES)}, not {alternative!r}")
    control = by_rank(average_ranks)[0] if control == "best" else control
    if control not in average_ranks.index:
        raise ValueError(f"the control method {control!r} has no ranks")
    others = average_ranks.drop(control)
    z = pd.Series(settled(others - average_ranks[control], scale=k), others.index) / standard_error(k, n_blocks)
    p = ndtr(-z.abs().to_numpy()) * (2.0 if alternative == "two-sided" else 1.0)
    table = pd.DataFrame({"control": control, "method": others.index, "statistic": z.to_numpy(), "p": p})
    table = table.sort_values(["p", "method"], ignore_index=True)
    table["p_adjusted"] = holm_adjusted(table["p"], step_down=step_down)
    table["significant"] = table["p_adjusted"] <= alpha
    return table


def holm_adjusted(ascending: ArrayLike, *, step_down: bool = True) -> np.ndarray:
    """Holm's adjusted p-values of p-values in ascending order; see `holm` for `step_down`.

    >>> holm_adjusted([0.01, 0.02, 0.9]).tolist()
    [0.03, 0.04, 0.9]
    """
    p = np.asarray(ascending, float)
    adjusted = p * np.arange(len(p), 0, -1)
    return np.minimum(np.maximum.accumulate(adjusted) if step_down else adjusted, 1.0)


@lru_cache(maxsize=256)
def nemenyi_q(n_methods: int, alpha: float = 0.05) -> float:
    """Critical value q_alpha, for any number of methods (Demsar 2006, Table 5a).

    >>> round(nemenyi_q(4), 3)
    2.569
    """
    from scipy.stats import studentized_range  # takes a second to import, and the other tests need none of it

    return float(studentized_range.isf(alpha, n_methods, np.inf)) / math.sqrt(2.0)


def critical_difference(n_methods: int, n_blocks: int, alpha: float = 0.05) -> float:
    """Smallest difference of two average ranks that Nemenyi's test calls significant.

    Parameters
    ----------
    n_methods, n_blocks : int
        What is ranked, and how often.
    alpha : float
        Level of the test.

    Returns
    -------
    float
        In ranks.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    _check(n_methods, n_blocks)
    return nemenyi_q(n_methods, alpha) * standard_error(n_methods, n_blocks)


def nemenyi(average_ranks: pd.Series, n_blocks: int, *, alpha: float = 0.05) -> pd.DataFrame:
    """Nemenyi's test of all pairs.

    Parameters
    ----------
    average_ranks : Series
        By method.
    n_blocks : int
        Blocks that the ranks are averaged over.
    alpha : float
        Level at which ``significant`` is decided.

    Returns
    -------
    DataFrame
        Columns control, method (the pair, the better one first), statistic (absolute z, to be held against q_alpha), p,
        p_adjusted (the same: the test accounts for all pairs), significant; largest difference first, then by name.
    """
    from scipy.stats import studentized_range

    k = len(average_ranks)
    limit = critical_difference(k, n_blocks, alpha)
    pairs = list(combinations(by_rank(average_ranks), 2))
    better, worse = (average_ranks[list(names)].to_numpy() for names in zip(*pairs, strict=True))
    difference = settled(worse - better, scale=k)
    z = difference / standard_error(k, n_blocks)
    p = np.clip(studentized_range.sf(z * math.sqrt(2.0), k, np.inf), 0.0, 1.0)
    table = pd.DataFrame(
        {
            "control": [better for better, _ in pairs],
            "method": [worse for _, worse in pairs],
            "statistic": z,
            "p": p,
            "p_adjusted": p,
            "significant": difference >= limit,
        }
    )
    order = np.lexsort((table["method"], table["control"], -z))
    return table.iloc[order].reset_index(drop=True)


def cliques(average_ranks: pd.Series, limit: float) -> list[list[str]]:
    """Bars of a critical difference diagram: the largest groups in which no two methods are `limit` or more apart.

    Groups run from the best rank to the worst and have at least two members; a group within a larger one is left out.

    Parameters
    ----------
    average_ranks : Series
        By method.
    limit : float
        Such as `critical_difference`.

    Returns
    -------
    list of list of str
        Names of methods.

    Examples
    --------
    >>> cliques(pd.Series({"a": 1.0, "b": 2.0, "c": 3.0}), 1.5)
    [['a', 'b'], ['b', 'c']]
    """
    order = by_rank(average_ranks)
    groups: list[list[str]] = []
    end_of_last = 0
    for start, first in enumerate(order):
        end = start + 1
        while end < len(order) and average_ranks[order[end]] - average_ranks[first] < limit:
            end += 1
        if end - start > 1 and end > end_of_last:
            groups.append(order[start:end])
            end_of_last = end
    return groups
