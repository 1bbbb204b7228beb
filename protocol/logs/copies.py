"""The physical tiles that a kind may stand for, under rules with or without red fives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.model.rules import Rules
from engine.model.tiles import KINDS, KINDS37, PLAIN37, RED_FIVES, TILES, tile37_of

_NAMES: Final = {red: tuple(tile37_of(tile, red) for tile in range(TILES)) for red in (True, False)}
_COPIES: Final = {
    red: (
        *(tuple(tile for tile in range(TILES) if _NAMES[red][tile] == kind) for kind in range(KINDS)),
        *((tile,) for tile in RED_FIVES),
    )
    for red in (True, False)
}
_LAID_OUT: Final = tuple(2 * PLAIN37[tile] + (tile >= KINDS) for tile in range(KINDS37))


def tile37_names(rules: Rules) -> tuple[int, ...]:
    """The ``tile37`` of each ``tile136``; without red fives every five is plain."""
    return _NAMES[rules.red_fives]


def copies(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The ``tile136`` that each ``tile37`` may stand for, lowest first."""
    return _COPIES[rules.red_fives]


def sort37(tiles: Iterable[int]) -> list[int]:
    """Sort ``tile37`` as a hand is laid out: by suit and number, a red five after the plain ones."""
    return sorted(tiles, key=_LAID_OUT.__getitem__)
