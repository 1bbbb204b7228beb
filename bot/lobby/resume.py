"""The state of a hand, for a client that returns in the middle of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

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
from engine.model.seats import four


class Snapshot(NamedTuple):
    """What a returning player is shown.

    Attributes:
        resume: the hand before the current draw.
        pending: that draw (anyone's) if its discard has not followed yet, and a riichi declared since.
        over: whether the hand has ended and the next one has not begun.
    """

    resume: Resume
    pending: tuple[Draw | RiichiDeclared, ...]
    over: bool


def snapshot(events: Sequence[Event], seat: int) -> Snapshot:
    """The running hand as ``seat`` is shown it.

    Args:
        events: full information, the last :class:`StartKyoku` among them.
        seat: whose view.

    Raises:
        ValueError: no hand is running.
    """
    first = next((at for at in reversed(range(len(events))) if isinstance(events[at], StartKyoku)), None)
    if first is None:
        raise ValueError("no hand has begun")
    hand = _Hand(cast("StartKyoku", events[first]), seat)
    for event in events[first + 1 :]:
        hand.take(event)
    return hand.snapshot()


class _Hand:
    """A hand as one seat knows it, rebuilt from its events."""

    def __init__(self, start: StartKyoku, seat: int) -> None:
        self._start: Final = start
        self._seat: Final = seat
        self._tiles = set(start.hands[seat] or ())
        self._melds: list[list[Meld]] = [[], [], [], []]
        self._rivers: list[list[int]] = [[], [], [], []]
        self._riichi_at: list[int | None] = [None, None, None, None]
        self._dora = [start.dora_indicator]
        self._scores = list(start.scores)
        self._sticks = start.riichi_sticks
        self._drawn: Draw | None = None
        self._declared: RiichiDeclared | None = None
        self._over = False

    def take(self, event: Event) -> None:
        """Take in the next event."""
        match event:
            case Draw():
                self._drawn = event
            case Discard():
                self._discard(event)
            case Call():
                self._call(event)
            case RiichiDeclared():
                self._declared = event
            case RiichiAccepted():
                self._scores[event.seat] -= RIICHI_STICK
                self._sticks += 1
            case NewDora():
                self._dora.append(event.indicator)
            case Win() | Ryuukyoku():
                self._over = True
                self._scores = [before + change for before, change in zip(self._scores, event.deltas, strict=True)]
                self._sticks = self._sticks if isinstance(event, Ryuukyoku) else 0
            case _:
                pass

    def snapshot(self) -> Snapshot:
        """What the seat is shown."""
        resume = Resume(
            kyoku=self._start.kyoku,
            honba=self._start.honba,
            riichi_sticks=self._sticks,
            dealer=self._start.dealer,
            dora_indicators=tuple(self._dora),
            scores=four(self._scores),
            seat=self._seat,
            hand=tuple(sorted(self._tiles)),
            melds=four([tuple(melds) for melds in self._melds]),
            rivers=four([tuple(river) for river in self._rivers]),
            riichi_at=four(self._riichi_at),
        )
        return Snapshot(
            resume, tuple(event for event in (self._drawn, self._declared) if event is not None), self._over
        )

    def _settle(self) -> None:
        """Count the drawn tile as part of the hand: its owner has acted."""
        drawn, self._drawn = self._drawn, None
        if drawn is not None and drawn.seat == self._seat and drawn.tile is not None:
            self._tiles.add(drawn.tile)

    def _discard(self, event: Discard) -> None:
        self._settle()
        self._tiles.discard(event.tile)
        river = self._rivers[event.seat]
        if self._declared is not None:
            self._riichi_at[event.seat] = len(river)
            self._declared = None
        river.append(event.tile)

    def _call(self, event: Call) -> None:
        """Lay out a meld; the tile it took leaves the river."""
        self._settle()
        meld, own = event.meld, self._melds[event.seat]
        if meld.added is not None and meld.called is not None:  # a kakan takes the place of its pon
            own[:] = [meld if other.called == meld.called else other for other in own]
        else:
            own.append(meld)
            if meld.called is not None:
                self._rivers[meld.from_seat].pop()
        self._tiles -= set(meld.tiles)
