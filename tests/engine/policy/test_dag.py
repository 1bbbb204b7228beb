"""The policy ``dag``: the search decides attacks, danger counts, ``simple`` answers when the search cannot."""

from __future__ import annotations

import pytest

from engine.arena.match import play_game
from engine.model.actions import PASS, Action, ActionKind
from engine.model.budget import Budget
from engine.model.events import EndGame
from engine.model.rules import TONPU
from engine.model.tiles import PLAIN37, TILE37
from engine.policy.dag import DagPolicy
from engine.policy.grounds import GroundKind, ground
from engine.policy.registry import make_policy
from engine.policy.scene import choice_of
from engine.policy.simple.policy import SimplePolicy
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import PositionError


class Fixed:
    """An evaluator that returns the worths set by the test."""

    name = "fixed"

    def __init__(self, worths):
        self.worths = worths
        self.budgets = []
        self.then34 = -1

    def evaluate(self, position, stakes=None, budget=None):  # noqa: ARG002
        self.budgets.append(budget)
        if self.worths is None:
            raise PositionError("no")
        worths = [
            Worth(choice, value, 0.5, 0.1, 2_000.0, then34=self.then34 if choice.kind is ActionKind.CHI else -1)
            for choice, value in self.worths.items()
        ]
        return Evaluation("fixed", tuple(sorted(worths, key=lambda worth: -worth.value)))


def discard(text_kind):
    return Choice(ActionKind.DISCARD, text_kind)


def decide(game, worths, budget=None):
    evaluator = Fixed(worths)
    policy = DagPolicy()
    policy._evaluator = evaluator
    decision = policy.decide(game.state, game.state.legal_actions(), budget or Budget())
    return decision, evaluator


def test_the_worthiest_discard_goes(table):
    game = table("123m456p1235s89s1z").draw(0, "7z")
    decision, evaluator = decide(game, {discard(22): 500.0, discard(27): 400.0, discard(33): 300.0})
    assert decision.action.tile >> 2 == 22
    assert [candidate.action.tile >> 2 for candidate in decision.candidates] == [22, 27, 33]
    assert decision.candidates[0].value == 500.0
    chosen, following = decision.grounds
    worth, _, wins = chosen.figures["prospects"]
    assert chosen.figures["does"] == ground(GroundKind.DISCARD, tile="5s")
    assert worth == ground(GroundKind.WORTH, value=ground(GroundKind.POINTS, points=500.0))
    assert wins == ground(GroundKind.WINS_OF, chance=0.5, points=2_000.0)
    assert following.figures["gap"] == ground(GroundKind.POINTS, points=100.0)
    assert evaluator.budgets[0].nodes > 0


def test_a_plain_five_goes_before_the_red_one(table):
    game = table("123m4056p1123s8s1z").draw(0, "7z")
    decision, _ = decide(game, {discard(13): 500.0})
    assert TILE37[decision.action.tile] == 13
    assert PLAIN37[TILE37[decision.action.tile]] == 13


def test_danger_is_taken_off(table):
    game = table("123m456p1235s8s1z2z").turn(0, "7z").turn(1, "9m").turn(2, "9m")
    game.draw(3).riichi(3, "4z").draw(0, "9p")
    ask = game.state.legal_actions()
    kinds = {action.tile >> 2 for action in ask if action.kind is ActionKind.DISCARD}
    decision, _ = decide(game, {discard(kind): 1_000.0 for kind in kinds})
    if decision.mode == "attack":
        values = [candidate.value for candidate in decision.candidates]
        dangers = [candidate.p_deal_in for candidate in decision.candidates]
        assert values == sorted(values, reverse=True)
        assert dangers[0] == min(dangers)
    else:
        assert decision.mode == "fold"


@pytest.mark.parametrize("worths", [None, {}])
def test_without_an_answer_the_simple_player_decides(table, worths):
    game = table("123m456p1235s89s1z").draw(0, "7z")
    decision, _ = decide(game, worths)
    simple = SimplePolicy().decide(game.state, game.state.legal_actions(), Budget())
    assert decision == simple


def test_a_win_is_never_searched(table):
    game = table("123m456p1235s99s1z").turn(0, "4s", "1z").others("9m", "8p", "7z")
    game.draw(0, "3s")
    decision, evaluator = decide(game, {discard(0): 9_999.0})
    assert decision.action.kind is ActionKind.TSUMO
    assert evaluator.budgets == []


