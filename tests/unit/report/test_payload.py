"""The numbers that the page's script gets: what they stand for, and that they are those of the analysis."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import json

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.ranks import block_matrix
from scarce.analysis.statistics import AnalysisSettings
from scarce.report import payload as module
from scarce.report.payload import as_json, packed, payload
from scarce.report.results import DisplayMethod, DisplayNames, marked
from tests.unit.report.made import study_results

EVIL = "</script><b>&amp;\u2028"
METHODS, DATASETS, SCENARIOS, METRICS = ["b", "a", "c"], ["y", "x", "z", "w"], ["s1", "s2"], ["f1_oracle", "auc_pr"]


def unpacked(array):
    return np.frombuffer(gzip.decompress(base64.b64decode(array["gzip"])), array["dtype"]).reshape(array["shape"])


def made(missing="drop_dataset", seed=0, **more):
    rng = np.random.default_rng(seed)
    axes = [DATASETS, SCENARIOS, range(3), METHODS, [*METRICS, "brier", "threshold_oracle"]]
    scores = pd.MultiIndex.from_product(axes, names=["dataset", "scenario", "repeat", "method", "metric"])
    scores = pd.DataFrame({"value": rng.choice([0.1, 0.2, 0.3, 0.1 + 0.2], len(scores))}, scores).reset_index()
    gap = rng.random(len(scores)) < 0.04
    gap |= (scores["dataset"] == "z") & (scores["method"] == "c") & (scores["scenario"] == "s2")
    scores["value"] = scores["value"].mask(gap & (scores["dataset"] != "y"))
    runs = scores.loc[scores["metric"] == "auc_pr", ["dataset", "scenario", "repeat", "method"]]
    runs = runs.assign(status="ok", message=EVIL, fit_seconds=np.arange(len(runs)) / 4)
    names = DisplayNames(
        methods={name: name.upper() for name in METHODS},
        datasets={name: name * 3 for name in DATASETS},
        scenarios={name: name for name in SCENARIOS},
        titles={name: f"{name} {EVIL}" for name in DATASETS},
    )
    settings = AnalysisSettings(
        METRICS,
        missing=missing,
        methods=METHODS,
        datasets=["y", "x", "z"],
        lower_is_better=frozenset(["brier"]),
        limited={"s2": ["z", "y"]},
    )
    more = {"sizes": {"y": (100, 4, 20)}, "ratios": {"s1": 0.25}, "nominal": {"y": 2}, "runs": runs} | more
    methods = [DisplayMethod(name, name.upper(), "f") for name in METHODS]
    return study_results(scores, settings, names, methods=methods, **more)


def tree(results):
    return payload(results, name="n", title=EVIL, repeats=3, rules={"f1_oracle": "test rows"})


def filtered(data, metric, scenario, datasets):
    """Values as the page's script leaves them: data sets x methods, by the rules that it follows."""
    i, j = METRICS.index(metric), SCENARIOS.index(scenario)
    means, gaps = unpacked(data["means"])[i, j], unpacked(data["gaps"])[i, j]
    rows = [k for k in datasets if np.isfinite(means[k]).any()]
    methods = [m for m in range(len(METHODS)) if np.isfinite(means[rows, m]).any()]
    if data["study"]["missing"] == "drop_dataset":
        rows = [k for k in rows if not gaps[k][methods].any()]
    values = pd.DataFrame(means[rows][:, methods], [DATASETS[k] for k in rows], [METHODS[m] for m in methods])
    return values.fillna(-np.inf)


@pytest.mark.parametrize("missing", ["drop_dataset", "worst"])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_filter_leaves_are_the_blocks_of_the_analysis(missing, seed):
    results = made(missing, seed)
    data = tree(results)
    for metric in METRICS:
        for scenario in SCENARIOS:
            for kept in ([0, 1, 2], [0, 2], [1], [2, 1]):
                names = [DATASETS[k] for k in kept]
                blocks = block_matrix(
                    results.scores, metric, scenario, missing=missing, methods=METHODS, datasets=names
                )
                found = filtered(data, metric, scenario, kept)
                assert list(found.index) == list(blocks.values.index)
                assert list(found.columns) == list(blocks.values.columns)
                np.testing.assert_array_equal(found, blocks.values)


