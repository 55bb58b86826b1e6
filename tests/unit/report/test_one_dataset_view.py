"""The page of one data set: paired differences in place of ranks, and what numbers assume beside them."""

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.one_dataset import pairs
from scarce.analysis.statistics import AnalysisSettings
from scarce.report.catalogue import FIGURES
from scarce.report.one_dataset import differences, estimates, headline
from scarce.report.results import DisplayMethod, DisplayNames
from tests.unit.report.made import study_results

METHODS = {"a": "Method A", "b": "Method B", "c": "Method C"}
METRICS = ["pu_f1_test", "pu_auc_test"]


def made(datasets=("d",), ratio=0.4, metrics=METRICS, bounds=False):
    random = np.random.RandomState(0)
    saved = [*metrics, *(["pu_f1_low_test", "pu_f1_high_test"] if bounds else [])]
    shift = {"a": 0.8, "b": 0.79, "c": 0.4}
    scores = pd.DataFrame(
        [
            (d, "observed", r, m, metric, shift[m] + random.normal(0, 0.02))
            for d in datasets for r in range(8) for m in METHODS for metric in saved
        ],
        columns=["dataset", "scenario", "repeat", "method", "metric", "value"],
    )  # fmt: skip
    settings = AnalysisSettings(metrics=metrics, methods=list(METHODS), datasets=list(datasets))
    rows = pairs(scores, settings, {("d", "observed", "test"): (ratio, "")})
    names = DisplayNames(METHODS, {d: d for d in datasets}, {"observed": "observed"}, {d: d for d in datasets})
    return study_results(
        scores,
        settings,
        names,
        frames={"stats/pairs": rows},
        methods=[DisplayMethod(name, label) for name, label in METHODS.items()],
        assumptions={"pu_f1_test": "SCAR and class prior 0.3", "pu_f1_low_test": "SCAR and an interval"},
    )


def test_the_headline_says_who_is_told_apart_and_that_ranks_are_not():
    sentences = headline(made())
    assert len(sentences) == len(METRICS) + 1
    assert "excludes 0 against Method C" in sentences[0] and "rank" not in sentences[0]
    assert "not tell it from" in sentences[0]
    assert "Nadeau" in sentences[-1]


def test_a_row_is_a_pair_with_its_interval():
    table = differences(made())
    assert len(table.rows) == len(METRICS) * 3
    assert [row.label for row in table.rows[:3]] == ["F1 given prior, test"] * 3, "metrics in the study's order"
    texts = [cell.text for cell in table.rows[0].cells]
    assert {"Method A", "Method B"} == set(texts[1:3]) and texts[4].startswith("[−") and texts[7] == "8"


def test_every_estimate_stands_beside_its_assumptions_and_bounds():
    table = estimates(made(bounds=True))
    cells = {row.label: [cell.text for cell in row.cells] for row in table.rows}
    assert cells["F1 given prior, test"][-1] == "SCAR and class prior 0.3; bounds: SCAR and an interval"
    assert cells["F1 given prior, test"][-2].startswith("[")
    assert len(table.rows) == 2 * 3, "bounds have no rows of their own"
    assert estimates(made(metrics=["auc_pr"])) is None


@pytest.mark.parametrize("kind", ["rank_heatmap", "critical_difference"])
def test_ranks_of_one_block_are_not_drawn(kind):
    assert not list(FIGURES[kind].draw(made()))
    assert list(FIGURES[kind].draw(made(datasets=("d", "e"))))


def test_captions_say_what_a_metric_assumes():
    captions = {drawing.stem: drawing.caption for drawing in FIGURES["dots"].draw(made())}
    assert "assumes SCAR and class prior 0.3" in captions["dots_pu_f1_test"]


def test_several_data_sets_have_no_such_table():
    assert differences(made(datasets=("d", "e"))) is None and not made(datasets=("d", "e")).of_one_dataset
