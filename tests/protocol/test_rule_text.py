"""The rules that a log states in words are read, whatever stands around them."""

from __future__ import annotations

import json

import pytest

from protocol.logs import tenhou6
from protocol.logs.rule_text import flag, stated_rules, type_of_name, unplayed
from tests.protocol.tenhou6_hands import hand, log

STATED = {
    "四人東 喰断あり 赤なし": {"red_fives": False, "open_tanyao": True},
    "半荘戦・赤ドラ3枚・食いタンなし": {"red_fives": True, "open_tanyao": False},
    "東南戦 クイタンなし 赤無し": {"red_fives": False, "open_tanyao": False},
    "東喰断あり 赤なし": {"red_fives": False, "open_tanyao": True},
    "喰断無赤有": {"red_fives": True, "open_tanyao": False},
    "东风战 无赤 有食断": {"red_fives": False, "open_tanyao": True},
    "hanchan, no aka": {"red_fives": False},
    "4p_nored_east": {"red_fives": False},
    "4p-red-half": {"red_fives": True},
    "East No Red Fives, open tanyao off": {"red_fives": False, "open_tanyao": False},
    "アリアリ": {"open_tanyao": True},
    "ナシナシ 東南": {"open_tanyao": False},
    "[般東喰]": {"red_fives": False, "open_tanyao": True},
    "若銀東喰": {"red_fives": False, "open_tanyao": True},
    "玉の間南喰": {"red_fives": False, "open_tanyao": True},
    "友人戦東赤速": {"red_fives": True, "open_tanyao": False},
    "友人戦 東南 喰 赤なし 切り上げ": {"red_fives": False, "open_tanyao": True, "kiriage": True},
    "切り上げ満貫なし 南喰赤": {"red_fives": True, "open_tanyao": True, "kiriage": False},
    "一発裏なし 半荘": {"ippatsu": False, "ura_dora": False},
    "一発なし 裏ドラあり": {"ippatsu": False, "ura_dora": True},
    "喰い替えなし": {},
    "赤坂杯 東風戦": {},
    "四人南": {},
    "競技ルール": {},
}


@pytest.mark.parametrize("text", STATED)
def test_a_text_states_rules_and_leaves_the_others_open(text):
    stated = {name: value for name, value in stated_rules(text)._asdict().items() if value is not None}
    assert stated == STATED[text]


@pytest.mark.parametrize(
    ("text", "bits"),
    [("般南喰赤", 9), ("[般東喰]", 3), ("卓 鳳南喰赤速-", 0xE9), ("0003", 3), ("四人南", None), ("玉の間南喰", None)],
)
def test_a_name_of_tenhous_is_a_game_type_also_in_brackets(text, bits):
    assert type_of_name(text) == bits


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("四人南 喰断あり 赤なし", []),
        ("ナシナシ", ["ナシナシ"]),
        ("喰断あり 後付けなし", ["後付けなし"]),
        ("トビなし 赤あり", ["トビなし"]),
        ("赤4枚", ["赤4枚"]),
        ("赤ドラ3枚", []),
    ],
)
def test_stated_rules_that_are_not_played_are_named(text, rules):
    assert unplayed(text) == rules


def test_flags_in_every_form():
    assert [flag(each) for each in (1, True, "1", "あり", 0, False, "0", "no", None, "?", [])] == [
        *[True] * 4,
        *[False] * 4,
        *[None] * 3,
    ]


def read(**fields):
    return tenhou6.read(log(hand([([19], [60]), ([], []), ([], []), ([], [])], ["不明"]), **fields))


@pytest.mark.parametrize(
    ("rule", "red_fives"),
    [
        ({"disp": "四人東 喰断あり 赤なし"}, False),
        ({"disp": "東風戦", "aka": "0"}, False),
        ({"aka51": 0, "aka52": 0, "aka53": 0}, False),
        ({"disp": "四人東"}, True),
        ({}, True),
    ],
)
def test_a_log_is_read_by_the_rules_that_it_states(rule, red_fives):
    game = read(rule=rule)
    assert game.start.rules.red_fives is red_fives
    said = ["red fives: it states none, and those among its tiles are read as plain ones (tiles)"]
    assert list(game.notes) == ([] if red_fives else said)
    again = tenhou6.read(tenhou6.write(game))
    assert again.start.rules == game.start.rules


def test_rules_of_every_kind_reach_the_game():
    rules = read(rule={"disp": "切り上げ満貫あり 一発裏なし 半荘 食いタンなし"}).start.rules
    assert (rules.kiriage, rules.ippatsu, rules.ura_dora, rules.open_tanyao) == (True, False, False, False)
    assert not read(rule={"aka": ""}, title=["赤なし 東風戦", ""]).start.rules.red_fives


@pytest.mark.parametrize(
    ("rule", "named"),
    [({"disp": "ナシナシ 赤あり"}, "ナシナシ"), ({"aka51": 1, "aka52": 0, "aka53": 0}, "1 of 3 red fives")],
)
def test_what_is_not_played_is_one_note(rule, named):
    (note,) = read(rule=rule).notes
    assert named in note
    assert json.loads(tenhou6.write(read(rule={"disp": "ナシナシ"})))["rule"]["disp"] == "ナシナシ"
