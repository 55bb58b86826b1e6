import numpy as np
import pytest

from scarce.estimators.observed import observed_labels


@pytest.mark.parametrize(
    "s",
    [
        [1, 0, 0],
        [1, -1, -1],
        [True, False, False],
        np.array([[1.0], [0.0], [0.0]]),
        np.array([1, 0, 0], dtype=object),
        np.array([True, False, np.False_], dtype=object),
    ],
)
def test_three_codings_are_one(s):
    assert observed_labels(s).tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("s", "said"),
    [
        ([1, 2], "got 1, 2"),
        ([1.0, np.nan], "NaN"),
        ([0, 0], "no labeled positive"),
        ([-1, -1], "no labeled positive"),
        (["a", "b"], "got a, b"),
        (np.array([1, None], dtype=object), "got 1, None"),
        (np.array([1, float("nan")], dtype=object), "NaN"),
        ([[1, 0], [0, 1]], "one-dimensional"),
        ([0, 1, -1], "got -1, 0, 1"),
    ],
)
def test_anything_else_is_refused_with_what_was_given(s, said):
    with pytest.raises(ValueError, match=said):
        observed_labels(s)
