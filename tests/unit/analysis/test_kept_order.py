"""The judge of what is left of an order of methods in other scenarios."""

import pandas as pd
import pytest
from pydantic import ValidationError

from scarce.analysis.judges import JUDGES
from tests.unit.analysis.cases import case, decide, scores, value_of

REFERENCE = {"reference": "flip-25"}
ORDERED = {"a": 0.9, "b": 0.6, "c": 0.5}


def by_scenario(first, then):
    return lambda scenario, i, repeat: first if scenario == "flip-25" else then(i) if callable(then) else then


def test_an_order_that_stays_is_kept():
    found = decide("keeps_order", case(scores(ORDERED)), **REFERENCE)
    assert found.verdict == "held"
    assert [value_of(found, name) for name in ("pairs", "kept", "lost", "reversed", "new")] == [3, 3, 0, 0, 0]
    assert value_of(found, "rank_correlation") == pytest.approx(1)
    assert "3 of 3 pairs are kept" in found.reading[0]
    assert "best Method A before and Method A after" in found.reading[0]


def test_a_pair_that_no_longer_differs_is_lost():
    alike = {"a": 0.9, "b": by_scenario(0.6, lambda i: 0.4 + 0.2 * (i % 2)), "c": 0.5}
    found = decide("keeps_order", case(scores(alike)), **REFERENCE)
    assert found.verdict == "partly"
    assert [value_of(found, name) for name in ("pairs", "kept", "lost", "reversed")] == [3, 2, 1, 0]


def test_a_pair_that_differs_the_other_way_is_reversed():
    turned = {"a": by_scenario(0.9, 0.1), "b": 0.6, "c": 0.5}
    found = decide("keeps_order", case(scores(turned)), **REFERENCE)
    assert found.verdict == "not held"
    assert [value_of(found, name) for name in ("pairs", "kept", "lost", "reversed")] == [3, 1, 0, 2]
    assert value_of(found, "rank_correlation") == pytest.approx(-0.5)
    assert "best Method A before and Method B after" in found.reading[0]


def test_a_pair_that_differs_only_now_is_new():
    new = {"a": 0.9, "b": by_scenario(0.5, 0.4), "c": 0.5}
    found = decide("keeps_order", case(scores(new)), **REFERENCE)
    assert found.verdict == "held"
    assert [value_of(found, name) for name in ("pairs", "kept", "new")] == [2, 2, 1]


def test_both_scenarios_are_compared_over_the_data_sets_of_both():
    few = pd.concat([scores(ORDERED, scenarios=["flip-25"]), scores(ORDERED, datasets=8, scenarios=["flip-75"])])
    found = decide("keeps_order", case(few), **REFERENCE)
    assert found.verdict == "held"
    assert "8 of 12 data sets" in found.reading[0]


def test_what_cannot_be_compared_is_untested():
    alone = decide("keeps_order", case(scores(ORDERED, datasets=1)), **REFERENCE)
    alike = decide("keeps_order", case(scores({"a": 0.5, "b": 0.5})), **REFERENCE)
    assert [alone.verdict, alike.verdict] == ["untested", "untested"]
    assert "no pair of methods differs" in alike.reading[0]


def test_only_those_named_are_compared():
    found = decide("keeps_order", case(scores(ORDERED)), **REFERENCE, among=["a", "c"])
    assert value_of(found, "pairs") == 1


def test_a_scenario_is_not_compared_with_itself():
    with pytest.raises(ValidationError, match="with itself"):
        JUDGES["keeps_order"].arguments(reference="flip-25", scenarios=["flip-25"])
