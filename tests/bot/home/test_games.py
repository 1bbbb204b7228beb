"""The games that lie in a folder: when, who, the places, and how the hands of each player went."""

from __future__ import annotations

import json
import os

import pytest

from bot.home import games
from bot.home.games import FIGURES, Games
from bot.logs.sources import open_logs
from bot.review.recording import read_recording
from engine.arena.seat_stats import seat_stats_of
from protocol.logs.formats import convert
from tests.bot.home.homes import game
from tests.bot.home.reviews import PLAYERS


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "2024010203gm-0001-0000-aaaa.xml").write_bytes(game(*PLAYERS))
    return tmp_path


def read(*folders):
    found = Games(folders)
    while not found.whole:
        found.read()
    return found.rows()


def test_a_game_is_listed_by_its_day_its_players_and_their_places(folder):
    (row,) = read(folder, folder / "none")
    assert row["at"] == "2024-01-02"
    assert row["names"] == [*PLAYERS]
    assert sorted(row["places"]) == [1, 2, 3, 4]
    assert row["points"][row["places"].index(1)] == max(row["points"])
    assert (row["own"], row["running"], row["person"]) == (None, False, False)


def test_a_log_is_not_dated_by_its_file_and_keeps_its_place_in_the_list(tmp_path):
    for at, name in enumerate(("old.xml", "2024010203gm-0001-0000-aaaa.xml", "new.xml")):
        (tmp_path / name).write_bytes(game(name[:3], "Ben"))
        os.utime(tmp_path / name, (1e9 + at, 1e9 + at))  # in 2001
    assert [(row["at"], row["names"][0]) for row in read(tmp_path)] == [
        ("2024-01-02", "202"),
        ("", "new"),
        ("", "old"),
    ]


def test_built_in_opponents_have_the_names_of_people(tmp_path):
    (tmp_path / "a.xml").write_bytes(game("value", "Anna", "value", "simple"))
    (row,) = read(tmp_path)
    assert row["called"] == ["Haru", "Anna", "Ren", "Yui"]
    assert row["strengths"] == ["value", "", "value", "simple"]
    assert row["names"] == ["value", "Anna", "value", "simple"]


def test_the_counts_of_each_player_are_those_of_the_whole_game(folder):
    (row,) = read(folder)
    stats = seat_stats_of([event for _, event in read_recording(next(open_logs(list(folder.iterdir())))).events])
    for counts, one in zip(row["seats"], stats, strict=True):
        assert dict(zip(FIGURES, counts, strict=True)) == {name: getattr(one, name) for name in FIGURES}


def test_files_that_are_no_games_cost_no_others(folder):
    for name, data in (("a.xml", b"<mjloggm"), ("b.json", b"{}"), ("c.jsonl", b'{"policy": 1}\n'), ("d", b"\xff")):
        (folder / name).write_bytes(data)
    assert [row["names"] for row in read(folder)] == [[*PLAYERS]]


def test_a_file_that_could_not_be_read_is_read_again_soon(folder, monkeypatch):
    def fails(_path):
        raise OSError(24, "Too many open files")

    found, read_bytes = Games([folder]), games._game
    monkeypatch.setattr(games, "_game", fails)
    found.read()
    assert found.rows() == []
    monkeypatch.setattr(games, "_game", read_bytes)
    monkeypatch.setattr(games, "AGAIN", 0.0)
    found.read()
    assert len(found.rows()) == 1


def test_a_game_that_lies_in_several_formats_is_listed_once(folder):
    (log,) = folder.iterdir()
    for target in ("tenhou6", "mjai"):
        (folder / f"{log.stem}.{target}.json").write_text(convert(next(open_logs([log])), target), encoding="utf-8")
    assert len(read(folder)) == 1


def test_a_file_is_read_once_and_again_when_it_has_changed(folder, monkeypatch):
    asked = []
    made = games._game
    monkeypatch.setattr(games, "_game", lambda path: asked.append(path.name) or made(path))
    found = Games([folder])
    for _ in range(3):
        found.read()
    assert len(asked) == 1
    (file,) = folder.iterdir()
    file.write_bytes(game("Eva"))
    found.read()
    assert len(asked) == 2
    assert found.rows()[0]["names"][0] == "Eva"
    file.unlink()
    found.read()
    assert found.rows() == []


def test_many_games_are_read_a_few_at_a_time(folder, monkeypatch):
    monkeypatch.setattr(games, "STEP", 0.0)
    for number in range(3):
        (folder / f"{number}.xml").write_bytes(game(f"P{number}"))
    found = Games([folder])
    seen = []
    for _ in range(10):
        found.read()
        seen.append(len(found.rows()))
        if found.whole:
            break
    assert seen[-1] == 4
    assert seen == sorted(seen)
    assert len(seen) > 1


@pytest.mark.parametrize("name", ["human", "value"])
def test_a_record_says_whether_a_person_has_played(tmp_path, name):
    path = tmp_path / "record.jsonl"
    path.write_text(json.dumps({"policy": {"name": name}}) + "\n", encoding="utf-8")
    assert games._is_played_by_a_person(path) is (name == "human")
