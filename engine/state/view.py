"""What one seat may see of an event."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.model.events import Draw, Event, StartKyoku
from engine.model.seats import SEATS, four

_HIDDEN_DRAWS: Final = tuple(Draw(seat, None) for seat in SEATS)


def visible_to(event: Event, seat: int) -> Event:
    """The event as ``seat`` sees it: without the other seats' dealt hands and drawn tiles."""
    if isinstance(event, Draw):
        return event if event.seat == seat else _HIDDEN_DRAWS[event.seat]
    if isinstance(event, StartKyoku):
        hands = event.hands
        return replace(event, hands=four(hands[each] if each == seat else None for each in SEATS))
    return event
