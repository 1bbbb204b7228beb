"""The game tree of one hand in the plainest way, to check the kernels against."""

from __future__ import annotations

from functools import cache

from engine.model.rules import RIICHI_STICK
from engine.search.position import Position
from engine.search.tiles import RON, may_declare_riichi
from engine.shanten import waits
from tests.oracles.naive_forms import Counts, points_of


class Tree:
    """Values of hands after a discard by own draws left, with at most so many exchanges before the win."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.melds = len(position.melds)
        self.may_riichi = may_declare_riichi(position)
        self.silent = cache(self._silent)
        self.riichi = cache(self._riichi)

    def value(self, hand: Counts, exchanges: int, draws: int) -> float:
        """The better of riichi and silent play; no hand from which no win is in reach is worth anything."""
        if draws == 0:
            return 0.0
        value = self.silent(hand, exchanges, draws)
        if self.may_riichi and self.tenpai(hand):
            value = max(value, self.riichi(hand, draws))
        return value

    def _silent(self, hand: Counts, exchanges: int, draws: int) -> float:
        left = self.left(hand)
        tiles = sum(left)
        wins = self.waits(hand)
        ron = by_ron = drawn = 0.0
        for kind in wins:
            points = 0 if self.furiten(hand) else self.points(hand, kind, False, False)
            ron += (RON - 1) * left[kind] / tiles * (points > 0)
            by_ron += (RON - 1) * left[kind] / tiles * points
        stay = self.value(hand, exchanges, draws - 1)
        for kind, copies in enumerate(left):
            if copies == 0:
                continue
            best = max(stay, self.points(hand, kind, False, True) if kind in wins else 0.0)
            if exchanges:
                for discard in range(34):
                    if hand[discard] and discard != kind:
                        after = tuple(n + (at == kind) - (at == discard) for at, n in enumerate(hand))
                        best = max(best, self.value(after, exchanges - 1, draws - 1))
            drawn += copies / tiles * best
        return by_ron + (1 - ron) * drawn

    def _riichi(self, hand: Counts, draws: int) -> float:
        if draws == 0:
            return -RIICHI_STICK
        left = self.left(hand)
        tiles = sum(left)
        ron = by_ron = chance = drawn = 0.0
        for kind in self.waits(hand):
            share = left[kind] / tiles
            chance += share
            drawn += share * self.points(hand, kind, True, True)
            if not self.furiten(hand):
                ron += (RON - 1) * share
                by_ron += (RON - 1) * share * self.points(hand, kind, True, False)
        return by_ron + (1 - ron) * (drawn + (1 - chance) * self.riichi(hand, draws - 1))

    def left(self, hand: Counts) -> list[int]:
        """Copies of each kind that may still be drawn."""
        root = self.position.counts
        return [self.position.unseen[kind] - max(0, hand[kind] - root[kind]) for kind in range(34)]

    def waits(self, hand: Counts) -> list[int]:
        """The kinds that complete the hand and may be drawn."""
        left = self.left(hand)
        return [kind for kind in waits(hand, self.melds) if left[kind]]

    def tenpai(self, hand: Counts) -> bool:
        """Whether it is tenpai with a tile to wait for."""
        return bool(self.waits(hand))

    def furiten(self, hand: Counts) -> bool:
        """Whether a tile that it waits for has been discarded."""
        root = self.position.counts
        return any(self.position.river_mask >> kind & 1 or hand[kind] < root[kind] for kind in self.waits(hand))

    @cache  # noqa: B019 - a tree lives for one test
    def points(self, hand: Counts, win: int, riichi: bool, tsumo: bool) -> int:
        """Points of a win, 0 without a yaku."""
        need = tuple(n + (kind == win) for kind, n in enumerate(hand))
        return points_of(self.position, need, win, riichi, tsumo)
