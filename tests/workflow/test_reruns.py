"""Exactly what runs again after each kind of change."""

from __future__ import annotations

import os
import shutil
import time

import pytest

from tests.conftest import ROOT
from tests.workflow.conftest import Workflow

pytestmark = pytest.mark.workflow

AFTER = {"analyse": 1, "verdicts": 1, "tables": 1, "figures": 1, "page": 1}
COLLECT = {"collect": 1, "smoke": 1, **AFTER}


def test_nothing_changed(finished):
    assert finished.planned("smoke") == {}


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        pytest.param(
            "config/studies/smoke.yaml",
            "pu_shrf: {n_estimators: 20}",
            "pu_shrf: {n_estimators: 21}",
            {"fit": 2, **COLLECT},
            id="one option of one method",
        ),
        pytest.param(
            "config/methods.yaml",
            "  estimator: pu_wlr",
            "  estimator: pu_wlr\n  version: 2",
            {"fit": 2, **COLLECT},
            id="a new version of a method",
        ),
        pytest.param(
            "config/studies/smoke.yaml",
            "methods: [pu_hdt, ",
            "methods: [pu_hdt, hdt, ",
            {"fit": 2, **COLLECT},
            id="a method more",
        ),
        pytest.param(
            "config/studies/smoke.yaml",
            "[0.50, 0.75]",
            "[0.25, 0.50, 0.75]",
            {"label": 2, "fit": 2, **COLLECT},
            id="a scenario more",
        ),
        pytest.param(
            "config/studies/smoke.yaml",
            "metrics: [f1_validation, auc_pr]",
            "metrics: [f1_validation, auc_pr, auc_roc]",
            COLLECT,
            id="another metric to rank: no fit",
        ),
        pytest.param(
            "config/studies/smoke.yaml",
            "repeats: 3",
            "repeats: 4",
            {"label": 2, "fit": 2, **COLLECT},
            id="a repeat more",
        ),
        pytest.param("config/methods.yaml", "# Method variants", "# Each method", {}, id="a comment: nothing"),
    ],
)
def test_a_change_plans_what_depends_on_it(finished, file, old, new, expected):
    assert finished.planned_after("smoke", file, old, new) == expected


FITS = ("results/smoke/fits/moons/cells.json", "results/smoke/fits/blobs/cells.json")


def fit_times(workflow: Workflow) -> dict[str, int]:
    files = workflow.root.glob("results/smoke/fits/*/*/*.npz")
    return {"/".join(file.parts[-3:]): file.stat().st_mtime_ns for file in files}


@pytest.mark.parametrize(
    ("old", "new", "fitted"),
    [
        ("pu_shrf: {n_estimators: 20}", "pu_shrf: {n_estimators: 21}", lambda scenario, method: method == "pu_shrf"),
        ("methods: [pu_hdt, ", "methods: [pu_hdt, hdt, ", lambda scenario, method: method == "hdt"),
        ("[0.50, 0.75]", "[0.25, 0.50, 0.75]", lambda scenario, method: scenario == "flip-25"),
        ("[pu_hdt, pu_shrf, pu_bagging,", "[pu_wlr, pu_hdt, pu_shrf, pu_bagging,", lambda scenario, method: False),
    ],
    ids=["an option of a method", "a method more", "a scenario more", "another order"],
)
def test_a_job_fits_only_the_cells_that_changed(finished, tmp_path, old, new, fitted):
    copy = Workflow(tmp_path / "copy", like=finished)
    before = fit_times(copy)
    copy.edit("config/studies/smoke.yaml", old, new)
    if "pu_wlr, pu_hdt" in new:
        copy.edit("config/studies/smoke.yaml", "pu_bagging, pu_wlr,", "pu_bagging,")
    copy.snakemake(*FITS)
    changed = {cell for cell, time in fit_times(copy).items() if before.get(cell) != time}
    everything = {tuple(cell.removesuffix(".npz").split("/")) for cell in fit_times(copy)}
    assert changed == {"/".join(cell) + ".npz" for cell in everything if fitted(*cell[1:])}


