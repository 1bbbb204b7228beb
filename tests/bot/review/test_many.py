"""Audits of many games, and their index."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.deciding.players import PlayerSpec
from bot.review.charts import names_of_games, series_chart
from bot.review.fields import audit_fields
from bot.review.folder import totals, write_folder
from bot.review.habits import CHOICES, RATES
from bot.review.many import Job, audit_logs
from bot.wording.languages import Lang
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import GameLog
from tests.bot.review.games import audit_of, log_file
from tests.games import game_of


@pytest.fixture(scope="module")
def logs():
    names = ("=cmd", "Tanaka", "b", "c")
    found = []
    for seed in range(3):
        log = GameLog(game_of("tsumogiri", seed).events)
        start = replace(log.start, names=names[seed:] + names[:seed])
        found.append(log_file(replace(log, events=(start, *log.events[1:])), f"games/{seed}.xml"))
    return [*found, LogFile("games/broken.xml", "mjlog", b"<mjloggm")]


def test_many_games_one_broken(tmp_path, logs):
    job = Job(PlayerSpec.parse("tsumogiri"), seat_name="=cmd", folder=tmp_path)
    found = audit_logs(logs, job)
    summed = write_folder(tmp_path, found, job.seat_name)
    assert (summed["games"], summed["failed"]) == (3, 1)
    assert [done.error != "" for done in found] == [False, False, False, True]
    assert sum(summed["placements"].values()) == 3
    assert summed["score"]["decisions"] == sum(done.fields["score"]["decisions"] for done in found if done.fields)
    assert {done.fields["seat"] for done in found if done.fields} == {0, 3, 2}
    without = summed["without_draws"]
    assert without["games"] == 3
    assert without["placement"]["mean"] == pytest.approx(summed["mean_placement"], abs=0.01)
    places = [done.fields["ends"][0]["placement"] - done.fields["draws"]["places"] for done in found if done.fields]
    assert without["placement_without"]["mean"] == pytest.approx(sum(places) / 3, abs=0.01)
    assert without["score_without"]["within"] > 0
    index = (tmp_path / "index.html").read_text()
    assert "mean placement without luck" in index
    _, unit, after = index.partition('<p class="facts">values in ')
    assert unit
    assert "tsumogiri" not in after[:100]  # the name of the program stands in the method alone
    assert f"{without['placement_without']['mean']:.2f}" in index
    assert "broken.xml" in index
    for done in found:
        assert bool(done.report) == (done.fields is not None)
        assert done.report in index
        assert (tmp_path / done.report).exists()


def test_situations_habits_and_the_trend_of_many_games(tmp_path, logs):
    found = audit_logs(logs, Job(PlayerSpec.parse("simple"), seat=0, folder=tmp_path))
    summed = write_folder(tmp_path, found, "", Lang.JA)
    assert sum(one["judged"] for one in summed["situations"].values()) == summed["score"]["judged"]
    assert 1 <= len(summed["habits"]) <= 10
    losses = [one["lost"] for one in summed["habits"]]
    assert losses == sorted(losses, reverse=True)
    assert sum(losses) <= summed["score"]["lost"] * 1.001
    assert [one["games"] for one in summed["trend"]] == [1, 1, 1]
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "損失の大きい癖" in index
    assert "ボットが" in index


def test_games_of_one_day_are_told_apart_by_their_numbers():
    assert names_of_games(["2024-01-30", "2024-01-31", "2024-01-31", ""]) == [
        "2024-01-30", "2024-01-31 #2", "2024-01-31 #3", "#4",
    ]  # fmt: skip
    points = [(name, 100.0, 1.0) for name in names_of_games(["2024-01-31"] * 4 + ["2024-02-01"])]
    shown = re.findall(r'text-anchor="middle">([^<]*)<', series_chart(points, "", None, 880, 230))
    assert shown == ["2024-01-31 #1", "#2", "#3", "#4", "2024-02-01"]


@pytest.mark.slow
def test_the_index_numbers_the_games_of_a_day(tmp_path, game):
    names = [f"2024-01-31-{at}.xml" for at in range(2)]
    other = GameLog(game_of("tsumogiri", 12).events)
    logs = [log_file(log, name) for log, name in zip((game, other), names, strict=True)]
    found = audit_logs(logs, Job(PlayerSpec.parse("simple"), seat=2, folder=tmp_path))
    write_folder(tmp_path, found, "")
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "2024-01-31 #1<" in index
    assert '"game":"2024-01-31 #2"' in index or '"game":"2024-01-31 #1"' in index


@pytest.mark.slow
def test_rates_by_situation(logs):
    summed = totals(audit_logs(logs, Job(PlayerSpec.parse("simple"), seat=0)))
    everything = summed["rates_by_situation"]["all"]
    assert everything["hands"] == summed["hands"]
    assert {name: everything[name] for name in RATES} == summed["rates"]
    assert summed["rates_by_situation"]["last_hand"]["hands"] >= summed["games"]
    assert summed["rates_by_situation"]["dealer"]["hands"] >= summed["games"]
    assert "own_riichi" not in summed["rates_by_situation"]  # the player never declares one
    for kind in {one["kind"] for one in summed["choices"]}:
        inside = [one for one in summed["choices"] if one["kind"] == kind]
        assert inside[0]["situation"] == "all"
        assert inside[0]["count"] == sum(one["count"] for one in inside[1:]) > 0
    calls = next(one for one in summed["choices"] if one["kind"] == "call")
    assert calls["played"] == 0.0 < calls["chosen"]


def test_choices_are_those_of_the_log(game):
    """A policy that is compared with its own game makes every choice as often as the player did."""
    fields = audit_fields(audit_of(game, 0))
    assert {one["kind"] for one in fields["choices"]} == set(CHOICES)
    assert all(one["played"] == one["chosen"] <= one["count"] for one in fields["choices"])
    riichi = sum(one["played"] for one in fields["choices"] if one["kind"] == "riichi")
    assert riichi == sum(hand["riichi"] for hand in fields["hands"]) > 0


@pytest.mark.slow
def test_many_games_go_on_where_they_stopped(tmp_path, logs):
    job = Job(PlayerSpec.parse("tsumogiri"), seat_name="Tanaka", folder=tmp_path)
    first = audit_logs(logs[:2], job)
    assert not any(done.kept for done in first)
    again = audit_logs(logs, job)
    assert [done.kept for done in again] == [True, True, False, False]
    kept = {done.name: done.fields for done in again}
    assert all(kept[done.name] == done.fields for done in first)
    other = audit_logs(logs[:2], replace(job, seat_name="b"))
    assert not any(done.kept for done in other)


def test_a_game_in_two_files_counts_once(logs):
    log = read_log(logs[0])
    files = [logs[0], LogFile("games/zero.json", "tenhou6", write_log(log, "tenhou6").encode()), logs[1]]
    found = audit_logs(files, Job(PlayerSpec.parse("tsumogiri"), seat=0))
    assert [done.again for done in found] == ["", "", "games/0.xml"]
    assert (totals(found)["games"], totals(found)["again"]) == (2, 1)


def test_a_player_who_is_elsewhere(tmp_path, logs):
    found = audit_logs(logs, Job(PlayerSpec.parse("tsumogiri"), seat_name="nobody", folder=tmp_path))
    assert totals(found)["elsewhere"] == 3
    assert totals(found)["games"] == 0


@pytest.mark.slow
def test_many_at_once_find_the_same(logs):
    job = Job(PlayerSpec.parse("tsumogiri"), seat=1)
    assert audit_logs(logs, job, jobs=2) == audit_logs(logs, job, jobs=1)
