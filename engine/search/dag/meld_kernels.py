"""Melds of a row: which sets its incoming tiles could have been called for.

A set is a small number: chi 0-20 (suit * 7 + lowest rank), pon 21 + tile34, closed kan 55 + tile34, open kan
89 + tile34. The new melds of a hand are one int64: set + 1 in seven bits a meld, ascending from the low bits; melds
the root already has are not in it, but for an open kan made of the root's pon. A *variant* is a row with its melds;
its hands are the row's hands whose concealed tiles suffice for the melds.

A kan counts as three tiles, so its fourth is in none of the exchanges: it *came in besides*, unless the root held all
four. A hand with a kan has no other tile of the kind.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, kernel, part
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.graph_kernels import grown
from engine.search.dag.pattern_kernels import KEY_BITS
from engine.search.dag.row_kernels import TILE

MELD_BITS = 7
MELD = (1 << MELD_BITS) - 1
PON = 21
CLOSED_KAN = 55
OPEN_KAN = 89


@part
def chi_tile(chi: int) -> int:
    """The lowest tile34 of a chi."""
    return chi // 7 * 9 + chi % 7


@part
def with_meld(melds: int, meld: int) -> int:
    """The melds with one more."""
    shift = 0
    while (melds >> shift) & MELD and (melds >> shift) & MELD <= meld:
        shift += MELD_BITS
    return melds & ((1 << shift) - 1) | (meld + 1) << shift | (melds >> shift) << (shift + MELD_BITS)


@part
def without_meld_at(melds: int, shift: int) -> int:
    """The melds without the one at bit ``shift``."""
    return melds & ((1 << shift) - 1) | (melds >> (shift + MELD_BITS)) << shift


@part
def take_meld(counts: NDArray[np.int8], meld: int, sign: int, root_pons: int) -> None:
    """Add ``sign`` times the three tiles of the meld to ``counts``; of the root's pons none is there."""
    if meld < PON:
        tile = chi_tile(meld)
        counts[tile] += sign
        counts[tile + 1] += sign
        counts[tile + 2] += sign
    elif meld < OPEN_KAN or not (root_pons >> (meld - OPEN_KAN)) & 1:
        counts[(meld - PON) % 34] += 3 * sign


@part
def kans_of(melds: int) -> int:
    """How many of the melds are kans."""
    kans = 0
    while melds:
        kans += melds & MELD > CLOSED_KAN
        melds >>= MELD_BITS
    return kans


@part
def calls_of(melds: int, root_pons: int) -> int:
    """How many of the melds were called: not closed kans, nor those made of the root's pons."""
    calls = 0
    while melds:
        meld = (melds & MELD) - 1
        calls += meld < CLOSED_KAN or (meld >= OPEN_KAN and not (root_pons >> (meld - OPEN_KAN)) & 1)
        melds >>= MELD_BITS
    return calls


@kernel("dag", seconds=0.2)
def kan_kinds(melds: int) -> int:
    """The kinds of the kans, as bits."""
    kinds = 0
    while melds:
        meld = (melds & MELD) - 1
        if meld >= CLOSED_KAN:
            kinds |= 1 << ((meld - PON) % 34)
        melds >>= MELD_BITS
    return kinds


@part
def tiles_besides(melds: int, held: NDArray[np.int8], root_pons: int) -> int:
    """The kinds of the kans whose fourth tile came in besides, as bits."""
    kinds = kan_kinds(melds)
    for kind in range(34):
        if (kinds >> kind) & 1 and held[kind] == (1 if (root_pons >> kind) & 1 else 4):
            kinds &= ~(1 << kind)
    return kinds


@part
def _callable(came: NDArray[np.int8], melds: int) -> bool:
    # every chi and pon needs its own tile among those that came; kans bring theirs, and stand behind the others
    number = 0
    ways = 1
    while (melds >> (MELD_BITS * number)) & MELD and (melds >> (MELD_BITS * number)) & MELD <= CLOSED_KAN:
        ways *= 3
        number += 1
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
                tile = meld - PON
                fits = choice == 0
            came[tile] -= 1
            fits = fits and came[tile] >= 0
            taken += 1
        digits = way
        for undo in range(taken):
            meld = ((melds >> (MELD_BITS * undo)) & MELD) - 1
            came[chi_tile(meld) + digits % 3 if meld < PON else meld - PON] += 1
            digits //= 3
        if fits:
            return True
    return False


