"""Rows to learn from: one for each opponent of the player about to discard, and what that opponent waits for."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Record, Records, allocating_kernel, allocating_part
from engine.opponents.danger_kernels import public_facts
from engine.opponents.feature_kernels import fill_features
from engine.rules.code_kernels import DISCARD, FIRST_AT
from engine.rules.moment_kernels import Games, Moment, Moments, play_hand
from engine.rules.random_kernels import mix
from engine.rules.table_kernels import (
    RIICHI,
    Number,
    Table,
    called_melds,
    held_kinds,
    is_furiten,
    look,
    safe_kinds,
    stance_of,
)
from engine.rules.win_kernels import held_with_melds, win_answer
from engine.scoring.win_kernels import points_of
from engine.shanten.table_kernels import HandTables

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
    for number in range(table.indicators):
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


@allocating_kernel()
def collect_rows(
    games: Games,
    which: NDArray[np.int64],
    keep: NDArray[np.int64],
    seed: int,
    tables: Records[HandTables],
    moments: Moments,
    rows: Rows,
) -> tuple[int, int]:
    """Play hands and write rows until the rows are full or the hands are through.

    Args:
        games: the recordings.
        which: rows of ``kyoku`` to play, in this order.
        keep: (3,) of 1 000 000 moments so many are kept by situation; the choice depends on ``seed``, the hand and
            the moment alone, and rows with a higher rate are kept whenever those with a lower one are.
        seed: of the choice and of the ura.
        tables: the tables of hands.
        moments: room for those of one hand.
        rows: where to write.

    Returns:
        How many rows were written, and how many hands were played whole.
    """
    n = 0
    full = len(rows.safe) - 3 * 120  # no hand has more moments than that
    for done in range(len(which)):
        if n > full:
            return n, done
        for at in range(play_hand(games, which[done], 1 << DISCARD, 0, tables[0], moments, 0)):
            moment = moments.records[at]
            if moment.riichi[moment.turn] == 0:
                random = mix(seed, (moment.row << 8) + moment.discards)
                n = _write_rows(moment, random, keep, rows, n, tables[0])
    return n, len(which)


@allocating_part
def _write_rows(moment: Moment, random: int, keep: NDArray[np.int64], rows: Rows, n: int, tables: HandTables) -> int:
    """Write a row for each opponent that is kept; how many rows there are then."""
    viewer = moment.turn
    look(moment, viewer)
    for away in range(1, 4):
        seat = (viewer + away) & 3
        stance = stance_of(moment, seat)
        if random % 1000000 >= keep[stance]:
            continue
        rows.safe[n] = fill_features(moment, seat, rows.features[n])
        waits = moment.waits[seat]
        rows.waits[n] = waits
        rows.points[n] = 0.0
        deals = 0
        if waits and not is_furiten(moment, seat):
            ura = draw_ura(moment, random) if stance == RIICHI else 0
            for kind in range(34):
                if waits >> kind & 1:
                    points = ron_points(moment, seat, kind, ura, tables)
                    if points:
                        deals |= 1 << kind
                        rows.points[n, kind] = points
        rows.deals[n] = deals
        rows.held[n] = held_kinds(moment, viewer)
        info = rows.info[n]
        info[I_HAND], info[I_MOMENT], info[I_VIEWER], info[I_SEAT] = moment.row, moment.discards, viewer, seat
        info[I_SITUATION], info[I_DISCARD] = stance, (moment.code >> FIRST_AT & 255) >> 2
        info[I_OPEN], info[I_TURN], info[I_WALL] = called_melds(moment, seat), moment.lengths[seat], moment.wall
        n += 1
    return n


@allocating_part
def ron_points(moment: Moment, seat: int, kind: int, ura: int, tables: HandTables) -> int:
    """Points that a seat wins on a kind that the viewer discards, honba aside; 0 without a yaku.

    The tile is red only where the viewer holds no other of the kind.
    """
    if held_with_melds(moment, seat, kind) == 4:
        return 0
    red = kind < 27 and kind % 9 == 4 and moment.own_reds[kind // 9] != 0 and moment.hand[kind] == 1
    answer, bonus, flags, is_open = win_answer(moment, seat, kind, red, False, ura, tables)
    return points_of(answer, is_open, flags, bonus)


class Opposed(Record):
    """One opponent at one moment.

    Attributes:
        moment: number of the moment.
        seat: absolute seat of the opponent.
        stance, called, turn, dealer, ippatsu, dora_seen, yakuhai: as in :class:`engine.opponents.facts.Opponent`, but
            ``turn`` is the number of all discards.
        safe: bit set of the kinds on which it would be furiten.
        waits: bit set of the kinds that complete its hand.
        rons: those that it could win on now: with a yaku, and not furiten.
    """

    moment: Number
    seat: Number
    stance: Number
    called: Number
    turn: Number
    dealer: Number
    ippatsu: Number
    dora_seen: Number
    yakuhai: Number
    safe: Number
    waits: Number
    rons: Number


@allocating_kernel()
def fill_opposed(moments: Records[Moment], tables: Records[HandTables], to: Records[Opposed]) -> None:
    """Fill three records for each moment before a discard, in the order of seats."""
    n = 0
    for at in range(len(moments)):
        moment = moments[at]
        look(moment, moment.turn)
        for seat in range(4):
            if seat == moment.turn:
                continue
            row = to[n]
            n += 1
            row.moment, row.seat = at, seat
            row.stance, row.called, row.turn, row.ippatsu, row.dora_seen, row.yakuhai = public_facts(moment, seat)
            row.dealer = int(seat == moment.dealer)
            row.safe = safe_kinds(moment, seat)
            row.waits = moment.waits[seat]
            row.rons = 0
            if row.waits and not is_furiten(moment, seat):
                for kind in range(34):
                    if row.waits >> kind & 1 and ron_points(moment, seat, kind, 0, tables[0]):
                        row.rons |= 1 << kind
