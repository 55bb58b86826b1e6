"""KM2's parts: projections against a general solver, and the mixture proportion itself."""

import numpy as np
import pytest
from scipy.optimize import minimize

from scarce.prior import estimate_class_prior
from scarce.prior.km2 import Hull, _kernel, mixture_proportion


@pytest.mark.parametrize("width", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("factor", [1.02, 1.5, 4.0])
def test_projections_are_those_of_a_general_solver(width, factor):
    rng = np.random.RandomState(0)
    rows = rng.normal(size=(24, 2))
    kernel = np.exp(-((rows[:, None] - rows) ** 2).sum(-1) / (2 * width**2))
    point = factor * np.r_[np.full(14, 1 / 14), np.zeros(10)] + (1 - factor) * np.r_[np.zeros(14), np.full(10, 0.1)]

    def squared(v):
        return (point - v) @ kernel @ (point - v)

    best = minimize(
        squared,
        np.full(24, 1 / 24),
        jac=lambda v: -2 * kernel @ (point - v),
        bounds=[(0, 1)] * 24,
        constraints={"type": "eq", "fun": lambda v: v.sum() - 1, "jac": lambda v: np.ones(24)},
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-14},
    )
    hull = Hull(kernel)
    hull.distance(np.full(24, 1 / 24))  # where it starts must not count
    distance = hull.distance(point)
    assert distance**2 <= best.fun + 1e-9, "never farther than what another solver finds"
    assert distance**2 >= best.fun - 1e-6
    assert hull.weights.sum() == pytest.approx(1)
    assert (hull.weights >= 0).all()


def test_a_point_of_the_hull_is_at_no_distance_and_order_does_not_count():
    rng = np.random.RandomState(1)
    rows = rng.normal(size=(30, 2))
    kernel = np.exp(-((rows[:, None] - rows) ** 2).sum(-1) / 2)
    inside, outside = np.full(30, 1 / 30), np.r_[2.0, -1.0, np.zeros(28)]
    hull = Hull(kernel)
    assert hull.distance(inside) < 1e-4
    first = hull.distance(outside)
    assert first > 0.01
    hull.distance(inside)
    assert hull.distance(outside) == pytest.approx(first, abs=1e-6), "where a projection starts does not count"


@pytest.mark.parametrize("kappa", [0.0, 0.1, 0.5])
def test_the_share_of_a_component_in_a_mixture(kappa):
    """Mean of four draws with 150 rows of the component: c. 0.03 of error a draw in the authors' experiments."""
    shares = []
    for seed in range(4):
        rng = np.random.RandomState(seed)
        mixed = rng.normal(size=(400, 2)) + np.where(np.arange(400) < kappa * 400, 5.0, 0.0)[:, None]
        shares.append(mixture_proportion(mixed, rng.normal(size=(150, 2)) + 5.0))
    assert np.mean(shares) == pytest.approx(kappa, abs=0.05)


@pytest.mark.parametrize("width", [0.5, 1.5, 5.0])
def test_a_walk_away_from_the_rows_measures_what_single_steps_measure(width):
    """Projections start from the one before; over many rows and steps none of them may get stuck there."""
    rng = np.random.RandomState(0)
    rows = rng.normal(size=(150, 5))
    rows[100:, 0] += 3
    rows[:30, 0] += 3
    kernel = np.exp(-((rows[:, None] - rows) ** 2).sum(-1) / (2 * width**2))
    start, difference = np.repeat([0.01, 0.0], [100, 50]), np.repeat([0.01, -0.02], [100, 50])
    walk = Hull(kernel)
    steps = (1.05, 4.5, 2.75, 1.1, 1.3, 1.5, 3.0)
    distances = [walk.distance(start + (factor - 1) * difference) for factor in steps]
    alone = [Hull(kernel).distance(start + (factor - 1) * difference) for factor in steps]
    np.testing.assert_allclose(np.square(distances), np.square(alone), atol=1e-9)


def test_the_kernel_that_parts_the_samples_best_is_taken():
    rng = np.random.RandomState(0)
    mixed, component = rng.normal(size=(50, 2)), rng.normal(size=(20, 2)) + 3
    kernel, difference, distance = _kernel(mixed, component)
    assert difference.sum() == pytest.approx(0)
    assert distance == pytest.approx(np.sqrt(difference @ kernel @ difference))
    assert 0 < distance < np.sqrt(2)


def test_two_samples_of_the_same_rows_are_all_positives():
    rows = np.ones((10, 2))
    assert mixture_proportion(rows, rows) > 0.8


def test_rows_are_drawn_from_large_data_only():
    rng = np.random.RandomState(0)
    y = np.arange(1500) < 450
    X = rng.normal(size=(1500, 2)) + 5 * y[:, None]
    s = y & (rng.rand(1500) < 0.5)
    estimates = [estimate_class_prior(X, s, "km2", random_state=seed, max_rows=300) for seed in range(4)]
    assert len(set(estimates)) > 1
    assert np.mean(estimates) == pytest.approx(0.3, abs=0.06)
    assert len({estimate_class_prior(X[::5], s[::5], "km2", random_state=seed) for seed in range(3)}) == 1
