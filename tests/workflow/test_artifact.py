"""The archive for real: the same bytes twice, and `smoke` run again from it without a network."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
import tarfile
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest

from scarce.commands.artifact import SUMS
from tests.conftest import ROOT
from tests.workflow.conftest import Workflow

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

#: A command in a network namespace of its own has no network.
OFFLINE = ("unshare", "--net", "--map-root-user")
CONNECT = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    folder, source = tmp_path_factory.mktemp("archives"), Workflow(ROOT)
    for name in ("one.tar.gz", "two.tar.gz"):
        source.run("scarce", "artifact", "--output", str(folder / name))
    return folder


@pytest.fixture
def unpacked(archives, tmp_path) -> Workflow:
    with tarfile.open(archives / "one.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    (root,) = tmp_path.iterdir()
    project = Workflow(root)
    project.source = root / "src"
    return project


def test_two_builds_give_the_same_bytes(archives):
    assert (archives / "one.tar.gz").read_bytes() == (archives / "two.tar.gz").read_bytes()


def test_every_file_has_its_digest(unpacked):
    named = dict(line.split("  ")[::-1] for line in unpacked.read(SUMS).decode().splitlines())
    files = {path.relative_to(unpacked.root).as_posix() for path in unpacked.root.rglob("*") if path.is_file()}
    assert files == {*named, SUMS}
    assert all(hashlib.sha256(unpacked.read(name)).hexdigest() == digest for name, digest in named.items())
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {name for name in tracked.split("\0") if name and (ROOT / name).exists()} <= files


def give_compiled_kernels(source: Path) -> None:
    """Spare the half minute of compiling, which a test of the wheel does; kernels are of a file and its date."""
    for file in (ROOT / "src").rglob("*"):
        copy = source / file.relative_to(ROOT / "src")
        if file.suffix in (".nbi", ".nbc"):
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(file, copy)
        elif copy.is_file():
            shutil.copystat(file, copy)


def test_smoke_runs_again_without_a_network(finished, unpacked):
    """`finished` has run, so that this checkout has its kernels."""
    if not shutil.which("unshare") or subprocess.run([*OFFLINE, "true"], check=False).returncode:
        pytest.skip("this user can make no network namespace")
    refused = unpacked.run(*OFFLINE, "python", "-c", CONNECT, check=False)
    assert "unreachable" in refused.stderr
    where = unpacked.run(*OFFLINE, "python", "-c", "import scarce; print(scarce.__file__)").stdout
    assert where.startswith(str(unpacked.root))
    give_compiled_kernels(unpacked.source)
    unpacked.run(*OFFLINE, "snakemake", "--cores", "2", "smoke")
    made = pd.read_csv(StringIO(unpacked.read("results/smoke/scores.csv").decode()))
    packed = pd.read_csv(StringIO(gzip.decompress(unpacked.read("packs/smoke/results/scores.csv.gz")).decode()))
    pd.testing.assert_frame_equal(made, packed, rtol=0, atol=1e-6)
