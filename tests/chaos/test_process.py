"""The bot as a process, against servers that mean harm, on a machine that fails, with policies that misbehave."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from tests.chaos.child import KEY, run, tells_key
from tests.chaos.hostile import ATTACKS, SPELLINGS, attacked
from tests.chaos.misbehaving import (
    MISBEHAVING,
    Hangs,
    Illegal,
    Loops,
    Prints,
    misbehaves,
    wins_in,
)
from tests.chaos.process import MACHINE, limits_writing

QUICK = ("echo of the key",)
LEFT_OUT = ("flood", "drip in a game")
"""Attacks that take long and differ little from others; ``make chaos`` tries them."""
MANY = 3
"""Games of each policy that misbehaves in a slow test; ``make chaos`` plays twenty."""


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(name, marks=pytest.mark.slow) for name in ATTACKS if name not in (*QUICK, *LEFT_OUT)),
    ],
)
async def test_a_hostile_server_gets_nothing_and_keeps_nobody(tmp_path, name):
    _, faults = await attacked(ATTACKS[name], tmp_path)
    assert faults == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MACHINE)
@pytest.mark.parametrize("seed", range(4))
async def test_games_go_on_on_a_machine_that_fails(tmp_path, name, seed):
    if name == "full disk" and not limits_writing():
        pytest.skip("this system cannot limit a running process")
    _, faults = await MACHINE[name](tmp_path, seed)
    assert faults == []


@pytest.mark.parametrize("text", [*SPELLINGS, *(one.replace("4", "\\u0034") for one in SPELLINGS)])
def test_the_key_is_found_in_every_spelling(text):
    assert tells_key(f"before {text} after")
    assert not tells_key("ID********-********")
    assert KEY.isascii()


@pytest.mark.slow
@pytest.mark.parametrize("policy", [Illegal, Prints])
async def test_a_policy_that_misbehaves_passes_no_win(tmp_path, policy):
    ended, faults = await misbehaves(tmp_path, policy, 1)
    assert faults == []
    assert ended.figures["late"] == 0


async def test_a_trial_that_is_stopped_leaves_no_process(tmp_path):
    begun = asyncio.get_running_loop().create_future()

    async def meddle(running):
        begun.set_result(running.process)

    trying = asyncio.create_task(run(tmp_path, {}, "--games", "0", seconds=100.0, meddle=meddle))
    process = await begun
    trying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await trying
    async with asyncio.timeout(100.0):
        assert await process.wait() == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("policy", MISBEHAVING)
async def test_a_policy_that_misbehaves_passes_no_win_in_many_games(tmp_path, policy):
    never_ends = policy in (Hangs, Loops)
    ended, faults = await misbehaves(tmp_path, policy, 2 if never_ends else MANY)
    assert faults == []
    assert sum(wins_in(Path(record))[0] for record in ended.figures["records"]) > 0
    if never_ends:  # on a busy machine the lobby's half second may pass as well, which counts once more
        assert ended.figures["late"] >= ended.figures["decisions"]
    else:
        assert ended.figures["late"] == 0
