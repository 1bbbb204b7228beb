"""Calls in a thread that is abandoned if it does not end: neither the event loop nor the end of the process waits."""

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

Result = TypeVar("Result")


class DaemonThread:
    """Makes calls one after another in a daemon thread, which begins with the first of them."""

    def __init__(self, name: str) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def submit(self, call: Callable[[], Result]) -> Future[Result]:
        """Make a call after those before it."""
        if self._thread.ident is None:
            self._thread.start()
        future: Future[Result] = Future()
        self._calls.put(partial(_fulfil, future, call))
        return future

    def close(self, *, at_once: bool = False) -> None:
        """End after the calls that wait, or at once: leave them out, and abandon a call that does not end."""
        if at_once:
            with contextlib.suppress(queue.Empty):
                while True:
                    self._calls.get_nowait()
        self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            call()


def _fulfil(future: Future[Result], call: Callable[[], Result]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:  # noqa: BLE001 - whoever waits for the result gets it
        future.set_exception(error)
