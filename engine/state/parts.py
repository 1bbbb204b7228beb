"""The small pieces a state is made of: phases, river tiles, ready-made actions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from engine.model.actions import Action, ActionKind
from engine.model.tiles import TILES


class Phase(IntEnum):
    """Where in a hand the game stands; ``turn`` is the seat it speaks of."""

    IDLE = 0
    """No hand is in play."""
    DEALT = 1
    """Hands are dealt; ``turn``, the dealer, draws."""
    DRAWN = 2
    """``turn`` has drawn and acts."""
    CALLED = 3
    """``turn`` has made a chi or pon and discards."""
    DECLARED = 4
    """``turn`` has declared riichi and discards."""
    DISCARDED = 5
    """The discard of ``turn`` stands for the others to claim; then the next seat draws."""
    KAN = 6
    """``turn`` has made a kan and draws from the dead wall; a kakan stands for the others to rob."""
    ENDED = 7
    """The hand is over."""
    RESUMED = 8
    """A snapshot was taken in; whose turn it is shows with the next event."""


class RiverTile(NamedTuple):
    """One discard.

    Attributes:
        tile: ``tile136``.
        tsumogiri: it was the tile just drawn; None where a snapshot does not say.
        riichi: riichi was declared with it.
        called_by: the seat that took it into a meld, or None.
    """

    tile: int
    tsumogiri: bool | None
    riichi: bool = False
    called_by: int | None = None


# Ready-made values: states of four seats share them, and building one costs as much as all else in an event.

RIVER_TILES: Final = tuple(RiverTile(code >> 2, bool(code & 2), bool(code & 1)) for code in range(4 * TILES))
"""``RIVER_TILES[4 * tile136 + 2 * tsumogiri + riichi]``."""

DISCARD_OF: Final = tuple(Action(ActionKind.DISCARD, tile) for tile in range(TILES))
"""``DISCARD_OF[tile136]``."""

RIICHI_OF: Final = tuple(Action(ActionKind.RIICHI, tile) for tile in range(TILES))
"""``RIICHI_OF[tile136]``."""
