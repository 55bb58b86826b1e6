"""SCAR flips: counts by a written rule, the same rows everywhere, nested over ratios."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.labels.labelings.scar import Scar, flip_count, scar_flip, two_samples
from scarce.labels.make import make_labels
from scarce.labels.protocols.k_fold import KFold
from scarce.labels.records import Impossible

# positives, ratio, hidden under ceil, round, floor
COUNTS = [
    (3, 0.25, 1, 1, 0),
    (3, 0.50, 2, 2, 1),
    (3, 0.75, 3, 2, 2),
    (4, 0.25, 1, 1, 1),
    (4, 0.75, 3, 3, 3),
    (10, 0.25, 3, 3, 2),
    (10, 0.50, 5, 5, 5),
    (10, 0.75, 8, 8, 7),
    (40, 0.75, 30, 30, 30),
    (100, 0.07, 7, 7, 7),  # 0.07 * 100 > 7 in floating point
    (35, 1.0, 35, 35, 35),
]


@pytest.mark.parametrize(("n", "ratio", "ceil", "half_up", "floor"), COUNTS)
def test_counts(n, ratio, ceil, half_up, floor):
    assert [flip_count(n, ratio, rule) for rule in ("ceil", "round", "floor")] == [ceil, half_up, floor]


@pytest.mark.parametrize(("ratio", "rule", "match"), [(1.5, "ceil", "ratio"), (0.5, "nearest", "rule")])
def test_wrong_settings_are_errors(ratio, rule, match):
    with pytest.raises(ValueError, match=match):
        flip_count(10, ratio, rule)


@pytest.mark.parametrize(
    ("ratio", "hidden"), [(0.25, [5, 17, 21]), (0.50, [5, 9, 17, 21, 37]), (0.75, [1, 5, 9, 17, 21, 25, 29, 37])]
)
def test_which_rows_are_hidden_is_fixed_by_the_seed(ratio, hidden):
    y = (np.arange(40) % 4 == 1).astype(int)
    s = scar_flip(y, ratio, seed=3, rule="ceil")
    assert s.dtype == np.int8
    assert np.flatnonzero(y != s).tolist() == hidden
    assert not s[y == 0].any()


def test_flips_are_nested_over_ratios():
    y = np.ones(97, int)
    hidden = [set(np.flatnonzero(scar_flip(y, ratio, seed=11) == 0)) for ratio in (0.1, 0.25, 0.5, 0.75, 0.98)]
    assert all(small < large for small, large in pairwise(hidden))


def test_hiding_every_positive_is_an_error_that_says_so():
    with pytest.raises(Impossible, match="no labeled positive is left: hiding 75% of 3 positives"):
        scar_flip([1, 1, 1, 0], 0.75, seed=0, rule="ceil")


@st.composite
def populations(draw):
    """True labels of up to 80 rows in any order."""
    counts = draw(st.integers(2, 30)), draw(st.integers(2, 50))
    return np.random.RandomState(draw(st.integers(0, 2**31))).permutation(np.repeat([1, 0], counts))


@given(y=populations(), ratio=st.sampled_from([0.25, 0.5, 0.75]), rule=st.sampled_from(["ceil", "round", "floor"]))
def test_the_unlabeled_rows_of_two_samples_have_the_class_prior_of_all_rows(y, ratio, rule):
    try:
        s = scar_flip(y, ratio, seed=3, rule=rule)
        rows = two_samples(y, s, seed=4)
    except Impossible:
        return
    assert (np.diff(rows) > 0).all(), "each row once, in order"
    assert {*np.flatnonzero(y)} <= {*rows}, "no positive is left out"
    unlabeled = y[rows][s[rows] == 0]
    assert abs((unlabeled == 0).sum() - unlabeled.sum() * (y == 0).sum() / y.sum()) <= 0.5


@pytest.mark.parametrize(
    ("y", "s", "match"), [([1, 1, 0, 0], [1, 1, 0, 0], "positive"), ([1] * 4, [1, 0, 0, 0], "negative")]
)
def test_an_unlabeled_sample_of_one_class_is_impossible(y, s, match):
    with pytest.raises(Impossible, match=f"no {match} row"):
        two_samples(y, s, seed=0)


def labels(scheme, seed=0):
    y = (np.arange(200) % 4 == 0).astype(np.int8)
    options = SimpleNamespace(seeds="axes", flip_count="ceil", class_prior="train_true")
    made = [
        make_labels(
            y, scenario=scenario, split=KFold(folds=5, validation_size=0.5), repeats=5, options=options,
            study_seed=seed, dataset="d",
        )
        for scenario in Scar(flip_ratios=[0.25, 0.5], scheme=scheme).scenarios()
    ]  # fmt: skip
    return made


def test_schemes_label_the_same_rows_and_test_the_same_rows():
    one, two = labels("one_sample"), labels("two_sample")
    for first, second in zip((r for made in one for r in made), (r for made in two for r in made), strict=True):
        np.testing.assert_array_equal(np.sort(first.test), np.sort(second.test))
        assert {*first.train[first.s == 1]} == {*second.train[second.s == 1]}
        assert {*first.train[first.s == 0]} > {*second.train[second.s == 0]}
        assert (first.scheme, second.scheme) == ("one_sample", "two_sample")
        assert (first.class_prior, second.class_prior) == (0.25, pytest.approx(0.25, abs=0.01))
        assert second.label_share == second.s.mean()


def test_unlabeled_samples_are_nested_over_ratios():
    quarter, half = labels("two_sample")
    for few, many in zip(quarter, half, strict=True):
        assert {*few.train[few.s == 0]} < {*many.train[many.s == 0]}


def test_two_samples_leave_rows_out_so_labels_are_hidden_after_the_split():
    assert Scar(flip_ratios=[0.5], scheme="two_sample").draws_rows
    assert not Scar(flip_ratios=[0.5]).draws_rows
    block = Scar(flip_ratios=[0.5]).scenarios()[0], Scar(flip_ratios=[0.5], scheme="two_sample").scenarios()[0]
    assert block[0].name == block[1].name and block[0].label != block[1].label
