from __future__ import annotations

import pytest

from engine.model.seats import (
    SEATS,
    absolute,
    by_score,
    dealer_of,
    four,
    kyoku_name,
    next_seat,
    others,
    relative,
    round_wind34,
    seat_wind34,
    turn_order,
)
from engine.model.tiles import EAST, NORTH, SOUTH, WEST


@pytest.mark.parametrize("viewer", SEATS)
def test_relative_and_absolute_are_inverse(viewer):
    assert [absolute(relative(seat, viewer), viewer) for seat in SEATS] == list(SEATS)
    assert relative(viewer, viewer) == 0
    assert relative((viewer + 1) % 4, viewer) == 1


@pytest.mark.parametrize("seat", SEATS)
def test_the_seats_around_one(seat):
    assert [relative(other, seat) for other in turn_order(seat)] == [0, 1, 2, 3]
    assert turn_order(seat)[1] == next_seat(seat)
    assert others(seat) == tuple(sorted(turn_order(seat)[1:]))


def test_places_by_score():
    assert by_score((20_000, 40_000, 30_000, 10_000)) == (1, 2, 0, 3)
    assert by_score((25_000, 30_000, 25_000, 20_000)) == (1, 0, 2, 3)  # of equal scores the earlier seat


def test_values_by_seat_are_four():
    assert four(iter("ESWN")) == ("E", "S", "W", "N")
    with pytest.raises(ValueError, match="values to unpack"):
        four([1, 2, 3])


def test_dealers():
    assert [dealer_of(kyoku) for kyoku in (0, 3, 4, 11)] == [0, 3, 0, 3]


def test_winds():
    assert [seat_wind34(seat, 2) for seat in SEATS] == [WEST, NORTH, EAST, SOUTH]
    assert [round_wind34(kyoku) for kyoku in (0, 3, 4, 7, 8, 12)] == [EAST, EAST, SOUTH, SOUTH, WEST, NORTH]


def test_names_of_hands():
    assert kyoku_name(0) == "E1"
    assert kyoku_name(6, 2) == "S3-2"
    assert kyoku_name(8) == "W1"
