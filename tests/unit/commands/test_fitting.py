"""What a job leaves behind when it is ended from outside."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import os, time
from scarce.fitting.worker import end_children_with_this_process
from scarce.fitting.worker import run_each
end_children_with_this_process()
def task(_):
    print(os.getpid(), flush=True)
    time.sleep(600)
list(run_each(task, [0]))
"""


def runs(process: int) -> bool:
    """Whether a process is there and has not ended (one that nobody waits for stays as a zombie)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the Linux kernel to end children")
def test_the_process_that_fits_ends_with_the_job_that_is_killed():
    job = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    child = int(job.stdout.readline())
    assert runs(child)
    os.kill(job.pid, signal.SIGKILL)
    job.wait()
    job.stdout.close()
    for _ in range(600):
        if not runs(child):
            break
        time.sleep(0.1)
    assert not runs(child)


FORKING = """
import os, sys
from scarce.fitting.worker import end_children_with_this_process
from scarce.fitting.worker import run_each
end_children_with_this_process()
def task(_):
    copy = os.fork()
    if not copy:
        os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
print([outcome.value for outcome in run_each(task, range(2))])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the Linux kernel to end children")
def test_a_method_that_forks_has_its_own_children():
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, check=True)
    assert done.stdout == "[7, 7]\n"
