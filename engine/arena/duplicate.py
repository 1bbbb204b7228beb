"""Duplicate play: the same walls again and again, everyone once in each seat.

Four games make a *deal*. Who gets good tiles is then the same for all: were all four players alike, each deal would
leave every one of them with a mean place of exactly 2.5 and no points gained. What a deal leaves beyond that is skill
and what luck the games had after they parted, so figures are told deal by deal and intervals drawn over deals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.arena.account import Account, accounts_of
from engine.arena.match import Game, play_game
from engine.model.budget import Budget
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.policy.decision import Decider

NORMAL_95: Final = 1.96
"""Standard errors to either side that hold 95% of a normal distribution."""

Seats = Callable[[int], Sequence[Decider]]
"""Given the number of the game within its deal, fresh deciders for the four *players* (not yet seats)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and how far to either side its 95% interval reaches; None where one deal cannot tell."""

    mean: float
    within: float | None

    @property
    def low(self) -> float:
        """Lower end; the mean itself where the interval is not known."""
        return self.mean - (self.within or 0.0)

    @property
    def high(self) -> float:
        """Upper end."""
        return self.mean + (self.within or 0.0)


def seat_of(player: int, game: int) -> int:
    """Where a player sits in the ``game``-th game of a deal."""
    return (player + game) % len(SEATS)


def play_deal(
    players: Seats,
    rules: Rules = HANCHAN,
    seed: int = 0,
    budget: Budget | None = None,
    watch: Callable[[int, Game], None] | None = None,
) -> tuple[tuple[Account, ...], ...]:
    """Play the same walls four times.

    Args:
        players: makes the players of each game.
        rules: of the table.
        seed: decides the walls.
        budget: for every decision.
        watch: shown the number of each game, and the game.

    Returns:
        ``[player][game]``: what came of it.
    """
    found: tuple[list[Account], ...] = tuple([] for _ in SEATS)
    for number in SEATS:
        sitting = list(players(number))
        at = [sitting[(seat - number) % len(SEATS)] for seat in SEATS]
        game = play_game(at, rules, seed, budget)
        if watch is not None:
            watch(number, game)
        accounts = accounts_of(game.events)
        for player in SEATS:
            found[player].append(accounts[seat_of(player, number)])
    return tuple(map(tuple, found))


def ratio(parts: Sequence[tuple[float, float]]) -> Estimate:
    """Sum of the first numbers over sum of the second, one pair a deal, with the interval over deals.

    The spread is that of ``first - mean * second``, which is right for rates whose base (hands, games) varies too.
    Normal: from some thirty deals on.
    """
    top = math.fsum(first for first, _ in parts)
    base = math.fsum(second for _, second in parts)
    mean = top / base if base else 0.0
    count = len(parts)
    if count < 2 or not base:
        return Estimate(mean, None)
    spread = math.fsum((first - mean * second) ** 2 for first, second in parts)
    return Estimate(mean, NORMAL_95 * math.sqrt(spread * count / (count - 1)) / base)
