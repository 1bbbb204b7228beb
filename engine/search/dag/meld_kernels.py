"""Melds of a row: which sets its incoming tiles could have been called for.

A set is a small number: chi 0-20 (suit * 7 + lowest rank), pon 21 + tile34, closed kan 55 + tile34, open kan
89 + tile34. The new melds of a hand are one int64: set + 1 in seven bits a meld, ascending from the low bits; melds
the root already has are not in it. A *variant* is a row with its melds; its hands are the row's hands whose concealed
tiles suffice for the melds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.pattern_kernels import KEY_BITS
from engine.search.dag.row_kernels import TILE
from engine.search.dag.table_kernels import grown16, grown32, grown64

MELD_BITS = 7
MELD = (1 << MELD_BITS) - 1
PON = 21
CLOSED_KAN = 55
OPEN_KAN = 89


@kernel
def chi_tile(chi: int) -> int:
    """The lowest tile34 of a chi."""
    return chi // 7 * 9 + chi % 7


@kernel
def with_meld(melds: int, meld: int) -> int:
    """The melds with one more."""
    shift = 0
    while (melds >> shift) & MELD and (melds >> shift) & MELD <= meld:
        shift += MELD_BITS
    return melds & ((1 << shift) - 1) | (meld + 1) << shift | (melds >> shift) << (shift + MELD_BITS)


@kernel
def without_meld_at(melds: int, shift: int) -> int:
    """The melds without the one at bit ``shift``."""
    return melds & ((1 << shift) - 1) | (melds >> (shift + MELD_BITS)) << shift


@kernel
def take_meld(counts: NDArray[np.int8], meld: int, sign: int) -> None:
    """Add ``sign`` times the three tiles of the meld (a kan counts as three) to ``counts``."""
    if meld < PON:
        tile = chi_tile(meld)
        counts[tile] += sign
        counts[tile + 1] += sign
        counts[tile + 2] += sign
    else:
        counts[(meld - PON) % 34] += 3 * sign


@kernel
def _callable(came: NDArray[np.int8], melds: int) -> bool:
    # every meld needs its own tile among those that came; at most four melds of at most three choices
    if melds == 0:
        return True
    meld = (melds & MELD) - 1
    tile = chi_tile(meld) if meld < PON else (meld - PON) % 34
    choices = 3 if meld < PON else 1
    for choice in range(choices):
        if came[tile + choice]:
            came[tile + choice] -= 1
            rest = melds >> MELD_BITS
            if rest == 0:
                fits = True
            else:
                fits = _callable_two(came, rest)
            came[tile + choice] += 1
            if fits:
                return True
    return False


@kernel
def _callable_two(came: NDArray[np.int8], melds: int) -> bool:
    # the remaining at most three melds: an odometer over their choices
    number = 0
    rest = melds
    ways = 1
    while rest:
        ways *= 3
        number += 1
        rest >>= MELD_BITS
    for way in range(ways):
        fits = True
        taken = 0
        digits = way
        while taken < number and fits:
            meld = ((melds >> (MELD_BITS * taken)) & MELD) - 1
            choice = digits % 3
            digits //= 3
            if meld < PON:
                tile = chi_tile(meld) + choice
            else:
                tile = (meld - PON) % 34
                fits = choice == 0
            came[tile] -= 1
            fits = fits and came[tile] >= 0
            taken += 1
        digits = way
        for undo in range(taken):
            meld = ((melds >> (MELD_BITS * undo)) & MELD) - 1
            came[chi_tile(meld) + digits % 3 if meld < PON else (meld - PON) % 34] += 1
            digits //= 3
        if fits:
            return True
    return False


@kernel
def list_variants(
    held: NDArray[np.int8],
    stride: NDArray[np.int32],
    row_key: NDArray[np.int64],
    by_level: NDArray[np.int32],
    hand_start: NDArray[np.int32],
    hand_end: NDArray[np.int32],
    hand_out: NDArray[np.int16],
    out_packed: NDArray[np.int64],
    most_calls: int,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int16],
]:
    """Every row with every set of at most ``most_calls`` melds, and their hands, which are the nodes of the search.

    Rows are taken in the order ``by_level``, so that nodes ascend with their level.

    Returns:
        first, last: int32[rows], row r has the variants ``first[r]`` to ``last[r] - 1``, the one without melds first.
        melds: int64[variants].
        node_start: int32[variants + 1], the nodes of each variant.
        node_out: int16[nodes], the out number of each node.
    """
    rows = len(row_key)
    first = np.zeros(rows, np.int32)
    last = np.zeros(rows, np.int32)
    room = 2 * rows + 256
    melds = np.empty(room, np.int64)
    node_start = np.empty(room + 1, np.int32)
    node_out = np.empty(len(hand_out) + 1024, np.int16)
    slot_shift = np.full(34, -1, np.int64)
    used = 0
    high = 0
    for kind in range(34):
        if stride[kind]:
            slot_shift[kind] = SLOT_BITS * used
            high |= 8 << (SLOT_BITS * used)
            used += 1
    came = np.zeros(34, np.int8)
    counts = held.copy()
    variants = 0
    nodes = 0
    sets = np.empty(24, np.int64)
    for place in range(rows):
        row = by_level[place]
        first[row] = variants
        hands = hand_end[row] - hand_start[row]
        if variants + 2 > room:
            room *= 2
            melds = grown64(melds, room)
            node_start = grown32(node_start, room + 1)
        if nodes + hands > len(node_out):
            node_out = grown16(node_out, 2 * len(node_out) + hands)
        melds[variants] = 0
        node_start[variants] = nodes
        variants += 1
        for entry in range(hand_start[row], hand_end[row]):
            node_out[nodes] = hand_out[entry]
            nodes += 1
        last[row] = variants
        key = row_key[row]
        if most_calls == 0 or key == 0 or hands == 0:
            continue
        rest = key
        while rest:
            came[(rest & TILE) - 1] += 1
            counts[(rest & TILE) - 1] += 1
            rest >>= KEY_BITS
        # the sets that a tile of the row could have been called for
        number = 0
        rest = key
        while rest:
            kind = (rest & TILE) - 1
            if counts[kind] >= 3:
                number = _add_set(sets, number, PON + kind)
            if kind < 27:
                rank = kind % 9
                for low in range(max(0, rank - 2), min(6, rank) + 1):
                    tile = kind - rank + low
                    if counts[tile] and counts[tile + 1] and counts[tile + 2]:
                        number = _add_set(sets, number, kind // 9 * 7 + low)
            rest >>= KEY_BITS
        # breadth first: variants with one meld more than those of the round before
        begin = variants - 1
        for calls in range(1, most_calls + 1):
            end = variants
            for base in range(begin, end):
                top = 0
                shift = 0
                while (melds[base] >> shift) & MELD:
                    top = ((melds[base] >> shift) & MELD) - 1
                    take_meld(counts, top, -1)
                    shift += MELD_BITS
                for chosen in range(number):
                    meld = sets[chosen]
                    if meld < top:
                        continue
                    take_meld(counts, meld, -1)
                    short = False
                    cap = 0
                    for kind in range(34):
                        if counts[kind] < 0:
                            short = True
                            break
                        if slot_shift[kind] >= 0:
                            cap |= np.int64(counts[kind]) << slot_shift[kind]
                    together = melds[base] | (meld + 1) << (MELD_BITS * (calls - 1))
                    if not short and (calls == 1 or _callable(came, together)):
                        if variants + 2 > room:
                            room *= 2
                            melds = grown64(melds, room)
                            node_start = grown32(node_start, room + 1)
                        if nodes + hands > len(node_out):
                            node_out = grown16(node_out, 2 * len(node_out) + hands)
                        melds[variants] = together
                        node_start[variants] = nodes
                        for entry in range(hand_start[row], hand_end[row]):
                            out = hand_out[entry]
                            if ((cap | high) - out_packed[out]) & high == high:
                                node_out[nodes] = out
                                nodes += 1
                        if nodes > node_start[variants]:
                            variants += 1
                    take_meld(counts, meld, 1)
                rest = melds[base]
                while rest:
                    take_meld(counts, (rest & MELD) - 1, 1)
                    rest >>= MELD_BITS
            begin = end
        last[row] = variants
        rest = key
        while rest:
            came[(rest & TILE) - 1] -= 1
            counts[(rest & TILE) - 1] -= 1
            rest >>= KEY_BITS
    node_start[variants] = nodes
    return first, last, melds[:variants], node_start[: variants + 1], node_out[:nodes]


@kernel
def _add_set(sets: NDArray[np.int64], number: int, chosen: int) -> int:
    place = number
    for other in range(number):
        if sets[other] == chosen:
            return number
    while place > 0 and sets[place - 1] > chosen:
        sets[place] = sets[place - 1]
        place -= 1
    sets[place] = chosen
    return number + 1
