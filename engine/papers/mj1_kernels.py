"""Random hands for the opponents, dealt from the tiles nobody has seen, and what they would wait on (MJ1).

A hand is drawn as its sets and its pair, each with a weight that is the number of ways the tiles left can make it;
then one tile is taken out. Weights change as tiles go; drawing from the first ones and keeping a draw with the
chance that they still hold gives the same hands without adding the weights up anew.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_kernel, allocating_part, part
from engine.model.tiles import HONOURS, KINDS

RUNS: Final = 21
GROUPS: Final = RUNS + KINDS
"""Ways to a set: the 21 runs by suit and lowest number, then the 34 triplets."""
TRIES: Final = 200
"""A hand that so many draws do not complete is given up: the tiles left cannot make it."""

Counts = NDArray[np.int64]


@part
def next_random(state: np.uint64) -> np.uint64:
    """The next state of xorshift64*; take its upper bits by :func:`uniform` or :func:`below`."""
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    return state


@part
def uniform(state: np.uint64) -> float:
    """0 ≤ x < 1 from a state."""
    return float((state * np.uint64(2685821657736338717)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@part
def lowest(group: int) -> int:
    """The ``tile34`` of a run's lowest tile or of a triplet."""
    return group // 7 * 9 + group % 7 if group < RUNS else group - RUNS


