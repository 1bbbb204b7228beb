"""Threads that compute side by side, one core each; kernels and torch leave them free to."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

Found = TypeVar("Found")


class Crew:
    """A number of threads.

    Attributes:
        threads: how many.
    """

    def __init__(self, threads: int = 1, begin: Callable[[], None] = lambda: None) -> None:
        """Start the threads, each of which calls ``begin`` first; a crew of one works in the calling thread."""
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, "crew", begin) if threads > 1 else None

    def each(self, work: Callable[[int], Found]) -> list[Found]:
        """The results of ``work`` for the number of each thread, computed side by side."""
        if self._pool is None:
            return [work(0)]
        return list(self._pool.map(work, range(self.threads)))


class Stock:
    """Units of work that the threads of a crew share: who is faster takes more."""

    def __init__(self, units: int) -> None:
        """Begin with a number of units."""
        self._left = units
        self._lock = Lock()

    def take(self, units: int = 1) -> int:
        """Take some away, and return how many are left; fewer than 0 if there were too few."""
        with self._lock:
            self._left -= units
            return self._left

    @property
    def left(self) -> int:
        """How many are left."""
        return self._left
