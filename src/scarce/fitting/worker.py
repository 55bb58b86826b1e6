"""Run tasks one by one in a child process, so that a task that hangs or crashes costs one result, not the job.

The child is forked: it inherits data and imports, and takes new tasks until it dies or one of them takes too long. Then
the parent records that task's outcome, ends what it started, and forks a new child for the next. A task whose child was
killed is tried once more, because the kill (by a person, or by a system short of memory) may not concern this task.
A second kill for want of memory is the machine's fault, and an error that ends the job.
Third-party code may change the state of its process; each of its tasks gets a child of its own, so that no result
depends on the tasks that ran before. A task may start processes; what of them is left is ended with its child.
`in_lanes` runs several such loops side by side.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from scarce.errors import MachineError
from scarce.fitting.machine import MORE_MEMORY, memory_kills

#: Seconds that a child whose tasks are all done may take to end by itself.
ENDING = 0.1
#: Seconds that processes which a child left behind may take to end by themselves when they are told to.
LEAVING = 1.0
#: Whether the system can make this process the parent of those that its children leave behind.
ADOPTS = sys.platform.startswith("linux")
#: Bytes of a task's number in the pipe that lanes read.
NUMBER = 4


class Outcome(NamedTuple):
    """Result of a task: ``done`` (its value), ``timeout`` or ``died`` (how)."""

    task: Any
    status: str
    value: Any


def run_each(
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    seconds: float | None = None,
    output: Path | None = None,
    *,
    apart: bool = False,
) -> Iterator[Outcome]:
    """Yield the outcome of ``function(task)`` for each task, in order; an exception in it ends the child.

    A task may take `seconds`. What tasks print is appended to the file `output`, if there is one. If `apart`, each task
    gets a child of its own, in which no other task has left anything.

    Raises
    ------
    MachineError
        If the system has ended a task's child twice, the second time for want of memory.
    """
    tasks, tried = list(tasks), set()
    context = multiprocessing.get_context("fork")
    while tasks:
        share = tasks[:1] if apart else tasks[:]
        with _orphans_ended():
            receiver, sender = context.Pipe(duplex=False)
            kills = memory_kills()
            child = context.Process(target=_serve, args=(function, share, sender, output), daemon=True)
            child.start()
            sender.close()
            try:
                yield from _listen(receiver, child, tasks, len(share), seconds, tried, kills)
            finally:
                child.join(ENDING)
                if child.is_alive():
                    child.kill() if ADOPTS else _end(child)
                child.join()
                receiver.close()


def in_lanes(function: Callable[[Any], None], tasks: Sequence[Any], lanes: int) -> None:
    """Call ``function(task)`` for each task, `lanes` at a time, each in a forked process that takes the next free task.

    With one lane the calls are made in this process. Lanes take the numbers of tasks from a pipe, which needs no lock
    that a killed lane could hold.

    Raises
    ------
    Exception
        The first that `function` raised; the other lanes then finish their current task and take no more.
    """
    if min(lanes, len(tasks)) < 2:
        for task in tasks:
            function(task)
        return
    context = multiprocessing.get_context("fork")
    failures = context.SimpleQueue()
    numbers, writer = os.pipe()
    os.write(writer, b"".join(number.to_bytes(NUMBER, "little") for number in range(len(tasks))))
    os.close(writer)

    def lane() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, and the parent ends the lanes
        try:
            while number := os.read(numbers, NUMBER):
                function(tasks[int.from_bytes(number, "little")])
        except Exception as error:
            while os.read(numbers, 1024):  # leave no task for the other lanes
                pass
            failures.put(error)

    processes = [context.Process(target=lane) for _ in range(min(lanes, len(tasks)))]
    try:
        for process in processes:
            process.start()
        for process in processes:
            process.join()
    finally:
        os.close(numbers)
        for process in processes:
            if process.is_alive():
                _end(process)
    if not failures.empty():
        raise failures.get()
    for process in processes:
        if process.exitcode:
            raise RuntimeError(f"a process that fits methods did not finish: {_how(process.exitcode)}")


def _end(child: Any) -> None:
    """Kill a child and every process that its task started: a program that hangs would keep its core and memory."""
    import psutil

    started = []
    with contextlib.suppress(psutil.Error):
        started = psutil.Process(child.pid).children(recursive=True)
    child.kill()
    for process in started:
        with contextlib.suppress(psutil.Error):
            process.kill()


@contextlib.contextmanager
def _orphans_ended() -> Iterator[None]:
    """End the processes that children of this process leave behind in the block, wherever they come from (Linux).

    In the block the system makes such processes children of this process. They are asked to end, so that a resource
    tracker removes its shared memory, and killed where they do not.
    """
    if not ADOPTS:
        yield
        return
    import ctypes

    prctl, others = ctypes.CDLL(None).prctl, {one.pid for one in _children()}
    prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    try:
        yield
    finally:
        while left := [one for one in _children() if one.pid not in others]:  # their own children become ours in turn
            import psutil

            for end in (psutil.Process.terminate, psutil.Process.kill):
                for process in left:
                    with contextlib.suppress(psutil.Error):
                        end(process)
                _, left = psutil.wait_procs(left, timeout=LEAVING)
        prctl(36, 0, 0, 0, 0)


def _children() -> list[Any]:
    """Children of this process, found without a look at all processes where there is none."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return []
    import psutil

    return psutil.Process().children()


