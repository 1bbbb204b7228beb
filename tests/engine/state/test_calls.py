"""Chi, pon, kans: who may call what, what it breaks, kuikae."""

from __future__ import annotations

import pytest

from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import Call, Discard, Draw
from engine.model.melds import Meld, MeldKind
from engine.model.rules import Rules
from engine.model.tiles import format_tiles
from engine.state import StateError

CHI, PON, KAN = ActionKind.CHI, ActionKind.PON, ActionKind.DAIMINKAN


def asked(table, hand, seat, text, **kwargs):
    """The viewer is ``seat``; seat 0 discards ``text``."""
    t = table(hand, seat=seat, **kwargs)
    return t.draw(0).discard(0, text)


def own(t, kind):
    return [format_tiles(action.own) for action in t.kinds(kind)]


def test_chi_is_for_the_next_seat_alone(table):
    assert own(asked(table, "45m1199p1199s123z", 1, "3m"), CHI) == ["45m"]
    assert asked(table, "45m1199p1199s123z", 2, "3m").state.legal_actions() == ()
    assert asked(table, "45m1199p1199s123z", 3, "3m").state.legal_actions() == ()


def test_every_shape_of_chi(table):
    t = asked(table, "1245m1199p119s12z", 1, "3m")
    assert own(t, CHI) == ["12m", "24m", "45m"]
    assert t.state.legal_actions()[-1] is PASS


def test_no_chi_around_the_ends_or_of_honours(table):
    assert not asked(table, "89m1199p1199s123z", 1, "1p").can(CHI)
    assert not asked(table, "28m12p1199s12334z", 1, "9m").can(CHI)
    assert not asked(table, "159m159p159s2344z", 1, "1z").can(CHI)


def test_chi_with_the_red_five_or_without(table):
    assert own(asked(table, "055m6m1199p119s12z", 1, "4m"), CHI) == ["06m", "56m"]
    plain = asked(table, "555m6m1199p119s12z", 1, "4m", rules=Rules(red_fives=False))
    assert len(plain.kinds(CHI)) == 1


def test_pon_from_anyone_with_each_pair_that_differs(table):
    for seat in (1, 2, 3):
        assert own(asked(table, "055p1199m199s123z", seat, "5p"), PON) == ["05p", "55p"]
    assert own(asked(table, "155z1199m199s122z", 2, "5z"), PON) == ["55z"]
    t = asked(table, "555z1199m199s122z", 2, "5z")
    assert len(t.kinds(PON)) == 1
    assert t.state.is_legal(Action(PON, t.state.offered, tuple(t.state.hand[-2:])))
    one, other = t.state.hand[-2:]
    for pair in ((), (one,), (one, one), (one, other, other), (one, other, t.state.hand[0])):
        assert not t.state.is_legal(Action(PON, t.state.offered, pair))


def test_three_of_a_kind_make_a_kan(table):
    t = asked(table, "555z1199m199s122z", 3, "5z")
    assert t.kinds(KAN) == [Action(KAN, t.state.offered)]


def test_calls_end_with_the_wall(table):
    t = table("45m55z1199p1199s1z", seat=2).run_down(1)
    t.draw(1).discard(1, "5z")
    assert t.state.wall_left == 0
    assert t.state.legal_actions() == ()
    with pytest.raises(StateError, match="wall is empty"):
        t.pon(2, "55z")


def test_nobody_calls_in_riichi(table):
    t = table("123456789m1122z", seat=1).turn(0, "9p").draw(1, "9s").riichi(1, "9s")
    t.turn(2, "9p").turn(3, "9p").turn(0, "1z")
    assert t.kinds(ActionKind.PON) == []
    assert t.can(ActionKind.RON)
    with pytest.raises(StateError, match="cannot call"):
        t.state.apply(Call(1, t.meld(MeldKind.PON, 1, "11z")))


