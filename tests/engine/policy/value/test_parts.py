"""The parts of a value: they add up, whatever is asked."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.policy.decision import Budget, Parts
from engine.policy.settings import ValueSettings
from engine.policy.value.policy import ValuePolicy
from tests.engine.policy.asked import against_riichi


def decide(deal, **settings):
    state = deal.state
    return ValuePolicy(settings=ValueSettings(**settings)).decide(state, state.legal_actions(), Budget(2_000))


def asked(table):
    """Positions of every kind: far, tenpai, kans, an offered tile, against a riichi, the last draws."""
    yield "far", table("147m258p369s1234z").draw(0, "6z")
    yield "tenpai", table("123456789m1134p").draw(0, "9s")
    yield "kan", table("1111m456p789s234z").draw(0, "9s")
    yield "call", table("405m567p23488s11z", kyoku=3).draw(3).discard(3, "3m")
    yield "threat", against_riichi(table)
    late = table("123456789m1134p")
    late.run_down(6)
    yield "late", late.draw(0, "9s")


@pytest.mark.parametrize("settings", [{}, {"utility": "points"}, {"learned": 0.0}, {"utility": "dan"}])
def test_the_parts_add_up_to_what_ranks(table, settings):
    kinds = set()
    for name, deal in asked(table):
        decision = decide(deal, **settings)
        assert len(decision.candidates) > 1, name
        for one in decision.candidates:
            kinds.add(one.action.kind)
            assert one.parts is not None, (name, one.action)
            assert one.parts.total == pytest.approx(one.score, abs=decision.per_point), (name, one.action)
    assert kinds >= {ActionKind.DISCARD, ActionKind.RIICHI, ActionKind.ANKAN, ActionKind.PASS, ActionKind.CHI}


def test_a_part_is_what_its_name_says(table):
    decision = decide(table("123456789m1134p").draw(0, "9s"))
    riichi = next(one for one in decision.candidates if one.action.kind is ActionKind.RIICHI)
    silent = next(
        one
        for one in decision.candidates
        if one.action.kind is ActionKind.DISCARD and one.action.tile == riichi.action.tile
    )
    per_point = decision.per_point
    assert riichi.parts.win == pytest.approx(riichi.p_win * riichi.win_points * per_point)
    assert riichi.parts.stay_folded == silent.parts.stay_folded == 0.0  # the hand has not folded
    assert riichi.parts.deal_in == silent.parts.deal_in < 0.0  # a riichi whose tile is won on pays no stick
    assert riichi.parts.network == silent.parts.network == pytest.approx(riichi.lean or 0.0)
    assert riichi.parts.later == pytest.approx(-riichi.p_later * riichi.later_loss * per_point)


def test_parts_scale():
    assert Parts(win=2.0, others=-1.0).scaled(3.0) == Parts(win=6.0, others=-3.0)
    assert Parts(win=2.0, others=-1.0, network=-0.5).total == 0.5
