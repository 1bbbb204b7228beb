"""mjai as other programs write it: fields that are absent, null, numbers with a point, other words, wrong flags."""

from __future__ import annotations

import json

import pytest

from engine.model import events as ev
from engine.model.rules import HANCHAN, TONPU
from protocol.logs import mjai
from protocol.logs.mjai_program import Feed
from tests.protocol.mjai_changed import played, read, unpaid, without
from tests.protocol.mjai_lines import END, HANDS, HORA, RIICHI, SCORE, START

WAYS = {
    "numbers with a point": lambda lines: json.loads(json.dumps(lines), parse_int=float),
    "null where nothing is said": lambda lines: [
        {"names": None, "scores": None, "deltas": None, "tenpais": None, "tsumogiri": None, "pai": None, "target": None}
        | line
        for line in lines
    ],
    "more than is read": lambda lines: [line | {"meta": {"q": [0.5]}, "can_act": False, "time": 12} for line in lines],
    "no end_kyoku, no reach_accepted": lambda lines: [
        line for line in lines if line["type"] not in {"end_kyoku", "reach_accepted"}
    ],
    "reach_accepted with its payment": lambda lines: [
        line | {"deltas": [0, 0, 0, -1000], "scores": [1, 2, 3, 4]} if line["type"] == "reach_accepted" else line
        for line in lines
    ],
    "scores only where a game begins": lambda lines: [
        {key: value for key, value in line.items() if key != "scores"} if line["type"] == "start_kyoku" else line
        for line in lines
    ],
    "kyoku without oya": lambda lines: without(lines, "oya"),
    "oya without kyoku": lambda lines: without(lines, "kyoku"),
    "hora without target": lambda lines: without(lines, "target", of={"hora"}),
    "requests in between": lambda lines: [
        each
        for line in lines
        for each in (line, {"type": "request_action", "possible_actions": []}, {"type": "action_ack"})
    ],
    "one list, laid out": lambda lines: lines,
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", [3, 8])
def test_the_same_game_in_every_dialect(way, seed):
    lines = list(played(seed))
    plain = read(lines)
    other = WAYS[way](lines)
    again = mjai.read(json.dumps(other, indent=2)) if "laid out" in way else read(other)
    assert again == plain
    assert (again.notes, unpaid(again)) == ((), [])


def test_names_that_are_null_or_absent_are_empty():
    lines = list(played(3))
    for names, read_as in (
        ([None, "B", 4, "D"], ("", "B", "", "D")),
        (None, ("", "", "", "")),
        ("ABCD", ("", "", "", "")),
    ):
        assert read([lines[0] | {"names": names}, *lines[1:]]).start.names == read_as
    assert read(lines[1:]).start.names == ("", "", "", "")


# ------------------------------------------------------------------------------------------- the length of a game

SAYINGS = [
    ({"gametype": "tonpu"}, False),
    ({"gametype": "tonnan"}, True),
    ({"gametype": "hanchan"}, True),
    ({"game_type": "tonpuu"}, False),
    ({"gameType": "East"}, False),
    ({"game_mode": "4p-red-east"}, False),
    ({"game_mode": "4p-red-half"}, True),
    ({"game_length": "tonpuusen"}, False),
    ({"mode": "one_kyoku"}, False),
    ({"rule": {"disp": "玉の間東喰赤"}}, False),
    ({"rule": {"disp": "玉の間南喰赤"}}, True),
    ({"rules": {"game_length": "south"}}, True),
    ({"disp": "東南戦"}, True),
    ({"kyoku_first": 4}, False),
    ({"kyoku_first": 4.0}, False),
    ({"tonpu": True}, False),
    ({"is_tonpuu": True}, False),
    ({"east_only": True}, False),
    ({"title": ["玉の間東", ""]}, False),
    ({"kyoku_first": 0}, True),
    ({"kyoku_first": 0, "gametype": "tonpu"}, True),
    ({"gametype": 7}, True),
    ({}, True),
]


@pytest.mark.parametrize(("said", "hanchan"), SAYINGS, ids=str)
def test_the_length_of_a_game_in_many_words(said, hanchan):
    start = {"type": "start_game", "names": ["A", "B", "C", "D"], **said}
    assert read([start, START[1], *RIICHI, HORA]).start.rules.hanchan is hanchan


@pytest.mark.parametrize("rules", [TONPU, HANCHAN])
@pytest.mark.parametrize("seed", [3, 8, 12, 20])
def test_the_length_of_a_game_by_its_course(rules, seed):
    lines = without(played(seed, rules), "kyoku_first", of={"start_game"})
    whole = read(lines)
    last = max(event.kyoku for event in whole.events if isinstance(event, ev.StartKyoku))
    broke = min(whole.events[-1].scores) < 0
    assert whole.start.rules.hanchan is (rules is HANCHAN or broke)
    assert broke or rules is TONPU or last >= 7
    excerpt = [line for line in lines if line["type"] != "end_game"]
    assert read(excerpt).start.rules.hanchan


# ------------------------------------------------------------------------------------------- red fives

PLAIN = [[tile.removesuffix("r") for tile in hand] for hand in HANDS]
STATED = [
    ({"aka_flag": False}, False),
    ({"aka_flag": "0"}, False),
    ({"aka_flag": None}, True),
    ({"rule": {"disp": "般南喰赤", "aka": 1}}, True),
    ({"rule": {"disp": "般南喰"}}, False),
    ({"rules": {"red_fives": 0}}, False),
    ({"rule": "般東喰"}, False),
    ({"rule": "0003"}, False),
    ({"rule": "0001"}, True),
    ({"game_type": "4p-red-half"}, True),
    ({"game_type": "4p-nored-half"}, False),
    ({"title": "四人東 喰断あり 赤なし"}, False),
    ({"rule": "般東喰", "aka_flag": True}, True),
    ({}, True),
]


@pytest.mark.parametrize("hands", [HANDS, PLAIN])
@pytest.mark.parametrize(("fields", "red_fives"), STATED)
def test_red_fives_are_as_any_field_states_them_in_a_log_and_at_a_live_table(fields, red_fives, hands):
    first = {"type": "start_game", "names": ["A", "B", "C", "D"], "id": 0, **fields}
    log = read([first, START[1] | {"tehais": hands}, *RIICHI])
    assert log.start.rules.red_fives is red_fives
    live = Feed(first)
    live.feed(START[1] | {"tehais": [hands[0], *[["?"] * 13] * 3]})
    assert live.events[0].rules == log.start.rules
    assert f'"aka_flag":{str(red_fives).lower()}' in mjai.write(log)


def test_what_a_log_does_not_state_its_tiles_show():
    first = {"type": "start_game", "names": ["A", "B", "C", "D"]}
    four = [["5p", "5p", "5p", *PLAIN[0][3:]], *PLAIN[1:]]
    assert not read([first, START[1] | {"tehais": four}, *RIICHI]).start.rules.red_fives


def test_the_other_rules_are_as_texts_and_flags_state_them():
    first = {"type": "start_game", "names": ["A", "B", "C", "D"]}
    rules = read([first | {"rule": "東 食いタンなし 一発裏なし"}, *START[1:], *RIICHI]).start.rules
    assert (rules.hanchan, rules.open_tanyao, rules.ippatsu, rules.ura_dora) == (False, False, False, False)
    assert read([first | {"rule": "000b"}, *START[1:], *RIICHI]).start.rules.hanchan
    flags = {"config": {"kuitan": False, "kiriage_mangan": True, "ura_dora": 0}}
    rules = read([first | flags, *START[1:], *RIICHI]).start.rules
    assert (rules.open_tanyao, rules.kiriage, rules.ippatsu, rules.ura_dora) == (False, True, True, False)
    (note,) = read([first | {"rule": {"disp": "ナシナシ"}}, *START[1:], *RIICHI]).notes
    assert "'ナシナシ'" in note


# ------------------------------------------------------------------------------------------- payments


def test_a_win_without_payments_is_named_as_unpaid():
    log = read([*START, *RIICHI, {"type": "hora", "actor": 0, "target": 1}, *END])
    assert unpaid(log) == [8]
    assert log.events[8].deltas == (0, 0, 0, 0)


def test_a_live_game_carries_the_points_of_a_hand_to_one_that_states_none():
    live = Feed(START[0] | {"id": 0})
    deal = START[1] | {"tehais": [HANDS[0], *[["?"] * 13] * 3]}
    for line in (deal, *RIICHI, HORA, END[0], *without([deal | {"honba": 1}], "scores")):
        live.feed(line)
    assert live.events[-1].scores == (37_000, 13_000, 25_000, 25_000)


# ------------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("word", ["ryukyoku", "draw", "rain", "", "九九九"])
def test_a_word_that_names_no_kind_is_read_by_the_play(word):
    lines = [line | {"reason": word} if line["type"] == "ryukyoku" else line for line in played(3)]
    log = read(lines)
    assert log == read(list(played(3)))
    number = sum(line["type"] == "ryukyoku" for line in lines)
    if word in {"rain", "九九九"}:
        (note,) = log.notes
        assert f"the end {word!r} of a hand is not known; by the play it is the end of the wall (" in note
        assert number == 1 or f"and {number - 1} more)" in note
    else:
        assert log.notes == ()


# ------------------------------------------------------------------------------------------- tsumogiri


def flags(log):
    return [event.tsumogiri for event in log.events if isinstance(event, ev.Discard)]


def test_a_wrong_tsumogiri_flag_is_corrected_counted_and_named_once():
    lines = list(played(8))
    plain = read(lines)
    always = read([line | {"tsumogiri": True} if line["type"] == "dahai" else line for line in lines])
    never = read([line | {"tsumogiri": False} if line["type"] == "dahai" else line for line in lines])
    absent = read(without(lines, "tsumogiri"))
    for log, number in ((always, len(always.notes)), (never, len(never.notes)), (absent, 0)):
        assert len(log.notes) == number <= 1
        assert [(event.seat, event.tile >> 2) for event in log.events if isinstance(event, ev.Discard)] == [
            (event.seat, event.tile >> 2) for event in plain.events if isinstance(event, ev.Discard)
        ]
    assert '"tsumogiri" is true where the discard is not the tile just drawn (E1, event ' in always.notes[0]
    assert '"tsumogiri" is false where the discard is the tile just drawn (E1, event ' in never.notes[0]
    assert "more)" in always.notes[0]
    assert flags(never) == flags(absent)
    assert all(left or right for left, right in zip(flags(always), map(bool, flags(plain)), strict=True) if right)


def test_a_discard_after_a_call_is_never_the_tile_drawn():
    pon = {"type": "pon", "actor": 3, "target": 0, "pai": "C", "consumed": ["C", "C"]}
    hands = [[*HANDS[0][:12], "C"], *HANDS[1:2], [*HANDS[2][:12], "S"], HANDS[3]]
    lines = [
        START[0],
        START[1] | {"tehais": hands},
        {"type": "tsumo", "actor": 0, "pai": "9m"},
        {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": False},
        pon,
        {"type": "dahai", "actor": 3, "pai": "3m", "tsumogiri": True},
    ]
    log = read(lines)
    assert flags(log) == [False, False]
    assert len(log.notes) == 1
    hidden = [lines[0], START[1] | {"tehais": [hands[0], *[["?"] * 13] * 3]}, *lines[2:]]
    assert flags(read(hidden)) == [False, False]


def test_a_seat_in_riichi_discards_what_it_draws_also_with_a_hidden_hand():
    hidden = [START[0], START[1] | {"tehais": [["?"] * 13, HANDS[1], ["?"] * 13, ["?"] * 13]}]
    turns = [
        {"type": "tsumo", "actor": 0, "pai": "?"},
        {"type": "reach", "actor": 0},
        {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": False},
        *({"type": kind, "actor": 1, "pai": "S"} for kind in ("tsumo", "dahai")),
        {"type": "tsumo", "actor": 2, "pai": "5p"},
        {"type": "dahai", "actor": 2, "pai": "5p"},
        {"type": "tsumo", "actor": 3},
        {"type": "dahai", "actor": 3, "pai": "6s", "tsumogiri": True},
        {"type": "tsumo", "actor": 0, "pai": "?"},
        {"type": "dahai", "actor": 0, "pai": "1p", "tsumogiri": False},
    ]
    log = read([*hidden, *turns])
    assert flags(log) == [False, True, False, True, True]
    assert len(log.notes) == 1


# ------------------------------------------------------------------------------------------- values of wins


def test_the_value_of_a_win_in_numbers_with_a_point():
    value = {"yakus": [["reach", 1.0], ["ippatsu", 1], ["dora", 2.0]], "fu": 40.0, "hora_points": 12000.0}
    plain = read([*START, *RIICHI, HORA | SCORE, *END])
    assert read([*START, *RIICHI, HORA | value, *END]) == plain


@pytest.mark.parametrize(
    "value", [{"hora_points": 10**18}, {"hora_points": -1}, {"fu": 10**18}, {"yakus": [["reach", 10**18]]}]
)
def test_a_value_that_no_win_has_is_not_stated(value):
    assert read([*START, *RIICHI, HORA | SCORE | value, *END]).events[-2].score is None