def test_calls_are_answered_by_worth(table):
    game = table("23m4456p112367s1z", seat=1).turn(0, "1m")
    chi = Choice(ActionKind.CHI, 0, (1, 2))
    for value, kind in ((900.0, ActionKind.CHI), (100.0, ActionKind.PASS)):
        decision, _ = decide(game, {Choice(ActionKind.PASS): 500.0, chi: value})
        assert decision.action.kind is kind


def in_riichi_with_a_fourth_tile(table):
    game = table("111z234567m2288p").turn(0, "9s").others("9m", "9p", "8s")
    game.draw(0, "3z").riichi(0, "3z").others("9m", "9p", "8s")
    return game.draw(0, "1z")


def test_kans_in_riichi_are_weighed(table):
    kan = Choice(ActionKind.ANKAN, 27)
    for value, kind in ((2_000.0, ActionKind.ANKAN), (500.0, ActionKind.DISCARD)):
        game = in_riichi_with_a_fourth_tile(table)
        decision, evaluator = decide(game, {kan: value, discard(27): 1_000.0})
        assert evaluator.budgets
        assert decision.action.kind is kind


def test_the_search_itself_kans_in_riichi(table):
    game = in_riichi_with_a_fourth_tile(table)
    decision = make_policy("dag").decide(game.state, game.state.legal_actions(), Budget())
    assert decision.action.kind is ActionKind.ANKAN
    assert decision.nodes > 0
    kan, stay = decision.candidates
    assert kan.value > stay.value > 0


def test_danger_is_taken_off_beside_a_kan_too(table):
    """If ``simple`` makes a kan, it does not evaluate the discards."""
    game = table("111z23456m4567p3s").turn(0, "9s")
    game.draw(1).riichi(1, "4z").turn(2, "4z").turn(3, "4z").draw(0, "1z")
    kinds = {action.tile >> 2 for action in game.state.legal_actions() if action.kind is ActionKind.DISCARD}
    decision, _ = decide(game, {discard(kind): 1_000.0 for kind in kinds} | {Choice(ActionKind.ANKAN, 27): 0.0})
    assert decision.mode == "attack"
    discards = [one for one in decision.candidates if one.action.kind is ActionKind.DISCARD]
    assert all(one.p_deal_in is not None for one in discards)
    assert discards[0].p_deal_in < discards[-1].p_deal_in


def test_the_discard_after_a_call_may_deal_in(table):
    game = table("234m4456p112367s", seat=1).turn(0, "2z").turn(1, "9p").draw(2).riichi(2, "4z")
    game.turn(3, "4z").turn(0, "1m")
    chi = Choice(ActionKind.CHI, 0, (1, 2))
    evaluator = Fixed({Choice(ActionKind.PASS): 500.0, chi: 600.0})
    evaluator.then34 = 13
    policy = DagPolicy()
    policy._evaluator = evaluator
    decision = policy.decide(game.state, game.state.legal_actions(), Budget())
    assert decision.mode == "attack"
    called = next(one for one in decision.candidates if one.action.kind is ActionKind.CHI)
    assert called.p_deal_in > 0
    assert called.value < 600.0


def test_choices_name_kinds():
    assert choice_of(PASS) == Choice(ActionKind.PASS)
    assert choice_of(Action(ActionKind.CHI, 0, (4, 9))) == Choice(ActionKind.CHI, 0, (1, 2))
    assert choice_of(Action(ActionKind.RIICHI, 135)) == Choice(ActionKind.RIICHI, 33)


def test_a_caller_s_own_bound_is_kept(table):
    game = table("123m456p1235s89s1z").draw(0, "7z")
    _, evaluator = decide(game, {discard(27): 1.0}, Budget(nodes=7))
    assert evaluator.budgets[0].nodes == 7


@pytest.mark.slow
def test_a_whole_game_is_played_by_the_search():
    game = play_game([make_policy(name) for name in ("dag", "simple", "simple", "simple")], TONPU, seed=3)
    assert isinstance(game.events[-1], EndGame)
    attacks = [decision for decision in game.decisions[0] if decision.mode == "attack"]
    assert sum(decision.nodes > 0 for decision in attacks) > 0.8 * len(attacks)
