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

from __future__ import annotations

from typing import TYPE_CHECKING

from engine._jit import kernel
from engine.scoring import yaku_kernels as y
from engine.shanten.reading_kernels import (
    LAST_READING,
    PAIR_AT,
    TRIPLETS_AT,
    TWINS_AT,
)
from engine.shanten.shanten_kernels import honour_row, suit_row
from engine.shanten.table_kernels import ROWS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIN_TSUMO = 1 << 0
WIN_RIICHI = 1 << 1
WIN_DOUBLE_RIICHI = 1 << 2
WIN_IPPATSU = 1 << 3
WIN_CHANKAN = 1 << 4
WIN_RINSHAN = 1 << 5
WIN_LAST_TILE = 1 << 6
WIN_FIRST_TURN = 1 << 7
WIN_OPEN_TANYAO = 1 << 8
SEAT_AT = 9
ROUND_AT = 11

MELD_CHI, MELD_PON, MELD_OPEN_KAN, MELD_CLOSED_KAN = range(4)

FU_AT = 55
YAKU_BITS = (1 << FU_AT) - 1

_TERMINALS = 1 | 1 << 8 | 1 << 9 | 1 << 17 | 1 << 18 | 1 << 26
_HONOURS = 0x7F << 27
_ORPHANS = _TERMINALS | _HONOURS
_SUIT = 0x1FF
_WINDS = 0xF << 27
_DRAGONS = 7 << 31
_GREEN = (1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7) << 18 | 1 << 32
_OUTER_RUNS = 0b1000001 * (1 | 1 << 7 | 1 << 14)
_ITTSUU_RUNS = 0b1001001

# how the winning tile completes the hand
_OPEN_WAIT, _CLOSED_WAIT, _PAIR_WAIT, _TRIPLET_WAIT = 1, 2, 4, 8


@kernel
def popcount(bits: int) -> int:
    """How many bits are set, up to 62."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    # the top byte of the product would be negative beyond 127: fold instead
    bits += bits >> 8
    bits += bits >> 16
    bits += bits >> 32
    return bits & 0x7F


@kernel
def han_of(yaku: int, is_open: bool) -> int:
    """Han of a set of yaku without yakuman, dora not counted."""
    if is_open:
        return popcount(yaku & y.OPEN_1) + 2 * popcount(yaku & y.OPEN_2) + 4 * popcount(yaku & y.OPEN_4)
    return popcount(yaku & y.CLOSED_1) + 2 * popcount(yaku & y.CLOSED_2) + 4 * popcount(yaku & y.CLOSED_4)


@kernel
def base_points(han: int, fu: int, yakuman: int) -> int:
    """The quarter of a non-dealer's ron before rounding; 13 han are a yakuman, and nothing is rounded up to mangan."""
    if yakuman:
        return 8000 * yakuman
    if han >= 5:
        if han >= 13:
            return 8000
        if han >= 11:
            return 6000
        if han >= 8:
            return 4000
        return 3000 if han >= 6 else 2000
    return min(2000, fu << (han + 2))


