"""The study `smoke`, run by Snakemake for real, and what every study leaves behind."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from scarce.files import read_csv
from scarce.scoring.collect import FAILURE_COLUMNS, RUN_COLUMNS, SCORE_COLUMNS
from scarce.scoring.metrics import METRICS

pytestmark = pytest.mark.workflow

METHODS = ["pu_hdt", "pu_shrf", "pu_bagging", "pu_wlr", "adasyn_rf"]
CELLS = 2 * 2 * len(METHODS)


def suffixes(folder) -> set[str]:
    """Of the files a person sees; Snakemake keeps a hidden one of its own in a folder that is an output."""
    return {file.suffix for file in folder.iterdir() if not file.name.startswith(".")}


def test_it_leaves_what_the_readme_promises(finished):
    files = ["scores.csv", "runs.csv", "failures.csv", "manifest.json", "datapackage.json", "agreement.csv"]
    files += ["agreement_runs.csv", "verdicts.csv", "evidence.csv", "report.html"]
    files += [f"stats/{name}.csv" for name in ("ranks", "omnibus", "posthoc", "critical_difference")]
    for name in files:
        assert (finished.root / "results" / "smoke" / name).is_file(), name
    assert suffixes(finished.root / "results" / "smoke" / "tables") == {".csv", ".tex", ".html"}
    assert suffixes(finished.root / "figures" / "smoke") == {".svg", ".pdf", ".png", ".json"}


def test_scores_hold_every_cell_and_nothing_else(finished):
    scores = read_csv(finished.root / "results/smoke/scores.csv")
    assert list(scores.columns) == SCORE_COLUMNS
    saved = [metric for metric in METRICS.values() if not metric.on_request]
    assert len(scores) == CELLS * 3 * len(saved)
    assert not scores.duplicated(SCORE_COLUMNS[:-1]).any()
    assert scores.equals(scores.sort_values(SCORE_COLUMNS[:-1], ignore_index=True))
    runs = read_csv(finished.root / "results/smoke/runs.csv", dtype={"message": str})
    empty = scores[scores.value.isna()].merge(runs, on=["dataset", "scenario", "repeat", "method"])
    assert all("undefined" in message for message in empty.message), "an empty value has its reason in runs.csv"
    assert set(scores.method) == set(METHODS)


def test_runs_say_what_went_in(finished):
    runs = read_csv(finished.root / "results/smoke/runs.csv")
    assert list(runs.columns) == RUN_COLUMNS
    assert len(runs) == CELLS * 3
    assert set(runs.status) == {"ok"}
    assert (runs.n_labeled > 0).all()
    assert (runs.n_hidden > 0).all()
    assert runs.class_prior.between(0.01, 0.5).all()
    assert list(read_csv(finished.root / "results/smoke/failures.csv").columns) == FAILURE_COLUMNS


def test_the_datapackage_describes_every_column(finished):
    package = json.loads(finished.read("results/smoke/datapackage.json"))
    for resource in package["resources"]:
        columns = list(pd.read_csv(finished.root / "results/smoke" / resource["path"], nrows=0).columns)
        assert [field["name"] for field in resource["schema"]["fields"]] == columns, resource["path"]
        assert all(field["description"] for field in resource["schema"]["fields"])


def test_a_second_run_has_nothing_to_do(finished):
    done = finished.snakemake("smoke")
    assert "Nothing to be done" in done.stdout + done.stderr


def fitted_again(workflow) -> Iterator[tuple[str, dict, dict]]:
    """Each method with the arrays of its fit on a cell, before and after one command that fits all of them anew."""
    files = {method: workflow.root / f"results/smoke/fits/moons/flip-50/{method}.npz" for method in METHODS}
    before = {method: dict(np.load(file)) for method, file in files.items()}
    for file in files.values():
        file.unlink()
    workflow.run("scarce", "fit", "smoke", "moons", "flip-50")
    for method, file in files.items():
        yield method, before[method], dict(np.load(file))


def test_poisoned_true_labels_change_no_fit(finished, workflow):
    """Swap y after the labels were made: what a method sees, and so every score it gives, stays the same."""
    for part in ("data", "results"):
        shutil.copytree(finished.root / part, workflow.root / part)
    prepared = workflow.root / "data/prepared/moons.npz"
    with np.load(prepared) as archive:
        arrays = dict(archive)
    arrays["y"] = np.full_like(arrays["y"], 77)
    np.savez_compressed(prepared, **arrays)
    for method, before, after in fitted_again(workflow):
        np.testing.assert_array_equal(before["test_scores"], after["test_scores"], err_msg=method)
        np.testing.assert_array_equal(before["validation_scores"], after["validation_scores"], err_msg=method)


def test_a_test_row_changes_no_fit(finished, workflow):
    """Shuffle the features of the test rows of a repeat: the scores of its validation rows stay the same."""
    for part in ("data", "results"):
        shutil.copytree(finished.root / part, workflow.root / part)
    labels = dict(np.load(workflow.root / "results/smoke/labels/moons/flip-50.npz"))
    prepared = workflow.root / "data/prepared/moons.npz"
    with np.load(prepared) as archive:
        arrays = dict(archive)
    test = labels["test"][1][labels["test"][1] >= 0]
    arrays["X"][test] = 1e6
    np.savez_compressed(prepared, **arrays)
    for method, before, after in fitted_again(workflow):
        np.testing.assert_array_equal(before["validation_scores"][1], after["validation_scores"][1], err_msg=method)
        assert not np.array_equal(before["validation_scores"][0], after["validation_scores"][0]), (
            "other repeats train on them"
        )


def test_status_and_explain_tell_of_a_finished_study(finished):
    said = finished.run("scarce", "status", "smoke").stdout
    assert f"{CELLS} done of {CELLS} cells" in said
    said = finished.run("scarce", "explain", "smoke", "moons", "flip-50", "pu_shrf", "--repeat", "2").stdout
    assert "scarce fit smoke moons flip-50 pu_shrf --repeat 2" in said
    assert "n_estimators = 20" in said
    done = finished.run("scarce", "fit", "smoke", "moons", "flip-50", "pu_shrf", "--repeat", "2")
    assert "pu_shrf repeat 2: ok" in done.stdout


@pytest.mark.parametrize("what", ["datasets", "methods", "studies", "metrics", "options"])
def test_lists_name_what_there_is(finished, what):
    said = finished.run("scarce", "list", what).stdout
    expected = {
        "datasets": "moons",
        "methods": "pu_shrf",
        "studies": "smoke",
        "metrics": "f1_oracle",
        "options": "decision",
    }
    assert expected[what] in said


def test_doctor_finds_a_stale_lock(finished, workflow):
    assert "ok    no Snakemake lock" in workflow.run("scarce", "doctor").stdout
    locks = workflow.root / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("results/x")
    assert "fix   a stale lock" in workflow.run("scarce", "doctor", check=False).stdout


def test_snakemake_imports_nothing_heavy_to_read_the_workflow(finished):
    code = (
        "import sys; from scarce.config.loading import load_project; from scarce.stages.cell import resource_groups;"
        "from scarce.data.availability import forget_stale_failures; load_project();"
        "print([m for m in ('numpy', 'pandas', 'sklearn', 'numba', 'xgboost', 'torch') if m in sys.modules])"
    )
    assert finished.run(sys.executable, "-c", code).stdout.strip() == "[]"
