"""Exchanges that complete a hand: which tiles come in, which go out, for all three forms of a complete hand.

The root is a hand of 14 - 3k concealed tiles. An exchange is a pair (in, out) of multisets that share no kind.
The tiles that come in are one int64, the *key*: kind + 1 in six bits a tile, ascending from the low bits.
The tiles that go out are a sub-multiset of the root's concealed tiles; those are few (3 473 for five tiles of
fourteen different ones), so each has a number. The numbers ascend with the size, and an *out-code*, the mixed-radix
number over the kinds held, finds the number through a table.

Example, which the modules of the search follow: 23m 99p 1z beside three open sets, and one tile may come in. What may
go out has the numbers 0 (nothing), 1 (2m), 2 (3m), 3 (9p) and 4 (1z); the strides of these kinds are 1, 2, 4 and 12, so
the out-code of 1z is 12. Two exchanges complete the hand: in 4m, out 1z (key 4, code 12), and in 1m, out 1z (key 1,
code 12).

Sets and pair are found suit by suit. A complete suit is nine counts made of sets and at most one pair; the honours are
seven counts made of triplets and at most one pair. All of them, in lexicographic order, are the leaves of a tree whose
depth is the kind. The tree lies in preorder, so a walk is a scan: a node that is already too far from the hand jumps to
the next node outside its subtree.

Of the example's 23m, the path 1, 1, 1, 0, … (123m) brings in 1m: key 1, code 0, one tile in and none out, no pair. The
path 0, 2, 0, … (22m) brings in 2m (key 2) and lets 3m go; it holds the pair. With one tile to come in, every path that
begins with 2 is skipped at its first node.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_kernel, allocating_part, part
from engine.search.dag.graph_kernels import SLOT_BITS, Outs

KEY_BITS = 6
"""Bits of a tile in a key of incoming tiles: kind + 1, ascending from the low bits."""
KEY, CODE, CAME, WENT = range(4)
"""Of a path in a tree: what came in, what went out, how many tiles of each."""


class SuitTree(NamedTuple):
    """A tree, one entry a node.

    Attributes:
        depth: int8, kind within the suit.
        digit: int8, count of it.
        skip: int32, the next node outside the subtree.
        pair: int8, of leaves: 1 where the pattern holds the pair.
    """

    depth: NDArray[np.int8]
    digit: NDArray[np.int8]
    skip: NDArray[np.int32]
    pair: NDArray[np.int8]


@allocating_kernel("dag", seconds=2.0)
def fill_tree(
    patterns: Array2[np.int8],
    depth: NDArray[np.int8],
    digit: NDArray[np.int8],
    skip: NDArray[np.int32],
    pair: NDArray[np.int8],
) -> int:
    """Lay the sorted ``patterns`` (N, kinds) out as a preorder tree; the number of nodes.

    The arrays need room for N * kinds nodes.
    """
    count, kinds = patterns.shape
    nodes = 0
    for row in range(count):
        first = 0
        if row:
            while patterns[row, first] == patterns[row - 1, first]:
                first += 1
        total = 0
        for kind in range(kinds):
            total += patterns[row, kind]
        for kind in range(first, kinds):
            depth[nodes] = kind
            digit[nodes] = patterns[row, kind]
            pair[nodes] = total % 3 == 2
            nodes += 1
    for node in range(nodes):
        other = node + 1
        while other < nodes and depth[other] > depth[node]:
            other += 1
        skip[node] = other
    return nodes


@part
def match_suit(
    tree: SuitTree,
    held: NDArray[np.int8],
    limit: NDArray[np.int8],
    stride: NDArray[np.int32],
    first: int,
    reach: int,
    path: NDArray[np.int64],
    keys: NDArray[np.int64],
    codes: NDArray[np.int32],
    buckets: NDArray[np.int16],
    tally: NDArray[np.int32],
) -> int:
    """All patterns of one suit with at most ``reach`` tiles coming in and at most as many going out.

    ``held``, ``limit`` (tiles that may come in) and ``stride`` (place value in an out-code) are by tile34; ``first``
    is the suit's first tile34. A pattern's bucket is ``(pair * (reach + 1) + tiles in) * (reach + 1) + tiles out``;
    ``tally`` counts the patterns of each bucket; ``path`` is scratch, int64[11, 4]. Returns the number of patterns.
    """
    depth, digit, skip, pair = tree.depth, tree.digit, tree.skip, tree.pair
    for column in range(4):
        path[0, column] = 0
    last = 8 if first < 27 else 6
    found = 0
    node = 0
    nodes = len(depth)
    while node < nodes:
        at = int(depth[node])
        kind = first + at
        change = int(digit[node]) - int(held[kind])
        came = path[at, CAME]
        went = path[at, WENT]
        if change > 0:
            if change > limit[kind] or came + change > reach:
                node = skip[node]
                continue
            grown = path[at, KEY]
            for place in range(came, came + change):
                grown |= (kind + 1) << (KEY_BITS * place)
            path[at + 1, KEY] = grown
            path[at + 1, CODE] = path[at, CODE]
            came += change
        else:
            went -= change
            if went > reach:
                node = skip[node]
                continue
            path[at + 1, KEY] = path[at, KEY]
            path[at + 1, CODE] = path[at, CODE] - change * stride[kind]
        path[at + 1, CAME] = came
        path[at + 1, WENT] = went
        if at == last:
            keys[found] = path[at + 1, KEY]
            codes[found] = path[at + 1, CODE]
            bucket = (pair[node] * (reach + 1) + came) * (reach + 1) + went
            buckets[found] = bucket
            tally[bucket] += 1
            found += 1
        node += 1
    return found


SUIT_PATTERNS = 21_743


@allocating_part
def list_outs(held: NDArray[np.int8], reach: int) -> Outs:
    """Number every multiset of at most ``reach`` tiles out of ``held`` (34 counts)."""
    stride = np.zeros(34, np.int32)
    slots = np.zeros(14, np.int64)
    used = 0
    codes = 1
    for kind in range(34):
        if held[kind]:
            stride[kind] = codes
            codes *= held[kind] + 1
            slots[used] = kind
            used += 1
    # how many there are of each size
    ways = np.zeros(reach + 1, np.int64)
    ways[0] = 1
    for slot in range(used):
        for size in range(reach, 0, -1):
            for copies in range(1, min(size, held[slots[slot]]) + 1):
                ways[size] += ways[size - copies]
    number = ways.sum()
    outs = Outs(
        stride,
        np.empty(codes, np.int16),
        np.zeros(reach + 2, np.int32),
        np.empty(number, np.int64),
        np.empty(number + 1, np.int32),
        np.empty(number * min(reach, used), np.uint16),
        np.empty(number * min(reach, used), np.int8),
    )
    code_of, last = np.empty(number, np.int32), np.empty(number, np.int8)
    entries = _fill_outs(held, reach, slots[:used], outs, code_of, last)
    return Outs(
        stride, outs.number, outs.size_start, outs.packed, outs.less_start, outs.less[:entries],
        outs.less_kind[:entries],
    )  # fmt: skip


@part
def _fill_outs(
    held: NDArray[np.int8],
    reach: int,
    slots: NDArray[np.int64],
    filled: Outs,
    code_of: NDArray[np.int32],
    last: NDArray[np.int8],
) -> int:
    # outs of a size from those one smaller, by adding a tile of the last slot or a later one; entries of `less`
    stride, number, size_start, packed = filled.stride, filled.number, filled.size_start, filled.packed
    used = len(slots)
    code_of[0] = 0
    packed[0] = 0
    last[0] = 0
    number[0] = 0
    size_start[1] = 1
    outs = 1
    for size in range(1, reach + 1):
        for base in range(size_start[size - 1], size_start[size]):
            for slot in range(last[base], used):
                kind = slots[slot]
                if (packed[base] >> (SLOT_BITS * slot)) & 7 == held[kind]:
                    continue
                code_of[outs] = code_of[base] + stride[kind]
                packed[outs] = packed[base] + (1 << (SLOT_BITS * slot))
                last[outs] = slot
                number[code_of[outs]] = outs
                outs += 1
        size_start[size + 1] = outs
    entries = 0
    for out in range(outs):
        filled.less_start[out] = entries
        for slot in range(used):
            if (packed[out] >> (SLOT_BITS * slot)) & 7:
                filled.less[entries] = number[code_of[out] - stride[slots[slot]]]
                filled.less_kind[entries] = slots[slot]
                entries += 1
    filled.less_start[outs] = entries
    return entries


@allocating_part
def standard_wins(
    number_suit: SuitTree,
    honours: SuitTree,
    held: NDArray[np.int8],
    limit: NDArray[np.int8],
    stride: NDArray[np.int32],
    reach: int,
    short: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Keys and out-codes of every exchange of at most ``reach`` tiles in that completes standard form, each once.

    The patterns of each suit are sorted into buckets by (pair, tiles in, tiles out); whole buckets combine. ``short``
    tiles more must come than leave (0 for a root of 14 tiles, 1 for 13), hence the hand has its number of sets.
    """
    side = reach + 1
    buckets = 2 * side * side
    found_key = np.empty(4 * SUIT_PATTERNS, np.int64)
    found_code = np.empty(4 * SUIT_PATTERNS, np.int32)
    found_bucket = np.empty(SUIT_PATTERNS, np.int16)
    start = np.zeros((4, buckets + 1), np.int32)
    raw_key = np.empty(SUIT_PATTERNS, np.int64)
    raw_code = np.empty(SUIT_PATTERNS, np.int32)
    tally = np.empty(buckets, np.int32)
    path = np.empty((11, 4), np.int64)
    total = 0
    for suit in range(4):
        for bucket in range(len(tally)):
            tally[bucket] = 0
        number = match_suit(
            number_suit if suit < 3 else honours, held, limit, stride, 9 * suit, reach, path, raw_key, raw_code,
            found_bucket, tally,
        )  # fmt: skip
        place = total
        for bucket in range(buckets):
            start[suit, bucket] = place
            place += tally[bucket]
            tally[bucket] = start[suit, bucket]
        start[suit, buckets] = place
        for entry in range(number):
            bucket = found_bucket[entry]
            found_key[tally[bucket]] = raw_key[entry]
            found_code[tally[bucket]] = raw_code[entry]
            tally[bucket] += 1
        total += number

    filled = np.zeros((3, buckets), np.int64)
    fills = np.zeros(3, np.int64)
    for suit in range(3):
        for bucket in range(buckets):
            if start[suit, bucket + 1] > start[suit, bucket]:
                filled[suit, fills[suit]] = bucket
                fills[suit] += 1

    none = found_key[:0]
    wins = _combine(start, filled, fills, found_key, found_code, reach, short, False, none, found_code)
    keys = np.empty(wins, np.int64)
    codes = np.empty(wins, np.int32)
    _combine(start, filled, fills, found_key, found_code, reach, short, True, keys, codes)
    return keys, codes


