import numpy as np
import pytest

from scarce.estimators.observed import observed_labels, read_labels


@pytest.mark.parametrize(
    "y, classes",
    [
        ([1, 0, 0], [0, 1]),
        ([1, -1, -1], [-1, 1]),
        ([True, False, False], [False, True]),
        (np.array([[1.0], [0.0], [0.0]]), [0.0, 1.0]),
        (np.array([1, 0, 0], dtype=object), [0, 1]),
        (np.array([True, False, np.False_], dtype=object), [False, True]),
        ([2, 1, 1], [1, 2]),
        (["b", "a", "a"], ["a", "b"]),
        (np.array(["yes", "no", "no"], dtype=object), ["no", "yes"]),
        ([-1, -2, -2], [-2, -1]),
    ],
)
def test_the_larger_of_two_codes_is_labeled(y, classes):
    codes, labeled = read_labels(y)
    assert codes.tolist() == classes
    assert type(codes.tolist()[0]) is type(classes[0])
    assert labeled.tolist() == [1, 0, 0]
    assert observed_labels(y).dtype == np.int8


@pytest.mark.parametrize("y, classes", [([1, 1], [0, 1]), ([True, True], [False, True]), ([1.0, 1.0], [0.0, 1.0])])
def test_a_single_value_of_1_means_labeled(y, classes):
    codes, labeled = read_labels(y)
    assert codes.tolist() == classes
    assert labeled.tolist() == [1, 1]


@pytest.mark.parametrize("y", [[0, 0], [-1, -1], [False, False], [2, 2], ["a", "a"]])
def test_any_other_single_value_means_unlabeled(y):
    with pytest.raises(ValueError, match=r"no labeled positive.*one class"):
        read_labels(y)


@pytest.mark.parametrize(
    "y, reason",
    [
        ([1.0, np.nan], "NaN"),
        (np.array([1, float("nan")], dtype=object), "NaN"),
        (np.array([1, None], dtype=object), "no order"),
        (np.array(["a", 1], dtype=object), "no order"),
        ([[1, 0], [0, 1]], "one-dimensional"),
        ([0, 1, -1], r"two values, got 3: -1, 0, 1"),
        (["a", "b", "c"], "Only binary"),
    ],
)
def test_other_labels_are_refused_with_the_reason(y, reason):
    with pytest.raises(ValueError, match=reason):
        read_labels(y)
