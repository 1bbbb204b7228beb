"""The function that applies each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

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
    StartGame,
    StartKyoku,
    Win,
)
from engine.state.endings import end_game, ryuukyoku, win
from engine.state.play import (
    call,
    discard,
    draw,
    new_dora,
    riichi_accepted,
    riichi_declared,
    start_game,
    start_kyoku,
)
from engine.state.seat_view import SeatView
from engine.state.snapshot import resume


def nothing(_state: SeatView, _event: Event) -> None:
    """Change nothing."""


HANDLERS: Final[dict[type, Callable[[SeatView, Any], None]]] = {
    StartGame: start_game,
    StartKyoku: start_kyoku,
    Draw: draw,
    Discard: discard,
    Call: call,
    RiichiDeclared: riichi_declared,
    RiichiAccepted: riichi_accepted,
    NewDora: new_dora,
    Win: win,
    Ryuukyoku: ryuukyoku,
    EndGame: end_game,
    Resume: resume,
    Disconnected: nothing,
    Reconnected: nothing,
}
"""The function for each event."""
