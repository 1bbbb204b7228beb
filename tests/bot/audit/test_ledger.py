"""Units, grades, and sentences that name the figures that decide."""

from __future__ import annotations

import pytest

from bot.audit.measure import Grade, Part, bounds, grade_of, in_shown_unit, ledger, reference, shown_unit, worth_of_one
from bot.audit.wording import Wording
from bot.wording.languages import Lang
from engine.model.actions import PASS
from engine.policy.decision import Decision
from engine.policy.grounds import GroundKind, ground

DISCARD = {"kind": "discard", "tile": "1m"}
OTHER = {"kind": "discard", "tile": "2m"}
CALL = {"kind": "pon", "tile": "2s", "own": "2s2s"}


def row(played, chosen, loss, **more):
    return {
        "played": played["action"], "chosen": chosen["action"], "verdict": "differs", "category": "discard",
        "candidates": [chosen, played], "loss": loss, "noise": 30.0, "per_point": 0.002, "situation": "late",
        "known": "seen", "mode": "attack", **more,
    }  # fmt: skip


def said(*given, **more):
    return Wording(Lang.EN).decision(row(*given, **more))


def test_result_points_become_points_at_the_table():
    decision = Decision(PASS, unit="result", per_point=0.002)
    assert shown_unit("result") == "points"
    assert worth_of_one(decision) == 0.002
    assert worth_of_one(Decision(PASS, unit="result", per_point=0.0)) == 0.001  # a point is worth at least itself
    assert worth_of_one(Decision(PASS, unit="dan points", per_point=0.002)) == 1.0


def test_grounds_count_the_unit_that_is_shown():
    found = ground(GroundKind.NEXT_BEST, does=ground(GroundKind.PASS), gap=ground(GroundKind.POINTS, points=500.0))
    dan = in_shown_unit(found, Decision(PASS, unit="dan points", per_point=0.004))
    assert dan.figures["gap"] == ground(GroundKind.AMOUNT, amount=2.0, unit="dan points")
    assert in_shown_unit(found, Decision(PASS, unit="result", per_point=0.002)) == found
    worth = ground(GroundKind.AMOUNT, amount=1.5, unit="result")
    assert in_shown_unit(worth, Decision(PASS, unit="result")) == ground(GroundKind.POINTS, points=1500.0)


def test_grades_follow_the_bounds_that_were_counted():
    least = reference().bounds
    assert 30 < least["mistake"] < least["blunder"]
    assert grade_of(least["mistake"] - 1, "points", 30.0) is Grade.INACCURACY
    assert grade_of(least["mistake"], "points", 30.0) is Grade.MISTAKE
    assert grade_of(least["blunder"], "points", 30.0) is Grade.BLUNDER
    assert bounds("dan points", 0.06)[Grade.BLUNDER] == pytest.approx(least["blunder"] * 0.002)


def test_the_bounds_are_what_phoenix_players_reach_so_often():
    known = reference()
    for grade, often in known.card["one_in"].items():
        assert known.one_in(grade) == pytest.approx(often, rel=0.15)  # the bounds are round


def test_a_dearer_win_is_named_where_it_decides_against_the_chance():
    call = {"action": CALL, "value": 300.0, "p_win": 0.23, "win_points": 2_000, "added": -250.0}
    passing = {"action": {"kind": "pass"}, "value": 900.0, "p_win": 0.12, "win_points": 8_000}
    found = ledger(row(call, passing, 600.0), "points", call, passing)
    assert found.deciding() == [Part.WIN, Part.ADDED]
    text = said(call, passing, 600.0, category="call")
    assert "worth 600 points more" in text
    assert "8,000 points instead of 2,000" in text
    assert "wins less often (12% of the time instead of 23%)" in text
    assert "takes 250 points off a call" in text


def test_what_argues_against_the_verdict_is_only_outweighed():
    mine = {"action": DISCARD, "value": 0.0, "p_win": 0.10, "win_points": 4_000, "p_later": 0.10, "later_loss": 5_000}
    theirs = {"action": OTHER, "value": 400.0, "p_win": 0.25, "win_points": 4_000, "p_later": 0.14, "later_loss": 5_000}
    text = said(mine, theirs, 400.0)
    assert "wins more often: 25% of the time instead of 10%" in text
    assert "That outweighs its higher risk later (14% instead of 10%)." in text


def test_a_push_that_should_fold_says_what_it_wins_and_pays():
    push = {"action": DISCARD, "value": -1_300.0, "p_win": 0.08, "win_points": 3_700, "p_deal_in": 0.1,
            "expected_loss": 4_000, "p_later": 0.2, "later_loss": 4_500}  # fmt: skip
    fold = {"action": OTHER, "value": -1_000.0, "note": "fold", "p_win": 0.02, "win_points": 2_000}
    text = said(push, fold, 300.0, category="push_fold", mode="fold")
    assert "Pushing is worth \N{MINUS SIGN}1,300 points, folding \N{MINUS SIGN}1,000 points." in text
    assert "wins 8% of the time for 3,700 points, 296 on average" in text
    assert "costs 1,300 on average" in text
    rich = {**push, "p_win": 0.5}  # its figures would argue for the push
    assert "on average" not in said(rich, fold, 300.0, category="push_fold", mode="fold")


def test_what_the_figures_leave_out_is_said():
    mine = {"action": DISCARD, "value": 0.0, "p_win": 0.10, "win_points": 4_000}
    theirs = {"action": OTHER, "value": 900.0, "p_win": 0.11, "win_points": 4_000}
    assert "the 900 points lie in the draws to come" in said(mine, theirs, 900.0)
    assert "The 900 points lie in the places" in said(mine, theirs, 900.0, situation="last_hand")


def test_strong_players_turn_an_order_that_the_search_cannot_tell():
    mine = {"action": DISCARD, "value": 10.0, "prior": 0.2}
    theirs = {"action": OTHER, "value": 0.0, "prior": 0.7}
    text = said(mine, theirs, None, verdict="equal")
    assert "prefers what was played by 10 points" in text
    assert "its network of strong play gives its own choice a chance of 70%" in text


def test_dan_points_stay_dan_points():
    mine = {"action": DISCARD, "value": 0.0}
    theirs = {"action": OTHER, "value": 1.5}
    wording = Wording(Lang.EN, 0.06, "dan points")
    assert "worth 1.50 dan points more" in wording.decision(row(mine, theirs, 1.5))


def test_a_push_that_pays_more_than_it_wins_says_what_a_fold_gives_up():
    push = {"action": OTHER, "value": -450.0, "p_win": 0.2, "win_points": 3_800, "p_deal_in": 0.07,
            "expected_loss": 5_000, "p_later": 0.14, "later_loss": 5_000, "p_tenpai": 0.1}  # fmt: skip
    fold = {"action": DISCARD, "value": -660.0, "note": "fold"}
    text = said(fold, push, 210.0, category="push_fold")
    assert "still wins 20% of the time for 3,800 points" in text
    assert "costs" not in text  # that would argue for the fold


def test_a_difference_above_the_noise_is_equal_only_with_its_reason():
    mine = {"action": DISCARD, "value": 0.0, "prior": 0.6}
    theirs = {"action": OTHER, "value": 45.0, "prior": 0.2, "lean": -30.0}
    text = said(mine, theirs, None, verdict="equal")
    assert "its search sees a difference of 45 points, but its network" in text
    assert "gives what was played a chance of 60%" in text
    one = said(mine, {**theirs, "value": 1.0}, None, verdict="equal")
    assert "the difference of 1 point is within the noise of 30 points" in one
