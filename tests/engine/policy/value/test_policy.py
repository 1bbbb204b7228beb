"""The policy ``value`` at positions with one right answer, and requirements on every decision."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import pytest

from engine.arena.match import play_game
from engine.model.actions import NINE_TERMINALS, PASS, ActionKind
from engine.model.budget import Budget
from engine.model.events import EndGame
from engine.model.rules import TONPU
from engine.model.tiles import format_tile
from engine.opponents.registry import make_estimator
from engine.policy.grounds import GroundKind, Note
from engine.policy.registry import make_policy
from engine.policy.settings import LEARNED, ValueSettings
from engine.policy.value.policy import ValuePolicy
from engine.state import GameState, visible_to
from engine.tables import WeightsError
from tests.engine.policy.asked import FAR, against_riichi
from tests.engine.policy.sides import contradiction


def decide(table, **settings):
    legal = table.state.legal_actions()
    decision = ValuePolicy(settings=ValueSettings(**settings)).decide(table.state, legal, Budget())
    assert decision.action in legal
    check(decision)
    return decision


def check(decision):
    """Check what must hold for every decision."""
    assert decision.action == decision.candidates[0].action
    assert decision.grounds
    for better, worse in pairwise(decision.candidates):
        assert better.score >= worse.score
    for one in decision.candidates:
        for chance in (one.p_win, one.p_deal_in):
            assert chance is None or -1e-6 <= chance <= 1.0 + 1e-6
        assert one.expected_loss is None or one.expected_loss >= 0.0
    for each in decision.grounds:
        assert contradiction(each, decision.mode) == ""


def discarded(decision):
    assert decision.action.kind in (ActionKind.DISCARD, ActionKind.RIICHI)
    return format_tile(decision.action.tile)


def thrown_by(candidate):
    return format_tile(candidate.action.tile)


def against_the_dealers_riichi(table, hand, drawn, **facts):
    """South is asked right after the dealer has declared riichi with 5s."""
    deal = table(hand, seat=1, indicator="2z", **facts).draw(0)
    return deal.riichi(0, "5s").draw(1, drawn)


def test_folds_a_bad_hand_against_a_riichi(table):
    decision = decide(against_riichi(table, FAR, "4s"))
    assert decision.mode == "fold"
    assert discarded(decision) in ("5s", "1m", "8p", "9s")
    assert decision.candidates[0].p_deal_in == 0.0
    assert decision.grounds[0].kind is GroundKind.FOLD
    assert decision.candidates[0].note is Note.FOLD


@pytest.mark.parametrize("estimator", ["model", "suji"])
def test_the_danger_stated_is_the_danger_decided_by(table, estimator):
    """The chances, in all and by opponent, are those of the estimator that the policy asks."""
    deal = against_riichi(table, "234m33345p45667s", "9m")
    decision = decide(deal, danger=estimator)
    (stated,) = [each for each in decision.grounds if each.kind is GroundKind.DEAL_IN]
    danger = make_estimator(estimator).estimate(deal.state)
    tile = decision.action.tile >> 2
    assert stated.figures["tile"] == discarded(decision)
    assert stated.figures["chance"] == decision.candidates[0].p_deal_in == pytest.approx(danger.deal_in(tile))
    assert stated.figures["points"] == decision.candidates[0].expected_loss
    (riichi, *_) = stated.figures["against"]
    assert (riichi.kind, riichi.figures["seat"]) == (GroundKind.AGAINST_RIICHI, 1)
    assert riichi.figures["chance"] == float(danger.p_deal_in[1, tile])
    assert riichi.figures["safety"].kind is GroundKind.NO_SUJI


def test_riichi_stands_beside_silent_tenpai(table):
    """Both ways have their chance to win and the mean points of a win, and the gap is that of the candidates."""
    decision = decide(table("123567m34567p88s").draw(0, "1z"))
    assert decision.action.kind is ActionKind.RIICHI
    riichi, silent = (
        next(one for one in decision.candidates if one.action.kind is kind and thrown_by(one) == "1z")
        for kind in (ActionKind.RIICHI, ActionKind.DISCARD)
    )
    (better,) = [each for each in decision.grounds if each.kind is GroundKind.RIICHI_BETTER]
    assert better.figures["riichi"].figures["chance"] == riichi.p_win
    assert better.figures["silent"].figures["chance"] == silent.p_win
    assert better.figures["riichi"].figures["points"] > better.figures["silent"].figures["points"] > 1_000.0
    gap = better.figures["gap"].figures["points"]
    assert gap == pytest.approx(decision.points(riichi.value - silent.value))
    assert silent.note is Note.SILENT
    assert riichi.note is None


def test_pushes_a_good_tenpai_against_a_riichi(table):
    """Tanyao, three dora, a two-sided wait: the dangerous tile is discarded."""
    decision = decide(against_riichi(table, "234m33345p45667s", "9m"))
    assert decision.mode == "attack"
    assert discarded(decision) == "9m" or decision.action.kind is ActionKind.RIICHI


def test_the_same_dangerous_tile_is_held_back_by_a_hand_that_is_far(table):
    """A tenpai hand discards the dangerous tile, a hand three tiles away does not."""
    push = decide(against_riichi(table, "234m33345p4566s7s", "6m"))
    fold = decide(against_riichi(table, "159m14p258s36z11z7z", "6m"))
    risky = [one for one in fold.candidates if format_tile(one.action.tile) == "6m"]
    assert risky[0].value < fold.candidates[0].value
    assert fold.mode == "fold"
    assert push.mode == "attack"


class TestAllLast:
    """South 4; the viewer is seat 1, the dealer seat 3."""

    def spot(self, table, scores, hand="234m45p234678s55p", drawn="1z", indicator="9s"):
        deal = table(hand, seat=1, kyoku=7, scores=scores, indicator=indicator)
        deal.turn(3, "1m")
        deal.turn(0, "9m")
        return deal.draw(1, drawn)

    LEADS, NEEDS_A_HAN = (31_500, 32_000, 19_000, 17_500), (29_000, 22_500, 26_000, 22_500)

    def test_the_leader_stays_silent(self, table):
        """Any win is first place: a riichi only shows the hand and can no longer fold."""
        decision = decide(self.spot(table, self.LEADS), utility="dan")
        assert decision.action.kind is ActionKind.DISCARD
        assert discarded(decision) == "1z"

    def test_who_needs_points_thinks_more_of_riichi(self, table):
        """Second place is 3,500 points away: tanyao and pinfu alone are not enough."""

        def riichi_over_silence(scores):
            found = {str(one.action): one.value for one in decide(self.spot(table, scores), utility="dan").candidates}
            return found["riichi 1z"] - found["discard 1z"]

        assert riichi_over_silence(self.NEEDS_A_HAN) > riichi_over_silence(self.LEADS) + 0.5

    def test_points_alone_do_not_see_the_standing(self, table):
        """Played for points, the standing changes nothing."""
        answers = {
            decide(self.spot(table, scores), utility="points").action for scores in (self.LEADS, self.NEEDS_A_HAN)
        }
        assert len(answers) == 1

    def test_a_lead_is_kept_by_folding(self, table):
        """Far ahead, against the dealer's riichi, a hand folds that would push when behind."""
        ahead, behind = (
            decide(against_the_dealers_riichi(table, "234m3445p33567s2z", "6m", kyoku=4, rules=TONPU, scores=scores))
            for scores in ((20_000, 47_000, 18_000, 15_000), (40_000, 8_000, 27_000, 25_000))
        )
        values = [
            next(one.value for one in decision.candidates if format_tile(one.action.tile) == "6m")
            for decision in (ahead, behind)
        ]
        assert ahead.candidates[0].value > values[0]
        assert behind.candidates[0].value - values[1] < ahead.candidates[0].value - values[0]


