"""Points by han and fu, limits, and rounding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.rules import HANCHAN
from engine.scoring.wins import base_and_limit, total_points


@pytest.mark.parametrize(
    ("han", "fu", "limit", "ron", "dealer_ron", "tsumo", "dealer_tsumo"),
    [
        (1, 30, 0, 1000, 1500, 1100, 1500),
        (1, 40, 0, 1300, 2000, 1500, 2100),
        (1, 110, 0, 3600, 5300, 3600, 5400),
        (2, 20, 0, 1300, 2000, 1500, 2100),
        (2, 25, 0, 1600, 2400, 1600, 2400),
        (2, 30, 0, 2000, 2900, 2000, 3000),
        (3, 25, 0, 3200, 4800, 3200, 4800),
        (3, 30, 0, 3900, 5800, 4000, 6000),
        (3, 60, 0, 7700, 11600, 7900, 11700),  # not rounded up to mangan
        (3, 70, 1, 8000, 12000, 8000, 12000),
        (4, 20, 0, 5200, 7700, 5200, 7800),
        (4, 25, 0, 6400, 9600, 6400, 9600),
        (4, 30, 0, 7700, 11600, 7900, 11700),
        (4, 40, 1, 8000, 12000, 8000, 12000),
        (5, 20, 1, 8000, 12000, 8000, 12000),
        (6, 30, 2, 12000, 18000, 12000, 18000),
        (7, 30, 2, 12000, 18000, 12000, 18000),
        (8, 30, 3, 16000, 24000, 16000, 24000),
        (10, 30, 3, 16000, 24000, 16000, 24000),
        (11, 30, 4, 24000, 36000, 24000, 36000),
        (12, 30, 4, 24000, 36000, 24000, 36000),
        (13, 30, 5, 32000, 48000, 32000, 48000),
        (26, 30, 5, 32000, 48000, 32000, 48000),
    ],
)
def test_table(han, fu, limit, ron, dealer_ron, tsumo, dealer_tsumo):
    base, found = base_and_limit(han, fu)
    assert found == limit
    paid = [total_points(base, dealer, drawn) for drawn in (False, True) for dealer in (False, True)]
    assert paid == [ron, dealer_ron, tsumo, dealer_tsumo]


def test_thirteen_han_keep_their_list_of_yaku(win, names):
    """As in the recordings: limit 5, the yaku listed, none of them a yakuman."""
    score = win("123m456p23488s78s", "9s", riichi=1, dora="777s", ura="6s")
    assert names(score) == "riichi 1, pinfu 1, dora 9, ura_dora 1"
    assert (score.han, score.limit, score.points) == (12, 4, 24000)
    score = win("123m456p23488s78s", "9s", riichi=2, dora="777s", ura="6s")
    assert names(score) == "double_riichi 2, pinfu 1, dora 9, ura_dora 1"
    assert (score.han, score.limit, score.points, score.yakuman) == (13, 5, 32000, ())


@pytest.mark.parametrize(
    ("seat", "tsumo", "plain", "chips"),
    [
        ("2z", True, 7900, 8000),
        ("1z", True, 11700, 12000),
        ("2z", False, 7700, 8000),
        ("1z", False, 11600, 12000),
    ],
)
def test_chip_tables_round_up_to_mangan(win, seat, tsumo, plain, chips):
    """4 han 30 fu; Tenhou writes no limit there either."""
    for rules, points in ((HANCHAN, plain), (replace(HANCHAN, kiriage=True), chips)):
        score = win("456p23488s67s", "5s", "chi 234m", seat=seat, tsumo=tsumo, dora="7s3m", rules=rules)
        assert (score.han, score.fu, score.limit, score.points) == (4, 30, 0, points)
