"""Riichi: when it may be declared, what it costs, ippatsu, what may still be done."""

from __future__ import annotations

import pytest

from engine.model.actions import Action, ActionKind
from engine.model.events import Call, Discard, RiichiAccepted, RiichiDeclared, Win
from engine.model.melds import Meld, MeldKind
from engine.state import Phase, StateError

RIICHI = ActionKind.RIICHI
READY = "123456789m1122z"
ANKAN_READY = "111m456p789s1122z"


def riichi_tiles(t):
    return {str(action).removeprefix("riichi ") for action in t.kinds(RIICHI)}


@pytest.mark.parametrize(
    ("hand", "drawn", "discards"),
    [
        ("123m456p79s11223z", "8s", {"3z"}),
        ("34567m456p789s99p", "1z", {"1z"}),
        ("123m456p789s1122z", "3z", {"3z"}),
        ("159m159p159s1234z", "9s", set()),
    ],
)
def test_each_discard_that_keeps_the_hand_tenpai(table, hand, drawn, discards):
    assert riichi_tiles(table(hand).draw(0, drawn)) == discards


def test_a_complete_hand_may_declare_instead(table):
    t = table(READY).draw(0, "1z")
    assert t.can(ActionKind.TSUMO)
    assert "1z" in riichi_tiles(t)


def test_the_declaration_asks_for_a_discard_that_stays_tenpai(table):
    t = table(READY).draw(0, "9s").apply(RiichiDeclared(0))
    assert t.state.phase is Phase.DECLARED
    assert t.discards() == {"9s"}
    with pytest.raises(StateError, match="not tenpai"):
        t.state.apply(Discard(0, 0, False))


def test_it_costs_1000_once_accepted(table):
    t = table(READY, sticks=1).draw(0, "9s").riichi(0, "9s", accept=False)
    s = t.state
    assert (s.riichi, s.riichi_pending, s.scores[0], s.riichi_sticks) == ([0, 0, 0, 0], 0, 25_000, 1)
    t.apply(RiichiAccepted(0))
    assert (s.riichi, s.riichi_pending, s.scores[0], s.riichi_sticks) == ([2, 0, 0, 0], None, 24_000, 2)
    assert s.rivers[0][0].riichi
    with pytest.raises(StateError, match="not just declared"):
        t.apply(RiichiAccepted(0))


def test_no_riichi_on_an_open_hand_but_with_a_closed_kan(table):
    t = table("123456m55789p11z", seat=1).turn(0, "5p").pon(1, "55p").discard(1, "1z")
    t.others("8s", "8s", "8s").draw(1, "9s")
    assert not t.can(RIICHI)
    with pytest.raises(StateError, match="open"):
        t.apply(RiichiDeclared(1))
    closed = table("1111m45689p1122z").draw(0, "9s").ankan(0, "1111m").dora("9m").draw(0, "7p")
    assert closed.state.closed
    assert "9s" in riichi_tiles(closed)


@pytest.mark.parametrize(("points", "allowed"), [(900, False), (1000, True)])
def test_it_takes_1000_points(table, points, allowed):
    t = table(READY, scores=(points, 25_000, 25_000, 75_000 - points - 25_000)).draw(0, "9s")
    assert t.can(RIICHI) == allowed
    if not allowed:
        with pytest.raises(StateError, match="1000 points"):
            t.apply(RiichiDeclared(0))


@pytest.mark.parametrize(("left", "allowed"), [(4, True), (3, False)])
def test_it_takes_four_tiles_in_the_wall(table, left, allowed):
    seat = (70 - left - 1) % 4  # who draws when so many are left
    t = table("123456789m1177z", seat=seat).run_down(left + 1).draw(seat, "9s")
    assert t.state.wall_left == left
    assert t.can(RIICHI) == allowed
    if not allowed:
        with pytest.raises(StateError, match="four tiles in the wall"):
            t.apply(RiichiDeclared(seat))


def test_only_the_drawn_tile_goes_after_riichi(table):
    t = table(READY).draw(0, "9s").riichi(0, "9s").others("9p", "9p", "9p").draw(0, "5z")
    assert [str(action) for action in t.state.legal_actions()] == ["discard 5z"]
    with pytest.raises(StateError, match="only the drawn tile"):
        t.state.apply(Discard(0, 0, False))


def test_another_in_riichi_discards_what_it_draws(table):
    t = (
        table("159m159p159s1234z")
        .turn(0, "9m")
        .draw(1)
        .riichi(1, "5z")
        .turn(2, "6z")
        .turn(3, "6z")
        .turn(0, "6z")
        .draw(1)
    )
    with pytest.raises(StateError, match="only the drawn tile"):
        t.discard(1, "8s", tsumogiri=False)


def test_a_second_riichi_is_refused(table):
    t = table(READY).draw(0, "9s").riichi(0, "9s").others("9p", "9p", "9p").draw(0, "5z")
    assert not t.can(RIICHI)
    with pytest.raises(StateError, match="already"):
        t.apply(RiichiDeclared(0))


# -- ippatsu and double riichi ---------------------------------------------------------------------------------------


def test_ippatsu_lasts_one_turn(table):
    t = table(READY).draw(0, "9s").riichi(0, "9s").others("9p", "9p", "9p").draw(0, "5z")
    assert t.state.ippatsu == [True, False, False, False]
    t.discard(0, "5z")
    assert t.state.ippatsu == [False] * 4


