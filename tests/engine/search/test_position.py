"""Positions: what they hold, what they refuse, and that they agree with the table's state."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.melds import MeldKind, kuikae_mask
from engine.model.tiles import allocate136, parse_tile37, parse_tiles37
from engine.search.position import Position, PositionError
from engine.search.sketch import Sketch


def tiles(text):
    return allocate136(parse_tiles37(text))


def test_counting_draws_left_at_a_discard():
    first = Sketch(tiles("123m456p1123567s1z"), turn=1).position()
    assert (first.wall_left, first.draws_left, first.tail) == (69, 17, 1)
    last = Sketch(tiles("123m456p1123567s1z"), turn=18).position()
    assert (last.wall_left, last.draws_left, last.tail) == (1, 0, 1)
    north = Sketch(tiles("123m456p1123567s1z"), turn=17, dealer_distance=3).position()
    assert (north.wall_left, north.draws_left, north.tail) == (2, 0, 2)


@pytest.mark.parametrize(("by", "before"), [(1, 2), (2, 1), (3, 0)])
def test_counting_draws_left_at_a_call(by, before):
    offered = tiles("2222m")[3]
    spot = Sketch(tiles("123m456p113567s1z"), turn=5, offered=offered, offered_by=by).position()
    assert spot.before_draw == before
    assert spot.draws_left == 13  # 17 - 4 draws after the fourth own discard, and the fifth turn's
    assert spot.unseen[1] == 2


def test_the_state_gives_the_same_position(table):
    game = table("123m456p11236s11z", indicator="9s").turn(0, "5m", "1z").others("9m", "8p", "7z").draw(0, "6z")
    spot = Position.from_state(game.state)
    assert spot.draws_left == game.state.wall_left // 4
    assert spot.counts == list(game.state.counts)
    assert spot.to_discard
    assert spot.river_mask == 1 << 27
    assert spot.unseen[27] == 2  # one in hand, one thrown
    assert spot.red_unseen == (True, True, True)
    assert (spot.seat_wind, spot.round_wind, spot.first_turn) == (27, 27, False)


def test_an_offer_from_the_state_and_the_call_of_it(table):
    game = table("23m4456p112367s1z", seat=1).turn(0, "1m")
    spot = Position.from_state(game.state)
    assert (spot.offered >> 2, spot.offered_by, spot.before_draw) == (0, 3, 0)
    after = spot.after_call(ActionKind.CHI, [tile for tile in spot.concealed if tile >> 2 in {1, 2}])
    game.chi(1, "23m")
    told = Position.from_state(game.state)
    assert after.concealed == told.concealed
    assert after.kuikae == told.kuikae
    assert after.unseen == told.unseen
    assert after.draws_left == told.draws_left


def test_calls_and_kans_change_hand_and_wall():
    spot = Sketch(tiles("1111m456p1123567s"), turn=5).position()
    after = spot.after_call(ActionKind.ANKAN, spot.concealed[:4])
    assert after.wall_left == spot.wall_left - 1
    assert after.melds[0].kind is MeldKind.ANKAN
    assert after.closed
    assert len(after.concealed) == 10


def test_what_may_not_be_thrown_after_a_call():
    def kinds(mask):
        return [kind for kind in range(34) if mask >> kind & 1]

    assert kinds(kuikae_mask(3, [4, 5])) == [3, 6]
    assert kinds(kuikae_mask(6, [4, 5])) == [3, 6]
    assert kinds(kuikae_mask(4, [3, 5])) == [4]
    assert kinds(kuikae_mask(6, [7, 8])) == [6]  # 7 with 89: nothing beyond
    assert kinds(kuikae_mask(2, [0, 1])) == [2]
    assert kinds(kuikae_mask(9, [10, 11])) == [9, 12]
    assert kinds(kuikae_mask(27, [27, 27])) == [27]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Sketch(tiles("123m")).position(), "3 concealed tiles"),
        (lambda: Sketch(tiles("123m456p1123567s1z"), turn=19).position(), "turn 19"),
        (lambda: Sketch(tiles("123m456p1123567s1z"), visible=tiles("1m")).position(), "used twice"),
        (lambda: Sketch(tiles("123m456p1123567s1z"), offered=135, offered_by=1).position(), "on offer"),
    ],
)
def test_what_cannot_be_is_refused(build, message):
    with pytest.raises(PositionError, match=message):
        build()


def test_parsed_tiles_of_one_kind_are_different_copies():
    assert len(set(tiles("1111m"))) == 4
    assert parse_tile37("0p") != parse_tile37("5p")
