"""Cost against score, against a naive search for whoever is beaten."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.analysis.cost import cost_and_score, pareto_front

#: Few values, so that costs and gains tie.
FEW = st.sampled_from([0.0, 0.25, 0.5, 1.0, np.nan])


def naive_front(costs, gains) -> list[bool]:
    points = list(zip(costs, gains, strict=True))

    def beaten(c, g):
        return any(c2 <= c and g2 >= g and (c2 < c or g2 > g) for c2, g2 in points)

    return [not np.isnan(c + g) and not beaten(c, g) for c, g in points]


@given(st.lists(st.tuples(FEW, FEW), max_size=8))
def test_the_front_is_whoever_is_not_beaten(points):
    costs, gains = [p[0] for p in points], [p[1] for p in points]
    assert pareto_front(costs, gains).tolist() == naive_front(costs, gains)


def test_seconds_are_medians_of_the_runs_that_have_any():
    runs = pd.DataFrame({"method": ["a", "a", "a", "b", "b"], "fit_seconds": [1.0, 9.0, 2.0, 0.5, np.nan]})
    found = cost_and_score(runs, pd.Series({"b": 0.4, "a": 0.6, "c": 0.9}))
    assert found["seconds"].tolist()[:2] == [0.5, 2.0]
    assert np.isnan(found.loc["c", "seconds"])
    assert found["front"].tolist() == [True, True, False]


@pytest.mark.parametrize(("higher", "front"), [(True, [True, False]), (False, [True, True])])
def test_a_small_value_may_be_good(higher, front):
    runs = pd.DataFrame({"method": ["a", "b"], "fit_seconds": [1.0, 2.0]})
    found = cost_and_score(runs, pd.Series({"a": 0.6, "b": 0.4}), higher_is_better=higher)
    assert found["front"].tolist() == front


def test_an_oracle_is_on_no_front_and_takes_no_place_on_it():
    runs = pd.DataFrame({"method": ["a", "b", "o"], "fit_seconds": [1.0, 2.0, 0.5]})
    found = cost_and_score(runs, pd.Series({"a": 0.4, "b": 0.6, "o": 0.9}), oracles=["o"])
    assert found["front"].tolist() == [True, True, False]
    assert found.loc["o", "mean"] == 0.9
