"""Completes a game that was recorded from one seat with the server's own log, if that is in the same folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from engine.model import events as ev
from engine.model.seats import SEATS
from engine.state import visible_to
from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile, read_log, read_session
from protocol.logs.game_log import LOG_ID, GameLog
from protocol.logs.one_seat import View, fill_hidden, view_of
from protocol.logs.sources import open_logs

_is_log_id: Final = re.compile(LOG_ID).fullmatch

OnNote = Callable[[str], None]


def whole_game(file: LogFile, on_note: OnNote, *, hidden: bool) -> GameLog:
    """The game of a log, with all four hands.

    Args:
        file: any log; a record or a session must contain one game.
        on_note: called with notes on what is missing or invented.
        hidden: whether tiles that nobody showed may stay hidden.

    Raises:
        LogError: it cannot be read.
    """
    session = read_session(file)
    if session is None:
        return read_log(file)
    view = view_of(session)
    log = _log_beside(file.name, view, on_note)
    if log is not None:
        return log
    if view.left_out:
        on_note(f"{file.name}: left out, not followed from the deal to the end: {', '.join(view.left_out)}")
    if hidden:
        return view.game
    on_note(f"{file.name}: tiles that nobody showed are invented")
    return fill_hidden(view)


def _log_beside(name: str, view: View, on_note: OnNote) -> GameLog | None:
    """The server's log in the same folder, if it agrees with what the seat saw."""
    log_id = view.game.info.log_id
    if not _is_log_id(log_id):  # it comes from the network and must not be part of a path
        return None
    suffixes = [suffix for row in FORMATS.values() if row.writes for suffix in row.suffixes]
    for path in (Path(name).parent / f"{log_id}{suffix}" for suffix in suffixes):
        if not path.is_file():
            continue
        try:
            log = read_log(next(iter(open_logs([path]))))
        except LogError as error:
            on_note(str(error))
            continue
        if agrees(log, view):
            return log
        on_note(f"{path}: ignored, because it is not the game of {name}")
    return None


def agrees(log: GameLog, view: View) -> bool:
    """Whether a log contains every hand of a view, with everything that the seat saw."""
    seen, whole = _hands(view.game, view.seat), _hands(log, view.seat)
    return all(whole.get(name) == hand for name, hand in seen.items())


_PLAY: Final = (ev.StartKyoku, ev.Draw, ev.Discard, ev.Call, ev.RiichiDeclared, ev.RiichiAccepted, ev.Win, ev.Ryuukyoku)


def _hands(log: GameLog, seat: int) -> dict[tuple[int, int], list[Any]]:
    """The play that a seat saw by kyoku and honba, in terms that every format has."""
    hands: dict[tuple[int, int], list[Any]] = {}
    current: list[Any] = []
    for event in log.events:
        if isinstance(event, ev.StartKyoku):
            current = hands.setdefault((event.kyoku, event.honba), [])
        if isinstance(event, _PLAY):
            current.append(_comparable(visible_to(event, seat), seat))
    return hands


def _comparable(event: ev.Event, seat: int) -> Any:
    match event:
        case ev.StartKyoku():
            return event.scores, event.riichi_sticks, _kinds(event.hands[seat] or ())
        case ev.Draw(seat=who, tile=tile) | ev.Discard(seat=who, tile=tile):
            return type(event).__name__, who, None if tile is None else tile >> 2
        case ev.Call(seat=who, meld=meld):
            return who, meld.kind, _kinds(meld.tiles)
        case ev.Win(seat=who, from_seat=giver, deltas=deltas):
            return who, giver, deltas
        case ev.Ryuukyoku(deltas=deltas):
            return tuple(deltas[each] for each in SEATS)
    return event


def _kinds(tiles: tuple[int, ...]) -> list[int]:
    return sorted(tile >> 2 for tile in tiles)
