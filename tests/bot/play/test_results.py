"""Results are summed up in little memory, by day and over time, and games of unknown place are counted apart."""

from __future__ import annotations

import json
import tracemalloc
from datetime import date

import pytest

from bot.play import results
from bot.store import played
from bot.store.database import store_of
from bot.store.played import Entry
from tests.bot.commands.program import oshihiki

GAME = Entry("2026-03-01T23:10:00+09:00", "a", "x", 0, 0xA9, 1, 40_000, 60.0, 16, 1_200, 2_100.5)


def test_many_games_cost_no_memory(tmp_path):
    with store_of(tmp_path).writing() as database:
        database.executemany(f"INSERT INTO games {played._ADD}", [GAME] * 20_000)
    tracemalloc.start()
    try:
        (day,) = results.days(played.read(tmp_path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert day.games == 20_000
    assert most < 1_000_000


def test_days_add_up():
    later = GAME._replace(at="2026-03-01T23:50:00+09:00", placement=4, result=-55.0, points=1_290, rate=2_103.0)
    gone = GAME._replace(at="2026-03-02T00:10:00+09:00", placement=None, score=None, result=None, drops=2)
    other = GAME._replace(account="b", dan=None, points=None, rate=None)
    first, second, third, fourth = results.days([GAME, later, gone, other, later._replace(policy="human")])
    assert (first.day, first.account, first.games, first.placements) == (date(2026, 3, 1), "a", 2, [1, 0, 0, 1])
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
    assert results.dan_points(GAME._replace(**changes)) == pytest.approx(points)


def shown(monkeypatch, capsys, folder, *options):
    """What ``stats`` prints of a folder: text, or with --json the figures."""
    monkeypatch.setenv("COLUMNS", "120")
    code, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", folder, *options)
    assert code == 0
    return json.loads(said) if "--json" in options else said


def test_the_command_prints_the_days_and_the_column_that_is_needed(monkeypatch, capsys, tmp_path):
    assert "no games yet" in shown(monkeypatch, capsys, tmp_path)
    for one in (GAME, GAME._replace(account="b", at="2026-03-03T10:00:00+09:00")):
        played.append(tmp_path, one)
    (day,) = shown(monkeypatch, capsys, tmp_path, "--days", 1, "--json")["days"]
    assert (day["day"], day["account"], day["placements"], day["dan_points"]) == ("2026-03-03", "b", [1, 0, 0, 0], 90.0)
    out = shown(monkeypatch, capsys, tmp_path, "--days", 9, "--account", "a")
    assert "2026-03-01" in out
    assert "7段" in out
    assert "2026-03-03" not in out
    assert "place unknown" not in out
    played.append(tmp_path, GAME._replace(placement=None, score=None, result=25.0, drops=3))
    assert "place unknown" in shown(monkeypatch, capsys, tmp_path)
    first, _ = shown(monkeypatch, capsys, tmp_path, "--json")["days"]
    assert (first["games"], first["result"], first["unknown_place"], first["drops"]) == (1, 60.0, 1, 3)


def test_a_trend_compares_the_last_games_with_those_before(monkeypatch, capsys, tmp_path):
    worse, better = (4, 3, 2, 3, 4, 3) * 5, (1, 2, 3, 2, 1, 2) * 5
    for place in (*worse, *better):
        played.append(tmp_path, GAME._replace(placement=place, policy="value"))
    for number in range(19):
        played.append(tmp_path, GAME._replace(placement=1 + number % 4, policy="simple"))
    played.append(tmp_path, GAME._replace(placement=None, policy="simple"))
    (trend,) = shown(monkeypatch, capsys, tmp_path, "--json")["trends"]
    assert (trend["account"], trend["policy"], trend["games"]) == ("a", "value", 60)
    assert trend["mean_placement"][0] == 2.5
    assert trend["last"][0] == pytest.approx(sum(better[-20:]) / 20, abs=1e-3)
    assert trend["before"][0] == pytest.approx(sum((*worse, *better)[20:40]) / 20, abs=1e-3)
    assert trend["last"][1] > 0
    assert len(trend["parts"]) == 10
    out = shown(monkeypatch, capsys, tmp_path)
    assert "as many before" in out
    assert "▁" in out


def test_all_that_is_kept_is_written_out(monkeypatch, capsys, tmp_path):
    played.append(tmp_path, GAME)
    played.append(tmp_path, GAME._replace(account="あ\n\x1b[31m", log="2026030123gm-00a9-0000-12345678"))
    found = shown(monkeypatch, capsys, tmp_path, "--account", "nobody", "--json")
    assert [{name: one[name] for name in GAME._fields} for one in found["games"]] == [
        one._asdict() for one in played.read(tmp_path)
    ]
    assert (found["days"], found["cards"], found["reviews"]) == ([], [], [])
    assert "\x1b[31m" not in shown(monkeypatch, capsys, tmp_path)
