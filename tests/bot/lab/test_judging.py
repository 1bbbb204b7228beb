"""Single decisions judged by how hands go on."""

from __future__ import annotations

import pytest

from bot.deciding.players import PlayerSpec
from bot.lab.judging import Matter, Strong, Trial, judged_decisions
from protocol.logs.game_log import GameLog
from tests.games import game_of


@pytest.fixture(scope="module")
def log():
    game = game_of("phoenix", 21)
    return GameLog(game.events, source="game")


def judged(log, **settings):
    trial = Trial(PlayerSpec.parse("value:learned=0"), nodes=500, walls=2, share=0.06, **settings)
    return list(judged_decisions(log, 0, trial))


@pytest.fixture(scope="module")
def once(log):
    return judged(log)


def test_the_same_decisions_are_judged_the_same_way_twice(log, once):
    assert len(once) > 3
    assert once == judged(log)
    for one in once:
        assert one.spread >= 0.0
        assert one.answers[0] != one.answers[1]
        if one.matter in (Matter.DISCARD, Matter.AGAINST_RIICHI):
            assert one.stated >= 0.0
        if one.matter is Matter.CALL:
            assert one.answers[1] == "pass"


def test_only_disputed_decisions_are_judged_on_request(log, once):
    disputed = [one for one in once if one.stated * one.prior < 0]
    assert 0 < len(disputed) < len(once)
    assert judged(log, disputed=True) == disputed


def test_a_policy_without_worths_of_standings_cannot_be_judged(log):
    assert not list(judged_decisions(log, 0, Trial(PlayerSpec.parse("phoenix"), share=1.0)))


def test_kinds_of_decision_and_close_ones_can_be_selected(log, once):
    wanted = [one for one in once if one.matter is Matter.DISCARD and abs(one.stated) <= 200.0]
    assert 0 < len(wanted) < len(once)
    assert judged(log, matters=frozenset({Matter.DISCARD}), within=200.0) == wanted


def test_strong_play_may_be_the_network_that_value_weighs(log, once):
    by_programs = judged(log, strong=Strong.PROGRAMS_LARGE)
    assert len(by_programs) > 3
    assert [one.prior for one in by_programs] != [one.prior for one in once]
    called = [(one.matter, one.stated, one.came) for one in once if one.matter is Matter.CALL]
    assert called
    assert [(one.matter, one.stated, one.came) for one in by_programs if one.matter is Matter.CALL] == called
