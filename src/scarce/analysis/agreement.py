"""How near reproduced results come to the published ones: means cell by cell, and single runs one by one.

standard_error = sqrt((sd_reproduced^2 + sd_published^2) / n). The published standard deviation comes from the authors'
single runs, and without them is the reproduced one again; a printed one does not enter.
A cell is ``within`` where |difference| <= 2 standard errors + half of the last printed digit.

A row with an empty data set is the average over data sets: ``sd`` is the mean of the standard deviations within data
sets, and n counts all runs. With as many runs on each of the data sets, the standard error of such an average would
take their root mean square instead; the mean is at most that, so ``within`` is slightly strict there. Where some of
the paper's data sets are missing, the published average is taken again over those that are there, from the table of
single data sets (misprints corrected) or else from the authors' runs; `agreement_notes` says so.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from scarce.analysis.ranks import CELL, SCORE_KEYS, Blocks
from scarce.analysis.rows import matching
from scarce.errors import DataError
from scarce.result_files import columns_of

AGREEMENT = columns_of("agreement")
AGREEMENT_RUNS = columns_of("agreement_runs")
NOTES = columns_of("agreement_notes")
EQUAL = 1e-6
ROUNDING = 1e-12


def agreement(
    scores: pd.DataFrame, published: pd.DataFrame | None, author_runs: pd.DataFrame | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames of agreement.csv and agreement_runs.csv; see `compare_cells` and `compare_runs`."""
    return compare_cells(scores, published, author_runs), compare_runs(scores, author_runs)


def compare_cells(
    scores: pd.DataFrame, published: pd.DataFrame | None, author_runs: pd.DataFrame | None = None
) -> pd.DataFrame:
    """One row for each published number that has results; ``within`` is missing where a standard deviation is.

    The frames are those of scores.csv and of `scarce.analysis.reference`.
    """
    if published is None or published.empty:
        return pd.DataFrame(columns=AGREEMENT)
    means = run_means(scores)
    author_means = None if author_runs is None else run_means(author_runs)
    parts = [_single_cells(means, published, author_means), _averages(means, published, author_means)]
    cells = pd.concat(parts, ignore_index=True).astype({"n": int, "printed_digits": float})
    cells["difference"] = cells["reproduced"] - cells["published"]
    cells["standard_error"] = np.sqrt((cells["sd"] ** 2 + cells["sd_published"] ** 2) / cells["n"])
    slack = 2.0 * cells["standard_error"] + 0.5 * 10.0 ** -cells["printed_digits"] + ROUNDING
    within = (cells["difference"].abs() <= slack).astype("boolean")
    cells["within"] = within.mask(cells["standard_error"].isna())
    return cells[AGREEMENT].sort_values(CELL, ignore_index=True)


def agreement_notes(
    cells: pd.DataFrame, published: pd.DataFrame, author_runs: pd.DataFrame | None = None
) -> pd.DataFrame:
    """What a reader of agreement.csv (`cells`) must know: misprints, averages over fewer data sets.

    An empty name stands for all.
    """
    printed = cells[CELL].merge(published, on=CELL, validate="1:1")
    misprints = printed.loc[printed["note"] != "", NOTES]
    keys = cells[CELL].merge(published[[*CELL, "published"]], on=CELL).set_index(CELL)["published"]
    averages = cells[cells["dataset"] == ""].set_index(CELL)["published"]
    changed = averages[(averages - keys.reindex(averages.index)).abs() > ROUNDING].reset_index()
    rows = []
    for scenario, metric in changed[["scenario", "metric"]].drop_duplicates().itertuples(index=False):
        datasets = matching(published, metric=metric, scenario=scenario)["dataset"]
        source, total = "the published values of single data sets", datasets[datasets != ""].nunique()
        if not total and author_runs is not None:
            source = "the authors' runs"
            total = matching(author_runs, metric=metric)["dataset"].nunique()
        text = f"published averages over fewer than the paper's {total} data sets, from {source}"
        rows.append((scenario, metric, "", "", text))
    notes = pd.concat([misprints, pd.DataFrame(rows, columns=NOTES)], ignore_index=True)
    return notes.sort_values(CELL, ignore_index=True)


