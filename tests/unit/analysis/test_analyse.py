import numpy as np
import pandas as pd
import pytest

from scarce.analysis.means import curves
from scarce.analysis.statistics import COLUMNS, AnalysisSettings, analyse

METHODS = ["a", "b", "c", "d"]


def make_scores(datasets=6, repeats=3, seed=1, metrics=("auc_pr", "f1_oracle"), scenarios=("flip-25", "flip-50")):
    generator = np.random.default_rng(seed)
    rows = [
        (f"d{i}", scenario, repeat, method, metric, generator.random() * 0.5 + 0.1 * METHODS.index(method))
        for i in range(datasets)
        for scenario in scenarios
        for repeat in range(repeats)
        for method in METHODS
        for metric in metrics
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


RUNS = AnalysisSettings(metrics=["auc_pr", "f1_oracle"], blocks="runs", alternative="one-sided", holm="no_stop")


def test_columns_are_the_contract():
    found = analyse(make_scores(), RUNS)
    assert {name: list(frame.columns) for name, frame in found.items()} == COLUMNS
    assert COLUMNS["posthoc"] == (
        [
            "scenario",
            "metric",
            "blocks",
            "alternative",
            "test",
            "control",
            "method",
            "statistic",
            "p",
            "p_adjusted",
            "significant",
            "alpha",
            "p_kind",
            "exploratory",
        ]
    )
    assert COLUMNS["ranks"] == [
        "scenario",
        "metric",
        "blocks",
        "method",
        "average_rank",
        "mean",
        "sd",
        "wins",
        "n_blocks",
    ]


def test_data_sets_are_always_compared_and_runs_beside_them_where_asked():
    assert set(analyse(make_scores(), AnalysisSettings(metrics=["auc_pr"]))["ranks"]["blocks"]) == {"datasets"}
    posthoc = analyse(make_scores(), RUNS)["posthoc"]
    kinds = set(posthoc[["blocks", "test", "alternative"]].itertuples(index=False, name=None))
    assert kinds == {
        ("datasets", "holm", "two-sided"),
        ("datasets", "nemenyi", "two-sided"),
        ("runs", "holm", "one-sided"),
        ("runs", "holm_no_stop", "one-sided"),
        ("runs", "nemenyi", "two-sided"),
    }


def test_one_row_for_each_panel_and_method():
    found = analyse(make_scores(), RUNS)
    assert len(found["ranks"]) == 2 * 2 * 2 * 4
    assert len(found["omnibus"]) == 2 * 2 * 2 * 3
    assert len(found["critical_difference"]) == 2 * 2 * 2
    sizes = found["critical_difference"].groupby("blocks")["n"].unique()
    assert sizes["datasets"].tolist() == [6]
    assert sizes["runs"].tolist() == [18]


def test_same_frames_whatever_the_order_of_rows():
    scores = make_scores()
    first, second = analyse(scores, RUNS), analyse(scores.sample(frac=1, random_state=0), RUNS)
    for name in COLUMNS:
        pd.testing.assert_frame_equal(first[name], second[name])


def test_mean_sd_and_wins_by_hand():
    cells = {("x", "a"): [0.2, 0.4], ("x", "b"): [0.3, 0.3], ("y", "a"): [0.9, 0.5], ("y", "b"): [0.1, 0.2]}
    rows = [(d, "s", r, m, "m", value) for (d, m), values in cells.items() for r, value in enumerate(values)]
    scores = pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])
    ranks = analyse(scores, AnalysisSettings(metrics=["m"]))["ranks"].set_index("method")
    assert ranks.loc["a", "mean"] == pytest.approx((0.3 + 0.7) / 2)
    assert ranks.loc["a", "sd"] == pytest.approx((np.std([0.2, 0.4], ddof=1) + np.std([0.9, 0.5], ddof=1)) / 2)
    assert ranks["n_blocks"].tolist() == [2, 2]
    assert ranks.loc["b", "mean"] == pytest.approx((0.3 + 0.15) / 2)


def test_excluded_methods_leave_the_studys_own_tests_of_runs_only():
    settings = AnalysisSettings(metrics=["auc_pr", "f1_oracle"], blocks="runs", exclude={"f1_oracle": ["c"]})
    ranks = analyse(make_scores(scenarios=["flip-25"]), settings)["ranks"]
    members = ranks.groupby(["metric", "blocks"])["method"].apply(set).to_dict()
    assert members[("f1_oracle", "runs")] == {"a", "b", "d"}
    assert members[("f1_oracle", "datasets")] == members[("auc_pr", "runs")] == set("abcd")


def test_with_data_sets_as_blocks_no_method_is_excluded():
    settings = AnalysisSettings(metrics=["f1_oracle"], exclude={"f1_oracle": ["c"]})
    found = analyse(make_scores(scenarios=["flip-25"]), settings)
    assert set(found["ranks"]["method"]) == set("abcd")
    assert found["critical_difference"]["k"].tolist() == [4]
    assert not settings.own.exclude


