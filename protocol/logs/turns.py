"""In what order did they play? tenhou.net/6 writes one column a player; the turns of the four are to be interleaved.

A turn is what a player takes (a draw or a call) and what it then does (a discard or a kan). Each player's own order
is written; whose turn comes next follows from the discards: whoever calls one, else the next player to draw. Only
where a discard could be the one called, or an earlier one of the same kind, does it take a search: calls are tried
first, and a choice that leaves a column unread is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.seats import SEATS, next_seat

MAX_STEPS: Final = 20_000
"""Turns tried before giving up; real logs need about seventy."""

DRAWN: Final = -1
"""As :attr:`Turn.called`: the tile was drawn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn.

    Attributes:
        seat: whose.
        called: ``tile37`` of the discard that was called, or :data:`DRAWN`.
        from_seat: who discarded it; the own seat of a draw.
        rank: of several callers the lowest goes first: 0 kan and pon, 1 chi, 2 a draw.
        discarded: ``tile37`` that others may call; None when the turn ends with a kan, or the hand with it.
        goes_on: the same player draws next, after a kan.
        last: nothing was done: the hand ends here.
    """

    seat: int
    called: int
    from_seat: int
    rank: int
    discarded: int | None
    goes_on: bool
    last: bool


def order_turns(
    columns: Sequence[Sequence[Turn]], dealer: int, *, ends_with: int | None, open_end: bool | None
) -> list[Turn] | None:
    """All turns in the order in which they were played, or None when no order explains them.

    Args:
        columns: by seat its turns in order.
        dealer: the seat that begins.
        ends_with: seat of the last turn, None for any.
        open_end: True when the hand ended in a turn where nothing was done (a self-draw, nine terminals), False when
            it ended after a discard or a kan, None for either.
    """
    lengths = [len(column) for column in columns]
    total = sum(lengths)
    at = [0, 0, 0, 0]
    order: list[Turn] = []
    choices: list[list[int]] = [[dealer] if _draws(columns[dealer], 0) else []]
    failed: set[tuple[int, ...]] = set()
    for _ in range(MAX_STEPS):
        if choices[-1]:
            seat = choices[-1].pop(0)
            turn = columns[seat][at[seat]]
            at[seat] += 1
            order.append(turn)
            if len(order) == total:
                if (ends_with in {None, seat}) and open_end in {None, turn.last}:
                    return order
                choices.append([])
            elif (*at, seat) in failed:
                choices.append([])
            else:
                choices.append(_next(columns, at, turn))
            continue
        choices.pop()
        if not order:
            return None
        turn = order.pop()
        failed.add((*at, turn.seat))
        at[turn.seat] -= 1
    return None


def _draws(column: Sequence[Turn], at: int) -> bool:
    return at < len(column) and column[at].called == DRAWN


def _next(columns: Sequence[Sequence[Turn]], at: Sequence[int], turn: Turn) -> list[int]:
    """Seats that may play after ``turn``, likeliest first."""
    seat = turn.seat
    if turn.last:
        return []
    if turn.goes_on:
        return [seat] if _draws(columns[seat], at[seat]) else []
    found = [
        (column[index].rank, caller)
        for caller in SEATS
        if caller != seat
        for column, index in ((columns[caller], at[caller]),)
        if index < len(column) and column[index].called == turn.discarded and column[index].from_seat == seat
    ]
    after = next_seat(seat)
    if _draws(columns[after], at[after]):
        found.append((2, after))
    return [caller for _, caller in sorted(found)]