def test_a_riichi_tile_is_called_only_after_it_is_accepted(table):
    t = table("159m159p159s1155z", seat=2).draw(0).riichi(0, "5z", accept=False)
    assert t.can(PON)
    with pytest.raises(StateError, match="not accepted"):
        t.state.apply(Call(2, t.meld(MeldKind.PON, 2, "55z")))
    with pytest.raises(StateError, match="not accepted"):
        t.state.apply(Draw(1, None))


def test_a_call_marks_the_river_and_moves_the_turn(table):
    t = asked(table, "159m159p15s55567z", 2, "5z").pon(2, "55z")
    s = t.state
    assert s.rivers[0][0].called_by == 2
    assert s.turn == 2
    assert not s.uninterrupted
    assert s.drawn is None
    assert not t.can(ActionKind.KAKAN)
    t.discard(2, "1m")
    assert s.rivers[2][0].tsumogiri is False
    t.turn(3, "9p")


# -- kuikae --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "called", "meld", "forbidden"),
    [
        ("3456m1199p199s12z", "3m", "45m", {"3m", "6m"}),
        ("3456m1199p199s12z", "6m", "45m", {"3m", "6m"}),
        ("2467m1199p199s12z", "5m", "46m", set()),
        ("2567m1199p199s12z", "5m", "67m", {"5m"}),
        ("1234m1199p199s12z", "1m", "23m", {"1m", "4m"}),
        ("789m61199p199s12z", "9m", "78m", {"9m"}),
        ("1237m1199p199s12z", "3m", "12m", {"3m"}),
        ("5606m199p1199s12z", "4m", "56m", {"4m"}),
        ("23405m199p199s12z", "5m", "34m", {"0m", "5m", "2m"}),
        ("6789s1199p199m12z", "9s", "78s", {"9s", "6s"}),
    ],
)
def test_kuikae_of_chi(table, hand, called, meld, forbidden):
    t = asked(table, hand, 1, called)
    held = {format_tiles([tile]) for tile in t.state.hand}
    t.chi(1, meld)
    for tile in t.discards():
        assert tile not in forbidden
    left = {format_tiles([tile]) for tile in t.state.hand}
    assert t.discards() == left - forbidden
    assert forbidden & held or not forbidden & left


def test_kuikae_of_pon(table):
    t = asked(table, "159m159p15s55567z", 2, "5z").pon(2, "55z")
    assert "5z" not in t.discards()
    assert "6z" in t.discards()


def test_kuikae_ends_with_the_discard(table):
    t = asked(table, "3456m1199p199s12z", 1, "3m").chi(1, "45m").discard(1, "1z")
    t.turn(2, "9m").turn(3, "9m").turn(0, "9m").draw(1, "1s")
    assert "6m" in t.discards()
    assert "3m" in t.discards()


def test_a_chi_that_would_leave_nothing_to_discard_is_not_offered(table):
    t = table("3456m112233p123z", seat=1)
    for text, pair, spare in (("1p", "11p", "1z"), ("2p", "22p", "2z"), ("3p", "33p", "3z")):
        t.turn((t.state.turn + 1) % 4 if t.state.rivers[0] else 0, text).pon(1, pair).discard(1, spare)
    t.others("7s", "7s", "3m")  # 45m would leave 3m, the kind called, and 6m, the other end
    assert own(t, CHI) == []
    t.turn(1, "1m").others("9m", "8m", "7m")  # 56m leaves 3m and 4m, the other end
    assert own(t, CHI) == ["56m"]


def test_the_servers_leave_to_swap_is_taken_in(table):
    t = asked(table, "3456m1199p199s12z", 1, "3m").chi(1, "45m")
    six = t.held("6m")
    assert not t.state.is_legal(Action(ActionKind.DISCARD, six))
    t.apply(Discard(1, six, False))
    assert t.state.kuikae == 0


# -- kans ----------------------------------------------------------------------------------------------------------


