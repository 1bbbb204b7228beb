"""The policy ``flow``: attacks by the search, folds by danger, and never attacks again within the hand."""

from __future__ import annotations

from engine.arena.match import play_game
from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.events import EndGame
from engine.model.rules import TONPU
from engine.model.tiles import format_tile
from engine.papers.flow.player import FlowPolicy
from engine.policy.pushfold import PushFoldTable
from engine.policy.registry import make_policy

FAR = "1599m1478p258s36z"
TENPAI = "234m33345p45667s"


def against_riichi(table, hand, drawn):
    deal = table(hand, indicator="2z")
    deal.turn(0, "9s")
    deal.draw(1)
    deal.riichi(1, "5s")
    deal.turn(2, "1m")
    deal.turn(3, "8p")
    return deal.draw(0, drawn)


def decide(policy, deal):
    legal = deal.state.legal_actions()
    decision = policy.decide(deal.state, legal, Budget(nodes=5_000))
    assert decision.action in legal
    assert decision.action == decision.candidates[0].action
    assert [one.value for one in decision.candidates] == sorted(
        (one.value for one in decision.candidates), reverse=True
    )
    return decision


def test_attacks_with_tenpai_and_folds_from_afar(table):
    assert decide(FlowPolicy(), against_riichi(table, TENPAI, "9m")).mode == "attack"
    fold = decide(FlowPolicy(), against_riichi(table, FAR, "4s"))
    assert fold.mode == "fold"
    assert format_tile(fold.action.tile) in ("5s", "1m", "8p", "9s")
    assert fold.candidates[0].p_deal_in == 0.0


def test_never_goes_back(table):
    policy = FlowPolicy()
    assert decide(policy, against_riichi(table, FAR, "4s")).mode == "fold"
    assert decide(policy, against_riichi(table, TENPAI, "9m")).mode == "fold"
    policy.start_kyoku()
    assert decide(policy, against_riichi(table, TENPAI, "9m")).mode == "attack"


def test_the_table_is_data(table):
    brave = FlowPolicy(table=PushFoldTable(limits=(8, 8, 8)))
    assert decide(brave, against_riichi(table, FAR, "4s")).mode == "attack"
    assert brave.settings()["push_fold"] == (8, 8, 8)


def test_danger_is_a_choice():
    assert make_policy("flow", 0, {"danger": "suji"}).settings()["danger"] == "suji"
    assert FlowPolicy().settings()["danger"] == "model"


def test_takes_wins(table):
    deal = table("234567m345678p5s").draw(0, "5s")
    assert decide(FlowPolicy(), deal).action.kind is ActionKind.TSUMO


def test_a_whole_game():
    hasty = make_policy("flow", 0, {"nodes": 500, "call_nodes": 500})
    game = play_game([hasty, *(make_policy("simple") for _ in range(3))], TONPU, seed=8)
    assert isinstance(game.events[-1], EndGame)
