"""What a policy states of the actions played in a game, and what came."""

from __future__ import annotations

import json

import pytest

from bot.lab.bench.forecasts import Forecasts
from bot.lab.seats import Seat, outcome_of
from engine.arena.seat_stats import seat_stats_of
from engine.model.events import EndGame, StartKyoku
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.games import game_of


@pytest.fixture(scope="module")
def log():
    game = game_of("simple", 5)
    return GameLog(game.events, source="game")


def test_the_course_of_every_hand_agrees_with_the_statistics(log):
    deals = [at for at, event in enumerate(log.events) if isinstance(event, StartKyoku)]
    for seat, stats in enumerate(seat_stats_of(log.events)):
        courses = [outcome_of(log, at, seat) for at in deals]
        assert sum(one.won for one in courses) == stats.wins
        assert sum(one.dealt_in for one in courses) == stats.deal_ins
        assert sum(one.tenpai for one in courses) == stats.tenpai
        assert courses[-1].after.scores == log.events[-1].scores
        assert courses[-1].after.over
        assert not any(one.after.over for one in courses[:-1])


def test_a_log_that_ends_early_shows_no_course(log):
    assert isinstance(log.events[-1], EndGame)
    assert outcome_of(GameLog(log.events[:-1]), len(log.events) - 3, 0) is None


def test_results_are_changes_of_the_score_where_points_are_the_objective(log):
    found = Forecasts(policy="value:utility=points", nodes=500, share=0.2).measure(Seat(log, 0))
    assert len(found) > 5
    for one in found:
        assert not (one.dealt_in_now and not one.dealt_in)
        assert one.came == pytest.approx(round(one.came, -2))  # whole hundreds
        if one.won:
            assert one.came > 0
    assert {one.won for one in found} == {False, True}


def test_the_command_measures_the_seats_of_one_player(figures, refused, log, tmp_path):
    (tmp_path / "game.xml").write_text(write_log(log, "mjlog"), encoding="utf-8")
    journal = tmp_path / "its.journal"
    command = ("bench", "forecasts", "--logs", tmp_path / "game.xml", "--every-game", "--nodes", 300, "-j", 1)
    command += ("--share", 0.15, "--journal", journal, "--name")
    found = figures(*command, "simple")
    assert found["decisions"] > 8  # about 25: which ones depends on the path of the log
    whole = found["groups"][0]
    assert (whole["by"], whole["n"]) == ("all", found["decisions"])
    assert 0.0 < whole["win"]["stated"] < 1.0
    kept = journal.read_text(encoding="utf-8")
    assert figures(*command, "simple") == found
    assert journal.read_text(encoding="utf-8") == kept
    head, *seats = map(json.loads, kept.splitlines())
    earlier = [{**seat, "rows": [list(row.values()) for row in seat["rows"]]} for seat in seats]
    journal.write_text("".join(json.dumps(line) + "\n" for line in (head, *earlier)), encoding="utf-8")
    assert figures(*command, "simple") == found  # a journal of earlier versions has no names of columns
    assert "no decision to measure" in refused(*command, "nobody")