@part
def _combine(
    start: NDArray[np.int32],
    filled: NDArray[np.int64],
    fills: NDArray[np.int64],
    found_key: NDArray[np.int64],
    found_code: NDArray[np.int32],
    reach: int,
    short: int,
    writing: bool,
    keys: NDArray[np.int64],
    codes: NDArray[np.int32],
) -> int:
    # buckets of the four suits whose tiles in and out add up; how many exchanges they make
    side = reach + 1
    wins = 0
    for i in range(fills[0]):
        first = filled[0, i]
        first_pair, first_in, first_out = first // (side * side), first // side % side, first % side
        for j in range(fills[1]):
            second = filled[1, j]
            two_pair = first_pair + second // (side * side)
            two_in = first_in + second // side % side
            two_out = first_out + second % side
            if two_pair > 1 or two_in > reach or two_out > reach:
                continue
            for k in range(fills[2]):
                third = filled[2, k]
                pair = two_pair + third // (side * side)
                came = two_in + third // side % side
                went = two_out + third % side
                if pair > 1 or came > reach or went > reach:
                    continue
                # the honours bring the pair if none is there, and the balance of tiles
                for more in range(max(0, went + short - came), reach - came + 1):
                    gone = came + more - short - went
                    if gone > reach:
                        break
                    fourth = ((1 - pair) * side + more) * side + gone
                    if start[3, fourth + 1] == start[3, fourth]:
                        continue
                    if not writing:
                        wins += (
                            (start[0, first + 1] - start[0, first])
                            * (start[1, second + 1] - start[1, second])
                            * (start[2, third + 1] - start[2, third])
                            * (start[3, fourth + 1] - start[3, fourth])
                        )
                        continue
                    two_shift = KEY_BITS * first_in
                    third_shift = KEY_BITS * two_in
                    fourth_shift = KEY_BITS * came
                    for a in range(start[0, first], start[0, first + 1]):
                        for b in range(start[1, second], start[1, second + 1]):
                            ab_key = found_key[a] | found_key[b] << two_shift
                            ab_code = found_code[a] + found_code[b]
                            for c in range(start[2, third], start[2, third + 1]):
                                abc_key = ab_key | found_key[c] << third_shift
                                abc_code = ab_code + found_code[c]
                                for d in range(start[3, fourth], start[3, fourth + 1]):
                                    keys[wins] = abc_key | found_key[d] << fourth_shift
                                    codes[wins] = abc_code + found_code[d]
                                    wins += 1
    return wins


