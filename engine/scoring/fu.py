"""The fu of a win, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.model.melds import Meld, MeldKind
from engine.model.tiles import EAST, HAKU, KINDS
from engine.shanten import Decomposition, decompose

if TYPE_CHECKING:
    from engine.model.events import WinScore
    from engine.scoring.wins import WinContext

PINFU: Final = 7
SEVEN_PAIRS: Final = 22
"""Tenhou's ids of the two yaku that fix the fu."""
_SETS: Final = {
    MeldKind.PON: ("open_triplet", 2),
    MeldKind.DAIMINKAN: ("open_kan", 8),
    MeldKind.KAKAN: ("open_kan", 8),
    MeldKind.ANKAN: ("closed_kan", 16),
}
"""What a meld of simples is called, and its fu."""


class FuPart(NamedTuple):
    """A part of the fu of a win."""

    name: str  # what it is for: ``base``, ``closed_ron``, ``self_draw``, a wait, a set or a pair
    fu: int  # its fu, before the sum is rounded
    tile34: int | None = None  # the kind of the set or the pair; None of what is no set


def fu_parts(win: WinContext, score: WinScore) -> tuple[FuPart, ...]:
    """The parts of a win's fu, whose sum rounded up to tens is ``score.fu``.

    Empty for a yakuman, for a win whose yaku are not known, and where no reading of the tiles has the stated fu.

    Raises:
        HandError: the tiles are no hand.
    """
    yaku = {number for number, _ in score.yaku}
    if score.yakuman or not yaku:
        return ()
    if SEVEN_PAIRS in yaku:
        return (FuPart("seven_pairs", 25),)
    shared = [FuPart("base", 20)]
    is_open = any(meld.kind is not MeldKind.ANKAN for meld in win.melds)
    if PINFU in yaku:
        return tuple(shared) if win.tsumo else (*shared, FuPart("closed_ron", 10))
    if win.tsumo:
        shared.append(FuPart("self_draw", 2))
    elif not is_open:
        shared.append(FuPart("closed_ron", 10))
    shared += [part for meld in win.melds if (part := _of_meld(meld)) is not None]
    counts = [0] * KINDS
    for tile in win.concealed:
        counts[tile >> 2] += 1
    for reading in decompose(counts, len(win.melds)):
        for wait in _waits(reading, win.win_tile >> 2):
            parts = [*shared, *_of_reading(reading, wait, win)]
            total = sum(part.fu for part in parts)
            if total == 20 and is_open:
                parts.append(FuPart("open", 10))
                total = 30
            if -(-total // 10) * 10 == score.fu:
                return tuple(parts)
    return ()


def _orphan(tile34: int) -> bool:
    return tile34 >= EAST or tile34 % 9 in {0, 8}


def _of_meld(meld: Meld) -> FuPart | None:
    """The part of a meld; a run has none."""
    if meld.kind is MeldKind.CHI:
        return None
    kind = meld.tiles[0] >> 2
    name, fu = _SETS[meld.kind]
    return FuPart(name, fu * (1 + _orphan(kind)), kind)


def _waits(reading: Decomposition, tile34: int) -> Iterator[str]:
    """The ways in which a tile completes a reading."""
    if reading.pair == tile34:
        yield "pair_wait"
    if tile34 in reading.triplets:
        yield "triplet_wait"
    for low in sorted(set(reading.runs)):
        at = tile34 - low
        if at == 1:
            yield "closed_wait"
        elif at in {0, 2}:
            yield "edge_wait" if low % 9 == (6 if at == 0 else 0) else "two_sided_wait"


def _of_reading(reading: Decomposition, wait: str, win: WinContext) -> Iterator[FuPart]:
    """The parts of the concealed tiles; a triplet that another's tile completes counts as open."""
    completed = win.win_tile >> 2 if wait == "triplet_wait" and not win.tsumo else None
    for kind in reading.triplets:
        name, fu = ("open_triplet", 2) if kind == completed else ("closed_triplet", 4)
        yield FuPart(name, fu * (1 + _orphan(kind)), kind)
    pair = 2 * ((reading.pair >= HAKU) + (reading.pair == win.seat_wind) + (reading.pair == win.round_wind))
    if pair:
        yield FuPart("pair", pair, reading.pair)
    if wait in {"pair_wait", "closed_wait", "edge_wait"}:
        yield FuPart(wait, 2)
