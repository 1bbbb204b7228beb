"""Seats and winds.

Seats are absolute in the engine: 0 is the first dealer of the game, 1 sits to the right of 0, and so on.
``relative(seat, viewer)`` is 0 for the viewer, 1 shimocha (right), 2 toimen (across), 3 kamicha (left).
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from engine.model.tiles import EAST

T = TypeVar("T")
Four = tuple[T, T, T, T]
"""A value for each seat."""

SEATS: Final = (0, 1, 2, 3)
WIND_LETTERS: Final = "ESWN"


def relative(seat: int, viewer: int) -> int:
    """The seat relative to ``viewer``: 0 self, 1 right, 2 across, 3 left."""
    return (seat - viewer) % 4


def absolute(relative_seat: int, viewer: int) -> int:
    """Inverse of :func:`relative`."""
    return (relative_seat + viewer) % 4


def four(values: Iterable[T]) -> Four[T]:
    """The values as a tuple of exactly four.

    Raises:
        ValueError: there are more or fewer.
    """
    first, second, third, fourth = values
    return first, second, third, fourth


_OTHERS: Final = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


def others(seat: int) -> tuple[int, int, int]:
    """The other three seats in ascending order."""
    return _OTHERS[seat]


def turn_order(seat: int) -> Four[int]:
    """All four seats in the order of their turns, from ``seat`` on: itself, right, across, left."""
    return seat, next_seat(seat), absolute(2, seat), absolute(3, seat)


def next_seat(seat: int) -> int:
    """The seat whose turn follows: the one to the right."""
    return (seat + 1) % 4


def dealer_of(kyoku: int) -> int:
    """The absolute seat of the dealer of hand ``kyoku``."""
    return kyoku % 4


def by_score(scores: Sequence[int]) -> Four[int]:
    """The seats from first to last place; of equal scores the earlier seat is placed higher."""
    return four(sorted(SEATS, key=lambda seat: (-scores[seat], seat)))


LAST_KYOKU: Final = 15
"""The number of north 4, the last hand that has a name."""


def seat_wind34(seat: int, dealer: int) -> int:
    """The ``tile34`` of a seat's wind."""
    return EAST + relative(seat, dealer)


def round_wind34(kyoku: int) -> int:
    """The ``tile34`` of the prevailing wind; ``kyoku`` counts 0 = E1 … 4 = S1 … 8 = W1."""
    return EAST + kyoku // 4 % 4


def kyoku_name(kyoku: int, honba: int = 0) -> str:
    """The name of a hand: ``'E1'``, or ``'S3-2'`` for south 3 with two honba."""
    name = f"{WIND_LETTERS[kyoku // 4 % 4]}{kyoku % 4 + 1}"
    return f"{name}-{honba}" if honba else name
