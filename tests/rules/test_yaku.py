"""Each yaku: a hand that has it, closed and open, and one that nearly has it. Lists are in Tenhou's order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.rules import HANCHAN

RIICHI = {"riichi": 1}
TSUMO = {"tsumo": True}


@pytest.mark.parametrize(
    ("hand", "tile", "melds", "more", "expected"),
    [
        # circumstances
        ("123m456p789s22z11m", "1m", (), RIICHI, "riichi 1, ura_dora 0"),
        ("123m456p789s22z11m", "1m", (), {"riichi": 2}, "double_riichi 2, ura_dora 0"),
        ("123m456p789s22z11m", "1m", (), {**RIICHI, "ippatsu": True}, "riichi 1, ippatsu 1, ura_dora 0"),
        ("123m456p789s22z11m", "1m", (), TSUMO, "tsumo 1"),
        ("456p789s22z11m", "1m", ("chi 123m",), TSUMO, None),
        ("456p789s22z11m", "1m", ("chi 123m",), {"chankan": True}, "chankan 1"),
        ("456p789s22z11m", "1m", ("chi 123m",), {**TSUMO, "rinshan": True}, "rinshan 1"),
        ("456p789s22z11m", "1m", ("chi 123m",), {**TSUMO, "last_tile": True}, "haitei 1"),
        ("456p789s22z11m", "1m", ("chi 123m",), {"last_tile": True}, "houtei 1"),
        ("123m456p789s22z11m", "1m", (), {}, None),
        # pinfu: four runs, two-sided wait, pair without value
        ("123m456p78999s44z", "9s", (), {}, None),
        ("123m456p78s999m33z", "6s", (), {}, None),
        ("123m456p23488s78s", "9s", (), {}, "pinfu 1"),
        ("123m456p23488s78s", "6s", (), {}, "pinfu 1"),
        ("123m456p234s11z78s", "9s", (), {}, None),  # round wind
        ("123m456p234s22z78s", "9s", (), {}, None),  # seat wind
        ("123m456p234s55z78s", "9s", (), {}, None),  # dragon
        ("123m456p23488s79s", "8s", (), {}, None),  # inside wait
        ("123m456p23488s89s", "7s", (), {}, None),  # edge wait
        ("123m456p234789s8s", "8s", (), {}, None),  # pair wait
        # tanyao
        ("234m456p23488s67s", "5s", (), {}, "pinfu 1, tanyao 1"),
        ("456p23488s67s", "5s", ("chi 234m",), {}, "tanyao 1"),
        ("456p23488s67s", "5s", ("chi 234m",), {"rules": replace(HANCHAN, open_tanyao=False)}, None),
        ("456p23488s78s", "9s", ("chi 234m",), {}, None),
        # equal runs
        ("112233m456p88s79s", "8s", (), {}, "iipeikou 1"),
        ("456p88s79s", "8s", ("chi 123m", "chi 123m"), {}, None),
        ("112233m77899s88p", "8s", (), {}, "ryanpeikou 3"),
        ("11112222333m44p", "3m", (), {}, "ryanpeikou 3"),
        ("111222333m78s44p", "9s", (), {}, "sanankou 2"),
        ("111222333m78p44z", "9p", (), {}, "pinfu 1, iipeikou 1, chanta 2"),
        # three colours
        ("234m234p24s99s678m", "3s", (), {}, "sanshoku_doujun 2"),
        ("234p24s99s678m", "3s", ("chi 234m",), {}, "sanshoku_doujun 1"),
        ("222m222p22s55z678m", "2s", (), {}, "sanshoku_doukou 2"),
        ("222p22s44z678m", "2s", ("pon 222m",), {}, "sanshoku_doukou 2"),
        # one to nine
        ("123456m79m33z234s", "8m", (), {}, "ittsuu 2"),
        ("456m79m33z234s", "8m", ("chi 123m",), {}, "ittsuu 1"),
        # ends in every set
        ("123m789p79s11z111s", "8s", (), {"round_": "2z", "seat": "3z"}, "chanta 2"),
        ("789p79s33z111s", "8s", ("chi 123m",), {}, "chanta 1"),
        ("123m789p79s99p111s", "8s", (), {}, "junchan 3"),
        ("789p79s99p111s", "8s", ("chi 123m",), {}, "junchan 2"),
        ("456m789p79s99p111s", "8s", (), {}, None),
        # triplets
        ("11m99p", "1m", ("pon 222s", "pon 333m", "pon 777p"), {}, "toitoi 2"),
        ("111m999p222s33p78m", "9m", (), {}, "sanankou 2"),
        ("111m999p22s33p789m", "2s", (), {}, None),  # the third by another's tile
        ("111m999p22s33p789m", "2s", (), TSUMO, "tsumo 1, sanankou 2"),
        ("33p78m", "9m", ("ankan 1111m", "ankan 9999p", "ankan 2222s"), {}, "sankantsu 2, sanankou 2"),
        ("33p78m", "9m", ("kakan 1111m", "daiminkan 9999p", "ankan 2222s"), {}, "sankantsu 2"),
        ("55566z678m11p", "1p", ("pon 777z",), {}, "shousangen 2, haku 1, chun 1"),
        ("11m33z", "1m", ("pon 111p", "pon 999s", "pon 444z"), {}, "toitoi 2, honroutou 2"),
        ("1111m2233p4455s6z", "6z", (), {}, None),  # four of a kind are no two pairs
        # one suit
        ("123456m778m333z8m", "8m", (), {}, "honitsu 3"),
        ("234m78m33444z", "9m", ("chi 123m",), {}, "honitsu 2"),
        ("234555m78m22m", "9m", ("pon 888m",), {}, "chinitsu 5"),
        # seven pairs
        ("1133m5577p2299s1z", "1z", (), {}, "chiitoitsu 2"),
        ("2233m5577p2288s6p", "6p", (), {}, "chiitoitsu 2, tanyao 1"),
        ("1199m1199p1199s1z", "1z", (), {}, "chiitoitsu 2, honroutou 2"),
    ],
)
def test_yaku(win, names, hand, tile, melds, more, expected):
    assert names(win(hand, tile, *melds, **more)) == expected
