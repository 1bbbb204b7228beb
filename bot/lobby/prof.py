"""PROF: what a game adds to a player's record."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.events import Call, EndGame, Event, RiichiAccepted, StartKyoku, Win
from engine.model.melds import MeldKind
from engine.model.seats import by_score


def prof_add(events: Sequence[Event], end: EndGame, seat: int) -> tuple[int | float, ...]:
    """The field ``add``: result, 1 at the placement of four, busted, then hands: played, won, dealt in, called, riichi.

    Args:
        events: events of the whole game.
        end: end of the game.
        seat: the seat.
    """
    order = by_score(end.scores)
    hands = won = dealt_in = called_in = in_riichi = 0
    called = False
    for event in events:
        if isinstance(event, StartKyoku):
            hands += 1
            called = False
        elif isinstance(event, Win):
            won += event.seat == seat
            dealt_in += event.from_seat == seat != event.seat
        elif isinstance(event, Call):
            if event.seat == seat and event.meld.kind is not MeldKind.ANKAN and not called:
                called = True
                called_in += 1
        elif isinstance(event, RiichiAccepted):
            in_riichi += event.seat == seat
    result = end.results[seat] if end.results else 0.0
    placed = (int(other == seat) for other in order)
    return result, *placed, int(end.scores[seat] < 0), hands, won, dealt_in, called_in, in_riichi
