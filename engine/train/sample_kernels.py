"""Rows to learn from: moments of recorded hands, one row for each opponent of the player about to discard."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_kernel, allocating_part, part
from engine.opponents.feature_kernels import fill_features
from engine.opponents.view_kernels import F_INDICATORS, F_RIICHI, F_WALL, M_KIND, RIICHI, stance_of
from engine.train.event_kernels import DISCARD, FIRST_AT, TYPE
from engine.train.event_kernels import SEAT_AT as SEAT_BITS
from engine.train.moment_kernels import Table, deal, is_furiten, look, ron_points, step

I_HAND, I_MOMENT, I_VIEWER, I_SEAT, I_SITUATION, I_DISCARD, I_OPEN, I_TURN, I_WALL = range(9)
"""Columns of ``Rows.info``: row of the recordings' ``kyoku``, number of the discard in the hand, who discards, whose
hand the row speaks of, its stance, the kind discarded then, open melds of the seat, its discards so far, tiles
left in the wall."""
INFO = 9


class Rows(NamedTuple):
    """Rows side by side; n of them.

    Attributes:
        features: (n, FEATURES) float32.
        safe, waits, deals, held: (n,) int64 bit sets of kinds: cannot be won on now; complete the seat's hand; would
            be won on now; held by the discarder.
        points: (n, 34) float32, points of the win where ``deals`` has the kind, one draw of ura in riichi.
        info: (n, INFO) int32, see the I_ names.
    """

    features: NDArray[np.float32]
    safe: NDArray[np.int64]
    waits: NDArray[np.int64]
    deals: NDArray[np.int64]
    held: NDArray[np.int64]
    points: NDArray[np.float32]
    info: NDArray[np.int32]


@part
def mix(seed: int, number: int) -> int:
    """A pseudo-random 62-bit number from two."""
    value = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number) * np.uint64(0xD1342543DE82EF95)
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    value ^= value >> np.uint64(32)
    return int(value >> np.uint64(2))


@part
def _open_melds(table: Table, seat: int) -> int:
    opened = 0
    for at in range(table.shared.meld_counts[seat]):
        opened += table.shared.melds[seat, at, M_KIND] != 3
    return opened


@allocating_part
def draw_ura(table: Table, random: int) -> int:
    """As many ura indicators as there are indicators, of the tiles nobody holds or sees: kinds plus one, six bits."""
    pool = np.empty(34, np.int64)
    total = 0
    for kind in range(34):
        left = 4 - int(table.open_tiles[kind])
        for seat in range(4):
            left -= int(table.counts[seat, kind])
        pool[kind] = max(left, 0)
        total += pool[kind]
    drawn = 0
    for number in range(table.shared.facts[F_INDICATORS]):
        if total == 0:
            break
        random = mix(random, number)
        at = random % total
        for kind in range(34):
            at -= pool[kind]
            if at < 0:
                drawn = drawn << 6 | (kind + 1)
                pool[kind] -= 1
                total -= 1
                break
    return drawn


@allocating_kernel
def collect(
    table: Table,
    which: NDArray[np.int64],
    kyoku: NDArray[np.int32],
    hands: NDArray[np.uint8],
    events: NDArray[np.uint32],
    keep: NDArray[np.int64],
    seed: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    rows: Rows,
) -> tuple[int, int]:
    """Play hands and write rows until the rows are full or the hands are through.

    Args:
        table: any; it is cleared.
        which: rows of ``kyoku`` to play, in this order.
        kyoku: of the recordings.
        hands: of the recordings.
        events: of the recordings.
        keep: (3,) of 1 000 000 moments so many are kept by situation; the choice depends on ``seed``, the hand and
            the moment alone, and rows with a higher rate are kept whenever those with a lower one are.
        seed: of the choice and of the ura.
        words: table of shanten and scoring.
        merge: table of shanten.
        firsts: table of scoring.
        readings: table of scoring.
        rows: where to write.

    Returns:
        How many rows were written, and how many hands were played whole.
    """
    n = 0
    full = len(rows.safe) - 3 * 120  # no hand has more moments than that
    for done in range(len(which)):
        if n > full:
            return n, done
        hand = which[done]
        deal(table, kyoku[hand], hands[hand], words, merge)
        first = kyoku[hand, 6]
        for code_at in range(first, first + kyoku[hand, 7]):
            code = int(events[code_at])
            if code & TYPE == DISCARD:
                viewer = code >> SEAT_BITS & 3
                moment = table.state[0]
                if table.shared.facts[F_RIICHI + viewer] == 0:
                    random = mix(seed, (hand << 8) + moment)
                    n = _moment(table, viewer, random, keep, rows, n, words, firsts, readings)
                    for row in range(n - 1, -1, -1):
                        if rows.info[row, 0] != -1:
                            break
                        rows.info[row, 0] = hand
                        rows.info[row, 1] = moment
                        rows.info[row, 5] = (code >> FIRST_AT & 255) >> 2
            step(table, code, words, merge)
    return n, len(which)


@allocating_part
def _moment(
    table: Table,
    viewer: int,
    random: int,
    keep: NDArray[np.int64],
    rows: Rows,
    n: int,
    words: NDArray[np.uint32],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
) -> int:
    looked = False
    for away in range(1, 4):
        seat = (viewer + away) & 3
        situation = stance_of(table.shared, seat)
        if random % 1000000 >= keep[situation]:
            continue
        if not looked:
            look(table, viewer)
            looked = True
        rows.safe[n] = fill_features(table.shared, seat, rows.features[n])
        waits = table.waits[seat]
        rows.waits[n] = waits
        rows.points[n] = 0.0
        deals = 0
        if waits and not is_furiten(table, seat):
            ura = draw_ura(table, random) if situation == RIICHI else 0
            for kind in range(34):
                if waits >> kind & 1:
                    points = ron_points(table, seat, kind, ura, words, firsts, readings)
                    if points:
                        deals |= 1 << kind
                        rows.points[n, kind] = points
        rows.deals[n] = deals
        held = 0
        for kind in range(34):
            held |= int(table.counts[viewer, kind] > 0) << kind
        rows.held[n] = held
        info = rows.info[n]
        info[0] = -1  # the caller knows the hand
        info[2] = viewer
        info[3] = seat
        info[4] = situation
        info[6] = _open_melds(table, seat)
        info[7] = table.shared.lengths[seat]
        info[8] = table.shared.facts[F_WALL]
        n += 1
    return n


@allocating_kernel
def play_out(
    table: Table,
    which: NDArray[np.int64],
    kyoku: NDArray[np.int32],
    hands: NDArray[np.uint8],
    events: NDArray[np.uint32],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    waits: NDArray[np.int64],
    riichi: NDArray[np.int64],
) -> None:
    """Play hands to their end: each seat's ``waits`` (n, 4) as a bit set, and its ``riichi`` (n, 4), 0 to 2."""
    for at in range(len(which)):
        hand = which[at]
        deal(table, kyoku[hand], hands[hand], words, merge)
        first = kyoku[hand, 6]
        for code_at in range(first, first + kyoku[hand, 7]):
            step(table, int(events[code_at]), words, merge)
        for seat in range(4):
            waits[at, seat] = table.waits[seat]
            riichi[at, seat] = table.shared.facts[F_RIICHI + seat]