@allocating_kernel("dag", seconds=1.0)
def win_chances(keys: NDArray[np.int64], unseen: NDArray[np.int8]) -> NDArray[np.float64]:
    """How likely each exchange is to be drawn, up to a factor: ways to take its tiles, over the total for each."""
    total = 0
    for kind in range(34):
        total += unseen[kind]
    chances = np.ones(len(keys), np.float64)
    for win in range(len(keys)):
        rest = keys[win]
        before = 0
        copies = 0
        while rest:
            tile = rest & ((1 << KEY_BITS) - 1)
            copies = copies + 1 if tile == before else 0
            chances[win] *= max(0, unseen[tile - 1] - copies) / max(1, total)
            before = tile
            rest >>= KEY_BITS
    return chances


CONCEALED = 13
"""Concealed tiles of a hand without melds before its draw: these forms need them."""


@part
def _exchange_of(
    target: NDArray[np.int8], held: NDArray[np.int8], limit: NDArray[np.int8], stride: NDArray[np.int32], reach: int
) -> tuple[int, int]:
    # key and out-code of the exchange that makes `target`; key -1 when it is out of reach
    key = 0
    code = 0
    came = 0
    for kind in range(34):
        change = target[kind] - held[kind]
        if change > 0:
            if change > limit[kind] or came + change > reach:
                return -1, 0
            for place in range(came, came + change):
                key |= (kind + 1) << (KEY_BITS * place)
            came += change
        else:
            code -= change * stride[kind]
    return key, code


