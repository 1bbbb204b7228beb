"""What a complete hand is worth: yaku, fu, and the best of its readings.

Everything about a hand is a few integers, so that a search can score leaves without building anything:

* ``counts``: uint8[34], concealed tiles with the winning one.
* ``melds``: one byte a meld, lowest first, 0 for none: ``tile34 + 1 | MELD_<kind> << 6`` (a chi by its lowest tile).
* ``win``: ``tile34`` of the winning tile.
* ``flags``: WIN_ bits, ``seat wind << SEAT_AT | round wind << ROUND_AT`` (0 east ... 3 north).
* ``bonus``: dora, ura and red fives of the whole hand.

The answer is one integer: yaku as bits by Tenhou's id, and fu / 5 from bit FU_AT; 0 for no win.
Masks over kinds have one bit a ``tile34``; masks over runs have seven bits a suit.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, kernel, part
from engine.scoring import yaku_kernels as y
from engine.scoring.payment_kernels import base_points, total_points
from engine.shanten.shanten_kernels import hand_rows
from engine.shanten.table_kernels import (
    LAST_READING,
    PAIR_AT,
    ROWS,
    TRIPLETS_AT,
    TWINS_AT,
    HandTables,
)

MELD_CHI, MELD_PON, MELD_OPEN_KAN, MELD_CLOSED_KAN = range(4)

FU_AT = 55
YAKU_BITS = (1 << FU_AT) - 1


@kernel("scoring", seconds=3.0)
def score_win(
    counts: NDArray[np.uint8], melds: int, win: int, flags: int, bonus: int, tables: Records[HandTables]
) -> int:
    """:func:`best_win` for callers in Python."""
    return best_win(counts, melds, win, flags, bonus, tables[0])


@part
def best_win(counts: NDArray[np.uint8], melds: int, win: int, flags: int, bonus: int, tables: HandTables) -> int:
    """Yaku and fu of the reading that is worth most, or 0 when the hand is not complete or has no yaku."""
    return best_allowed_win(counts, melds, win, flags, bonus, YAKU_BITS, tables)


@part
def best_allowed_win(
    counts: NDArray[np.uint8], melds: int, win: int, flags: int, bonus: int, allowed: int, tables: HandTables
) -> int:
    """:func:`best_win` where of four sets and a pair only the yaku in ``allowed`` count."""
    words = tables.words
    firsts = tables.firsts
    man, pin, sou, honours = hand_rows(counts, tables)
    best = 0
    if melds == 0:
        total = int(words[man]) + int(words[pin]) + int(words[sou]) + int(words[honours])
        if total & 15 == 7 and total >> 4 & 15 == 7:
            best = seven_pairs(counts, flags)
        elif total >> 8 & 15 == 13 and total >> 12 & 15 and total >> 4 & 15 == 13:
            return thirteen_orphans(counts, win, flags)
    man = int(firsts[man - ROWS])
    pin = int(firsts[pin - ROWS])
    sou = int(firsts[sou - ROWS])
    honours = int(firsts[honours - ROWS])
    if man == 0 or pin == 0 or sou == 0 or honours == 0:
        return best
    return _standard(
        counts, melds, win, flags, bonus, allowed, man, pin, sou, int(tables.readings[honours]), tables.readings, best
    )


@part
def _standard(
    counts: NDArray[np.uint8],
    melds: int,
    win: int,
    flags: int,
    bonus: int,
    allowed: int,
    man: int,
    pin: int,
    sou: int,
    honours: int,
    readings: NDArray[np.int64],
    best: int,
) -> int:
    meld_runs, meld_triplets, meld_kinds, meld_fu, closed_kans, kans, is_open = sets_of_melds(melds)
    seat = flags >> y.SEAT_AT & 3
    tsumo = flags & y.WIN_TSUMO != 0
    always = y.of_circumstances(flags, is_open) | of_kans(kans)
    if not is_open and tsumo and melds == 0 and flags & y.WIN_FIRST_TURN:
        always |= y.TENHOU if seat == 0 else y.CHIHOU

    best_value = -1
    if best:
        best_value = value_of(best, False, bonus)
    m = man
    while True:
        man_reading = int(readings[m])
        p = pin
        while True:
            pin_reading = int(readings[p])
            s = sou
            while True:
                sou_reading = int(readings[s])
                pair, triplets = pair_and_triplets(man_reading, pin_reading, sou_reading, honours)
                if pair & (pair - 1) == 0:
                    yaku, fu, flat = of_reading(
                        man_reading, pin_reading, sou_reading, triplets, pair,
                        meld_runs, meld_triplets, meld_kinds, meld_fu, is_open, flags,
                    )  # fmt: skip
                    yaku = (yaku | always) & allowed
                    if melds == 0 and yaku & y.CHINITSU:
                        yaku |= y.nine_gates(counts, win)
                    closed = y.popcount(triplets) + closed_kans
                    waits = y.ways_to_win(man_reading, pin_reading, sou_reading, triplets, pair, win)
                    while waits:
                        wait = waits & -waits
                        waits &= waits - 1
                        this = of_wait(yaku, fu, flat, closed, wait, win, tsumo, is_open)
                        value = value_of(this, is_open, bonus)
                        if value > best_value:
                            best_value = value
                            best = this
                if sou_reading & LAST_READING:
                    break
                s += 1
            if pin_reading & LAST_READING:
                break
            p += 1
        if man_reading & LAST_READING:
            break
        m += 1
    if best & YAKU_BITS == 0:
        return 0
    return best


@part
def sets_of_melds(melds: int) -> tuple[int, int, int, int, int, int, bool]:
    """What all readings have from the melds: runs, triplets, kinds, fu, closed kans, kans, whether one is open."""
    runs = 0
    triplets = 0
    kinds = 0
    fu = 0
    closed_kans = 0
    kans = 0
    is_open = False
    rest = melds
    while rest:
        kind = (rest & 63) - 1
        what = rest >> 6 & 3
        rest >>= 8
        if what == MELD_CHI:
            runs |= 1 << (kind - 2 * (kind // 9))
            kinds |= 7 << kind
            is_open = True
            continue
        triplets |= 1 << kind
        kinds |= 1 << kind
        this_fu = 4 if y.ORPHANS >> kind & 1 else 2
        if what == MELD_PON:
            is_open = True
        else:
            kans += 1
            this_fu *= 4
            if what == MELD_CLOSED_KAN:
                closed_kans += 1
                this_fu *= 2
            else:
                is_open = True
        fu += this_fu
    return runs, triplets, kinds, fu, closed_kans, kans, is_open


@part
def of_kans(kans: int) -> int:
    """Yaku of so many kans."""
    if kans == 3:
        return y.SANKANTSU
    return y.SUUKANTSU if kans == 4 else 0


@part
def pair_and_triplets(man: int, pin: int, sou: int, honours: int) -> tuple[int, int]:
    """Kinds of the pairs (a reading has one) and of the triplets of the suits' readings."""
    pair = (man >> PAIR_AT & y.SUIT) | (pin >> PAIR_AT & y.SUIT) << 9 | (sou >> PAIR_AT & y.SUIT) << 18
    triplets = (man >> TRIPLETS_AT & y.SUIT) | (pin >> TRIPLETS_AT & y.SUIT) << 9 | (sou >> TRIPLETS_AT & y.SUIT) << 18
    return pair | (honours >> PAIR_AT & 0x7F) << 27, triplets | (honours >> TRIPLETS_AT & 0x7F) << 27


