"""One method against the others: counts, Holm's p-values, and ranks that other tools find in the same long table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.head_to_head import COLUMNS, head_to_head
from scarce.analysis.statistics import AnalysisSettings, analyse

METHODS, DATASETS = ["a", "b", "c", "d"], [f"set{i}" for i in range(12)]


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    """The long table scores.csv of four methods, with ties: values are rounded."""
    random = np.random.default_rng(3)
    rows = [
        (dataset, "flip-50", repeat, method, metric, round(random.beta(4 + place, 4), 1))
        for dataset in DATASETS
        for repeat in range(2)
        for place, method in enumerate(METHODS)
        for metric in ("auc_pr", "cost")
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


@pytest.fixture(scope="module")
def stats(scores) -> dict[str, pd.DataFrame]:
    settings = AnalysisSettings(
        metrics=["auc_pr", "cost"], methods=METHODS, datasets=DATASETS, control="a", lower_is_better=frozenset(["cost"])
    )
    return analyse(scores, settings, None, None)


def compared(stats, method) -> pd.DataFrame:
    parts = {name: stats[name] for name in ("block_ranks", "ranks", "posthoc")}
    return head_to_head(**parts, method=method, lower_is_better={"cost"}, rope=0.01)


def long_means(scores, metric) -> pd.DataFrame:
    """Dataset, method and mean value over repeats; values are rounded, so that equal ones tie in all tools."""
    one = scores[scores.metric == metric].groupby(["dataset", "method"], as_index=False).value.mean()
    return one.assign(value=one.value.round(9))


def means(scores, metric) -> pd.DataFrame:
    return long_means(scores, metric).pivot_table(index="dataset", columns="method", values="value")


def test_wins_losses_and_ties_are_those_of_the_means(scores, stats):
    table = compared(stats, "d")
    assert list(table) == COLUMNS and len(table) == 2 * 3
    for row in table.itertuples():
        values = means(scores, row.metric) * (-1 if row.metric == "cost" else 1)
        difference = values.d - values[row.other]
        counts = [(difference > 0).sum(), (difference < 0).sum(), (difference == 0).sum()]
        assert [row.wins, row.losses, row.ties] == counts
        assert row.mean_difference == pytest.approx(difference.mean())
        assert row.p_better + row.p_equal + row.p_worse == pytest.approx(1)
        assert row.n_blocks == len(DATASETS)


def test_holm_is_given_for_the_control_alone_and_for_all_where_the_method_is_the_control(stats):
    table = compared(stats, "d")
    assert set(table.other[table.p_holm.notna()]) == {"a"}
    assert compared(stats, "a").p_holm.notna().all()
    posthoc = stats["posthoc"]
    expected = posthoc[(posthoc.metric == "auc_pr") & (posthoc.blocks == "datasets") & (posthoc.method == "d")]
    found = table[(table.metric == "auc_pr") & (table.other == "a")].p_holm.item()
    assert found == expected[expected.test == "holm"].p_adjusted.item()


@pytest.mark.parametrize("metric", ["auc_pr", "cost"])
def test_other_tools_rank_the_long_table_alike(scores, stats, metric):
    ranks = stats["ranks"]
    ours = ranks[(ranks.metric == metric) & (ranks.blocks == "datasets")].set_index("method").average_rank
    from bencheval.evaluator import BenchmarkEvaluator

    long = long_means(scores, metric)
    error = long.value if metric == "cost" else 1 - long.value
    results = pd.DataFrame({"method": long.method, "task": long.dataset, "metric_error": error.round(9)})
    evaluator = BenchmarkEvaluator(columns_to_agg_extra=None)
    board = evaluator.leaderboard(results, include_elo=False, include_winrate=False, include_improvability=False)
    assert board["rank"].reindex(ours.index).tolist() == pytest.approx(ours.tolist())


def test_scikit_posthocs_reads_the_long_table_and_finds_the_same_differences_of_ranks(scores, stats):
    import scikit_posthocs as posthocs

    long = long_means(scores, "auc_pr")
    columns = {"y_col": "value", "group_col": "method", "block_col": "dataset", "block_id_col": "dataset"}
    theirs = posthocs.posthoc_nemenyi_friedman(long, melted=True, **columns)
    posthoc = stats["posthoc"]
    ours = posthoc[(posthoc.metric == "auc_pr") & (posthoc.blocks == "datasets") & (posthoc.test == "nemenyi")]
    assert len(ours) == 6
    for row in ours.itertuples():
        assert theirs.loc[row.control, row.method] == pytest.approx(row.p_adjusted, abs=1e-6)
