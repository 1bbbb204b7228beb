"""Chunks of training rows, generated in a thread ahead of their use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Rows = TypeVar("Rows", bound=tuple[Any, ...])


def prefetched(fill: Callable[[int], tuple[Rows, int]], hands: int) -> Iterator[tuple[Rows, int]]:
    """Yield the arrays of each chunk that has rows, and the number of hands done after it.

    The next chunk is generated while the caller uses the present one.

    Args:
        fill: generates a chunk from the hand of this number on; returns its arrays and the number of hands done.
        hands: total number of hands.
    """
    with ThreadPoolExecutor(1) as maker:
        pending = maker.submit(fill, 0)
        while True:
            rows, done = pending.result()
            more = done < hands
            if more:
                pending = maker.submit(fill, done)
            if len(rows[0]):
                yield rows, done
            if not more:
                return
