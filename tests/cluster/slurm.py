"""A Slurm of two nodes on this machine, started by hand, whose daemons a test can kill.

Each node is a slurmd of its own, with CPUs and memory that it is told to have. Memory limits are enforced by control
groups. There is no accounting.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psutil

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel")
NODES = ("n1", "n2")
CPUS, MEMORY_MB = 2, 4000
#: Where Debian's build looks for its configuration: Snakemake's plugin hides SLURM_CONF from the steps of a job.
SHARED = Path("/etc/slurm")
PORTS = {"ctld": 17017, "n1": 17021, "n2": 17022}


def unusable() -> str:
    """Why no Slurm can be started here, or ""."""
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        return f"{', '.join(missing)} not found: install slurmctld, slurmd, slurm-client and munge"
    if os.geteuid():
        return "slurmd needs root"
    if (SHARED / "slurm.conf").exists():
        return f"{SHARED}/slurm.conf is there: this machine belongs to another Slurm"
    return ""


def wait_until(condition: Callable[[], object], what: str, seconds: float = 60) -> object:
    """The first true value of a condition."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.2)
    raise TimeoutError(f"waited {seconds:g} s for {what}")


class Job(NamedTuple):
    """A job as squeue lists it."""

    id: str
    state: str
    node: str
    folder: str
    comment: str


class Slurm:
    """The daemons, with their files in one folder of a short name: the path of a socket has at most 108 bytes."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "munge").mkdir(mode=0o700)
        (folder / "state").mkdir()
        folder.chmod(0o755)  # munge wants every part of its socket's path to be read by all
        (folder / "munge/key").write_bytes(os.urandom(1024))
        (folder / "munge/key").chmod(0o400)
        (folder / "slurm.conf").write_text(self._configuration())
        (folder / "cgroup.conf").write_text(_cgroups())

    def _configuration(self) -> str:
        host = socket.gethostname().partition(".")[0]
        settings = {
            "ClusterName": "test",
            "SlurmctldHost": f"{host}(127.0.0.1)",
            "SlurmctldPort": PORTS["ctld"],
            "SlurmUser": "root",
            "AuthType": "auth/munge",
            "CredType": "cred/munge",
            "AuthInfo": f"socket={self.folder}/munge.socket",
            "AccountingStorageType": "accounting_storage/none",
            "ProctrackType": "proctrack/cgroup",
            "TaskPlugin": "task/cgroup",
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_Core_Memory",
            "SchedulerParameters": "sched_interval=2,bf_interval=2,batch_sched_delay=0",
            "SlurmdParameters": "config_overrides",
            "SwitchType": "switch/none",
            "MpiDefault": "none",
            "ReturnToService": 2,  # a node that comes back is used again
            "SlurmdTimeout": 12,
            "KillWait": 3,
            "MinJobAge": 900,
            "SlurmctldPidFile": self.folder / "ctld.pid",
            "SlurmctldLogFile": self.folder / "ctld.log",
            "StateSaveLocation": self.folder / "state",
            "SlurmdPidFile": self.folder / "%n.pid",
            "SlurmdLogFile": self.folder / "%n.log",
            "SlurmdSpoolDir": self.folder / "spool-%n",
        }
        lines = [f"{name}={value}" for name, value in settings.items()]
        for node in NODES:
            about = f"NodeHostname={host} NodeAddr=127.0.0.1 Port={PORTS[node]} CPUs={CPUS} RealMemory={MEMORY_MB}"
            lines.append(f"NodeName={node} {about}")
        lines.append("PartitionName=main Nodes=ALL Default=YES DefaultTime=60 MaxTime=INFINITE")
        return "\n".join(lines) + "\n"

    def start(self) -> None:
        SHARED.mkdir(exist_ok=True)
        for name in ("slurm.conf", "cgroup.conf"):
            (SHARED / name).unlink(missing_ok=True)
            (SHARED / name).symlink_to(self.folder / name)
        files = {"key-file": "munge/key", "socket": "munge.socket", "pid-file": "munge.pid", "log-file": "munge/log"}
        files["seed-file"] = "munge/seed"
        _call("munged", *(f"--{option}={self.folder / name}" for option, name in files.items()))
        self.start_controller()
        for node in NODES:
            self.start_node(node)

    def stop(self) -> None:
        _call("scancel", "--user=root", check=False)
        for name in (*NODES, "ctld", "munge"):
            self.kill(name)
        for step in _steps():
            _end(step)
        for name in ("slurm.conf", "cgroup.conf"):
            (SHARED / name).unlink(missing_ok=True)

    def start_controller(self) -> None:
        _call("slurmctld")
        wait_until(lambda: _call("scontrol", "ping", check=False).returncode == 0, "slurmctld")

    def start_node(self, node: str) -> None:
        (self.folder / f"spool-{node}").mkdir(exist_ok=True)
        _call("slurmd", "-N", node)
        wait_until(lambda: self.state_of(node) in ("idle", "mixed", "allocated"), f"node {node}")

    def kill(self, name: str) -> None:
        """Kill a daemon, by the name of its file, without warning."""
        file = self.folder / f"{name}.pid"
        if file.exists():
            _end(int(file.read_text()))
            file.unlink(missing_ok=True)

    def kill_node(self, node: str) -> None:
        """What a power cut does: the node's daemon and all that runs there end at once."""
        ids = {job.id for job in self.jobs() if job.node == node and job.state == "RUNNING"}
        self.kill(node)
        for step in _steps():
            if step.cmdline()[0].partition("[")[2].partition(".")[0] in ids:
                _end(step)

    def cancel(self, job: Job) -> None:
        _call("scancel", job.id)

    def state_of(self, node: str) -> str:
        return _call("sinfo", "--noheader", f"--nodes={node}", "--format=%T", check=False).stdout.strip()

    def jobs(self, folder: Path | None = None) -> list[Job]:
        """The jobs, also those that have ended; of one folder, by default all."""
        listed = _call("squeue", "--noheader", "--states=all", "--format=%i|%T|%N|%Z|%k").stdout
        jobs = [Job(*line.split("|", 4)) for line in listed.splitlines()]
        return [job for job in jobs if folder is None or Path(job.folder) == folder]

    def unfinished(self, folder: Path) -> list[Job]:
        return [job for job in self.jobs(folder) if job.state in ("PENDING", "RUNNING", "COMPLETING")]


def _cgroups() -> str:
    first = Path("/sys/fs/cgroup/memory").is_dir()  # version 1
    kind = "CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n" if first else "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n"
    return kind + "CgroupMountpoint=/sys/fs/cgroup\nConstrainRAMSpace=yes\nConstrainCores=no\nConstrainDevices=no\n"


def _steps() -> list[psutil.Process]:
    """The processes that run steps of jobs; each names its job in its title, as ``slurmstepd: [3.batch]``."""
    listed = psutil.process_iter(["cmdline"])
    return [one for one in listed if (one.info["cmdline"] or [""])[0].startswith("slurmstepd: [")]


def _end(process: int | psutil.Process) -> None:
    """Kill a process, then those that it has started: the parent first, so that it notices nothing."""
    try:
        process = psutil.Process(process) if isinstance(process, int) else process
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for one in family:
        try:
            one.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(family, timeout=10)


def _call(*command: str, check: bool = True) -> subprocess.CompletedProcess:
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return done
