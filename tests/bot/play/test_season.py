"""Many games, several accounts, stopping, and what is kept of it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest
from structlog.testing import capture_logs

from bot.commands.play import _next_steps
from bot.config import build
from bot.machine.stop import stop_on_sigterm
from bot.play.accounts import ID_VARIABLE, Account, read_accounts
from bot.play.client import GameLostError
from bot.play.season import Season
from bot.store import played


def config_for(tmp_path, **more):
    content = {
        "policy": {"name": "tsumogiri"},
        "game": {"length": "tonpu"},
        "lobby": {"seats": ["tsumogiri"] * 3},
        "record": {"folder": str(tmp_path)},
    }
    return build({**content, **more}, "test")


@pytest.mark.slow
async def test_accounts_play_side_by_side_and_every_game_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv(ID_VARIABLE, "Anna first,Boris second")
    config = config_for(tmp_path)
    season = Season(config, read_accounts(config), games=2)
    async with asyncio.timeout(600):
        await season.play()
    assert len(season.results) == len(season.records) == 4
    assert len(season.logs) == 8
    kept = list(played.read(tmp_path))
    assert sorted(one.account for one in kept) == ["first", "first", "second", "second"]
    assert {one.server for one in kept} == {"embedded"}
    assert [one.placement for one in kept] == [result.placement for result in season.results]
    assert season.status().startswith("0 playing · 4 games ")
    assert season.fields()["games"] == 4


async def test_a_stop_lets_the_game_end(tmp_path):
    config = config_for(tmp_path)
    season = Season(config, read_accounts(config), games=0)
    stop = asyncio.Event()

    class Begun:
        """Asks to stop once the game has begun."""

        def happened(self, *_):
            stop.set()

        def decided(self, *_):
            pass

        noted = decided

    season.watch.append(lambda _: [Begun()])
    async with asyncio.timeout(600):
        await season.play(stop)
    assert len(season.results) == 1
    assert season.lost == 0


async def test_an_account_that_cannot_go_on_ends_the_run_and_says_why(tmp_path):
    config = config_for(tmp_path, server={"url": "ws://127.0.0.1:9/"})
    season = Season(config, read_accounts(config), games=3)
    with pytest.raises(
        GameLostError, match=r"no connection: port 9 of 127\.0\.0\.1 refuses the connection: nothing listens"
    ):
        await season.play()
    assert season.lost == 1
    assert list(played.read(tmp_path)) == []


async def test_the_first_sigterm_asks_and_the_second_stops():
    told = []

    async def work():
        with stop_on_sigterm(told.append) as stop:
            os.kill(os.getpid(), signal.SIGTERM)
            await stop.wait()
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(600)

    with capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(work())
    assert [line["then"] for line in lines] == told
    assert [text.partition(";")[0] for text in told] == ["stopping after the game", "stopping at once"]


@pytest.mark.slow
def test_the_command_plays_its_game_to_the_end_after_a_sigterm(tmp_path):
    file = tmp_path / "my.toml"
    file.write_text('[policy]\nname = "tsumogiri"\n[lobby]\nseats = ["tsumogiri", "tsumogiri", "tsumogiri"]\n')
    command = ["play", "--config", str(file), "--games", "0", "--json",
               "--record", str(tmp_path), "--tonpu"]  # fmt: skip
    run = [sys.executable, "-c", "from bot.cli import program; program()", *command]
    process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603
    while not any(path.stat().st_size > 3_000 for path in tmp_path.glob("*.jsonl")):
        assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "a second SIGTERM stops at once" in err
    records = list(tmp_path.glob("*.jsonl"))  # where this test was slow, games have ended before
    assert json.loads(out)["games"] == len(records)


def test_a_guest_has_no_secret():
    assert Account(read_accounts(build({}, "test"))[0].key, "guest").guest


def test_the_next_commands_name_the_folder_of_the_games(tmp_path):
    season = Season(config_for(tmp_path), read_accounts(config_for(tmp_path)), games=1)
    record = tmp_path / "1.jsonl"
    record.touch()
    season.dealt.append(record)
    told = " ".join(_next_steps(season, 1000)).split()
    assert told[-3:] == ["stats", "--folder", str(tmp_path)]
