"""Verification of a client's session: records of our own games agree with the rules, on good lines and on bad ones."""

from __future__ import annotations

import asyncio
import json

import pytest
import structlog

from bot.commands.bench_survive import OTHERS as FAULTS
from bot.lobby.faults import FaultKind, FaultPlan
from bot.replay.verify import verify_files
from engine.policy.registry import POLICIES
from protocol.logs.formats import LogFile
from protocol.tenhou.game_type import Clock
from tests.bot.replay.playing import DROPS, OTHERS, play

KEY = "ID0a1b2c3d-Zz9Yy8Xx"
"""Of an account: whoever comes back is known by it."""
DECLARES = b'"out":"{\\"tag\\":\\"REACH\\"'
"""In a record, where the client declares riichi."""
LOST = DROPS.model_copy(update={"lost": True})


@pytest.fixture(scope="module", autouse=True)
def _quiet():
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    yield
    structlog.reset_defaults()


def verified(data):
    return verify_files([LogFile("r.jsonl", "record", data)])


def recorded(folder, *rules, seed=5, **settings):
    """The record of a game on a line with these faults, and what its client counted."""
    plan = FaultPlan(seed=seed, fault=rules) if rules else None
    return asyncio.run(play(folder, seed=seed, faults=plan, key=KEY, **settings))


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    return recorded(tmp_path_factory.mktemp("game"))[0]


def test_a_record_with_a_riichi_agrees(game):
    tally = verified(game)
    assert DECLARES in game
    assert (tally.errors, tally.unreadable) == ([], [])
    assert tally.actions > 50
    assert tally.prompts == tally.prompts_exact > 100


def test_a_riichi_on_a_tile_that_is_not_held_is_found(game):
    lines = game.split(b"\n")
    said = next(at for at, line in enumerate(lines) if DECLARES in line)
    at = next(at for at in range(said + 1, len(lines)) if b'"out":"{\\"tag\\":\\"D\\"' in lines[at])
    held = json.loads(json.loads(lines[at])["out"])["p"]
    lines[at] = lines[at].replace(f'"p\\":{held}'.encode(), f'"p\\":{(held + 68) % 136}'.encode())
    (error,) = verified(b"\n".join(lines)).errors
    assert error.check == "action"
    assert "riichi" in error.message


@pytest.mark.parametrize("rules", [(DROPS,), (LOST,), OTHERS], ids=["drop", "lost", "others"])
def test_a_record_over_many_connections_agrees(tmp_path, rules):
    data, tally = recorded(tmp_path, *rules, seed=3)
    assert tally.drops > 0
    found = verified(data)
    assert (found.errors, found.unreadable) == ([], [])


def test_what_a_server_says_twice_is_heard_once(tmp_path):
    data, tally = recorded(tmp_path, FAULTS[FaultKind.DUPLICATE], seed=3, policy="tsumogiri")
    assert tally.repeated > 0
    found = verified(data)
    assert (found.errors, found.unreadable) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("rules", [(), (DROPS,), (LOST,)], ids=["none", "drop", "lost"])
@pytest.mark.parametrize("policy", [name for name in POLICIES if name != "value-1"])  # it is value with other settings
def test_records_of_every_policy_agree(tmp_path, policy, rules):
    data, tally = recorded(tmp_path, *rules, seed=3, policy=policy, clock=Clock(1.0, 0.0))
    assert (tally.drops > 0) is bool(rules)
    found = verified(data)
    assert (found.errors, found.unreadable) == ([], [])
    assert found.actions > 10  # a drop costs turns, the more the busier the machine: enough to have checked something


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_records_on_every_bad_line_agree(tmp_path, kind):
    data, _ = recorded(tmp_path, FAULTS[kind], seed=2, clock=Clock(4.0, 2.0))
    found = verified(data)
    assert (found.errors, found.unreadable) == ([], [])
