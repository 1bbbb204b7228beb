"""Melds of a row: which sets its incoming tiles could have been called for.

A set is a small number: chi 0-20 (suit * 7 + lowest rank), pon 21 + tile34, closed kan 55 + tile34, open kan
89 + tile34. The new melds of a hand are one int64: set + 1 in seven bits a meld, ascending from the low bits; melds
the root already has are not in it, but for an open kan made of the root's pon. A *variant* is a row with its melds;
its hands are the row's hands whose concealed tiles suffice for the melds.

A kan counts as three tiles, so its fourth is in none of the exchanges: it *came in besides*, unless the root held all
four. A hand with a kan has no other tile of the kind.

Example: a row has 1m and east in. Either may have been called: chi 123m is set 0, pon of east set 21 + 27 = 48, both
together are the melds 1 | 49 << 7. The hands of that variant are those whose out leaves 23m and two east in the hand.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part, kernel, part
from engine.search.dag.exchange_kernels import KEY_BITS
from engine.search.dag.graph_kernels import Limits, Outs, Root, Rows, grown, shifts_of
from engine.search.dag.row_kernels import TILE, Slices

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


class Variants(NamedTuple):
    """Rows with melds, and their hands, which are the nodes of the search.

    Attributes:
        first, last: int32[rows], row r has the variants ``first[r]`` to ``last[r] - 1``, the one without melds first.
        melds: int64[variants].
        node_start: int32[variants + 1], the nodes of each variant.
        node_out: uint16[nodes], the out number of each node.
    """

    first: NDArray[np.int32]
    last: NDArray[np.int32]
    melds: NDArray[np.int64]
    node_start: NDArray[np.int32]
    node_out: NDArray[np.uint16]


class Bench(NamedTuple):
    """Scratch for one row.

    Attributes:
        done: int64[3], rows, variants and nodes of the rows that are finished; ``now``: variants and nodes written.
        came: int8[34], the tiles that came in; ``counts``: these and those held, less those of melds.
        sets: int64, the sets that tiles of the row could have been called for, then kans.
        shift_of: int64[34], see :func:`engine.search.dag.graph_kernels.shifts_of`.
        room: int64[3], what an out must leave in the hand, packed (CAP), where it must leave just that (EXACT), and
            the clear bits of all kinds held (HIGH).
    """

    done: NDArray[np.int64]
    now: NDArray[np.int64]
    came: NDArray[np.int8]
    counts: NDArray[np.int8]
    sets: NDArray[np.int64]
    shift_of: NDArray[np.int64]
    room: NDArray[np.int64]


ROWS, VARIANTS, NODES = 0, 1, 2
CAP, EXACT, HIGH = range(3)


@allocating_part
def list_variants(root: Root, rows: Rows, hands: Slices, outs: Outs, limits: Limits) -> Variants:
    """Every row with every set of melds within the limits, and their hands.

    Rows are taken in the order ``by_level``, so that nodes ascend with their level.
    """
    number = len(rows.key)
    calls = limits.calls or limits.kinds
    room = (2 if calls else 1) * number + 256
    found = Variants(
        np.zeros(number, np.int32),
        np.zeros(number, np.int32),
        np.empty(room, np.int64),
        np.empty(room + 1, np.int32),
        np.empty((3 if calls else 1) * len(hands.out) + 1024, np.uint16),
    )
    bench = Bench(
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.empty(34, np.int8),
        np.empty(34, np.int8),
        np.empty(4 * 34, np.int64),
        shifts_of(outs.stride),
        np.zeros(3, np.int64),
    )
    while not _fill_variants(root, rows, hands, outs, limits, bench, found):
        room *= 2
        found = Variants(
            found.first,
            found.last,
            grown(found.melds, room),
            grown(found.node_start, room + 1),
            grown(found.node_out, 2 * len(found.node_out)),
        )
    variants, nodes = bench.done[VARIANTS], bench.done[NODES]
    found.node_start[variants] = nodes
    return Variants(
        found.first, found.last, found.melds[:variants], found.node_start[: variants + 1], found.node_out[:nodes]
    )


@part
def _list_sets(root: Root, row: int, calls: bool, kans: int, bench: Bench) -> int:
    # the sets that a tile of the row could have been called for, ascending, then the kans of the kinds in `kans`
    came, counts, sets, held = bench.came, bench.counts, bench.sets, root.held
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
        own = 0 if (root.pons >> kind) & 1 else 3
        # three and a fourth that can still come, or all four from the root
        if counts[kind] == own:
            if came[kind] >= root.unseen[kind]:
                continue
        elif held[kind] != own + 1 or came[kind]:
            continue
        if own:
            number = _add_set(sets, number, CLOSED_KAN + kind)
        if not own or (calls and held[kind] < 4):
            number = _add_set(sets, number, OPEN_KAN + kind)
    return number


@part
def _fill_variants(
    root: Root, rows: Rows, hands: Slices, outs: Outs, limits: Limits, bench: Bench, found: Variants
) -> bool:
    # go on from `done`; False when a row has not enough room
    done, now = bench.done, bench.now
    bench.room[HIGH] = 0
    for kind in range(34):
        bench.came[kind] = 0
        bench.counts[kind] = root.held[kind]
        if bench.shift_of[kind] >= 0:
            bench.room[HIGH] |= np.int64(8) << bench.shift_of[kind]
    rounds = limits.calls + (limits.kans if limits.kinds else 0)
    for place in range(done[ROWS], len(rows.key)):
        row = rows.by_level[place]
        many = hands.end[row] - hands.start[row]
        now[VARIANTS], now[NODES] = done[VARIANTS], done[NODES]
        if not _has_room(now, many, found):
            return False
        found.first[row] = now[VARIANTS]
        found.melds[now[VARIANTS]] = 0
        found.node_start[now[VARIANTS]] = now[NODES]
        now[VARIANTS] += 1
        for entry in range(hands.start[row], hands.end[row]):
            found.node_out[now[NODES]] = hands.out[entry]
            now[NODES] += 1
        key = rows.key[row]
        if rounds and many and (key or limits.kinds):
            _count_in(bench, key, 1)
            number = _list_sets(root, key, limits.calls > 0, limits.kinds, bench)
            fits = _add_melds(root, row, rounds, number, hands, outs, limits, bench, found)
            _count_in(bench, key, -1)
            if not fits:
                return False
        found.last[row] = now[VARIANTS]
        done[ROWS], done[VARIANTS], done[NODES] = place + 1, now[VARIANTS], now[NODES]
    return True


@part
def _has_room(now: NDArray[np.int64], many: int, found: Variants) -> bool:
    return bool(now[VARIANTS] + 2 <= len(found.melds) and now[NODES] + many <= len(found.node_out))


@part
def _count_in(bench: Bench, key: int, sign: int) -> None:
    # the tiles of a key come in, or go again
    while key:
        bench.came[(key & TILE) - 1] += sign
        bench.counts[(key & TILE) - 1] += sign
        key >>= KEY_BITS


@part
def _take_melds(counts: NDArray[np.int8], melds: int, sign: int, root_pons: int) -> int:
    # the tiles of melds are put back, or taken; the last of the melds
    last = 0
    while melds:
        last = (melds & MELD) - 1
        take_meld(counts, last, sign, root_pons)
        melds >>= MELD_BITS
    return last


@inlined_part
def _add_melds(
    root: Root,
    row: int,
    rounds: int,
    number: int,
    hands: Slices,
    outs: Outs,
    limits: Limits,
    bench: Bench,
    found: Variants,
) -> bool:
    # breadth first: variants with one meld more than those of the round before, each set of melds in ascending order;
    # False without room
    counts, now = bench.counts, bench.now
    begin = now[VARIANTS] - 1
    for size in range(1, rounds + 1):
        end = now[VARIANTS]
        for base in range(begin, end):
            melds = found.melds[base]
            top = _take_melds(counts, melds, -1, root.pons)
            for chosen in range(number):
                meld = bench.sets[chosen]
                if meld < top or (meld >= CLOSED_KAN and meld == top):
                    continue
                together = melds | (meld + 1) << (MELD_BITS * (size - 1))
                kan = kan_kinds(together) if limits.kinds else 0
                if calls_of(together, root.pons) > limits.calls or (kan and kans_of(together) > limits.kans):
                    continue
                take_meld(counts, meld, -1, root.pons)
                fits = True
                if _leaves_enough(root, kan, bench) and (size == 1 or _callable(bench.came, together)):
                    fits = _add_variant(together, row, hands, outs, bench, found)
                take_meld(counts, meld, 1, root.pons)
                if not fits:
                    return False
            _take_melds(counts, melds, 1, root.pons)
        begin = end
    return True


@inlined_part
def _leaves_enough(root: Root, kan: int, bench: Bench) -> bool:
    # whether the melds leave no kind short; `room` becomes what outs may still take
    counts, shift_of = bench.counts, bench.shift_of
    cap = np.int64(0)
    exact = np.int64(0)
    for kind in range(34):
        # the root's fourth tile of a kan is in the kan: no other meld has it
        fourth = (kan >> kind) & 1 and root.held[kind] == (1 if (root.pons >> kind) & 1 else 4)
        if counts[kind] < 0 or (fourth and counts[kind] != 1):
            return False
        if shift_of[kind] >= 0:
            cap |= np.int64(counts[kind]) << shift_of[kind]
            if (kan >> kind) & 1:
                exact |= np.int64(7) << shift_of[kind]
    bench.room[CAP], bench.room[EXACT] = cap, exact
    return True


@inlined_part
def _add_variant(together: int, row: int, hands: Slices, outs: Outs, bench: Bench, found: Variants) -> bool:
    # the row's hands from which these melds can be taken, if there are any; False without room
    now, cap, exact, high = bench.now, bench.room[CAP], bench.room[EXACT], bench.room[HIGH]
    if not _has_room(now, hands.end[row] - hands.start[row], found):
        return False
    nodes = now[NODES]
    for entry in range(hands.start[row], hands.end[row]):
        out = hands.out[entry]
        packed = outs.packed[out]
        if ((cap | high) - packed) & high == high and (packed ^ cap) & exact == 0:
            found.node_out[nodes] = out
            nodes += 1
    if nodes > now[NODES]:
        found.melds[now[VARIANTS]] = together
        found.node_start[now[VARIANTS]] = now[NODES]
        now[VARIANTS] += 1
        now[NODES] = nodes
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
