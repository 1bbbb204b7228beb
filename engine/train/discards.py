"""Counting for :mod:`engine.search.discard_tables`: discards by kind and turn, ends of hands, tenpai at the end.

Every discard is seen by each of the three others. A rate is how often discards were of a kind, divided by how often
they would have been if all tiles that the observer does not see were equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.events import (
    Call,
    Discard,
    Draw,
    Event,
    NewDora,
    RiichiAccepted,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Win,
)
from engine.model.melds import MeldKind
from engine.model.rules import LIVE_WALL
from engine.model.seats import SEATS, relative, round_wind34
from engine.model.tiles import KINDS
from engine.search.discard_tables import CLASSES, DRAWS, is_dora, kind_classes, safety

Floats = NDArray[np.float64]

OPEN_SHAPE: Final = (len(CLASSES), 2, 4, DRAWS)
RIICHI_SHAPE: Final = (len(CLASSES), 2, 3, DRAWS)
PRIOR: Final = 30.0
"""Expected discards that each cell gets at its class's and turn's rate, so that rare cells stay reasonable."""


def _zeros(*shape: int) -> Callable[[], Floats]:
    return lambda: np.zeros(shape)


@dataclass
class Counts:
    """Sums over all hands; along the last axis ``[..., 0]`` is the count and ``[..., 1]`` what it is divided by."""

    open_discards: Floats = field(default_factory=_zeros(*OPEN_SHAPE, 2))
    riichi_discards: Floats = field(default_factory=_zeros(*RIICHI_SHAPE, 2))
    survival: Floats = field(default_factory=_zeros(2, 3, DRAWS, 2))
    tenpai: Floats = field(default_factory=_zeros(4, 4))
    ippatsu: Floats = field(default_factory=_zeros(2, 2))
    kyoku: int = 0

    def observe(self, events: Iterable[Event]) -> None:
        """Add one game from the point of view of all four players; all hands must be visible."""
        kyoku: _Kyoku | None = None
        for event in events:
            if isinstance(event, StartKyoku):
                if any(hand is None for hand in event.hands):
                    raise ValueError("a recording with hidden hands cannot be used; use logs, not captured sessions")
                kyoku = _Kyoku(event)
            elif kyoku is not None:
                kyoku.step(event, self)
                if isinstance(event, Win | Ryuukyoku):
                    kyoku.finish(self)

    def tables(self) -> dict[str, Any]:
        """The tables as plain values with four digits."""
        return {
            "open_rates": _rates(self.open_discards),
            "riichi_rates": _rates(self.riichi_discards),
            "open_survival": _smoothed_share(self.survival[0]),
            "riichi_survival": _smoothed_share(self.survival[1]),
            "tenpai_counts": (self.tenpai / np.maximum(self.tenpai.sum(axis=1, keepdims=True), 1)).round(4).tolist(),
            "ippatsu_kept": (self.ippatsu[:, 0] / np.maximum(self.ippatsu[:, 1], 1)).round(4).tolist(),
        }


def _rates(counted: Floats) -> Any:
    """Rates of cells, each shrunk towards that of its class and turn, and those towards that of the class."""
    was, expected = counted[..., 0], counted[..., 1]
    base = np.array(1.0)
    for axes in ((1, 2, 3), (1, 2), ()):
        inner_was, inner_expected = was, expected
        if axes:
            inner_was, inner_expected = (part.sum(axis=axes, keepdims=True) for part in (was, expected))
        base = (inner_was + PRIOR * base) / (inner_expected + PRIOR)
    return base.round(4).tolist()


def _smoothed_share(counted: Floats) -> Any:
    """Shares by turn, each shrunk towards the mean over all turns of its row."""
    good, every = counted[..., 0], counted[..., 1]
    base = (good.sum(axis=1, keepdims=True) + 1) / (every.sum(axis=1, keepdims=True) + 1)
    return ((good + PRIOR * base) / (every + PRIOR)).round(4).tolist()


@dataclass
class _Waiting:
    """A player between its discard and its next turn."""

    draws_left: int
    riichi: bool
    against: int


class _Kyoku:
    """One hand, followed from four points of view at once."""

    def __init__(self, start: StartKyoku) -> None:
        self.unseen = np.full((4, KINDS), 4, np.int64)
        self.wall = LIVE_WALL
        self.riichi = [False] * 4
        self.river_masks = [0] * 4
        self.waiting: list[_Waiting | None] = [None] * 4
        self.ippatsu: list[bool | None] = [None] * 4
        """Within the go-around after a riichi: whether ippatsu still holds. Otherwise None."""
        self.indicators = [start.dora_indicator >> 2]
        self.dora = is_dora(self.indicators)
        self.classes = kind_classes(round_wind34(start.kyoku))
        self.seen: list[tuple[bool, int, int, NDArray[np.int64], NDArray[np.intp], NDArray[np.intp]]] = []
        for seat, hand in enumerate(start.hands):
            for tile in hand or ():
                if tile is not None:
                    self.unseen[seat, tile >> 2] -= 1
        self.unseen[:, start.dora_indicator >> 2] -= 1

    def step(self, event: Event, counts: Counts) -> None:
        if isinstance(event, Draw):
            self._draw(event, counts)
        elif isinstance(event, Discard):
            self._discard(event, counts)
        elif isinstance(event, Call):
            self._call(event, counts)
        elif isinstance(event, NewDora):
            self.indicators.append(event.indicator >> 2)
            self.dora = is_dora(self.indicators)
            self.unseen[:, event.indicator >> 2] -= 1
        elif isinstance(event, RiichiAccepted):
            self.riichi[event.seat] = True
            self.ippatsu[event.seat] = True
            waiting = self.waiting[event.seat]
            if waiting is not None:
                waiting.riichi = True
        elif isinstance(event, Win):
            self._win(event, counts)
        elif isinstance(event, Ryuukyoku):
            self._ryuukyoku(event, counts)

    def _draw(self, event: Draw, counts: Counts) -> None:
        seat = event.seat
        self.wall -= 1
        self._survived(seat, counts)
        kept = self.ippatsu[seat]
        if kept is not None:
            counts.ippatsu[1] += (kept, 1)
            self.ippatsu[seat] = None
        if event.tile is not None:
            self.unseen[seat, event.tile >> 2] -= 1

    def _discard(self, event: Discard, counts: Counts) -> None:
        seat, kind = event.seat, event.tile >> 2
        for viewer in SEATS:
            if viewer == seat:
                continue
            between = relative(viewer, seat) - 1
            left = min(max(0, self.wall - between + 3) // 4, DRAWS - 1)
            riichi = self.riichi[viewer]
            screened = safety(self.river_masks[viewer]) if riichi else self.dora
            self.seen.append((riichi, left, kind, self.unseen[viewer].copy(), self.dora, screened))
            kept = self.ippatsu[viewer]
            if kept is not None:
                counts.ippatsu[0] += (kept, 1)
            self.unseen[viewer, kind] -= 1
        self.river_masks[seat] |= 1 << kind
        against = sum(self.riichi) - self.riichi[seat]
        self.waiting[seat] = _Waiting(min(self.wall // 4, DRAWS - 1), self.riichi[seat], min(against, 2))

    def _call(self, event: Call, counts: Counts) -> None:
        seat, meld = event.seat, event.meld
        self._survived(seat, counts)
        self.ippatsu = [None if kept is None else False for kept in self.ippatsu]
        shown = (meld.added,) if meld.kind is MeldKind.KAKAN else meld.own_tiles
        for tile in shown:
            if tile is not None:
                for viewer in SEATS:
                    self.unseen[viewer, tile >> 2] -= viewer != seat

    def _survived(self, seat: int, counts: Counts) -> None:
        waiting = self.waiting[seat]
        if waiting is not None:
            counts.survival[int(waiting.riichi), waiting.against, waiting.draws_left] += (1, 1)
            self.waiting[seat] = None

    def _win(self, event: Win, counts: Counts) -> None:
        self.waiting[event.from_seat] = None  # the player's own discard did not pass
        self._survived(event.seat, counts)

    def _ryuukyoku(self, event: Ryuukyoku, counts: Counts) -> None:
        if event.kind not in {RyuukyokuKind.EXHAUSTIVE, RyuukyokuKind.NAGASHI_MANGAN}:
            return
        tenpai = [hand is not None for hand in event.hands]
        for seat in SEATS:
            self._survived(seat, counts)
            if event.kind is RyuukyokuKind.EXHAUSTIVE:
                against = sum(self.riichi) - self.riichi[seat]
                counts.tenpai[against, sum(tenpai) - tenpai[seat]] += 1

    def finish(self, counts: Counts) -> None:
        """Finish the hand: players still waiting had it ended by another; add up the observed discards."""
        for waiting in self.waiting:
            if waiting is not None:
                counts.survival[int(waiting.riichi), waiting.against, waiting.draws_left] += (0, 1)
        self.waiting = [None] * 4
        for riichi in (False, True):
            rows = [row for row in self.seen if row[0] is riichi]
            if rows:
                _add(counts.riichi_discards if riichi else counts.open_discards, self.classes, rows, riichi)
        counts.kyoku += bool(self.seen)
        self.seen.clear()


def _add(sums: Floats, classes: NDArray[np.intp], rows: list[Any], riichi: bool) -> None:
    left = np.array([row[1] for row in rows])[:, None]
    kind = np.array([row[2] for row in rows])
    unseen = np.stack([row[3] for row in rows])
    dora = np.stack([row[4] for row in rows])
    third = np.stack([row[5] for row in rows]) if riichi else np.maximum(unseen, 1) - 1
    shape = sums.shape[:-1]
    cells = np.ravel_multi_index(
        (np.broadcast_to(classes, unseen.shape), dora, third, np.broadcast_to(left, unseen.shape)), shape
    )
    size = int(np.prod(shape))
    at = cells[np.arange(len(rows)), kind]
    sums[..., 0] += np.bincount(at, minlength=size).reshape(shape)
    share = unseen / unseen.sum(axis=1, keepdims=True)
    sums[..., 1] += np.bincount(cells.ravel(), share.ravel(), minlength=size).reshape(shape)
