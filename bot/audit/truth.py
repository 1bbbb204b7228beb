"""What the other players really held and waited on, as far as the log shows it: for the reader, not for the policy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.audit.hands import Holdings
from bot.page.table import kinds_text, sorted_text
from engine.model.seats import turn_order
from engine.model.tiles import HONOURS, counts34
from engine.shanten import waits
from engine.state import GameState


def truth_fields(holdings: Holdings, state: GameState) -> dict[str, Any]:
    """What the other three hold and wait on, right, across, left; nulls if the log does not say."""
    red = state.rules.red_fives
    seats = turn_order(state.seat)[1:]
    hands: list[str | None] = []
    waiting: list[str | None] = []
    for seat in seats:
        held = holdings.concealed[seat]
        hands.append(None if held is None else sorted_text(held, red))
        waiting.append(None if held is None else kinds_text(true_waits(held, holdings.melds[seat])))
    return {"hands": hands, "waits": waiting}


def true_waits(held: Iterable[int], melds: int) -> tuple[int, ...]:
    """The kinds that complete a hand; none if it has a tile to discard."""
    counts = counts34(held)
    return waits(counts, melds) if sum(counts) == 13 - 3 * melds else ()


def wait_shape(kinds: Iterable[int], tile34: int, held: Iterable[int]) -> str:
    """The shape of the wait on a single tile, in one word, for sentences about a deal-in.

    ``'ryanmen'`` (two or more tiles of one run), ``'kanchan'``, ``'penchan'``, ``'tanki'``, ``'shanpon'``, otherwise
    ``'many'``.
    """
    found = tuple(kinds)
    counts = counts34(held)
    if len(found) == 1:
        if tile34 < HONOURS and not counts[tile34]:
            edge = tile34 % 9 in {2, 6}
            above = tile34 % 9 < 8 and counts[tile34 + 1] > 0
            below = tile34 % 9 > 0 and counts[tile34 - 1] > 0
            return "penchan" if edge and not (above and below) else "kanchan"
        return "tanki"
    if len(found) == 2:
        low, high = found
        if high - low == 3 and high < HONOURS and low // 9 == high // 9:
            return "ryanmen"
        if counts[low] >= 2 and counts[high] >= 2:
            return "shanpon"
    return "many"
