"""Games played by quick policies, for the tests of the critic and of luck."""

from __future__ import annotations

from functools import cache

from engine.arena.match import Game, play_games
from engine.model.rules import TONPU
from engine.policy.batches import SimplePlayers


@cache
def simple_games(number: int) -> tuple[Game, ...]:
    """So many east-only games of ``simple``."""
    players = SimplePlayers()
    games = dict(play_games([[players] * 4] * number, range(number), TONPU))
    return tuple(games[at] for at in range(number))
