"""Intervals of the class prior, and when an estimator abstains: for every registered one."""

import warnings
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from scarce.prior import ESTIMATORS, DoubtfulPrior, class_prior_interval, estimate_class_prior
from scarce.prior.interval import MOST_OPEN, MOST_OUTSIDE, MOST_SPREAD, doubt, halves, spread
from tests.unit.prior.test_estimators import mixture

METHODS = list(ESTIMATORS)


@pytest.fixture(scope="module")
def apart():
    return mixture(n=600, prior=0.3, distance=6.0, seed=1)


@pytest.mark.parametrize("method", METHODS)
def test_well_parted_classes_are_covered_and_the_estimate_lies_within(method, apart):
    found = class_prior_interval(*apart, method, n_resamples=3, random_state=0)
    assert found.abstains == ""
    assert found.method == method
    assert apart[1].mean() <= found.low <= 0.3 <= found.high < 0.45
    assert found.low <= found.estimate <= found.high
    with pytest.raises(FrozenInstanceError):
        found.low = 0.0


@pytest.mark.filterwarnings("ignore::scarce.prior.DoubtfulPrior")
@pytest.mark.parametrize("method", METHODS)
def test_the_estimate_is_that_of_the_other_function_and_one_seed_gives_one_interval(method):
    X, s = mixture(n=400, distance=3.0)
    found = class_prior_interval(X, s, method, n_resamples=2, random_state=4)
    assert found.estimate == estimate_class_prior(X, s, method, random_state=4)
    assert class_prior_interval(X, s, method, n_resamples=2, random_state=4) == found


@pytest.mark.parametrize("method", METHODS)
def test_classes_that_overlap_make_the_estimator_abstain_and_the_estimate_warn(method):
    X, s = mixture(n=600, prior=0.05, distance=0.5, frequency=0.5)
    found = class_prior_interval(X, s, method, n_resamples=0, random_state=0)
    assert found.abstains
    assert found.low <= 0.05 <= found.high
    with pytest.warns(DoubtfulPrior, match=f"the class prior by {method} is not to be relied on") as caught:
        estimate_class_prior(X, s, method, random_state=0)
    assert "\n" not in str(caught[0].message)


def test_an_estimate_that_holds_does_not_warn(apart):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimate_class_prior(*apart, "bbe", random_state=0)


def test_a_higher_level_gives_a_wider_interval():
    X, s = mixture(n=2000, prior=0.3, distance=4.0)
    narrow, wide = (
        class_prior_interval(X, s, "bbe", level=level, n_resamples=0, random_state=0) for level in (0.5, 0.99)
    )
    assert wide.low < narrow.low < narrow.high < wide.high
    assert wide.level == 0.99


def test_each_reason_is_said():
    assert "only 4 labeled" in doubt(0.1, 0.05, 0.12, 4)
    assert doubt(0.1, 0.05, 0.12, 40) == ""
    assert "at the most" in doubt(0.12 * MOST_OUTSIDE + 0.01, 0.05, 0.12, 40)
    assert "at the least" in doubt(0.05 / MOST_OUTSIDE - 0.01, 0.05, 0.12, 40)
    assert "classes overlap" in doubt(0.1, 0.05, 0.05 * MOST_OPEN + 0.01, 40)
    assert "halves" in spread(np.array([0.1, 0.2, 0.1 * MOST_SPREAD + 0.01]))
    assert spread(np.array([0.1, 0.2])) == ""


def test_halves_are_drawn_without_replacement_from_labeled_and_unlabeled_rows():
    s = np.arange(101) < 11
    drawn = []
    halves(lambda rows: drawn.append(rows) or 0.5, s, 5, np.random.RandomState(0))
    assert {(len(set(rows)), s[rows].sum()) for rows in drawn} == {(51, 6)}
    assert len({tuple(rows) for rows in drawn}) == 5


def test_halves_scatter_as_samples_do():
    """The variance of the mean of half of 200 numbers is that of the mean of all of them."""
    values = np.random.RandomState(0).normal(size=200)
    means = halves(lambda rows: values[rows].mean(), np.arange(200) < 100, 2000, np.random.RandomState(1))
    parts = [values[:100], values[100:]]
    expected = sum(part.var(ddof=1) / 100 for part in parts) / 4
    assert means.var() == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize(("wrong", "what"), [({"level": 1.0}, "level"), ({"n_resamples": -1}, "n_resamples")])
def test_settings_out_of_range_are_refused(wrong, what, apart):
    with pytest.raises(ValueError, match=what):
        class_prior_interval(*apart, **wrong)
