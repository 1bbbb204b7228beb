"""The bot as a process, against servers that mean harm and on a machine that fails."""

from __future__ import annotations

import pytest

from bot.trial.child import KEY, _tells_key
from bot.trial.hostile import ATTACKS, SPELLINGS, attacked
from bot.trial.machine import MACHINE, limits_writing


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if attack.quick else pytest.mark.slow) for name, attack in ATTACKS.items()]
)
async def test_a_hostile_server_gets_nothing_and_keeps_nobody(tmp_path, name):
    _, faults = await attacked(ATTACKS[name], tmp_path)
    assert faults == []


@pytest.mark.parametrize("name", MACHINE)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))])
async def test_games_go_on_on_a_machine_that_fails(tmp_path, name, seed):
    if name == "full disk" and not limits_writing():
        pytest.skip("this system cannot limit a running process")
    _, faults = await MACHINE[name](tmp_path, seed)
    assert faults == []


@pytest.mark.parametrize("text", [*SPELLINGS, *(one.replace("4", "\\u0034") for one in SPELLINGS)])
def test_the_key_is_found_in_every_spelling(text):
    assert _tells_key(f"before {text} after")
    assert not _tells_key("ID********-********")
    assert KEY.isascii()
