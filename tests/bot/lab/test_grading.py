"""Differences of audits played on: samples, sums with intervals, and the journal."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from bot.deciding.players import PlayerSpec
from bot.lab.grading import Compared, GradedSeat, gain_of, gain_per_game, gain_per_point, grade_seat, mean_of
from bot.lab.seats import Seat
from bot.machine.values import from_json, to_json
from bot.review.measure import Grade
from bot.review.verdicts import Score, Side
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.games import game_of

JUDGE = PlayerSpec.parse("value:learned=0,nodes=500")


@pytest.fixture(scope="module")
def log():
    game = game_of("phoenix", 21)
    return GameLog(game.events, source="game")


@pytest.fixture(scope="module")
def graded(log):
    return grade(log, walls=2)


def grade(log, walls):
    return grade_seat(Seat(log, 0, "phoenix"), JUDGE.make(0), walls, 0.2)


def test_differences_are_played_on_and_a_sample_stands_for_all(log, graded):
    assert graded == grade(log, walls=2)
    sampled = [one for one in graded.compared if one.grade is Grade.EQUAL or one.disputed is Side.NETWORK]
    assert {one.weight for one in sampled} == {5.0}
    assert {one.weight for one in graded.compared if one not in sampled} == {1.0}
    costly = [one for one in graded.compared if one.grade in {Grade.MISTAKE, Grade.BLUNDER}]
    assert len(costly) == graded.score.mistakes + graded.score.blunders
    assert all(one.loss > 0.0 for one in graded.compared if one.grade is not Grade.EQUAL)
    assert any(one.came for one in graded.compared)
    assert not graded.left_out


def test_without_walls_nothing_is_played_on(log, graded):
    assert grade(log, walls=0) == replace(graded, compared=())


def test_a_seat_survives_the_journal(graded):
    kept = json.loads(json.dumps(to_json(graded)))
    assert from_json(GradedSeat, kept) == graded
    assert [len(one) for one in kept["compared"]] == [8] * len(graded.compared), "as earlier versions kept it"


def seat(log, *gains, weight=1.0, grade=Grade.MISTAKE, disputed=None):
    compared = (Compared(at, grade, disputed, "discard", 100.0, came, 1.0, weight) for at, came in enumerate(gains))
    return GradedSeat(log, "someone", Score(judged=100, weighed=100), tuple(compared), 0)


def test_gains_are_means_over_decisions_with_the_error_of_games():
    seats = [seat("a", 100.0, 300.0), seat("b", -100.0), seat("c")]
    (mean, either_side), stated = gain_of(seats)
    assert (mean, stated) == (pytest.approx(100.0), 100.0)
    off = np.array([400.0 - 200.0, -100.0 - 100.0, 0.0])
    assert either_side == pytest.approx(1.96 * sqrt((off**2).sum() * 3 / 2) / 3)
    assert gain_per_game(seats).mean == pytest.approx(100.0)  # 400, -100 and 0 in three games
    assert gain_of(seats, "blunder") == ((None, None), None)


def test_one_of_a_sample_counts_for_those_that_were_not_drawn():
    seats = [seat("a", 100.0), seat("b", 400.0, weight=4.0, grade=Grade.INACCURACY)]
    assert gain_of(seats)[0].mean == pytest.approx((100.0 + 4 * 400.0) / 5)
    assert gain_of(seats, "inaccuracy")[0].mean == pytest.approx(400.0)
    assert gain_per_game(seats).mean == pytest.approx((100.0 + 1_600.0) / 2)


def test_a_stated_point_is_worth_what_came_of_it():
    seats = [seat("a", 50.0, 50.0), seat("b", 50.0), seat("c", 200.0, disputed=Side.NETWORK, grade=Grade.INACCURACY)]
    slope, either_side = gain_per_point(seats, disputed=False)  # each states 100 points
    assert slope == pytest.approx(0.5)
    assert either_side == pytest.approx(0.0)
    slope, either_side = gain_per_point(seats, disputed=True)
    assert slope == pytest.approx(350.0 / 400.0)
    assert either_side > 0.5
    assert gain_per_point([], disputed=True) == (None, None)


def test_disputed_differences_are_a_group_of_their_own():
    seats = [seat("a", 100.0, grade=Grade.INACCURACY, disputed=Side.SEARCH), seat("b", 50.0, grade=Grade.INACCURACY)]
    assert gain_of(seats, "disputed: search")[0].mean == 100.0
    assert gain_of(seats, "inaccuracy")[0].mean == 50.0


def test_one_value_has_no_interval():
    assert mean_of([5.0]) == (5.0, None)
    assert mean_of([]) == (None, None)


def test_the_command_judges_a_player_and_one_beside_and_continues(figures, log, tmp_path):
    (tmp_path / "game.xml").write_text(write_log(log, "mjlog"), encoding="utf-8")
    journal = tmp_path / "j.journal"
    command = ("bench", "grades", "--logs", tmp_path / "game.xml", "--every-game", "--policy", JUDGE.text, "-j", 1)
    command += ("--name", "phoenix", "--beside", "--walls", 0, "--games", 1, "--journal", journal)
    found = figures(*command)
    assert [side["side"] for side in found["sides"]] == ["beside phoenix", "phoenix"]
    (others, _), (own, _) = (side["lost_per_hundred"] for side in found["sides"])
    assert found["apart"][0] == pytest.approx(others - own, abs=0.11)
    lines = journal.read_text(encoding="utf-8")
    assert figures(*command) == found
    assert journal.read_text(encoding="utf-8") == lines


@pytest.mark.parametrize(
    ("options", "why"), [(["--beside"], "name the player"), (["--walls", "1"], "no spread"), ([], "no seat to judge")]
)
def test_options_that_leave_nothing_to_grade_are_refused(refused, log, tmp_path, options, why):
    (tmp_path / "game.xml").write_text(write_log(log, "mjlog"), encoding="utf-8")
    assert why in refused("bench", "grades", "--logs", tmp_path, "--name", "", "-j", 1, *options)
