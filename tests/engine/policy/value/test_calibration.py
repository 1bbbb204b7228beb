"""The corrected chance to win, and the values that follow from it."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import allocate136, parse_tiles37
from engine.policy.scene import Scene
from engine.policy.settings import ValueSettings
from engine.policy.value.corrections import calibrated, chance_to_win
from engine.policy.value.policy import ValuePolicy
from engine.search.evaluator import POINTS, Choice, Evaluation, Stakes, Worth
from engine.search.position import Sketch

STAKES = Stakes(tsumo=POINTS, ron=POINTS, ended=(0.0, 0.0), terminal=(0.0, 0.0, 0.0))


def position(text="23m456p1123567s77z"):
    return Sketch(allocate136(parse_tiles37(text)), turn=6).position()


def evaluation(*worths):
    return Evaluation("search", tuple(worths), POINTS.unit, 1, 1, 0, 100, 100, complete=True)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("against", [True, False])
@pytest.mark.parametrize("far", range(6))
def test_the_corrected_chance_rises_with_the_stated_one(closed, against, far):
    stated = [number / 100 for number in range(101)]
    corrected = [chance_to_win(one, closed=closed, shanten=far, against=against) for one in stated]
    assert corrected == sorted(corrected)
    assert (corrected[0], corrected[-1]) == (0.0, 1.0)


def test_a_value_keeps_the_worth_of_a_win_and_of_all_other_ends():
    """Of 1,000 points: 0.2 times a win of 8,000, and 0.8 times a mean of -750 otherwise."""
    discard = Worth(Choice(ActionKind.DISCARD, 5), 1_000.0, 0.2, 0.1, 8_000.0)
    (found,) = calibrated(evaluation(discard), position(), STAKES).actions
    chance = chance_to_win(0.2, closed=True, shanten=position().shanten, against=False)
    assert found.p_win == chance != 0.2
    assert found.value == pytest.approx(chance * 8_000.0 + (1.0 - chance) * -750.0)


def test_wins_and_actions_without_figures_stay():
    win = Worth(Choice(ActionKind.TSUMO), 5_000.0, 1.0, 0.0, 5_000.0)
    plain = Worth(Choice(ActionKind.DISCARD, 3), 300.0)
    assert calibrated(evaluation(win, plain), position(), STAKES).actions == (win, plain)


def test_a_call_counts_as_an_open_hand():
    called = Worth(Choice(ActionKind.PON, 33), 1_000.0, 0.2, 0.1, 3_000.0, then34=5)
    (found,) = calibrated(evaluation(called), position(), STAKES).actions
    assert found.p_win == chance_to_win(0.2, closed=False, shanten=position().shanten, against=False)


def test_a_policy_shows_the_corrected_chance(table):
    at = table("2345m4067p3458s1z").draw(0, "5m")
    plain, corrected = (
        ValuePolicy(settings=ValueSettings(calibrated=on)).decide(at.state, at.state.legal_actions(), Budget(3_000))
        for on in (False, True)
    )
    before = {one.action: one.p_win for one in plain.candidates}
    far = Scene(at.state, at.state.legal_actions()).shanten
    for one in corrected.candidates:
        if one.p_win is not None:
            assert one.p_win == chance_to_win(before[one.action], closed=True, shanten=far, against=False)
