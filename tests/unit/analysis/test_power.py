"""How many data sets tell methods apart, against ranks that are drawn and tested one study after another."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from scarce.analysis.power import datasets_needed, power, quantile
from scarce.analysis.tests import critical_difference
from tests.unit.analysis.cases import case, decide, scores, value_of


def drawn_ranks(random, n: int, k: int, shift: float) -> np.ndarray:
    """Ranks of k methods on n data sets; the first is better by `shift` in units of the noise, the others are alike."""
    noise = random.normal(size=(n, k))
    noise[:, 0] += shift
    return rankdata(-noise, axis=1)


def found(random, n: int, k: int, shift: float, least: float, studies: int = 1000) -> float:
    """Share of studies in which the first method's average rank is better than the second's by `least` or more."""
    ranks = drawn_ranks(random, n * studies, k, shift).reshape(studies, n, k).mean(axis=1)
    return float(np.mean(ranks[:, 1] - ranks[:, 0] >= least))


@pytest.mark.parametrize("test", ["pair", "nemenyi"])
@pytest.mark.parametrize(("k", "shift"), [(4, 0.8), (13, 0.8), (13, 0.3)])
def test_power_is_the_share_of_drawn_studies_that_find_the_difference(k, shift, test):
    random = np.random.RandomState(5)
    many = drawn_ranks(random, 200_000, k, shift)
    gap = many[:, 1] - many[:, 0]
    difference, sd = gap.mean(), gap.std()
    n = datasets_needed(difference, sd, k, test=test)
    least = critical_difference(k, n, 0.05) if test == "nemenyi" else 1.959964 * math.sqrt(k * (k + 1) / (6 * n))
    share = found(random, n, k, shift, least)
    assert share == pytest.approx(power(n, difference, sd, k, test=test), abs=0.04)
    assert share == pytest.approx(0.8, abs=0.05)  # n is whole, so power is somewhat above 0.8


@settings(max_examples=60, deadline=None)
@given(
    difference=st.floats(0.1, 5), sd=st.floats(0, 10), k=st.integers(3, 30), level=st.floats(0.01, 0.2),
    goal=st.floats(0.1, 0.95), test=st.sampled_from(["pair", "nemenyi"]),
)  # fmt: skip
def test_so_many_are_needed_and_not_one_fewer(difference, sd, k, level, goal, test):
    n = datasets_needed(difference, sd, k, alpha=level, power=goal, test=test)
    assert power(n, difference, sd, k, alpha=level, test=test) >= goal - 1e-9
    if n > 2:
        assert power(n - 1, difference, sd, k, alpha=level, test=test) < goal + 1e-9


def test_all_pairs_need_more_than_one_pair():
    assert datasets_needed(1.0, 4.0, 13, test="nemenyi") > datasets_needed(1.0, 4.0, 13)
    assert quantile(13, 0.05, "nemenyi") > quantile(13, 0.05, "pair") == pytest.approx(1.96, abs=1e-3)


@pytest.mark.parametrize("wrong", [{"difference": 0}, {"difference": -1}, {"sd": -1}, {"power": 1}, {"test": "all"}])
def test_nonsense_is_refused(wrong):
    with pytest.raises(ValueError, match=r"difference|test"):
        datasets_needed(**{"difference": 1.0, "sd": 1.0, "k": 4} | wrong)


#: Three methods whose ranks differ alike on all data sets, or change places from one to the next.
STEADY = {"a": 0.9, "b": 0.6, "c": 0.5}
TURNING = {name: (lambda scenario, i, repeat, at=at: (i + at) % 3 / 10) for at, name in enumerate("abc")}


def test_data_sets_on_which_methods_keep_their_ranks_are_enough():
    found = decide("tells_apart", case(scores(STEADY)))
    assert found.verdict == "held"
    assert value_of(found, "sd_rank_difference", scenario="flip-25", method="a", other="b") == 0
    assert value_of(found, "needed_pair", scenario="flip-25", method="a", other="b") == math.ceil(2 * 1.959964**2)


def test_data_sets_on_which_methods_change_places_are_not_enough():
    found = decide("tells_apart", case(scores(TURNING)), difference=0.5)
    assert found.verdict == "not held"
    sd = math.sqrt(12 / 11 * 2)  # of the differences 1, 1 and -2
    assert value_of(found, "sd_rank_difference", scenario="flip-25", method="a", other="b") == pytest.approx(sd)
    assert value_of(found, "needed_nemenyi", scenario="flip-25", method="a", other="b") == datasets_needed(
        0.5, sd, 3, test="nemenyi"
    )


def test_the_easier_test_alone_makes_it_partly():
    found = decide("tells_apart", case(scores(STEADY, datasets=9)))
    assert found.verdict == "partly"


def test_two_methods_are_not_tested():
    found = decide("tells_apart", case(scores(STEADY)), among=["a", "b"])
    assert found.verdict == "untested"
