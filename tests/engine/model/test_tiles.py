from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import tiles
from engine.model.tiles import TileError, allocate136, format_tiles, format_tiles37, parse_tiles37
from tests.samples import parse_tile37


def test_the_three_encodings_agree():
    assert [tiles.TILE34[t] for t in (0, 3, 4, 16, 135)] == [0, 0, 1, 4, 33]
    assert [tiles.TILE37[t] for t in (16, 17, 52, 88, 89)] == [34, 4, 35, 36, 22]
    assert tiles.tile37_of(16, red_fives=False) == 4
    assert [tiles.PLAIN37[tiles.TILE37[t]] for t in range(136)] == list(tiles.TILE34)


@pytest.mark.parametrize(
    ("indicator", "dora"), [("1m", "2m"), ("9p", "1p"), ("9s", "1s"), ("4z", "1z"), ("1z", "2z"), ("7z", "5z")]
)
def test_dora_follows_its_indicator(indicator, dora):
    assert tiles.DORA_AFTER[parse_tile37(indicator)] == parse_tile37(dora)


def test_text_as_players_write_it():
    assert parse_tiles37("123m406p77z") == (0, 1, 2, 12, 35, 14, 33, 33)
    assert format_tiles37(parse_tiles37("77z64p0p321m")) == "123m406p77z"
    assert format_tiles((52, 53, 16)) == "0m05p"
    assert format_tiles((52, 53, 16), red_fives=False) == "5m55p"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("12x", "'x' at position 3 is not a tile"),
        ("m", "suit 'm' at position 1 has no digits"),
        ("123", "digits at position 1 have no suit"),
        ("18z", "8z at position 2 is not a tile"),
        ("0z", "0z at position 1 is not a tile"),
        ("11111m", "5 tiles of 1m; there are four"),
        ("00m", "2 red 5m; there is one"),
        ("55550m", "5 tiles of 5m; there are four"),
        ("\uff11m", "is not a tile"),
    ],
)
def test_text_that_is_no_hand(text, complaint):
    with pytest.raises(TileError) as caught:
        parse_tiles37(text)
    assert complaint in str(caught.value)
    assert repr(text) in str(caught.value)


def test_dora_are_counted_by_their_indicators():
    east, five_of_man = 27, 4
    dora = tiles.dora34([4 * 30, 4 * 30 + 1, 4 * 3])  # north twice, 4m
    assert (dora[east], dora[five_of_man], sum(dora)) == (2, 1, 3)
    held = (16, 17, 52, 4 * east)  # 0m, 5m, 0p, east
    assert tiles.dora_among(held, dora, red_fives=True) == 6
    assert tiles.dora_among(held, dora, red_fives=False) == 4


@given(st.sets(st.integers(0, 135)), st.booleans())
def test_text_and_allocation_round_trip(hand, red_fives):
    text = format_tiles(hand, red_fives)
    kinds = parse_tiles37(text)
    again = allocate136(kinds, red_fives=red_fives)
    assert len(set(again)) == len(hand)
    assert format_tiles(again, red_fives) == text


def test_allocation_keeps_red_fives_apart_and_runs_out():
    assert allocate136((4, 34, 4, 4)) == (17, 16, 18, 19)
    assert allocate136((4, 4), red_fives=False) == (16, 17)
    assert allocate136((4,), taken=(17,)) == (18,)
    for wanted, taken, red_fives, said in (
        ((4, 4, 4, 4), (), True, "no 5m is left: its three plain copies are in use; the fourth is the red five"),
        (
            (34,),
            (16,),
            True,
            "no 0m is left: the one red five is in use; the fives that are left are plain",
        ),
        ((34,), (16, 17, 18, 19), True, "no 0m is left: all four copies are in use"),
        ((4,), (16, 17, 18, 19), True, "no 5m is left: all four copies are in use"),
        ((4,) * 5, (), False, "no 5m is left: all four copies are in use"),
        ((33,) * 5, (), True, "no 7z is left: all four copies are in use"),
    ):
        with pytest.raises(TileError, match=said):
            allocate136(wanted, taken, red_fives)
