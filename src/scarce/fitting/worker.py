"""Run tasks one by one in a child process, so that a task that hangs or crashes costs one result, not the job.

The child is forked: it inherits data and imports, and takes new tasks until it dies or one of them takes too long. Then
the task is answered for, what it started is ended with it, and a new child goes on with the next. A child that was
killed is no answer at once: who did it, or a system short of memory, need not have meant this task, which is tried once
more. Code of others may leave its process changed; each of its tasks gets a child of its own, so that none depends on
which tasks the same job has run before.
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

#: Seconds that a child which has answered for all its tasks may take to end by itself.
ENDING = 0.1


class Outcome(NamedTuple):
    """What became of a task: ``done`` (its value), ``timeout`` or ``died`` (how)."""

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
    """Yield the outcome of ``function(task)`` for each task, in order.

    Parameters
    ----------
    function : callable
        Takes a task; it should catch what it can, since an exception that leaves it ends the child.
    tasks : sequence
    seconds : float, optional
        Time that one task may take.
    output : Path, optional
        File that what tasks print is appended to; by default it goes where the output of this process goes.
    apart : bool
        Whether each task gets a child of its own, in which no other task has left anything.
    """
    tasks, tried = list(tasks), set()
    context = multiprocessing.get_context("fork")
    while tasks:
        ours, theirs = context.Pipe(duplex=False)
        share = tasks[:1] if apart else tasks[:]
        child = context.Process(target=_serve, args=(function, share, theirs, output), daemon=True)
        child.start()
        theirs.close()
        try:
            yield from _listen(ours, child, tasks, len(share), seconds, tried)
        finally:
            child.join(ENDING)
            if child.is_alive():
                _end(child)
            child.join()
            ours.close()


def _end(child: Any) -> None:
    """End a child with all that its task has started: a program that hangs would keep its core and memory."""
    import psutil

    started = []
    with contextlib.suppress(psutil.Error):
        started = psutil.Process(child.pid).children(recursive=True)
    child.kill()
    for process in started:
        with contextlib.suppress(psutil.Error):
            process.kill()


def _serve(function: Callable[[Any], Any], tasks: Sequence[Any], pipe: Connection, output: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, and the parent ends the child
    if output is not None:
        _print_to(output)
    served_by = os.getpid()
    for task in tasks:
        value = function(task)
        if os.getpid() != served_by:  # a copy of this process that the task has made and not ended: it answers nothing
            os._exit(1)
        with contextlib.suppress(AttributeError, OSError, ValueError):  # the task has closed it, or put another there
            sys.stdout.flush()
        pipe.send(value)
    pipe.close()
    os._exit(0)  # nothing of the parent's (exit handlers, buffers) is the child's to finish


def _print_to(file: Path) -> None:
    """Send all that this process prints, libraries in C included, to the end of a file."""
    with contextlib.suppress(OSError):  # without a log a run goes on
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        for number in (1, 2):
            os.dup2(handle, number)
        os.close(handle)
        sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115


def _listen(
    pipe: Connection, child: Any, tasks: list, share: int, seconds: float | None, tried: set[int]
) -> Iterator[Outcome]:
    """Outcomes of a child's tasks, the first `share` of those left; ``tried`` is how many were left when a child was
    killed, which may happen once."""
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
            yield Outcome(tasks.pop(0), "died", _how(child.exitcode))
            return
        yield Outcome(tasks.pop(0), "done", value)


def _how(code: int) -> str:
    if code < 0:
        name = signal.Signals(-code).name
        return f"the process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"the process ended with exit code {code}"


def end_children_with_this_process() -> None:
    """Have the system end what this process forks as soon as it is ended itself, even by kill -9 (Linux)."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl

    def remember() -> None:  # what is forked may fork as well
        nonlocal parent
        parent = os.getpid()

    def bind() -> None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:  # it was ended before this took hold
            os._exit(1)

    os.register_at_fork(before=remember, after_in_child=bind)
