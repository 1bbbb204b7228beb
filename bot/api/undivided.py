"""Calls that no other thread divides."""

import threading
from collections.abc import Callable
from typing import Final

from bot.machine.errors import InputError


class OneThread:
    """Lets one thread in at a time and refuses the others, whose answers would be to questions that are gone."""

    def __init__(self, what: str) -> None:
        """Guard something; ``what``: how a message names it."""
        self._what: Final = what
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise InputError(
                f"{self._what} is in use by another thread; give each thread one of its own, or let them take turns "
                "with a lock around each call and what follows from it"
            )

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Callable[[str], "OneThread"], tuple[str]]:
        """A copy is used by nobody yet."""
        return OneThread, (self._what,)


class InTurn:
    """Lets one thread in at a time; the others wait."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Callable[[], "InTurn"], tuple[()]]:
        """A copy is used by nobody yet."""
        return InTurn, ()
