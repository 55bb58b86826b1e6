"""Blocks of paired results, and the ranks of methods within them.

A *block* is what the tests of Demsar (JMLR 7, 2006) take as one independent observation. That is a data set: the
repeats of a data set share its rows, so they are averaged first. ``blocks="runs"`` takes every (data set, repeat) as
a block; it exists because a published study did so, and makes differences look more certain than they are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from scarce.analysis.rows import matching
from scarce.analysis.ties import exact_mean, settled
from scarce.errors import DataError, IncompleteError

BLOCKS = ("datasets", "runs")
MISSING = ("drop_dataset", "worst", "refuse")
SCORE_KEYS = ["dataset", "scenario", "repeat", "method", "metric"]
CELL = ["scenario", "metric", "dataset", "method"]


@dataclass(frozen=True)
class Note:
    """Something that is missing, and what was done about it; an empty name stands for all of them."""

    dataset: str
    method: str
    note: str


@dataclass(frozen=True)
class Blocks:
    """Paired results of one metric in one scenario.

    Parameters
    ----------
    values : DataFrame of shape (n_blocks, n_methods)
        Unrounded values; index ``dataset``, or (``dataset``, ``repeat``). Values of a block that are equal in exact
        arithmetic are the same double, see `scarce.analysis.ties.settled`. Under the policy "worst" a cell without any
        run is infinitely bad.
    scenario, metric : str
        What was selected.
    blocks : {"datasets", "runs"}
        What is one independent observation.
    higher_is_better : bool
        Whether the largest value is the best.
    n_datasets : int
        Data sets that are in.
    n_datasets_asked : int
        Data sets that could have been in.
    notes : tuple of Note
        What is missing: data sets, methods, runs of a method; repeats without a value for any method.
    """

    values: pd.DataFrame
    scenario: str
    metric: str
    blocks: str
    higher_is_better: bool
    n_datasets: int
    n_datasets_asked: int
    notes: tuple[Note, ...] = ()


def select_runs(scores: pd.DataFrame, metric: str, scenario: str) -> pd.DataFrame:
    """The runs of one metric in one scenario as a frame (dataset, repeat) x method; duplicates are refused."""
    rows = matching(scores, metric=metric, scenario=scenario)
    twice = rows.duplicated(SCORE_KEYS)
    if twice.any():
        first = rows[twice].iloc[0]
        raise DataError(
            f"{int(twice.sum())} scores are there twice, first {metric} of {first['method']} on "
            f"{first['dataset']}, {scenario}, repeat {first['repeat']}",
            hint="a result may enter a mean or a rank only once",
        )
    # pivot_table, which the linter prefers, would average duplicates
    return rows.pivot(index=["dataset", "repeat"], columns="method", values="value").sort_index()  # noqa: PD010


def block_matrix(
    scores: pd.DataFrame,
    metric: str,
    scenario: str,
    blocks: str = "datasets",
    missing: str = "drop_dataset",
    *,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    higher_is_better: bool = True,
) -> Blocks:
    """Arrange scores as blocks x methods.

    Parameters
    ----------
    scores : DataFrame
        Columns dataset, scenario, repeat, method, metric, value.
    metric, scenario : str
        What is selected.
    blocks : {"datasets", "runs"}
        "datasets" averages the repeats of a data set first.
    missing : {"drop_dataset", "worst", "refuse"}
        What to do where a method lacks a run (or its value is undefined) that another method has:

        * "drop_dataset" leaves the data set out for all methods;
        * "worst": a missing run counts as the worst value any method has in that repeat, and a method without a
          single run on a data set (or in a block of runs) comes last there;
        * "refuse" raises.

        A repeat without a value for any of the methods (F1 at a threshold chosen on validation rows, where there are
        none) lacks nothing that another method has: it is passed over and noted, whatever the policy.
    methods, datasets : sequence of str, optional
        What should be there, in order; by default what is there, sorted. A method without any value in the whole
        panel is left out ("refuse" raises where others have values), and a data set without any value is only
        counted; both are noted.
    higher_is_better : bool
        Whether the largest value of the metric is the best.

    Returns
    -------
    Blocks
        Values by block and method, and notes on what is missing.

    Raises
    ------
    DataError
        If a score is there twice.
    IncompleteError
        If something is missing and `missing` is "refuse".
    """
    if blocks not in BLOCKS:
        raise ValueError(f"blocks is one of {', '.join(BLOCKS)}, not {blocks!r}")
    if missing not in MISSING:
        raise ValueError(f"missing is one of {', '.join(MISSING)}, not {missing!r}")
    runs = select_runs(scores, metric, scenario)
    methods = sorted(runs.columns) if methods is None else list(dict.fromkeys(methods))
    with_runs = set(runs.index.get_level_values("dataset"))
    datasets = sorted(with_runs) if datasets is None else list(dict.fromkeys(datasets))

    present = [d for d in datasets if d in with_runs]
    runs = runs.loc[runs.index.get_level_values("dataset").isin(present)].reindex(columns=methods)
    notes = [Note(d, "", "no results for this data set") for d in datasets if d not in with_runs]
    runs, without = _defined(runs)
    defined = set(runs.index.get_level_values("dataset"))
    notes += [note for note in without if note.dataset not in defined]
    undefined = [note for note in without if note.dataset in defined]
    present = [d for d in present if d in defined]
    empty = [m for m in methods if runs[m].isna().all()] if len(runs) else []
    if empty and missing == "refuse":
        raise IncompleteError(f"{metric}, {scenario}: no results of {', '.join(empty)}")
    notes += [Note("", m, "no results of this method; it is left out") for m in empty]
    runs = runs.drop(columns=empty)

    gaps = runs.isna().groupby(level="dataset").sum()
    n_repeats = runs.groupby(level="dataset").size()
    holes = [
        (d, m, f"{gaps[m][d]} of {n_repeats[d]} runs missing") for d in present for m in runs.columns if gaps.loc[d, m]
    ]
    if holes and missing == "refuse":
        listed = "; ".join(f"{d}, {m}: {text}" for d, m, text in holes[:5])
        more = f" and {len(holes) - 5} more" if len(holes) > 5 else ""
        raise IncompleteError(f"{metric}, {scenario}: {listed}{more}", hint="or set analysis.missing")
    consequence = "the data set is left out" if missing == "drop_dataset" else "counted as the worst"
    notes += [Note(d, m, f"{text}; {consequence}") for d, m, text in holes]
    if missing == "drop_dataset":
        dropped = {d for d, _, _ in holes}
        present = [d for d in present if d not in dropped]
        runs = runs.loc[runs.index.get_level_values("dataset").isin(present)]

    return Blocks(
        values=_to_blocks(runs, present, blocks, higher_is_better),
        scenario=scenario,
        metric=metric,
        blocks=blocks,
        higher_is_better=higher_is_better,
        n_datasets=len(present),
        n_datasets_asked=len(datasets),
        notes=(*notes, *undefined),
    )


def _defined(runs: pd.DataFrame) -> tuple[pd.DataFrame, list[Note]]:
    """The repeats in which at least one method has a value, and notes on the others."""
    lost = runs.isna().all(axis=1).groupby(level="dataset").agg(["sum", "size"])
    notes = [
        Note(d, "", f"{n} of {total} repeats have no value for any method")
        for d, n, total in lost[lost["sum"] > 0].itertuples(name=None)
    ]
    return runs.dropna(how="all"), notes


def _to_blocks(runs: pd.DataFrame, datasets: list[str], blocks: str, higher_is_better: bool) -> pd.DataFrame:
    """Fill what the policy left open, and average repeats where a block is a data set."""
    last = -np.inf if higher_is_better else np.inf
    if blocks == "runs":
        # pandas cannot reindex a level by nothing
        return _settled(runs.fillna(last).reindex(datasets, level="dataset")) if datasets else runs
    return _dataset_means(runs, "worst", higher_is_better).fillna(last).reindex(datasets)


def _dataset_means(runs: pd.DataFrame, missing: str, higher_is_better: bool) -> pd.DataFrame:
    """Mean over repeats, settled; NaN where a method has no run on a data set."""
    absent = runs.isna().groupby(level="dataset").all()
    if missing == "worst":
        worst_of_repeat = runs.min(axis=1) if higher_is_better else runs.max(axis=1)
        runs = runs.apply(lambda column: column.fillna(worst_of_repeat))
    of_dataset = {
        dataset: [exact_mean(column[~np.isnan(column)]) for column in rows.to_numpy(float).T]
        for dataset, rows in runs.groupby(level="dataset")  # faster than agg, which makes a Series of each column
    }
    means = pd.DataFrame.from_dict(of_dataset, orient="index", columns=runs.columns, dtype=float).rename_axis("dataset")
    return _settled(means.mask(absent))


def dataset_means(
    scores: pd.DataFrame,
    metric: str,
    scenario: str,
    missing: str = "drop_dataset",
    *,
    methods: Sequence[str],
    datasets: Sequence[str],
    higher_is_better: bool = True,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Value of each method on each data set before a method or a data set is left out, and the runs that it lacks.

    The arguments are those of `block_matrix`, whose values are some of these: those of the data sets and methods that
    it keeps.

    Returns
    -------
    means : DataFrame of float, data sets x methods
        Mean over the repeats in which any method has a value; missing runs are filled in where `missing` is "worst",
        else passed over. NaN where a method has no run.
    gaps : DataFrame of int, data sets x methods
        Repeats in which the method has no value and another one has.
    """
    runs = select_runs(scores, metric, scenario).reindex(columns=list(methods))
    runs = runs.loc[runs.index.get_level_values("dataset").isin(datasets)].dropna(how="all")
    gaps = runs.isna().groupby(level="dataset").sum().reindex(list(datasets), fill_value=0)
    return _dataset_means(runs, missing, higher_is_better).reindex(list(datasets)), gaps


