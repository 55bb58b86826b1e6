"""The wheel in an empty environment: the estimators alone, then the pipeline in a project laid out by `scarce init`."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.workflow, pytest.mark.network]

TINY = """\
name: tiny
title: Tiny
datasets: [moons]
labeling: {scar: {flip_ratios: [0.5]}}
repeats: 2
methods: [pu_hdt, pu_wlr]
analysis: {metrics: [auc_pr]}
"""
FIT = """\
import numpy as np
from scarce.scoring.ranking import Ranking, average_precision
from scarce.trees import PUHellingerTreeClassifier

X, s = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], [30, 10])
scores = PUHellingerTreeClassifier(0.3).fit(X, s).predict_proba(X)[:, 1]
print("average precision", average_precision(Ranking(scores[None], s[None] == 1))[0])
"""


class Empty:
    """A virtual environment with nothing but pip, and a working directory without the checkout."""

    def __init__(self, folder: Path):
        self.folder, self.bin = folder, folder / "venv/bin"
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)

    def run(self, program: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SCARCE", "VIRTUAL"))}
        done = subprocess.run(
            [self.bin / program, *arguments],
            cwd=self.folder,
            env=kept | {"PATH": f"{self.bin}{os.pathsep}{os.defpath}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def install(self, requirement: str) -> None:
        done = self.run("pip", "install", "-q", "-c", str(ROOT / "requirements.lock"), requirement, check=False)
        if done.returncode and "NewConnectionError" in done.stderr:
            pytest.skip("the package index cannot be reached")
        assert done.returncode == 0, done.stderr


def test_the_wheel_works_in_an_empty_environment(tmp_path):
    empty = Empty(tmp_path)
    built = empty.run("pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT), check=False)
    if built.returncode and "NewConnectionError" in built.stderr:
        pytest.skip("the package index cannot be reached")
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    assert not [name for name in names if name.endswith("/author_runs.csv") or "__pycache__" in name]

    empty.install(str(wheel))
    assert "average precision 1.0" in empty.run("python", "-c", FIT).stdout
    assert "scarce[bench]" in empty.run("scarce", "list", "studies", check=False).stderr

    empty.install(f"{wheel}[bench]")
    assert "cd project" in empty.run("scarce", "init", "project").stdout
    empty.folder = tmp_path / "project"
    (empty.folder / "config/studies/tiny.yaml").write_text(TINY)
    assert "config/studies/tiny.yaml: fine" in empty.run("scarce", "check").stdout
    empty.run("snakemake", "--cores", "2", "tiny")
    scores = (empty.folder / "results/tiny/scores.csv").read_text().splitlines()
    assert len(scores) > 1
    assert (empty.folder / "results/tiny/report.html").is_file()
