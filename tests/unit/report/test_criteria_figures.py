"""Isometrics, value surfaces, and what a wrapper changes: the numbers behind the drawings."""

import numpy as np
import pandas as pd
import pytest

from scarce.papers.cieslak2008.change import change, percent_change
from scarce.papers.cieslak2008.isometrics import CRITERIA, grid, isometrics, value_surfaces
from scarce.report.results import DisplayMethod
from scarce.trees import TreeClassifier

CODES = {"information_gain": "entropy", "dkm": "dkm", "gini": "gini", "hellinger": "hellinger"}


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("c", [1, 10, 50])
def test_the_tree_engine_takes_the_cut_that_the_figure_values_most(name, c):
    rng = np.random.default_rng(c)
    y = np.repeat([1, 0], [40, 40 * c])
    for shift in (0.3, 1.0, 2.0):
        x = rng.normal(size=len(y)) + shift * y
        stump = TreeClassifier(CODES[name], max_depth=1, ties="exact", random_state=0).fit(x[:, None], y)
        left = stump.apply(x[:, None]) == stump.apply([[x.min()]])[0]
        order = np.argsort(x)
        tpr, fpr = np.cumsum(y[order])[:-1] / y.sum(), np.cumsum(1 - y[order])[:-1] / (1 - y).sum()
        values = CRITERIA[name][1](fpr, tpr, c)
        assert values[left.sum() - 1] == pytest.approx(values.max(), rel=1e-9)


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
    methods = [DisplayMethod("a", "A"), DisplayMethod("a_more", "A+"), DisplayMethod("b_more", "B+")]
    figure = change(changes, methods=methods, datasets={"x": "X", "y": "Y"}, ylabel="Change (%)")
    ranks = {
        artist.get_gid(): artist.get_text() for artist in figure.findobj() if str(artist.get_gid()).startswith("rank")
    }
    assert ranks == {"rank-a_more-0": "2", "rank-b_more-0": "1", "rank-a_more-1": "2", "rank-b_more-1": "1"}
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "A+: mean -7.50 %, 1 of 2 fall", "B+: mean +5.00 %, 0 of 2 fall"
    ]  # fmt: skip
