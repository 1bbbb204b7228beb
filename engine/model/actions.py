"""What a player may answer when it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.model.tiles import format_tile, format_tiles


class ActionKind(IntEnum):
    """The kinds of answer."""

    DISCARD = 0
    RIICHI = 1
    """Declare riichi and discard ``tile``."""
    TSUMO = 2
    RON = 3
    CHI = 4
    PON = 5
    DAIMINKAN = 6
    ANKAN = 7
    KAKAN = 8
    NINE_TERMINALS = 9
    """Kyuushu kyuuhai: declare the abortive draw."""
    PASS = 10


@dataclass(frozen=True, slots=True)
class Action:
    """One answer.

    Attributes:
        kind: what is done.
        tile: ``tile136``: the tile discarded (DISCARD, RIICHI), called or won (CHI, PON, DAIMINKAN, RON, TSUMO),
            added (KAKAN), the lowest of the four (ANKAN); -1 otherwise.
        own: the ``tile136`` from hand that complete a CHI or PON, ascending; else empty.
    """

    kind: ActionKind
    tile: int = -1
    own: tuple[int, ...] = ()

    def __str__(self) -> str:
        name = self.kind.name.lower()
        if self.tile < 0:
            return name
        if self.own:
            return f"{name} {format_tile(self.tile)} with {format_tiles(self.own)}"
        return f"{name} {format_tile(self.tile)}"


PASS: Final = Action(ActionKind.PASS)
NINE_TERMINALS: Final = Action(ActionKind.NINE_TERMINALS)
