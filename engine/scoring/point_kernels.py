"""Han, base points and points."""

from __future__ import annotations

from engine._jit import kernel, part
from engine.scoring import yaku_kernels as y


@part
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


@part
def han_of(yaku: int, is_open: bool) -> int:
    """Han of a set of yaku without yakuman, dora not counted."""
    if is_open:
        return popcount(yaku & y.OPEN_1) + 2 * popcount(yaku & y.OPEN_2) + 4 * popcount(yaku & y.OPEN_4)
    return popcount(yaku & y.CLOSED_1) + 2 * popcount(yaku & y.CLOSED_2) + 4 * popcount(yaku & y.CLOSED_4)


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
