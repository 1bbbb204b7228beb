"""A hand that reads in several ways counts by the one worth most."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("hand", "tile", "melds", "more", "expected", "fu"),
    [
        # two equal pairs of runs beat seven pairs
        ("112233m77899s88p", "8s", (), {}, "ryanpeikou 3", 40),
        # three triplets or three runs
        ("111222333m78s44p", "9s", (), {}, "sanankou 2", 50),
        ("111222333m78p44z", "9p", (), {}, "pinfu 1, iipeikou 1, chanta 2", 30),
        # 1123m and 1m: the pair wait would be 2 fu, the two-sided one is pinfu
        ("1123m456p234s789s", "4m", (), {}, "pinfu 1", 30),
        # two equal runs, the tile at their end
        ("44556m234p23488s", "6m", (), {}, "pinfu 1, iipeikou 1, tanyao 1", 30),
    ],
)
def test_best(win, names, hand, tile, melds, more, expected, fu):
    score = win(hand, tile, *melds, **more)
    assert names(score) == expected
    assert (score and score.fu) == fu
