"""Small parts of a state: phases, river tiles, preallocated actions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from engine.model.actions import Action, ActionKind
from engine.model.tiles import TILES


class Phase(IntEnum):
    """The phase of a hand; ``turn`` is the seat it refers to."""

    IDLE = 0
    """No hand is in progress."""
    DEALT = 1
    """Hands are dealt; ``turn``, the dealer, draws."""
    DRAWN = 2
    """``turn`` has drawn and acts."""
    CALLED = 3
    """``turn`` has made a chi or pon and discards."""
    DECLARED = 4
    """``turn`` has declared riichi and discards."""
    DISCARDED = 5
    """The discard of ``turn`` can be claimed by the others; then the next seat draws."""
    KAN = 6
    """``turn`` has made a kan and draws from the dead wall; a kakan can be robbed."""
    ENDED = 7
    """The hand is over."""
    RESUMED = 8
    """A snapshot was applied; the next event shows whose turn it is."""


class RiverTile(NamedTuple):
    """One discard.

    Attributes:
        tile: ``tile136``.
        tsumogiri: whether it was the tile just drawn; None if a snapshot does not say.
        riichi: whether riichi was declared with it.
        called_by: the seat that called it, or None.
    """

    tile: int
    tsumogiri: bool | None
    riichi: bool = False
    called_by: int | None = None


# Preallocated values: the states of four seats share them, and creating one costs as much as the rest of an event.

RIVER_TILES: Final = tuple(RiverTile(code >> 2, bool(code & 2), bool(code & 1)) for code in range(4 * TILES))
"""``RIVER_TILES[4 * tile136 + 2 * tsumogiri + riichi]``."""

DISCARD_OF: Final = tuple(Action(ActionKind.DISCARD, tile) for tile in range(TILES))
"""``DISCARD_OF[tile136]``."""

RIICHI_OF: Final = tuple(Action(ActionKind.RIICHI, tile) for tile in range(TILES))
"""``RIICHI_OF[tile136]``."""
