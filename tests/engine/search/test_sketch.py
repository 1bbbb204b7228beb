"""Positions from a few facts: what they count, and what they refuse."""

from __future__ import annotations

import pytest

from engine.model.tiles import allocate136, parse_tiles37
from engine.search.position import PositionError, Sketch


def tiles(text):
    return allocate136(parse_tiles37(text))


def test_counting_draws_left_at_a_discard():
    first = Sketch(tiles("123m456p1123567s1z"), turn=1).position()
    assert (first.wall_left, first.draws_left, first.tail) == (69, 17, 1)
    last = Sketch(tiles("123m456p1123567s1z"), turn=18).position()
    assert (last.wall_left, last.draws_left, last.tail) == (1, 0, 1)
    north = Sketch(tiles("123m456p1123567s1z"), turn=17, dealer_distance=3).position()
    assert (north.wall_left, north.draws_left, north.tail) == (2, 0, 2)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Sketch(tiles("123m")).position(), "3 concealed tiles"),
        (lambda: Sketch(tiles("123m456p1123567s1z"), turn=19).position(), "turn 19"),
        (lambda: Sketch(tiles("123m456p1123567s1z"), visible=tiles("1m")).position(), "used twice"),
        (
            lambda: Sketch(tiles("123m456p1123567s1z"), offered=135, offered_by=1).position(),
            "a tile is offered while the hand has one to discard",
        ),
    ],
)
def test_impossible_values_are_refused(build, message):
    with pytest.raises(PositionError, match=message):
        build()


def test_a_tile_that_is_seen_is_counted_once():
    spot = Sketch(tiles("123m456p1123567s1z"), own_river=(135,), visible=(131, 130)).position()
    assert spot.unseen[33] == 3
    assert spot.unseen[32] == 2
    assert spot.unseen[0] == 3
    assert spot.river_mask == 1 << 33
