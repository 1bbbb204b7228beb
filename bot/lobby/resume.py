"""The hand as it stands, for a client that comes back in the middle of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from engine.model.events import (
    Call,
    Discard,
    Draw,
    Event,
    NewDora,
    Resume,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    StartKyoku,
    Win,
)
from engine.model.melds import Meld
from engine.model.rules import RIICHI_STICK
from engine.model.seats import SEATS


class Snapshot(NamedTuple):
    """What a player who comes back is shown.

    Attributes:
        resume: the hand as it was before the current draw.
        pending: that draw where it is not discarded yet (anyone's), and the riichi declared since.
        over: the hand has ended; the next has not begun.
    """

    resume: Resume
    pending: tuple[Draw | RiichiDeclared, ...]
    over: bool


def snapshot(events: Sequence[Event], seat: int) -> Snapshot:
    """What ``seat`` is shown of the running hand.

    Args:
        events: full information, the last :class:`StartKyoku` among them.
        seat: whose view.

    Raises:
        ValueError: no hand is running.
    """
    first = next((at for at in reversed(range(len(events))) if isinstance(events[at], StartKyoku)), None)
    if first is None:
        raise ValueError("no hand has begun")
    start = cast("StartKyoku", events[first])
    hand = set(start.hands[seat] or ())
    melds: list[list[Meld]] = [[], [], [], []]
    rivers: list[list[int]] = [[], [], [], []]
    riichi_at: list[int | None] = [None, None, None, None]
    dora = [start.dora_indicator]
    scores = list(start.scores)
    sticks = start.riichi_sticks
    drawn: Draw | None = None
    declared: RiichiDeclared | None = None
    over = False
    for event in events[first + 1 :]:
        match event:
            case Draw():
                drawn = event
            case Discard():
                _settle(hand, drawn, seat)
                drawn = None
                hand.discard(event.tile)
                if declared is not None:
                    riichi_at[event.seat] = len(rivers[event.seat])
                    declared = None
                rivers[event.seat].append(event.tile)
            case Call():
                _settle(hand, drawn, seat)
                drawn = None
                _call(event, melds, rivers)
                hand -= set(event.meld.tiles)
            case RiichiDeclared():
                declared = event
            case RiichiAccepted():
                scores[event.seat] -= RIICHI_STICK
                sticks += 1
            case NewDora():
                dora.append(event.indicator)
            case Win() | Ryuukyoku():
                over = True
                scores = [before + change for before, change in zip(scores, event.deltas, strict=True)]
                sticks = sticks if isinstance(event, Ryuukyoku) else 0
            case _:
                pass
    by_seat = [tuple(rivers[other]) for other in SEATS]
    made = [tuple(melds[other]) for other in SEATS]
    resume = Resume(
        kyoku=start.kyoku,
        honba=start.honba,
        riichi_sticks=sticks,
        dealer=start.dealer,
        dora_indicators=tuple(dora),
        scores=(scores[0], scores[1], scores[2], scores[3]),
        seat=seat,
        hand=tuple(sorted(hand)),
        melds=(made[0], made[1], made[2], made[3]),
        rivers=(by_seat[0], by_seat[1], by_seat[2], by_seat[3]),
        riichi_at=(riichi_at[0], riichi_at[1], riichi_at[2], riichi_at[3]),
    )
    return Snapshot(resume, tuple(event for event in (drawn, declared) if event is not None), over)


def _settle(hand: set[int], drawn: Draw | None, seat: int) -> None:
    """A drawn tile is part of the hand once its owner has acted."""
    if drawn is not None and drawn.seat == seat and drawn.tile is not None:
        hand.add(drawn.tile)


def _call(event: Call, melds: list[list[Meld]], rivers: list[list[int]]) -> None:
    """Lay out a meld; the tile it took leaves the river."""
    meld, own = event.meld, melds[event.seat]
    if meld.added is not None and meld.called is not None:  # a kakan takes the place of its pon
        own[:] = [meld if other.called == meld.called else other for other in own]
        return
    own.append(meld)
    if meld.called is not None:
        rivers[meld.from_seat].pop()
