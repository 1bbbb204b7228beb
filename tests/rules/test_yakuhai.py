"""Dragons and winds, and the order in which Tenhou lists them."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("hand", "tile", "melds", "more", "expected"),
    [
        ("55z123m456p789s44z", "5z", (), {}, "haku 1"),
        ("66z123m456p789s44z", "6z", (), {}, "hatsu 1"),
        ("77z123m456p789s44z", "7z", (), {}, "chun 1"),
        ("11z123m456p789s44z", "1z", (), {}, "round_east 1"),
        ("22z123m456p789s44z", "2z", (), {}, "seat_south 1"),
        ("33z123m456p789s44z", "3z", (), {}, None),
        ("11z123m456p789s44z", "1z", (), {"seat": "1z"}, "round_east 1, seat_east 1"),
        ("22z123m456p789s44z", "2z", (), {"round_": "2z"}, "round_south 1, seat_south 1"),
        ("33z123m456p789s44z", "3z", (), {"round_": "3z", "seat": "4z"}, "round_west 1"),
        ("33z123m456p789s44z", "3z", (), {"seat": "3z"}, "seat_west 1"),
        ("44z123m456p789s33z", "4z", (), {"round_": "3z", "seat": "4z"}, "seat_north 1"),
        ("44z123m456p789s33z", "4z", (), {"round_": "4z"}, "round_north 1"),
        # concealed sets by kind, then melds from the oldest
        ("22777z456p78s", "9s", ("pon 555z",), {}, "chun 1, haku 1"),
        ("22z456p78s", "9s", ("pon 777z", "pon 555z"), {}, "chun 1, haku 1"),
        ("44z456p78s", "9s", ("pon 222z", "pon 111z"), {}, "seat_south 1, round_east 1"),
        ("44z111z78s", "9s", ("pon 666z", "pon 222z"), {}, "round_east 1, hatsu 1, seat_south 1, chanta 1, honitsu 2"),
        ("444z111z77s88p", "8p", ("pon 666z",), {"seat": "4z"}, "toitoi 2, round_east 1, seat_north 1, hatsu 1"),
    ],
)
def test_yakuhai(win, names, hand, tile, melds, more, expected):
    assert names(win(hand, tile, *melds, **more)) == expected