def test_closed_and_added_kans_on_the_own_turn(table):
    t = table("1111m55z199p199s6z", seat=1).turn(0, "5z").pon(1, "55z")
    assert not t.can(ActionKind.ANKAN)
    t.discard(1, "6z").turn(2, "2s").turn(3, "2s").turn(0, "2s").draw(1, "5z")
    assert t.kinds(ActionKind.ANKAN) == [Action(ActionKind.ANKAN, 0)]
    assert t.state.is_legal(Action(ActionKind.ANKAN, 2))
    assert t.kinds(ActionKind.KAKAN) == [Action(ActionKind.KAKAN, t.state.drawn)]
    t.kakan(1, "5z")
    s = t.state
    assert s.pending_dora == 1
    assert s.offered == 127
    t.draw(1, "9m")
    assert s.rinshan
    t.dora("1s")
    assert s.dora_indicators[1] >> 2 == 18
    assert t.can(ActionKind.ANKAN)
    t.ankan(1, "1111m").dora("2p").draw(1, "8m").discard(1, "9m")
    assert s.kans == [0, 2, 0, 0]
    assert not s.rinshan
    assert s.wall_left == 70 - 5 - 2


def test_anothers_kans(table):
    t = table("159m159p159s1234z")
    t.turn(0, "9m").draw(1).ankan(1, "7777z").dora("1m").draw(1).discard(1, "8m")
    t.turn(2, "6z").pon(3, "66z").discard(3, "8m").turn(0, "2m").turn(1, "2m").turn(2, "2m").draw(3).kakan(3, "6z")
    s = t.state
    assert s.legal_actions() == ()
    assert s.visible[32] == 4
    assert s.visible[33] == 4
    t.draw(3).dora("2m")
    with pytest.raises(StateError, match="has its indicator"):
        t.dora("9m")


def test_no_kan_once_the_wall_is_empty(table):
    assert table("1111m2222m333m55z", seat=0).run_down(2).draw(0, "7z").can(ActionKind.ANKAN)
    t = table("1111m2222m333m55z", seat=1).run_down(1).draw(1, "7z")
    assert t.state.wall_left == 0
    assert not t.can(ActionKind.ANKAN)
    with pytest.raises(StateError, match="wall is empty"):
        t.ankan(1, "1111m")


def test_four_kans_are_the_limit(table):
    t = table("1111m2222m33334m", seat=0)
    t.draw(0, "5z")
    for text, indicator, drawn in (("1111m", "1s", "7z"), ("2222m", "2s", "4m"), ("3333m", "3s", "4m")):
        t.ankan(0, text).dora(indicator).draw(0, drawn)
    t.discard(0, "7z").turn(1, "4m")
    assert t.can(KAN)
    t.daiminkan(0, "444m").draw(0, "6z").dora("4s")
    assert t.state.kans == [4, 0, 0, 0]
    t.discard(0, "6z")
    t.draw(1).discard(1, "8s")  # one player's four kans end nothing
    t.draw(2)
    with pytest.raises(StateError, match="four kans have been made"):
        t.ankan(2, "6666m")


def test_a_kakan_needs_its_pon(table):
    t = table("159m159p15s55567z", seat=2).turn(0, "5z").pon(2, "55z").discard(2, "1m")
    t.turn(3, "9m").turn(0, "9m").turn(1, "9m").draw(2, "9p")
    with pytest.raises(StateError, match="no pon to add it to"):
        t.apply(Call(2, Meld(MeldKind.KAKAN, (128, 129, 130, 131), 128, 0, 131)))


def test_discards_are_numbered_as_they_fell_across_a_call(table):
    deal = table("1599m1478p258s36z")
    deal.turn(0, "9s")
    deal.draw(1)
    deal.discard(1, "7z")
    deal.pon(3, "77z")
    deal.discard(3, "2m", tsumogiri=False)
    deal.turn(0, "9s")
    seen = deal.state.as_table()[0]
    fell = sorted((seen.river_orders[seat, at], seat) for seat in range(4) for at in range(seen.lengths[seat]))
    assert fell == [(0, 0), (1, 1), (2, 3), (3, 0)]
    assert seen.meld_orders[3, 0] == 1
