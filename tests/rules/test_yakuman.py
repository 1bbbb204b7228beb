"""Each yakuman, single and together; the pure forms count once."""

from __future__ import annotations

import pytest

TSUMO = {"tsumo": True}
CHUUREN = "1112345678999m"


@pytest.mark.parametrize(
    ("hand", "tile", "melds", "more", "expected", "points"),
    [
        ("123m456p789s22z11m", "1m", (), {**TSUMO, "first_turn": True, "seat": "1z"}, "tenhou", 48000),
        ("123m456p789s22z11m", "1m", (), {**TSUMO, "first_turn": True}, "chihou", 32000),
        ("1133m5577p2299s1z", "1z", (), {**TSUMO, "first_turn": True}, "chihou", 32000),
        ("55z666z22m678s", "5z", ("pon 777z",), {}, "daisangen", 32000),
        ("111m999p22s333p44z", "2s", (), TSUMO, "suuankou", 32000),
        ("111m999p222s333p4z", "4z", (), {}, "suuankou_tanki", 32000),
        ("111m999p222s333p4z", "4z", (), {"seat": "1z"}, "suuankou_tanki", 48000),
        ("111m4z", "4z", ("ankan 9999p", "ankan 2222s", "ankan 3333p"), {}, "suuankou_tanki", 32000),
        ("1122334455667z", "7z", (), {}, "tsuuiisou", 32000),
        ("55z66z", "5z", ("pon 111z", "pon 222z", "pon 333z"), {}, "tsuuiisou", 32000),
        ("22334466888s66z", "6z", (), {}, "ryuuiisou", 32000),
        ("223344888s6s", "6s", ("pon 666z",), {}, "ryuuiisou", 32000),
        ("11m99p", "1m", ("pon 999m", "pon 111p", "pon 111s"), {}, "chinroutou", 32000),
        (CHUUREN, "5m", (), {}, "pure_chuuren", 32000),
        ("1112345678899m", "9m", (), {}, "chuuren", 32000),
        ("1112345567899m", "9m", (), {}, "chuuren", 32000),
        (CHUUREN, "9m", (), {}, "pure_chuuren", 32000),
        ("19m19p19s1234566z", "7z", (), {}, "kokushi", 32000),
        ("19m19p19s1234567z", "7z", (), {}, "kokushi_thirteen", 32000),
        ("22233344z99m", "9m", ("pon 111z",), {}, "shousuushii", 32000),
        ("22233344z99m", "4z", ("pon 111z",), {}, "daisuushii", 32000),
        ("9m", "9m", ("ankan 1111m", "kakan 2222p", "daiminkan 3333s", "ankan 4444z"), {}, "suukantsu", 32000),
        # together
        ("55z666z22z", "5z", ("pon 777z", "pon 111z"), {}, "daisangen, tsuuiisou", 64000),
        ("22233344z55z", "4z", ("pon 111z",), {}, "daisuushii, tsuuiisou", 64000),
        ("222333444z111z5z", "5z", (), {}, "daisuushii, suuankou_tanki, tsuuiisou", 96000),
        ("22233355z66z444z", "6z", (), TSUMO, "suuankou, tsuuiisou", 64000),
    ],
)
def test_yakuman(win, names, hand, tile, melds, more, expected, points):
    score = win(hand, tile, *melds, **more)
    assert names(score) == expected
    if score:
        assert (score.points, score.limit, score.yaku, score.han) == (points, 5, (), 0)


def test_by_another_tile_the_fourth_triplet_is_open(win, names):
    assert names(win("111m999p22s333p44z", "2s")) == "sanankou 2, toitoi 2"


def test_dora_do_not_count(win, names):
    score = win("19m19p19s1234567z", "7z", dora="9m", riichi=1, ura="9m")
    assert names(score) == "kokushi_thirteen"
    assert score.fu == 0


def test_fu_of_a_yakuman_are_those_of_its_reading(win):
    assert win("111m999p222s333p4z", "4z").fu == 60
    assert win("123m456p23488s78s", "9s", tsumo=True, first_turn=True, seat="1z").fu == 20


def test_no_renhou(win, names):
    """Id 36 exists in Tenhou's table; a ron in the first turn is nothing."""
    assert names(win("123m456p789s22z11m", "1m", first_turn=True)) is None
