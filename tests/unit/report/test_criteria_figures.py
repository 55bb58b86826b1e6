"""Isometrics, value surfaces, and what a wrapper changes: the numbers behind the drawings."""

import numpy as np
import pandas as pd
import pytest

from pubench.report.figures import CRITERIA, change, isometrics, percent_change, value_surfaces
from pubench.report.figures.isometrics import grid
from pubench.report.style import Method
from pubench.trees import criteria as engine

CODES = {"information_gain": "entropy", "dkm": "dkm", "gini": "gini", "hellinger": "hellinger"}


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("c", [1, 10, 100])
def test_a_criterion_values_splits_as_the_tree_engine_does(name, c):
    """The engine's score is the figure's value, up to what does not change the choice: an offset and a factor."""
    fpr, tpr = (part[1:-1, 1:-1].ravel() for part in grid(21))
    off = np.abs(fpr - tpr) > 1e-9
    fpr, tpr = fpr[off], tpr[off]
    n, p = 1000.0 * c, 1000.0
    score = np.empty(len(fpr))
    engine.score_cuts(engine.CODES[CODES[name]], len(fpr), n * fpr + p * tpr, p * tpr, n + p, p, 1.0, 1e-12, score)
    value = CRITERIA[name][1](fpr, tpr, c)
    value = value**2 if name == "hellinger" else value
    slope, offset = np.polyfit(value, score, 1)
    assert slope > 0
    np.testing.assert_allclose(score, slope * value + offset, rtol=1e-7, atol=1e-9 * abs(slope))


@pytest.mark.parametrize("c", [1, 10])
@pytest.mark.parametrize("name", CRITERIA)
def test_values_are_least_on_the_diagonal_and_largest_where_classes_part(name, c):
    fpr, tpr = grid(21)
    values = CRITERIA[name][1](fpr, tpr, c)
    assert np.isfinite(values).all()
    np.testing.assert_allclose(np.diag(values), 0, atol=1e-12)
    a = 1 / (1 + c)
    top = {
        "information_gain": -a * np.log2(a) - (1 - a) * np.log2(1 - a),
        "dkm": 2 * np.sqrt(a * (1 - a)),
        "gini": 2 * a * (1 - a),
        "hellinger": np.sqrt(2),
    }[name]
    for corner in (values[-1, 0], values[0, -1]):
        assert corner == pytest.approx(top) == pytest.approx(values.max())


def test_dkm_is_the_squared_hellinger_distance_but_for_the_priors():
    fpr, tpr = grid(11)
    for c in (1, 10, 100):
        a = 1 / (1 + c)
        expected = np.sqrt(a * (1 - a)) * CRITERIA["hellinger"][1](fpr, tpr, c) ** 2
        np.testing.assert_allclose(CRITERIA["dkm"][1](fpr, tpr, c), expected, atol=1e-12)


def test_the_papers_example_lies_on_its_contour():
    """Figure 1 (a): information gain is about 0.1 at (0, 20 %), (20 %, 60 %), (80 %, 100 %)."""
    fpr, tpr = np.array([0.0, 0.2, 0.8]), np.array([0.2, 0.6, 1.0])
    np.testing.assert_allclose(CRITERIA["information_gain"][1](fpr, tpr, 1), 0.1, atol=0.03)


def test_panels_are_the_skews():
    assert [axes.get_title(loc="left") for axes in isometrics("gini", (1, 10)).axes] == [
        "(+ : −) = (1 : 1)", "(+ : −) = (1 : 10)"
    ]  # fmt: skip
    assert len(isometrics("hellinger", (1,)).axes) == 1
    assert len(value_surfaces().axes) == 4


MEANS = pd.DataFrame(
    {"a": [0.8, 0.5, 0.9], "b": [0.6, 0.5, 0.4], "a_more": [0.84, 0.4, 0.9], "b_more": [0.66, 0.5, np.nan]},
    index=["x", "y", "z"],
)


def test_change_is_in_percent_of_the_base_over_data_sets_that_have_all():
    changes = percent_change(MEANS, {"a_more": "a", "b_more": "b", "c_more": "c"})
    assert changes.columns.tolist() == ["a_more", "b_more"]
    np.testing.assert_allclose(changes.to_numpy(), [[5, 10], [-20, 0]])


def test_change_ranks_the_largest_gain_first():
    changes = percent_change(MEANS, {"a_more": "a", "b_more": "b"})
    methods = [Method("a", "A"), Method("a_more", "A+"), Method("b_more", "B+")]
    figure = change(changes, methods=methods, datasets={"x": "X", "y": "Y"}, ylabel="Change (%)")
    ranks = {
        artist.get_gid(): artist.get_text() for artist in figure.findobj() if str(artist.get_gid()).startswith("rank")
    }
    assert ranks == {"rank-a_more-0": "2", "rank-b_more-0": "1", "rank-a_more-1": "2", "rank-b_more-1": "1"}
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "A+: mean -7.50 %, 1 of 2 fall", "B+: mean +5.00 %, 0 of 2 fall"
    ]  # fmt: skip
