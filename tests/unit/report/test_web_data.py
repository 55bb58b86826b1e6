"""The page's script reads the numbers that the payload has."""

import numpy as np
import pytest

from scarce.analysis.ranks import dataset_means
from tests.unit.report.test_payload import DATASETS, METHODS, METRICS, SCENARIOS, made, tree
from tests.unit.report.web import call


def of(data: dict, *chains: tuple) -> list:
    """What methods of the decoded payload give; a chain is [method, arguments]."""
    return call(*(("data", "decode", [data], list(chain)) for chain in chains))


@pytest.mark.parametrize("missing", ["drop_dataset", "worst"])
def test_means_and_gaps_are_those_of_the_analysis(missing):
    results = made(missing)
    data = tree(results)
    names = [metric["name"] for metric in data["metrics"]]
    panels = [(metric, scenario) for metric in METRICS for scenario in SCENARIOS]
    found = of(data, *(("panel", [names.index(m), SCENARIOS.index(s), [0, 2]]) for m, s in panels))
    for (metric, scenario), panel in zip(panels, found, strict=True):
        means, gaps = dataset_means(results.scores, metric, scenario, missing, methods=METHODS, datasets=DATASETS)
        np.testing.assert_array_equal(panel["means"], means)
        np.testing.assert_array_equal(panel["gaps"], gaps)
        assert (panel["datasets"], panel["missing"], panel["higherIsBetter"]) == ([0, 2], missing, True)
        at = [names.index(metric), SCENARIOS.index(scenario), 2, 1]
        np.testing.assert_array_equal(of(data, ("mean", at), ("gap", at)), [means.iloc[2, 1], gaps.iloc[2, 1]])


def test_runs_of_a_cell_come_by_repeat_with_their_scores():
    results = made(runs=made().runs[::-1])
    data = tree(results)
    names = [metric["name"] for metric in data["metrics"]]
    cell = {"scenario": "s2", "dataset": "y", "method": "c"}
    places = [SCENARIOS.index("s2"), DATASETS.index("y"), METHODS.index("c")]
    (runs,) = of(data, ("runsOf", places))
    rows = results.scores
    for name, value in cell.items():
        rows = rows[rows[name] == value]
    for metric in METRICS:
        expected = rows[rows["metric"] == metric].sort_values("repeat")["value"]
        values = of(data, *(("score", [names.index(metric), run]) for run in runs))
        np.testing.assert_array_equal(np.float32(values), expected.to_numpy(np.float32))
    assert of(data, ("runsOf", [0, 3, 99]), ("score", [len(names), 0])) == [[], pytest.approx(np.nan, nan_ok=True)]


def test_data_sets_that_count_and_have_a_scenario():
    data = tree(made())
    assert of(data, ("counted", [0]), ("counted", [1])) == [[0, 1, 2], [0, 2]]
    assert of(data, ("find", ["methods", "a"]), ("find", ["methods", "none"])) == [1, -1]


@pytest.mark.parametrize(
    ("own_blocks", "expected"), [("datasets", ("one-sided", False)), ("runs", ("two-sided", True))]
)
def test_data_sets_as_blocks_are_tested_by_the_own_procedure_only_where_they_are_its_blocks(own_blocks, expected):
    data = tree(made())
    data["study"] |= {"own_blocks": own_blocks, "alternative": "one-sided", "holm": "holm_no_stop"}
    (how,) = of(data, ("procedure", []))
    assert (how["alternative"], how["stepDown"]) == expected
    assert how["names"] == METHODS and len(how["q"]) == len(METHODS) + 1


@pytest.mark.parametrize("change", [{"version": 2}, {"means": {"dtype": "<c8", "shape": [0], "gzip": ""}}])
def test_other_data_are_refused(change):
    with pytest.raises(AssertionError, match="the page's data"):
        of(tree(made()) | change, ("find", ["methods", "a"]))


def test_an_array_of_another_size_is_refused():
    data = tree(made())
    data["gaps"]["shape"][0] += 1
    with pytest.raises(AssertionError, match="numbers where"):
        of(data, ("find", ["methods", "a"]))