@part
def of_reading(
    man: int,
    pin: int,
    sou: int,
    triplets: int,
    pair: int,
    meld_runs: int,
    meld_triplets: int,
    meld_kinds: int,
    meld_fu: int,
    is_open: bool,
    flags: int,
) -> tuple[int, int, bool]:
    """(yaku, fu, whether it is pinfu but for the wait) of a reading, whatever tile completes it and however."""
    man_runs = man & 0x7F
    pin_runs = pin & 0x7F
    sou_runs = sou & 0x7F
    runs = man_runs | pin_runs << 7 | sou_runs << 14 | meld_runs
    all_triplets = triplets | meld_triplets
    kinds = (
        all_triplets
        | pair
        | (man_runs | man_runs << 1 | man_runs << 2)
        | (pin_runs | pin_runs << 1 | pin_runs << 2) << 9
        | (sou_runs | sou_runs << 1 | sou_runs << 2) << 18
        | meld_kinds
    )
    seat = flags >> y.SEAT_AT & 3
    round_ = flags >> y.ROUND_AT & 3
    yaku = y.of_kinds(kinds, is_open, flags) | y.of_honours(all_triplets, pair, seat, round_)
    if runs:
        yaku |= y.of_runs(runs)
        if not is_open:
            twins = (man >> TWINS_AT & 7) + (pin >> TWINS_AT & 7) + (sou >> TWINS_AT & 7)
            if twins == 1:
                yaku |= y.IIPEIKOU
            elif twins == 2:
                yaku |= y.RYANPEIKOU
        if runs & ~y.OUTER_RUNS == 0 and all_triplets & ~y.ORPHANS == 0 and pair & ~y.ORPHANS == 0:
            yaku |= y.CHANTA if kinds & y.HONOURS else y.JUNCHAN
    else:
        yaku |= y.TOITOI
    if all_triplets & all_triplets >> 9 & all_triplets >> 18 & y.SUIT:
        yaku |= y.SANSHOKU_DOUKOU
    fu = 20 + meld_fu + 4 * y.popcount(triplets) + 4 * y.popcount(triplets & y.ORPHANS)
    if pair & y.DRAGONS:
        fu += 2
    if not flags & y.WIN_NO_WINDS:
        fu += 2 * (pair >> (27 + seat) & 1) + 2 * (pair >> (27 + round_) & 1)
    return yaku, fu, not is_open and all_triplets == 0 and fu == 20


