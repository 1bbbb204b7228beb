from __future__ import annotations

import pytest

from engine.model.seats import SEATS, absolute, kyoku_name, relative, round_wind34, seat_wind34
from engine.model.tiles import EAST, NORTH, SOUTH, WEST


@pytest.mark.parametrize("viewer", SEATS)
def test_relative_and_absolute_are_inverse(viewer):
    assert [absolute(relative(seat, viewer), viewer) for seat in SEATS] == list(SEATS)
    assert relative(viewer, viewer) == 0
    assert relative((viewer + 1) % 4, viewer) == 1


def test_winds():
    assert [seat_wind34(seat, 2) for seat in SEATS] == [WEST, NORTH, EAST, SOUTH]
    assert [round_wind34(kyoku) for kyoku in (0, 3, 4, 7, 8, 12)] == [EAST, EAST, SOUTH, SOUTH, WEST, NORTH]


def test_names_of_hands():
    assert kyoku_name(0) == "E1"
    assert kyoku_name(6, 2) == "S3-2"
    assert kyoku_name(8) == "W1"
