"""The opponents of whoever is about to discard in recorded hands: what all see of each, and what it waits for."""

from __future__ import annotations

from engine._jit import Record, Records, allocating_kernel
from engine.rules.moment_kernels import Moment
from engine.rules.table_kernels import Number, called_melds, is_furiten, look, safe_kinds, stance_of, yaku_of_triplet
from engine.rules.win_kernels import meld_dora
from engine.shanten.table_kernels import HandTables
from engine.train.sample_kernels import ron_points


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


@allocating_kernel
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
            row.stance, row.called, row.turn = stance_of(moment, seat), called_melds(moment, seat), moment.lengths[seat]
            row.dealer, row.ippatsu = int(seat == moment.dealer), moment.ippatsu[seat]
            row.dora_seen = 0
            for meld in range(moment.melds[seat]):
                row.dora_seen += meld_dora(moment, seat, meld)
            row.yakuhai = 0
            for kind in range(27, 34):
                row.yakuhai |= int(yaku_of_triplet(moment, seat, kind) > 0) << kind
            row.safe = safe_kinds(moment, seat)
            row.waits = moment.waits[seat]
            row.rons = 0
            if row.waits and not is_furiten(moment, seat):
                for kind in range(34):
                    if row.waits >> kind & 1 and ron_points(moment, seat, kind, 0, tables[0]):
                        row.rons |= 1 << kind
