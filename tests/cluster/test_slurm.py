"""Studies on a real Slurm: whatever ends a job, the scores are those of a run without a cluster, byte by byte."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time

import pytest

from tests.cluster.conftest import Run
from tests.cluster.slurm import NODES, wait_until

pytestmark = pytest.mark.cluster

#: Seconds of each fit that a test interrupts.
SLEEP = 5


def running_fit(slurm, run, node=None):
    """A fit job that has finished at least one repeat, once there is one."""

    def look():
        assert run.process.poll() is None, run.said[-6000:]
        jobs = [job for job in slurm.jobs(run.workflow.root) if job.state == "RUNNING" and "fit" in job.comment]
        begun = list(run.workflow.root.glob("results/*/checkpoints/*/*/*.jsonl"))
        return begun and next((job for job in jobs if node in (None, job.node)), None)

    return wait_until(look, "a fit job", 120)


def test_smoke_over_two_nodes(slurm, finished, tmp_path):
    copy = type(finished)(tmp_path / "run", like=finished)
    shutil.rmtree(copy.root / "results/smoke")
    (copy.root / "data/kernels.json").unlink()
    run = Run(copy, "smoke")
    assert run.scores == finished.read("results/smoke/scores.csv")
    fits = [job for job in slurm.jobs(copy.root) if "fit" in job.comment]
    assert sorted(job.node for job in fits) == [*NODES]
    rules = {job.comment.split("_")[1] for job in slurm.jobs(copy.root)}
    assert rules == {"warm", "fit"}, "all else runs where Snakemake runs"


def test_a_job_that_was_cancelled_is_tried_again(slurm, copy, local):
    run = Run(copy, "mine", SLEEP=SLEEP)
    job = running_fit(slurm, run)
    status = copy.run("scarce", "status", "mine", check=False).stdout
    assert "in Slurm's queue" in status
    slurm.cancel(job)
    assert run.scores == local["mine"]
    assert "CANCELLED" in run.said


def test_the_job_of_a_node_that_dies_is_tried_again(slurm, copy, local):
    run = Run(copy, "mine", SLEEP=SLEEP)
    job = running_fit(slurm, run)
    slurm.kill_node(job.node)
    try:
        assert run.scores == local["mine"]
    finally:
        slurm.start_node(job.node)
    assert {one.state for one in slurm.jobs(copy.root) if one.id == job.id} == {"NODE_FAIL"}


def test_jobs_go_on_without_a_controller(slurm, copy, local):
    """The plugin may forget its jobs, and wait for ever, if it asks meanwhile: then the same command goes on."""
    run = Run(copy, "mine", SLEEP=SLEEP)
    running_fit(slurm, run)
    slurm.kill("ctld")
    time.sleep(15)
    slurm.start_controller()
    try:
        run.end(120)
    except subprocess.TimeoutExpired:
        wait_until(lambda: not slurm.unfinished(copy.root), "the end of all jobs", 120)
        copy.snakemake("--unlock")
        run = Run(copy, "mine")
    assert run.scores == local["mine"]


def test_a_job_that_reaches_its_time_limit_goes_on_with_more_time(slurm, copy, local):
    run = Run(copy, "mine", "--default-resources", "runtime=1 * attempt", cores=1, SLEEP=12)
    assert run.scores == local["mine"]
    assert "TIMEOUT" in run.said
    assert {job.state for job in slurm.jobs(copy.root)} == {"COMPLETED", "TIMEOUT"}


def test_a_fit_that_is_ended_for_want_of_memory_is_no_row(slurm, copy, local):
    run = Run(copy, "starved", cores=1, HOLD_MB=500)
    assert run.scores == local["starved"]
    assert "memory_mb" in run.said
    assert copy.read("results/starved/failures.csv").count(b"\n") == 1, "only the head"


def test_what_waits_for_a_node_that_there_is_not_is_said_and_ends_with_snakemake(slurm, copy):
    run = Run(copy, "mine", "--set-threads", "fit=64", cores=64)
    wait_until(lambda: [job for job in slurm.jobs(copy.root) if job.state == "PENDING"], "a job", 120)
    assert "pending (PartitionConfig)" in copy.run("scarce", "doctor", check=False).stdout
    run.process.send_signal(signal.SIGINT)
    assert run.end(120) == 1
    assert {job.state for job in slurm.jobs(copy.root)} == {"CANCELLED"}
