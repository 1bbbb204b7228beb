"""Dora, ura dora and red fives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.rules import HANCHAN

PLAIN = "123m456p23488s78s"


@pytest.mark.parametrize(
    ("hand", "tile", "melds", "more", "expected"),
    [
        (PLAIN, "9s", (), {"dora": "7s"}, "pinfu 1, dora 3"),
        (PLAIN, "9s", (), {"dora": "77s"}, "pinfu 1, dora 6"),
        (PLAIN, "9s", (), {"dora": "9m"}, "pinfu 1, dora 1"),
        (PLAIN, "9s", (), {"dora": "9m", "ura": "3p"}, "pinfu 1, dora 1"),  # no riichi, no ura
        (PLAIN, "9s", (), {"riichi": 1, "dora": "9m", "ura": "37p"}, "riichi 1, pinfu 1, dora 1, ura_dora 1"),
        (PLAIN, "9s", (), {"riichi": 1, "ura": "7p"}, "riichi 1, pinfu 1, ura_dora 0"),
        ("123m406p23488s78s", "9s", (), {}, "pinfu 1, red_five 1"),
        (
            "123m406p23488s78s",
            "9s",
            (),
            {"dora": "4p", "riichi": 1},
            "riichi 1, pinfu 1, dora 1, red_five 1, ura_dora 0",
        ),
        ("23488s67s456p", "0s", ("chi 340m",), {}, "tanyao 1, red_five 2"),
        ("23488s67s456p", "5s", ("chi 345m",), {"rules": replace(HANCHAN, red_fives=False)}, "tanyao 1"),
        (
            "22m67s",
            "5s",
            ("ankan 1111z", "ankan 5505p", "chi 234m"),
            {"dora": "44p"},
            "round_east 1, dora 8, red_five 1",
        ),
        ("22z123m456p789s44z", "2z", (), {"dora": "1z"}, "seat_south 1, dora 3"),
        ("44z123m456p789s22z", "2z", (), {"dora": "4z"}, "seat_south 1"),  # after north comes east
        ("55z123m456p789s44z", "5z", (), {"dora": "7z"}, "haku 1, dora 3"),  # after chun comes haku
        ("789s22z11m123m456p", "1m", (), {"dora": "3p"}, None),  # dora are no yaku
    ],
)
def test_dora(win, names, hand, tile, melds, more, expected):
    assert names(win(hand, tile, *melds, **more)) == expected
