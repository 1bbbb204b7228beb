"""Reconstruction of the order of play: tenhou.net/6 writes one column per player, whose turns have to be interleaved.

A turn is what a player takes (a draw or a call) and then does (a discard or a kan). Each column is in order. The
discards determine whose turn comes next: whoever calls one, otherwise the next player to draw. Only where a discard
could be the called one, or an earlier one of the same kind, is a search needed: calls are tried first, and a choice
that leaves a column unread is undone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.seats import SEATS, next_seat

MAX_STEPS: Final = 20_000
"""Number of turns tried before giving up; real logs need about seventy."""

DRAWN: Final = -1
"""Value of :attr:`Turn.called` for a drawn tile."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn."""

    seat: int  # the player
    called: int  # ``tile37`` of the discard that was called, or :data:`DRAWN`
    from_seat: int  # who discarded it; the player's own seat for a draw
    rank: int  # the lowest of several callers goes first: 0 kan and pon, 1 chi, 2 a draw
    discarded: int | None  # ``tile37`` that others may call; None if the turn ends with a kan, or with the hand
    goes_on: bool  # whether the same player draws next, after a kan
    last: bool  # whether nothing was done because the hand ends here


def order_turns(
    columns: Sequence[Sequence[Turn]], dealer: int, *, ends_with: int | None, open_end: bool | None
) -> list[Turn] | None:
    """All turns in the order of play, or None if no order is possible.

    Args:
        columns: by seat its turns in order.
        dealer: the seat that begins.
        ends_with: seat of the last turn; None for any.
        open_end: True if the hand ended in a turn without a discard (a self-draw, nine terminals), False if it ended
            after a discard or a kan, None for either.
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
