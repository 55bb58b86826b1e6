import numpy as np
import pandas as pd
import pytest

from scarce.analysis.ranks import average_ranks, block_matrix, by_rank, rank_blocks
from scarce.errors import DataError, IncompleteError


def scores_of(cells, metric="auc_pr", scenario="flip-50"):
    """{(dataset, method): [value of each repeat]} as scores; None leaves the row out."""
    rows = [
        (dataset, scenario, repeat, method, metric, value)
        for (dataset, method), values in cells.items()
        for repeat, value in enumerate(values)
        if value is not None
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


CELLS = {
    ("d1", "a"): [0.9, 0.5],
    ("d1", "b"): [0.6, 0.6],
    ("d2", "a"): [0.3, 0.3],
    ("d2", "b"): [0.4, 0.1],
}


def test_repeats_are_averaged_before_ranking():
    blocks = block_matrix(scores_of(CELLS), "auc_pr", "flip-50")
    assert blocks.values.to_dict("index") == {"d1": {"a": 0.7, "b": 0.6}, "d2": {"a": 0.3, "b": 0.25}}
    assert average_ranks(blocks.values).to_dict() == {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize("seed", range(5))
def test_the_same_repeats_in_another_order_tie(seed):
    """Sums of the same numbers in another order differ in their last bits; that is no better rank."""
    random = np.random.RandomState(seed)
    values = random.rand(20)
    cells = {("d1", name): random.permutation(values).tolist() for name in "abcdefgh"}
    blocks = block_matrix(scores_of(cells), "auc_pr", "flip-50")
    assert set(average_ranks(blocks.values)) == {4.5}


@pytest.mark.parametrize("blocks", ["datasets", "runs"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([0.1 + 0.2], [0.3]),
        ([0.1, 0.2], [0.15, 0.15]),
        ([1 / 3, 2 / 3], [0.5, 0.5]),
        ([1.0, 0.7 + 0.2], [0.9, 1.0]),
        ([1e-5 * 3], [0.00003]),
        ([5e-17], [0.0]),
    ],
)
def test_equal_values_tie_however_their_doubles_came_about(first, second, blocks):
    if blocks == "runs" and len(first) > 1:
        second = [first[0], first[1] * (1 - 1e-16)]
    values = block_matrix(scores_of({("d", "a"): first, ("d", "b"): second}), "auc_pr", "flip-50", blocks).values
    assert set(rank_blocks(values).to_numpy().ravel()) == {1.5}


@pytest.mark.parametrize("step", [1e-13, 1e-11, 1e-6])
@pytest.mark.parametrize("value", [0.9, 0.05])
def test_different_values_do_not_tie(value, step):
    values = block_matrix(scores_of({("d", "a"): [value], ("d", "b"): [value + step]}), "auc_pr", "flip-50").values
    assert average_ranks(values).to_dict() == {"a": 2.0, "b": 1.0}


def test_runs_as_blocks_rank_every_repeat():
    blocks = block_matrix(scores_of(CELLS), "auc_pr", "flip-50", "runs")
    assert blocks.values.index.tolist() == [("d1", 0), ("d1", 1), ("d2", 0), ("d2", 1)]
    assert average_ranks(blocks.values).to_dict() == {"a": 1.5, "b": 1.5}


def test_other_metrics_and_scenarios_stay_out():
    scores = pd.concat(
        [
            scores_of(CELLS),
            scores_of({("d1", "a"): [0.0]}, metric="auc_roc"),
            scores_of({("d9", "z"): [1.0]}, scenario="x"),
        ]
    )
    assert block_matrix(scores, "auc_pr", "flip-50").values.equals(
        block_matrix(scores_of(CELLS), "auc_pr", "flip-50").values
    )


def test_order_of_rows_does_not_matter():
    scores = scores_of(CELLS)
    shuffled = scores.sample(frac=1.0, random_state=3)
    assert block_matrix(shuffled, "auc_pr", "flip-50").values.equals(block_matrix(scores, "auc_pr", "flip-50").values)


def test_duplicates_are_refused():
    scores = scores_of(CELLS)
    with pytest.raises(DataError, match="1 scores are there twice, first auc_pr of a on d1"):
        block_matrix(pd.concat([scores, scores.iloc[:1]]), "auc_pr", "flip-50")


HOLES = CELLS | {("d2", "b"): [0.4, None], ("d3", "a"): [0.5, 0.6], ("d1", "c"): [0.1, 0.2], ("d2", "c"): [0.2, 0.9]}


def test_drop_dataset_leaves_out_every_incomplete_data_set_and_says_so():
    blocks = block_matrix(scores_of(HOLES), "auc_pr", "flip-50", datasets=["d1", "d2", "d3", "d4"])
    assert blocks.values.index.tolist() == ["d1"]
    assert (blocks.n_datasets, blocks.n_datasets_asked) == (1, 4)
    assert [(n.dataset, n.method, n.note) for n in blocks.notes] == [
        ("d4", "", "no results for this data set"),
        ("d2", "b", "1 of 2 runs missing; the data set is left out"),
        ("d3", "b", "2 of 2 runs missing; the data set is left out"),
        ("d3", "c", "2 of 2 runs missing; the data set is left out"),
    ]


def test_worst_counts_a_missing_run_as_the_worst_of_its_repeat_and_a_missing_method_as_last():
    blocks = block_matrix(scores_of(HOLES), "auc_pr", "flip-50", missing="worst")
    assert blocks.values.loc["d2", "b"] == pytest.approx((0.4 + 0.3) / 2)
    assert rank_blocks(blocks.values).loc["d3"].to_dict() == {"a": 1.0, "b": 2.5, "c": 2.5}
    runs = block_matrix(scores_of(HOLES), "auc_pr", "flip-50", "runs", missing="worst")
    assert rank_blocks(runs.values).loc[("d2", 1)].to_dict() == {"a": 2.0, "b": 3.0, "c": 1.0}


def test_worst_of_a_metric_where_low_is_good_is_high():
    blocks = block_matrix(scores_of(HOLES), "auc_pr", "flip-50", missing="worst", higher_is_better=False)
    assert blocks.values.loc["d2", "b"] == pytest.approx((0.4 + 0.9) / 2)
    assert rank_blocks(blocks.values, higher_is_better=False).loc["d3"].to_dict() == {"a": 1.0, "b": 2.5, "c": 2.5}


def test_refuse_names_what_is_missing():
    with pytest.raises(IncompleteError, match="d2, b: 1 of 2 runs missing"):
        block_matrix(scores_of(HOLES), "auc_pr", "flip-50", missing="refuse")


def test_an_undefined_value_is_a_missing_one():
    scores = scores_of(CELLS | {("d2", "b"): [0.4, np.nan]})
    assert block_matrix(scores, "auc_pr", "flip-50").values.index.tolist() == ["d1"]


NOBODY = CELLS | {("d2", "a"): [0.3, np.nan, 0.3], ("d2", "b"): [0.4, np.nan, 0.1]}


@pytest.mark.parametrize("missing", ["drop_dataset", "worst", "refuse"])
@pytest.mark.parametrize(("kind", "n_blocks"), [("datasets", 2), ("runs", 4)])
def test_a_repeat_without_a_value_for_any_method_is_passed_over(missing, kind, n_blocks):
    blocks = block_matrix(scores_of(NOBODY), "auc_pr", "flip-50", kind, missing)
    values = block_matrix(scores_of(CELLS), "auc_pr", "flip-50", kind, missing).values
    assert blocks.values.to_numpy().tolist() == values.to_numpy().tolist()
    assert (len(blocks.values), blocks.n_datasets) == (n_blocks, 2)
    assert [(n.dataset, n.method, n.note) for n in blocks.notes] == [
        ("d2", "", "1 of 3 repeats have no value for any method")
    ]


def test_a_run_that_another_method_has_is_still_missing_beside_such_a_repeat():
    scores = scores_of(NOBODY | {("d2", "b"): [0.4, np.nan, np.nan]})
    blocks = block_matrix(scores, "auc_pr", "flip-50")
    assert blocks.values.index.tolist() == ["d1"]
    assert [n.note for n in blocks.notes] == [
        "1 of 2 runs missing; the data set is left out",
        "1 of 3 repeats have no value for any method",
    ]
    with pytest.raises(IncompleteError, match="d2, b: 1 of 2 runs missing"):
        block_matrix(scores, "auc_pr", "flip-50", missing="refuse")


@pytest.mark.parametrize("missing", ["drop_dataset", "worst", "refuse"])
@pytest.mark.parametrize("kind", ["datasets", "runs"])
def test_a_data_set_without_a_value_for_any_method_is_only_counted(missing, kind):
    nothing = {(d, m): [np.nan, np.nan] for d in ("d2", "d3") for m in "ab"}
    blocks = block_matrix(scores_of(CELLS | nothing), "auc_pr", "flip-50", kind, missing)
    assert set(blocks.values.index.get_level_values("dataset")) == {"d1"}
    assert (blocks.n_datasets, blocks.n_datasets_asked) == (1, 3)
    text = "2 of 2 repeats have no value for any method"
    assert [(n.dataset, n.method, n.note) for n in blocks.notes] == [("d2", "", text), ("d3", "", text)]


@pytest.mark.parametrize("missing", ["drop_dataset", "worst", "refuse"])
@pytest.mark.parametrize("kind", ["datasets", "runs"])
def test_a_metric_without_any_value_gives_no_blocks(missing, kind):
    blocks = block_matrix(scores_of({key: [np.nan] for key in CELLS}), "auc_pr", "flip-50", kind, missing)
    assert blocks.values.empty
    assert [n.dataset for n in blocks.notes] == ["d1", "d2"]


@pytest.mark.parametrize("kind", ["datasets", "runs"])
def test_no_block_is_left_where_every_data_set_lacks_a_run(kind):
    scores = scores_of(CELLS | {("d1", "a"): [0.9, None], ("d2", "b"): [0.4, None]})
    blocks = block_matrix(scores, "auc_pr", "flip-50", kind)
    assert (len(blocks.values), list(blocks.values.columns), blocks.n_datasets) == (0, ["a", "b"], 0)


def test_a_method_without_any_result_does_not_drop_every_data_set():
    blocks = block_matrix(scores_of(CELLS), "auc_pr", "flip-50", methods=["b", "never", "a"])
    assert blocks.values.columns.tolist() == ["b", "a"]
    assert len(blocks.values) == 2
    assert [(n.method, n.note) for n in blocks.notes] == [("never", "no results of this method; it is left out")]


def test_the_last_bit_decides_a_rank():
    values = pd.DataFrame(
        [
            [0.30000000000000004, 0.3, 0.2999999999999999],
            [0.1234567890123456, 0.1234567890123457, 0.5],
            [0.9999999999999999, 1.0, 0.25],
        ],
        columns=["A", "B", "C"],
    )
    assert rank_blocks(values).to_numpy().tolist() == [[1, 2, 3], [3, 2, 1], [2, 1, 3]]


def test_ties_share_the_mean_rank_and_names_break_them_in_order():
    values = pd.DataFrame({"PNB": [0.5, 0.5], "APNB": [0.5, 0.5], "z": [0.9, 0.1]})
    assert average_ranks(values).to_dict() == {"PNB": 2.0, "APNB": 2.0, "z": 2.0}
    assert by_rank(average_ranks(values)) == ["APNB", "PNB", "z"]


def test_direction():
    values = pd.DataFrame({"low": [0.1], "high": [0.9]})
    assert average_ranks(values).to_dict() == {"low": 2.0, "high": 1.0}
    assert average_ranks(values, higher_is_better=False).to_dict() == {"low": 1.0, "high": 2.0}


def test_missing_values_are_never_ranked():
    with pytest.raises(ValueError, match="missing value"):
        rank_blocks(pd.DataFrame({"a": [0.1], "b": [np.nan]}))
