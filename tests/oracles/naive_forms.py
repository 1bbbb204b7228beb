"""Winning forms, Complete Hand Extraction and hand scores in the plainest way, to check the kernels against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb

from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.scoring import WinContext, score_win
from engine.search.position import Position
from engine.shanten import shanten

GROUPS = [
    *((kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 <= 6),
    *((kind, kind, kind) for kind in range(34)),
]
Counts = tuple[int, ...]


def points_of(position: Position, need: Counts, win: int, riichi: bool, tsumo: bool = False) -> int:
    """Points of a win on ``win``, with honba and sticks; red fives are those in the hand, 0 without a yaku."""
    tiles = []
    for kind, copies in enumerate(need):
        held = [tile for tile in position.concealed if tile >> 2 == kind]
        mine = [tile for tile in held if tile % 4 == 0] + [tile for tile in held if tile % 4]
        others = [4 * kind + copy for copy in (3, 2, 1, 0) if 4 * kind + copy not in held]
        tiles += (mine + others)[:copies]
    score = score_win(
        WinContext(
            tuple(tiles), next(tile for tile in tiles if tile >> 2 == win), tsumo, position.seat_wind,
            position.round_wind, position.melds, int(riichi), dora_indicators=position.dora_indicators,
            rules=position.rules,
        )
    )  # fmt: skip
    return score.points + 300 * position.honba + 1000 * position.riichi_sticks if score else 0


def lacks(need: Counts, held: Sequence[int]) -> list[int]:
    """For each kind, the tiles of a form that are not held."""
    return [max(0, wanted - have) for wanted, have in zip(need, held, strict=True)]


def win_tile(need: Counts, position: Position) -> int:
    """The lacking tile of which fewest are unseen; the lowest tile of a form that lacks nothing."""
    short = lacks(need, position.counts)
    lacking = [kind for kind in range(34) if short[kind]] or [next(kind for kind in range(34) if need[kind])]
    return min(lacking, key=lambda kind: position.unseen[kind])


@cache
def forms(position: Position, most: int) -> list[Counts]:
    """Every winning form that lacks at most so many tiles, all of them unseen.

    A form occurs once however its sets can be chosen, and once more if it is also seven pairs.
    """
    held, unseen = position.counts, position.unseen
    found: set[Counts] = set()

    def grow(need: Counts, first: int, sets: int) -> None:
        short = lacks(need, held)
        if max(need) > 4 or sum(short) > most or any(map(int.__gt__, short, unseen)):
            return
        if sets == 0:
            found.add(need)
            return
        for number in range(first, len(GROUPS)):
            more = list(need)
            for kind in GROUPS[number]:
                more[kind] += 1
            grow(tuple(more), number, sets - 1)

    for pair in range(34):
        grow(tuple(2 * (kind == pair) for kind in range(34)), 0, 4 - len(position.melds))
    standard = sorted(found)
    if not position.melds:
        found.clear()
        if sum(count >= 2 for count in held) >= 3:
            near = [kind for kind in range(34) if held[kind] or unseen[kind] >= 2]
            cost = {kind: max(0, 2 - held[kind]) for kind in near}
            free = [kind for kind in near if cost[kind] < 2]
            for number in (6, 7):
                for chosen in combinations(free, number):
                    for new in [()] if number == 7 else [(kind,) for kind in near if cost[kind] == 2]:
                        grow(tuple(2 * (kind in (*chosen, *new)) for kind in range(34)), 0, 0)
        for pair in TERMINALS_AND_HONOURS:
            grow(tuple((kind in TERMINALS_AND_HONOURS) + (kind == pair) for kind in range(34)), 0, 0)
        standard += sorted(found)
    return standard


def inverted(position: Position, discard: int | None, draws: int, ron: float) -> list[tuple[float, float]]:
    """By distance, the summed chances of all near forms and the chances times points, after a discard."""
    held = list(position.counts)
    if discard is not None:
        held[discard] -= 1
    least = shanten(position.counts, len(position.melds)) + 1
    nearest = next(most for most in range(least, 14) if forms(position, most))
    tiles = sum(position.unseen)
    sums = [(0.0, 0.0)] * 16
    for need in forms(position, nearest + 1):
        short = lacks(need, held)
        win = win_tile(need, position)
        points = points_of(position, need, win, position.closed)
        chance = 1.0 if position.river_mask >> win & 1 else ron
        for wanted, unseen in zip(short, position.unseen, strict=True):
            chance *= comb(unseen, wanted)
        if points:
            away = sum(short)
            chance *= comb(draws, away) / comb(tiles, away)
            sums[away] = sums[away][0] + chance, sums[away][1] + chance * points
    return sums


def extracted(position: Position) -> tuple[float, list[float]]:
    """(mean points of a complete hand, by kind the mean of what those without it bring) with all unseen tiles drawn."""
    pool = [have + more for have, more in zip(position.counts, position.unseen, strict=True)]
    points = []
    unused = [0.0] * 34
    for need in _complete(pool, 4 - len(position.melds)):
        points.append(points_of(position, need, win_tile(need, position), position.closed))
        for kind, count in enumerate(position.counts):
            unused[kind] += points[-1] * (count > need[kind])
    return sum(points) / len(points), [value / len(points) for value in unused]


def _complete(pool: Sequence[int], sets: int) -> Iterator[Counts]:
    """Every choice of a pair and sets among the tiles, each as its counts; the order of the sets does not matter."""

    def grow(need: Counts, first: int, left: int) -> Iterator[Counts]:
        if any(map(int.__gt__, need, pool)):
            return
        if left == 0:
            yield need
            return
        for number in range(first, len(GROUPS)):
            more = list(need)
            for kind in GROUPS[number]:
                more[kind] += 1
            yield from grow(tuple(more), number, left - 1)

    for pair in range(34):
        yield from grow(tuple(2 * (kind == pair) for kind in range(34)), 0, sets)


PARTIAL = {
    **dict.fromkeys(GROUPS, 20),
    **{(kind, kind + 1): 5 if kind % 9 in (0, 7) else 10 for kind in range(27) if kind % 9 < 8},
    **{(kind, kind + 2): 5 for kind in range(27) if kind % 9 < 7},
    **{(kind, kind + 2, kind + 4): 8 for kind in range(27) if kind % 9 < 5},
    **{(kind, kind): 8 for kind in range(34)},
}
"""What each part of a hand scores in the FLOW paper."""


@cache
def hand_score(counts: Counts) -> int:
    """The most that a hand scores, without dora."""
    low = next((kind for kind, count in enumerate(counts) if count), None)
    if low is None:
        return 0
    best = hand_score(_without(counts, (low,)))
    for tiles, score in PARTIAL.items():
        if low in tiles and all(counts[kind] >= tiles.count(kind) for kind in tiles):
            best = max(best, score + hand_score(_without(counts, tiles)))
    return best


def _without(counts: Counts, tiles: Sequence[int]) -> Counts:
    return tuple(count - tiles.count(kind) for kind, count in enumerate(counts))
