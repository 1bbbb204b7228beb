"""Our clients where things go wrong on the way to a lobby, and what the lobby owes to those who come back."""

from __future__ import annotations

import asyncio

from bot.lobby import hall
from tests.chaos.survive import OTHERS, RUNS, TABLE, drop_plan, players_for
from tests.chaos.table import NAMES, Trial, play_alone
from tests.faults.plan import FaultKind, FaultPlan
from tests.integration.lobbies import RawClient, SimplePlayer, open_lobby
from tests.tiers import mostly_slow

KEY = "ID0A1B2C3D-4e5f6a7b"


def nothing_wrong(trial):
    assert trial.why == []
    assert (trial.gone, trial.stuck, trial.crashed, trial.illegal) == (0, 0, 0, 0)
    assert trial.tally.drops == trial.tally.resumed + trial.tally.ended


@mostly_slow("run", [0, 1])
async def test_a_connection_may_break_at_any_message(run):
    trial = Trial()
    await play_alone(trial, drop_plan(run), run, TABLE)
    nothing_wrong(trial)
    assert trial.tally.drops > 50
    assert trial.injected[FaultKind.DROP] > 50  # more may be lost on a busy machine, where a client's patience ends


def test_over_the_runs_every_boundary_has_its_drop():
    struck = {
        (number % rule.every)
        for run in range(RUNS)
        for rule in drop_plan(run).fault
        for number in range(1, 1_000)
        if number % rule.every == rule.offset % rule.every
    }
    assert struck == set(range(RUNS * len(NAMES)))


@mostly_slow("kind", sorted(OTHERS, key=lambda kind: kind != FaultKind.MALFORMED))
async def test_a_game_with_each_other_fault(kind):
    trial = Trial()
    for seed in range(1, 5):  # who sits where depends on who comes first: a game may have no occasion for the fault
        await play_alone(trial, FaultPlan(seed=seed, fault=OTHERS[kind]), seed, TABLE, players_for(kind))
        if trial.injected[kind]:
            break
    nothing_wrong(trial)
    assert trial.injected[kind] > 0


async def test_who_comes_in_twice_is_let_go_once():
    async with open_lobby() as lobby, RawClient(lobby.url) as first, RawClient(lobby.url) as second:
        await first.log_in(KEY)
        await second.log_in(KEY)
        assert await first.until_closed() == 4001
        await second.say("<ECHO/>")
        await second.hear("ECHO")


async def test_a_new_connection_takes_the_seat_of_one_that_seems_alive():
    async with open_lobby() as lobby, RawClient(lobby.url) as first, RawClient(lobby.url) as second:
        await first.sit(0, KEY)
        await second.say({"tag": "HELO", "name": KEY, "sx": "M"})
        await second.hear("SAIKAI")
        assert await first.until_closed() == 4001
        await second.say({"tag": "GOK"})
        await second.hear("REINIT")
        await second.own_draw()


async def test_a_public_name_in_use_is_refused_to_others(monkeypatch):
    monkeypatch.setattr(hall, "PROBE", 100.0)
    async with open_lobby() as lobby, RawClient(lobby.url) as first, RawClient(lobby.url) as second:
        await first.sit(0, "Anna")
        await second.say('<HELO name="Anna"/><HELO name="Anna"/>')
        playing = asyncio.create_task(first.own_draw())  # who reads answers pings
        assert (await second.hear("ERR"))["code"] == "1003"
        await playing
        assert first.socket.close_code is None


async def test_a_public_name_on_a_dead_connection_is_free():
    async with open_lobby() as lobby, RawClient(lobby.url) as first, RawClient(lobby.url) as second:
        await first.sit(0, "Anna")
        first.socket.transport.pause_reading()
        await second.say({"tag": "HELO", "name": "Anna", "sx": "M"})
        await second.hear("SAIKAI")
        first.socket.transport.resume_reading()
        assert await first.until_closed() == 4001


async def test_who_is_just_coming_back_when_the_game_ends_is_told_how():
    async with open_lobby(people=2, ready=0.2) as lobby:
        other = SimplePlayer(lobby.url, 1, "Boris")
        async with RawClient(lobby.url) as leaves:
            playing = asyncio.create_task(other.play())
            await leaves.sit(1, "Anna")
        async with RawClient(lobby.url) as back:
            await back.say({"tag": "HELO", "name": "Anna", "sx": "M"})
            await back.hear("SAIKAI")
            await playing  # and says no GOK until the game is over
            result = await lobby.ended()
            await back.hear("REINIT")
            last = await back.hear("AGARI", "RYUUKYOKU")
            while "owari" not in last:
                last = await back.hear("AGARI", "RYUUKYOKU")
    assert sorted(map(int, last["owari"].split(",")[::2])) == sorted(score // 100 for score in result.end.scores)
