"""The answer that is ready before a search starts."""

from engine.model.actions import PASS, ActionKind
from engine.model.tiles import format_tile
from engine.policy.forced import fallback
from engine.policy.grounds import GroundKind


def test_the_fallback_wins(table):
    deal = table("234567m345678p5s").draw(0, "5s")
    assert fallback(deal.state, deal.state.legal_actions()).action.kind is ActionKind.TSUMO


def test_the_fallback_passes(table):
    deal = table("234m55z67p3458s11p", seat=1).draw(0)
    deal.discard(0, "5z")
    assert fallback(deal.state, deal.state.legal_actions()).action == PASS


def test_the_fallback_discards_what_it_drew_where_that_loses_nothing(table):
    deal = table("1599m1478p258s36z").draw(0, "4m")
    decision = fallback(deal.state, deal.state.legal_actions())
    assert decision.action.tile == deal.state.drawn
    assert decision.mode == "fallback"


def test_the_fallback_keeps_a_tile_that_brings_the_hand_nearer(table):
    deal = table("123456m23p78p11s9s").draw(0, "4p")
    decision = fallback(deal.state, deal.state.legal_actions())
    assert format_tile(decision.action.tile) == "9s"


def test_the_fallback_discards_genbutsu_against_riichi(riichi_table):
    deal = riichi_table()
    decision = fallback(deal.state, deal.state.legal_actions())
    assert format_tile(decision.action.tile) in ("5s", "1m", "8p")
    assert decision.grounds[0].kind is GroundKind.FALLBACK_GENBUTSU
