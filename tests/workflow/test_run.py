"""`scarce run` for real: a part of a study, a method that fails, an interruption, and what a killed run leaves."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time

import psutil
import pytest

from scarce.files import read_csv
from scarce.fitting.fits import read_checkpoint
from tests.workflow.conftest import Workflow
from tests.workflow.test_recovery import with_plugin

pytestmark = pytest.mark.workflow


def part_in(workflow: Workflow, study: str) -> str:
    (folder,) = (workflow.root / "results").glob(f"{study}-part-*")
    return folder.name


def test_a_part_stands_beside_its_study_and_takes_over_its_fits(finished, tmp_path):
    copy = Workflow(tmp_path / "copy", like=finished)
    scores = copy.read("results/smoke/scores.csv")
    done = copy.run("scarce", "run", "smoke", "-m", "pu_wlr", "-m", "pu_hdt", "-d", "moons", "--cores", "2")
    part = part_in(copy, "smoke")
    assert f"the study {part}" in done.stderr
    assert "12 ok, 0 failed, 0 not available" in done.stdout
    assert f"results/{part}/report.html" in done.stdout
    assert "of 4 cells" in done.stderr, "where the output is no terminal there are a few lines"
    own = read_csv(copy.root / f"results/{part}/scores.csv")
    whole = read_csv(copy.root / "results/smoke/scores.csv")
    same = whole[(whole.dataset == "moons") & whole.method.isin(["pu_wlr", "pu_hdt"])]
    assert own.reset_index(drop=True).equals(same.reset_index(drop=True))
    fits = [copy.root / f"results/{name}/fits/moons/flip-50/pu_hdt.npz" for name in ("smoke", part)]
    assert os.path.samefile(*fits), "nothing was fitted again"
    assert copy.read("results/smoke/scores.csv") == scores
    assert copy.planned("smoke") == {}
    assert "4 done of 4 cells" in copy.run("scarce", "status", part).stdout
    done = copy.run("scarce", "run", "smoke")
    assert "60 ok" in done.stdout


def test_an_estimate_from_finished_runs_is_within_its_interval(finished):
    """Of time: the fits that were recorded, as another run would take them; of disk, all files."""
    said = finished.run("scarce", "check", "smoke", "--estimate", "--json").stdout

    (study,) = json.loads(said)["studies"]
    estimate = study["estimate"]
    assert estimate["cells_by_source"] == {"study": 20}
    runs = read_csv(finished.root / "results/smoke/runs.csv")
    recorded = (runs.fit_seconds * 1.5 + 2 * runs.predict_seconds).sum()
    assert estimate["fit_seconds"] == pytest.approx(recorded, rel=0.5)
    folders = [finished.root / "results/smoke", finished.root / "figures/smoke"]
    size = sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file())
    assert size / 3 < estimate["bytes"] < 3 * size


@pytest.mark.usefixtures("stocked")
def test_a_method_that_fails_makes_results_incomplete_and_the_summary_says_what_to_do(workflow):
    with_plugin(workflow, good="{}", raising="{behave: raise}")
    done = workflow.run("scarce", "run", "config/studies/mine.yaml", "--cores", "2", check=False)
    assert done.returncode == 5, done.stdout + done.stderr
    assert "4 ok, 4 failed, 0 not available" in done.stdout
    assert "raising: 4 runs: RuntimeError: broken on purpose" in done.stdout
    assert "results/mine/report.html" in done.stdout
    command = re.search(r"scarce fit .*", done.stdout)[0]
    again = workflow.run("sh", "-c", command, check=False)
    assert "RuntimeError: broken on purpose" in again.stderr
    explained = workflow.run("sh", "-c", re.search(r"scarce explain .*", done.stdout)[0])
    assert "behave = 'raise'" in explained.stdout
    assert workflow.snakemake("mine").returncode == 0, "plain snakemake ends as it did"
    workflow.edit("config/studies/mine.yaml", "title: Mine", "title: Mine\non_error: raise")
    (workflow.root / "results/mine/fits/moons/flip-50/raising.npz").unlink()
    stopped = workflow.run("scarce", "run", "mine", "--cores", "2", check=False)
    assert stopped.returncode == 4
    assert "moons flip-50 raising: repeat 0: RuntimeError: broken on purpose" in stopped.stdout


def started(workflow: Workflow) -> subprocess.Popen:
    """A run that has finished a repeat, beside those that were kept."""
    checkpoint = workflow.root / "results/mine/checkpoints/moons/flip-50/slow.jsonl"
    before = len(read_checkpoint(checkpoint))
    command = ["scarce", "run", "mine", "--cores", "1"]
    environment = workflow.environment
    out = (workflow.root / "out.txt").open("w")
    process = subprocess.Popen(command, cwd=workflow.root, env=environment, stdout=out, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 600
    while len(read_checkpoint(checkpoint)) <= before:
        assert time.monotonic() < deadline
        assert process.poll() is None, (workflow.root / "out.txt").read_text()
        time.sleep(0.05)
    return process


@pytest.mark.usefixtures("stocked")
def test_an_interrupted_run_ends_with_the_summary_and_goes_on(workflow, monkeypatch):
    with_plugin(workflow, slow="{}")
    monkeypatch.setenv("SLEEP", "2")
    process = started(workflow)
    process.send_signal(signal.SIGINT)
    assert process.wait(120) == 130
    said = (workflow.root / "out.txt").read_text()
    assert "mine: interrupted after" in said
    assert "0 of 1 done, and " in said
    assert "`scarce run mine` goes on" in said
    assert not any((workflow.root / ".snakemake/locks").glob("*"))

    process = started(workflow)
    (child,) = psutil.Process(process.pid).children()
    child.kill()
    assert process.wait(120) == 137
    assert "a stale lock" in (workflow.root / "out.txt").read_text()
    monkeypatch.setenv("SLEEP", "0")
    refused = workflow.run("scarce", "run", "mine", check=False)
    assert refused.returncode == 1
    assert "`snakemake --unlock`" in refused.stderr
    workflow.snakemake("--unlock", "mine")
    assert "4 ok" in workflow.run("scarce", "run", "mine").stdout
    runs = read_csv(workflow.root / "results/mine/runs.csv")
    assert (runs.fit_seconds > 2).any(), "finished repeats were kept"
    assert (runs.fit_seconds < 2).any()
