"""Codes and domains of classifiers that read categories, and counts of codes."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from scarce.estimators.categories import (
    MOST_LEVELS,
    CategoricalPUClassifier,
    level_counts,
    one_hot,
    pair_counts,
    starts,
)


class Recorder(CategoricalPUClassifier):
    """Keeps the codes that it is fitted to."""

    def __init__(self, categorical=None, n_levels=None, n_bins=10):
        self.categorical = categorical
        self.n_levels = n_levels
        self.n_bins = n_bins

    def _learn_codes(self, codes, s, weight):
        self.codes_, self.s_, self.weight_ = codes, s, weight

    def codes(self, X):
        return self._read_codes(X).tolist()


def fit(X, weight=None, **parameters):
    s = np.arange(len(X)) == 0
    return Recorder(**parameters).fit(X, s, weight)


def test_declared_levels_are_the_domain_whatever_the_training_rows_hold():
    X = [[0, 1], [1, 0], [0, 1]]
    fitted = fit(X, categorical=[0, 1], n_levels=[4, 3])
    assert fitted.n_levels_.tolist() == [4, 3]
    assert fitted.codes_.tolist() == X
    assert np.issubdtype(fitted.codes_.dtype, np.integer)
    assert fitted.codes([[3, 2], [4, 3], [-1, 0.5], [1e300, -1e300], [2**63, 0]]) == [
        [3, 2], [-1, -1], [-1, -1], [-1, -1], [-1, 0],
    ]  # fmt: skip


def test_without_declared_levels_the_largest_training_code_is_the_last():
    fitted = fit([[0, 5], [2, 1], [1, 1]], categorical=[True, True])
    assert fitted.n_levels_.tolist() == [3, 6]
    assert fitted.codes([[3, 4]]) == [[-1, 4]]


@pytest.mark.parametrize("places", [[2, 0], [0, 2], [True, False, True]])
def test_levels_are_in_the_order_of_the_places(places):
    levels = [3, 5] if places == [2, 0] else [5, 3]
    fitted = fit([[4, 0.0, 2], [0, 1.0, 0]], categorical=places, n_levels=levels)
    assert fitted.n_levels_.tolist() == [5, 10, 3]


def test_one_number_of_levels_is_for_all_nominal_columns():
    assert fit([[0, 1], [1, 0]], categorical=[0, 1], n_levels=4).n_levels_.tolist() == [4, 4]


@pytest.mark.parametrize("levels", [None, 4])
@pytest.mark.parametrize("value", [-1, 0.5, -1e300, 1e300])
def test_a_training_row_with_no_code_is_refused_by_column_and_value(levels, value):
    X = np.zeros((3, 3))
    X[2, 1] = value
    with pytest.raises(ValueError, match=rf"^column 1 .*has {value:g}$".replace("+", r"\+")):
        fit(X, categorical=[1], n_levels=levels and [levels])
    with pytest.raises(ValueError, match="'color'"):
        fit(pd.DataFrame(X, columns=["size", "color", "form"]), categorical=[1], n_levels=levels and [levels])


def test_a_training_code_beyond_its_domain_is_refused():
    with pytest.raises(ValueError, match=r"column 0 .*0 to 2.*has 3"):
        fit([[3], [0]], categorical=[0], n_levels=[3])


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"categorical": [2]}, "categorical"),
        ({"categorical": [0], "n_levels": [2, 2]}, "n_levels"),
        ({"n_levels": [2]}, "n_levels"),
        ({"categorical": [0], "n_levels": [0]}, "n_levels"),
        ({"categorical": [0], "n_levels": [2.5]}, "n_levels"),
        ({"categorical": [0], "n_levels": [MOST_LEVELS + 1]}, "n_levels"),
        ({"n_bins": 0}, "n_bins"),
    ],
)
def test_parameters_are_checked(parameters, reason):
    with pytest.raises(ValueError, match=reason):
        fit([[0, 1], [1, 0]], **parameters)


def test_numbers_are_cut_into_bins_of_equal_width():
    fitted = fit(np.arange(11.0)[:, None])
    assert fitted.codes_.ravel().tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert fitted.codes([[-5], [0.999], [1], [9.5], [1e9]]) == [[0], [0], [1], [9], [9]]
    assert fit([[1.0], [5.0], [2.9], [3.0]], n_bins=2).codes_.ravel().tolist() == [0, 1, 0, 1]


def test_a_constant_column_has_one_level():
    fitted = fit([[7.0, 1], [7.0, 2]], n_bins=4)
    assert fitted.n_levels_.tolist() == [1, 4]
    assert fitted.codes([[8.0, 1], [-1e300, 2]]) == [[0, 0], [0, 3]]


@pytest.mark.parametrize("power", [-1060, -900, 0, 500, 1020])
def test_bins_do_not_depend_on_the_unit(power):
    column = np.random.RandomState(0).randint(-100, 100, (40, 1)).astype(float) / 64
    assert fit(np.ldexp(column, power)).codes_.tolist() == fit(column).codes_.tolist()


def test_bins_lie_between_the_extremes_of_rows_with_a_weight():
    X, weight = np.array([[0.0], [10.0], [5.0], [1000.0]]), np.array([1.0, 2.0, 1.0, 0.0])
    fitted = fit(X, weight)
    assert fitted.codes_.ravel().tolist() == [0, 9, 5]
    assert fitted.weight_.tolist() == [1, 2, 1]


def test_nominal_and_numeric_columns_stand_side_by_side():
    fitted = fit([[2, 0.0, 1], [0, 1.0, 0]], categorical=[0, 2], n_levels=[3, 2], n_bins=5)
    assert fitted.n_levels_.tolist() == [3, 5, 2]
    assert fitted.codes_.tolist() == [[2, 0, 1], [0, 4, 0]]
    assert fitted.codes([[3, 0.5, 2]]) == [[-1, 2, -1]]


LEVELS = np.array([3, 1, 4, 2])


@pytest.mark.parametrize("n", [1, 50, 70_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_are_those_of_one_hot_rows(n, weighted):
    random = np.random.RandomState(0)
    codes = random.randint(0, LEVELS, (n, 4))
    weight = random.randint(1, 5, n).astype(float) if weighted else None
    hot = one_hot(codes, LEVELS, np.float64)
    by_row = hot * (1 if weight is None else weight[:, None])
    np.testing.assert_array_equal(level_counts(codes, LEVELS, weight), by_row.sum(0))
    np.testing.assert_array_equal(pair_counts(codes, LEVELS, weight), hot.T @ by_row)


def test_one_hot_rows_by_a_loop():
    codes = np.random.RandomState(0).randint(-1, LEVELS, (30, 4))
    first = starts(LEVELS)
    expected = np.zeros((30, 10))
    for row, column in product(range(30), range(4)):
        if codes[row, column] >= 0:
            expected[row, first[column] + codes[row, column]] = 1
    np.testing.assert_array_equal(one_hot(codes, LEVELS), expected)
