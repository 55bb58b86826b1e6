"""Kill it, break it, starve it: what a run leaves when things go wrong, and how it goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import textwrap
import time

import pytest

from scarce.files import read_csv
from scarce.fitting.fits import read_checkpoint
from tests.workflow.conftest import BIN, Workflow

pytestmark = pytest.mark.workflow

PLUGIN = """
import os, time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Mean(ClassifierMixin, BaseEstimator):
    def __init__(self, behave="well", seed=0):
        self.behave, self.seed = behave, seed
    def fit(self, X, s):
        time.sleep(float(os.environ.get("SLEEP", 0)))
        if self.behave == "raise":
            raise RuntimeError("broken on purpose")
        if self.behave == "die":
            os.kill(os.getpid(), 9)
        self.mean_ = X[s == 1].mean(axis=0)
        return self
    def predict_proba(self, X):
        p = 1 / (1 + ((X - self.mean_) ** 2).sum(axis=1))
        return np.stack([1 - p, p], axis=1)
"""


def with_plugin(workflow: Workflow, **methods: str) -> Workflow:
    """A study of the plugin's methods alone: fast, and as ill-behaved as wanted."""
    (workflow.root / "my_methods.py").write_text(PLUGIN)
    with (workflow.root / "config/methods.yaml").open("a") as handle:
        for name, params in methods.items():
            handle.write(f"\n{name}: {{label: {name}, family: Mine, estimator: 'my_methods:Mean', params: {params}}}\n")
    (workflow.root / "config/studies/mine.yaml").write_text(
        textwrap.dedent(
            f"""
            name: mine
            title: Mine
            datasets: [moons]
            labeling: {{scar: {{flip_ratios: [0.5]}}}}
            repeats: 4
            methods: [{", ".join(methods)}]
            analysis: {{metrics: [auc_pr]}}
            report: {{figures: [dots]}}
            """
        )
    )
    return workflow


@pytest.mark.usefixtures("stocked")
def test_a_method_that_fails_is_a_row_and_the_study_goes_on(workflow):
    """To its scores; tests/workflow/test_run.py has the page of such a study."""
    with_plugin(workflow, good="{}", raising="{behave: raise}", dying="{behave: die}", also_good="{seed: 1}")
    workflow.snakemake("results/mine/scores.csv")
    runs = read_csv(workflow.root / "results/mine/runs.csv")
    assert runs.groupby("method").status.unique().map(list).to_dict() == {
        "good": ["ok"],
        "also_good": ["ok"],
        "raising": ["failed"],
        "dying": ["failed"],
    }
    failures = read_csv(workflow.root / "results/mine/failures.csv")
    assert set(failures.method) == {"raising", "dying"}
    assert failures[failures.method == "raising"].message.str.contains("broken on purpose").all()
    assert failures[failures.method == "dying"].message.str.contains("SIGKILL").all()
    command = failures[failures.method == "raising"].command.iloc[0]
    done = workflow.run("sh", "-c", command, check=False)
    assert done.returncode == 1
    assert "RuntimeError: broken on purpose" in done.stderr
    assert set(read_csv(workflow.root / "results/mine/scores.csv").method) == {"good", "also_good"}


@pytest.mark.usefixtures("stocked")
def test_on_error_raise_stops_with_its_exit_code(workflow):
    with_plugin(workflow, raising="{behave: raise}")
    workflow.edit("config/studies/mine.yaml", "title: Mine", "title: Mine\non_error: raise")
    done = workflow.snakemake("mine", check=False)
    assert done.returncode == 1
    assert "moons flip-50 raising: repeat 0: RuntimeError: broken on purpose" in done.stdout + done.stderr
    assert workflow.run("scarce", "fit", "mine", "moons", "flip-50", "raising", check=False).returncode == 4


