"""Results are summed up in little memory, and games of unknown place are counted apart."""

from __future__ import annotations

import json
import tracemalloc

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


def test_games_of_unknown_place_are_counted_apart(monkeypatch, capsys, tmp_path):
    lost = GAME._replace(placement=None, score=None, result=None, drops=3)
    for one in (GAME, lost, GAME._replace(placement=4, result=-50.0), lost):
        played.append(tmp_path, one)
    played.append(tmp_path, lost._replace(account="b", result=25.0))
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path, "--json")
    first, second = json.loads(said)["days"]
    assert (first["games"], first["placements"], first["mean_placement"]) == (2, [1, 0, 0, 1], 2.5)
    assert (first["result"], first["unknown_place"], first["drops"]) == (10.0, 2, 6)
    assert (second["games"], second["mean_placement"], second["result"], second["unknown_place"]) == (0, None, 0.0, 1)
    monkeypatch.setenv("COLUMNS", "120")
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path)
    assert "place unknown" in said
    store_of(tmp_path).path.unlink()
    played.append(tmp_path, GAME)
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path)
    assert "place unknown" not in said


def test_all_that_is_kept_is_written_out(monkeypatch, capsys, tmp_path):
    played.append(tmp_path, GAME)
    played.append(tmp_path, GAME._replace(account="あ\n\x1b[31m", log="2026030123gm-00a9-0000-12345678"))
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path, "--account", "nobody", "--json")
    found = json.loads(said)
    assert [{name: one[name] for name in GAME._fields} for one in found["games"]] == [
        one._asdict() for one in played.read(tmp_path)
    ]
    assert (found["days"], found["cards"], found["reviews"]) == ([], [], [])
    code, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path)
    assert (code, "\x1b[31m" in said) == (0, False)
