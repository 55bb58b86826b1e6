"""What the system says about processes that it has ended, and which kernels a process computes with."""

import json
import os
import signal
import subprocess
import sys

import pytest

from scarce.errors import MachineError
from scarce.fitting import machine, worker
from scarce.fitting.worker import run_each

EVENTS = "low 0\nhigh 3\nmax 12\noom 2\noom_kill {}\n"
CONTROL = "oom_kill_disable 0\nunder_oom 0\noom_kill {}\n"


@pytest.mark.parametrize(
    ("listed", "file", "content", "kills"),
    [
        ("0::/user/job_3\n", "user/job_3/memory.events", EVENTS, 4),
        ("0::/of/the/host\n", "memory.events", EVENTS, 4),
        ("9:name=systemd:/\n5:cpu,memory:/slurm/3\n0::/\n", "memory/slurm/3/memory.oom_control", CONTROL, 4),
        ("5:memory:/of/the/host\n", "memory/memory.oom_control", CONTROL, 4),
        ("5:memory:/old\n", "memory/old/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n", 0),
        ("5:cpu:/only\n", "cpu/only/memory.events", EVENTS, 0),
        ("no line of the system\n", "memory.events", EVENTS, 0),
    ],
    ids=["v2", "v2 container", "v1", "v1 container", "v1 without count", "no memory", "odd"],
)  # fmt: skip
def test_kills_are_counted_in_the_group_of_the_process(tmp_path, monkeypatch, listed, file, content, kills):
    (tmp_path / "cgroup").write_text(listed)
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(content.format(4))
    monkeypatch.setattr(machine, "GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(machine, "MOUNT", tmp_path)
    assert machine.memory_kills() == kills


def test_no_groups_no_kills(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "GROUPS", tmp_path / "none")
    assert machine.memory_kills() == 0


def starve(tmp_path, monkeypatch, times):
    """A system that ends the child of task 1 for want of memory, so many times."""
    kills = tmp_path / "kills"
    kills.touch()
    monkeypatch.setattr(worker, "memory_kills", lambda: kills.stat().st_size)

    def work(task):
        if task == 1 and kills.stat().st_size < times:
            with kills.open("a") as file:
                file.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    return work


def test_a_task_ended_once_for_want_of_memory_is_tried_again(tmp_path, monkeypatch):
    outcomes = list(run_each(starve(tmp_path, monkeypatch, 1), range(3)))
    assert [(one.task, one.status) for one in outcomes] == [(0, "done"), (1, "done"), (2, "done")]


def test_a_task_ended_twice_for_want_of_memory_is_an_error_that_says_what_to_do(tmp_path, monkeypatch):
    outcomes = []
    with pytest.raises(MachineError, match="mem_mb") as raised:
        outcomes.extend(run_each(starve(tmp_path, monkeypatch, 2), range(3)))
    assert "retries" in str(raised.value)
    assert "memory_mb" in str(raised.value)


def test_the_kernels_are_those_that_the_libraries_use():
    """OpenBLAS and numpy take their choice from the environment of a new process."""
    code = "import json; from scarce.fitting.machine import kernels; print(json.dumps(kernels()))"

    def chosen(**environment):
        command = [sys.executable, "-c", code]
        return json.loads(subprocess.run(command, env=os.environ | environment, capture_output=True, check=True).stdout)

    here = chosen()
    assert here == machine.kernels()
    assert here["numpy-simd"]
    if here.get("openblas-kernel") not in (None, "Haswell", "Zen"):
        assert chosen(OPENBLAS_CORETYPE="Haswell") == here | {"openblas-kernel": "Haswell"}
