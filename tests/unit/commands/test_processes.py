"""Which processes count as a Snakemake that runs here."""

import os
import subprocess
import sys

import pytest

from scarce.commands.processes import slurm_jobs, snakemake_runs

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the system does not tell")


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        (["/some/bin/snakemake", "--cores", "2"], True),
        (["-m", "snakemake", "--cores", "2"], True),
        ([".snakemake/log/2026-01-01.snakemake.log"], False),
    ],
)
def test_a_program_that_reads_its_log_is_no_snakemake(tmp_path, monkeypatch, words, runs):
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-c", "print(flush=True); input()", *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        assert snakemake_runs() is runs
    finally:
        process.communicate("\n")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('for job in "RUNNING|" "PENDING|Priority" "PENDING|Priority"; do echo "$job|$PWD"; done; echo "RUNNING||/"',
         "3 jobs of this folder in Slurm's queue: 2 pending (Priority), 1 running"),
        ("true", "0 jobs of this folder in Slurm's queue"),
        ("echo slurm_load_jobs error: no controller $(seq 99) >&2; exit 1",
         f"squeue gives no answer: slurm_load_jobs error: no controller {' '.join(map(str, range(1, 100)))}"),
    ],
    ids=["jobs", "none", "no controller"],
)  # fmt: skip
def test_slurm_is_asked_for_the_jobs_of_this_folder(tmp_path, monkeypatch, script, said):
    squeue = tmp_path / "bin/squeue"
    squeue.parent.mkdir()
    squeue.write_text(f"#!/bin/sh\n{script}\n")
    squeue.chmod(0o755)
    monkeypatch.setenv("PATH", f"{squeue.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    assert slurm_jobs().startswith(said)


def test_without_slurm_nothing_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert slurm_jobs() is None
