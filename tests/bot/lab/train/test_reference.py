"""The reference: counted from games, the same however often the count is interrupted."""

from __future__ import annotations

import json

import pytest

from bot.lab.train.reference import PlayerGame, rank_correlation, reference_of, seat_of
from bot.machine.values import from_json, to_json
from bot.review.measure import MEASURE, Reference, percentile, reference
from bot.review.verdicts import Category, Score

JUDGE = {"policy": "value", "settings": {}, "nodes": None}


def game(log, table, losses, judged=100, disputed=()):
    score = Score(judged, judged, judged - len(losses), 0, sum(losses), judged)
    return PlayerGame(log, table, {Category.DISCARD: score}, tuple(losses), tuple(disputed), "points")


def test_a_game_survives_the_journal():
    one = game("a", "phoenix hanchan", [50.0, 300.5], disputed=[70.5])
    kept = json.loads(json.dumps(to_json(one)))
    assert from_json(PlayerGame, kept) == one
    earlier = {"scores": {"discard": [100, 100, 98, 0, 350.5, 100]}}  # without mistakes and blunders
    assert from_json(PlayerGame, kept | earlier) == one


def test_bounds_are_the_losses_that_come_so_often():
    games = [game(str(at), "phoenix hanchan", [1_024.0, 300.0, 300.0, 250.0, 200.0, 40.0]) for at in range(10)]
    table = reference_of(games, JUDGE, ["a.tar"])
    assert table["bounds"] == {
        "mistake": 40.0,
        "blunder": 1_020.0,
    }  # one in 20 and one in 250 of 1,000 decisions, in tens, none of 50
    found = table["tables"]["phoenix hanchan"]
    assert found["grades"] == {"blunder": 10, "mistake": 50, "inaccuracy": 0}
    assert (found["games"], found["judged"], found["differences"]) == (10, 1_000, 60)
    assert found["at_least"]["300"] == 30
    assert found["per_hundred"] == [2_114] * 10


def test_a_disputed_loss_makes_no_grade():
    games = [game(str(at), "phoenix hanchan", [100.0, 90.0], disputed=[2_000.0]) for at in range(10)]
    table = reference_of(games, JUDGE, ["a.tar"])
    assert table["bounds"]["blunder"] == 110.0  # not the disputed ones
    assert table["tables"]["phoenix hanchan"]["grades"]["inaccuracy"] >= 10


def test_percentiles():
    assert percentile([80.0, 90.0, 90.0, 100.0], 90.0) == 50
    assert percentile([80.0, 90.0], 70.0) == 100  # who loses less is better
    assert percentile([80.0, 90.0], 95.0) == 0


def test_ranks_are_compared_whatever_the_scale():
    assert rank_correlation([1, 2, 3, 4], [10, 200, 3_000, 40_000]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)
    assert rank_correlation([1, 1, 2, 2], [1, 2, 1, 2]) == pytest.approx(0.0)
    assert rank_correlation([1, 1, 1], [1, 2, 3]) == 0.0


def test_the_percentile_ranks_seats_as_their_losses_do():
    games = [game(str(at), "phoenix hanchan", [50.0 + 13.0 * at]) for at in range(20)]
    ranks = reference_of(games, JUDGE, ["a.tar"])["card"]["ranks_as_losses"]
    assert ranks["percentile"] == pytest.approx(-1.0)


def test_another_judge_is_compared_with_nobody():
    shipped = reference()
    judge = shipped.card["judge"] | {"measure": MEASURE}
    known = Reference({**shipped.card, "judge": judge}, shipped.bounds, shipped.tables)
    earlier = Reference({**shipped.card, "judge": {**judge, "measure": MEASURE - 1}}, shipped.bounds, shipped.tables)
    assert not earlier.suits(judge["policy"], judge["settings"], judge["nodes"])
    assert known.suits(judge["policy"], judge["settings"], judge["nodes"])
    assert not known.suits(judge["policy"], judge["settings"], 10)
    assert not known.suits("simple", judge["settings"], judge["nodes"])
    assert set(known.of_length(hanchan=False)) == {"phoenix"}
    assert isinstance(known, Reference)


def test_seats_are_spread():
    seats = [seat_of(str(at)) for at in range(400)]
    assert all(70 < seats.count(seat) < 130 for seat in range(4))
