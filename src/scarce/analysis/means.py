"""Means of the runs: by data set, averaged over the data sets of a panel, and over data sets repeat by repeat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from scarce.analysis.agreement import published_averages, run_means
from scarce.analysis.ranks import CELL, Blocks
from scarce.analysis.rows import matching
from scarce.analysis.ties import exact_mean, settled
from scarce.result_files import columns_of

MEANS, CURVES = columns_of("means"), columns_of("curves")


def by_dataset(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean, standard deviation (ddof 1, missing for a single run) and number of the runs of every cell with a value.

    Sorted; neither depends on the order of runs. Means of one data set that are equal in exact arithmetic are the same
    double, see `scarce.analysis.ties`.
    """
    runs = _groups(scores.dropna(subset=["value"]), CELL)
    cells = runs.agg(mean=exact_mean, sd="std", n_runs="count").reset_index()
    return cells.assign(mean=cells.groupby(CELL[:-1])["mean"].transform(settled))


def _groups(rows: pd.DataFrame, keys: list[str], column: str = "value") -> Any:
    """The numbers of each group in ascending order, so that sums over them do not depend on the order of rows."""
    return rows.sort_values([*keys, column]).groupby(keys)[column]


def spread_within(scores: pd.DataFrame, blocks: Blocks) -> pd.Series:
    """Mean over the data sets of `blocks` of the standard deviation over repeats (ddof 1), by method."""
    rows = matching(scores, metric=blocks.metric, scenario=blocks.scenario)
    rows = rows[rows["dataset"].isin(blocks.values.index.get_level_values("dataset"))]
    within = _groups(rows, ["method", "dataset"]).std(ddof=1).rename("value").reset_index()
    return _groups(within, ["method"]).mean().reindex(blocks.values.columns)


def mean_of_blocks(blocks: Blocks) -> pd.Series:
    """Mean over blocks, by method; blocks in which the policy "worst" found nothing to average are passed over."""
    means = blocks.values.apply(lambda column: exact_mean(column[np.isfinite(column)]))
    return pd.Series(settled(means), index=means.index)


def intervals(blocks: Blocks, alpha: float = 0.05) -> pd.DataFrame:
    """Student's interval of the mean over blocks at level 1 - alpha, by method; columns low and high.

    It takes the data sets as a sample of independent ones. Intervals of two methods may overlap though the methods
    differ on every data set: the differences between data sets are in both. Infinitely bad blocks are passed over, as
    in `mean_of_blocks`; NaN where fewer than two are left.
    """
    rows = [interval(column[np.isfinite(column)].to_numpy(), alpha) for _, column in blocks.values.items()]
    return pd.DataFrame(rows, index=blocks.values.columns, columns=["low", "high"])


def interval(values: np.ndarray, alpha: float) -> tuple[float, float]:
    """Student's interval of the mean of independent values, at level 1 - alpha; NaN for fewer than two."""
    from scipy.stats import t

    n = len(values)
    if n < 2:
        return np.nan, np.nan
    half = float(t.isf(alpha / 2, n - 1)) * float(np.std(values, ddof=1)) / np.sqrt(n)
    return exact_mean(values) - half, exact_mean(values) + half


def means_table(
    scores: pd.DataFrame,
    panels: Iterable[Blocks],
    published: pd.DataFrame | None = None,
    author_runs: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Means of every cell, and averages over data sets, beside the published numbers and the authors' own runs.

    The rows have the columns `MEANS`. An empty data set stands for the average over the data sets of one of the
    `panels` (with data sets as blocks); ``published`` and ``authors`` are then averages over the same ones, and missing
    where the paper lacks one of them. Published numbers without results are rows with ``n_runs`` 0.
    """
    cells = by_dataset(scores).assign(n_datasets=1)
    panels = list(panels)
    averages = pd.concat([cells.iloc[:0], *(_averages(scores, cells, blocks) for blocks in panels)])
    averages = averages.astype(cells.dtypes.to_dict())
    rows = pd.concat([cells, averages], ignore_index=True)
    author_means = None if author_runs is None else run_means(author_runs)
    numbers = pd.DataFrame(columns=[*CELL, "published"])
    if published is not None:
        numbers = published.loc[published["dataset"] != "", [*CELL, "published"]]
    numbers = pd.concat([numbers, published_averages(panels, published, author_means)], ignore_index=True)
    rows = rows.merge(numbers.astype({"published": float}), on=CELL, how="left" if numbers.empty else "outer")
    if author_means is None:
        rows["authors"] = np.nan
    else:
        own = author_means.rename(columns={"reproduced": "authors"})[[*CELL, "authors"]]
        rows = rows.merge(pd.concat([own, _author_averages(panels, own)]), on=CELL, how="left")
    rows = rows.fillna({"n_datasets": 0, "n_runs": 0}).astype({"n_datasets": int, "n_runs": int})
    return rows[MEANS].sort_values(CELL, ignore_index=True)


def _averages(scores: pd.DataFrame, cells: pd.DataFrame, blocks: Blocks) -> pd.DataFrame:
    """Averages over the data sets of a panel, by method."""
    own = matching(cells, metric=blocks.metric, scenario=blocks.scenario)
    own = own[own["dataset"].isin(blocks.values.index)].groupby("method")
    frame = pd.DataFrame(
        {
            "mean": mean_of_blocks(blocks),
            "sd": spread_within(scores, blocks),
            "n_datasets": own["dataset"].size(),
            "n_runs": own["n_runs"].sum(),
        },
        index=blocks.values.columns,
    ).dropna(subset=["mean"])
    return frame.rename_axis("method").reset_index().assign(scenario=blocks.scenario, metric=blocks.metric, dataset="")


def _author_averages(panels: Iterable[Blocks], cells: pd.DataFrame) -> pd.DataFrame:
    """Averages of the authors' means over the data sets of each panel; none where the authors lack one of these."""
    averages = []
    for blocks in panels:
        own = matching(cells, metric=blocks.metric, scenario=blocks.scenario)
        wide = own.pivot_table(index="dataset", columns="method", values="authors").reindex(blocks.values.index)
        mean = wide.mean(skipna=False).rename("authors").rename_axis("method").reset_index()
        averages.append(mean.assign(scenario=blocks.scenario, metric=blocks.metric, dataset=""))
    return pd.concat([cells.iloc[:0], *averages], ignore_index=True)


def curves(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean over data sets and, over repeats, the standard deviation of that mean (missing for a single repeat).

    `scores` are of the data sets that count. These weigh the same, whatever their number of repeats.
    """
    panel = ["scenario", "metric", "method"]
    values = scores.dropna(subset=["value"])
    by_dataset, by_repeat = (_groups(values, [*panel, by]).mean().reset_index() for by in ("dataset", "repeat"))
    cells = _groups(by_dataset, panel).agg(mean="mean", n_datasets="size")
    return cells.assign(sd=_groups(by_repeat, panel).std(ddof=1)).reset_index()[CURVES]
