"""Areas under curves: equal to scikit-learn's, for every run of a block by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from scarce.scoring.ranking import Ranking, average_precision, roc_auc

#: Many ties, signed zeros, neighbours among floats, and numbers whose difference overflows.
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0]),
    st.floats(0, 1),
    st.sampled_from([5e-324, 1.0, np.nextafter(1.0, 2.0), 1e308, -1e308]),
)


@st.composite
def blocks(draw, scores=SCORES, max_runs=4, max_rows=12):
    """Scores and labels of some runs with equally many rows; any run may be constant or of one class."""
    shape = draw(st.integers(1, max_runs)), draw(st.integers(1, max_rows))
    size = shape[0] * shape[1]
    drawn = draw(st.lists(scores, min_size=size, max_size=size))
    positive = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    score, positive = np.reshape(np.array(drawn, float), shape), np.reshape(positive, shape)
    if draw(st.booleans()):
        score[draw(st.integers(0, shape[0] - 1))] = 0.5
    if draw(st.booleans()):
        positive[draw(st.integers(0, shape[0] - 1))] = draw(st.booleans())
    return score, positive


def assert_equals_scikit_learn(score, positive):
    ranking = Ranking(score, positive)
    precision, roc = average_precision(ranking), roc_auc(ranking)
    for run, y in enumerate(positive):
        if y.any():
            assert precision[run] == average_precision_score(y, score[run])
        else:
            assert np.isnan(precision[run])
        if 0 < y.sum() < len(y):
            assert roc[run] == roc_auc_score(y, score[run])
        else:
            assert np.isnan(roc[run])


@settings(deadline=None)
@given(blocks())
def test_areas_equal_scikit_learn_to_the_last_bit(block):
    assert_equals_scikit_learn(*block)


@pytest.mark.parametrize("digits", [1, 3, 17])
def test_areas_of_long_runs_equal_scikit_learn_to_the_last_bit(digits):
    """Long enough for numpy to add in blocks, so that another number or order of terms would show."""
    rng = np.random.RandomState(digits)
    positive = rng.rand(8, 1500) < np.linspace(0.01, 0.5, 8)[:, None]
    assert_equals_scikit_learn(np.round(0.2 * positive + 0.8 * rng.rand(8, 1500), digits), positive)


@settings(deadline=None)
@given(blocks())
def test_places_count_rows_and_positives_at_or_above_a_score(block):
    score, positive = block
    ranking = Ranking(score, positive)
    for run in range(len(score)):
        assert list(ranking.scores[run]) == sorted(score[run])
        assert ranking.positives[run, -1] == 0
        for place in np.flatnonzero(ranking.starts[run]):
            above = score[run] >= ranking.scores[run, place]
            assert above.sum() == ranking.n_rows - place
            assert (above & positive[run]).sum() == ranking.positives[run, place]
        assert ranking.starts[run].sum() == len(np.unique(score[run]))


def test_runs_with_scores_that_are_not_finite_are_marked():
    score = np.array([[0.1, 0.2], [np.nan, 0.2], [0.1, np.inf]])
    assert Ranking(score, np.ones((3, 2), bool)).finite.tolist() == [True, False, False]


def test_scores_and_labels_of_other_shapes_are_an_error():
    with pytest.raises(ValueError, match="one shape"):
        Ranking(np.zeros((2, 3)), np.zeros((2, 1), bool))
