"""Estimators of the class prior on mixtures whose prior is known."""

import numpy as np
import pytest

from scarce.prior import ESTIMATORS, estimate_class_prior, find_estimator

METHODS = list(ESTIMATORS)
pytestmark = pytest.mark.filterwarnings("ignore::scarce.prior.DoubtfulPrior")


def mixture(n=1000, prior=0.2, distance=6.0, frequency=0.5, seed=0):
    """Two Gaussians in the plane, `distance` standard deviations apart, with labels hidden at random."""
    rng = np.random.RandomState(seed)
    y = np.arange(n) < prior * n
    X = rng.normal(size=(n, 2))
    X[y, 0] += distance
    return X, (y & (rng.rand(n) < frequency)).astype(int)


def mean_estimate(method, draws=5, **how):
    return np.mean([estimate_class_prior(*mixture(seed=seed, **how), method, random_state=0) for seed in range(draws)])


@pytest.mark.parametrize("prior", [0.1, 0.3])
@pytest.mark.parametrize("frequency", [0.3, 0.7])
# 30 to 210 of the rows are labeled, so that c alone is known to 4 to 15 % a draw and to 2 to 7 % over five. TIcE
# bounds c from below and so leans high, and so does the mean of fitted probabilities below 1.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "low", "high"),
    [("tice", 0.9, 1.6), ("km2", 0.82, 1.15), ("elkan_noto", 0.9, 1.2), ("bbe", 0.85, 1.15), ("dedpul", 0.85, 1.15)],
)
def test_well_parted_classes_give_the_prior(method, low, high, prior, frequency):
    assert low * prior < mean_estimate(method, prior=prior, frequency=frequency) < high * prior


@pytest.mark.parametrize("method", METHODS)
def test_the_share_of_labels_does_not_pass_for_the_prior(method):
    """With a quarter of the positives labeled, the truth is four times the labeled share."""
    X, s = mixture(n=2000, prior=0.3, frequency=0.25)
    assert estimate_class_prior(X, s, method, random_state=0) > 3 * s.mean()


@pytest.mark.parametrize("method", METHODS)
def test_overlap_is_never_taken_for_fewer_positives(method):
    """Where classes overlap, no part holds positives only: all then err upwards, by their assumptions."""
    apart, mixed = (mean_estimate(method, prior=0.2, distance=distance) for distance in (6.0, 1.0))
    assert mixed > apart + 0.05


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [[1000.0, 0.001], [-1.0, 1.0]])
def test_units_of_columns_do_not_count(method, scale):
    X, s = mixture(distance=3.0)
    expected = estimate_class_prior(X, s, method, random_state=0)
    # a mirrored column moves values that lie on an edge of TIcE's pieces, of which random numbers have none
    estimate = estimate_class_prior(X * scale + [5.0, -7.0], s, method, random_state=0)
    assert estimate == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("power", [-900, -150, 150, 900])
def test_columns_of_extreme_size_are_scaled_like_others(method, power):
    X, s = mixture(n=400, distance=3.0)
    expected = estimate_class_prior(X, s, method, random_state=0)
    assert estimate_class_prior(np.ldexp(X, power), s, method, random_state=0) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_column_does_not_count(method):
    X, s = mixture(distance=3.0)
    expected = estimate_class_prior(X, s, method, random_state=0)
    assert estimate_class_prior(np.c_[X, np.ones(len(X))], s, method, random_state=0) == pytest.approx(expected)


@pytest.mark.parametrize("method", METHODS)
def test_one_seed_gives_one_number_and_codings_do_not_count(method):
    X, s = mixture(n=3000 if method == "km2" else 500, distance=2.0)
    first = estimate_class_prior(X, s, method, random_state=3)
    assert estimate_class_prior(X, s, method, random_state=3) == first
    assert estimate_class_prior(X, np.where(s == 1, 1, -1), method, random_state=3) == first
    assert estimate_class_prior(X, s == 1, method, random_state=3) == first
    others = {estimate_class_prior(X, s, method, random_state=seed) for seed in range(4, 6)}
    assert others != {first}, "folds or rows are drawn"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_an_estimate_lies_between_the_labeled_share_and_one(method, seed):
    rng = np.random.RandomState(seed)
    X, s = rng.normal(size=(40, 3)), np.r_[np.ones(4), np.zeros(36)]  # labels without any signal
    assert s.mean() <= estimate_class_prior(X, s, method, random_state=0) <= 1 - 1 / 40


@pytest.mark.parametrize("method", METHODS)
def test_one_labeled_row_gives_a_number_or_says_why_not(method):
    X, s = mixture(n=60)
    s[:] = np.arange(60) == 0
    if method in ("elkan_noto", "bbe", "dedpul"):
        with pytest.raises(ValueError, match=f"{method} needs two labeled"):
            estimate_class_prior(X, s, method)
    else:
        assert 1 / 60 <= estimate_class_prior(X, s, method, random_state=0) < 1


@pytest.mark.parametrize("method", METHODS)
def test_labels_that_cannot_be_used_are_refused(method):
    X, s = mixture(n=50)
    with pytest.raises(ValueError, match="no labeled positive"):
        estimate_class_prior(X, 0 * s, method)
    with pytest.raises(ValueError, match="no unlabeled row"):
        estimate_class_prior(X, 0 * s + 1, method)
    with pytest.raises(ValueError, match="50 rows and 49 observed labels"):
        estimate_class_prior(X, s[1:], method)
    with pytest.raises(ValueError, match="NaN"):
        estimate_class_prior(np.where(X > 0, X, np.nan), s, method)


def test_a_wrong_name_says_what_is_close():
    with pytest.raises(ValueError, match="did you mean tice"):
        find_estimator("tise")


@pytest.mark.parametrize("method", METHODS)
def test_records_say_what_one_must_know_to_choose(method):
    record = ESTIMATORS[method]
    assert record.key == method
    assert callable(record.load())
    assert record.assumption
    assert record.source
    assert record.cost
