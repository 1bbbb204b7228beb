"""What a win would be scored with, and when a complete hand may win."""

from __future__ import annotations

import pytest

from engine.model.actions import PASS, Action, ActionKind
from engine.model.tiles import EAST, SOUTH, WEST
from engine.scoring import score_win

RON, TSUMO = ActionKind.RON, ActionKind.TSUMO
TANYAO = "234678m22p45s666p"  # waits 3s 6s
NO_YAKU = "123789m22p45s999p"
HAITEI, HOUTEI, RINSHAN, CHANKAN, TENHOU, CHIIHOU = 5, 6, 4, 3, 37, 38


def yaku(t, tile=None, from_seat=None):
    score = score_win(t.state.win_context(t.state.drawn if tile is None else tile, from_seat))
    return {number for number, _ in score.yaku} | set(score.yakuman)


def test_a_yaku_is_needed_for_ron_and_a_closed_draw_is_one(table):
    t = table(NO_YAKU).turn(0, "9m").turn(1, "6s")
    assert not t.can(RON)
    assert t.state.legal_actions() == ()
    t.turn(2, "1z").turn(3, "1z").draw(0, "3s")
    assert t.can(TSUMO)
    t = table(TANYAO).turn(0, "9m").turn(1, "6s")
    assert t.state.legal_actions() == (Action(RON, t.state.offered), PASS)


def test_an_open_hand_needs_another_yaku_even_self_drawn(table):
    t = table("123m45s2299p789m1z", seat=1).turn(0, "9p").pon(1, "99p").discard(1, "1z")
    assert t.state.waits == (20, 23)
    t.others("1s", "1s", "1s").draw(1, "3s")
    assert not t.can(TSUMO)


def test_the_context_tells_hand_winds_and_indicators(table):
    t = table(TANYAO, seat=2, kyoku=4, indicator="1p").turn(0, "1z").turn(1, "6s")
    context = t.state.win_context(t.state.offered, 1, (3,))
    assert context.concealed == tuple(sorted((*t.state.hand, t.state.offered)))
    assert (context.seat_wind, context.round_wind) == (WEST, SOUTH)
    assert not context.tsumo
    assert context.ura_indicators == (3,)
    assert [tile >> 2 for tile in context.dora_indicators] == [9]
    drawn = t.draw(2, "3s").state.win_context(t.state.drawn)
    assert drawn.tsumo
    assert len(drawn.concealed) == 14


def test_first_turn_wins(table):
    t = table(TANYAO).draw(0, "3s")
    assert TENHOU in yaku(t)
    t = table(TANYAO, seat=2).turn(0, "9m").turn(1, "9m").draw(2, "3s")
    assert CHIIHOU in yaku(t)
    t = table(TANYAO, seat=2).turn(0, "9m").turn(1, "9p").pon(0, "99p").discard(0, "1z").turn(1, "1z").draw(2, "3s")
    assert CHIIHOU not in yaku(t)
    assert table(TANYAO, seat=2).state.seat_wind == EAST + 2


def test_no_chiihou_after_the_first_discard(table):
    t = table(TANYAO).turn(0, "9m").others("9m", "9m", "1m").draw(0, "3s")
    assert not t.state.first_turn
    assert TENHOU not in yaku(t)


def test_the_last_tile(table):
    t = table(NO_YAKU, seat=1).run_down(1).draw(1, "3s")
    assert t.can(TSUMO)
    assert HAITEI in yaku(t)
    t = table(NO_YAKU, seat=2).run_down(1)
    last = t.draw(1).discard(1, "3s").state
    assert last.furiten or t.can(RON)
    assert HOUTEI in yaku(t, last.offered, 1)


def test_the_dead_walls_tile_is_no_haitei(table):
    t = table("234m22p45s666p777z", seat=1).run_down(2)
    t.draw(0).discard(0, "7z")
    assert t.state.wall_left == 1
    t.daiminkan(1, "777z").draw(1, "3s")
    assert t.state.wall_left == 0
    assert t.can(TSUMO)
    assert RINSHAN in yaku(t)
    assert HAITEI not in yaku(t)


def test_rinshan_ends_with_the_discard(table):
    t = table("234m22p45s666p777z").draw(0, "7z").ankan(0, "7777z").dora("9m").draw(0, "1z")
    assert t.state.win_context(t.state.drawn).rinshan
    t.discard(0, "1z").others("2z", "2z", "2z").draw(0, "3s")
    assert RINSHAN not in yaku(t)


def test_robbing_a_kakan_is_a_yaku(table):
    t = table(NO_YAKU, seat=3).turn(0, "1z").turn(1, "6s").pon(2, "66s").discard(2, "1z").turn(3, "2z")
    t.turn(0, "2z").turn(1, "3z").draw(2).kakan(2, "6s")
    assert t.state.legal_actions() == (Action(RON, t.state.offered), PASS)
    assert CHANKAN in yaku(t, t.state.offered, 2)
    t.win(3, 2)
    assert t.state.win_context(t.state.offered, 2).chankan  # a second winner's


def test_a_closed_kan_is_not_robbed(table):
    """Not even for kokushi."""
    t = table("19m19p19s1234566z", seat=2).turn(0, "2m").draw(1).ankan(1, "7777z")
    assert 33 in t.state.waits
    assert t.state.legal_actions() == ()


@pytest.mark.parametrize(("accept", "expected"), [(True, 2), (False, 0)])
def test_riichi_counts_once_accepted(table, accept, expected):
    t = table(TANYAO).draw(0, "1z").riichi(0, "1z", accept=accept)
    assert t.state.win_context(80, 1).riichi == expected
    assert t.state.win_context(80, 1).ippatsu == accept