def test_data_sets_as_own_blocks_are_compared_as_the_study_says():
    settings = AnalysisSettings(metrics=["auc_pr"], alternative="one-sided", holm="no_stop")
    posthoc = analyse(make_scores(), settings)["posthoc"]
    assert set(posthoc[["blocks", "test", "alternative"]].itertuples(index=False, name=None)) == {
        ("datasets", "holm", "one-sided"),
        ("datasets", "holm_no_stop", "one-sided"),
        ("datasets", "nemenyi", "two-sided"),
    }


def test_an_excluded_method_drops_no_data_set():
    scores = make_scores(scenarios=["flip-25"], metrics=["auc_pr"])
    scores = scores[~((scores["method"] == "c") & (scores["dataset"] == "d0"))]
    settings = AnalysisSettings(metrics=["auc_pr"], blocks="runs", exclude={"auc_pr": ["c"]})
    sizes = analyse(scores, settings)["ranks"].groupby("blocks")["n_blocks"].unique()
    assert sizes["runs"].tolist() == [6 * 3]
    assert sizes["datasets"].tolist() == [5]


def test_repeats_undefined_for_all_methods_are_noted_and_drop_nothing():
    scores = make_scores(scenarios=["flip-25"], metrics=["auc_pr"])
    scores.loc[(scores["dataset"] == "d0") & (scores["repeat"] == 1), "value"] = np.nan
    found = analyse(scores, AnalysisSettings(metrics=["auc_pr"], blocks="runs"))
    sizes = found["ranks"].groupby("blocks")["n_blocks"].unique()
    assert (sizes["datasets"].tolist(), sizes["runs"].tolist()) == ([6], [6 * 3 - 1])
    notes = found["notes"][["blocks", "dataset", "method", "note"]]
    text = "1 of 3 repeats have no value for any method"
    assert notes.to_numpy().tolist() == [["datasets", "d0", "", text], ["runs", "d0", "", text]]


def test_what_is_missing_is_noted():
    scores = make_scores(scenarios=["flip-25"], metrics=["auc_pr"])
    scores = scores[~((scores["method"] == "c") & (scores["dataset"] == "d0") & (scores["repeat"] == 1))]
    notes = analyse(scores, AnalysisSettings(metrics=["auc_pr"], datasets=[*(f"d{i}" for i in range(6)), "gone"]))[
        "notes"
    ]
    assert notes.to_dict("records") == [
        {"scenario": "flip-25", "metric": "auc_pr", "blocks": "datasets", "dataset": d, "method": m, "note": note}
        for d, m, note in [
            ("gone", "", "no results for this data set"),
            ("d0", "c", "1 of 3 runs missing; the data set is left out"),
        ]
    ]


@pytest.mark.parametrize(
    ("keep", "reason"),
    [
        (lambda s: s["method"].isin(["a", "b"]), "not tested: only 2 methods"),
        (lambda s: s["dataset"] == "d0", "not tested: only 1 block"),
    ],
)
def test_too_little_to_test_gives_ranks_and_a_reason(keep, reason):
    scores = make_scores(metrics=["auc_pr"], scenarios=["flip-25"])
    found = analyse(scores[keep(scores)], AnalysisSettings(metrics=["auc_pr"]))
    assert len(found["ranks"]) > 0
    assert found["omnibus"].empty
    assert found["posthoc"].empty
    assert found["notes"]["note"].str.startswith(reason).tolist() == [True]


def test_a_control_without_results_is_a_reason():
    found = analyse(make_scores(metrics=["auc_pr"]), AnalysisSettings(metrics=["auc_pr"], control="nobody"))
    assert found["posthoc"].empty
    assert set(found["notes"]["note"]) == {"not tested: the control method nobody has no ranks"}


def test_metrics_without_scores_and_no_scores_at_all_give_empty_frames_with_columns():
    empty = analyse(make_scores().iloc[:0], AnalysisSettings(metrics=["auc_pr"]))
    assert {name: list(frame.columns) for name, frame in empty.items()} == COLUMNS
    assert analyse(make_scores(), AnalysisSettings(metrics=["no_such"]))["ranks"].empty


def test_low_is_good_where_the_metric_says_so():
    scores = make_scores(metrics=["auc_pr"], scenarios=["flip-25"], datasets=12)
    up = analyse(scores, AnalysisSettings(metrics=["auc_pr"]))["ranks"]
    down = analyse(scores, AnalysisSettings(metrics=["auc_pr"], lower_is_better=frozenset({"auc_pr"})))["ranks"]
    assert up["method"].tolist() == down["method"].tolist()[::-1]


@pytest.mark.parametrize("wrong", [{"alpha": 1.5}, {"holm": "hochberg"}])
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        AnalysisSettings(metrics=[], **wrong)


