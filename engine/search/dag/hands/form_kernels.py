"""Exchanges that complete a hand in another form than four sets and a pair: seven pairs, thirteen orphans."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.search.dag.hands.pattern_kernels import KEY_BITS

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
