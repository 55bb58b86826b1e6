"""Stratified draws are bit-equal to scikit-learn's."""

import itertools

import numpy as np
import pytest
from sklearn.model_selection import StratifiedShuffleSplit

from scarce.labels.records import Impossible
from scarce.labels.splits import split_off, subsample


def strata(n, classes, seed):
    """Labels of up to `classes` strata, some of them small."""
    random = np.random.RandomState(seed)
    drawn = random.choice(classes, n, p=random.dirichlet(np.full(classes, 0.5)))
    return np.r_[drawn, np.repeat(np.unique(drawn), 2)]  # no stratum has a single row


SHAPES = [*itertools.product((3, 10, 57, 300, 2001), (1, 2, 3, 5), range(4))]


@pytest.mark.parametrize(("n", "classes", "seed"), SHAPES)
def test_splits_equal_those_of_scikit_learn(n, classes, seed):
    codes = strata(n, classes, seed)
    for share in (0.5, 0.3, 0.1, 1 / 3, 0.9):
        theirs = StratifiedShuffleSplit(1, test_size=share, random_state=seed)
        try:
            expected = next(theirs.split(codes, codes))
        except ValueError:
            with pytest.raises(Impossible, match="cannot hold"):
                split_off(codes, share, seed)
            continue
        for part, rows in zip(split_off(codes, share, seed), expected, strict=True):
            assert part.dtype == np.int32
            np.testing.assert_array_equal(part, rows)


@pytest.mark.parametrize("ties", [4, 6, 10])
def test_ties_between_equal_strata_are_broken_alike(ties):
    codes = np.repeat(np.arange(ties), 3)
    for seed in range(50):
        expected = next(StratifiedShuffleSplit(1, test_size=0.5, random_state=seed).split(codes, codes))
        for part, rows in zip(split_off(codes, 0.5, seed), expected, strict=True):
            np.testing.assert_array_equal(part, rows)


@pytest.mark.parametrize(("n", "classes", "seed"), SHAPES[::3])
def test_subsamples_equal_those_of_scikit_learn(n, classes, seed):
    codes = strata(n, classes, seed)
    for size in {len(codes) // 2, len(codes) - classes}:
        if size >= classes:
            splitter = StratifiedShuffleSplit(1, train_size=size, random_state=seed)
            np.testing.assert_array_equal(subsample(codes, size, seed), next(splitter.split(codes, codes))[0])


def test_a_subsample_may_leave_out_a_single_row():
    y = np.arange(31) % 5 == 0
    rows = subsample(y, 30, 0)
    assert len({*rows}) == 30
    assert subsample(y, 31, 0).tolist() == list(range(31))


def test_a_stratum_of_one_row_cannot_be_split():
    with pytest.raises(Impossible, match="single row"):
        split_off(np.array([0, 0, 0, 1]), 0.5, 0)
