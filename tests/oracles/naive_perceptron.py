"""The score of the perceptron in the plainest way, to check the kernels against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.papers.che import perceptron_kernels as places
from engine.shanten import shanten


def active(counts: Sequence[int], yakuhai: Sequence[int], bonus: int, melds: int) -> Iterator[int]:
    """Yield the places of the weights that add up to the score of a hand."""
    for suit in (counts[:9], counts[9:18], counts[18:27]):
        for low in range(4):
            window = "".join(str(count) for count in suit[low : low + 6])
            yield places.WINDOWS_AT + 15_625 * low + int(window, 5)
    for suit in range(3):
        held = [number for number in range(9) if counts[9 * suit + number]]
        yield places.SUITS_AT + 512 * suit + sum(2**number for number in held)
    for kind in range(27, 34):
        yield places.HONOURS_AT + 5 * yakuhai[kind] + counts[kind]
    yield places.AWAY_AT + 1 + shanten(counts, melds)
    yield places.INNER_AT + sum(count for kind, count in enumerate(counts[:27]) if kind % 9 not in {0, 8})
    yield places.DORA_AT + min(bonus, 15)