def published_averages(
    panels: Iterable[Blocks], published: pd.DataFrame | None, author_means: pd.DataFrame | None = None
) -> pd.DataFrame:
    """The published averages over the very data sets that are averaged in `panels`, whose blocks are data sets.

    There is none where a panel holds a data set that the paper does not have. `author_means` is what `run_means` gives.
    Columns: scenario, metric, dataset (empty), method, published.
    """
    averages = [pd.DataFrame(columns=[*CELL, "published"])]
    for blocks in panels if published is not None else ():
        printed = matching(published, metric=blocks.metric, scenario=blocks.scenario)
        papers = set(printed["dataset"])
        every = pd.MultiIndex.from_product(
            [blocks.values.index, printed["method"].unique()], names=["dataset", "method"]
        )
        values = blocks.values.rename_axis(columns="method").stack().reindex(every, fill_value=0.0)  # noqa: PD013
        means = every[np.isfinite(values)].to_frame(index=False)
        means = means.assign(scenario=blocks.scenario, metric=blocks.metric, reproduced=np.nan, sd=np.nan, n=0)
        own = author_means
        if own is not None:
            own = matching(own, metric=blocks.metric, scenario=blocks.scenario)
            papers |= set(own["dataset"])
        if set(means["dataset"]) <= papers:
            averages.append(_averages(means, printed, own)[[*CELL, "published"]])
    return pd.concat(averages, ignore_index=True)


def run_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean, standard deviation (ddof 1) and number of the runs with a value, by cell."""
    if scores.duplicated(SCORE_KEYS).any():
        raise DataError("scores are there twice", hint="a result may enter a mean only once")
    values = scores.dropna(subset=["value"]).groupby(CELL)["value"]
    return values.agg(reproduced="mean", sd="std", n="count").reset_index()


def _single_cells(means: pd.DataFrame, published: pd.DataFrame, author_means: pd.DataFrame | None) -> pd.DataFrame:
    rows = published[published["dataset"] != ""].merge(means, on=CELL, validate="1:1")
    if author_means is None:
        return _published_sd(rows.assign(sd_runs=np.nan))
    return _published_sd(rows.merge(author_means[[*CELL, "sd"]].rename(columns={"sd": "sd_runs"}), on=CELL, how="left"))


def _published_sd(rows: pd.DataFrame) -> pd.DataFrame:
    """Of the authors' runs where there are any, else the reproduced one again."""
    return rows.assign(sd_published=rows["sd_runs"].fillna(rows["sd"]))


def _averages(means: pd.DataFrame, published: pd.DataFrame, author_means: pd.DataFrame | None) -> pd.DataFrame:
    """Averages over data sets, on both sides over the data sets that are on both sides."""
    singles = published[published["dataset"] != ""]
    singles = singles.assign(value=singles["corrected"].fillna(singles["published"]))[[*CELL, "value"]]
    runs = pd.DataFrame(columns=[*CELL, "reproduced", "sd"]) if author_means is None else author_means
    panel = ["scenario", "metric", "method"]
    groups = [
        {key: rows.set_index("dataset") for key, rows in frame.groupby(panel)} for frame in (means, singles, runs)
    ]
    rows = []
    for target in published[published["dataset"] == ""].to_dict("records"):
        own, printed, run = (group.get(tuple(target[name] for name in panel)) for group in groups)
        source = printed["value"] if printed is not None else run["reproduced"] if run is not None else None
        if own is None or source is None:
            continue
        datasets = source.index.intersection(own.index)
        if not len(datasets):
            continue
        if len(datasets) < len(source):
            target["published"] = source[datasets].mean()
        own = own.loc[datasets]
        target.update(reproduced=own["reproduced"].mean(), n=int(own["n"].sum()))
        target["sd"] = own["sd"].mean(skipna=False)
        target["sd_runs"] = np.nan if run is None else run["sd"].reindex(datasets).mean(skipna=False)
        rows.append(target)
    numbers = ["published", "reproduced", "sd", "n", "sd_runs"]
    averages = pd.DataFrame(rows, columns=[*published.columns, *numbers[1:]])
    return _published_sd(averages.astype(dict.fromkeys(numbers, float)))


def compare_runs(scores: pd.DataFrame, author_runs: pd.DataFrame | None) -> pd.DataFrame:
    """For each cell with runs in both: how many, how many equal to 1e-6, correlation, largest absolute difference.

    The correlation is missing where one side is constant. There are no rows where `author_runs` is None.
    """
    if author_runs is None:
        return pd.DataFrame(columns=AGREEMENT_RUNS)
    keys = [*CELL, "repeat"]
    both = scores.merge(author_runs, on=keys, suffixes=("", "_author"), validate="1:1")
    both = both.dropna(subset=["value", "value_author"])
    both["distance"] = (both["value"] - both["value_author"]).abs()
    rows = []
    for key, cell in both.groupby(CELL):
        x, y = cell["value"].to_numpy(), cell["value_author"].to_numpy()
        varies = len(cell) > 1 and np.ptp(x) > 0 and np.ptp(y) > 0
        correlation = float(np.corrcoef(x, y)[0, 1]) if varies else np.nan
        rows.append((*key, len(cell), int((cell["distance"] <= EQUAL).sum()), correlation, cell["distance"].max()))
    return pd.DataFrame(rows, columns=AGREEMENT_RUNS).sort_values(CELL, ignore_index=True)
