"""The names of the safety of a tile, and the danger stated with them."""

import pytest

from engine.opponents.facts import genbutsu_masks
from engine.opponents.registry import make_estimator
from engine.policy.explaining import Risk, deal_in, risks_of, safety
from engine.policy.grounds import GroundKind
from engine.policy.scene import Scene
from tests.samples import parse_tile37


def kind(text):
    return parse_tile37(text)


def scene(state):
    return Scene(state, state.legal_actions())


def test_after_riichi_what_passed_is_safe_and_what_came_before_is_not(riichi_table):
    deal = riichi_table()
    known = genbutsu_masks(deal.state)[1]
    for text in ("7m", "5s", "1m", "8p"):
        assert known >> kind(text) & 1
    for text in ("1s", "2p", "9s"):
        assert not known >> kind(text) & 1


@pytest.mark.parametrize(
    ("tile", "called"),
    [
        ("5s", GroundKind.GENBUTSU),
        ("8p", GroundKind.GENBUTSU),
        ("2s", GroundKind.SUJI),
        ("4m", GroundKind.SUJI),
        ("5p", GroundKind.HALF_SUJI),
        ("6p", GroundKind.NO_SUJI),
        ("6z", GroundKind.HONOUR),
    ],
)
def test_names_of_safety_against_a_riichi(riichi_table, tile, called):
    """Seat 1 declared on 5s; 1m and 8p passed it since, 7m it discarded before."""
    assert safety(scene(riichi_table().state), kind(tile))[1].kind is called


def test_walls(table):
    """Without 7p nobody waits on 8p and 9p together with it; with one left that is unlikely."""
    none = table("77779p123s456s11z", indicator="2z")
    none.turn(0, "1z")
    assert safety(scene(none.state), kind("9p"))[1].kind is GroundKind.NO_CHANCE
    one = table("7779p123s456s112z", indicator="2z")
    one.turn(0, "2z")
    assert safety(scene(one.state), kind("9p"))[1].kind is GroundKind.ONE_CHANCE


def test_an_honour_has_the_number_of_unseen_copies(riichi_table):
    (found, *_) = safety(scene(riichi_table().state), kind("6z")).values()
    assert found.figures == {"unseen": 3}


def test_the_figures_are_those_of_the_estimate(riichi_table):
    state = riichi_table().state
    danger = make_estimator("model").estimate(state)
    tile = kind("6p")
    found = deal_in(
        scene(state), tile, "6p", danger.deal_in(tile), danger.expected_loss(tile), risks_of(danger, 0, tile)
    )
    assert found.kind is GroundKind.DEAL_IN
    assert found.figures["chance"] == danger.deal_in(tile)
    assert found.figures["points"] == danger.expected_loss(tile)
    (riichi, *_) = found.figures["against"]
    assert riichi.kind is GroundKind.AGAINST_RIICHI
    assert riichi.figures["seat"] == 1
    assert riichi.figures["chance"] == float(danger.p_deal_in[1, tile])
    assert riichi.figures["safety"].kind is GroundKind.NO_SUJI


def test_only_opponents_who_may_win_are_named(table, riichi_table):
    asked = scene(riichi_table().state)
    risks = [Risk(1, 1.0, 0.02), Risk(2, 0.1, 0.001), Risk(3, 0.4, 0.03)]
    found = deal_in(asked, kind("6p"), "6p", 0.05, 4_000.0, risks)
    named = [(each.kind, each.figures["seat"]) for each in found.figures["against"]]
    assert named == [(GroundKind.AGAINST_CLOSED, 3), (GroundKind.AGAINST_RIICHI, 1)]
    nobody = scene(table("1599m1478p258s36z").state)
    assert deal_in(nobody, kind("6p"), "6p", 0.01, 1_000.0, [Risk(1, 0.1, 0.01)]) is None


def test_a_tile_that_nobody_can_win_on_is_safe(riichi_table):
    asked = scene(riichi_table().state)
    found = deal_in(asked, kind("5s"), "5s", 0.0, 0.0, [Risk(1, 1.0, 0.0)])
    assert found.kind is GroundKind.SAFE
