"""The same study elsewhere and otherwise: scores.csv has the same bytes."""

from __future__ import annotations

import shutil

import pytest

from scarce.files import read_csv
from tests.workflow.conftest import Workflow

pytestmark = pytest.mark.workflow

# a forest, a boosted risk (XGBoost), support vector machines, a linear model and a forest on drawn rows
STUDY = """
name: tiny
title: Tiny
datasets: [moons, blobs]
labeling: {scar: {flip_ratios: [0.5]}}
repeats: 2
methods: [pu_shrf, nnpu, pu_bagging, pu_wlr, adasyn_rf]
method_options: {pu_shrf: {n_estimators: 5}, pu_bagging: {n_estimators: 5}, adasyn_rf: {n_estimators: 5}}
"""
SCORES = "results/tiny/scores.csv"
FILE = "config/studies/tiny.yaml"


def made(root, data=None) -> Workflow:
    workflow = Workflow(root)
    (workflow.root / FILE).write_text(STUDY)
    if data:
        shutil.copytree(data, workflow.root / "data")
    return workflow


@pytest.fixture(scope="module")
def tiny(finished, tmp_path_factory) -> Workflow:
    workflow = made(tmp_path_factory.mktemp("tiny") / "once", finished.root / "data")
    workflow.snakemake(SCORES, cores=4)
    return workflow


def test_cores_order_threads_time_zone_and_language_change_no_byte(tiny, tmp_path, monkeypatch):
    other = made(tmp_path / "noch einmal, größer", tiny.root / "data")
    for name, value in {
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "7",
        "OMP_NUM_THREADS": "3",
        "NUMBA_NUM_THREADS": "3",
    }.items():
        monkeypatch.setenv(name, value)
    other.edit(FILE, "{n_estimators: 5}, pu_bagging", "{n_estimators: 5, n_jobs: 2}, pu_bagging")
    other.snakemake("results/tiny/labels/blobs/files.json", "data/kernels.json", cores=1)
    other.run("scarce", "fit", "tiny", "blobs", "flip-50", "pu_bagging")
    by_hand = other.root / "results/tiny/fits/blobs/flip-50/pu_bagging.npz"
    when = by_hand.stat().st_mtime_ns
    other.snakemake(SCORES, cores=1)
    assert by_hand.stat().st_mtime_ns == when, "the job keeps a valid file"
    assert other.read(SCORES) == tiny.read(SCORES)


def test_what_is_added_changes_no_row_and_taken_away_no_byte(tiny, tmp_path):
    """A data set, a method and a scenario at once, each ahead of what was there."""
    other = Workflow(tmp_path / "more", like=tiny)
    shutil.rmtree(other.root / "results/tiny/fits/moons")  # so that these are made beside the others
    block = (other.root / "config/datasets.yaml").read_text().partition("\nblobs:")[2].partition("\n\n")[0]
    with (other.root / "config/datasets.yaml").open("a") as handle:
        handle.write(f"\nanother:{block}\n")
    for old, new in (
        ("[moons,", "[another, moons,"),
        ("[0.5]", "[0.25, 0.5]"),
        ("methods: [pu_shrf,", "methods: [pu_hdt, pu_shrf,"),
    ):
        other.edit(FILE, old, new)
    other.snakemake(SCORES)
    before, after = read_csv(tiny.root / SCORES), read_csv(other.root / SCORES)
    key = ["dataset", "scenario", "repeat", "method", "metric"]
    both = before.merge(after, on=key, how="left", indicator=True)
    assert len(after) > 2 * len(before)
    assert set(both["_merge"]) == {"both"}
    assert both["value_x"].equals(both["value_y"])
    (other.root / FILE).write_text(STUDY)
    other.snakemake(SCORES)
    assert other.read(SCORES) == tiny.read(SCORES)
