"""Thresholds by F1: equal to F1 at every threshold by its definition, ties included, for every run by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scarce.scoring.ranking import Ranking
from scarce.scoring.thresholds import GRID, best_f1
from tests.unit.scoring.test_ranking import blocks

ON_GRID = st.one_of(st.sampled_from(list(GRID[::9])), st.floats(0, 1))


def naive(positive, score, thresholds, strict):
    predicted = score > thresholds[:, None] if strict else score >= thresholds[:, None]
    f1 = 2 * (predicted & positive).sum(axis=1) / (predicted.sum(axis=1) + positive.sum())
    return thresholds[int(np.argmax(f1))]


def one(positive, score, search, strict=True):
    ranking = Ranking(np.array([score], float), np.array([positive], bool))
    return best_f1(ranking, search, strict).value[0]


@settings(deadline=None, max_examples=30)
@given(blocks(ON_GRID, max_runs=2), st.booleans())
def test_grid_equals_a_loop(block, strict):
    score, positive = block
    values, reasons = best_f1(Ranking(score, positive), "grid", strict)
    for run, y in enumerate(positive):
        assert (reasons[run] == "") == y.any()
        assert not y.any() or values[run] == naive(y, score[run], GRID, strict)


@settings(deadline=None, max_examples=50)
@given(blocks(ON_GRID))
def test_sweep_equals_a_loop_over_distinct_scores(block):
    score, positive = block
    values, reasons = best_f1(Ranking(score, positive), "sweep")
    for run, y in enumerate(positive):
        assert (reasons[run] == "") == y.any()
        assert not y.any() or values[run] == naive(y, score[run], np.unique(score[run]), strict=False)


def test_the_grid_is_the_papers():
    assert (GRID[0], GRID[-1], len(GRID)) == (0.01, 0.99, 100)
    assert GRID[1] == pytest.approx(0.0198989899)


def test_comparison_at_a_grid_point():
    positive, score = [0, 1], [GRID[10], GRID[30]]
    assert one(positive, score, "grid", strict=True) == GRID[10]
    assert one(positive, score, "grid", strict=False) == GRID[11]


def test_lowest_of_equally_good_thresholds():
    # F1 is 2/3 at 0.2 (TP 2, FP 2) and at 0.8 (TP 1, FN 1)
    assert one([0, 1, 0, 1], [0.3, 0.2, 0.4, 0.8], "sweep") == 0.2


def test_constant_score():
    assert one([1, 0, 0, 0], [0.3] * 4, "sweep") == 0.3
    assert one([1, 0], [0.0, 0.0], "grid", strict=True) == 0.01


@pytest.mark.parametrize("search", ["grid", "sweep"])
def test_undefined_has_a_reason(search):
    value, reason = best_f1(Ranking(np.empty((2, 0)), np.empty((2, 0), bool)), search)
    assert np.isnan(value).all()
    assert reason.tolist() == ["no row to choose a threshold on"] * 2
    score = np.array([[0.1, 0.2], [0.1, 0.2], [0.1, np.nan]])
    value, reason = best_f1(Ranking(score, np.array([[False, False], [True, False], [True, False]])), search)
    assert np.isnan(value).tolist() == [True, False, True]
    assert [bool(text) for text in reason] == [True, False, True]
