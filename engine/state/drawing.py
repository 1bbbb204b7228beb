"""A table as one seat sees it, drawn in lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.melds import Meld, MeldKind
from engine.model.seats import WIND_LETTERS, relative, turn_order
from engine.model.tiles import format_tile, format_tiles
from engine.state.parts import Phase, RiverTile
from engine.state.seat_view import SeatView

_SIDES = ("self", "right", "across", "left")


def drawn(state: SeatView, names: Sequence[str] = ()) -> str:
    """The table: the place and the dora indicators, a line for each player from the left to the viewer, the hand.

    In the rivers a star follows a riichi tile, and called tiles stand in brackets. A closed kan stands in square
    brackets.

    Args:
        state: the view.
        names: names of the players by absolute seat; without them they are named as the viewer sees them.
    """
    if state.phase is Phase.IDLE:
        return f"seat {state.seat}, no hand in progress"
    red = state.rules.red_fives
    left = "1 tile" if state.wall_left == 1 else f"{state.wall_left} tiles"
    shown = format_tiles(state.dora_indicators, red)
    lines = [f"{state.place()}, {left} left, dora indicator{'s' * (len(state.dora_indicators) > 1)} {shown}"]
    for side in (3, 2, 1, 0):
        seat = turn_order(state.seat)[side]
        name = names[seat] if names else f"{_SIDES[side]:6}"
        head = f"{name} {WIND_LETTERS[relative(seat, state.dealer)]} {state.scores[seat]:7,}"
        melds = [_meld(meld, red) for meld in state.melds[seat]]
        lines.append("  ".join([head, *melds, " ".join(_discard(each, red) for each in state.rivers[seat])]).rstrip())
    held = format_tiles((tile for tile in state.hand if tile != state.drawn), red)
    parts = [f"hand {held}"]
    if state.drawn is not None:
        parts.append(f"drawn {format_tile(state.drawn, red)}")
    if state.offered >= 0 and state.turn != state.seat:
        parts.append(f"offered {format_tile(state.offered, red)}")
    return "\n".join([*lines, ", ".join(parts)])


def _meld(meld: Meld, red: bool) -> str:
    text = format_tiles(meld.tiles, red)
    return f"[{text}]" if meld.kind is MeldKind.ANKAN else text


def _discard(each: RiverTile, red: bool) -> str:
    text = format_tile(each.tile, red) + "*" * each.riichi
    return text if each.called_by is None else f"({text})"