def test_fold_is_left_only_by_a_margin(table):
    """With an unreachable margin a folded hand stays folded; with none each decision is independent."""
    deal = against_riichi(table, FAR, "4s")
    stubborn = ValuePolicy(settings=ValueSettings(stay_folded=1e6))
    assert stubborn.decide(deal.state, deal.state.legal_actions(), Budget()).mode == "fold"
    tenpai = against_riichi(table, "234m33345p45667s", "9m")
    legal = tenpai.state.legal_actions()
    assert stubborn.decide(tenpai.state, legal, Budget()).mode == "fold"
    stubborn.start_kyoku()
    assert stubborn.decide(tenpai.state, legal, Budget()).mode == "attack"


def test_draws_nine_terminals_with_nothing_in_hand(table):
    decision = decide(table("19m19p19s14m67p123z").draw(0, "4z"))
    assert NINE_TERMINALS in [one.action for one in decision.candidates]


def test_calls_what_makes_the_hand(table):
    """A value triplet in sight of a mangan."""
    deal = table("340m567p3488s55z1p", seat=1, indicator="7s")
    deal.turn(0, "5z")
    decision = decide(deal)
    assert decision.action.kind is ActionKind.PON
    assert decision.candidates[0].value > next(one.value for one in decision.candidates if one.action == PASS)


