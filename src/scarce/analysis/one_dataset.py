"""Paired differences between methods on one data set, with intervals that allow for shared training rows.

Repeats of one data set train on overlapping rows, so their results are not independent: a t-test, or a test of ranks
over runs, is far too sure of itself. The corrected resampled t-test takes the variance of a mean of J differences as
(1/J + n_test/n_train) S^2. It speaks of this data set alone.

References
----------
Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52, section 3. Bouckaert & Frank
(2004), Evaluating the replicability of significance tests for comparing learning algorithms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from scarce.analysis.ranks import select_runs
from scarce.analysis.statistics import AnalysisSettings
from scarce.analysis.tests import holm_adjusted
from scarce.result_files import columns_of

COLUMNS = columns_of("pairs")
NEVER = "no number of repeats would do: repeats share training rows"
EQUAL = 1e-12  # differences that are nearer to each other differ by rounding alone
MOST = 10**9


def standard_error(sd: float, n_repeats: float, test_to_train: float) -> float:
    """Corrected standard error of a mean of differences, sqrt(1/J + n_test/n_train) S.

    Parameters
    ----------
    sd : float
        Standard deviation S of the differences.
    n_repeats : float
        Differences J.
    test_to_train : float
        Rows that test over rows that train.

    Returns
    -------
    float
        In the unit of the differences.
    """
    return sd * math.sqrt(1 / n_repeats + test_to_train)


def repeats_needed(difference: float, sd: float, test_to_train: float, alpha: float = 0.05) -> int | None:
    """Smallest number of repeats whose interval excludes 0, if mean and standard deviation stay; None if there is none.

    Parameters
    ----------
    difference, sd : float
        Mean and standard deviation of the differences.
    test_to_train : float
        Rows that test over rows that train.
    alpha : float
        The interval has level 1 - alpha.

    Returns
    -------
    int or None
        At least 2.

    Examples
    --------
    >>> repeats_needed(0.02, 0.02, 0.5)
    >>> repeats_needed(0.05, 0.02, 0.5), repeats_needed(0.5, 0.02, 0.5)
    (5, 2)
    """
    from scipy.stats import norm, t

    def excludes(n: int) -> bool:
        return abs(difference) > t.isf(alpha / 2, n - 1) * standard_error(sd, n, test_to_train)

    if abs(difference) <= norm.isf(alpha / 2) * sd * math.sqrt(test_to_train) or difference == 0:
        return None
    high = 2
    while not excludes(high):
        high *= 2
        if high > MOST:
            return None
    low = high // 2  # too few, or 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if excludes(middle) else (middle, high)
    return high


def compare(difference: np.ndarray, test_to_train: float, alpha: float = 0.05) -> dict[str, float | int | str | None]:
    """The corrected resampled t-test of paired differences.

    Parameters
    ----------
    difference : ndarray of shape (n_repeats,)
        One method minus another, repeat by repeat.
    test_to_train : float
        Rows that test over rows that train; NaN where the correction does not apply.
    alpha : float
        Level of the two-sided test; the interval has level 1 - alpha.

    Returns
    -------
    dict
        The columns of stats/pairs.csv from n_runs to note, but for those of the family of comparisons. NaN where fewer
        than two repeats, or no ratio, leave nothing to estimate from.
    """
    from scipy.stats import t

    n, mean = len(difference), float(difference.mean()) if len(difference) else math.nan
    spread = float(np.ptp(difference)) if n > 1 else math.nan
    mean = 0.0 if spread <= EQUAL and abs(mean) <= EQUAL else mean
    sd = 0.0 if spread <= EQUAL else float(difference.std(ddof=1)) if n > 1 else math.nan
    row = {"n_runs": n, "mean_difference": mean, "sd_difference": sd, "test_to_train": test_to_train}
    error = standard_error(sd, n, test_to_train) if n else math.nan
    if math.isnan(error):
        note = "" if math.isnan(test_to_train) else "fewer than two repeats"
        return row | {"corrected_error": error, "low": error, "high": error, "p": error, "note": note}
    half = float(t.isf(alpha / 2, n - 1)) * error
    statistic = abs(mean) / error if error else math.inf * abs(mean) if mean else 0.0
    needed = repeats_needed(mean, sd, test_to_train, alpha)
    return row | {
        "corrected_error": error,
        "low": mean - half,
        "high": mean + half,
        "p": float(2 * t.sf(statistic, n - 1)),
        "repeats_needed": needed,
        "note": "" if needed else "equal in every repeat" if mean == sd == 0 else NEVER,
    }


def pairs(
    scores: pd.DataFrame,
    settings: AnalysisSettings,
    ratios: Mapping[tuple[str, str, str], tuple[float, str]],
    validation: frozenset[str] = frozenset(),
) -> pd.DataFrame:
    """All pairs of methods in each panel of a scenario with results of one data set; the better mean comes first.

    Parameters
    ----------
    scores : DataFrame
        As in scores.csv.
    settings : AnalysisSettings
    ratios : mapping from (data set, scenario, rows) to (ratio, note)
        Rows that test over rows that train, rows being "test" or "validation"; NaN with a note where the correction
        does not apply.
    validation : frozenset of str
        Metrics of validation rows.

    Returns
    -------
    DataFrame
        The rows of stats/pairs.csv. `p_adjusted` is Holm's over the pairs of a panel.
    """
    counted = scores if settings.datasets is None else scores[scores["dataset"].isin(settings.datasets)]
    wanted = set(settings.metrics) | set(settings.tabulated)
    rows: list[dict] = []
    for scenario, of_scenario in counted.groupby("scenario"):
        datasets = of_scenario.dropna(subset=["value"])["dataset"].unique()
        if len(datasets) != 1:
            continue
        for metric in sorted(wanted.intersection(of_scenario["metric"])):
            part = "validation" if metric in validation else "test"
            ratio, note = ratios.get((datasets[0], scenario, part), (math.nan, "sizes of the parts are not known"))
            panel = {"scenario": scenario, "metric": metric, "dataset": datasets[0], "alpha": settings.alpha}
            lower = metric in settings.lower_is_better
            values = select_runs(of_scenario, metric, scenario).dropna(axis=1, how="all")
            rows += [panel | row for row in _panel(values, ratio, note, settings.alpha, lower)]
    return pd.DataFrame(rows, columns=COLUMNS).astype({"n_runs": "Int64", "repeats_needed": "Int64"})


def _panel(values: pd.DataFrame, ratio: float, note: str, alpha: float, lower: bool) -> list[dict]:
    means = values.mean().sort_index()
    order = means.sort_values(ascending=lower, kind="stable").index
    found = []
    for method, other in combinations(order, 2):
        both = values[[method, other]].dropna()
        row = compare((both[method] - both[other]).to_numpy(), ratio, alpha)
        found.append({"method": method, "other": other, **row, "note": row["note"] or note})
    tested = sorted((row for row in found if not math.isnan(row["p"])), key=lambda row: row["p"])
    for row, adjusted in zip(tested, holm_adjusted([row["p"] for row in tested]).tolist(), strict=True):
        row |= {"p_adjusted": adjusted, "significant": adjusted <= alpha}
    return found
