"""Events in words, for messages to people."""

from __future__ import annotations

from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    Draw,
    EndGame,
    Event,
    NewDora,
    Reconnected,
    Resume,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.melds import Meld, MeldKind
from engine.model.seats import kyoku_name
from engine.model.tiles import TILES, format_tile, format_tiles

_CALLS = {MeldKind.ANKAN: "closed kan", MeldKind.DAIMINKAN: "open kan", MeldKind.KAKAN: "added kan"}


def tile_words(tile: int | None) -> str:
    """``'5m'``; numbers that are no ``tile136``, and hidden tiles, are named as such."""
    if tile is None:
        return "a hidden tile"
    return format_tile(tile) if 0 <= tile < TILES else f"tile {tile}, which does not exist"


def meld_words(meld: Meld) -> str:
    """``'pon 555z'``, ``'closed kan 1111m'``."""
    return f"{_CALLS.get(meld.kind, meld.kind.name.lower())} {format_tiles(meld.tiles)}"


def draw_words(kind: RyuukyokuKind) -> str:
    """``'an exhaustive draw'``, ``'nagashi mangan'``, ``'an abortive draw (four winds)'``."""
    if kind is RyuukyokuKind.EXHAUSTIVE:
        return "an exhaustive draw"
    name = kind.name.lower().replace("_", " ")
    return name if kind is RyuukyokuKind.NAGASHI_MANGAN else f"an abortive draw ({name})"


def event_words(event: Event) -> str:
    """What happens, as a clause: ``'seat 1 discards 5m'``."""
    match event:
        case StartGame():
            words = "a game begins"
        case StartKyoku(kyoku, honba):
            words = f"{kyoku_name(kyoku, honba)} is dealt"
        case Draw(seat, tile):
            words = f"seat {seat} draws {tile_words(tile)}"
        case Discard(seat, tile, tsumogiri):
            words = f"seat {seat} discards {tile_words(tile)}{', just drawn' if tsumogiri else ' from the hand'}"
        case Call(seat, meld):
            words = f"seat {seat} calls {meld_words(meld)}"
        case RiichiDeclared(seat):
            words = f"seat {seat} declares riichi"
        case RiichiAccepted(seat):
            words = f"seat {seat} pays for its riichi"
        case NewDora(indicator):
            words = f"{tile_words(indicator)} is turned as a dora indicator"
        case Win(seat, from_seat, tile):
            source = "by self-draw" if seat == from_seat else f"from seat {from_seat}"
            words = f"seat {seat} wins on {tile_words(tile)} {source}"
        case Ryuukyoku(kind):
            words = f"the hand ends in {draw_words(kind)}"
        case EndGame():
            words = "the game ends"
        case Disconnected(seat):
            words = f"seat {seat} disconnects"
        case Reconnected(seat):
            words = f"seat {seat} reconnects"
        case Resume(kyoku, honba):
            words = f"{kyoku_name(kyoku, honba)} is taken up again"
    return words