@kernel
def total_points(base: int, dealer: bool, tsumo: bool) -> int:
    """What the winner gets, honba and sticks aside; each payment is rounded up to a hundred."""
    if not tsumo:
        return (base * (6 if dealer else 4) + 99) // 100 * 100
    double = (base * 2 + 99) // 100 * 100
    if dealer:
        return 3 * double
    return double + 2 * ((base + 99) // 100 * 100)


@kernel
def score_win(
    counts: NDArray[np.uint8],
    melds: int,
    win: int,
    flags: int,
    bonus: int,
    words: NDArray[np.uint32],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
) -> int:
    """Yaku and fu of the reading that is worth most, or 0 when the hand is not complete or has no yaku."""
    man = suit_row(counts, 0, words)
    pin = suit_row(counts, 9, words)
    sou = suit_row(counts, 18, words)
    honours = honour_row(counts, words)
    best = 0
    if melds == 0:
        total = int(words[man]) + int(words[pin]) + int(words[sou]) + int(words[honours])
        if total & 15 == 7 and total >> 4 & 15 == 7:
            best = _seven_pairs(counts, flags)
        elif total >> 8 & 15 == 13 and total >> 12 & 15 and total >> 4 & 15 == 13:
            return _thirteen_orphans(counts, win, flags)
    man = int(firsts[man - ROWS])
    pin = int(firsts[pin - ROWS])
    sou = int(firsts[sou - ROWS])
    honours = int(firsts[honours - ROWS])
    if man == 0 or pin == 0 or sou == 0 or honours == 0:
        return best
    return _standard(counts, melds, win, flags, bonus, man, pin, sou, int(readings[honours]), readings, best)


@kernel
def _standard(
    counts: NDArray[np.uint8],
    melds: int,
    win: int,
    flags: int,
    bonus: int,
    man: int,
    pin: int,
    sou: int,
    honours: int,
    readings: NDArray[np.int64],
    best: int,
) -> int:
    # melds, once for all readings
    meld_runs = 0
    meld_triplets = 0
    meld_kinds = 0
    meld_fu = 0
    closed_kans = 0
    kans = 0
    is_open = False
    rest = melds
    while rest:
        kind = (rest & 63) - 1
        what = rest >> 6 & 3
        rest >>= 8
        if what == MELD_CHI:
            meld_runs |= 1 << (kind - 2 * (kind // 9))
            meld_kinds |= 7 << kind
            is_open = True
            continue
        meld_triplets |= 1 << kind
        meld_kinds |= 1 << kind
        fu = 4 if _ORPHANS >> kind & 1 else 2
        if what == MELD_PON:
            is_open = True
        else:
            kans += 1
            fu *= 4
            if what == MELD_CLOSED_KAN:
                closed_kans += 1
                fu *= 2
            else:
                is_open = True
        meld_fu += fu

    seat = flags >> SEAT_AT & 3
    round_ = flags >> ROUND_AT & 3
    tsumo = flags & WIN_TSUMO
    honour_triplets = (honours >> TRIPLETS_AT & 0x7F) << 27
    honour_pair = (honours >> PAIR_AT & 0x7F) << 27
    honour_kinds = honour_triplets | honour_pair
    always = _circumstances(flags, is_open)
    if not is_open and tsumo and melds == 0 and flags & WIN_FIRST_TURN:
        always |= y.TENHOU if seat == 0 else y.CHIHOU
    if kans == 3:
        always |= y.SANKANTSU
    elif kans == 4:
        always |= y.SUUKANTSU

    best_value = -1
    if best:
        best_value = _value(best & YAKU_BITS, 25, False, bonus)
    m = man
    while True:
        man_reading = int(readings[m])
        p = pin
        while True:
            pin_reading = int(readings[p])
            s = sou
            while True:
                sou_reading = int(readings[s])
                pair = (
                    (man_reading >> PAIR_AT & _SUIT)
                    | (pin_reading >> PAIR_AT & _SUIT) << 9
                    | (sou_reading >> PAIR_AT & _SUIT) << 18
                    | honour_pair
                )
                if pair & (pair - 1) == 0:
                    triplets = (
                        (man_reading >> TRIPLETS_AT & _SUIT)
                        | (pin_reading >> TRIPLETS_AT & _SUIT) << 9
                        | (sou_reading >> TRIPLETS_AT & _SUIT) << 18
                        | honour_triplets
                    )
                    man_runs = man_reading & 0x7F
                    pin_runs = pin_reading & 0x7F
                    sou_runs = sou_reading & 0x7F
                    own_runs = man_runs | pin_runs << 7 | sou_runs << 14
                    runs = own_runs | meld_runs
                    all_triplets = triplets | meld_triplets
                    kinds = (
                        all_triplets
                        | pair
                        | (man_runs | man_runs << 1 | man_runs << 2)
                        | (pin_runs | pin_runs << 1 | pin_runs << 2) << 9
                        | (sou_runs | sou_runs << 1 | sou_runs << 2) << 18
                        | meld_kinds
                        | honour_kinds
                    )
                    yaku = always | _of_kinds(kinds, is_open, flags) | _of_honours(all_triplets, pair, seat, round_)
                    if runs:
                        yaku |= _of_runs(runs)
                        if not is_open:
                            twins = (man_reading >> TWINS_AT & 7) + (pin_reading >> TWINS_AT & 7)
                            twins += sou_reading >> TWINS_AT & 7
                            if twins == 1:
                                yaku |= y.IIPEIKOU
                            elif twins == 2:
                                yaku |= y.RYANPEIKOU
                        if runs & ~_OUTER_RUNS == 0 and all_triplets & ~_ORPHANS == 0 and pair & ~_ORPHANS == 0:
                            yaku |= y.CHANTA if kinds & _HONOURS else y.JUNCHAN
                    else:
                        yaku |= y.TOITOI
                    same = all_triplets & all_triplets >> 9 & all_triplets >> 18 & _SUIT
                    if same:
                        yaku |= y.SANSHOKU_DOUKOU
                    if melds == 0 and kinds & ~(_SUIT << 9 * (win // 9)) == 0:
                        yaku |= _nine_gates(counts, win)

                    fu = 20 + meld_fu + 4 * popcount(triplets) + 4 * popcount(triplets & _ORPHANS)
                    if pair & _DRAGONS:
                        fu += 2
                    if pair >> (27 + seat) & 1:
                        fu += 2
                    if pair >> (27 + round_) & 1:
                        fu += 2
                    flat = not is_open and all_triplets == 0 and fu == 20  # pinfu but for the wait
                    if tsumo:
                        fu += 2
                    elif not is_open:
                        fu += 10
                    closed = popcount(triplets) + closed_kans
                    waits = _waits(man_reading, pin_reading, sou_reading, triplets, pair, win)
                    while waits:
                        wait = waits & -waits
                        waits &= waits - 1
                        this = yaku
                        this_fu = fu
                        this_closed = closed
                        if wait == _OPEN_WAIT:
                            if flat:
                                this |= y.PINFU
                                this_fu = 20 if tsumo else 30
                        elif wait != _TRIPLET_WAIT:
                            this_fu += 2
                        elif not tsumo:
                            # a triplet completed by another's tile counts as open
                            this_closed -= 1
                            this_fu -= 4 if _ORPHANS >> win & 1 else 2
                        if this_closed == 3:
                            this |= y.SANANKOU
                        elif this_closed == 4:
                            this |= y.SUUANKOU_TANKI if wait == _PAIR_WAIT else y.SUUANKOU
                        this_fu = (this_fu + 9) // 10 * 10
                        if this_fu == 20 and is_open:
                            this_fu = 30
                        if this & y.ALL_YAKUMAN:
                            this &= y.ALL_YAKUMAN
                        value = _value(this, this_fu, is_open, bonus)
                        if value > best_value:
                            best_value = value
                            best = this | (this_fu // 5) << FU_AT
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


@kernel
def _value(yaku: int, fu: int, is_open: bool, bonus: int) -> int:
    """Orders readings: by points, then han, then fu; -1 without a yaku."""
    if yaku == 0:
        return -1
    if yaku & y.ALL_YAKUMAN:
        return popcount(yaku) << 40
    han = han_of(yaku, is_open) + bonus
    return base_points(han, fu, 0) << 20 | han << 10 | fu


@kernel
def _circumstances(flags: int, is_open: bool) -> int:
    """Yaku of how the win came about."""
    yaku = 0
    if not is_open:
        if flags & WIN_TSUMO:
            yaku |= y.TSUMO
        if flags & WIN_DOUBLE_RIICHI:
            yaku |= y.DOUBLE_RIICHI
        elif flags & WIN_RIICHI:
            yaku |= y.RIICHI
        if flags & WIN_IPPATSU:
            yaku |= y.IPPATSU
    if flags & WIN_CHANKAN:
        yaku |= y.CHANKAN
    if flags & WIN_RINSHAN:
        yaku |= y.RINSHAN
    if flags & WIN_LAST_TILE:
        yaku |= y.HAITEI if flags & WIN_TSUMO else y.HOUTEI
    return yaku


@kernel
def _of_kinds(kinds: int, is_open: bool, flags: int) -> int:
    """Yaku of which kinds there are, whatever sets they form."""
    yaku = 0
    if kinds & _ORPHANS == 0 and (not is_open or flags & WIN_OPEN_TANYAO):
        yaku |= y.TANYAO
    suits = (kinds & _SUIT != 0) + (kinds >> 9 & _SUIT != 0) + (kinds >> 18 & _SUIT != 0)
    if suits == 1:
        yaku |= y.HONITSU if kinds & _HONOURS else y.CHINITSU
        if kinds & ~_GREEN == 0:
            yaku |= y.RYUUIISOU
    elif suits == 0:
        return yaku | y.TSUUIISOU
    if kinds & ~_ORPHANS == 0:
        yaku |= y.HONROUTOU if kinds & _HONOURS else y.CHINROUTOU
    return yaku


@kernel
def _of_honours(triplets: int, pair: int, seat: int, round_: int) -> int:
    """Yakuhai and what is made of winds and dragons."""
    yaku = 0
    if triplets & _HONOURS == 0:
        return yaku
    yaku |= (triplets >> 31 & 7) * y.HAKU
    dragons = popcount(triplets & _DRAGONS)
    if dragons == 3:
        yaku |= y.DAISANGEN
    elif dragons == 2 and pair & _DRAGONS:
        yaku |= y.SHOUSANGEN
    yaku |= (triplets >> (27 + seat) & 1) * (y.SEAT_EAST << seat)
    yaku |= (triplets >> (27 + round_) & 1) * (y.ROUND_EAST << round_)
    winds = popcount(triplets & _WINDS)
    if winds == 4:
        yaku |= y.DAISUUSHII
    elif winds == 3 and pair & _WINDS:
        yaku |= y.SHOUSUUSHII
    return yaku


@kernel
def _of_runs(runs: int) -> int:
    """Sanshoku and ittsuu."""
    yaku = 0
    if runs & runs >> 7 & runs >> 14 & 0x7F:
        yaku |= y.SANSHOKU_DOUJUN
    for suit in range(3):
        if runs >> 7 * suit & _ITTSUU_RUNS == _ITTSUU_RUNS:
            yaku |= y.ITTSUU
    return yaku


@kernel
def _nine_gates(counts: NDArray[np.uint8], win: int) -> int:
    """Chuuren of a closed one-suit hand: 1112345678999 and any; pure when the win is on the odd one."""
    start = win // 9 * 9
    if start == 27 or counts[start] < 3 or counts[start + 8] < 3:
        return 0
    for kind in range(start + 1, start + 8):
        if counts[kind] == 0:
            return 0
    odd = counts[win] == 4 or (counts[win] == 2 and win != start and win != start + 8)
    return y.PURE_CHUUREN if odd else y.CHUUREN


@kernel
def _waits(man: int, pin: int, sou: int, triplets: int, pair: int, win: int) -> int:
    """The ways in which ``win`` may have completed this reading, as _WAIT bits."""
    waits = 0
    if pair >> win & 1:
        waits |= _PAIR_WAIT
    if triplets >> win & 1:
        waits |= _TRIPLET_WAIT
    if win < 27:
        runs = man if win < 9 else (pin if win < 18 else sou)
        number = win % 9
        # the run in which the tile is lowest, middle, highest; bit `number + 2` of the shifted mask is that run
        around = (runs & 0x7F) << 2 >> number
        if around & 4:
            waits |= _CLOSED_WAIT if number == 6 else _OPEN_WAIT
        if around & 2:
            waits |= _CLOSED_WAIT
        if around & 1:
            waits |= _CLOSED_WAIT if number == 2 else _OPEN_WAIT
    return waits


@kernel
def _seven_pairs(counts: NDArray[np.uint8], flags: int) -> int:
    kinds = 0
    for kind in range(34):
        if counts[kind]:
            kinds |= 1 << kind
    yaku = y.CHIITOITSU | _circumstances(flags, False) | _of_kinds(kinds, False, flags)
    if flags & WIN_TSUMO and flags & WIN_FIRST_TURN:
        yaku |= y.TENHOU if flags >> SEAT_AT & 3 == 0 else y.CHIHOU
    if yaku & y.ALL_YAKUMAN:
        yaku &= y.ALL_YAKUMAN
    return yaku | 5 << FU_AT


@kernel
def _thirteen_orphans(counts: NDArray[np.uint8], win: int, flags: int) -> int:
    yaku = y.KOKUSHI_THIRTEEN if counts[win] == 2 else y.KOKUSHI
    if flags & WIN_TSUMO and flags & WIN_FIRST_TURN:
        yaku |= y.TENHOU if flags >> SEAT_AT & 3 == 0 else y.CHIHOU
    return yaku


@kernel
def batch_wins(
    counts: NDArray[np.uint8],
    melds: NDArray[np.uint32],
    wins: NDArray[np.uint8],
    flags: NDArray[np.uint16],
    bonus: NDArray[np.uint8],
    words: NDArray[np.uint32],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    yaku: NDArray[np.int64],
    points: NDArray[np.int32],
) -> None:
    """Score n hands: the packed answer of each into ``yaku``, its points into ``points`` (0 for no win)."""
    for row in range(len(counts)):
        flag = int(flags[row])
        meld = int(melds[row])
        extra = int(bonus[row])
        answer = score_win(counts[row], meld, int(wins[row]), flag, extra, words, firsts, readings)
        yaku[row] = answer
        points[row] = points_of(answer, open_melds(meld), flag, extra)


@kernel
def open_melds(melds: int) -> bool:
    """Whether any meld is open."""
    while melds:
        if melds >> 6 & 3 != MELD_CLOSED_KAN:
            return True
        melds >>= 8
    return False


@kernel
def points_of(answer: int, is_open: bool, flags: int, bonus: int) -> int:
    """Points of a packed answer of :func:`score_win`; 0 for no win."""
    yaku = answer & YAKU_BITS
    if yaku == 0:
        return 0
    yakuman = popcount(yaku & y.ALL_YAKUMAN)
    han = 0 if yakuman else han_of(yaku, is_open) + bonus
    base = base_points(han, 5 * (answer >> FU_AT), yakuman)
    return total_points(base, flags >> SEAT_AT & 3 == 0, flags & WIN_TSUMO != 0)
