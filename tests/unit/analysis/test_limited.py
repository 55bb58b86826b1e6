"""Scenarios that only some data sets have: nothing is missed on the others."""

import pytest

from scarce.analysis.judges.base import data_sets
from scarce.analysis.statistics import AnalysisSettings, Procedure, analyse
from tests.unit.analysis import cases

VALUES = {"a": lambda s, i, r: 0.5 + i / 100, "b": 0.4}
LIMITED = {"flip-75": ("d00", "d01", "d02")}


@pytest.fixture
def frame():
    """Twelve data sets at flip-25, three of them at flip-75."""
    scores = cases.scores(VALUES)
    return scores[(scores["scenario"] == "flip-25") | scores["dataset"].isin(LIMITED["flip-75"])]


def settings(**changes):
    datasets = [f"d{i:02d}" for i in range(12)]
    return AnalysisSettings(**{"metrics": ["auc_pr"], "methods": ["a", "b"], "datasets": datasets} | changes)


@pytest.mark.parametrize("missing", ["drop_dataset", "worst", "refuse"])
def test_blocks_ask_only_for_the_data_sets_of_the_scenario(frame, missing):
    for scenario, n in (("flip-25", 12), ("flip-75", 3)):
        blocks = settings(limited=LIMITED, missing=missing).blocks_of(frame, "auc_pr", scenario, Procedure())
        assert (blocks.n_datasets, blocks.n_datasets_asked, blocks.notes) == (n, n, ())
    assert len(settings().blocks_of(frame, "auc_pr", "flip-75", Procedure()).notes) == 9


def test_a_data_set_of_the_scenario_without_results_is_missed(frame):
    limited = {"flip-75": (*LIMITED["flip-75"], "d03")}
    blocks = settings(limited=limited).blocks_of(frame, "auc_pr", "flip-75", Procedure())
    assert [note.dataset for note in blocks.notes] == ["d03"]
    assert (blocks.n_datasets, blocks.n_datasets_asked) == (3, 4)


def test_statistics_note_nothing(frame):
    notes = analyse(frame, settings(limited=LIMITED))["notes"]
    assert not notes["note"].str.contains("no results").any()


def test_among_keeps_the_order_and_takes_any_of_the_scenarios():
    one = settings(limited={"x": ("c", "a"), "y": ("b",)})
    assert one.among(["a", "b", "c"], "x") == ["a", "c"]
    assert one.among(["c", "b", "a", "d"], "x", "y") == ["c", "b", "a"]
    assert one.among(["c", "d"], "x", "z") == ["c", "d"]


def test_a_claim_counts_the_data_sets_of_its_scenarios(frame):
    case = cases.case(frame, datasets=[f"d{i:02d}" for i in range(12)], limited=LIMITED, missing="refuse")
    found = cases.decide("better", case, methods=["a"], over=["b"], scenarios=["flip-75"])
    assert found.verdict != "untested"
    assert data_sets([3], 12) not in found.reading
