"""The top k of each run against a naive oracle that tries all orders of rows with equal scores."""

import math
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.scoring import without_negatives as estimate
from scarce.scoring.top import rows_at, top_of


def naive(scores, positive, k):
    """Mean number of positives among the first k rows over all orders of rows with equal scores."""
    found = []
    for order in permutations(range(len(scores))):
        ordered = [scores[row] for row in order]
        if all(one >= other for one, other in pairwise(ordered)):
            found.append(sum(positive[row] for row in order[:k]))
    return Fraction(sum(found), len(found))


@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6), k=st.integers(1, 6)
)  # fmt: skip
def test_it_is_the_mean_over_all_orders_of_tied_rows(rows, k):
    scores, positive = ([row[part] for row in rows] for part in (0, 1))
    top = top_of(np.array([scores], float), np.array([positive]), k)
    if k > len(rows):
        assert top.reason.tolist() == ["fewer rows than analysis.at_k"]
        return
    wanted = naive(scores, positive, k)
    assert top.reason.tolist() == [""]
    assert Fraction(int(top.found[0]), int(top.ties[0])) == wanted
    assert top.precision[0] == float(wanted / k)  # rounded once: what is equal in exact arithmetic is equal
    assert math.isnan(top.recall[0]) if not any(positive) else top.recall[0] == float(wanted / sum(positive))


def test_equal_values_by_different_ties_are_equal():
    scores = np.array([[0.9, 0.5, 0.5, 0.5, 0.1, 0.1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]])
    positive = np.array([[0, 1, 1, 1, 0, 0], [0, 1, 1, 0, 1, 0]], bool)
    assert len({*top_of(scores, positive, 3).precision}) == 1 == len({*top_of(scores, positive, 3).recall})


def test_a_share_is_read_as_the_decimal_that_is_written():
    assert [rows_at(share, 100) for share in (0.07, 0.29, 0.001)] == [7, 29, 1]
    scores = np.arange(100.0)[None]
    assert top_of(scores, scores > 89, 0.2).precision.tolist() == [0.5]


def test_k_counts_the_sample_of_the_population():
    s = np.array([[1, 1, 0, 0, 0, 0]], bool)
    scores = np.array([[0.9, 0.3, 0.8, 0.5, 0.4, 0.1]])
    one, two = (estimate.top(s, scores, 2, scheme) for scheme in ("one_sample", "two_sample"))
    assert (one.n.tolist(), two.n.tolist()) == ([6], [4])
    assert (one.recall.tolist(), two.recall.tolist()) == ([0.5], [0.5])
    tied = np.array([[0.5, 0.3, 0.8, 0.5, 0.5, 0.1]])
    assert estimate.top(s, tied, 2, "two_sample").recall.tolist() == [0.25]  # half of those with the score of the 2nd


@pytest.mark.parametrize("shape", [(2, 0), (2, 3)])
def test_without_k_there_is_no_top(shape):
    top = top_of(np.zeros(shape), np.zeros(shape, bool), None)
    assert top.reason.tolist() == (["no analysis.at_k"] if shape[1] else ["fewer rows than analysis.at_k"]) * 2
