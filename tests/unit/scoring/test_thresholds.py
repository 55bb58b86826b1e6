"""Thresholds by F1: equal to a loop over scikit-learn's f1_score, ties included."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import f1_score

from scarce.scoring.thresholds import GRID, best_f1_grid, best_f1_sweep


def naive(y, score, thresholds, strict):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f1 = [f1_score(y, score > t if strict else score >= t) for t in thresholds]
    return float(thresholds[int(np.argmax(f1))]), max(f1)


def cases():
    for seed in range(12):
        rng = np.random.RandomState(seed)
        n = int(rng.randint(5, 80))
        y = (rng.rand(n) < 0.3).astype(int)
        y[0] = 1
        score = 0.4 * y + 0.6 * rng.rand(n)
        if seed % 3 == 1:  # ties, many of them on grid points
            score = GRID[(score * 10).astype(int) * 9]
        if seed % 3 == 2:
            score = np.round(score, 1)
        yield y, score


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(("y", "score"), list(cases()))
def test_grid_equals_a_loop(y, score, strict):
    found = best_f1_grid(y, score, GRID, strict)
    value, f1 = naive(y, score, GRID, strict)
    assert (found.value, found.reason) == (value, "")
    assert found.f1 == pytest.approx(f1, abs=1e-15)


@pytest.mark.parametrize(("y", "score"), list(cases()))
def test_sweep_equals_a_loop_over_distinct_scores(y, score):
    found = best_f1_sweep(y, score)
    value, f1 = naive(y, score, np.unique(score), strict=False)
    assert found.value == value
    assert found.f1 == pytest.approx(f1, abs=1e-15)


def test_the_grid_is_the_papers():
    assert (GRID[0], GRID[-1], len(GRID)) == (0.01, 0.99, 100)
    assert GRID[1] == pytest.approx(0.0198989899)


def test_comparison_at_a_grid_point():
    y, score = [0, 1], [GRID[10], GRID[30]]
    assert best_f1_grid(y, score, strict=True).value == GRID[10]
    assert best_f1_grid(y, score, strict=False).value == GRID[11]


def test_lowest_of_equally_good_thresholds():
    # F1 is 2/3 at 0.2 (TP 2, FP 2) and at 0.8 (TP 1, FN 1)
    assert best_f1_sweep([0, 1, 0, 1], [0.3, 0.2, 0.4, 0.8]).value == 0.2


def test_constant_score():
    assert best_f1_sweep([1, 0, 0, 0], [0.3] * 4).value == 0.3
    assert best_f1_sweep([1, 0, 0, 0], [0.3] * 4).f1 == pytest.approx(0.4)
    nothing = best_f1_grid([1, 0], [0.0, 0.0])
    assert (nothing.value, nothing.f1) == (0.01, 0.0)


@pytest.mark.parametrize("choose", [best_f1_grid, best_f1_sweep])
def test_undefined_has_a_reason(choose):
    assert choose([], []).reason == "no row to choose a threshold on"
    none = choose([0, 0], [0.1, 0.2])
    assert (none.value, none.f1) == (None, None)
    assert none.reason == "no positive among the rows that choose the threshold"


@pytest.mark.parametrize(("y", "score", "match"), [([1, 0], [0.1], "equally long"), ([1, 0], [0.1, np.nan], "finite")])
def test_malformed_input_is_an_error(y, score, match):
    with pytest.raises(ValueError, match=match):
        best_f1_sweep(y, score)
