"""The calls with which a hand can take the tile offered to it, and the position after each."""

from collections.abc import Iterator
from typing import Final

from engine.model.actions import ActionKind
from engine.model.tiles import EAST, RED_FIVES
from engine.search.evaluator import Choice
from engine.search.position import Position

LEFT: Final = 3
"""The relative seat from which chi can be called."""

Own34 = tuple[int, ...]
"""The kinds from the hand that go into a meld."""


def possible_calls(position: Position) -> Iterator[tuple[ActionKind, Own34]]:
    """Yield pon, open kan and each chi of the offered tile that the hand has the tiles for.

    Whether the hand may call at all, being in riichi or at the end of the wall, is for the caller to check.
    """
    offered = position.offered >> 2
    mine = position.counts
    if mine[offered] >= 2:
        yield ActionKind.PON, (offered, offered)
    if mine[offered] >= 3:
        yield ActionKind.DAIMINKAN, (offered,) * 3
    if position.offered_by == LEFT and offered < EAST:
        for low in range(max(0, offered % 9 - 2), min(6, offered % 9) + 1):
            run = range(offered - offered % 9 + low, offered - offered % 9 + low + 3)
            own = tuple(kind for kind in run if kind != offered)
            if all(mine[kind] for kind in own):
                yield ActionKind.CHI, own


def after_call_of(position: Position, kind: ActionKind, own34: Own34) -> Position:
    """The position after a call; a red five counts in any place, so the meld takes the plain one."""
    own: list[int] = []
    for tile34 in own34:
        copies = [tile for tile in position.concealed if tile >> 2 == tile34 and tile not in own]
        own.append(min(copies, key=lambda tile: tile in RED_FIVES))
    return position.after_call(kind, own)


def choice_of_call(position: Position, kind: ActionKind, own34: Own34) -> Choice:
    """The name of a call in an evaluation."""
    return Choice(kind, position.offered >> 2, own34 if kind is ActionKind.CHI else ())
