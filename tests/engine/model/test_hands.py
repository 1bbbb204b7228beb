"""Hands as a whole: what every summary of a game counts by."""

from __future__ import annotations

from engine.model.events import (
    Call,
    Discard,
    Draw,
    EndGame,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.hands import hands_of
from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN

SCORES = (25_000,) * 4
NOTHING = (0, 0, 0, 0)


def deal(kyoku: int = 0, honba: int = 0) -> StartKyoku:
    return StartKyoku(kyoku, honba, 0, kyoku % 4, 0, SCORES, (None,) * 4)


def one_hand(*events):
    (hand,) = hands_of(enumerate([deal(), *events])).hands
    return hand


def test_two_who_win_on_one_tile_are_two_winners_and_one_deal_in():
    hand = one_hand(Discard(0, 5, False), Win(1, 0, 5, (-8000, 8000, 0, 0)), Win(2, 0, 5, (-1000, 0, 1000, 0)))
    assert hand.winners == {1, 2}
    assert hand.dealt_in == 0
    assert hand.deltas == [-9000, 8000, 1000, 0]


def test_a_riichi_is_declared_also_if_its_tile_deals_in_and_costs_a_stick_only_if_accepted():
    hand = one_hand(RiichiDeclared(0), Discard(0, 5, False), Win(1, 0, 5, (-8000, 8000, 0, 0)))
    assert hand.riichi == [0]
    assert hand.deltas[0] == -8000
    hand = one_hand(RiichiDeclared(0), Discard(0, 5, False), RiichiAccepted(0))
    assert (hand.riichi, hand.deltas[0], hand.ended) == ([0], -1000, False)


def test_who_wins_by_self_draw_is_paid_and_nobody_deals_in():
    hand = one_hand(Draw(2, 7), Win(2, 2, 7, (-4000, -2000, 8000, -2000)))
    assert (hand.winners, hand.dealt_in, hand.draw) == ({2}, None, None)


def test_an_ankan_is_no_call():
    ankan = Call(1, Meld(MeldKind.ANKAN, (0, 1, 2, 3), None, 1))
    pon = Call(3, Meld(MeldKind.PON, (8, 9, 10), 8, 1))
    assert one_hand(ankan, pon).callers == {3}


def test_only_an_exhausted_wall_shows_who_was_tenpai():
    shown = ((1,), None, (2,), None)
    hand = one_hand(Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (1500, -1500, 1500, -1500), hands=shown))
    assert (hand.tenpai, hand.draw) == ({0, 2}, RyuukyokuKind.EXHAUSTIVE)
    assert one_hand(Ryuukyoku(RyuukyokuKind.NINE_TERMINALS, NOTHING, hands=shown)).tenpai == set()


def test_the_standing_after_a_hand_is_that_before_the_next_or_the_end():
    events = [StartGame(HANCHAN), deal(), Win(1, 1, 5, NOTHING), deal(1, 2), Win(1, 1, 5, NOTHING), EndGame(SCORES)]
    played = hands_of(enumerate(events))
    assert [hand.name for hand in played.hands] == ["E1", "E2-2"]
    assert played.after(0) == played.hands[1].standing
    assert played.after(1).over
    assert [played.index_at(at) for at in (1, 2, 3, 4)] == [0, 0, 1, 1]
    assert hands_of(enumerate(events[:-1])).after(1) is None
