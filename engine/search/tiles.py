"""What evaluators without a search of their own need of a position: bonus tiles, and whether riichi is possible."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK
from engine.model.tiles import DORA_AFTER, KINDS, RED_FIVES
from engine.search.position import Position

LAST_RIICHI: Final = 4
"""Least number of tiles in the wall with which riichi can be declared. Derived from the rules."""
RON: Final = 2.0
"""How much likelier a win becomes because the last tile may be won by ron. A guess: three others discard, but each of
them a tile that completes a hand less often than chance would have it."""


def dora_by_kind(position: Position) -> NDArray[np.int64]:
    """For each ``tile34``, how many dora one tile of it is."""
    found = np.zeros(KINDS, np.int64)
    for indicator in position.dora_indicators:
        found[DORA_AFTER[indicator >> 2]] += 1
    return found


def reds_by_kind(position: Position) -> NDArray[np.int64]:
    """For each ``tile34``, 1 if the red five of it is among the concealed tiles."""
    found = np.zeros(KINDS, np.int64)
    if position.rules.red_fives:
        for red in RED_FIVES:
            if red in position.concealed:
                found[red >> 2] = 1
    return found


def melds_bonus(position: Position) -> int:
    """Number of dora and red fives in the melds."""
    dora = [DORA_AFTER[indicator >> 2] for indicator in position.dora_indicators]
    tiles = [tile for meld in position.melds for tile in meld.tiles]
    reds = sum(tile in RED_FIVES for tile in tiles) if position.rules.red_fives else 0
    return reds + sum(dora.count(tile >> 2) for tile in tiles)


def seed_of(position: Position) -> int:
    """A number that depends on the tiles alone, so that equal positions draw the same tiles."""
    seed = 0
    for tile in position.concealed:
        seed = seed * 137 + tile + 1
    return (seed ^ sum(position.unseen) << 40) % (1 << 63)


def may_declare_riichi(position: Position) -> bool:
    """Whether the rules allow riichi with a discard that leaves the hand tenpai."""
    return (
        not position.riichi
        and position.points >= RIICHI_STICK
        and position.wall_left >= LAST_RIICHI
        and not position.kuikae
        and position.closed
    )