@part
def _list_sets(
    row: int,
    came: NDArray[np.int8],
    counts: NDArray[np.int8],
    held: NDArray[np.int8],
    unseen: NDArray[np.int8],
    root_pons: int,
    calls: bool,
    kans: int,
    sets: NDArray[np.int64],
) -> int:
    # the sets that a tile of the row could have been called for, ascending, then the kans of the kinds in `kans`
    number = 0
    rest = row
    while rest and calls:
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
    for kind in range(34):
        if not (kans >> kind) & 1:
            continue
        own = 0 if (root_pons >> kind) & 1 else 3
        # three and a fourth that can still come, or all four from the root
        if counts[kind] == own:
            if came[kind] >= unseen[kind]:
                continue
        elif held[kind] != own + 1 or came[kind]:
            continue
        if own:
            number = _add_set(sets, number, CLOSED_KAN + kind)
        if not own or (calls and held[kind] < 4):
            number = _add_set(sets, number, OPEN_KAN + kind)
    return number


@allocating_part
def list_variants(
    held: NDArray[np.int8],
    unseen: NDArray[np.int8],
    stride: NDArray[np.int32],
    row_key: NDArray[np.int64],
    by_level: NDArray[np.int32],
    hand_start: NDArray[np.int32],
    hand_end: NDArray[np.int32],
    hand_out: NDArray[np.uint16],
    out_packed: NDArray[np.int64],
    root_pons: int,
    most_calls: int,
    most_kans: int,
    kans: int,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.uint16],
]:
    """Every row with every set of at most ``most_calls`` calls, and their hands, which are the nodes of the search.

    Rows are taken in the order ``by_level``, so that nodes ascend with their level. ``root_pons`` are the kinds of the
    root's pons as bits, ``kans`` the kinds that kans are made of, ``most_kans`` how many of them.

    Returns:
        first, last: int32[rows], row r has the variants ``first[r]`` to ``last[r] - 1``, the one without melds first.
        melds: int64[variants].
        node_start: int32[variants + 1], the nodes of each variant.
        node_out: uint16[nodes], the out number of each node.
    """
    rows = len(row_key)
    first = np.zeros(rows, np.int32)
    last = np.zeros(rows, np.int32)
    room = (2 if most_calls or kans else 1) * rows + 256
    melds = np.empty(room, np.int64)
    node_start = np.empty(room + 1, np.int32)
    node_out = np.empty((3 if most_calls or kans else 1) * len(hand_out) + 1024, np.uint16)
    slot_shift = np.full(34, -1, np.int64)
    used = 0
    for kind in range(34):
        if stride[kind]:
            slot_shift[kind] = SLOT_BITS * used
            used += 1
    filled = np.zeros(3, np.int64)
    came = np.empty(34, np.int8)
    counts = np.empty(34, np.int8)
    sets = np.empty(4 * 34, np.int64)
    while not _fill_variants(
        held, unseen, row_key, by_level, hand_start, hand_end, hand_out, out_packed, root_pons, most_calls, most_kans,
        kans, slot_shift, came, counts, sets, filled, first, last, melds, node_start, node_out,
    ):  # fmt: skip
        room *= 2
        melds = grown(melds, room)
        node_start = grown(node_start, room + 1)
        node_out = grown(node_out, 2 * len(node_out))
    variants, nodes = filled[1], filled[2]
    node_start[variants] = nodes
    return first, last, melds[:variants], node_start[: variants + 1], node_out[:nodes]


