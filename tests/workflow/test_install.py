"""The wheel in an empty environment: the estimators alone, then the pipeline in a project laid out by `scarce init`.

SCARCE_PYTHON names another interpreter for the environment, SCARCE_DIST a folder with a wheel and an sdist that are
built already, as in the release workflow.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from scarce.commands.init import PARTS
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
        subprocess.run([os.environ.get("SCARCE_PYTHON", sys.executable), "-m", "venv", folder / "venv"], check=True)

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
        # without compiling all modules of all packages, of which few are imported
        done = self.run(
            "pip", "install", "-q", "--no-compile", "-c", str(ROOT / "requirements.lock"), requirement, check=False
        )
        if done.returncode and "NewConnectionError" in done.stderr:
            pytest.skip("the package index cannot be reached")
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """A folder with the sdist, and the wheel that is built from it."""
    if given := os.environ.get("SCARCE_DIST"):
        return Path(given).resolve()
    folder = tmp_path_factory.mktemp("dist")
    built = subprocess.run(
        [sys.executable, "-m", "build", "-o", folder, ROOT], capture_output=True, text=True, check=False
    )
    if built.returncode and "NewConnectionError" in built.stdout + built.stderr:
        pytest.skip("the package index cannot be reached")
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def only(folder: Path, pattern: str) -> Path:
    (file,) = folder.glob(pattern)
    return file


def test_the_wheel_is_whole(dist):
    """The wheel is built from the sdist, so that it is whole only where the sdist is."""
    names = zipfile.ZipFile(only(dist, "*.whl")).namelist()
    assert len(names) == len(set(names))
    assert not [name for name in names if name.endswith("/author_runs.csv") or "__pycache__" in name]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = [name for name in listed.split("\0") if name]
    package = {name.removeprefix("src/") for name in tracked if name.startswith("src/")}
    project = {name for name in tracked if name.partition("/")[0] in PARTS}
    assert package | {f"scarce/skeleton/{name}" for name in project} <= set(names)
    with tarfile.open(only(dist, "*.tar.gz")) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert set(tracked) <= inside


def test_the_wheel_works_in_an_empty_environment(dist, tmp_path):
    empty, wheel = Empty(tmp_path), only(dist, "*.whl")
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
