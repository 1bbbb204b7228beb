"""Many games, several accounts, stopping, and what is kept of it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from datetime import date

import pytest
from structlog.testing import capture_logs

from bot.commands.play import _next_steps
from bot.commands.stats import stats
from bot.config import build
from bot.machine.logs import RotatingFile
from bot.machine.stop import stop_on_sigterm
from bot.play import results
from bot.play.accounts import ID_VARIABLE, Account, read_accounts
from bot.play.client import GameLostError
from bot.play.season import Season
from bot.store import played
from bot.store.played import Entry


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
    asyncio.get_running_loop().call_later(0.2, stop.set)
    async with asyncio.timeout(600):
        await season.play(stop)
    assert len(season.results) >= 1
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
            await asyncio.sleep(10)

    with capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(work())
    assert [line["then"] for line in lines] == told
    assert [text.partition(";")[0] for text in told] == ["stopping after the game", "stopping at once"]


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
    assert json.loads(out)["games"] == 1


# -- statistics ----------------------------------------------------------------------------------------------------

RANKED = Entry("2026-03-01T23:10:00+09:00", "a", "x", 0, 0xA9, 1, 40_000, 60.0, 16, 1_200, 2_100.5)


def test_days_add_up():
    later = RANKED._replace(at="2026-03-01T23:50:00+09:00", placement=4, result=-55.0, points=1_290, rate=2_103.0)
    gone = RANKED._replace(at="2026-03-02T00:10:00+09:00", placement=None, score=None, result=None, drops=2)
    other = RANKED._replace(account="b", dan=None, points=None, rate=None)
    first, second, third, fourth = results.days([RANKED, later, gone, other, later._replace(policy="human")])
    assert (first.day, first.account, first.games, first.placements) == (date(2026, 3, 1), "a", 2, (1, 0, 0, 1))
    assert (first.result, first.dan_points, first.mean_placement) == (5.0, 90.0 - 135.0, 2.5)
    assert first.rank == (16, 1_290, 2_103.0)
    assert (second.account, second.policy, second.games) == ("a", "human", 1)
    assert (third.account, third.rank, third.dan_points) == ("b", None, 0.0)
    assert (fourth.day, fourth.games, fourth.unknown, fourth.mean_placement) == (date(2026, 3, 2), 0, 1, None)
    assert fourth.drops == 2


@pytest.mark.parametrize(
    ("changes", "points"),
    [
        ({}, 90.0),
        ({"placement": 2}, 45.0),
        ({"placement": 4, "dan": 19}, -180.0),
        ({"placement": 4, "dan": 9, "game_type": 0x09}, -30.0),
        ({"game_type": 0xE1}, 60.0),
        ({"game_type": 0x89}, 60.0),
        ({"lobby": 1717}, 0.0),
        ({"game_type": 0x08}, 0.0),
        ({"placement": None}, 0.0),
    ],
)
def test_a_game_is_worth_its_dan_points(changes, points):
    assert results.dan_points(RANKED._replace(**changes)) == pytest.approx(points)


def test_the_command_prints_the_days(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    stats(folder=tmp_path, days=14)
    assert "no games yet" in capsys.readouterr().out
    for one in (RANKED, RANKED._replace(account="b", at="2026-03-03T10:00:00+09:00")):
        played.append(tmp_path, one)
    stats(folder=tmp_path, days=1, json=True)
    (day,) = json.loads(capsys.readouterr().out)["days"]
    assert (day["day"], day["account"], day["placements"], day["dan_points"]) == ("2026-03-03", "b", [1, 0, 0, 0], 90.0)
    stats(folder=tmp_path, days=9, account="a")
    out = capsys.readouterr().out
    assert "2026-03-01" in out
    assert "7段" in out
    assert "2026-03-03" not in out


def test_a_trend_compares_the_last_games_with_those_before(tmp_path, capsys):
    worse, better = (4, 3, 2, 3, 4, 3) * 5, (1, 2, 3, 2, 1, 2) * 5
    for place in (*worse, *better):
        played.append(tmp_path, RANKED._replace(placement=place, policy="value"))
    for number in range(19):
        played.append(tmp_path, RANKED._replace(placement=1 + number % 4, policy="simple"))
    played.append(tmp_path, RANKED._replace(placement=None, policy="simple"))
    stats(folder=tmp_path, days=14, json=True)
    (trend,) = json.loads(capsys.readouterr().out)["trends"]
    assert (trend["account"], trend["policy"], trend["games"]) == ("a", "value", 60)
    assert trend["mean_placement"][0] == 2.5
    assert trend["last"][0] == pytest.approx(sum(better[-20:]) / 20, abs=1e-3)
    assert trend["before"][0] == pytest.approx(sum((*worse, *better)[20:40]) / 20, abs=1e-3)
    assert trend["last"][1] > 0
    assert len(trend["parts"]) == 10
    stats(folder=tmp_path, days=14)
    out = capsys.readouterr().out
    assert "as many before" in out
    assert "▁" in out


# -- logs that turn over -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("keep", "left"), [(2, ["log", "log.1", "log.2"]), (0, ["log"])])
def test_a_log_that_has_grown_is_put_aside(tmp_path, keep, left):
    file = RotatingFile(tmp_path / "log", 100, keep)
    for number in range(40):
        file.write(f"line {number:04}\n")
    file.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == left
    kept = "".join((tmp_path / name).read_text() for name in reversed(left))
    lines = kept.splitlines()
    assert lines == [f"line {number:04}" for number in range(40 - len(lines), 40)]
    assert (tmp_path / "log").stat().st_size <= 110


def test_a_guest_has_no_secret():
    assert Account(read_accounts(build({}, "test"))[0].key, "guest").guest


def test_the_next_commands_name_the_folder_of_the_games(tmp_path):
    season = Season(config_for(tmp_path), read_accounts(config_for(tmp_path)), games=1)
    record = tmp_path / "1.jsonl"
    record.touch()
    season.dealt.append(record)
    told = " ".join(_next_steps(season, 1000)).split()
    assert told[-3:] == ["stats", "--folder", str(tmp_path)]