@pytest.mark.usefixtures("stocked")
def test_a_killed_run_goes_on_where_it_was(workflow, monkeypatch):
    scores = "results/mine/scores.csv"
    with_plugin(workflow, slow="{}")
    undisturbed = Workflow(workflow.root.parent / "undisturbed", like=workflow)
    undisturbed.snakemake(scores)

    monkeypatch.setenv("SLEEP", "2")  # so that a busy machine does not finish the study before it is killed
    command = ["snakemake", "--cores", "1", scores]
    process = subprocess.Popen(
        command,
        cwd=workflow.root,
        env=workflow.environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    checkpoint = workflow.root / "results/mine/checkpoints/moons/flip-50/slow.jsonl"
    deadline = time.monotonic() + 600
    while len(read_checkpoint(checkpoint)) < 2:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = read_checkpoint(checkpoint)
    assert "partly done" in workflow.run("scarce", "status", "mine").stdout

    monkeypatch.setenv("SLEEP", "0")
    first = workflow.snakemake(scores, check=False)
    if first.returncode:
        assert "locked" in (first.stdout + first.stderr).lower()
        assert "snakemake --unlock" in workflow.run("scarce", "doctor", check=False).stdout
        workflow.snakemake("--unlock", scores)
        workflow.snakemake(scores)
    runs = read_csv(workflow.root / "results/mine/runs.csv")
    seconds = {round(run.fit_seconds, 6) for run in kept.values()}
    assert seconds < {*runs.fit_seconds}, "finished repeats were read, not run again"
    assert not checkpoint.parents[2].exists()
    assert workflow.read(scores) == undisturbed.read(scores)


def test_kernels_that_are_compiled_again_keep_no_fit_from_running(workflow):
    with_plugin(workflow, good="{}")
    kernels = "data/kernels.json"
    workflow.snakemake("results/mine/labels/moons/files.json", kernels)
    # forced, so that the file is there: Snakemake runs this job alone, and calls that a success
    done = workflow.snakemake("mine", "--forcerun", "warm", check=False)
    assert done.returncode == 1
    assert "scarce: error: Snakemake ended without" in done.stderr
    # as a Snakemake leaves it that is killed while the job goes on
    records = workflow.root / ".snakemake"
    (records / "incomplete" / next((records / "metadata").glob("ZGF0YS9rZXJuZWxz*")).name).write_text("{}")
    workflow.snakemake("mine")
    assert workflow.planned("mine") == {}
    (workflow.root / kernels).write_text("{}")
    assert workflow.planned("mine") == {}, "a finished study needs no kernels"
    assert not (workflow.root / kernels).exists()


@pytest.mark.usefixtures("stocked")
def test_what_was_deleted_is_said_with_the_command_that_brings_it_back(workflow):
    with_plugin(workflow, good="{}")
    workflow.snakemake("mine")
    page, explain = ("page", "mine"), ("explain", "mine", "moons", "flip-50", "good")
    assert "1 done of 1 cells" in workflow.run("scarce", "status", "mine").stdout
    for file, command in {
        "results/mine/labels/moons/flip-50.npz": explain,
        "data/prepared/moons.json": page,
        "figures/mine/captions.json": page,
    }.items():
        before = workflow.read(file)
        (workflow.root / file).unlink()
        assert "1 done of 1 cells" in workflow.run("scarce", "status", "mine").stdout, file
        done = workflow.run("scarce", *command, check=False)
        assert done.returncode == 5, done.stderr
        said = re.fullmatch(r"scarce: error: (.*) is not there \((snakemake .*)\)\n", done.stderr)
        assert said[1] == file, command
        workflow.run(*said[2].split())
        assert workflow.read(file) == before
    assert workflow.planned("mine") == {}


#: Of each file one; tests/unit/config has the other faults.
BAD = [
    ("config/studies/smoke.yaml", "pu_wlr,", "pu_wrl,", "no method is named 'pu_wrl' (did you mean pu_wlr?)"),
    ("config/datasets.yaml", "moons:\n", "moons:\n  sorce: x\n", "config/datasets.yaml"),
]


@pytest.mark.parametrize(("file", "old", "new", "said"), BAD)
def test_bad_input_stops_before_any_job(workflow, file, old, new, said):
    workflow.edit(file, old, new)
    done = workflow.snakemake("smoke", check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("scarce: error: ")]
    assert done.returncode != 0
    assert len(lines) == 1, done.stderr
    assert said in lines[0]
    assert f"{file}:" in lines[0]
    assert "Traceback" not in done.stderr
    assert not (workflow.root / "data").exists()
    assert workflow.run("scarce", "check", "config/studies/smoke.yaml", check=False).returncode == 2


def test_an_environment_that_is_not_activated_will_do(workflow):
    workflow.run(f"{BIN}/snakemake", "--cores", "1", "data/prepared/moons.npz", path=os.defpath)
    assert (workflow.root / "data/prepared/moons.json").is_file()


def test_settings_on_snakemakes_command_line_are_refused_not_passed_over(workflow):
    given = ("seed=010", "flip_ratios=[0.5]", "learning_rate=1e-3")
    done = workflow.snakemake("smoke", "--config", *given, check=False)
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("scarce: error: ")]
    assert done.returncode != 0
    assert "--config and --configfile are not read (got seed, flip_ratios, learning_rate)" in line
    assert not (workflow.root / "data").exists()