def _serve(function: Callable[[Any], Any], tasks: Sequence[Any], pipe: Connection, output: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, and the parent ends the child
    if output is not None:
        _print_to(output)
    served_by = os.getpid()
    multiprocessing.current_process().daemon = False  # a task may start processes of its own
    os.register_at_fork(after_in_child=pipe.close)  # they answer for nothing, and the pipe ends with this process
    for task in tasks:
        value = function(task)
        if os.getpid() != served_by:  # the task forked this process and returned in the copy: it must send nothing
            os._exit(1)
        with contextlib.suppress(AttributeError, OSError, ValueError):  # the task has closed or replaced it
            sys.stdout.flush()
        pipe.send(value)
    pipe.close()
    os._exit(0)  # without the exit handlers and buffers that the child inherited


def _print_to(file: Path) -> None:
    """Send all that this process prints, libraries in C included, to the end of a file."""
    with contextlib.suppress(OSError):  # without a log a run goes on
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        for number in (1, 2):
            os.dup2(handle, number)
        os.close(handle)
        sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115


def _listen(
    pipe: Connection, child: Any, tasks: list, share: int, seconds: float | None, tried: set[int], kills: int
) -> Iterator[Outcome]:
    """Outcomes of a child's tasks, the first `share` of those left.

    `tried` holds the numbers of tasks left when a child was killed: the task is then tried once more, and not twice.
    `kills` is what `memory_kills` said before the child began.
    """
    for _ in range(share):
        try:
            if not pipe.poll(seconds):
                yield Outcome(tasks.pop(0), "timeout", f"no result after {seconds:g} s")
                return
            value = pipe.recv()
        except EOFError:
            child.join()
            if child.exitcode == -signal.SIGKILL and len(tasks) not in tried:
                tried.add(len(tasks))
                return
            if child.exitcode == -signal.SIGKILL and memory_kills() > kills:
                raise MachineError("the system ended a process for want of memory", hint=MORE_MEMORY) from None
            yield Outcome(tasks.pop(0), "died", _how(child.exitcode))
            return
        yield Outcome(tasks.pop(0), "done", value)


def _how(code: int) -> str:
    if code < 0:
        name = signal.Signals(-code).name
        return f"the process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"the process ended with exit code {code}"


def end_children_with_this_process() -> None:
    """Have the system kill the children of this process as soon as it ends, even by kill -9 (Linux)."""
    if not ADOPTS:
        return
    import ctypes

    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl

    def remember() -> None:  # a child may fork as well
        nonlocal parent
        parent = os.getpid()

    def bind() -> None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:  # the parent ended before prctl was called
            os._exit(1)

    os.register_at_fork(before=remember, after_in_child=bind)
