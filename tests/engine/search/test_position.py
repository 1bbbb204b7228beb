"""Positions: what they hold, what calls change in them, and that they agree with the table's state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.actions import ActionKind
from engine.model.bounds import HONBA, SCORE, STICKS
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, parse_tiles37
from engine.search.position import Position, PositionError, Sketch


def tiles(text):
    return allocate136(parse_tiles37(text))


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
    assert spot.counts == tuple(game.state.counts)
    assert spot.to_discard
    assert spot.river_mask == 1 << 27
    assert spot.unseen[27] == 2  # one in hand, one discarded
    assert spot.red_unseen == (True, True, True)
    assert (spot.seat_wind, spot.round_wind, spot.first_turn) == (27, 27, False)


def test_an_offer_from_the_state_and_the_call_of_it(table):
    game = table("23m4456p112367s1z", seat=1).turn(0, "1m")
    spot = Position.from_state(game.state)
    assert (spot.offered >> 2, spot.offered_by, spot.before_draw) == (0, 3, 0)
    after = spot.after_call(ActionKind.CHI, [tile for tile in spot.concealed if tile >> 2 in {1, 2}])
    game.chi(1, "23m")
    from_state = Position.from_state(game.state)
    assert after.concealed == from_state.concealed
    assert after.kuikae == from_state.kuikae
    assert after.unseen == from_state.unseen
    assert after.draws_left == from_state.draws_left


def test_calls_and_kans_change_hand_and_wall():
    spot = Sketch(tiles("1111m456p1123567s"), turn=5).position()
    after = spot.after_call(ActionKind.ANKAN, spot.concealed[:4])
    assert after.wall_left == spot.wall_left - 1
    assert after.melds[0].kind is MeldKind.ANKAN
    assert after.closed
    assert len(after.concealed) == 10


def test_shanten_is_that_of_the_hand_before_the_offer():
    assert Sketch(tiles("123m456p1123567s1z")).position().shanten == 0
    assert Sketch(tiles("123m456p112367s1z"), offered=131, offered_by=1).position().shanten == 1
    assert Sketch(tiles("123m456p11234567s")).position().shanten == -1


SPOT = Sketch(tiles("123m456p1123567s1z"), turn=5).position()
FAR = (10**7, 2**31, 2**63, 10**400, -(10**400))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("honba", value) for value in (-1, HONBA.high + 1, *FAR)),
        *(("riichi_sticks", value) for value in (-1, STICKS.high + 1, *FAR)),
        *(("riichi_against", value) for value in (-1, 4, *FAR)),
        *(("riichi", value) for value in (-1, 3, *FAR)),
        *(("points", value) for value in (SCORE.low - 1, SCORE.high + 1, *FAR)),
        *(("wall_left", value) for value in (-1, 70, *FAR)),
        *(("river_mask", value) for value in (-1, 1 << 34, *FAR[2:])),
        *(("kuikae", value) for value in (-1, 1 << 34, *FAR[2:])),
        *(("seat_wind", value) for value in (26, 31, *FAR)),
        *(("round_wind", value) for value in (26, 31, *FAR)),
        *(("offered", value) for value in (-2, 136, *FAR)),
        *(("offered_by", value) for value in (-1, 4, *FAR)),
        *(("drawn", value) for value in (-2, 136, 135, *FAR)),
        *(("dora_indicators", (value,)) for value in (-1, 136, *FAR)),
        ("dora_indicators", (0, 4, 8, 12, 16, 20)),
        ("unseen", (4,) * 33),
        ("unseen", (0,) * 34),
        ("unseen", (*SPOT.unseen[:33], 5)),
        ("unseen", (*SPOT.unseen[:33], -1)),
    ],
)
def test_a_number_that_no_position_has_is_refused(field, value):
    with pytest.raises(PositionError):
        replace(SPOT, **{field: value})


@pytest.mark.parametrize("tile", [-1, 136, 200, 10**400])
def test_a_tile_that_does_not_exist_is_refused(tile):
    with pytest.raises(PositionError, match="it is a whole number from 0 to 135"):
        replace(SPOT, concealed=(*SPOT.concealed[:-1], tile))
    with pytest.raises(PositionError, match="meld"):
        replace(SPOT, concealed=SPOT.concealed[:11], melds=(Meld(MeldKind.PON, (132, 133, tile), 132, 1),))