@part
def of_wait(yaku: int, fu: int, flat: bool, closed: int, wait: int, win: int, tsumo: bool, is_open: bool) -> int:
    """The answer for a reading that ``win`` completes in the way ``wait``; ``closed`` triplets are concealed."""
    if tsumo:
        fu += 2
    elif not is_open:
        fu += 10
    if wait == y.OPEN_WAIT:
        if flat:
            yaku |= y.PINFU
            fu = 20 if tsumo else 30
    elif wait != y.TRIPLET_WAIT:
        fu += 2
    elif not tsumo:
        # a triplet completed by another's tile counts as open
        closed -= 1
        fu -= 4 if y.ORPHANS >> win & 1 else 2
    if closed == 3:
        yaku |= y.SANANKOU
    elif closed == 4:
        yaku |= y.SUUANKOU_TANKI if wait == y.PAIR_WAIT else y.SUUANKOU
    fu = (fu + 9) // 10 * 10
    if fu == 20 and is_open:
        fu = 30
    if yaku & y.ALL_YAKUMAN:
        yaku &= y.ALL_YAKUMAN
    return yaku | (fu // 5) << FU_AT


@part
def value_of(answer: int, is_open: bool, bonus: int) -> int:
    """Orders answers: by points, then han, then fu; -1 without a yaku."""
    yaku = answer & YAKU_BITS
    if yaku == 0:
        return -1
    if yaku & y.ALL_YAKUMAN:
        return y.popcount(yaku) << 40
    fu = 5 * (answer >> FU_AT)
    han = y.han_of(yaku, is_open) + bonus
    return base_points(han, fu, 0) << 20 | han << 10 | fu


@part
def seven_pairs(counts: NDArray[np.uint8], flags: int) -> int:
    """The answer of seven pairs."""
    kinds = 0
    for kind in range(34):
        if counts[kind]:
            kinds |= 1 << kind
    yaku = y.CHIITOITSU | y.of_circumstances(flags, False) | y.of_kinds(kinds, False, flags)
    if flags & y.WIN_TSUMO and flags & y.WIN_FIRST_TURN:
        yaku |= y.TENHOU if flags >> y.SEAT_AT & 3 == 0 else y.CHIHOU
    if yaku & y.ALL_YAKUMAN:
        yaku &= y.ALL_YAKUMAN
    return yaku | 5 << FU_AT


@part
def thirteen_orphans(counts: NDArray[np.uint8], win: int, flags: int) -> int:
    """The answer of thirteen orphans."""
    yaku = y.KOKUSHI_THIRTEEN if counts[win] == 2 else y.KOKUSHI
    if flags & y.WIN_TSUMO and flags & y.WIN_FIRST_TURN:
        yaku |= y.TENHOU if flags >> y.SEAT_AT & 3 == 0 else y.CHIHOU
    return yaku


@part
def open_melds(melds: int) -> bool:
    """Whether any meld is open."""
    while melds:
        if melds >> 6 & 3 != MELD_CLOSED_KAN:
            return True
        melds >>= 8
    return False


@part
def points_of(answer: int, is_open: bool, flags: int, bonus: int) -> int:
    """Points of a packed answer of :func:`best_win`; 0 for no win."""
    yaku = answer & YAKU_BITS
    if yaku == 0:
        return 0
    yakuman = y.popcount(yaku & y.ALL_YAKUMAN)
    han = 0 if yakuman else y.han_of(yaku, is_open) + bonus
    base = base_points(han, 5 * (answer >> FU_AT), yakuman)
    return total_points(base, flags >> y.SEAT_AT & 3 == 0, flags & y.WIN_TSUMO != 0)
