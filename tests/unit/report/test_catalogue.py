"""The figures of a study whose results have holes: what can be drawn is drawn, and the rest is passed over."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.agreement import AGREEMENT
from scarce.analysis.statistics import AnalysisSettings
from scarce.errors import ConfigError
from scarce.report.catalogue import FIGURES, figure
from scarce.report.results import DisplayMethod, DisplayNames
from tests.unit.report.made import study_results

METHODS, DATASETS, SCENARIOS = ["a", "b", "c", "d"], ["x", "y", "z"], ["flip-25", "flip-50"]
METRICS = ["auc_pr", "f1_validation"]
#: Those whose drawings depend on results of any study; other papers test their own, test_selection_view.py its own.
OF_RESULTS = [
    name
    for name, kind in FIGURES.items()
    if name == "change" or (kind.draw.__module__ == "scarce.report.catalogue" and name != "selection")
]


def results_of(value, *, datasets=DATASETS, missing="drop_dataset", published=()):
    """A study with ``value(dataset, scenario, method, metric)`` in each of two repeats; "w" stands in for another."""
    random = np.random.RandomState(0)
    rows = [
        (dataset, scenario, repeat, method, metric, value(dataset, scenario, method, metric) * random.uniform(0.9, 1))
        for dataset in datasets
        for scenario in SCENARIOS
        for repeat in range(2)
        for method in METHODS
        for metric in METRICS
    ]
    scores = pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])
    settings = AnalysisSettings(metrics=METRICS, missing=missing, methods=METHODS, datasets=DATASETS)
    names = [*DATASETS, "w"]
    return study_results(
        scores, settings,
        DisplayNames({m: m.upper() for m in METHODS}, {d: d for d in names}, {s: s for s in SCENARIOS},
                     {d: d.upper() for d in names}),
        frames={"agreement": pd.DataFrame(published, columns=AGREEMENT)},
        methods=[DisplayMethod(m, m.upper(), m) for m in METHODS], ratios={"flip-25": 0.25, "flip-50": 0.5},
        factors={"flip": {"flip-25": 0.5, "flip-50": 1.0}}, bases={"b": "a"},
    )  # fmt: skip


def drawn(results):
    return {name: list(FIGURES[name].draw(results)) for name in OF_RESULTS}


def stems(found):
    return {name: [drawing.stem for drawing in drawings] for name, drawings in found.items()}


def test_everything_is_drawn_where_nothing_is_missing():
    row = {"scenario": "flip-25", "metric": "auc_pr", "dataset": "x", "method": "a", "published": 0.5,
           "reproduced": 0.4, "difference": -0.1, "within": False}  # fmt: skip
    found = drawn(results_of(lambda *_: 0.5, published=[row]))
    assert {name: len(drawings) for name, drawings in found.items()} == {
        "change": 4, "critical_difference": 4, "dots": 2, "score_vs_ratio": 2, "prior_sensitivity": 2,
        "rank_heatmap": 4, "thresholds": 1, "agreement": 1,
    }  # fmt: skip
    assert not any("Missing" in drawing.caption for drawings in found.values() for drawing in drawings)


@pytest.mark.parametrize("datasets", [[], DATASETS])
def test_nothing_is_drawn_of_no_values(datasets):
    assert not any(drawn(results_of(lambda *_: np.nan, datasets=datasets)).values())


def test_a_metric_without_values_is_passed_over():
    found = stems(drawn(results_of(lambda d, s, m, metric: np.nan if metric == "f1_validation" else 0.5)))
    assert not found.pop("thresholds") and not found.pop("agreement")
    assert all(found.values())
    assert not any("f1" in stem for each in found.values() for stem in each)


def test_values_of_stand_ins_alone_make_no_average():
    found = stems(drawn(results_of(lambda *_: 0.5, datasets=["w"])))
    assert found.pop("dots") == ["dots_auc_pr", "dots_f1_validation"]
    assert not any(found.values())


def test_published_averages_alone_are_no_points():
    row = {"scenario": "flip-25", "metric": "auc_pr", "dataset": "", "method": "a", "published": 0.5}
    for reproduced in (0.4, np.nan):
        results = results_of(lambda *_: 0.5, published=[row | {"reproduced": reproduced}])
        assert not list(FIGURES["agreement"].draw(results))


def test_no_change_in_percent_of_a_base_of_zero():
    found = drawn(results_of(lambda d, s, m, metric: 0.0 if (d, m) == ("x", "a") else 0.5))["change"]
    assert len(found) == 4
    assert all("No change in percent, as a method has no result or a mean of 0: X." in one.caption for one in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("drop_dataset", "A data set on which a method lacks a run is left out for all methods."),
        ("worst", "a method without runs on a data set is last there."),
    ],
)
def test_captions_say_what_the_blocks_lack_and_what_was_made_of_it(missing, said):
    found = drawn(results_of(lambda d, s, m, metric: np.nan if (d, m) == ("x", "d") else 0.5, missing=missing))
    for name in ("critical_difference", "rank_heatmap", "change"):
        for drawing in found[name]:
            assert said in drawing.caption
            assert "Missing: D on x (2 of 2 runs missing)." in drawing.caption


def test_a_name_is_one_figures():
    def dots(results):
        yield from ()

    with pytest.raises(ConfigError, match="dots"):
        figure(dots)
