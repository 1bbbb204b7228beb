"""Counting for :mod:`engine.search.discard_tables`: discards by kind and turn, waits, ends of hands, tenpai at the end.

Every discard is seen by each of the three others. A rate is how often discards were of a kind, divided by how often
they would have been if all tiles that the observer does not see were equally likely.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Event, Ryuukyoku, RyuukyokuKind, Win
from engine.model.hands import hands_of
from engine.model.seats import SEATS, round_wind34
from engine.model.tiles import KINDS
from engine.rules import code_kernels as codes
from engine.rules.moments import game_moments, next_kinds, unseen_by
from engine.rules.table_kernels import DISCARDED, ENDED, IS_CLOSED_KAN, KAN, WAS_RIICHI
from engine.search.discard_tables import (
    CLASSES,
    DRAWS,
    LATE,
    SORT_OF,
    SORTS,
    STANCES,
    discard_tables,
    group_of,
    kind_classes,
    safety,
)
from engine.train.fits import shares_in, shrunk, tally, zeros

Floats = NDArray[np.float64]

OPEN_SHAPE: Final = (len(CLASSES), 2, 4, DRAWS)
RIICHI_SHAPE: Final = (len(CLASSES), 2, 3, DRAWS)
WAITED_SHAPE: Final = (2, len(STANCES), 2, len(SORTS), 4, len(LATE))
PRIOR: Final = 30.0
"""Expected discards that each cell gets at its class's and turn's rate, so that rare cells stay reasonable."""


@dataclass
class Counts:
    """Sums over all hands; along the last axis ``[..., 0]`` is the count and ``[..., 1]`` what it is divided by."""

    open_discards: Floats = field(default_factory=zeros(*OPEN_SHAPE, 2))
    riichi_discards: Floats = field(default_factory=zeros(*RIICHI_SHAPE, 2))
    waited: Floats = field(default_factory=zeros(*WAITED_SHAPE, 2))
    survival: Floats = field(default_factory=zeros(2, 3, DRAWS, 2))
    tenpai: Floats = field(default_factory=zeros(4, 4))
    ippatsu: Floats = field(default_factory=zeros(2, 2))
    kyoku: int = 0

    def observe(self, events: Sequence[Event]) -> None:
        """Add one game from the point of view of all four players; all hands must be visible.

        Raises:
            HiddenTileError: a hand or a drawn tile is hidden.
        """
        ends = [hand.ends[0] if hand.ends else None for hand in hands_of(enumerate(events)).hands]
        some = game_moments(events, before=(codes.DRAW, codes.DISCARD, codes.WIN, codes.NO_WIN))
        if None in ends:
            some = some[[ends[row] is not None for row in some["row"]]]
        what = some["code"] & codes.TYPE
        discards = some[what == codes.DISCARD]
        at_end = some[(what >= codes.WIN) & (some["phase"] != ENDED)]  # not before a second win
        self._discards(discards)
        self._ippatsu(discards, some[(what == codes.DRAW) & (some["phase"] != KAN)])
        self._waits(some[(what == codes.DRAW) | (what == codes.DISCARD)])
        self._survival(discards, at_end, ends)
        for moment in at_end:
            self._tenpai(moment["riichi"] > 0, ends[moment["row"]])
        self.kyoku += len(np.unique(discards["row"]))

    def _discards(self, discards: NDArray[Any]) -> None:
        """Add what the three others see of each discard; a rate is relative to the tiles that they do not see."""
        viewer, at = _others(discards)
        between = (viewer - discards["turn"][at] & 3) - 1
        left = np.minimum(np.maximum(0, discards["wall"][at] - between + 3) // 4, DRAWS - 1)
        unseen = unseen_by(discards[at], viewer)
        kind = next_kinds(discards)[at]
        classes, dora = (each[at] for each in _classes_of(discards))
        riichi = discards["riichi"][at, viewer] > 0
        masks = discards["river_mask"][at, viewer]
        for sums, here in ((self.open_discards, ~riichi), (self.riichi_discards, riichi)):
            if sums is self.open_discards:
                third = np.maximum(unseen[here], 1) - 1
            else:
                third = safety(masks[here].astype(np.int64))
            _add(sums, (classes[here], dora[here], third, left[here, None]), kind[here], unseen[here])

    def _waits(self, some: NDArray[Any]) -> None:
        """Add how often tenpai hands that are not furiten get each kind they wait for, by own draws and by discards."""
        acting, draws = some["code"] >> codes.SEAT_AT & 3, some["code"] & codes.TYPE == codes.DRAW
        for seat in SEATS:
            waits, river = some["waits"][:, seat], some["river_mask"][:, seat]
            here = (waits != 0) & (waits & river == 0) & (draws == (acting == seat))
            if here.any():
                self._waits_of(some[here], draws[here], seat)

    def _waits_of(self, some: NDArray[Any], draws: NDArray[np.bool_], seat: int) -> None:
        waits = some["waits"][:, seat, None] >> np.arange(KINDS) & 1 > 0
        unseen = unseen_by(some, seat)
        left = np.minimum(some["wall"] // 4, DRAWS - 1)
        riichi = some["riichi"] > 0
        melds = np.arange(some["meld_kinds"].shape[2]) < some["melds"][:, seat, None]
        called = (melds & (some["meld_kinds"][:, seat] != IS_CLOSED_KAN)).any(axis=1)
        stance = np.where(riichi[:, seat], STANCES.index("riichi"), called)
        against = (riichi.sum(axis=1) > riichi[:, seat]).astype(np.intp)
        classes, dora = _classes_of(some)
        river = safety(some["river_mask"][:, seat].astype(np.int64))
        tables, turn = discard_tables(), left[:, None]
        silent = tables.open_rates[classes, dora, np.maximum(unseen, 1) - 1, turn]
        rates = np.where(riichi[:, seat, None], tables.riichi_rates[classes, dora, river, turn], silent)
        share: Floats = np.where(draws[:, None], 1.0, rates) * unseen
        share /= share.sum(axis=1, keepdims=True)
        row, kind = np.nonzero(waits & (unseen > 0))
        of_table = draws[row].astype(np.intp), stance[row], against[row]
        cell = *of_table, SORT_OF[kind], unseen[row, kind] - 1, group_of(left[row])
        hits = np.stack([next_kinds(some)[row] == kind, share[row, kind]], axis=1)
        np.add.at(self.waited, cell, hits)

    def _ippatsu(self, discards: NDArray[Any], draws: NDArray[Any]) -> None:
        """Add whether ippatsu still holds when others discard, and at the own draw, in the turn after a riichi."""
        seen_by, seen = _others(discards)
        drawer = draws["code"] >> codes.SEAT_AT & 3
        for place, some, at, seat in ((0, discards, seen, seen_by), (1, draws, np.arange(len(draws)), drawer)):
            latest = some["river_flags"][at, seat, some["lengths"][at, seat] - 1]
            fresh = (some["riichi"][at, seat] > 0) & (latest & WAS_RIICHI != 0)
            self.ippatsu[place] += (some["ippatsu"][at, seat][fresh].sum(), fresh.sum())

    def _survival(self, discards: NDArray[Any], at_end: NDArray[Any], ends: list[Win | Ryuukyoku | None]) -> None:
        """Add whether each player that had discarded came to act again, or nobody won before the wall was empty."""
        row, seat = discards["row"], discards["turn"]
        rows = np.arange(len(discards))
        end = np.searchsorted(at_end["row"], row)
        declares = discards["code"] >> codes.SECOND_AT & WAS_RIICHI != 0
        in_riichi = discards["riichi"][rows, seat] > 0
        riichi = in_riichi | (declares & (at_end["riichi"][end, seat] > 0))  # not where the tile was won on
        against = np.minimum((discards["riichi"] > 0).sum(axis=1) - in_riichi, 2)
        _, last = np.unique((4 * row + seat)[::-1], return_index=True)
        last = len(rows) - 1 - last
        waits = (at_end["turn"][end] != seat) | (at_end["phase"][end] == DISCARDED)
        counted, survived = np.ones(len(rows), bool), np.ones(len(rows), bool)
        for at in last[waits[last]].tolist():
            how = ends[row[at]]
            if isinstance(how, Win):
                counted[at] = how.from_seat != seat[at]  # the own discard did not pass
                survived[at] = how.seat == seat[at]
            else:
                survived[at] = how is not None and how.kind in _PLAYED_OUT
        cells = riichi.astype(np.intp), against, np.minimum(discards["wall"] // 4, DRAWS - 1)
        tally(self.survival, tuple(cell[counted] for cell in cells), survived[counted])

    def _tenpai(self, riichi: NDArray[np.bool_], end: Win | Ryuukyoku | None) -> None:
        if isinstance(end, Ryuukyoku) and end.kind is RyuukyokuKind.EXHAUSTIVE:
            tenpai = [hand is not None for hand in end.hands]
            for seat in SEATS:
                self.tenpai[riichi.sum() - riichi[seat], sum(tenpai) - tenpai[seat]] += 1

    def tables(self) -> dict[str, Any]:
        """The tables as plain values with four digits."""
        return {
            "open_rates": _rates(self.open_discards),
            "riichi_rates": _rates(self.riichi_discards),
            "waited": shrunk(self.waited, np.array(1.0), ((2, 3, 4, 5), (3, 4), (2,), ()), PRIOR).round(4).tolist(),
            "open_survival": _smoothed_share(self.survival[0]),
            "riichi_survival": _smoothed_share(self.survival[1]),
            "tenpai_counts": (self.tenpai / np.maximum(self.tenpai.sum(axis=1, keepdims=True), 1)).round(4).tolist(),
            "ippatsu_kept": shares_in(self.ippatsu).round(4).tolist(),
        }


def _rates(counted: Floats) -> Any:
    """Rates of cells, each shrunk towards that of its class and turn, and those towards that of the class."""
    return shrunk(counted, np.array(1.0), ((1, 2, 3), (1, 2), ()), PRIOR).round(4).tolist()


def _smoothed_share(counted: Floats) -> Any:
    """Shares by turn, each shrunk towards the mean over all turns of its row."""
    mean = shrunk(counted, np.array(1.0), ((1,),), 1.0)
    return shrunk(counted, mean, ((),), PRIOR).round(4).tolist()


_PLAYED_OUT: Final = {RyuukyokuKind.EXHAUSTIVE, RyuukyokuKind.NAGASHI_MANGAN}


def _classes_of(some: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(n, 34) each: the class of each kind at some moments, and whether it is dora."""
    classes = np.stack([kind_classes(round_wind34(kyoku)) for kyoku in some["kyoku"].tolist()])
    return classes, np.minimum(some["dora"], 1).astype(np.intp)


def _others(discards: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The three seats that see each discard, by absolute seat, and the numbers of the discards beside them."""
    at, seats = np.nonzero(discards["turn"][:, None] != np.array(SEATS))
    return seats, at


def _add(sums: Floats, axes: tuple[NDArray[np.intp], ...], kinds: NDArray[np.intp], unseen: NDArray[np.int64]) -> None:
    """Add discards of some kinds to cells; ``axes`` are (n, 34) indices, or (n, 1) where all kinds share one."""
    shape = sums.shape[:-1]
    cells = np.ravel_multi_index(tuple(np.broadcast_to(axis, unseen.shape) for axis in axes), shape)
    size = int(np.prod(shape))
    at = cells[np.arange(len(kinds)), kinds]
    sums[..., 0] += np.bincount(at, minlength=size).reshape(shape)
    share = unseen / unseen.sum(axis=1, keepdims=True)
    sums[..., 1] += np.bincount(cells.ravel(), share.ravel(), minlength=size).reshape(shape)
