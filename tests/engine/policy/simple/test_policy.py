"""The policy ``simple`` at positions with one right answer."""

import pytest

from engine.arena import play_game
from engine.model.actions import NINE_TERMINALS, PASS, ActionKind
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.model.tiles import format_tile
from engine.policy.decision import Budget
from engine.policy.grounds import GroundKind, ground
from engine.policy.registry import make_policy
from engine.policy.simple.policy import SimplePolicy
from tests.engine.policy.asked import against_riichi


def decide(table, policy=None):
    """The decision in the table's state, checked for what every decision must have."""
    legal = table.state.legal_actions()
    decision = (policy or SimplePolicy()).decide(table.state, legal, Budget())
    assert decision.action in legal
    assert decision.action in [candidate.action for candidate in decision.candidates]
    assert decision.grounds
    return decision


def kinds(decision):
    return [each.kind for each in decision.grounds]


def discarded(decision):
    assert decision.action.kind in (ActionKind.DISCARD, ActionKind.RIICHI)
    return format_tile(decision.action.tile)


def test_discards_the_lone_honour(table):
    deal = table("234567m34568p1z9s").draw(0, "8p")
    decision = decide(deal)
    assert discarded(decision) in ("1z", "9s")
    assert decision.mode == "attack"
    assert decision.unit == "points"
    best, *others = decision.candidates
    assert best.shanten == min(one.shanten for one in others)
    assert best.ukeire >= max(one.ukeire for one in others if one.shanten == best.shanten)


def test_candidates_are_best_first(table):
    decision = decide(table("1234m2345p3578s1z").draw(0, "9m"))
    keys = [(one.shanten, -one.value) for one in decision.candidates]
    assert keys == sorted(keys)
    assert len(keys) == 14


def test_keeps_the_red_five(table):
    """Of three fives the plain one is discarded."""
    decision = decide(table("055m789m234p567s2s").draw(0, "2s"))
    assert decision.action.kind is ActionKind.TSUMO
    decision = decide(table("05m3478m234p567s1s").draw(0, "1s"))
    reds = [one for one in decision.candidates if format_tile(one.action.tile) == "0m"]
    plain = [one for one in decision.candidates if format_tile(one.action.tile) == "5m"]
    assert plain[0].value > reds[0].value


def test_wins_by_self_draw(table):
    decision = decide(table("234567m345678p5s").draw(0, "5s"))
    assert decision.action.kind is ActionKind.TSUMO
    assert decision.mode == "forced"


def test_wins_on_a_discard_even_when_folding(table):
    deal = table("234567m34567p88s", seat=1)
    policy = SimplePolicy()
    policy._machine.update(2, 3)
    deal.draw(0)
    deal.discard(0, "8p")
    assert decide(deal, policy).action.kind is ActionKind.RON


def test_declares_riichi_when_tenpai(table):
    decision = decide(table("123567m34567p88s").draw(0, "1z"))
    assert decision.action.kind is ActionKind.RIICHI
    assert discarded(decision) == "1z"
    assert GroundKind.RIICHI_BETTER in kinds(decision)


def test_stays_silent_with_a_great_hand(table):
    """A dealer's closed chinitsu: riichi would add little and warn everyone."""
    decision = decide(table("1112345678999m").draw(0, "1z"))
    assert decision.action.kind is ActionKind.DISCARD
    assert discarded(decision) == "1z"


