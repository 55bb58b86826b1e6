"""A Slurm for all tests of this folder, and a study whose labels are made and whose fits are left to it."""

from __future__ import annotations

import signal
import subprocess
import tempfile
import textwrap
from pathlib import Path

import pytest

from tests.cluster.slurm import CPUS, Slurm, unusable
from tests.workflow.conftest import Workflow, finished  # noqa: F401 - a fixture

#: A method that sleeps so many seconds in each fit, and one that holds so many MB, by the environment of its job.
METHODS = """
import os, time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Distance(ClassifierMixin, BaseEstimator):
    def __init__(self, power=2, hungry=False):
        self.power, self.hungry = power, hungry
    def fit(self, X, s):
        time.sleep(float(os.environ.get("SLEEP", 0)))
        held = np.ones(int(os.environ.get("HOLD_MB", 0)) * 2**17 if self.hungry else 0)
        self.mean_ = X[s == 1].mean(axis=0)
        return self
    def predict_proba(self, X):
        p = 1 / (1 + (np.abs(X - self.mean_) ** self.power).sum(axis=1))
        return np.stack([1 - p, p], axis=1)
"""
BLOCKS = """
distance: {label: D, family: Mine, estimator: "my_methods:Distance"}
distance_1: {label: D1, family: Mine, estimator: "my_methods:Distance", params: {power: 1}}
hungry: {label: H, family: Mine, estimator: "my_methods:Distance", params: {hungry: true}, resources: {memory_mb: 600}}
"""
STUDY = """
name: {name}
title: Mine
datasets: [moons, blobs]
labeling: {{scar: {{flip_ratios: [0.5]}}}}
repeats: 4
methods: [{methods}]
analysis: {{metrics: [auc_pr]}}
report: {{figures: [dots]}}
"""
STUDIES = {"mine": "distance, distance_1", "starved": "hungry"}


@pytest.fixture(scope="session")
def slurm():
    if why := unusable():
        pytest.skip(why)
    pytest.importorskip("snakemake_executor_plugin_slurm", reason="pip install 'scarce[cluster]'")
    with tempfile.TemporaryDirectory(prefix="slurm") as folder:
        running = Slurm(Path(folder))
        try:
            running.start()
            yield running
        finally:
            running.stop()


@pytest.fixture(scope="session")
def labeled(tmp_path_factory) -> Workflow:
    """The studies with data, labels and kernels."""
    made = Workflow(tmp_path_factory.mktemp("labeled") / "run")
    (made.root / "my_methods.py").write_text(METHODS)
    with (made.root / "config/methods.yaml").open("a") as file:
        file.write(BLOCKS)
    for name, methods in STUDIES.items():
        (made.root / f"config/studies/{name}.yaml").write_text(
            textwrap.dedent(STUDY.format(name=name, methods=methods))
        )
    made.snakemake(*STUDIES, "--until", "label", "warm")
    return made


@pytest.fixture(scope="session")
def local(labeled, tmp_path_factory) -> dict[str, bytes]:
    """``scores.csv`` of each study, made without a cluster."""
    made = Workflow(tmp_path_factory.mktemp("local") / "run", like=labeled)
    made.snakemake(*STUDIES, "--until", "collect")
    return {name: made.read(f"results/{name}/scores.csv") for name in STUDIES}


class Run:
    """A Snakemake that gives jobs to Slurm, with the profile of the project."""

    def __init__(self, workflow: Workflow, study: str, *arguments: str, cores: int = CPUS, **environment: object):
        self.workflow, self.study = workflow, study
        haste = ("--latency-wait", "5", "--slurm-init-seconds-before-status-checks", "3")
        command = ["snakemake", "--profile", "profiles/slurm", "--cores", str(cores), *haste]
        self.log = workflow.root / "snakemake.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, study, "--until", "collect", *arguments],
                cwd=workflow.root,
                env=workflow.environment | {name: str(value) for name, value in environment.items()},
                stdout=log,
                stderr=log,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job of a shell may ignore it
            )

    def end(self, seconds: float = 420) -> int:
        try:
            return self.process.wait(seconds)
        finally:
            self.process.kill()

    @property
    def said(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def scores(self) -> bytes:
        """``scores.csv`` of a run that must have gone well."""
        assert self.end() == 0, self.said[-6000:]
        return self.workflow.read(f"results/{self.study}/scores.csv")


@pytest.fixture
def copy(labeled, tmp_path) -> Workflow:
    return Workflow(tmp_path / "run", like=labeled)
