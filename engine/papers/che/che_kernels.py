"""Complete Hand Extraction: every complete hand among the tiles held and some drawn at random."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel, part
from engine.rules.random_kernels import next_random
from engine.scoring.yaku_kernels import WIN_RIICHI
from engine.search.win_kernels import Circumstances, win_points

RUNS = 21
GROUPS = RUNS + 34
"""Groups by number: runs by suit and lowest tile, then triplets by ``tile34``."""


class Extraction(NamedTuple):
    """The hand, room to work in, and the answer.

    Attributes:
        counts: concealed tiles.
        unseen: unseen copies of each kind.
        random: uint64[1], state of the random numbers.
        tiles: the tiles to choose from, in random order.
        pool: int64[34], hand and drawn tiles less those used.
        need: the tiles of one complete hand.
        groups: groups that the pool can make.
        chosen: the groups chosen, as places in ``groups``.
        sums: float64[34], points of the complete hands that do not use a tile of the kind.
        all: float64[2], the number of complete hands, and their points.
    """

    counts: NDArray[np.int64]
    unseen: NDArray[np.int64]
    random: NDArray[np.uint64]
    tiles: NDArray[np.int64]
    pool: NDArray[np.int64]
    need: NDArray[np.uint8]
    groups: NDArray[np.int64]
    chosen: NDArray[np.int64]
    sums: NDArray[np.float64]
    all: NDArray[np.float64]


@kernel("che", seconds=5.0)
def extract_hands(hand: Extraction, table: Circumstances, extra: int, rounds: int) -> None:
    """Draw ``extra`` tiles, find every complete hand among them and those held; as many rounds, added to the answer."""
    number = 0
    for kind in range(34):
        for _ in range(hand.unseen[kind]):
            hand.tiles[number] = kind
            number += 1
    drawn = min(extra, number)
    for _ in range(rounds):
        for kind in range(34):
            hand.pool[kind] = hand.counts[kind]
        for place in range(drawn):
            other = place + next_random(hand.random, number - place)
            kind = hand.tiles[other]
            hand.tiles[other] = hand.tiles[place]
            hand.tiles[place] = kind
            hand.pool[kind] += 1
        for pair in range(34):
            if hand.pool[pair] >= 2:
                add_hands(hand, table, pair)


@part
def add_hands(hand: Extraction, table: Circumstances, pair: int) -> None:
    """Add every complete hand with this pair."""
    hand.pool[pair] -= 2
    number = 0
    for group in range(GROUPS):
        if fits(hand.pool, group):
            hand.groups[number] = group
            number += 1
    for kind in range(34):
        hand.need[kind] = 0
    hand.need[pair] = 2
    depth = 0
    at = 0
    while True:
        if depth == table.sets:
            add_hand(hand, table)
        elif at < number:
            if fits(hand.pool, hand.groups[at]):
                take(hand, hand.groups[at], 1)
                hand.chosen[depth] = at
                depth += 1
            else:
                at += 1
            continue
        if depth == 0:
            break
        depth -= 1
        at = hand.chosen[depth]
        take(hand, hand.groups[at], -1)
        at += 1
    hand.pool[pair] += 2


@part
def first_tile(group: int) -> int:
    """The lowest ``tile34`` of a group."""
    return group + 2 * (group // 7) if group < RUNS else group - RUNS


@part
def fits(pool: NDArray[np.int64], group: int) -> bool:
    """Whether the pool holds the tiles of a group."""
    kind = first_tile(group)
    if group >= RUNS:
        return bool(pool[kind] >= 3)
    return bool(pool[kind] and pool[kind + 1] and pool[kind + 2])


@part
def take(hand: Extraction, group: int, times: int) -> None:
    """Move the tiles of a group from the pool to the hand, or with -1 back."""
    kind = first_tile(group)
    if group >= RUNS:
        hand.pool[kind] -= 3 * times
        hand.need[kind] += 3 * times
        return
    for tile in range(kind, kind + 3):
        hand.pool[tile] -= times
        hand.need[tile] += times


@part
def add_hand(hand: Extraction, table: Circumstances) -> None:
    """Add one complete hand: its points to each kind of which the hand holds more than it uses."""
    win = -1
    fewest = 99
    for kind in range(34):
        if np.int64(hand.need[kind]) > hand.counts[kind] and hand.unseen[kind] < fewest:
            win = kind
            fewest = hand.unseen[kind]
        elif win < 0 and hand.need[kind]:
            win = kind
    points = win_points(hand.need, win, WIN_RIICHI if table.closed else 0, table)
    hand.all[0] += 1.0
    hand.all[1] += points
    for kind in range(34):
        if hand.counts[kind] > np.int64(hand.need[kind]):
            hand.sums[kind] += points
