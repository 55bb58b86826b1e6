"""Paired differences on one data set: the corrected resampled t-test against hand-made numbers and simulation."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scarce.analysis.one_dataset import COLUMNS, EQUAL, NEVER, compare, pairs, repeats_needed, standard_error
from scarce.analysis.statistics import AnalysisSettings

RATIO = 3 / 7


def frame(values, dataset="d", scenario="s", metric="m"):
    """Scores of methods by name, one value a repeat."""
    return pd.DataFrame(
        [
            (dataset, scenario, repeat, method, metric, value)
            for method, column in values.items()
            for repeat, value in enumerate(column)
        ],
        columns=["dataset", "scenario", "repeat", "method", "metric", "value"],
    )


def compared(values, ratio=(RATIO, ""), metrics=("m",), **settings):
    scores = values if isinstance(values, pd.DataFrame) else frame(values)
    return pairs(scores, AnalysisSettings(metrics=list(metrics), **settings), {("d", "s", "test"): ratio})


def test_the_formula_by_hand():
    difference = np.array([0.02, 0.05, 0.01, 0.04, 0.03])
    row = compare(difference, RATIO)
    error = difference.std(ddof=1) * math.sqrt(1 / 5 + RATIO)
    assert row["corrected_error"] == pytest.approx(error)
    assert row["p"] == pytest.approx(2 * stats.t.sf(0.03 / error, 4))
    half = stats.t.ppf(0.975, 4) * error
    assert (row["low"], row["high"]) == pytest.approx((0.03 - half, 0.03 + half))


def test_without_shared_rows_it_is_the_paired_t_test():
    first, second = np.random.RandomState(0).normal(size=(2, 12))
    row = compare(first - second, 0.0)
    test = stats.ttest_rel(first, second)
    assert row["p"] == pytest.approx(test.pvalue)
    assert (row["low"], row["high"]) == pytest.approx(tuple(test.confidence_interval()))


def test_repeats_that_look_decisive_are_not():
    """Signs alone would say p < 0.001 over 20 repeats; the corrected test does not reject."""
    difference = np.random.RandomState(2).normal(0.010, 0.0075, 20)
    assert stats.ttest_1samp(difference, 0).pvalue < 0.001
    assert compare(difference, RATIO)["p"] > 0.05


def test_intervals_cover_where_repeats_share_variance():
    """Differences with correlation ratio/(1 + ratio), as Nadeau and Bengio model them; the plain interval fails."""
    random, n_repeats, draws, truth = np.random.RandomState(7), 15, 2_000, 0.3
    shared = random.normal(size=(draws, 1)) * math.sqrt(RATIO)
    differences = truth + shared + random.normal(size=(draws, n_repeats))
    errors = differences.std(axis=1, ddof=1)
    half = stats.t.ppf(0.975, n_repeats - 1)
    corrected = half * np.array([standard_error(sd, n_repeats, RATIO) for sd in errors])
    plain = half * errors / math.sqrt(n_repeats)
    gaps = np.abs(differences.mean(axis=1) - truth)
    assert 0.94 < (gaps <= corrected).mean() < 0.97
    assert (gaps <= plain).mean() < 0.65


@pytest.mark.parametrize("difference", [0.05, 0.02, 0.0131, -0.02])
def test_the_number_of_repeats_is_the_first_that_settles(difference):
    sd, ratio = 0.02, 0.1
    needed = repeats_needed(difference, sd, ratio)

    def excludes(n):
        return abs(difference) > stats.t.ppf(0.975, n - 1) * standard_error(sd, n, ratio)

    assert needed == next(n for n in range(2, 5_000) if excludes(n))


def test_no_number_of_repeats_overcomes_what_they_share():
    limit = stats.norm.ppf(0.975) * 0.02 * math.sqrt(RATIO)
    assert repeats_needed(limit * 0.999, 0.02, RATIO) is None
    assert repeats_needed(limit * 1.001, 0.02, RATIO) > 1_000
    assert repeats_needed(0.0, 0.0, RATIO) is None
    assert repeats_needed(0.01, 0.0, RATIO) == 2


def test_pairs_are_all_pairs_with_the_better_mean_first():
    rows = compared({"b": [0.5, 0.6], "a": [0.7, 0.9], "c": [0.1, 0.2]})
    assert list(rows.columns) == COLUMNS
    assert list(zip(rows.method, rows.other, strict=True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert (rows.mean_difference > 0).all()
    lower = compared({"b": [0.5, 0.6], "a": [0.7, 0.9]}, lower_is_better=frozenset("m"))
    assert (lower.method[0], lower.other[0]) == ("b", "a") and lower.mean_difference[0] < 0


def test_p_values_are_adjusted_by_holm():
    random = np.random.RandomState(5)
    rows = compared({name: random.normal(shift, 0.1, 8) for name, shift in (("a", 0.9), ("b", 0.5), ("c", 0.45))})
    ordered = rows.sort_values("p")
    steps = ordered.p.to_numpy() * [3, 2, 1]
    np.testing.assert_allclose(ordered.p_adjusted, np.minimum(np.maximum.accumulate(steps), 1))
    assert (rows.significant == (rows.p_adjusted <= 0.05)).all()


def test_equal_in_every_repeat_but_for_rounding_is_a_tie():
    rows = compared({"a": [0.1 + 0.2, 0.6], "b": [0.3, 0.6]})
    assert 0.1 + 0.2 != 0.3 and abs(0.1 + 0.2 - 0.3) < EQUAL
    row = rows.iloc[0]
    assert (row.mean_difference, row.sd_difference, row.p, row.low, row.high) == (0, 0, 1, 0, 0)
    assert row.note == "equal in every repeat" and pd.isna(row.repeats_needed)


def test_a_constant_difference_is_certain():
    row = compared({"a": [0.5, 0.6, 0.7], "b": [0.4, 0.5, 0.6]}).iloc[0]
    assert row.p == 0 and row.low == pytest.approx(row.high) == pytest.approx(0.1) and row.repeats_needed == 2


def test_only_repeats_that_both_have_count():
    row = compared({"a": [0.5, np.nan, 0.9, 0.7], "b": [0.4, 0.5, np.nan, 0.65]}).iloc[0]
    assert row.n_runs == 2 and row.mean_difference == pytest.approx(0.075)


def test_one_repeat_or_no_ratio_gives_no_interval_but_a_note():
    row = compared({"a": [0.5], "b": [0.4]}).iloc[0]
    assert math.isnan(row.low) and row.note == "fewer than two repeats" and row.mean_difference == pytest.approx(0.1)
    row = compared({"a": [0.5, 0.6], "b": [0.4, 0.6]}, ratio=(math.nan, "no interval: why")).iloc[0]
    assert math.isnan(row.p) and pd.isna(row.p_adjusted) and row.note == "no interval: why"


def test_studies_with_several_data_sets_have_no_rows_but_scenarios_of_one_have():
    both = pd.concat([frame({"a": [0.1, 0.2], "b": [0.2, 0.2]}, dataset=name) for name in "de"])
    assert compared(both).empty
    alone = pd.concat([both.assign(scenario="t"), frame({"a": [0.1, 0.2], "b": [0.2, 0.4]})])
    assert compared(alone).scenario.tolist() == ["s"]
    stand_in = pd.concat([frame({"a": [0.1, 0.2], "b": [0.2, 0.4]}), both[both.dataset == "e"]])
    assert len(compared(stand_in, datasets=["d"])) == 1, "a stand-in is not counted"


def test_the_order_of_rows_and_columns_changes_nothing():
    random = np.random.RandomState(0)
    scores = frame({name: random.uniform(size=6) for name in "abcd"})
    pd.testing.assert_frame_equal(compared(scores), compared(scores.sample(frac=1, random_state=1)))


def test_what_cannot_be_settled_says_so():
    random = np.random.RandomState(1)
    row = compared({"a": random.normal(0.5, 0.1, 10), "b": random.normal(0.5, 0.1, 10)}).iloc[0]
    assert row.note == NEVER and pd.isna(row.repeats_needed)
