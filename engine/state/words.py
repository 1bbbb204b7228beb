"""Events in words, and a table as one seat sees it in lines of text."""

from collections.abc import Sequence

from engine.model import events as ev
from engine.model.melds import Meld, MeldKind, format_meld
from engine.model.plural import plural
from engine.model.seats import WIND_LETTERS, kyoku_name, relative, turn_order
from engine.model.tiles import TILES, format_tile, format_tiles
from engine.state.facts import Phase, RiverTile, SeatView

_CALLS = {MeldKind.ANKAN: "closed kan", MeldKind.DAIMINKAN: "open kan", MeldKind.KAKAN: "added kan"}


def tile_words(tile: int | None) -> str:
    """``'5m'``; numbers that are no ``tile136``, and hidden tiles, are named as such."""
    if tile is None:
        return "a hidden tile"
    return format_tile(tile) if 0 <= tile < TILES else f"tile {tile}, which does not exist"


def meld_words(meld: Meld) -> str:
    """``'pon 555z'``, ``'closed kan 1111m'``."""
    return f"{_CALLS.get(meld.kind, meld.kind.name.lower())} {format_tiles(meld.tiles)}"


def draw_words(kind: ev.RyuukyokuKind) -> str:
    """``'an exhaustive draw'``, ``'nagashi mangan'``, ``'an abortive draw (four winds)'``."""
    if kind is ev.RyuukyokuKind.EXHAUSTIVE:
        return "an exhaustive draw"
    name = kind.name.lower().replace("_", " ")
    return name if kind is ev.RyuukyokuKind.NAGASHI_MANGAN else f"an abortive draw ({name})"


def event_words(event: ev.Event) -> str:
    """An event as a clause: ``'seat 1 discards 5m'``."""
    match event:
        case ev.StartGame():
            words = "a game begins"
        case ev.StartKyoku(kyoku, honba):
            words = f"{kyoku_name(kyoku, honba)} is dealt"
        case ev.Draw(seat, tile):
            words = f"seat {seat} draws {tile_words(tile)}"
        case ev.Discard(seat, tile, tsumogiri):
            words = f"seat {seat} discards {tile_words(tile)}{', just drawn' if tsumogiri else ' from the hand'}"
        case ev.Call(seat, meld):
            words = f"seat {seat} calls {meld_words(meld)}"
        case ev.RiichiDeclared(seat):
            words = f"seat {seat} declares riichi"
        case ev.RiichiAccepted(seat):
            words = f"seat {seat} pays for its riichi"
        case ev.NewDora(indicator):
            words = f"{tile_words(indicator)} is turned as a dora indicator"
        case ev.Win(seat, from_seat, tile):
            source = "by self-draw" if seat == from_seat else f"from seat {from_seat}"
            words = f"seat {seat} wins on {tile_words(tile)} {source}"
        case ev.Ryuukyoku(kind):
            words = f"the hand ends in {draw_words(kind)}"
        case ev.EndGame():
            words = "the game ends"
        case ev.Disconnected(seat):
            words = f"seat {seat} disconnects"
        case ev.Reconnected(seat):
            words = f"seat {seat} reconnects"
        case ev.Resume(kyoku, honba):
            words = f"{kyoku_name(kyoku, honba)} is taken up again"
    return words


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
    left = plural(state.wall_left, "tile")
    shown = format_tiles(state.dora_indicators, red)
    lines = [f"{state.place()}, {left} left, dora indicator{'s' * (len(state.dora_indicators) > 1)} {shown}"]
    for side in (3, 2, 1, 0):
        seat = turn_order(state.seat)[side]
        name = names[seat] if names else f"{_SIDES[side]:6}"
        head = f"{name} {WIND_LETTERS[relative(seat, state.dealer)]} {state.scores[seat]:7,}"
        melds = [format_meld(meld, red) for meld in state.melds[seat]]
        lines.append("  ".join([head, *melds, " ".join(_discard(each, red) for each in state.rivers[seat])]).rstrip())
    held = format_tiles((tile for tile in state.hand if tile != state.drawn), red)
    parts = [f"hand {held}"]
    if state.drawn is not None:
        parts.append(f"drawn {format_tile(state.drawn, red)}")
    if state.offered >= 0 and state.turn != state.seat:
        parts.append(f"offered {format_tile(state.offered, red)}")
    return "\n".join([*lines, ", ".join(parts)])


def _discard(each: RiverTile, red: bool) -> str:
    text = format_tile(each.tile, red) + "*" * each.riichi
    return text if each.called_by is None else f"({text})"