def test_any_call_breaks_ippatsu(table):
    t = table("159m159p159s1234z").turn(0, "9m").draw(1).riichi(1, "5z").turn(2, "6z")
    assert t.state.ippatsu[1]
    t.pon(3, "66z")
    assert not t.state.ippatsu[1]
    t = table("159m159p159s1234z").turn(0, "9m").draw(1).riichi(1, "5z").draw(2).ankan(2, "7777z")
    assert not t.state.ippatsu[1]


def test_a_robbed_kakan_leaves_ippatsu(table):
    t = table("45m456p789s111z22z").turn(0, "9m").turn(1, "6m").pon(2, "66m").discard(2, "5z").turn(3, "5z")
    t.draw(0, "9p").riichi(0, "9p").turn(1, "6z").draw(2).kakan(2, "6m")
    assert t.state.ippatsu[0]
    context = t.state.win_context(t.state.offered, 2)
    assert context.ippatsu
    assert context.chankan
    t.draw(2)
    assert not t.state.ippatsu[0]


def test_double_riichi_is_for_an_uninterrupted_first_turn(table):
    assert table(READY, seat=1).turn(0, "9p").draw(1, "9s").riichi(1, "9s").state.riichi[1] == 2
    later = table(READY, seat=1).turn(0, "9p").turn(1, "9p").turn(2, "9p").turn(3, "9p").turn(0, "8p").draw(1, "9s")
    assert later.riichi(1, "9s").state.riichi[1] == 1
    broken = table(READY, seat=1).turn(0, "9p").pon(3, "99p").discard(3, "5z").turn(0, "5z").draw(1, "9s")
    assert broken.riichi(1, "9s").state.riichi[1] == 1


def test_a_riichi_that_is_won_on_costs_nothing(table):
    t = table("123m456p22s45678p", seat=1).draw(0).riichi(0, "6p", accept=False)
    t.win(1, 0, (-2000, 2000, 0, 0))
    assert t.state.scores == [23_000, 27_000, 25_000, 25_000]
    assert t.state.riichi_sticks == 0


# -- kans in riichi ------------------------------------------------------------------------------------------------


def test_a_kan_that_leaves_the_waits(table):
    t = table(ANKAN_READY).draw(0, "9m").riichi(0, "9m").others("9p", "9p", "9p").draw(0, "1m")
    assert t.kinds(ActionKind.ANKAN) == [Action(ActionKind.ANKAN, 0)]
    waits = t.state.waits
    t.ankan(0, "1111m").dora("9p").draw(0, "5z")
    assert t.state.waits == waits
    assert not t.state.ippatsu[0]


def test_a_kan_that_changes_the_waits(table):
    t = table("1113m456p789s222z").draw(0, "9m").riichi(0, "9m").others("9p", "9p", "9p").draw(0, "1m")
    assert t.state.waits == (1, 2)
    assert not t.can(ActionKind.ANKAN)
    with pytest.raises(StateError, match="may not change the waits"):
        t.ankan(0, "1111m")


def test_a_kan_of_four_held_before_the_draw(table):
    t = table("1111m23m456p789s2z", seat=0).draw(0, "9m").riichi(0, "9m").others("9p", "9p", "9p").draw(0, "5z")
    assert not t.can(ActionKind.ANKAN)
    with pytest.raises(StateError, match="needs the drawn tile"):
        t.ankan(0, "1111m")


def test_same_waits_are_enough_where_runs_could_be_read_otherwise(table):
    """111222333m with a shanpon: recorded on Tenhou (2023-05-02) that the fourth 2m made a kan."""
    t = table("111222333m2233p").draw(0, "5z").riichi(0, "5z").others("9p", "9p", "9p").draw(0, "2m")
    assert t.can(ActionKind.ANKAN)


def test_no_kan_in_riichi_once_four_are_made(table):
    t = table(ANKAN_READY).draw(0, "9m").riichi(0, "9m").draw(1)
    for quad, indicator in (("3333m", "9p"), ("5555m", "8p"), ("4444z", "7p"), ("6666z", "6p")):
        t.ankan(1, quad).dora(indicator).draw(1)
    t.discard(1, "5z").turn(2, "5z").turn(3, "5z").draw(0, "1m")
    assert not t.can(ActionKind.ANKAN)
    with pytest.raises(StateError, match="four kans have been made"):
        t.ankan(0, "1111m")


def test_waiting_for_a_fifth_copy_is_not_tenpai(table):
    assert table("1111m456p789s123p").state.waits == ()
    t = table("111m456p789s123p2z").draw(0, "1m")
    assert riichi_tiles(t) == {"1m"}


def test_a_wait_all_in_ones_own_melds_is_still_one(table):
    """A single wait for a tile of which the other three are in one's own pon: Tenhou pays it as tenpai."""
    t = table("5556z123456m11p9s", seat=1).turn(0, "5z").pon(1, "55z").discard(1, "6z")
    t.turn(2, "9s").turn(3, "9s").turn(0, "8s").draw(1, "1p")
    t.discard(1, "9s")
    assert t.state.waits == (31,)


def test_others_riichi_wins_and_errors_speak_of_the_place(table):
    t = table(READY, kyoku=6, honba=2, seat=2).draw(2, "9s")
    with pytest.raises(StateError, match="S3-2"):
        t.apply(Win(1, 0, 5, (0, 0, 0, 0)))
    with pytest.raises(StateError, match="no pon to add it to"):
        t.apply(Call(2, Meld(MeldKind.KAKAN, (0, 1, 2, 3), 0, 1, 3)))
