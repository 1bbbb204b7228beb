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
NO_OTHER, SEVEN_PAIRS, ORPHANS = range(3)
"""Forms beside four sets and a pair that a hand without melds is complete in."""
NO_READING = -1
PIN_AT, SOU_AT = 16, 32
"""Where in a reading of a hand the places of the suits' readings stand; that of man is at 0."""
PLACE = (1 << PIN_AT) - 1


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
    other, first, honours = forms_of(counts, melds, tables)
    if other == ORPHANS:
        return thirteen_orphans(counts, win, flags)
    best = seven_pairs(counts, flags) if other == SEVEN_PAIRS else 0
    if first == NO_READING:
        return best
    meld_runs, meld_triplets, meld_kinds, meld_fu, closed_kans, kans, is_open = sets_of_melds(melds)
    tsumo = flags & y.WIN_TSUMO != 0
    always = y.of_circumstances(flags, is_open) | of_kans(kans)
    if not is_open and tsumo and melds == 0 and flags & y.WIN_FIRST_TURN:
        always |= y.TENHOU if flags >> y.SEAT_AT & 3 == 0 else y.CHIHOU
    best_value = value_of(best, False, bonus) if best else -1
    reading = first
    while reading != NO_READING:
        man, pin, sou = suits_of(reading, tables)
        reading = next_reading(reading, first, tables)
        pair, triplets = pair_and_triplets(man, pin, sou, honours)
        if pair & (pair - 1):
            continue
        yaku, fu, flat = of_reading(
            man, pin, sou, triplets, pair, meld_runs, meld_triplets, meld_kinds, meld_fu, is_open, flags
        )
        yaku = (yaku | always) & allowed
        closed = y.popcount(triplets) + closed_kans
        waits = y.ways_to_win(man, pin, sou, triplets, pair, win)
        while waits:
            wait = waits & -waits
            waits &= waits - 1
            this = of_wait(counts, melds == 0, yaku, fu, flat, closed, wait, win, tsumo, is_open)
            value = value_of(this, is_open, bonus)
            if value > best_value:
                best_value = value
                best = this
    return best if best & YAKU_BITS else 0


@part
def forms_of(counts: NDArray[np.uint8], melds: int, tables: HandTables) -> tuple[int, int, int]:
    """(the other form that a hand is complete in, its first reading as four sets and a pair, that of its honours).

    A reading is the places in ``tables.readings`` of those of the three suits, one beside the other, and is gone on
    from by :func:`next_reading`; NO_READING if there is none. Honours read in one way only. Thirteen orphans stand
    alone.

    Example: of 111222333m 11p 789s, man has two readings, three runs and three triplets, the others one each: the
    first is ``man | pin << PIN_AT | sou << SOU_AT``, the next has ``man + 1``, and then comes NO_READING.
    """
    words = tables.words
    firsts = tables.firsts
    man, pin, sou, honours = hand_rows(counts, tables)
    other = NO_OTHER
    if melds == 0:
        total = int(words[man]) + int(words[pin]) + int(words[sou]) + int(words[honours])
        if total & 15 == 7 and total >> 4 & 15 == 7:
            other = SEVEN_PAIRS
        elif total >> 8 & 15 == 13 and total >> 12 & 15 and total >> 4 & 15 == 13:
            return ORPHANS, NO_READING, 0
    man_first = np.int64(firsts[man - ROWS])
    pin_first = np.int64(firsts[pin - ROWS])
    sou_first = np.int64(firsts[sou - ROWS])
    honour_first = np.int64(firsts[honours - ROWS])
    if man_first == 0 or pin_first == 0 or sou_first == 0 or honour_first == 0:
        return other, NO_READING, 0
    first = int(man_first | pin_first << PIN_AT | sou_first << SOU_AT)
    return other, first, int(tables.readings[honour_first])


@part
def next_reading(reading: int, first: int, tables: HandTables) -> int:
    """The reading of a hand after another; NO_READING after the last. Those of the last suit change first."""
    readings = tables.readings
    if readings[reading >> SOU_AT] & LAST_READING == 0:
        return reading + (1 << SOU_AT)
    sou = first >> SOU_AT << SOU_AT
    pin = reading >> PIN_AT & PLACE
    if readings[pin] & LAST_READING == 0:
        return sou | (pin + 1) << PIN_AT | reading & PLACE
    man = reading & PLACE
    if readings[man] & LAST_READING == 0:
        return sou | (first >> PIN_AT & PLACE) << PIN_AT | man + 1
    return NO_READING


@part
def suits_of(reading: int, tables: HandTables) -> tuple[int, int, int]:
    """The readings of man, pin and sou that a reading of a hand consists of."""
    readings = tables.readings
    return (
        int(readings[reading & PLACE]),
        int(readings[reading >> PIN_AT & PLACE]),
        int(readings[reading >> SOU_AT]),
    )


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
def of_wait(
    counts: NDArray[np.uint8],
    no_melds: bool,
    yaku: int,
    fu: int,
    flat: bool,
    closed: int,
    wait: int,
    win: int,
    tsumo: bool,
    is_open: bool,
) -> int:
    """The answer for a reading that ``win`` completes in the way ``wait``; ``closed`` triplets are concealed.

    Here stand the yaku that the tile decides: pinfu, concealed triplets, nine gates.
    """
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
    if no_melds and yaku & y.CHINITSU:
        yaku |= y.nine_gates(counts, win)
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