class TestFolding:
    """Seat 0 holds a far hand; seat 1 declares riichi on its first discard."""

    def test_goes_with_what_is_safe(self, table):
        decision = decide(against_riichi(table))
        assert decision.mode == "fold"
        assert discarded(decision) in ("5s", "1m", "8p")
        assert kinds(decision) == [GroundKind.FOLD_SAFEST, GroundKind.FOLDS_AGAINST, GroundKind.SAFE]
        (riichi,) = decision.grounds[-1].figures["against"]
        assert riichi.figures["safety"].kind is GroundKind.GENBUTSU
        assert decision.grounds[1].figures["riichi"] == 1
        assert decision.candidates[0].p_deal_in == 0.0
        dangers = [-one.value for one in decision.candidates]
        assert dangers == sorted(dangers)

    def test_there_is_no_way_back(self, table):
        policy = SimplePolicy()
        decide(against_riichi(table), policy)
        near = against_riichi(table, "23467m3456788p5s", "5s")
        decision = decide(near, policy)
        assert decision.mode == "fold"
        assert GroundKind.FOLDED_BEFORE in kinds(decision)
        policy.start_kyoku()
        assert decide(near, policy).mode == "attack"

    def test_goes_on_when_1_shanten(self, table):
        decision = decide(against_riichi(table, "23467m3456788p1s", "5s"))
        assert decision.mode == "attack"
        assert ground(GroundKind.PUSHES_AGAINST, riichi=1, shanten=1) in decision.grounds

    def test_two_riichi_stop_a_1_shanten_hand_but_not_a_tenpai_one(self, table):
        def two(hand, drawn):
            deal = table(hand, indicator="2z")
            deal.turn(0, "9s")
            deal.draw(1)
            deal.riichi(1, "1z")
            deal.draw(2)
            deal.riichi(2, "1z")
            deal.turn(3, "9m")
            deal.draw(0, drawn)
            return deal

        one_away = decide(two("23467m3456788p1s", "4z"))
        assert one_away.mode == "fold"
        assert ground(GroundKind.FOLDS_AGAINST, riichi=2, shanten=1) in one_away.grounds
        ready = decide(two("234567m34567p88s", "4z"))
        assert ready.mode == "attack"

    def test_makes_no_calls(self, table):
        deal = against_riichi(table, "1599m1478p258s55z")
        deal.discard(0, "5s")
        deal.draw(1)
        deal.discard(1, "5z")
        decision = decide(deal)
        assert decision.action == PASS
        assert decision.mode == "fold"

    def test_prefers_suji_to_the_middle(self, table):
        """Seat 1 discarded 5s: 2s and 8s are suji, 4p and 6m are not."""
        decision = decide(against_riichi(table, "246m1478p2258s16z"))
        danger = {format_tile(one.action.tile): one.p_deal_in for one in decision.candidates}
        assert danger["5s"] == danger["8p"] == 0.0
        assert danger["2s"] < danger["4p"]
        assert danger["8s"] < danger["6m"]
        assert danger["1z"] < danger["4p"]


class TestCalls:
    """Calls, and discards that are not called."""

    def test_pon_of_yakuhai(self, table):
        deal = table("234m55z67p3458s11p", seat=1).draw(0)
        deal.discard(0, "5z")
        decision = decide(deal)
        assert decision.action.kind is ActionKind.PON
        assert decision.grounds[0].figures["plan"].kind is GroundKind.YAKUHAI

    def test_no_call_without_a_yaku(self, table):
        deal = table("12m99m456p19s78s12z", seat=1).draw(0)
        deal.discard(0, "3m")
        decision = decide(deal)
        assert decision.action == PASS
        assert decision.grounds[0].kind in (GroundKind.NO_CALL_NEARER, GroundKind.NO_CALL_YAKU)

    def test_chi_for_tanyao_only_where_it_counts_open(self, table):
        def asked(rules):
            deal = table("234m567p2255s68s8m", seat=1, rules=rules).draw(0)
            deal.discard(0, "7s")
            return decide(deal)

        assert asked(HANCHAN).action.kind is ActionKind.CHI
        assert asked(Rules(open_tanyao=False)).action == PASS

    def test_no_call_that_brings_the_hand_no_nearer(self, table):
        deal = table("234m567p234s5566s", seat=1).draw(0)
        deal.discard(0, "3m")
        assert decide(deal).action == PASS

    def test_after_a_call_the_yaku_is_kept(self, table):
        """With a tanyao meld the terminal is discarded, although it has a neighbour."""
        deal = table("34m567p2258s6679p", seat=1).draw(0)
        deal.discard(0, "5m")
        deal.chi(1, "34m")
        assert discarded(decide(deal)) == "9p"


def test_closed_kan_that_costs_nothing(table):
    decision = decide(table("1111z234m567p45s9s").draw(0, "9s"))
    assert decision.action.kind is ActionKind.ANKAN


def test_no_kan_against_riichi_from_afar(table):
    deal = table("1111z58m147p258s9s", indicator="2z")
    deal.turn(0, "9m")
    deal.draw(1)
    deal.riichi(1, "3s")
    deal.turn(2, "9m")
    deal.turn(3, "9m")
    deal.draw(0, "4m")
    decision = decide(deal)
    assert decision.mode == "fold"
    assert decision.action.kind is ActionKind.DISCARD


def test_nine_terminals_when_far(table):
    assert decide(table("19m19p19s123z258m5p").draw(0, "5s")).action == NINE_TERMINALS


def test_goes_for_thirteen_orphans_with_eleven(table):
    assert decide(table("19m19p19s12345z5m5p").draw(0, "5s")).action != NINE_TERMINALS


def test_an_unknown_policy_is_reported_with_those_there_are():
    with pytest.raises(ValueError, match="'mortal'; there are: che, dag, flow,"):
        make_policy("mortal")


def test_beats_three_who_discard_what_they_draw():
    names = ("simple", "tsumogiri", "tsumogiri", "tsumogiri")
    for seed in range(5):
        end = play_game([make_policy(name) for name in names], TONPU, seed=seed).events[-1]
        assert end.scores[0] == max(end.scores)
