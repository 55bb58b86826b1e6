import numpy as np
import pandas as pd
import pytest
from scipy.stats import friedmanchisquare, norm

from scarce.analysis import tests
from scarce.analysis.ranks import average_ranks, rank_blocks


def random_values(n, k, seed=0, decimals=1):
    values = np.random.default_rng(seed).normal(size=(n, k)).round(decimals)
    return pd.DataFrame(values, columns=[f"m{j}" for j in range(k)])


@pytest.mark.parametrize("seed", range(5))
def test_tie_corrected_friedman_is_scipys(seed):
    values = random_values(9, 5, seed)
    found = tests.friedman_tie_corrected(rank_blocks(values))
    statistic, p = friedmanchisquare(*[values[column] for column in values])
    assert (found.statistic, found.p) == pytest.approx((statistic, p))


def test_everything_tied_is_no_evidence_and_no_warning(recwarn):
    ranked = rank_blocks(pd.DataFrame(np.full((6, 4), 0.5)))
    for test in (tests.friedman, tests.friedman_tie_corrected, tests.iman_davenport):
        found = test(ranked)
        assert (found.statistic, found.p) == (0.0, 1.0)
    assert not recwarn.list


@pytest.mark.parametrize(
    ("shape", "reason"), [((5, 2), "only 2 methods"), ((5, 1), "only 1 method:"), ((1, 4), "only 1 block:")]
)
def test_too_little_to_test_says_why(shape, reason):
    ranked = rank_blocks(random_values(*shape))
    assert tests.untestable(shape[1], shape[0]).startswith(reason)
    for call in (
        lambda: tests.friedman(ranked),
        lambda: tests.iman_davenport(ranked),
        lambda: tests.holm(ranked.mean(), shape[0]),
        lambda: tests.nemenyi(ranked.mean(), shape[0]),
    ):
        with pytest.raises(ValueError, match=reason):
            call()


# standard error of k = 4, N = 20: sqrt(4 * 5 / 120) = 0.40825
AVERAGE = pd.Series({"c": 1.5, "a": 2.3, "b": 2.5, "d": 3.7})


def test_holm_by_hand():
    table = tests.holm(AVERAGE, 20)
    z = np.array([2.2, 1.0, 0.8]) / np.sqrt(20 / 120)
    p = 2 * norm.sf(z)
    assert table["method"].tolist() == ["d", "b", "a"]
    assert set(table["control"]) == {"c"}
    assert table["statistic"].to_numpy() == pytest.approx(z)
    assert table["p_adjusted"].to_numpy() == pytest.approx([3 * p[0], 2 * p[1], p[2]])
    assert table["significant"].tolist() == [True, True, False]


def test_one_sided_halves_p():
    one, two = tests.holm(AVERAGE, 20, alternative="one-sided"), tests.holm(AVERAGE, 20)
    assert one["p"].to_numpy() == pytest.approx(two["p"].to_numpy() / 2)


def test_step_down_stops_where_the_variant_does_not():
    # p = 0.030, 0.0305, 0.04 against 0.05/3, 0.05/2, 0.05: only the last is below its own level
    z = norm.isf(np.array([0.030, 0.0305, 0.04]) / 2)
    average = pd.Series([1.0, *(1.0 + z * tests.standard_error(4, 50))], index=list("wxyz"))
    stopped, not_stopped = tests.holm(average, 50), tests.holm(average, 50, step_down=False)
    assert stopped["significant"].tolist() == [False, False, False]
    assert not_stopped["significant"].tolist() == [False, False, True]
    assert stopped["p_adjusted"].to_numpy() == pytest.approx([0.09, 0.09, 0.09])
    assert not_stopped["p_adjusted"].to_numpy() == pytest.approx([0.09, 0.061, 0.04])


def test_control_best_is_the_first_name_among_equals():
    table = tests.holm(pd.Series({"PNB": 1.5, "APNB": 1.5, "x": 3.0}), 10)
    assert set(table["control"]) == {"APNB"}


def test_unknown_control_and_alternative_are_refused():
    with pytest.raises(ValueError, match="nobody"):
        tests.holm(AVERAGE, 20, control="nobody")
    with pytest.raises(ValueError, match="alternative"):
        tests.holm(AVERAGE, 20, alternative="less")


def test_nemenyi_decides_as_the_critical_difference_does():
    table = tests.nemenyi(AVERAGE, 20, alpha=0.10)
    limit = tests.critical_difference(4, 20, 0.10)
    gap = (AVERAGE[table["method"]].to_numpy() - AVERAGE[table["control"]].to_numpy()).tolist()
    assert len(table) == 6
    assert gap == sorted(gap, reverse=True)
    assert table["significant"].tolist() == [g >= limit for g in gap]
    assert (table["significant"] == (table["p"] <= 0.10)).all()
    assert (table["statistic"] >= tests.nemenyi_q(4, 0.10)).equals(table["significant"])


@pytest.mark.parametrize(("step", "differ"), [(-1, False), (0, True), (1, True)])
def test_a_difference_of_exactly_the_critical_one_is_significant_and_in_no_clique(step, differ):
    limit = tests.critical_difference(3, 20)
    gap = limit if step == 0 else np.nextafter(limit, step * np.inf)
    average = pd.Series({"a": 0.0, "b": gap / 2, "c": gap})  # from 0, so that c - a is the gap to the last bit
    table = tests.nemenyi(average, 20).set_index(["control", "method"])["significant"]
    assert table.to_dict() == {("a", "c"): differ, ("a", "b"): False, ("b", "c"): False}
    assert tests.cliques(average, limit) == ([["a", "b"], ["b", "c"]] if differ else [["a", "b", "c"]])


def test_cliques_leave_no_smaller_group_within_a_larger_one():
    average = pd.Series({"a": 1.0, "b": 1.5, "c": 2.0, "d": 3.4, "e": 9.0})
    assert tests.cliques(average, 2.0) == [["a", "b", "c"], ["b", "c", "d"]]


def test_cliques_of_two_methods_that_do_not_differ():
    assert tests.cliques(pd.Series({"b": 1.0, "a": 1.2}), 0.5) == [["b", "a"]]


def test_twenty_six_methods():
    values = random_values(40, 26, decimals=4)
    table = tests.nemenyi(average_ranks(values), 40)
    assert len(table) == 325
    assert table["p"].between(0, 1).all()
