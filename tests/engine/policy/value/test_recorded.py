"""The chances to win as recorded hands bear them out."""

from __future__ import annotations

from math import log

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.policy.value.explain import CORRECTED, DRAWS_AS_STATED, WINS_BY_DRAW, won_as_recorded
from engine.policy.value.policy import ValuePolicy
from engine.search.evaluator import Choice, Worth

WORTH = Worth(Choice(ActionKind.DISCARD, 0), 700.0, 0.3, p_win_by_draws=(0.0, 0.2, 0.3))


def odds(chance):
    return log(chance / (1.0 - chance))


@pytest.mark.parametrize("draws", [1, 10, 11, 17])
def test_the_log_odds_move_by_the_draws_left_and_the_worth_stays(draws):
    found = won_as_recorded(WORTH, CORRECTED[0], draws)
    assert odds(found.p_win) - odds(0.3) == pytest.approx(WINS_BY_DRAW * (draws - DRAWS_AS_STATED))
    assert found.p_win_by_draws == pytest.approx([chance * found.p_win / 0.3 for chance in WORTH.p_win_by_draws])
    assert found.value == WORTH.value


@pytest.mark.parametrize("shanten", [-1, 0, 3])
def test_tenpai_and_far_hands_are_left_as_stated(shanten):
    assert won_as_recorded(WORTH, shanten, 17) is WORTH


@pytest.mark.parametrize("chance", [None, 0.0, 1.0])
def test_certain_and_unknown_values_stay(chance):
    worth = WORTH._replace(p_win=chance)
    assert won_as_recorded(worth, CORRECTED[0], 17) is worth


def asked_about(deal, monkeypatch):
    """The kinds of action whose chances to win were corrected, with the distances and the draws left."""
    asked = []

    def noted(worth, shanten, draws_left):
        asked.append((worth.choice.kind, shanten, draws_left))
        return worth

    monkeypatch.setattr("engine.policy.value.explain.won_as_recorded", noted)
    state = deal.state
    ValuePolicy().decide(state, state.legal_actions(), Budget(2_000))
    return asked


def test_discards_and_passes_of_closed_hands_are_corrected(table, monkeypatch):
    tenpai = asked_about(table("123456789m1134p").draw(0, "9s"), monkeypatch)
    assert {kind for kind, *_ in tenpai} == {ActionKind.DISCARD}
    assert {shanten for _, shanten, _ in tenpai} == {0, 1}
    assert len({draws for *_, draws in tenpai}) == 1
    passing = asked_about(table("405m567p23488s11z", kyoku=3).draw(3).discard(3, "3m"), monkeypatch)
    assert [kind for kind, *_ in passing] == [ActionKind.PASS]


def test_open_hands_are_not(table, monkeypatch):
    deal = table("23m456p34567s11z5z", seat=1).turn(0, "1m")
    assert not asked_about(deal.chi(1, "23m"), monkeypatch)
