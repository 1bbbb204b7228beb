"""Fu, by the parts that make them."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("hand", "tile", "melds", "more", "fu"),
    [
        # pinfu: 30 by ron, 20 by self-draw; a pinfu shape that is open counts 30
        ("123m456p23488s78s", "9s", (), {}, 30),
        ("123m456p23488s78s", "9s", (), {"tsumo": True}, 20),
        ("456p23488s67s", "5s", ("chi 234m",), {}, 30),
        ("456p23488s67s", "5s", ("chi 234m",), {"tsumo": True}, 30),  # 22
        # seven pairs
        ("1133m5577p2299s1z", "1z", (), {}, 25),
        ("1133m5577p2299s1z", "1z", (), {"tsumo": True}, 25),
        # waits and self-draw: 20 + 10 or 2 + 2
        ("123m456p23488s79s", "8s", (), {"riichi": 1}, 40),  # 32
        ("123m456p23488s79s", "8s", (), {"tsumo": True}, 30),  # 24
        ("123m456p234789s8s", "8s", (), {"riichi": 1}, 40),
        # value pairs: 2, and 4 for a wind of both seat and round
        ("123m456p789s55z78m", "9m", (), {"riichi": 1}, 40),
        ("123m456p789s33z78m", "9m", (), {"riichi": 1}, 30),
        # triplets: 2 open, 4 closed, doubled for ends and honours
        ("456p22s67s", "5s", ("pon 222m", "pon 333m"), {}, 30),  # 24
        ("111z22m67s", "5s", ("pon 111m", "pon 999p"), {}, 40),  # 20 + 8 + 4 + 4
        ("11z44m567s", "1z", ("pon 111m", "pon 999p"), {}, 40),  # 20 + 4 + 4 + 4: by another's tile, open
        ("11z44m567s", "1z", ("pon 111m", "pon 999p"), {"tsumo": True}, 40),  # 20 + 8 + 8 + 2
        # kans: 8 open, 16 closed, doubled for ends and honours
        ("456p22s67s", "5s", ("daiminkan 2222m", "pon 333m"), {}, 30),  # 30
        ("456p22s67s", "5s", ("kakan 2222m", "kakan 3333m"), {}, 40),  # 36
        ("111z22m67s", "5s", ("ankan 9999m", "chi 123p"), {}, 60),  # 20 + 8 + 32
        ("22m67s", "5s", ("ankan 9999m", "ankan 1111z", "chi 123p"), {}, 90),  # 20 + 32 + 32
        ("22m67s", "5s", ("ankan 9999m", "ankan 1111z", "ankan 1111p"), {}, 130),  # 20 + 96 + 10
    ],
)
def test_fu(win, hand, tile, melds, more, fu):
    score = win(hand, tile, *melds, **more)
    assert (score and score.fu) == fu


@pytest.mark.parametrize(
    ("seat", "round_", "fu"),
    [("3z", "4z", 30), ("1z", "4z", 40), ("3z", "1z", 40), ("1z", "1z", 40)],
)
def test_pair_of_east(win, seat, round_, fu):
    assert win("123m456p789s11z78m", "9m", seat=seat, round_=round_, riichi=1).fu == fu


@pytest.mark.parametrize(("seat", "fu"), [("3z", 30), ("4z", 30), ("1z", 40)])
def test_a_pair_of_both_winds_counts_four(win, seat, fu):
    """20 + 4 for 999m + 4 for 222p = 28: a pair of the round's wind makes 30, one of both winds 32."""
    assert win("222p11z78s", "9s", "pon 999m", "chi 123m", seat=seat, chankan=True).fu == fu
