"""The threats by the plain tables, and the danger of each tile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.tiles import EAST, KINDS, format_tile
from engine.opponents.danger_tables import danger_tables
from engine.opponents.facts import Opponent
from engine.policy.simple.weighing import threats_of
from engine.rules.table_kernels import RIICHI
from tests.samples import parse_tile37

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


def test_threats_are_riichi_first_and_open_hands_by_melds(riichi_table):
    deal = riichi_table()
    found = threats_of(deal.state)
    assert [(threat.seat, threat.riichi) for threat in found.each] == [(1, True)]
    assert (found.chance[kind("5s")], found.loss[kind("5s")]) == (0.0, 0.0)
    assert 0.0 < found.chance[kind("4p")] < 1.0
    assert found.chance[kind("4p")] == pytest.approx(found.each[0].deal_in[kind("4p")])
