"""The actions that a player can take."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.model.tiles import format_tile, format_tiles


class ActionKind(IntEnum):
    """The kinds of action."""

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
    """Kyuushu kyuuhai: declare an aborted hand."""
    PASS = 10


WINS: Final = frozenset((ActionKind.TSUMO, ActionKind.RON))
DISCARDS: Final = frozenset((ActionKind.DISCARD, ActionKind.RIICHI))
"""Actions that discard ``tile``."""
CALLS: Final = frozenset((ActionKind.CHI, ActionKind.PON, ActionKind.DAIMINKAN))
"""Actions that call another player's discard."""
KANS: Final = frozenset((ActionKind.DAIMINKAN, ActionKind.ANKAN, ActionKind.KAKAN))
OWN_KANS: Final = KANS - CALLS
"""Kans declared in one's own turn."""
CLAIM_RANK: Final = {ActionKind.CHI: 1, ActionKind.PON: 2, ActionKind.DAIMINKAN: 2, ActionKind.RON: 3}
"""Priority of claims on one tile; the highest wins. Several rons on one tile are possible."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action.

    Attributes:
        kind: the kind of action.
        tile: ``tile136``: the tile discarded (DISCARD, RIICHI), called or won (CHI, PON, DAIMINKAN, RON, TSUMO),
            added (KAKAN), the lowest of the four (ANKAN); -1 otherwise.
        own: the ``tile136`` from the hand that complete a CHI or PON, ascending; otherwise empty.
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
