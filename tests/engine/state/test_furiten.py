"""Furiten: by the river, until the next discard, for good after riichi."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.events import Win
from engine.state import StateError

RON = ActionKind.RON
TWO_SIDED = "234678m22p45s777z"  # a triplet of chun for the yaku
WAITS = (20, 23)


def test_the_waits_are_known_from_the_deal_and_follow_the_hand(table):
    t = table(TWO_SIDED)
    assert t.state.waits == WAITS
    t.turn(0, "9m")
    assert t.state.waits == WAITS
    t.others("1z", "1z", "1z").turn(0, "9m", "2p")
    assert t.state.waits != WAITS


def test_a_discarded_wait_makes_all_waits_furiten(table):
    t = table(TWO_SIDED).turn(0, "6s")
    s = t.state
    assert s.furiten_river
    assert s.furiten
    t.turn(1, "3s")
    assert not t.can(RON)
    with pytest.raises(StateError, match="furiten"):
        t.win(0, 1)


def test_a_called_away_discard_still_counts(table):
    t = table(TWO_SIDED).turn(0, "6s").pon(2, "66s").discard(2, "1z")
    t.turn(3, "3s")
    assert t.state.furiten_river
    assert not t.can(RON)


def test_furiten_by_the_river_goes_when_the_waits_change(table):
    t = table(TWO_SIDED).turn(0, "6s").others("1z", "1z", "2z")
    assert t.state.furiten_river
    t.turn(0, "5s", "4s")  # 2p and 5s in pairs
    assert t.state.waits == (10, 22)
    assert not t.state.furiten_river


def test_letting_a_tile_go_lasts_until_the_own_discard(table):
    t = table(TWO_SIDED).turn(0, "1z").turn(1, "6s")
    s = t.state
    assert t.can(RON)
    assert s.missed
    assert not s.furiten
    t.draw(2)
    assert s.furiten_turn
    assert not s.furiten_river
    t.discard(2, "3s")
    assert not t.can(RON)
    t.turn(3, "1z").draw(0, "2z")
    assert s.furiten_turn
    t.discard(0, "2z")
    assert not s.furiten
    t.turn(1, "6s")
    assert t.can(RON)


def test_a_tile_that_gave_no_yaku_counts_as_let_go(table):
    t = table("123789m22p45s999p").turn(0, "9m").turn(1, "6s")
    assert not t.can(RON)
    assert t.state.missed
    t.draw(2)
    assert t.state.furiten_turn


def test_a_call_takes_the_missed_tile_too(table):
    t = table(TWO_SIDED, seat=3).turn(0, "6s").pon(1, "66s")
    assert t.state.furiten_turn
    t.discard(1, "3s")
    assert not t.can(RON)


def test_after_riichi_it_is_for_good(table):
    t = table(TWO_SIDED).draw(0, "1z").riichi(0, "1z")
    t.turn(1, "6s").draw(2)
    assert t.state.furiten_riichi
    t.discard(2, "2z").turn(3, "2z").turn(0, "3z").turn(1, "3s")
    assert t.state.furiten
    assert not t.can(RON)
    t.turn(2, "4z").turn(3, "4z").draw(0, "3s")
    assert t.can(ActionKind.TSUMO)  # one's own draw wins all the same


def test_a_missed_self_draw_in_riichi_lies_in_the_river(table):
    t = table(TWO_SIDED).draw(0, "1z").riichi(0, "1z").others("2z", "2z", "2z").turn(0, "6s")
    assert t.state.furiten_river
    t.turn(1, "3s")
    assert not t.can(RON)


def test_a_kakan_let_go_counts(table):
    t = table(TWO_SIDED, seat=3).turn(0, "1z").turn(1, "6s").pon(2, "66s")
    assert t.state.furiten_turn
    t.discard(2, "2z").turn(3, "3z").turn(0, "3z").turn(1, "3z").draw(2).kakan(2, "6s")
    assert t.can(RON)
    t.draw(2)
    assert t.state.furiten_turn


def test_the_tile_being_won_is_not_let_go(table):
    t = table(TWO_SIDED).turn(0, "1z").turn(1, "6s").win(0, 1)
    assert not t.state.furiten
    assert t.state.winners == (0,)


def test_two_win_on_one_tile(table):
    t = table(TWO_SIDED, seat=3).turn(0, "6s")
    t.apply(Win(1, 0, t.state.offered, (-1000, 1000, 0, 0))).win(3, 0, (-2000, 0, 0, 2000))
    assert t.state.winners == (1, 3)
    assert t.state.scores == [22_000, 26_000, 25_000, 27_000]
    with pytest.raises(StateError):
        t.win(3, 0)
