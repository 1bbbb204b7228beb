"""Points of a win, and who pays how much: honba, sticks and liability; exhaustive draws; the result of a game."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel, part
from engine.model.rules import NOTEN_POINTS, RIICHI_STICK
from engine.scoring import yaku_kernels as y

NOBODY = -1
MANGAN = 2000
ALMOST_MANGAN = 1920
"""Base points; the latter of 4 han 30 fu and 3 han 60 fu."""


@kernel("scoring", seconds=0.2)
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


@kernel("scoring", seconds=0.2)
def total_points(base: int, dealer: bool, tsumo: bool) -> int:
    """What the winner gets, honba and sticks aside; each payment is rounded up to a hundred."""
    if not tsumo:
        return (base * (6 if dealer else 4) + 99) // 100 * 100
    double = (base * 2 + 99) // 100 * 100
    if dealer:
        return 3 * double
    return double + 2 * ((base + 99) // 100 * 100)


@part
def up(points: int) -> int:
    """Points rounded up to a hundred."""
    return (points + 99) // 100 * 100


@kernel("scoring", seconds=0.3)
def pay_win(
    base: int,
    seat: int,
    from_seat: int,
    dealer: int,
    honba: int,
    sticks: int,
    pao: int,
    honba_points: int,
    deltas: NDArray[np.int64],
) -> None:
    """Write the change of each seat's points by a win into ``deltas`` (4).

    Args:
        base: base points.
        seat: who wins.
        from_seat: who discarded the tile; the winner's own seat for a self-draw.
        dealer: who deals.
        honba: to be paid; 0 for the second winner on a tile.
        sticks: on the table; 0 for the second winner on a tile.
        pao: the liable seat, who pays a self-draw alone, half of a ron, and the honba of both; -1 if nobody is.
        honba_points: that each honba adds.
        deltas: where to write.
    """
    deltas[:] = 0
    if seat == from_seat:
        for other in range(4):
            if other != seat:
                payer = other if pao == NOBODY else pao
                double = dealer in (seat, other)
                deltas[payer] -= up(base * 2 if double else base) + honba_points // 3 * honba
    else:
        points = up(base * 6 if seat == dealer else base * 4)
        if pao == NOBODY:
            deltas[from_seat] -= points + honba_points * honba
        else:
            deltas[from_seat] -= points // 2
            deltas[pao] -= points // 2 + honba_points * honba
    deltas[seat] = -(deltas[0] + deltas[1] + deltas[2] + deltas[3]) + RIICHI_STICK * sticks


@kernel("scoring", seconds=0.3)
def liable_seat(
    yaku: int,
    melds: int,
    meld_kinds: NDArray[np.int8],
    meld_lows: NDArray[np.int8],
    meld_from: NDArray[np.int8],
    giver: int,
) -> int:
    """The seat that fed the last set of a daisangen or daisuushii whose sets are all melds, or NOBODY.

    Also NOBODY if it is the discarder, who pays everything anyway: Tenhou names nobody then.

    Args:
        yaku: bits of the yaku of the win.
        melds: how many melds the winner has.
        meld_kinds: of each, oldest first, its :class:`engine.model.melds.MeldKind`.
        meld_lows: its (lowest) kind.
        meld_from: the seat that it came from.
        giver: the discarder; the winner's own seat for a self-draw.
    """
    kinds = _DRAGONS if yaku & y.DAISANGEN else _WINDS if yaku & y.DAISUUSHII else 0
    found = 0
    last = -1
    for at in range(melds):
        if kinds >> int(meld_lows[at]) & 1:
            found |= 1 << int(meld_lows[at])
            last = at
    if last < 0 or found != kinds or meld_kinds[last] == _CLOSED_KAN or meld_from[last] == giver:
        return NOBODY
    return int(meld_from[last])


_DRAGONS = 7 << 31
_WINDS = 15 << 27
_CLOSED_KAN = 3  # MeldKind.ANKAN


@kernel("scoring", seconds=0.2)
def pay_noten(tenpai: int, deltas: NDArray[np.int64]) -> None:
    """Write what an exhaustive draw changes into ``deltas`` (4); ``tenpai``: bit set of seats."""
    number = (tenpai & 1) + (tenpai >> 1 & 1) + (tenpai >> 2 & 1) + (tenpai >> 3 & 1)
    for seat in range(4):
        if number in (0, 4):
            deltas[seat] = 0
        else:
            deltas[seat] = NOTEN_POINTS // number if tenpai >> seat & 1 else -(NOTEN_POINTS // (4 - number))


@kernel("scoring", seconds=0.2)
def pay_nagashi(nagashi: int, dealer: int, deltas: NDArray[np.int64]) -> None:
    """Write what nagashi mangan of the seats in the bit set change into ``deltas`` (4)."""
    deltas[:] = 0
    for seat in range(4):
        if nagashi >> seat & 1:
            for other in range(4):
                if other != seat:
                    paid = MANGAN * (2 if dealer in (seat, other) else 1)
                    deltas[other] -= paid
                    deltas[seat] += paid


@kernel("scoring", seconds=0.3)
def result_tenths(
    scores: NDArray[np.int64], uma: NDArray[np.int64], return_points: int, whole: bool, results: NDArray[np.int64]
) -> None:
    """Write the result of a game by seat into ``results`` (4), in tenths of 1 000 points; the first gets the rest.

    Equal points: the earlier seat stands above. ``uma`` (4) is by place, in thousands. ``whole``: the scores of the
    others count as whole thousands, the nearest, a half away from zero.
    """
    first = 0
    sum_of_others = 0
    for seat in range(4):
        place = 0
        for other in range(4):
            if scores[other] > scores[seat] or (scores[other] == scores[seat] and other < seat):
                place += 1
        if place:
            points = scores[seat]
            if whole:
                points = (abs(points) + 500) // 1000 * (1000 if points > 0 else -1000)
            results[seat] = (points - return_points) // 100 + 10 * uma[place]
            sum_of_others += results[seat]
        else:
            first = seat
    results[first] = -sum_of_others
