"""An account's record as HELO states it."""

from __future__ import annotations

import pytest

from protocol.tenhou.server import parse_standing

PF4 = "10,400,1523.50,101.5,5,6,7,8,1,200,50,30,60,40"


def test_a_standing_says_dan_points_rate_and_placements():
    standing = parse_standing(PF4)
    assert (standing.dan, standing.points, standing.rate, standing.total) == (10, 400, 1523.5, 101.5)
    assert standing.placements == (5, 6, 7, 8)
    assert standing.games == 26


@pytest.mark.parametrize("text", [None, "", "1,2,3", "a" + PF4, PF4.replace(",5,", ",x,")])
def test_text_that_makes_no_sense_is_no_record(text):
    assert parse_standing(text) is None


@pytest.mark.parametrize(
    ("counts", "placement"), [("6,6,7,8", 1), ("5,6,7,9", 4), ("5,6,7,8", None), ("6,7,7,8", None), ("5,5,8,8", None)]
)
def test_the_placement_of_one_game_follows_from_two_records(counts, placement):
    after = parse_standing(PF4.replace("5,6,7,8", counts))
    assert after.placement_since(parse_standing(PF4)) == placement
