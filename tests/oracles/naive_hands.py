"""Hands as the slow oracle of the DAG search has them: tuples, with every exchange listed by force."""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

import numpy as np

from engine.model.melds import MeldKind
from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.scoring import win_kernels
from engine.shanten.tables import hand_tables
from tests.engine.parts import callable_part

CHI, PON, OPEN_KAN, ANKAN = range(4)
MELD_CODE = {MeldKind.CHI: CHI, MeldKind.PON: PON, MeldKind.DAIMINKAN: OPEN_KAN, MeldKind.KAKAN: OPEN_KAN}
MELD_CODE[MeldKind.ANKAN] = ANKAN

SETS = tuple([(k, k, k) for k in range(34)] + [(k, k + 1, k + 2) for k in range(27) if k % 9 <= 6])


class Hand(NamedTuple):
    """Concealed counts, and melds as sorted (code, lowest kind)."""

    concealed: tuple
    melds: tuple

    def plus(self, kind, step=1):
        counts = list(self.concealed)
        counts[kind] += step
        return Hand(tuple(counts), self.melds)

    def call(self, code, kind, own, instead=()):
        """With one more meld, ``instead`` of another if it is named."""
        counts = list(self.concealed)
        for tile in own:
            counts[tile] -= 1
        return Hand(tuple(counts), tuple(sorted((*(meld for meld in self.melds if meld != instead), (code, kind)))))

    @property
    def closed(self):
        return all(code == ANKAN for code, _ in self.melds)


@cache
def totals(hand, kan=4):
    """Tiles by kind, concealed and in melds; ``kan``: how many a kan counts."""
    counts = list(hand.concealed)
    for code, kind in hand.melds:
        for tile in (kind, kind + 1, kind + 2) if code == CHI else (kind,) * (3 if code == PON else kan):
            counts[tile] += 1
    return tuple(counts)


@cache
def sets_and_pair(counts, pair=False):
    """Whether the tiles are sets and one pair."""
    first = next((kind for kind in range(34) if counts[kind]), None)
    if first is None:
        return pair
    options = [(first,) * 3, (first, first + 1, first + 2)] if first < 27 and first % 9 <= 6 else [(first,) * 3]
    if not pair:
        options.append((first,) * 2)
    for tiles in options:
        left = list(counts)
        for tile in tiles:
            left[tile] -= 1
        if min(left[tile] for tile in tiles) >= 0 and sets_and_pair(tuple(left), pair or len(tiles) == 2):
            return True
    return False


def complete(counts):
    """Whether 14 - 3k concealed tiles win."""
    if sum(counts) == 14:
        if sum(count == 2 for count in counts) == 7:
            return True
        if all(counts[kind] for kind in TERMINALS_AND_HONOURS):
            return sum(counts[kind] for kind in TERMINALS_AND_HONOURS) == 14
    return sets_and_pair(counts)


def winning_hands(root, most_in, limit):
    """Every complete concealed hand that adds at most ``most_in`` tiles to ``root``, within ``limit`` of each kind."""
    tiles = sum(root)
    wanted_sets = (tiles - 1) // 3
    found = set()

    def fits(counts):
        missing = 0
        for kind in range(34):
            over = counts[kind] - root[kind]
            if counts[kind] > 4 or (over > 0 and over > limit[kind]):
                return False
            missing += max(0, over)
        return missing <= most_in

    def grow(counts, first, left):
        if left == 0:
            for pair in range(34):
                counts[pair] += 2
                if fits(counts):
                    found.add(tuple(counts))
                counts[pair] -= 2
            return
        for index in range(first, len(SETS)):
            for tile in SETS[index]:
                counts[tile] += 1
            if fits(counts):
                grow(counts, index, left - 1)
            for tile in SETS[index]:
                counts[tile] -= 1

    grow([0] * 34, 0, wanted_sets)
    if tiles >= 13:
        near = sorted(range(34), key=lambda kind: -min(root[kind], 2))
        useful = [kind for kind in near if root[kind] or limit[kind] >= 2]
        for pairs in _pair_choices(root, useful, most_in):
            counts = [2 if kind in pairs else 0 for kind in range(34)]
            if fits(counts):
                found.add(tuple(counts))
        for pair in TERMINALS_AND_HONOURS:
            counts = [int(kind in TERMINALS_AND_HONOURS) + (kind == pair) for kind in range(34)]
            if fits(counts):
                found.add(tuple(counts))
    return found


def _pair_choices(root, kinds, most_in):
    """Sets of seven kinds that miss at most ``most_in`` tiles of being pairs."""

    def grow(chosen, start, missing):
        if missing > most_in:
            return
        if len(chosen) == 7:
            yield frozenset(chosen)
            return
        for at in range(start, len(kinds)):
            kind = kinds[at]
            yield from grow([*chosen, kind], at + 1, missing + max(0, 2 - root[kind]))

    return grow([], 0, 0)


def exchanges(root, n, limit):
    """All partial exchanges: differences by kind, (k in, k + 1 out) of 14 tiles, (k in, k out) of 13, k <= n."""
    surplus = 1 if sum(root) % 3 == 2 else 0
    found = set()
    for win in winning_hands(root, n + 1, limit):
        change = [win[kind] - root[kind] for kind in range(34)]
        ins = [range(max(0, step) + 1) for step in change]
        outs = [range(max(0, -step) + 1) for step in change]
        in_parts = [part for part in itertools.product(*ins) if sum(part) <= n]
        out_parts = [part for part in itertools.product(*outs) if surplus <= sum(part) <= n + surplus]
        for some_in in in_parts:
            for some_out in out_parts:
                if sum(some_out) == sum(some_in) + surplus:
                    found.add(tuple(a - b for a, b in zip(some_in, some_out, strict=True)))
    return found


def chi_shapes(kind):
    """(own two kinds, kinds that may not be discarded after) for each way to chi."""
    if kind >= 27:
        return
    number = kind % 9
    if number >= 2:
        yield (kind - 2, kind - 1), (kind, *([kind - 3] if number >= 3 else []))
    if 1 <= number <= 7:
        yield (kind - 1, kind + 1), (kind,)
    if number <= 6:
        yield (kind + 1, kind + 2), (kind, *([kind + 3] if number <= 5 else []))


@cache
def score(concealed, melds, kind, flags, bonus):
    """Points of one win, 0 without a yaku."""
    packed = 0
    for code, lowest in reversed(melds):
        packed = packed << 8 | code << 6 | (lowest + 1)
    answer = win_kernels.score_win(np.array(concealed, np.uint8), packed, kind, flags, bonus, hand_tables())
    is_open = any(code != ANKAN for code, _ in melds)
    return callable_part(win_kernels.points_of)(answer, is_open, flags, bonus)