@part
def ways(left: Counts, group: int) -> int:
    """How many choices of three tiles among those left make the set."""
    low = lowest(group)
    if group < RUNS:
        return int(left[low] * left[low + 1] * left[low + 2])
    return int(left[low] * (left[low] - 1) * (left[low] - 2) // 6)


@allocating_part
def fill_alias(weights: NDArray[np.float64], share: NDArray[np.float64], other: NDArray[np.int64]) -> float:
    """Walker's table: column ``i`` stands for ``i`` with chance ``share[i]``, else ``other[i]``; the weights' sum."""
    size = weights.shape[0]
    total = weights.sum()
    if total <= 0:
        return 0.0
    small = np.empty(size, np.int64)
    large = np.empty(size, np.int64)
    few, many = 0, 0
    for i in range(size):
        share[i] = weights[i] * size / total
        other[i] = i
        if share[i] < 1.0:
            small[few] = i
            few += 1
        else:
            large[many] = i
            many += 1
    while few > 0 and many > 0:
        few -= 1
        low = small[few]
        high = large[many - 1]
        other[low] = high
        share[high] -= 1.0 - share[low]
        if share[high] < 1.0:
            many -= 1
            small[few] = high
            few += 1
    for i in range(many):
        share[large[i]] = 1.0
    for i in range(few):
        share[small[i]] = 1.0
    return float(total)


@part
def pick(state: np.uint64, share: NDArray[np.float64], other: NDArray[np.int64]) -> int:
    """A column drawn by :func:`fill_alias`'s table."""
    x = uniform(state) * share.shape[0]
    column = int(x)
    return column if x - column < share[column] else int(other[column])


@part
def only_sets(hand: Counts, suit: int, work: Counts) -> bool:
    """Whether the tiles of a suit (3: honours) are sets and nothing else."""
    if suit == 3:
        for kind in range(HONOURS, KINDS):
            if hand[kind] % 3 != 0:
                return False
        return True
    for i in range(9):
        work[i] = hand[9 * suit + i]
    for i in range(7):
        runs = work[i] % 3  # three equal runs are three triplets
        if work[i + 1] < runs or work[i + 2] < runs:
            return False
        work[i + 1] -= runs
        work[i + 2] -= runs
    return bool(work[7] % 3 == 0 and work[8] % 3 == 0)


@part
def sets_and_pair(hand: Counts, suit: int, work: Counts) -> bool:
    """Whether the tiles of a suit are sets and one pair."""
    first, step, size = 9 * suit, 1, 9
    if suit == 3:
        size = 7
    else:
        total = 0
        for i in range(9):
            total += i * hand[first + i]
        # numbers of a set sum to a multiple of three, so the pair's number is known up to threes
        first += 2 * total % 3
        step = 3
    for kind in range(first, 9 * suit + size, step):
        if hand[kind] >= 2:
            hand[kind] -= 2
            fits = only_sets(hand, suit, work)
            hand[kind] += 2
            if fits:
                return True
    return False


@part
def wait_mask(hand: Counts, work: Counts) -> int:
    """Bit set of the kinds that complete a hand of sets and a pair less one tile, none held four times."""
    first, second = -1, -1  # suits whose number of tiles is no multiple of three
    rest = 0
    for suit in range(4):
        size = 0
        for kind in range(9 * suit, min(9 * suit + 9, KINDS)):
            size += hand[kind]
        if size % 3:
            rest = size % 3
            if first < 0:
                first = suit
            else:
                second = suit
    found = 0
    if rest == 1:  # set and pair broken in one suit
        for kind in range(9 * first, min(9 * first + 9, KINDS)):
            if hand[kind] < 4 and near(hand, kind):
                hand[kind] += 1
                if sets_and_pair(hand, first, work):
                    found |= 1 << kind
                hand[kind] -= 1
        return found
    for turn in range(2):  # a set broken in one suit, the pair in the other
        broken, paired = (first, second) if turn == 0 else (second, first)
        if not sets_and_pair(hand, paired, work):
            continue
        for kind in range(9 * broken, min(9 * broken + 9, KINDS)):
            if hand[kind] < 4 and near(hand, kind):
                hand[kind] += 1
                if only_sets(hand, broken, work):
                    found |= 1 << kind
                hand[kind] -= 1
    return found


@part
def near(hand: Counts, kind: int) -> bool:
    """Whether the hand has a tile that the kind could stand with."""
    if hand[kind] > 0:
        return True
    if kind >= HONOURS:
        return False
    number = kind % 9
    return (number > 0 and hand[kind - 1] > 0) or (number < 8 and hand[kind + 1] > 0)


@part
def deal(
    left: Counts,
    sets: int,
    unseen: Counts,
    group_share: NDArray[np.float64],
    group_other: NDArray[np.int64],
    pair_share: NDArray[np.float64],
    pair_other: NDArray[np.int64],
    hand: Counts,
    state: np.uint64,
) -> tuple[bool, np.uint64]:
    """Draw sets and a pair from ``left`` into ``hand``; False where the tiles did not allow it."""
    tries = 0
    drawn = 0
    while drawn < sets:
        tries += 1
        if tries > TRIES:
            return False, state
        state = next_random(state)
        group = pick(state, group_share, group_other)
        now, before = ways(left, group), ways(unseen, group)
        if now < before:
            if now == 0:
                continue
            state = next_random(state)
            if uniform(state) * before >= now:
                continue
        low = lowest(group)
        if group < RUNS:
            for kind in range(low, low + 3):
                left[kind] -= 1
                hand[kind] += 1
        else:
            left[low] -= 3
            hand[low] += 3
        drawn += 1
    while True:
        tries += 1
        if tries > TRIES:
            return False, state
        state = next_random(state)
        kind = pick(state, pair_share, pair_other)
        now, before = left[kind] * (left[kind] - 1), unseen[kind] * (unseen[kind] - 1)
        if now < before:
            if now == 0:
                continue
            state = next_random(state)
            if uniform(state) * before >= now:
                continue
        left[kind] -= 2
        hand[kind] += 2
        return True, state


@part
def take_one(hand: Counts, size: int, state: np.uint64) -> None:
    """Take one of ``size`` tiles out, each alike."""
    at = int(uniform(state) * size)
    for kind in range(KINDS):
        at -= hand[kind]
        if at < 0:
            hand[kind] -= 1
            return


@allocating_kernel()
def deal_worlds(
    unseen: Counts,
    sets: Counts,
    safe: NDArray[np.int64],
    bias: Array2[np.float64],
    worlds: int,
    seed: np.uint64,
    counted: Array2[np.int64],
    hands: NDArray[np.int64],
) -> None:
    """Deal tenpai hands to all opponents of a table, many times over.

    Args:
        unseen: (34,) copies the viewer does not see.
        sets: (n,) concealed sets of each opponent, 0-4.
        safe: (n,) bit sets of genbutsu: a hand that waits on one is furiten and does not count.
        bias: (n, 34) weight of sets and pairs by suit, at all its kinds alike.
        worlds: how often.
        seed: not 0.
        counted: (n, 34) filled: hands that wait on the kind.
        hands: (n,) filled: hands that count.
    """
    players = sets.shape[0]
    group_share = np.empty((players, GROUPS))
    group_other = np.empty((players, GROUPS), np.int64)
    pair_share = np.empty((players, KINDS))
    pair_other = np.empty((players, KINDS), np.int64)
    weights = np.empty(GROUPS)
    pairs = np.empty(KINDS)
    possible = np.ones(players, np.bool_)
    counted[:] = 0
    hands[:] = 0
    for player in range(players):
        for group in range(GROUPS):
            weights[group] = ways(unseen, group) * bias[player, lowest(group)]
        for kind in range(KINDS):
            pairs[kind] = unseen[kind] * (unseen[kind] - 1) * bias[player, kind]
        if sets[player] > 0:
            possible[player] = fill_alias(weights, group_share[player], group_other[player]) > 0
        possible[player] &= fill_alias(pairs, pair_share[player], pair_other[player]) > 0
    left = np.empty(KINDS, np.int64)
    hand = np.empty(KINDS, np.int64)
    work = np.empty(9, np.int64)
    state = seed
    for world in range(worlds):
        left[:] = unseen
        for turn in range(players):
            player = (world + turn) % players
            if not possible[player]:
                continue
            hand[:] = 0
            complete, state = deal(
                left,
                sets[player],
                unseen,
                group_share[player],
                group_other[player],
                pair_share[player],
                pair_other[player],
                hand,
                state,
            )
            if not complete:
                continue
            state = next_random(state)
            take_one(hand, 3 * sets[player] + 2, state)
            found = wait_mask(hand, work)
            if found & safe[player] or found == 0:
                continue
            hands[player] += 1
            while found:
                low = found & -found
                kind = 0
                while low >> kind != 1:
                    kind += 1
                counted[player, kind] += 1
                found ^= low
