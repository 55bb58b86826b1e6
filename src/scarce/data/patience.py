"""Waiting for a server as long as it gives something; one that sends a byte a minute keeps no other source waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

#: Seconds in which a server must give bytes that are worth the wait, and how many bytes a second those are.
SECONDS, SLOWEST = 300.0, 1000

Found = TypeVar("Found")


def wait(work: Callable[[], Found], received: Callable[[], int] = lambda: 0) -> Found:
    """What `work` returns or raises; it is done in a thread, which is left alone once nobody waits for it.

    Timeouts of sockets are of no help: they begin anew with each byte.

    Parameters
    ----------
    work : callable
    received : callable
        Bytes that have come so far; if there is no such number, `work` has `SECONDS` in all.

    Raises
    ------
    TimeoutError
        If fewer than `SLOWEST` bytes a second came in the last `SECONDS`.
    """
    outcome: Future[Found] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    before = 0
    while True:
        try:
            return outcome.result(timeout=SECONDS)
        except TimeoutError:
            if outcome.done():  # that of the work itself
                raise
        now = received()
        if now - before < SECONDS * SLOWEST:
            raise TimeoutError(f"no end of it: {now - before} bytes in the last {SECONDS:g} seconds")
        before = now
