"""Ranks and tests of one printed table: over the methods that it shows.

Means are ranked unrounded, whatever the table prints. A table with ``rank_digits`` ranks rounded means, as some papers
do, and its note says so. (The ranks of ``ranks.csv`` are of all methods of a study and of unrounded means.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scarce.analysis import tests
from scarce.analysis.means import by_dataset
from scarce.analysis.ranks import rank_blocks
from scarce.analysis.rows import matching
from scarce.analysis.statistics import AnalysisSettings
from scarce.result_files import columns_of
from scarce.words import number

TABLE_RANKS, TABLE_TESTS = columns_of("table_ranks"), columns_of("table_tests")
MARKS = {"yes": True, "no": False}


def table_ranks(
    specs: Iterable[Any],
    scores: pd.DataFrame,
    facts: pd.DataFrame,
    settings: AnalysisSettings,
    datasets: Sequence[str],
    printed: dict[str, pd.DataFrame | None],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ranks and tests of the tables that rank methods of their own choice: frames `TABLE_RANKS` and `TABLE_TESTS`.

    `specs` are tables of a study; those with `facts` compare what methods state of their fits, the others a metric.
    `datasets` are all of the study, ``settings.datasets`` those that average ranks and tests count. `printed` holds
    what the paper prints: ``published``, and ``ranks`` and ``facts`` from `scarce.analysis.reference.printed`.

    The ranks have a row for each data set and method, and with an empty data set the average rank, Holm's comparison
    with the table's control, what the paper prints of both, and ``published_rank_here``: the paper's own ranks averaged
    over the same data sets. The tests are Friedman's and Iman and Davenport's, or a note why there is none.
    """
    ranks, results = [pd.DataFrame(columns=TABLE_RANKS)], [pd.DataFrame(columns=TABLE_TESTS)]
    facts = facts.rename(columns={"fact": "metric"})
    for spec in specs:
        for name in spec.facts or [spec.metric]:
            values, published = (facts, printed["facts"]) if spec.facts else (scores, printed["published"])
            if published is not None:
                published = published.rename(columns={"fact": "metric"})
            one = _one(spec, name, values, published, printed["ranks"], settings, datasets)
            for frames, frame in zip((ranks, results), one, strict=True):
                frames.append(frame.assign(table=spec.name))
    return tuple(
        pd.concat([frame.astype(object) for frame in frames], ignore_index=True)[columns]
        for frames, columns in ((ranks, TABLE_RANKS), (results, TABLE_TESTS))
    )


def _one(
    spec: Any,
    name: str,
    values: pd.DataFrame,
    published: pd.DataFrame | None,
    printed_ranks: pd.DataFrame,
    settings: AnalysisSettings,
    datasets: Sequence[str],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both frames for one metric or fact of one table."""
    methods = list(spec.methods or settings.methods)
    datasets = settings.among(datasets, spec.scenario)
    values = matching(values, metric=name, scenario=spec.scenario)
    values = values[values["method"].isin(methods)]
    keys = pd.MultiIndex.from_product([datasets, methods], names=["dataset", "method"])
    rows = by_dataset(values).set_index(["dataset", "method"])[["mean", "sd", "n_runs"]].reindex(keys)
    whole = rows["mean"].unstack().reindex(index=datasets, columns=methods).dropna()  # noqa: PD010
    if spec.rank_digits is not None:
        whole = whole.round(spec.rank_digits)
    ranks = rank_blocks(whole, higher_is_better=name not in settings.lower_is_better)
    rows["rank"] = ranks.stack().reindex(keys)  # noqa: PD013
    rows["published"], rows["published_sd"] = np.nan, np.nan
    if published is not None:
        paper = matching(published, metric=name, scenario=spec.scenario).set_index(["dataset", "method"]).reindex(keys)
        rows["published"] = paper["published"].astype(float)
        rows["published_sd"] = paper["published_sd"].astype(float) if "published_sd" in paper else np.nan
    paper = matching(printed_ranks, table=spec.name, metric=name).set_index(["dataset", "method"])
    rows["published_rank"], rows["note"] = paper["rank"].reindex(keys).astype(float), paper["note"].reindex(keys)

    counted = [d for d in settings.datasets or datasets if d in ranks.index]
    foot = pd.DataFrame(index=pd.MultiIndex.from_product([[""], methods], names=keys.names))
    foot["rank"] = ranks.loc[counted].mean(axis=0).to_numpy() if counted else np.nan
    counted_ranks = rows["published_rank"].unstack().reindex(index=counted, columns=methods)  # noqa: PD010
    foot["published_rank_here"] = counted_ranks.mean(axis=0, skipna=False).to_numpy() if counted else np.nan
    foot["published_rank"], foot["note"] = paper["rank"].reindex(foot.index), paper["note"].reindex(foot.index)
    foot["published_significant"] = paper["significant"].reindex(foot.index).map(MARKS)
    compared, results = _tested(ranks.loc[counted], foot["rank"].droplevel(0), spec.control or "best", settings)
    if compared is not None:
        compared = compared.set_index("method").reindex(methods)
        for column in ("p_adjusted", "significant", "exploratory"):
            foot[column] = compared[column].to_numpy()
    frame = pd.concat([rows, foot]).reset_index().assign(scenario=spec.scenario, metric=name)
    frame = frame.reindex(columns=TABLE_RANKS).fillna({"n_runs": 0, "note": ""}).astype({"n_runs": int})
    if spec.rank_digits is not None and compared is not None:
        results["note"] = rounded_words(spec)
    return frame, results.assign(metric=name)


def rounded_words(spec: Any) -> str:
    """What is said of statistics whose means are rounded before they are ranked."""
    return f"ranks of means rounded to {number(spec.rank_digits, 'decimal')}"


def _tested(
    ranks: pd.DataFrame, average: pd.Series, control: str, settings: AnalysisSettings
) -> tuple[pd.DataFrame | None, pd.DataFrame]:
    """Holm's comparisons with the control, and the tests of all methods; None and the reason where there are none."""
    n, k = ranks.shape
    if reason := tests.untestable(k, n):
        return None, pd.DataFrame([{"n": n, "note": reason}], columns=TABLE_TESTS)
    compared = tests.holm(average, n, control=control, alpha=settings.alpha, **settings.own.of_holm)
    omnibus = [test(ranks) for test in (tests.friedman, tests.iman_davenport)]
    compared = tests.after_omnibus(compared, omnibus[-1], settings.alpha)
    results = (
        pd.DataFrame([result.row for result in omnibus])
        .astype({"df1": "Int64", "df2": "Int64"})
        .assign(n=n, control=compared["control"].iloc[0], note="")
    )
    return compared, results.reindex(columns=TABLE_TESTS)