@pytest.mark.parametrize("missing", ["drop_dataset", "worst"])
def test_an_oracle_changes_no_mean_and_no_gap_of_another(missing):
    results = made(missing)
    methods = [DisplayMethod(name, marked(name.upper(), name == "a"), "f") for name in METHODS]
    settings = dataclasses.replace(results.settings, oracles=["a"])
    data = tree(dataclasses.replace(results, settings=settings, methods=methods))
    assert [(one["label"], one["hidden_labels"]) for one in data["methods"]] == [
        ("B", False),
        ("A", True),
        ("C", False),
    ]
    scores = results.scores[results.scores["method"] != "a"]
    without = tree(dataclasses.replace(results, frames=dict(results.frames) | {"scores": scores}))
    for name in ("means", "gaps"):
        found, expected = unpacked(data[name]), unpacked(without[name])
        np.testing.assert_array_equal(found[..., [0, 2]], expected[..., [0, 2]])
    assert np.isfinite(unpacked(data["means"])[..., 1]).any()


def test_the_axes_are_those_of_the_study():
    data = tree(made())
    assert [m["name"] for m in data["metrics"]] == ["f1_oracle", "auc_pr", "brier"]
    assert [m["compared"] for m in data["metrics"]] == [True, True, False]
    assert [m["rule"] for m in data["metrics"]] == ["f1_oracle", "", ""]
    assert [m["baseline"] for m in data["metrics"]] == ["", "prevalence", ""]
    assert [m["higher"] for m in data["metrics"]] == [True, True, False]
    assert [(s["name"], s["ratio"], s["datasets"]) for s in data["scenarios"]] == [
        ("s1", 0.25, None),
        ("s2", None, [2, 0]),
    ]
    first = data["datasets"][0]
    assert (first["prevalence"], first["imbalance"], first["nominal"]) == (0.2, 4.0, 2)
    assert [d["counted"] for d in data["datasets"]] == [True, True, True, False] and data["datasets"][3]["note"]
    assert data["means"]["shape"] == data["gaps"]["shape"] == [3, 2, 4, 3]
    assert len(data["nemenyi_q"]) == len(METHODS) + 1 and data["nemenyi_q"][3] == pytest.approx(2.343, abs=1e-3)


def test_each_run_has_its_place_and_its_scores():
    results = made()
    data = tree(results)
    runs = {name: unpacked(column) for name, column in data["runs"].items() if name != "count"}
    scores = unpacked(data["scores"])
    assert scores.shape == (3, data["runs"]["count"]) == (3, len(results.runs))
    wanted = results.scores.set_index(["dataset", "scenario", "repeat", "method", "metric"])["value"]
    for k, run in enumerate(results.runs.itertuples()):
        where = (
            DATASETS[runs["dataset"][k]],
            SCENARIOS[runs["scenario"][k]],
            runs["repeat"][k],
            METHODS[runs["method"][k]],
        )
        assert where == (run.dataset, run.scenario, run.repeat, run.method)
        assert runs["fit_seconds"][k] == run.fit_seconds and np.isnan(runs["threshold"][k])
        assert data["messages"][runs["message"][k]] == EVIL and data["statuses"][runs["status"][k]] == "ok"
        found = [wanted[(*where, metric["name"])] for metric in data["metrics"]]
        np.testing.assert_array_equal(scores[:, k], np.float32(found))


def test_single_scores_that_are_too_many_are_those_of_the_first_metrics(monkeypatch):
    n = len(made().runs)
    for limit, kept in ((4 * n * 3, 3), (4 * n * 3 - 1, 2), (0, 0)):
        monkeypatch.setattr(module, "SINGLE_SCORES", limit)
        assert tree(made())["scores"]["shape"][0] == kept


def test_without_true_labels_no_share_of_positives_is_known():
    data = tree(made(truth_known=False))
    assert not data["study"]["truth_known"] and not any(m["baseline"] for m in data["metrics"])
    assert (data["datasets"][0]["prevalence"], data["datasets"][0]["imbalance"]) == (None, None)


def test_the_json_is_no_markup_and_reads_back():
    data = tree(made())
    text = as_json(data)
    assert not set("<>&") & set(text)
    assert json.loads(text) == data


def test_an_array_packs_to_the_same_bytes_whatever_its_layout():
    values = np.arange(12.0).reshape(3, 4)
    assert packed(values, "<f8") == packed(np.asfortranarray(values), "<f8")
    np.testing.assert_array_equal(unpacked(packed(values.T, "<f8")), values.T)
    head = base64.b64decode(packed(values, "<f8")["gzip"])[:10]
    assert head[4:8] == bytes(4) and head[9] == 255
