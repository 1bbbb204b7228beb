"""Many seeded games of four of our own clients over real websockets; both sides count what goes wrong."""

from __future__ import annotations

import asyncio

import pytest

from bot.deciding.thinker import Thinker
from bot.machine.gate import route
from bot.play.client import Client
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.tally import Tally
from engine.model.events import EndGame, StartKyoku
from engine.policy.registry import make_policy
from protocol.tenhou.game_type import NORMAL_CLOCK
from protocol.tenhou.session import Login, Session
from tests.tiers import mostly_slow

TYPES = (9, 1, 65, 3, 5, 73)
"""Hanchan, east only, fast, no red fives, no open tanyao, fast hanchan."""


async def play_one(open_lobby, seed, game_type, policy="simple"):
    """One game of four clients; returns the lobby's result and what the clients counted together."""
    tally = Tally()
    async with open_lobby(seed=seed, action=5.0, bank=10.0, fast_action=5.0, fast_bank=10.0) as lobby:
        thinkers = [Thinker(make_policy(policy, seed + seat)) for seat in range(4)]
        try:
            await asyncio.gather(
                *(
                    Client(
                        route(lobby.url),
                        Session(Login(game_type, f"Player{number}")),
                        Player(thinker, ClockTracker(NORMAL_CLOCK), tally),
                    ).play()
                    for number, thinker in enumerate(thinkers)
                )
            )
        finally:
            for thinker in thinkers:
                thinker.close()
        return await lobby.ended(1), tally


def check(result, tally):
    """No illegal action, no late answer, points and sticks conserved, and both sides agree on every prompt."""
    assert (result.illegal, result.late) == (0, 0), result.tallies
    counted = (tally.illegal, tally.late, tally.failed, tally.mismatches, tally.malformed, tally.unexpected, tally.lost)
    assert counted == (0,) * 7
    assert tally.hands == 4 * result.hands
    for event in result.log.events:
        if isinstance(event, StartKyoku):
            assert sum(event.scores) + 1000 * event.riichi_sticks == 100_000
    assert isinstance(result.log.events[-1], EndGame)
    assert sum(result.end.scores) == 100_000


@mostly_slow("seed", range(3))
async def test_a_few_games(open_lobby, seed):
    check(*await play_one(open_lobby, seed, TYPES[seed]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(36))
async def test_many_games(open_lobby, seed):
    check(*await play_one(open_lobby, 10_000 + seed, TYPES[seed % len(TYPES)]))
