"""Choosing a method by a metric of validation rows: what is lost against choosing by the true labels of these rows.

In each run (data set, scenario, repeat) a metric chooses one of a group of methods by its values on validation rows.
The *regret* is the score, on the test rows, of the method that the true labels of the validation rows choose, less that
of the chosen one. It can be negative in a run: the best method on validation rows need not be the best on test rows.

Data sets are the independent blocks: the regrets of a data set's runs are averaged first, and the interval is that of
Student's t over data sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from scarce.analysis.means import interval
from scarce.analysis.ties import settled
from scarce.config.selection import AT_RANDOM, BEST_ELSEWHERE
from scarce.result_files import columns_of
from scarce.scoring.true_validation import twin_of

if TYPE_CHECKING:
    from scarce.analysis.statistics import AnalysisSettings

COLUMNS = columns_of("selection")
RUN = ["scenario", "dataset", "repeat"]
REFERENCE, BEST = "true_labels", "best_on_test"
ALL, RARE, COMMON = "all", "rare", "common"


def chosen(values: np.ndarray, truth: np.ndarray, *, lower: bool = False) -> np.ndarray:
    """What the method with the best value scores, in each run; the mean of those that tie for it.

    Parameters
    ----------
    values : ndarray of shape (n_runs, n_methods)
        What chooses; NaN where it is undefined, which is never chosen.
    truth : ndarray of shape (n_runs, n_methods)
        What the methods score on the test rows.
    lower : bool
        Whether a small value is good.

    Returns
    -------
    ndarray of shape (n_runs,)
        NaN where no value is defined: nothing is chosen.

    Examples
    --------
    >>> chosen(np.array([[0.1 + 0.2, 0.3, np.nan]]), np.array([[0.5, 0.7, 0.9]])).tolist()
    [0.6]
    """
    values = settled(-values if lower else values)
    best = np.where(np.isnan(values), -np.inf, values).max(axis=1, initial=-np.inf)
    tied = (values == best[:, None]) & np.isfinite(best)[:, None]
    return _mean_of(tied, truth)


def _mean_of(which: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Mean over the marked methods of each run; NaN where none is marked."""
    count = which.sum(axis=1)
    total = np.where(which, truth, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _elsewhere(truth: pd.DataFrame) -> np.ndarray:
    """For each run, the means of the methods over the other data sets of its scenario that have all methods."""
    means = truth.groupby(level=["scenario", "dataset"]).mean()
    others = {}
    for scenario, dataset in means.index:
        there = means.loc[scenario].drop(index=dataset).dropna()
        others[scenario, dataset] = there.mean()
    return pd.DataFrame(others).T.reindex(truth.index.droplevel("repeat")).to_numpy(float)


@dataclass(frozen=True)
class Choices:
    """What each way to choose among a group of methods attains on the test rows, run by run.

    Attributes
    ----------
    values : DataFrame of shape (n_runs, n_ways)
        Score on the test rows of the chosen method, NaN where none is chosen. The index has scenario, data set and
        repeat. Columns are `REFERENCE`, `BEST`, the metrics and the baselines. A candidate of a run has values of the
        true labels of both parts, and a run has two or more candidates.
    sign : {1, -1}
        -1 where a small score is good.
    left_out : Series of int, indexed as `values` but for the repeat
        Runs with fewer than two candidates.
    short : Series of int, the same
        Runs with two or more candidates in which a method of the group is none.
    """

    values: pd.DataFrame
    sign: int
    left_out: pd.Series
    short: pd.Series

    def regret(self, to: str) -> pd.DataFrame:
        """What is lost against the way `to`: 0 where both are equal but for rounding."""
        own = self.values.to_numpy()
        both = settled(np.stack([np.broadcast_to(self.values[[to]].to_numpy(), own.shape), own], axis=-1))
        return pd.DataFrame(self.sign * (both[..., 0] - both[..., 1]), self.values.index, self.values.columns)


def choices(scores: pd.DataFrame, settings: AnalysisSettings, group: str, metric: str) -> Choices:
    """Every way to choose among a group of candidates of a study, judged in a metric of test rows.

    Parameters
    ----------
    scores : DataFrame
        Columns dataset, scenario, repeat, method, metric, value.
    settings : AnalysisSettings
        With `selection`, which has the group.
    """
    selection, lower = settings.selection, settings.lower_is_better
    methods = sorted(selection.candidates[group])
    rows = scores[scores["method"].isin(methods)]
    if settings.datasets is not None:
        rows = rows[rows["dataset"].isin(settings.datasets)]
    index = pd.MultiIndex.from_frame(rows[RUN].drop_duplicates().sort_values(RUN))

    def of(name: str) -> pd.DataFrame:
        wide = rows[rows["metric"] == name].set_index([*RUN, "method"])["value"].unstack()  # noqa: PD010 - refuses twins
        return wide.reindex(index=index, columns=methods).astype(float)

    truth, reference = of(metric), of(twin_of(metric))
    candidate = truth.notna() & reference.notna()
    enough = candidate.sum(axis=1) >= 2
    counts = pd.DataFrame({"left_out": ~enough, "short": enough & ~candidate.all(axis=1)})
    counts = counts.groupby(level=["scenario", "dataset"]).sum()
    truth, candidate = truth[enough], candidate[enough]

    def by(values: pd.DataFrame | np.ndarray, small: bool) -> np.ndarray:
        return chosen(np.where(candidate, values, np.nan), truth.to_numpy(), lower=small)

    ways = {
        REFERENCE: by(reference[enough], metric in lower),
        BEST: by(truth, metric in lower),
        **{name: by(of(name)[enough], name in lower) for name in selection.by},
        AT_RANDOM: _mean_of(candidate.to_numpy(), truth.to_numpy()),
        BEST_ELSEWHERE: by(_elsewhere(truth), metric in lower),
    }
    values = pd.DataFrame(ways, truth.index)
    return Choices(values, -1 if metric in lower else 1, counts["left_out"], counts["short"])


def by_dataset(runs: pd.DataFrame, scenario: str = "") -> pd.DataFrame:
    """Means over repeats, by data set; of no scenario: the means of these over scenarios."""
    cells = runs.groupby(level=["scenario", "dataset"]).mean()
    if not scenario:
        return cells.groupby(level="dataset").mean()
    return cells.loc[scenario] if scenario in cells.index.get_level_values("scenario") else cells.loc[[]].droplevel(0)


def among(datasets: Sequence[str], rarity: str, settings: AnalysisSettings) -> list[str]:
    """The data sets whose positives are rare, or common, or all of them."""
    rare = {name for name in datasets if settings.prevalence.get(name, math.nan) < settings.selection.rare_below}
    return [name for name in datasets if rarity == ALL or (name in rare) == (rarity == RARE)]


def selection(scores: pd.DataFrame, settings: AnalysisSettings) -> pd.DataFrame:
    """The rows of stats/selection.csv; none where the study does not choose.

    Parameters
    ----------
    scores, settings
        As for `choices`; `settings.prevalence` has the share of positives of each data set.

    Returns
    -------
    DataFrame
        By group of candidates, scenario (empty: mean over scenarios), metric that judges and way to choose: a row a
        data set, and with an empty data set the averages over data sets, all, rare and common, with their intervals.
    """
    asked = settings.selection
    rows: list[dict] = []
    for group in asked.candidates if asked else ():
        for metric in asked.judged_in:
            about = {"candidates": group, "metric": metric}
            rows += [about | row for row in _rows(choices(scores, settings, group, metric), settings)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _rows(made: Choices, settings: AnalysisSettings) -> Iterator[dict]:
    losses = {"mean": made.values, "regret": made.regret(REFERENCE), "regret_to_best": made.regret(BEST)}
    ways = [name for name in made.values if name not in (REFERENCE, BEST)]
    scenarios = list(made.values.index.get_level_values("scenario").unique())
    for scenario in [*scenarios, ""] if scenarios else ():
        means = {name: by_dataset(frame[ways], scenario) for name, frame in losses.items()}
        datasets = means["regret"].index
        columns = {name: frame.to_numpy() for name, frame in means.items()}
        counts = {name: frame.to_numpy(int) for name, frame in _counts(made, ways, scenario, datasets).items()}
        for rarity, dataset, names in _groups(datasets, settings):
            members = datasets.get_indexer(names)
            for place, way in enumerate(ways):
                values = {name: column[members, place] for name, column in columns.items()}
                values = {name: one[~np.isnan(one)] for name, one in values.items()}
                low, high = interval(values["regret"] if not dataset else np.empty(0), settings.alpha)
                yield {
                    "scenario": scenario, "rarity": rarity, "dataset": dataset, "by": way,
                    **{name: float(one.mean()) if len(one) else math.nan for name, one in values.items()},
                    "low": low, "high": high, "n_datasets": len(values["regret"]),
                    **{name: int(column[members, place].sum()) for name, column in counts.items()},
                }  # fmt: skip


def _counts(made: Choices, ways: list[str], scenario: str, datasets: pd.Index) -> dict[str, pd.DataFrame]:
    """Numbers of runs by data set (rows) and way to choose (columns), of one scenario or of all."""
    chose = made.values[ways].notna()
    both = chose.index.droplevel("repeat")
    counts = {"n_runs": chose.set_axis(both), "n_no_choice": (~chose).set_axis(both)}
    for name, one in {"n_left_out": made.left_out, "n_short": made.short}.items():
        counts[name] = pd.DataFrame({way: one for way in ways})
    if scenario:
        counts = {name: frame[frame.index.get_level_values("scenario") == scenario] for name, frame in counts.items()}
    return {name: frame.groupby(level="dataset").sum().reindex(datasets) for name, frame in counts.items()}


def _groups(datasets: pd.Index, settings: AnalysisSettings) -> Iterator[tuple[str, str, list[str]]]:
    """Rarity, data set and members of what is averaged: each data set alone, then all, the rare and the common ones."""
    for name in datasets:
        yield RARE if among([name], RARE, settings) else COMMON, name, [name]
    for rarity in (ALL, RARE, COMMON):
        if members := among(list(datasets), rarity, settings):
            yield rarity, "", members
