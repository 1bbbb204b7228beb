"""Answers that need no comparison."""

from __future__ import annotations

import pytest

from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.policy.forced import FORCED, dealt_again, forced
from engine.policy.grounds import GroundKind

RON = Action(ActionKind.RON, 5)
PON = Action(ActionKind.PON, 5, (4, 6))
FAR = "11499m19p19s1235z"
NEAR_ORPHANS = "19m19p19s1234567z"


def test_a_win_goes_before_everything():
    decision = forced((PON, RON, PASS))
    assert (decision.action, decision.mode) == (RON, FORCED)
    assert decision.candidates[0].action == RON
    assert decision.grounds[0].kind is GroundKind.WIN


def test_the_only_answer_is_given():
    decision = forced((PASS,))
    assert decision.action == PASS
    assert decision.grounds[0].kind is GroundKind.ONLY_ANSWER


def test_a_choice_is_not_forced():
    assert forced((PON, PASS)) is None


@pytest.mark.parametrize(("hand", "shanten", "aborts"), [(FAR, 4, True), (FAR, 2, False), (NEAR_ORPHANS, 4, False)])
def test_nine_terminals_only_with_a_far_hand(table, hand, shanten, aborts):
    deal = table(hand).draw(0, "5p")
    decision = dealt_again(deal.state, [*deal.state.legal_actions(), NINE_TERMINALS], shanten)
    assert (decision is not None) == aborts
    if decision is not None:
        assert decision.action == NINE_TERMINALS
        assert decision.grounds[0].figures == {"kinds": 10, "shanten": 4}


def test_nine_terminals_that_cannot_be_declared_are_not(table):
    deal = table("234567m345678p5s").draw(0, "6s")
    assert dealt_again(deal.state, deal.state.legal_actions(), 4) is None
