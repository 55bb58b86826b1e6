"""A study that estimates its class priors, and one that tells wrong ones, through the whole workflow."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from scarce.files import read_csv

pytestmark = pytest.mark.workflow

STUDY = """
name: estimating
title: An estimated class prior
datasets: [moons, blobs]
labeling: {scar: {flip_ratios: [0.5]}}
split: {test_size: 0.3, validation_size: 0.5}
repeats: 2
methods: [pu_hdt, nnpu]
options: {class_prior: "estimated:elkan_noto"}
analysis: {metrics: [f1_prior, auc_pr]}
report: {figures: []}
"""
WRONG = """
name: wrong
title: A wrong class prior
datasets: [blobs]
labeling: {scar: {flip_ratios: [0.5], prior_factors: [0.5, 1, 2]}}
split: {test_size: 0.3, validation_size: 0.5}
repeats: 2
methods: [pu_shrf, adasyn_rf]
method_options: {pu_shrf: {n_estimators: 10}, adasyn_rf: {n_estimators: 10}}
analysis: {metrics: [auc_pr]}
report: {figures: [prior_sensitivity]}
"""


@pytest.fixture(scope="module")
def estimating(finished, tmp_path_factory):
    from tests.workflow.conftest import Workflow

    made = Workflow(tmp_path_factory.mktemp("prior") / "a b's run")
    shutil.copytree(finished.root / "data", made.root / "data")
    (made.root / "config/studies/estimating.yaml").write_text(STUDY)
    (made.root / "config/studies/wrong.yaml").write_text(WRONG)
    made.snakemake("estimating")
    return made


def test_the_estimate_reaches_methods_runs_and_thresholds(estimating):
    runs = read_csv(estimating.root / "results/estimating/runs.csv")
    assert set(runs.status) == {"ok"}
    for dataset in ("moons", "blobs"):
        estimated = np.load(estimating.root / f"results/estimating/priors/{dataset}/flip-50.npz")["class_prior"]
        labels = np.load(estimating.root / f"results/estimating/labels/{dataset}/flip-50.npz")
        assert np.isnan(labels["class_prior"]).all()
        assert (estimated >= labels["label_share"]).all()
        for _, told in runs[runs.dataset == dataset].groupby("method"):
            np.testing.assert_array_equal(told.class_prior, estimated)
        said = estimating.run("scarce", "explain", "estimating", dataset, "flip-50", "nnpu", "--repeat", "1").stdout
        assert f"class prior  {estimated[1]!s} (estimated:elkan_noto)" in said.replace("np.float64(", "").replace(
            ")", ")"
        )
        assert f"class_prior = {estimated[1]!s}" in said
    scores = read_csv(estimating.root / "results/estimating/scores.csv")
    thresholds = scores[scores.metric == "threshold_prior"].merge(runs, on=["dataset", "scenario", "repeat", "method"])
    assert len(thresholds) == 8
    np.testing.assert_array_equal(thresholds.value, thresholds.class_prior)
    assert estimating.planned("estimating") == {}
    assert "done of 4 cells" in estimating.run("scarce", "status", "estimating").stdout


def test_true_labels_change_no_estimate(estimating, tmp_path):
    """The contract of every stage but label and collect: poisoned y, same numbers."""
    from tests.workflow.conftest import Workflow

    copy = Workflow(tmp_path / "poisoned", like=estimating)
    prepared = copy.root / "data/prepared/moons.npz"
    with np.load(prepared) as archive:
        arrays = dict(archive)
    arrays["y"] = np.full_like(arrays["y"], 77)
    np.savez_compressed(prepared, **arrays)
    file = copy.root / "results/estimating/priors/moons/flip-50.npz"
    before = file.read_bytes()
    file.unlink()
    copy.run("scarce", "prior", "estimating", "moons", "flip-50")
    assert file.read_bytes() == before


def test_only_training_rows_and_their_observed_labels_decide(estimating, tmp_path):
    from tests.workflow.conftest import Workflow

    copy = Workflow(tmp_path / "changed", like=estimating)
    file = copy.root / "results/estimating/priors/moons/flip-50.npz"
    before = np.load(file)["class_prior"]
    labels = dict(np.load(copy.root / "results/estimating/labels/moons/flip-50.npz"))
    prepared = copy.root / "data/prepared/moons.npz"
    with np.load(prepared) as archive:
        arrays = dict(archive)
    arrays["X"][labels["test"][1]] = 1e6
    np.savez_compressed(prepared, **arrays)
    copy.run("scarce", "prior", "estimating", "moons", "flip-50")
    after = np.load(file)["class_prior"]
    assert after[1] == before[1]
    assert after[0] != before[0], "the other repeat trains on some of these rows"


def test_another_estimator_reruns_what_is_told_of_it_and_no_other_study_has_the_stage(estimating):
    assert "prior" not in estimating.planned("smoke")
    config = "config/studies/estimating.yaml"
    before = estimating.read(config)
    estimating.edit(config, "elkan_noto", "tice")
    try:
        planned = estimating.planned("estimating")
        assert (planned["label"], planned["prior"], planned["fit"]) == (2, 2, 2)
    finally:
        (estimating.root / config).write_bytes(before)


def test_a_repeat_without_an_estimate_is_skipped_with_the_reason(estimating, tmp_path):
    """One labeled row is too few for this estimator; the study goes on and says so."""
    from tests.workflow.conftest import Workflow

    copy = Workflow(tmp_path / "few", like=estimating)
    copy.edit("config/studies/estimating.yaml", "flip_ratios: [0.5]", "flip_ratios: [0.96]")
    copy.snakemake("results/estimating/scores.csv")
    runs = read_csv(copy.root / "results/estimating/runs.csv", dtype={"message": str})
    assert len(runs) == 8
    few = runs[runs.status != "skipped"]
    assert few.message.str.contains("the class prior by elkan_noto is not to be relied on: only").all()
    skipped = runs[runs.status == "skipped"]
    assert len(skipped), "48 positives of which 46 or 47 are hidden"
    assert skipped.message.str.contains("no class prior: ValueError: elkan_noto needs two labeled").all()
    assert skipped.class_prior.isna().all()
    assert len(read_csv(copy.root / "results/estimating/failures.csv")) == len(runs[runs.status != "ok"])


def test_a_wrong_prior_is_told_and_said_and_nothing_else_differs(estimating):
    estimating.snakemake("figures/wrong")
    runs = read_csv(estimating.root / "results/wrong/runs.csv")
    told = runs.pivot_table(index=["method", "repeat"], columns="scenario", values="class_prior")
    np.testing.assert_allclose(told["flip-50-prior-2"], 2 * told["flip-50"])
    np.testing.assert_allclose(told["flip-50-prior-0.5"], told["flip-50"] / 2)
    scores = read_csv(estimating.root / "results/wrong/scores.csv")
    auc = scores[scores.metric == "auc_pr"].pivot_table(index=["method", "repeat"], columns="scenario", values="value")
    same = auc.loc["adasyn_rf"]
    assert (same["flip-50"] == same["flip-50-prior-2"]).all(), "it uses no prior, and rows and seeds are the same"
    assert (auc.loc["pu_shrf"]["flip-50"] != auc.loc["pu_shrf"]["flip-50-prior-2"]).any()
    assert (estimating.root / "figures/wrong/prior_sensitivity_auc_pr_flip-50.svg").is_file()
