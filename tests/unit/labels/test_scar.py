"""SCAR flips: counts by a written rule, the same rows everywhere, nested over ratios."""

from itertools import pairwise

import numpy as np
import pytest

from scarce.labels.labelings.scar import flip_count, scar_flip
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
