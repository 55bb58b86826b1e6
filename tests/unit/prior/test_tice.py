"""TIcE's parts: its bound by hand, and the tree against all parts of a small space."""

import math

import numpy as np
import pytest

from scarce.prior.tice import Bound, pieces, tice


def test_the_bound_is_chebyshevs():
    bound = Bound.of(0.5, 250)
    assert bound.variance == pytest.approx(0.25 * (1 - 0.5) / 0.5)  # delta = 1 / (1 + 0.004 * 250)
    assert bound(9, 16) == pytest.approx(9 / 16 - math.sqrt(0.25 / 16))
    assert Bound.of(0.5, 100_000).variance == pytest.approx(0.25 * 0.975 / 0.025), "delta has a floor"
    assert Bound.of(1.0, 250)(9, 16) == 9 / 16, "nothing is random where every positive is labeled"


def test_a_part_is_only_given_up_if_it_cannot_say_more():
    bound = Bound.of(0.5, 250)
    assert bound.beats(0.5, 2) == (bound(2, 2) > 0.5)
    assert not bound.beats(0.0, 0)
    assert not bound.beats(1.0, 1000)


def test_columns_are_cut_at_quarters_of_their_range():
    X = np.array([[0.0, 5, 7], [1, 5, 8], [2, 5, 7], [3, 5, 8], [4, 5, 7]])
    assert pieces(X).T.tolist() == [[0, 1, 2, 3, 3], [0] * 5, [0, 3, 0, 3, 0]]


def test_a_box_of_positives_bounds_the_frequency_by_hand():
    """One binary column parts 400 positives, half of them labeled, from 400 negatives; folds halve them evenly.

    The only part worth anything holds the positives: 320 estimating rows of 640, c-hat their labeled share less the
    allowance, first at c = 1/2 and then at the estimate.
    """
    y = np.repeat([1.0, 0.0], 400)
    s = np.zeros(800, bool)
    s[:400:2] = True

    class Even:
        """Deals rows in turn, so that each fold has the same mixture."""

        def permutation(self, n):
            return np.arange(n) // 2

    delta = 1 / (1 + 0.004 * 640)
    frequency = 0.5
    for _ in range(2):
        frequency = 0.5 - math.sqrt(frequency * (1 - frequency) * (1 - delta) / (delta * 320))
    assert tice(y.reshape(-1, 1), s, random_state=Even()) == pytest.approx(0.25 / frequency)


def test_a_part_must_be_large_enough_to_estimate():
    X = np.repeat([1.0, 0.0], [8, 792]).reshape(-1, 1)
    s = np.arange(800) < 8
    few = tice(X, s, random_state=np.random.RandomState(0), min_rows=10)
    enough = tice(X, s, random_state=np.random.RandomState(0), min_rows=4)
    assert few == pytest.approx(1, abs=0.2), "without a part, the labeled share of all rows is all that is known"
    assert enough < 0.1


def test_more_splits_find_smaller_boxes():
    """Positives fill a sixteenth of the square: no single cut parts them, two do."""
    rng = np.random.RandomState(0)
    X = rng.rand(8000, 2)
    positive = (X > 0.75).all(axis=1)
    s = positive & (rng.rand(8000) < 0.5)
    one, more = (tice(X, s, random_state=np.random.RandomState(0), max_splits=m) for m in (1, 50))
    assert one > 2 * more
    assert more == pytest.approx(positive.mean(), rel=0.5)
    assert more > positive.mean() * 0.95, "a lower bound of c does not understate the prior"
