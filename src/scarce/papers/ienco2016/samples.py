"""Methods compared over samples, which are pairs of a data set and a share of labeled positives (section 4.3).

The three samples of a data set share its rows, so they are no independent blocks; the comparison over data sets, whose
values are means over the shares, is given beside the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from scarce.analysis import tests
from scarce.analysis.ranks import rank_blocks
from scarce.analysis.rows import matching
from scarce.analysis.ties import settled
from scarce.words import number

DIGITS = 2  # the paper ranks what it prints; tables and claims here do so where the study says rank_digits
BLOCKS = {"samples": "samples", "datasets": "data sets"}


def wide(
    cells: pd.DataFrame,
    metric: str,
    methods: Iterable[str],
    column: str = "mean",
    datasets: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Values of `column`: samples (data set, scenario) x methods, samples that lack one left out.

    `cells` has the columns dataset, scenario, metric, method and `column`, as stats/means.csv has.
    """
    rows = cells if datasets is None else cells[cells["dataset"].isin(datasets)]
    return with_gaps(rows, metric, methods, column).dropna()


def with_gaps(cells: pd.DataFrame, metric: str, methods: Iterable[str], column: str) -> pd.DataFrame:
    """The same with all samples that have a value; NaN where a method has none."""
    methods = list(methods)
    rows = matching(cells, metric=metric)
    rows = rows[rows["method"].isin(methods) & (rows["dataset"] != "")]
    values = rows.pivot_table(index=["dataset", "scenario"], columns="method", values=column)
    return values.reindex(columns=methods)


@dataclass(frozen=True)
class Comparison:
    """Methods over blocks; 1 is the best rank.

    Attributes
    ----------
    values, ranks : DataFrame of shape (n_blocks, n_methods)
        Values as they are ranked, and their ranks; ties share their mean rank.
    digits : int or None
        Decimals to which the values are rounded before they are ranked; None: not at all.
    """

    values: pd.DataFrame
    ranks: pd.DataFrame
    digits: int | None = None

    @property
    def n(self) -> int:
        return len(self.ranks)

    @property
    def average(self) -> pd.Series:
        """Average rank by method."""
        return self.ranks.mean(axis=0)

    @property
    def wins(self) -> pd.Series:
        """Blocks in which no method has a higher value, by method; ties count for each."""
        return self.values.eq(self.values.max(axis=1), axis=0).sum(axis=0)

    @property
    def untestable(self) -> str | None:
        """Why there is no test, or None."""
        return tests.untestable(self.ranks.shape[1], self.n)

    @property
    def friedman(self) -> tests.Omnibus:
        """Friedman's test without correction for ties, as in the paper."""
        return tests.friedman(self.ranks)

    @property
    def iman_davenport(self) -> tests.Omnibus:
        return tests.iman_davenport(self.ranks)

    def withheld(self, alpha: float = 0.05) -> str:
        """Why no pair is told apart, where Friedman's test keeps the hypothesis that all methods are alike; else ""."""
        test = self.iman_davenport
        return test.words(alpha) if test.keeps(alpha) else ""

    def apart(self, method: str, df: float = math.inf, alpha: float = 0.05) -> tuple[list[str], list[str]]:
        """The methods than which `method` is significantly better, and significantly worse (Nemenyi)."""
        gaps = self.average.drop(method) - self.average[method]
        limit = math.inf if self.withheld(alpha) else self.critical_difference(alpha, df)
        return list(gaps.index[gaps >= limit]), list(gaps.index[gaps <= -limit])

    @property
    def rounded_words(self) -> str:
        """What is said of statistics of rounded values; "" where they are not rounded."""
        return "" if self.digits is None else f", ranks of values rounded to {number(self.digits, 'decimal')}"

    def critical_difference(self, alpha: float = 0.05, df: float = math.inf) -> float:
        """Nemenyi's; the paper takes the quantile for `df` = 48, the usual one is for infinitely many."""
        return critical_difference(self.ranks.shape[1], self.n, alpha, df)


def compare(values: pd.DataFrame, blocks: str = "samples", digits: int | None = DIGITS) -> Comparison:
    """Compare methods over the samples of `wide`, or over data sets with the means over their samples.

    Values are rounded to `digits` decimals before they are ranked; None ranks them as they are.
    """
    values = values if blocks == "samples" else values.groupby(level="dataset").mean()
    values = pd.DataFrame(settled(values), index=values.index, columns=values.columns)
    if digits is not None:
        # a sum of decimals may differ from an equal one in its last bit, so means are rounded twice
        values = values.round(12).round(digits)
    return Comparison(values, rank_blocks(values), digits)


def critical_difference(n_methods: int, n_blocks: int, alpha: float = 0.05, df: float = math.inf) -> float:
    """Nemenyi's critical difference, q sqrt(k (k + 1) / (6 N)), with q from the studentized range at `df`.

    >>> round(critical_difference(6, 48), 4), round(critical_difference(6, 48, df=48), 3)
    (1.0882, 1.133)
    """
    return _q(n_methods, alpha, df) * tests.standard_error(n_methods, n_blocks)


@lru_cache(maxsize=64)
def _q(n_methods: int, alpha: float, df: float) -> float:
    if math.isinf(df):
        return tests.nemenyi_q(n_methods, alpha)
    from scipy.stats import studentized_range

    return float(studentized_range.isf(alpha, n_methods, df)) / math.sqrt(2.0)
