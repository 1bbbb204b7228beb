"""What a log states of its rules is believed, unless its wins contradict it; what it does not state, its hands show."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from bot.replay.counting import paid
from bot.replay.verify import check_game
from bot.replay.verify_counts import VerifyCounts
from engine.model import events as ev
from engine.model.rules import Rules
from protocol.logs import mjai, mjlog, tenhou6
from protocol.logs.game_log import HOUSE_RULES, GameLog, LogInfo
from protocol.logs.shown_rules import shown_rules
from protocol.tenhou.game_type import NO_OPEN_TANYAO, NO_RED_FIVES
from tests.games import game_of
from tests.protocol.mjai_lines import HANDS, RIICHI, START


@pytest.fixture(scope="module")
def game():
    """A game with wins on red fives, and with open tanyao."""
    return GameLog(game_of("simple", 3).events)


def agrees(log):
    tally = VerifyCounts()
    check_game(paid(log), tally)
    return tally.errors == []


@pytest.mark.parametrize(
    ("bits", "noted"),
    [(0, []), (NO_RED_FIVES, ["red fives"]), (NO_OPEN_TANYAO, ["open hands with tanyao"])],
)
def test_wins_decide_where_they_contradict_the_type(game, bits, noted):
    text = mjlog.write(game)
    (said,) = re.findall(r'<GO type="(\d+)"', text)
    log = mjlog.read(text.replace(f'<GO type="{said}"', f'<GO type="{int(said) | bits}"'))
    assert log.start.rules == game.start.rules
    assert [note.partition(":")[0] for note in log.notes] == noted
    assert agrees(log)


def test_wins_without_red_fives_are_at_a_table_without_them(game):
    def plain(event):
        if not isinstance(event, ev.Win) or event.score is None:
            return event
        return replace(
            event, score=replace(event.score, yaku=tuple(pair for pair in event.score.yaku if pair[0] != 54))
        )

    rules = shown_rules(game.start.rules, tuple(map(plain, game.events)))
    assert not rules.red_fives


def test_four_plain_fives_are_at_a_table_without_red_ones(game):
    text = re.sub(r'"(5[mps])r"', r'"\1"', re.sub(r',?\["akadora",\d\]', "", mjai.write(game)))
    assert '"aka_flag":true' in text
    log = mjai.read(text)
    assert (log.left_out, log.start.rules.red_fives) == ((), False)


def win(fu, han, points):
    score = ev.WinScore(fu, points, 0, ((1, han),), ())
    return ev.Win(0, 1, 0, (points, -points, 0, 0), score=score)


@pytest.mark.parametrize(
    ("wins", "kiriage"),
    [
        ([win(30, 4, 7_700)], False),
        ([win(30, 4, 8_000)], True),
        ([win(60, 3, 11_600), win(30, 4, 12_000), win(30, 4, 12_000)], True),
        ([win(60, 3, 11_600), win(30, 4, 12_000)], None),
        ([win(40, 4, 8_000)], None),
    ],
)
def test_most_wins_just_below_a_mangan_decide_whether_it_is_one(wins, kiriage):
    for stated in (True, False):
        rules = shown_rules(Rules(kiriage=stated), wins)
        assert rules.kiriage is (stated if kiriage is None else kiriage)


def test_the_bits_of_a_type_without_a_name_survive(game):
    text = mjlog.write(game)
    (said,) = re.findall(r'<GO type="(\d+)"', text)
    log = mjlog.read(text.replace(f'<GO type="{said}"', '<GO type="4161"'))
    again = tenhou6.read(tenhou6.write(log))
    assert (again.info.game_type, json.loads(tenhou6.write(log))["rule"]["disp"]) == (4161, "1041")
    assert tenhou6.read(tenhou6.write(game)).info.rule_name.startswith("般東")


def test_wins_on_one_tile_come_in_the_order_of_seats_from_the_discarder():
    hands = [
        ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "1p", "7s", "8s"],
        ["2m", "3m", "4m", "5m", "6m", "7m", "2p", "3p", "4p", "9p", "9p", "7s", "8s"],
        ["E", "S", "W", "N", "P", "F", "1m", "9m", "1p", "9p", "1s", "6s", "9s"],
        ["3m", "4m", "5m", "6m", "7m", "8m", "3p", "4p", "5p", "8p", "1s", "2s", "S"],
    ]
    lines = [
        {"type": "start_game", "names": ["A", "B", "C", "D"]},
        {"type": "start_kyoku", "bakaze": "E", "dora_marker": "9m", "kyoku": 1, "honba": 2, "kyotaku": 1, "oya": 0,
         "scores": [24_750] * 4, "tehais": hands},
        *({"type": kind, "actor": seat, "pai": pai} for seat, pai in enumerate(["E", "E", "E", "9s"])
          for kind in ("tsumo", "dahai")),
        {"type": "hora", "actor": 1, "target": 3},
        {"type": "hora", "actor": 0, "target": 3},
    ]  # fmt: skip
    log = paid(mjai.read("\n".join(map(json.dumps, lines))))
    wins = [event for event in log.events if isinstance(event, ev.Win)]
    assert [(each.seat, each.riichi_sticks, sum(each.deltas)) for each in wins] == [(0, 1, 1_000), (1, 0, 0)]
    document = json.loads(tenhou6.write(log))
    result = document["log"][0][16]
    document["log"][0][16] = [result[0], *result[3:], *result[1:3]]
    assert [event.seat for event in tenhou6.read(json.dumps(document)).events if isinstance(event, ev.Win)] == [0, 1]


def test_a_stated_table_without_red_fives_has_none_whatever_its_tiles_are_called(game):
    text = re.sub(r',"赤ドラ\(\d飜\)"', "", tenhou6.write(game))
    text = re.sub(r'"rule":\{[^}]*\}', '"rule":{"disp":"般東喰","aka51":0,"aka52":0,"aka53":0}', text)
    assert re.search(r"\b5[123]\b", text)
    log = tenhou6.read(text)
    assert (log.start.rules.red_fives, log.left_out) == (False, ())


@pytest.mark.parametrize("format_", [mjlog, tenhou6])
def test_rules_of_a_tables_own_are_one_note_and_what_depends_on_them_is_not_compared(game, format_):
    end = game.events[-1]
    house = replace(
        game,
        events=(*game.events[:-1], replace(end, results=(90.0, -10.0, -30.0, -50.0))),
        info=LogInfo(game_type=1, lobby="18940", house_rules="4120DF0F,00000001,,,30000"),
    )
    text = format_.write(house).replace("<GO ", '<GO csrule="4120DF0F,00000001,,,30000" ')
    log = format_.read(text)
    assert [note.rpartition(" (")[0] for note in log.notes] == [HOUSE_RULES]
    tally = VerifyCounts()
    check_game(paid(log), tally)
    assert tally.errors == []
    assert (tally.results, tally.results_exact, tally.results_unstated) == (1, 0, 1)


def test_a_hand_of_another_houses_rules_costs_no_other(game):
    lines = [json.loads(line) for line in mjai.write(game).splitlines()]
    hands = [["1m", "9m", "1p", "9p", "1s", "9s", "E", "E", "S", "W", "N", "P", "F"],
             ["C", "C", "C", "2m", "3m", "4m", "5p", "6p", "7p", "2s", "3s", "4s", "5s"],
             ["3m", "4m", "5m", "6m", "7m", "8m", "3p", "4p", "5p", "9p", "9p", "6s", "8s"],
             ["2m", "2m", "3m", "4m", "5m", "4p", "5p", "6p", "7p", "8p", "2s", "4s", "6s"]]  # fmt: skip
    robbed = [
        next(line for line in lines if line["type"] == "start_kyoku") | {"tehais": hands, "dora_marker": "9m"},
        {"type": "tsumo", "actor": 0, "pai": "8m"},
        {"type": "dahai", "actor": 0, "pai": "8m", "tsumogiri": True},
        {"type": "tsumo", "actor": 1, "pai": "C"},
        {"type": "ankan", "actor": 1, "consumed": ["C"] * 4},
        {"type": "hora", "actor": 0, "target": 1, "pai": "C"},
        {"type": "end_kyoku"},
    ]
    log = mjai.read("\n".join(map(json.dumps, [lines[0], *robbed, *lines[1:]])))
    assert [(left.hand, left.place.partition(",")[0]) for left in log.left_out] == [("E1", "line 7")]
    assert [type(event) for event in log.events] == [type(event) for event in mjai.read(mjai.write(game)).events]


def test_who_was_tenpai_at_a_nagashi_mangan_is_left_open_but_for_riichi():
    start = START[1] | {"tehais": HANDS}
    draw = {"type": "ryukyoku", "reason": "nagashimangan", "deltas": [8_000, -4_000, -2_000, -2_000]}
    log = mjai.read("\n".join(map(json.dumps, [START[0], start, *RIICHI, draw])))
    end = log.events[-1]
    assert [hand is not None for hand in end.hands] == [True, False, False, False]
    assert ev.Unstated.TENPAI in end.unstated
    assert "tenpais" not in mjai.write(log).splitlines()[-1]
    assert ev.Unstated.TENPAI in tenhou6.read(tenhou6.write(log)).events[-1].unstated
