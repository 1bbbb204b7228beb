"""What is safe, how safe, and the answer that is ready before any thought."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.actions import PASS, ActionKind
from engine.model.tiles import EAST, KINDS, format_tile, parse_tile37
from engine.opponents.danger_tables import danger_tables
from engine.opponents.facts import RIICHI, Opponent
from engine.opponents.genbutsu import discards_in_order
from engine.policy.fallback import fallback
from engine.policy.quick.safety import genbutsu, threats, total_danger

FRESH = (4,) * KINDS
NOTHING = 0


def kind(text):
    return parse_tile37(text)


def wait_shares(left, genbutsu, stance=RIICHI):
    """What the table says of a tenpai hand's waits; no yakuhai but dragons."""
    who = Opponent(1, stance, 0, 9, dealer=False, ippatsu=False, dora_seen=0, yakuhai=0b111 << 31)
    return danger_tables().plain_waits(np.array(left), genbutsu, who)


def safe(*texts):
    return sum(1 << kind(text) for text in set(texts))


def unseen(**left):
    return tuple(left.get(format_tile(4 * one + 1), 4) for one in range(KINDS))


def test_genbutsu_and_both_suji():
    shares = wait_shares(FRESH, safe("5s"))
    assert shares[kind("2s")] < shares[kind("2p")]
    assert shares[kind("8s")] < shares[kind("8p")]
    assert shares[kind("4s")] > shares[kind("2s")]


def test_the_middle_needs_both_sides():
    both, one, none = (
        wait_shares(FRESH, safe(*texts))[kind("5p")] for texts in (("2p", "8p"), ("2p", "2m"), ("2m", "8m"))
    )
    assert both < one < none


def test_ends_are_safer_than_the_middle():
    shares = wait_shares(FRESH, NOTHING)
    assert max(shares[kind("1m")], shares[kind("2m")]) < shares[kind("3m")] < shares[kind("4m")]


def test_no_chance_and_one_chance():
    plenty = wait_shares(FRESH, NOTHING)[kind("2m")]
    one = wait_shares(unseen(**{"3m": 1}), NOTHING)[kind("2m")]
    none = wait_shares(unseen(**{"3m": 0}), NOTHING)[kind("2m")]
    assert none < one < plenty


def test_honours_by_count():
    shares = [wait_shares(unseen(**{"1z": left}), NOTHING)[EAST] for left in range(4)]
    assert shares == sorted(shares)
    assert shares[0] < 0.01


@given(st.lists(st.integers(0, 4), min_size=KINDS, max_size=KINDS), st.integers(0, 2**KINDS - 1))
def test_shares_are_chances(left, known):
    shares = wait_shares(left, known)
    assert all(0.0 <= share <= 1.0 for share in shares)


def test_after_riichi_what_passed_is_safe_and_what_came_before_is_not(riichi_table):
    deal = riichi_table()
    known = genbutsu(deal.state, 1)
    for text in ("7m", "5s", "1m", "8p"):
        assert known[kind(text)]
    for text in ("1s", "2p", "9s"):
        assert not known[kind(text)]


def test_discards_in_order_follow_calls(table):
    deal = table("1599m1478p258s36z")
    deal.turn(0, "9s")
    deal.draw(1)
    deal.discard(1, "7z")
    deal.pon(3, "77z")
    deal.discard(3, "2m", tsumogiri=False)
    deal.turn(0, "9s")
    assert [seat for seat, _ in discards_in_order(deal.state)] == [0, 1, 3, 0]


def test_threats_are_riichi_first_and_open_hands_by_melds(riichi_table):
    deal = riichi_table()
    found = threats(deal.state, [4 - seen for seen in deal.state.visible])
    assert [(threat.seat, threat.riichi) for threat in found] == [(1, True)]
    chance, loss = total_danger(found, kind("5s"))
    assert (chance, loss) == (0.0, 0.0)
    chance, loss = total_danger(found, kind("4p"))
    assert 0.0 < chance < 1.0
    assert loss == pytest.approx(found[0].loss[kind("4p")])


def test_the_fallback_wins(table):
    deal = table("234567m345678p5s").draw(0, "5s")
    assert fallback(deal.state, deal.state.legal_actions()).action.kind is ActionKind.TSUMO


def test_the_fallback_passes(table):
    deal = table("234m55z67p3458s11p", seat=1).draw(0)
    deal.discard(0, "5z")
    assert fallback(deal.state, deal.state.legal_actions()).action == PASS


def test_the_fallback_throws_what_it_drew_where_that_loses_nothing(table):
    deal = table("1599m1478p258s36z").draw(0, "4m")
    decision = fallback(deal.state, deal.state.legal_actions())
    assert decision.action.tile == deal.state.drawn
    assert decision.mode == "fallback"


def test_the_fallback_keeps_a_tile_that_brings_the_hand_nearer(table):
    deal = table("123456m23p78p11s9s").draw(0, "4p")
    decision = fallback(deal.state, deal.state.legal_actions())
    assert format_tile(decision.action.tile) == "9s"


def test_the_fallback_throws_genbutsu_against_riichi(riichi_table):
    deal = riichi_table()
    decision = fallback(deal.state, deal.state.legal_actions())
    assert format_tile(decision.action.tile) in ("5s", "1m", "8p")
    assert "genbutsu" in decision.reasons[0]
