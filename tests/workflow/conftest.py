"""A project of its own for each test: the real Snakefile, rules and configuration, in a folder with an awkward name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scarce import files
from tests.conftest import ROOT

PARTS = ("Snakefile", "workflow", "config", "profiles")
BIN = str(Path(sys.executable).parent)


class Workflow:
    """A working copy of the project, or of another working copy, and the commands that run in it."""

    def __init__(self, root: Path, like: Workflow | None = None):
        self.root = root
        self.source: Path | None = None  # where another copy of the package is, to be run in place of the installed one
        if like:
            shutil.copytree(like.root, root)
        elif not root.exists():
            root.mkdir(parents=True)
            for part in PARTS:
                copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
                copy(ROOT / part, root / part)

    @property
    def environment(self) -> dict[str, str]:
        # hundreds of processes import the package: its modules are compiled once
        dropped = ("DISPLAY", "SCARCE_MIRROR", "PYTHONDONTWRITEBYTECODE")
        inherited = {name: value for name, value in os.environ.items() if name not in dropped}
        source = {"PYTHONPATH": str(self.source)} if self.source else {}
        return inherited | {"PATH": BIN + os.pathsep + os.environ["PATH"], "MPLBACKEND": "TkAgg"} | source

    def run(self, *command: str, check: bool = True, path: str | None = None, **more) -> subprocess.CompletedProcess:
        environment = self.environment | ({"PATH": path} if path else {})
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, **more)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done

    def snakemake(self, *arguments: str, cores: int = 2, check: bool = True) -> subprocess.CompletedProcess:
        return self.run("snakemake", "--cores", str(cores), *arguments, check=check)

    def planned(self, *targets: str) -> dict[str, int]:
        """Jobs that a dry run plans, by rule."""
        done = self.snakemake(*targets, "--dry-run", "--quiet", "rules", "reason", "host")
        output = done.stdout + done.stderr
        assert ("Job stats:" in output) != ("Nothing to be done" in output), output
        _, _, table = output.partition("Job stats:")
        rows = (line.split() for line in table.partition("total")[0].splitlines())
        return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}

    def planned_after(self, target: str, file: str, old: str, new: str) -> dict[str, int]:
        """Jobs that a dry run plans after an edit, which is then undone."""
        before = self.read(file)
        self.edit(file, old, new)
        try:
            return self.planned(target)
        finally:
            (self.root / file).write_bytes(before)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} does not hold {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def read(self, file: str) -> bytes:
        return (self.root / file).read_bytes()


@pytest.fixture
def workflow(tmp_path) -> Workflow:
    return Workflow(tmp_path / "a b's run")


@pytest.fixture(scope="session")
def finished(shared, tmp_path_factory) -> Workflow:
    """The finished study `smoke`, which tests leave as it is: run once, and copied for each process of pytest-xdist."""
    with files.held(shared / "smoke.lock"):
        first = Workflow(shared / "a b's smoke")
        if not (first.root / "results/smoke/report.html").exists():
            first.snakemake("smoke")
    return Workflow(tmp_path_factory.mktemp("smoke") / "a b's run", like=first)


@pytest.fixture
def stocked(finished, workflow) -> None:
    """The project of the test has the data of `smoke` already: moons, blobs, and the note that kernels are compiled."""
    shutil.copytree(finished.root / "data", workflow.root / "data")