def test_ties_for_the_best_are_wins_of_all():
    rows = [(d, "s", 0, m, "m", v) for d, v in (("x", 0.5), ("y", 0.25)) for m in "ab"] + [("x", "s", 0, "c", "m", 0.0)]
    scores = pd.DataFrame([*rows, ("y", "s", 0, "c", "m", 0.9)], columns=list(make_scores().columns))
    ranks = analyse(scores, AnalysisSettings(metrics=["m"]))["ranks"].set_index("method")
    assert ranks["wins"].to_dict() == {"a": 1, "b": 1, "c": 1}


def test_curves_weigh_data_sets_alike_and_their_sd_is_over_repeats():
    rows = [("a", 0, 1.0), ("a", 1, 0.8), ("b", 0, 0.2), ("b", 1, 0.4), ("b", 2, 0.3)]
    frame = pd.DataFrame(rows, columns=["dataset", "repeat", "value"]).assign(metric="m", scenario="s", method="x")
    row = curves(frame).iloc[0]
    assert row["mean"] == pytest.approx((0.9 + 0.3) / 2)
    assert row["sd"] == pytest.approx(np.std([0.6, 0.6, 0.3], ddof=1))
    assert row["n_datasets"] == 2


def test_means_of_cells_and_averages_beside_what_is_published():
    scores = make_scores(scenarios=["flip-25"], metrics=["auc_pr", "recall"], datasets=3)
    keys = {"scenario": "flip-25", "metric": "auc_pr", "printed_digits": 3, "corrected": np.nan}
    printed = pd.DataFrame([("", "a", 0.5), ("d0", "a", 0.25), ("d1", "a", 0.75), ("gone", "a", 0.1)])
    published = printed.set_axis(["dataset", "method", "published"], axis=1).assign(**keys)
    settings = AnalysisSettings(metrics=["auc_pr"], datasets=["d0", "d1"])
    means = analyse(scores, settings, published)["means"].set_index(["metric", "dataset", "method"])
    runs = scores[(scores.metric == "auc_pr") & (scores.dataset == "d0") & (scores.method == "a")].value
    assert means.loc[("auc_pr", "d0", "a"), "mean"] == pytest.approx(runs.mean())
    assert means.loc[("auc_pr", "d0", "a"), ["sd", "n_runs"]].tolist() == pytest.approx([runs.std(), 3])
    average = means.loc[("auc_pr", "", "a")]
    assert average["mean"] == pytest.approx(means.loc[[("auc_pr", d, "a") for d in ("d0", "d1")], "mean"].mean())
    assert (average["n_datasets"], average["n_runs"]) == (2, 6)
    assert average["published"] == pytest.approx((0.25 + 0.75) / 2), "over the two data sets that are averaged"
    assert means.loc[("auc_pr", "gone", "a"), ["published", "n_runs"]].tolist() == [0.1, 0]
    assert ("recall", "", "a") not in means.index and ("recall", "d2", "a") in means.index
    alone = analyse(scores, AnalysisSettings(metrics=["auc_pr"]), published)["means"]
    assert alone.published[alone.dataset == ""].isna().all(), "the paper lacks d2"


def test_block_ranks_are_what_average_ranks_average():
    found = analyse(make_scores(), RUNS)
    keys = ["scenario", "metric", "method"]
    ranks = found["ranks"][found["ranks"]["blocks"] == "datasets"].set_index(keys).sort_index()
    blocks = found["block_ranks"].groupby(keys)[["rank", "value"]].mean()
    np.testing.assert_allclose(blocks["rank"], ranks["average_rank"])
    np.testing.assert_allclose(blocks["value"], ranks["mean"])


def test_metrics_of_tables_are_compared_as_well():
    found = analyse(make_scores(), AnalysisSettings(metrics=["auc_pr"], tabulated=["f1_oracle"]))
    assert set(found["ranks"]["metric"]) == {"auc_pr", "f1_oracle"}


@pytest.mark.parametrize("blocks", ["datasets", "runs"])
def test_an_oracle_is_averaged_and_changes_no_rank_and_no_test(blocks):
    scores = make_scores()
    lost = (scores["method"] == "d") & (scores["dataset"] == "d0") & (scores["repeat"] == 0)
    scores = scores[~lost]
    settings = AnalysisSettings(["auc_pr", "f1_oracle"], methods=METHODS, oracles=["d"], blocks=blocks)
    found = analyse(scores, settings)
    without = analyse(scores[scores["method"] != "d"], AnalysisSettings(settings.metrics, blocks=blocks))
    for name in set(found) - {"means", "curves"}:
        pd.testing.assert_frame_equal(found[name], without[name])
    means = found["means"].set_index("method")
    averages = means[means["dataset"] == ""]
    assert set(averages["n_datasets"]) == {6} and len(averages.loc["d"]) == 4
    own = scores[(scores["method"] == "d") & (scores["metric"] == "auc_pr") & (scores["scenario"] == "flip-25")]
    first = averages.loc["d"].query("metric == 'auc_pr' and scenario == 'flip-25'")["mean"].item()
    assert first == pytest.approx(own.groupby("dataset")["value"].mean().mean())
