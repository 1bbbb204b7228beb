"""A table as people write it, with the others' rivers, read into one seat's view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.evaluate.hands import (
    OPPONENTS,
    ROUND_WINDS,
    SEAT_WINDS,
    Written,
    indicator_of,
    meld_texts,
    one_of,
    read_meld,
    take_tiles,
)
from bot.machine.errors import InputError
from engine.model.events import Draw, Resume
from engine.model.melds import Meld
from engine.model.notation import read_tiles37
from engine.model.seats import SEATS, absolute, four, relative
from engine.model.tiles import TileError
from engine.state import GameState, StateError

STAR: Final = "*"
"""Follows the tile with which riichi was declared."""


@dataclass(frozen=True, slots=True)
class Rivers:
    """Others' discards: ``4z1m*2z``, with a star after the riichi tile. Empty if nothing was discarded."""

    right: str = ""
    across: str = ""
    left: str = ""

    def __bool__(self) -> bool:
        return bool(self.right or self.across or self.left)


def read_view(written: Written, rivers: Rivers, scores: tuple[int, int, int, int]) -> GameState:
    """The view of the seat that holds the hand, after it has drawn the last tile.

    Args:
        written: the hand and the table; ``visible``, ``turn``, ``against`` and offered tiles are ignored.
        rivers: the others' rivers.
        scores: points, the own first, then right, across, left.

    Raises:
        InputError: something in it is impossible; the message says what.
    """
    if written.offered:
        raise InputError("--right, --across and --left require an own turn; leave out --offered")
    kyoku = one_of("--round", written.round.upper(), ROUND_WINDS)
    seat = one_of("--seat", written.seat.upper(), SEAT_WINDS)
    used: set[int] = set()
    try:
        concealed = take_tiles("hand", read_tiles37(written.hand), used)
        melds = tuple(_of_seat(read_meld(text, used), seat) for text in meld_texts(written.melds))
        shown = [*read_tiles37(written.indicators), *map(indicator_of, read_tiles37(written.dora))]
        indicators = take_tiles("the dora indicator", shown, used)
        own = take_tiles("--river", read_tiles37(written.river), used)
        others = {side: _river(side, getattr(rivers, side), used) for side in OPPONENTS}
    except TileError as error:
        raise InputError(str(error)) from error
    if len(concealed) != 14 - 3 * len(melds):
        raise InputError(
            f"the hand has {len(concealed)} tiles; it must have {14 - 3 * len(melds)}, with the one just drawn"
        )
    if not indicators:
        raise InputError("the dora is missing; give --dora or --indicators")
    by_seat: list[tuple[tuple[int, ...], int | None]] = [(own, None)] * 4
    for side, distance in OPPONENTS.items():
        by_seat[absolute(distance, seat)] = others[side]
    own_melds = [melds if other == seat else () for other in SEATS]
    points = tuple(scores[relative(other, seat)] for other in SEATS)
    state = GameState(seat)
    try:
        state.apply(
            Resume(
                kyoku=kyoku,
                honba=written.honba,
                riichi_sticks=written.sticks,
                dealer=0,
                dora_indicators=indicators,
                scores=four(points),
                seat=seat,
                hand=tuple(sorted(concealed[:-1])),
                melds=four(own_melds),
                rivers=four([river for river, _ in by_seat]),
                riichi_at=four([at for _, at in by_seat]),
            )
        )
        state.apply(Draw(seat, concealed[-1]))
    except StateError as error:
        raise InputError(f"this table is impossible: {error}") from error
    return state


def _river(side: str, text: str, used: set[int]) -> tuple[tuple[int, ...], int | None]:
    before, star, after = text.partition(STAR)
    first = take_tiles(f"--{side}", read_tiles37(before), used)
    if star and not first:
        raise InputError(f"--{side} {text!r}: the star must follow the tile with which riichi was declared")
    rest = take_tiles(f"--{side}", read_tiles37(after), used)
    return (*first, *rest), len(first) - 1 if star else None


def _of_seat(meld: Meld, seat: int) -> Meld:
    return Meld(meld.kind, meld.tiles, meld.called, absolute(meld.from_seat, seat), meld.added)