@allocating_part
def seven_pairs_wins(
    held: NDArray[np.int8], limit: NDArray[np.int8], stride: NDArray[np.int32], reach: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Keys and out-codes of every exchange of at most ``reach`` tiles in that makes seven pairs.

    Kinds are chosen in ascending order, each for the tiles it lacks.
    """
    # how many kinds from each on lack 0, 1, 2 tiles
    beyond = np.zeros((35, 3), np.int64)
    lacks = np.zeros(35, np.int64)
    for kind in range(33, -1, -1):
        lacks[kind] = max(0, 2 - held[kind])
        beyond[kind] = beyond[kind + 1]
        if lacks[kind] <= limit[kind]:
            beyond[kind, lacks[kind]] += 1
        else:
            lacks[kind] = 99
    wins = _choose_pairs(held, stride, reach, beyond, lacks, np.empty(0, np.int64), np.empty(0, np.int32))
    keys = np.empty(wins, np.int64)
    codes = np.empty(wins, np.int32)
    _choose_pairs(held, stride, reach, beyond, lacks, keys, codes)
    return keys, codes


@part
def _least_lacking(beyond: NDArray[np.int64], kind: int, pairs: int) -> int:
    # tiles that so many pairs of the kinds from `kind` on lack at least
    none, one, two = beyond[kind, 0], beyond[kind, 1], beyond[kind, 2]
    if pairs <= none:
        return 0
    if pairs <= none + one:
        return int(pairs - none)
    return int(one + 2 * (pairs - none - one)) if pairs <= none + one + two else 99


@part
def _choose_pairs(
    held: NDArray[np.int8],
    stride: NDArray[np.int32],
    reach: int,
    beyond: NDArray[np.int64],
    lacks: NDArray[np.int64],
    keys: NDArray[np.int64],
    codes: NDArray[np.int32],
) -> int:
    # kind by kind, taken where it can be or left; a choice is a bit, so that going back is to find the last one taken
    wins = 0
    chosen = 0
    pairs = 0
    lacking = 0
    kind = 0
    while True:
        if lacking + _least_lacking(beyond, kind, 7 - pairs) <= reach:
            if pairs < 7:
                if lacking + lacks[kind] + _least_lacking(beyond, kind + 1, 6 - pairs) <= reach:
                    chosen |= 1 << kind
                    pairs += 1
                    lacking += lacks[kind]
                kind += 1
                continue
            if len(keys):
                key = 0
                code = 0
                came = 0
                for tile in range(34):
                    target = 2 if (chosen >> tile) & 1 else 0
                    for _ in range(held[tile], target):
                        key |= (tile + 1) << (KEY_BITS * came)
                        came += 1
                    if held[tile] > target:
                        code += (held[tile] - target) * stride[tile]
                keys[wins] = key
                codes[wins] = code
            wins += 1
        if chosen == 0:
            return wins
        kind = 33
        while not (chosen >> kind) & 1:
            kind -= 1
        chosen &= ~(1 << kind)
        pairs -= 1
        lacking -= lacks[kind]
        kind += 1


@allocating_part
def orphans_wins(
    held: NDArray[np.int8], limit: NDArray[np.int8], stride: NDArray[np.int32], reach: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Likewise those that make thirteen orphans."""
    keys = np.empty(13, np.int64)
    codes = np.empty(13, np.int32)
    wins = 0
    target = np.zeros(34, np.int8)
    for kind in range(34):
        target[kind] = kind >= 27 or kind % 9 in (0, 8)
    for kind in range(34):
        if target[kind]:
            target[kind] = 2
            key, code = _exchange_of(target, held, limit, stride, reach)
            target[kind] = 1
            if key >= 0:
                keys[wins] = key
                codes[wins] = code
                wins += 1
    return keys[:wins], codes[:wins]
