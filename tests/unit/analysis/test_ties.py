"""Values that are equal in exact arithmetic tie, whatever their last bits; order changes nothing, bit for bit."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.analysis import evidence
from scarce.analysis.means import by_dataset
from scarce.analysis.ranks import block_matrix, rank_blocks
from scarce.analysis.statistics import AnalysisSettings, Procedure, analyse
from scarce.analysis.ties import ABSOLUTE, RELATIVE, exceeds, settled
from scarce.scoring.ranking import Ranking, average_precision, roc_auc
from tests.unit.analysis.cases import case, decide

ULP = 2.0**-52


def scores_of(values, metric="auc_roc"):
    """`values` maps a method to a list of repeats for each data set."""
    rows = [
        (f"d{i}", "flip-50", repeat, method, metric, value)
        for method, datasets in values.items()
        for i, repeats in enumerate(datasets)
        for repeat, value in enumerate(repeats)
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


numbers = st.lists(
    st.one_of(st.floats(0, 1), st.integers(0, 40).map(lambda n: 0.3 + n * 7 * ULP), st.sampled_from([np.inf, -np.inf])),
    min_size=1,
    max_size=12,
)


@given(numbers, st.randoms())
def test_settled_is_transitive_idempotent_and_depends_on_no_order(values, random):
    result = settled(values)
    order = random.sample(range(len(values)), len(values))
    np.testing.assert_array_equal(settled(np.array(values)[order]), result[order])
    np.testing.assert_array_equal(settled(result), result)
    assert set(result) <= set(values)
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            if a == b or (np.isfinite([a, b]).all() and abs(a - b) <= max(RELATIVE * max(abs(a), abs(b)), ABSOLUTE)):
                assert result[i] == result[j]
            if a < b:
                assert result[i] <= result[j], "order is kept"


def test_settled_works_row_by_row_and_leaves_missing_values():
    values = [[0.1 + 0.2, 0.3, np.nan], [0.3, 0.5, 0.1 + 0.2]]
    np.testing.assert_array_equal(settled(values), [[0.3, 0.3, np.nan], [0.3, 0.5, 0.3]])
    assert settled([]).tolist() == []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("area", [roc_auc, average_precision])
def test_areas_of_equal_rankings_are_within_the_tolerance(seed, area):
    """Scores on other places of ties and other numbers of rows: the same fraction by another sum."""
    random = np.random.RandomState(seed)
    positive = random.rand(60) < 0.4
    scores = np.round(random.rand(60) + 0.3 * positive, 1)
    times = 7  # every row seven times: the same areas
    once = area(Ranking(scores[None], positive[None]))[0]
    more = area(Ranking(np.repeat(scores, times)[None], np.repeat(positive, times)[None]))[0]
    assert settled([once, more]).tolist() in ([once, once], [more, more])


def exact_auc(scores, positive):
    """AUC-ROC as a fraction: pairs in which the positive has the higher score, ties counted half."""
    above, below = scores[positive][:, None], scores[~positive][None]
    return Fraction(int(2 * (above > below).sum() + (above == below).sum()), 2 * above.size * below.size)


def test_aucs_of_one_fraction_tie_in_ranks_wins_and_tests():
    """Trapezoids of rankings with one exact AUC-ROC differ in their last bit; methods with them tie everywhere."""
    random = np.random.RandomState(0)
    positive = np.arange(30) < 11
    by_fraction = {}
    for _ in range(1000):
        scores = random.randint(0, 6, 30).astype(float)
        value = roc_auc(Ranking(scores[None], positive[None]))[0]
        by_fraction.setdefault(exact_auc(scores, positive), set()).add(value)
    doubles = [sorted(values) for values in by_fraction.values() if len(values) > 1]
    assert doubles, "the sums must differ for this test to test anything"
    pairs = [(values[0], values[-1]) for values in doubles[:12]]
    values = {
        "a": [[low] for low, _ in pairs],
        "b": [[high] for _, high in pairs],
        "c": [[low - 0.01] for low, _ in pairs],
    }
    found = analyse(scores_of(values), AnalysisSettings(metrics=["auc_roc"]))
    ranks = found["ranks"].set_index("method")
    assert ranks["average_rank"].to_dict() == {"a": 1.5, "b": 1.5, "c": 3.0}
    assert ranks.loc["a", "mean"] == ranks.loc["b", "mean"]
    assert ranks["wins"].to_dict() == {"a": len(pairs), "b": len(pairs), "c": 0}
    means = found["means"].pivot(index="dataset", columns="method", values="mean")  # noqa: PD010
    assert (means["a"] == means["b"]).all(), "bold marks compare these"
    blocks = block_matrix(scores_of(values), "auc_roc", "flip-50")
    pair = evidence.pair(blocks, "a", "b")
    assert (pair["won"], pair["tied"], pair["lost"], pair["p"], pair["difference"]) == (0, len(pairs), 0, 1.0, 0.0)


@pytest.mark.parametrize("lower", [False, True])
def test_equal_means_of_other_repeats_tie(lower):
    values = {"a": [[0.1, 0.2, 0.3]] * 3, "b": [[0.2, 0.2, 0.2]] * 3, "c": [[0.3, 0.1 + 0.2, 0.0]] * 3}
    settings = AnalysisSettings(metrics=["auc_roc"], lower_is_better=frozenset(["auc_roc"] if lower else []))
    found = analyse(scores_of(values), settings)
    assert set(found["ranks"]["average_rank"]) == {2.0}
    assert found["omnibus"]["p"].tolist() == [1, 1, 1]
    assert found["omnibus"]["p_exact"].tolist() == [1, 1, 1]
    assert by_dataset(scores_of(values))["mean"].unique().size == 1


def test_verdicts_do_not_rest_on_last_bits():
    frame = scores_of({"a": [[0.1, 0.2]] * 8, "b": [[0.15, 0.15]] * 8, "c": [[0.1, 0.1]] * 8}, "auc_pr")
    frame = frame.assign(scenario="flip-25")
    one = case(frame, labels={"scenario": {"flip-25": "25 %"}})
    assert decide("leads", one, methods=["a", "b"]).verdict == "held"
    for name in "ab":
        assert decide("leads", one, methods=[name]).verdict == "not held"
    assert decide("better", one, methods=["a"], over=["b"]).verdict == "not held"
    assert decide("better", one, methods=["a"], tied=["b"]).verdict == "held"


def test_a_limit_is_exceeded_by_more_than_rounding():
    assert not exceeds(0.31 - 0.3, 0.01)
    assert exceeds(0.01 + 1e-12, 0.01)
    assert not exceeds(0.009, 0.01)


def random_scores(seed, digits):
    random = np.random.RandomState(seed)
    values = {m: np.round(random.rand(6, 4) ** 2, digits).tolist() for m in "abcd"}
    values["b"] = [random.permutation(row).tolist() for row in values["a"]]  # ties by another order
    return scores_of(values)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("blocks", ["datasets", "runs"])
def test_permuting_repeats_data_sets_methods_and_rows_changes_no_bit(seed, blocks):
    """Repeats get each other's numbers, method by method; rows, data sets and methods come in another order."""
    scores, random = random_scores(seed, 2 + seed * 4), np.random.RandomState(seed)
    settings = {"metrics": ["auc_roc"], "blocks": blocks}
    first = analyse(scores, AnalysisSettings(**settings, methods=list("abcd"), datasets=[f"d{i}" for i in range(6)]))
    moved = scores.assign(repeat=random.permutation(4)[scores["repeat"]]).sample(frac=1, random_state=seed)
    order = {"methods": list("dbca"), "datasets": [f"d{i}" for i in random.permutation(6)]}
    second = analyse(moved, AnalysisSettings(**settings, **order))
    for name, frame in first.items():
        keys = [column for column in frame if frame[column].dtype.kind not in "f"]
        other = second[name]
        if name == "block_ranks" or name == "notes":
            frame, other = (f.sort_values(keys, ignore_index=True) for f in (frame, other))
        pd.testing.assert_frame_equal(frame, other, check_exact=True, obj=name)