def test_a_fit_that_was_deleted_or_damaged_is_made_again_alone(finished, tmp_path):
    copy = Workflow(tmp_path / "copy", like=finished)
    before = fit_times(copy)
    folder = copy.root / "results/smoke/fits/moons/flip-50"
    (folder / "pu_wlr.npz").unlink()
    (folder / "pu_hdt.npz").write_bytes(b"cut")
    assert copy.planned("smoke") == {"fit": 1, **COLLECT}
    copy.snakemake(*FITS)
    after = fit_times(copy)
    changed = {cell for cell, time in before.items() if after[cell] != time}
    assert changed == {"moons/flip-50/pu_wlr.npz", "moons/flip-50/pu_hdt.npz"}
    assert copy.planned("smoke") == COLLECT
    copy.snakemake("results/smoke/scores.csv")
    assert copy.read("results/smoke/scores.csv") == finished.read("results/smoke/scores.csv")


def test_a_fit_by_hand_is_collected(finished, tmp_path):
    copy = Workflow(tmp_path / "copy", like=finished)
    copy.run("scarce", "fit", "smoke", "moons", "flip-50", "pu_wlr")
    assert copy.planned("smoke") == COLLECT


@pytest.mark.parametrize(
    ("module", "old", "new", "expected"),
    [
        ("analysis/tests.py", "def holm(", "HOLM = 1\n\n\ndef holm(", {"analyse", "tables", "figures", "page"}),
        ("scoring/thresholds.py", "def best_f1(", "SWEEP = 1\n\n\ndef best_f1(", {"collect"}),
        ("data/encode.py", "def encode_all(", "ENCODE = 1\n\n\ndef encode_all(", {"fit"}),
        ("methods/bagging.py", "class PUBagging", "BAGGING = 1\n\n\nclass PUBagging", {"fit"}),
        ("report/templates/page.css", "body", "body ", {"page"}),
        ("analysis/tests.py", "def holm(", "# a comment\ndef holm(", set()),
    ],
)
def test_a_change_of_code_reruns_its_stage(finished, tmp_path, module, old, new, expected):
    """On a copy of the package, found before the installed one."""
    copy = Workflow(tmp_path / "copy", like=finished)
    copy.source = tmp_path / "source"
    package = copy.source / "scarce"
    shutil.copytree(ROOT / "src/scarce", package)
    text = (package / module).read_text(encoding="utf-8")
    assert old in text
    (package / module).write_text(text.replace(old, new, 1), encoding="utf-8")
    planned = copy.planned("smoke")
    if not expected:
        assert planned == {}
    assert expected <= set(planned)
    assert planned.get("fit", 0) == (2 if "fit" in expected else 0)


def test_a_touched_file_of_the_same_content_plans_nothing(finished):
    for file in ("data/prepared/moons.json", "data/raw/moons/PROVENANCE.json"):
        (finished.root / file).touch()
    assert finished.planned("smoke") == {}


def test_what_changes_while_snakemakes_records_are_lost_is_not_silent(finished, tmp_path):
    copy = Workflow(tmp_path / "copy", like=finished)
    assert "--forceall" not in copy.snakemake("smoke", "--dry-run").stderr
    shutil.rmtree(copy.root / ".snakemake")
    copy.edit("config/studies/smoke.yaml", "pu_shrf: {n_estimators: 20}", "pu_shrf: {n_estimators: 21}")
    said = copy.snakemake("smoke", "--dry-run")
    assert "Snakemake's records (.snakemake/metadata) are not here" in said.stderr
    refused = copy.run("scarce", "collect", "smoke", check=False)
    assert refused.returncode
    assert "pu_shrf.npz was made with other arguments or other code (snakemake --cores 2 smoke;" in refused.stderr


LARGE = """
large:
  title: Large
  sources: [{kind: local, files: [{path: large.csv}], read: {format: csv}}]
  target: label
  positive: p
"""


def test_the_content_of_a_large_file_counts_and_not_its_date(workflow):
    rows = "".join(f"{n / 7!r},{'p' if n % 9 == 0 else 'n'}\n" for n in range(70_000))
    large = workflow.root / "large.csv"
    large.write_text("a,label\n" + rows)
    assert large.stat().st_size > 1_000_000, "Snakemake's own limit"
    with (workflow.root / "config/datasets.yaml").open("a") as handle:
        handle.write(LARGE)
    target = "data/prepared/large.npz"
    workflow.snakemake(target)
    tomorrow = time.time() + 86_400
    os.utime(large, (tomorrow, tomorrow))
    assert workflow.planned(target) == {}
    large.write_text("a,label\n0.5,p\n" + rows)
    assert workflow.planned(target) == {"fetch_dataset": 1, "prepare": 1}
