"""Waiting for a server while it sends bytes fast enough. Timeouts of sockets do not help: each byte restarts them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

#: A server is given up that sends fewer than SLOWEST bytes a second over SECONDS seconds.
SECONDS, SLOWEST = 300.0, 1000

Result = TypeVar("Result")


def wait(work: Callable[[], Result], received: Callable[[], int] = lambda: 0) -> Result:
    """What `work` returns or raises. It runs in a thread, which is abandoned after a timeout.

    Parameters
    ----------
    work : callable
    received : callable
        Gives the number of bytes received so far. By default 0, so that `work` has `SECONDS` in all.

    Raises
    ------
    TimeoutError
        If fewer than `SLOWEST` bytes a second were received in the last `SECONDS`.
    """
    outcome: Future[Result] = Future()

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
            if outcome.done():  # raised by the work itself
                raise
        now = received()
        if now - before < SECONDS * SLOWEST:
            raise TimeoutError(f"no end of it: {now - before} bytes in the last {SECONDS:g} seconds")
        before = now
