"""Which processes count as a Snakemake that runs here."""

import os
import subprocess
import sys

import pytest

from scarce.commands.processes import snakemake_runs

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