@pytest.mark.parametrize("seed", range(4))
def test_permuting_the_repeats_of_one_method_changes_no_bit_of_ranks_and_tests(seed):
    scores, random = random_scores(seed, 3), np.random.RandomState(seed)
    moved = scores.copy()
    rows = moved["method"] == "c"
    moved.loc[rows, "repeat"] = random.permutation(4)[moved.loc[rows, "repeat"]]
    frames = [analyse(one, AnalysisSettings(metrics=["auc_roc"])) for one in (scores, moved)]
    for name in ("ranks", "omnibus", "posthoc", "block_ranks", "means"):
        pd.testing.assert_frame_equal(frames[0][name], frames[1][name], check_exact=True, obj=name)


def test_renaming_data_sets_and_methods_changes_no_number():
    scores = random_scores(1, 3)
    renamed = scores.assign(
        dataset=scores["dataset"].map(lambda name: f"x{9 - int(name[1])}"),
        method=scores["method"].map(dict(zip("abcd", "wzyx", strict=True))),
    )
    settings = AnalysisSettings(metrics=["auc_roc"])
    first, second = (settings.blocks_of(one, "auc_roc", "flip-50", Procedure()).values for one in (scores, renamed))
    ranks = [rank_blocks(values).mean() for values in (first, second)]
    assert ranks[0].tolist() == ranks[1][list("wzyx")].tolist()
    omnibus = [analyse(one, settings)["omnibus"] for one in (scores, renamed)]
    pd.testing.assert_frame_equal(*omnibus, check_exact=True)
