"""A stock of games of one policy at all four seats: each is played once by a process of the tests."""

from __future__ import annotations

from functools import cache

from engine.arena import Game, play_game
from engine.model.rules import TONPU, Rules
from engine.model.seats import SEATS
from engine.policy.registry import make_policy


@cache
def game_of(policy: str, seed: int, rules: Rules = TONPU) -> Game:
    """The game of four players of a policy."""
    return play_game([make_policy(policy) for _ in SEATS], rules, seed)