def with_oracles(scores: pd.DataFrame, blocks: Blocks, oracles: Collection[str]) -> Blocks:
    """Blocks of data sets with columns of oracles too, which no procedure ranks, for averages over the same data sets.

    Runs that an oracle lacks are passed over; its value is NaN where it has none on a data set.
    """
    if not oracles:
        return blocks
    means, _ = dataset_means(
        scores,
        blocks.metric,
        blocks.scenario,
        methods=list(oracles),
        datasets=list(blocks.values.index),
        higher_is_better=blocks.higher_is_better,
    )
    return replace(blocks, values=blocks.values.join(means.dropna(axis="columns", how="all")))


def _settled(values: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(settled(values), index=values.index, columns=values.columns)


def ranks_of(numbers: np.ndarray) -> np.ndarray:
    """Ranks within each row of an array, 1 for the smallest number; equal numbers share their mean rank.

    >>> ranks_of(np.array([[0.3, 0.1, 0.3]])).tolist()
    [[2.5, 1.0, 2.5]]
    """
    below = (numbers[:, :, None] > numbers[:, None, :]).sum(axis=2)
    equal = (numbers[:, :, None] == numbers[:, None, :]).sum(axis=2)
    return below + (equal + 1) / 2


def rank_blocks(values: pd.DataFrame, higher_is_better: bool = True) -> pd.DataFrame:
    """Ranks within each block (row): 1 is best, ties share their mean rank.

    Parameters
    ----------
    values : DataFrame of shape (n_blocks, n_methods)
        Unrounded values without gaps.
    higher_is_better : bool
        Whether rank 1 is the largest value.

    Returns
    -------
    DataFrame of shape (n_blocks, n_methods)
        Ranks from 1 to n_methods.
    """
    if values.empty:
        return values.astype(float)
    numbers = values.to_numpy(dtype=float)
    if np.isnan(numbers).any():
        raise ValueError("a block with a missing value cannot be ranked")
    return pd.DataFrame(ranks_of(-numbers if higher_is_better else numbers), index=values.index, columns=values.columns)


def average_ranks(values: pd.DataFrame, higher_is_better: bool = True) -> pd.Series:
    """Average rank of each method over the blocks (rows) of `values`; Demsar 2006, section 3.2.2.

    Parameters
    ----------
    values : DataFrame of shape (n_blocks, n_methods)
        Unrounded values without gaps.
    higher_is_better : bool
        Whether rank 1 is the largest value.

    Returns
    -------
    Series
        By method.

    Examples
    --------
    >>> average_ranks(pd.DataFrame({"a": [0.9, 0.8], "b": [0.7, 0.8]})).to_dict()
    {'a': 1.25, 'b': 1.75}
    """
    return rank_blocks(values, higher_is_better).mean(axis=0)


def by_rank(ranks: pd.Series) -> list[str]:
    """Methods from the best average rank to the worst; equal ranks in the order of names."""
    return sorted(ranks.index, key=lambda method: (ranks[method], method))
