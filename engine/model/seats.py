"""Seats and winds.

Seats are absolute in the engine: 0 is the first dealer of the game, 1 sits to the right of 0, and so on.
``relative(seat, viewer)`` is 0 for the viewer, 1 shimocha (right), 2 toimen (across), 3 kamicha (left).
"""

from __future__ import annotations

from typing import Final

from engine.model.tiles import EAST

SEATS: Final = (0, 1, 2, 3)


def relative(seat: int, viewer: int) -> int:
    """Seat as seen from ``viewer``: 0 self, 1 right, 2 across, 3 left."""
    return (seat - viewer) % 4


def absolute(relative_seat: int, viewer: int) -> int:
    """Inverse of :func:`relative`."""
    return (relative_seat + viewer) % 4


def seat_wind34(seat: int, dealer: int) -> int:
    """The ``tile34`` of a seat's wind."""
    return EAST + (seat - dealer) % 4


def round_wind34(kyoku: int) -> int:
    """The ``tile34`` of the prevailing wind; ``kyoku`` counts 0 = E1 … 4 = S1 … 8 = W1."""
    return EAST + kyoku // 4 % 4


def kyoku_name(kyoku: int, honba: int = 0) -> str:
    """``'E1'``, ``'S3-2'`` (south 3, two honba)."""
    name = f"{'ESWN'[kyoku // 4 % 4]}{kyoku % 4 + 1}"
    return f"{name}-{honba}" if honba else name