def test_does_not_call_without_a_yaku(table):
    deal = table("1147m2589p1478s1z", seat=1)
    deal.turn(0, "1m")
    assert decide(deal).action == PASS


def test_settings_name_all_that_decides():
    settings = ValuePolicy(settings=ValueSettings(utility="dan", dan=15)).settings()
    assert settings["utility"] == "dan"
    assert settings["dan"] == 15
    assert settings["danger"] == "model"
    assert set(settings["weights"]) == {"chances", "danger_net", "discards", "outcomes", "placement", "programs-large"}
    assert all(len(digest) == 16 for digest in settings["weights"].values())
    assert settings.keys() - {"weights"} == {each.name for each in fields(ValueSettings)}


def test_unknown_settings_are_refused():
    with pytest.raises(ValueError, match="no danger estimator is named 'crystal ball'"):
        ValuePolicy(settings=ValueSettings(danger="crystal ball"))
    with pytest.raises(ValueError, match="no utility is named 'fame'; there are: placement, rank, dan, points"):
        ValuePolicy(settings=ValueSettings(utility="fame"))


class Watching:
    """Plays ``value`` on few nodes, checks every decision, and asks again with hidden tiles shown to the view."""

    name = "value"

    def __init__(self):
        self.policy = ValuePolicy(settings=ValueSettings(nodes=600, call_nodes=300))
        self.modes = set()

    def settings(self):
        return self.policy.settings()

    def start_kyoku(self):
        self.policy.start_kyoku()

    def decide(self, state, legal, budget):
        decision = self.policy.decide(state, legal, budget)
        assert decision.action in legal
        check(decision)
        self.modes.add(str(decision.mode))
        return decision


def test_a_whole_game_is_legal_and_sound():
    watching = Watching()
    game = play_game([watching, *(make_policy("simple") for _ in range(3))], TONPU, seed=11)
    assert isinstance(game.events[-1], EndGame)
    assert {"attack", "forced"} <= watching.modes


def test_hidden_tiles_are_not_looked_at():
    """A view that received all tiles answers like one that received what its seat may see."""
    game = play_game([make_policy("simple") for _ in range(4)], TONPU, seed=4)
    open_eyed, blind = GameState(2, TONPU), GameState(2, TONPU)
    asked = 0
    for event in game.events:
        open_eyed.apply(event)
        blind.apply(visible_to(event, 2))
        legal = blind.legal_actions()
        if len(legal) > 1 and asked < 12:
            asked += 1
            one, other = (
                ValuePolicy(settings=ValueSettings(nodes=400, call_nodes=200)).decide(view, legal, Budget())
                for view in (open_eyed, blind)
            )
            assert one == other
    assert asked == 12


def test_without_the_table_of_ranks_it_plays_for_points_and_says_so(monkeypatch, table):
    def missing():
        raise WeightsError("the placement table is missing; rebuild it")

    monkeypatch.setattr("engine.policy.value.policy.placement_model", missing)
    policy = ValuePolicy()
    assert policy.warning == "playing for points alone: the placement table is missing; rebuild it"
    assert policy.settings()["utility"] == "points"
    assert "placement" not in policy.settings()["weights"]
    deal = against_riichi(table, FAR, "4s")
    decision = policy.decide(deal.state, deal.state.legal_actions(), Budget())
    assert (decision.unit, decision.mode) == ("points", "fold")


def test_without_a_network_strong_play_does_not_count_and_it_says_so(monkeypatch):
    def missing(name):
        raise WeightsError(f"the weights {name}.npz of engine.networks are missing; rebuild them")

    monkeypatch.setattr("engine.policy.value.policy.shipped_network", missing)
    policy = ValuePolicy()
    assert policy.warning == (
        "strong play does not count: the weights programs-large.npz of engine.networks are missing; rebuild them"
    )
    assert LEARNED not in policy.settings()["weights"]
    assert ValuePolicy(settings=ValueSettings(learned=0.0)).warning is None


def test_without_the_network_of_the_tiles_to_come_it_plays_on_as_at_an_average_table_and_says_so(table, monkeypatch):
    def missing():
        raise WeightsError("engine/networks/tables/chances.npz is missing; rebuild it")

    monkeypatch.setattr("engine.policy.value.policy.shipped_chances", missing)
    policy = ValuePolicy()
    assert policy.warning is not None
    assert policy.warning.startswith("the tiles to come are those of an average table: engine/networks/tables/chances")
    assert "chances" not in policy.settings()["weights"]
    deal = table("234567m345678p5s").draw(0, "1z")
    decision = policy.decide(deal.state, deal.state.legal_actions(), Budget(nodes=500))
    assert decision.candidates[0].p_win > 0.0
