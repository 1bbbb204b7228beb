"""Playouts of one hand in the plainest way, to check the kernels against."""

from __future__ import annotations

from collections.abc import Iterator

from engine.model.actions import ActionKind
from engine.model.rules import RIICHI_STICK
from engine.model.tiles import DORA_AFTER
from engine.search.evaluator import Choice
from engine.search.position import Position
from engine.search.tiles import may_declare_riichi, seed_of
from engine.shanten import standard_shanten
from tests.oracles.naive_forms import Counts, hand_score, points_of

DORA = 15
WORD = (1 << 64) - 1


def random_numbers(state: int) -> Iterator[int]:
    """Numbers of 32 bits (splitmix64)."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & WORD
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & WORD
        yield (mixed ^ mixed >> 31) >> 32


def walls(position: Position, number: int) -> list[list[int]]:
    """The tiles of so many walls: by turns one offered and one drawn."""
    numbers = random_numbers(seed_of(position))
    tiles = [kind for kind, copies in enumerate(position.unseen) for _ in range(copies)]
    used = min(2 * position.draws_left, len(tiles))
    found = []
    for _ in range(number):
        for place in range(used):
            other = place + (next(numbers) * (len(tiles) - place) >> 32)
            tiles[place], tiles[other] = tiles[other], tiles[place]
        found.append(tiles[: used // 2 * 2])
    return found


def played(position: Position, choice: Choice, wall: list[int]) -> int:
    """Points gained by one action on a wall, in a hand that aims at four sets and a pair."""
    hand = [count - (kind == choice.tile34) for kind, count in enumerate(position.counts)]
    river = {kind for kind in range(34) if position.river_mask >> kind & 1} | {choice.tile34}
    melds = len(position.melds)
    dora = [sum(DORA_AFTER[tile >> 2] == kind for tile in position.dora_indicators) for kind in range(34)]
    declared = choice.kind is ActionKind.RIICHI
    may_later = may_declare_riichi(position) and standard_shanten(hand, melds) > 0
    for turn in range(0, len(wall), 2):
        offered, drawn = wall[turn : turn + 2]
        waiting = waits_of(hand, melds)
        if offered in waiting and not waiting & river:
            points = points_of(position, plus(hand, offered), offered, declared)
            if points:
                return points
        if drawn in waiting:
            points = points_of(position, plus(hand, drawn), drawn, declared, tsumo=True)
            if points:
                return points
        if declared:
            river.add(drawn)
            continue
        hand[drawn] += 1
        discard = min(
            (kind for kind in range(34) if hand[kind]),
            key=lambda kind: (
                standard_shanten(plus(hand, kind, -1), melds),
                DORA * dora[kind] - hand_score(plus(hand, kind, -1)),
            ),
        )
        hand[discard] -= 1
        river.add(discard)
        declared = may_later and bool(waits_of(hand, melds)) and turn + 2 < len(wall)
    return -RIICHI_STICK if declared else 0


def waits_of(hand: list[int], melds: int) -> set[int]:
    """The kinds that complete four sets and a pair."""
    if standard_shanten(hand, melds) != 0:
        return set()
    return {kind for kind in range(34) if hand[kind] < 4 and standard_shanten(plus(hand, kind), melds) == -1}


def plus(hand: list[int], kind: int, copies: int = 1) -> Counts:
    """The hand with so many more tiles of a kind."""
    return tuple(count + copies * (at == kind) for at, count in enumerate(hand))
