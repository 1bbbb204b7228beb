"""What a seat sees of an event that carries full information."""

from __future__ import annotations

from dataclasses import replace

from engine.model.events import Draw, Event, StartKyoku


def visible_to(event: Event, seat: int) -> Event:
    """The event without the tiles that ``seat`` may not see: the others' hands and draws."""
    if isinstance(event, Draw):
        return event if event.seat == seat else replace(event, tile=None)
    if isinstance(event, StartKyoku):
        first, second, third, fourth = (hand if owner == seat else None for owner, hand in enumerate(event.hands))
        return replace(event, hands=(first, second, third, fourth))
    return event