@part
def _fill_variants(
    held: NDArray[np.int8],
    unseen: NDArray[np.int8],
    row_key: NDArray[np.int64],
    by_level: NDArray[np.int32],
    hand_start: NDArray[np.int32],
    hand_end: NDArray[np.int32],
    hand_out: NDArray[np.uint16],
    out_packed: NDArray[np.int64],
    root_pons: int,
    most_calls: int,
    most_kans: int,
    kans: int,
    slot_shift: NDArray[np.int64],
    came: NDArray[np.int8],
    counts: NDArray[np.int8],
    sets: NDArray[np.int64],
    filled: NDArray[np.int64],
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    melds: NDArray[np.int64],
    node_start: NDArray[np.int32],
    node_out: NDArray[np.uint16],
) -> bool:
    # go on from `filled` (rows done, variants, nodes); False when a row has not enough room
    high = np.int64(0)
    for kind in range(34):
        came[kind] = 0
        counts[kind] = held[kind]
        if slot_shift[kind] >= 0:
            high |= np.int64(8) << slot_shift[kind]
    rounds = most_calls + (most_kans if kans else 0)
    for place in range(filled[0], len(row_key)):
        row = by_level[place]
        variants, nodes = filled[1], filled[2]
        hands = hand_end[row] - hand_start[row]
        if variants + 2 > len(melds) or nodes + hands > len(node_out):
            return False
        first[row] = variants
        melds[variants] = 0
        node_start[variants] = nodes
        variants += 1
        for entry in range(hand_start[row], hand_end[row]):
            node_out[nodes] = hand_out[entry]
            nodes += 1
        key = row_key[row]
        if rounds and hands and (key or kans):
            rest = key
            while rest:
                came[(rest & TILE) - 1] += 1
                counts[(rest & TILE) - 1] += 1
                rest >>= KEY_BITS
            number = _list_sets(key, came, counts, held, unseen, root_pons, most_calls > 0, kans, sets)
            # breadth first: variants with one meld more than those of the round before
            begin = variants - 1
            for size in range(1, rounds + 1):
                end = variants
                for base in range(begin, end):
                    top = 0
                    shift = 0
                    while (melds[base] >> shift) & MELD:
                        top = ((melds[base] >> shift) & MELD) - 1
                        take_meld(counts, top, -1, root_pons)
                        shift += MELD_BITS
                    for chosen in range(number):
                        meld = sets[chosen]
                        if meld < top or (meld >= CLOSED_KAN and meld == top):
                            continue
                        together = melds[base] | (meld + 1) << (MELD_BITS * (size - 1))
                        kan = kan_kinds(together) if kans else 0
                        if calls_of(together, root_pons) > most_calls or (kan and kans_of(together) > most_kans):
                            continue
                        take_meld(counts, meld, -1, root_pons)
                        short = False
                        cap = np.int64(0)
                        exact = np.int64(0)
                        for kind in range(34):
                            # the root's fourth tile of a kan is in the kan: no other meld has it
                            fourth = (kan >> kind) & 1 and held[kind] == (1 if (root_pons >> kind) & 1 else 4)
                            if counts[kind] < 0 or (fourth and counts[kind] != 1):
                                short = True
                                break
                            if slot_shift[kind] >= 0:
                                cap |= np.int64(counts[kind]) << slot_shift[kind]
                                if (kan >> kind) & 1:
                                    exact |= np.int64(7) << slot_shift[kind]
                        if not short and (size == 1 or _callable(came, together)):
                            if variants + 2 > len(melds) or nodes + hands > len(node_out):
                                return False
                            melds[variants] = together
                            node_start[variants] = nodes
                            for entry in range(hand_start[row], hand_end[row]):
                                out = hand_out[entry]
                                packed = out_packed[out]
                                if ((cap | high) - packed) & high == high and (packed ^ cap) & exact == 0:
                                    node_out[nodes] = out
                                    nodes += 1
                            if nodes > node_start[variants]:
                                variants += 1
                        take_meld(counts, meld, 1, root_pons)
                    rest = melds[base]
                    while rest:
                        take_meld(counts, (rest & MELD) - 1, 1, root_pons)
                        rest >>= MELD_BITS
                begin = end
            rest = key
            while rest:
                came[(rest & TILE) - 1] -= 1
                counts[(rest & TILE) - 1] -= 1
                rest >>= KEY_BITS
        last[row] = variants
        filled[0], filled[1], filled[2] = place + 1, variants, nodes
    return True


@part
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
