"""A log that contradicts itself is read by its play, and a note says so."""

from __future__ import annotations

import json

import pytest

from engine.model import events as ev
from protocol.errors import LogError, RemoteProtocolError
from protocol.logs import mjai, mjlog, record, tenhou6
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.schema import Sender
from tests.protocol.mjai_changed import played, read
from tests.protocol.mjai_lines import END, HANDS, HORA, RIICHI, SCORE, START, text
from tests.protocol.mjlog_text import DEAL, HEAD
from tests.protocol.mjlog_text import END as CLOSE
from tests.protocol.tenhou6_hands import hand, log

PON = [
    START[0],
    START[1] | {"dora_marker": "1m"},
    {"type": "tsumo", "actor": 0, "pai": "W"},
    {"type": "dahai", "actor": 0, "pai": "W", "tsumogiri": True},
    {"type": "pon", "actor": 1, "target": 0, "pai": "W", "consumed": ["W", "W"]},
    {"type": "dahai", "actor": 1, "pai": "1m", "tsumogiri": False},
]
ANKAN = [
    START[0],
    START[1] | {"tehais": [["9s", "9s", "9s", *HANDS[0][3:]], *HANDS[1:3], [*HANDS[3][:8], "1m", *HANDS[3][9:]]]},
    {"type": "tsumo", "actor": 0, "pai": "9s"},
    {"type": "ankan", "actor": 0, "consumed": ["9s"] * 4},
    {"type": "dora", "dora_marker": "N"},
    {"type": "tsumo", "actor": 0, "pai": "S"},
    {"type": "dahai", "actor": 0, "pai": "S", "tsumogiri": True},
    {"type": "tsumo", "actor": 1, "pai": "9p"},
    {"type": "dahai", "actor": 1, "pai": "9p", "tsumogiri": True},
    {"type": "tsumo", "actor": 2, "pai": "9p"},
]
WON = [*START, *RIICHI, HORA | SCORE | {"pai": "S", "hora_tehais": HANDS[0]}, END[0]]
SCORES = {"scores": [37000, 13000, 25000, 25000]}
"""The scores after :data:`WON`."""


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        (PON, [*PON[:4], PON[4] | {"target": 3}, PON[5]], '"target" of a call is not the player whose discard'),
        (PON, [*PON[:4], PON[4] | {"target": 1000}, PON[5]], '"target" of a call is not the player whose discard'),
        (ANKAN, [*ANKAN[:5], ANKAN[4] | {"dora_marker": "P"}, *ANKAN[5:]], 'a "dora" is passed over'),
        (ANKAN, [*ANKAN[:4], *ANKAN[5:]], "a kan turns no dora indicator"),
        (
            WON,
            [*WON[:-2], WON[-2] | {"hora_tehais": [*HANDS[0][:12], "9p"]}, END[0]],
            '"hora_tehais" are not the tiles',
        ),
        (
            [*WON[:-2], WON[-2] | SCORES, END[0]],
            [*WON[:-2], WON[-2] | {"scores": [36000, 14000, 25000, 25000]}, END[0]],
            '"deltas" decide',
        ),
        ([*WON, END[1] | SCORES], [*WON, END[1] | {"scores": [25000] * 4}], '"scores" of the end are not those'),
        ([*WON, END[1] | SCORES], [WON[0] | {"aka_flag": False}, *WON[1:]], "those among its tiles are read as plain"),
    ],
)
def test_mjai_that_contradicts_itself_is_read_by_its_play_and_noted(right, wrong, words):
    assert read(right).notes == ()
    (note,) = read(wrong).notes
    assert words in note


def test_red_fives_of_wins_decide_against_what_json_states_and_that_is_noted():
    lines = played(3)
    assert '"akadora"' in text(*lines)
    noted = "red fives: its wins have them, and that decides (wins)"
    plain = read(lines)
    against = read([lines[0] | {"aka_flag": False}, *lines[1:]])
    assert (against.events, against.notes, plain.notes) == (plain.events, (noted,), ())
    written = json.loads(tenhou6.write(plain))
    assert tenhou6.read(json.dumps(written)).notes == ()
    stated = {"disp": written["rule"].get("disp", "").replace("赤", ""), "aka": 0}
    assert tenhou6.read(json.dumps(written | {"rule": stated})).notes == (noted,)


def test_a_kan_that_turns_no_indicator_is_noted_once():
    dealt = (
        DEAL.replace('hai0="0,4,8,', 'hai0="0,1,2,')
        .replace('hai1="1,5,9,', 'hai1="8,5,9,')
        .replace('hai2="2,6,', 'hai2="4,6,')
    )
    kan = '<T3/><N who="0" m="768"/>{}<T114/><D114/><U107/><E107/><V101/><F101/>'
    dealt = dealt.replace('hai3="3,7,', 'hai3="120,7,')
    whole, cut = (mjlog.read(HEAD + dealt + kan.format(dora) + CLOSE) for dora in ('<DORA hai="60"/>', ""))
    assert len(whole.notes) == 1, "it ends in the middle of a hand"
    assert "a kan turns no dora indicator" in cut.notes[0]
    assert "more" not in cut.notes[0]


def test_a_win_whose_han_are_not_those_of_its_yaku_keeps_what_it_claims():
    claim = read([*START, *RIICHI, HORA | SCORE | {"fan": 5}, *END]).events[-2]
    assert claim.score is None
    assert (claim.claim.han, claim.claim.yaku) == (5, ((1, 1), (2, 1), (52, 2)))


@pytest.mark.parametrize(
    ("tenpais", "shown", "unstated"),
    [
        ([1, 0, 0, 1], [0, 3], False),
        (["true", "false", None, 1.0], [0, 3], False),
        ([True, False, "?", True], [0], True),
    ],
)
def test_who_is_tenpai_may_be_numbers_and_what_says_nothing_is_not_stated(tenpais, shown, unstated):
    draw = {"type": "ryukyoku", "reason": "fanpai", "tenpais": tenpais, "deltas": [0] * 4}
    end = read([*START, *RIICHI, draw]).events[-1]
    assert [seat for seat, tiles in enumerate(end.hands) if tiles is not None] == shown or unstated
    assert (ev.Unstated.TENPAI in end.unstated) is unstated


def test_the_scores_after_a_draw_are_those_after_the_riichi_before_it():
    riichi = [START[0], START[1]]
    for seat, tile in enumerate(("9m", "9m", "9p", "9p")):
        riichi += [{"type": kind, "actor": seat, "pai": tile} for kind in ("tsumo", "reach", "dahai")]
    draw = {"type": "ryukyoku", "reason": "reach4", "scores": [24_000] * 4}
    assert read([*riichi, draw]).events[-1].deltas == (0, 0, 0, 0)


# ------------------------------------------------------------------------------------------- JSON


def test_a_key_that_is_repeated_with_another_value_is_named():
    lines = text(*START, *RIICHI).split("\n")
    lines[2] = lines[2].replace('"pai": "9m"', '"pai": "8m", "pai": "9m"')
    with pytest.raises(LogError, match=r"line 3: gives 'pai' twice, as '8m' and as '9m'; remove the wrong one"):
        mjai.read("\n".join(lines))
    lines[2] = lines[2].replace("8m", "9m")
    assert mjai.read("\n".join(lines)) == mjai.read(text(*START, *RIICHI))
    twice = f'{log(hand(([([19], [60]), ([], []), ([], []), ([], [])]), ["不明"]))[:-1]}, "log": []}}'
    with pytest.raises(LogError, match=r"line 1: gives 'log' twice, as .* and as \[\]; remove the wrong one"):
        tenhou6.read(twice)


def test_a_field_with_two_values_is_noted_where_the_hands_can_be_read():
    twice = f'{log(hand(([([19], [60]), ([], []), ([], []), ([], [])]), ["不明"]))[:-1]}, "title": "A", "title": "B"}}'
    assert twice.count('"title"') == 2
    (note,) = tenhou6.read(twice).notes
    assert note == "gives 'title' twice, as 'A' and as 'B'; the later one counts (its first fields)"


def test_a_frame_that_repeats_an_attribute_with_another_value_is_damaged():
    with pytest.raises(RemoteProtocolError, match="repeats an attribute with another value"):
        parse_frame('{"tag":"T12","tag":"T13"}', Sender.SERVER)
    assert parse_frame('{"tag":"T12","tag":"T12"}', Sender.SERVER) == parse_frame('{"tag":"T12"}', Sender.SERVER)


@pytest.mark.parametrize("between", ["\ufeff", "\0"])
def test_marks_between_the_lines_of_mjai_cost_no_hand(between):
    lines = text(*START, *RIICHI, HORA, *END).split("\n")
    assert mjai.read(f"\n{between}".join(lines)).notes == ()


def test_a_record_whose_version_is_no_number_is_none():
    with pytest.raises(LogError, match="and a version"):
        record.read('{"format":"oshihiki-record","version":true}\n{"at":0.1,"in":"{\\"tag\\":\\"HELO\\"}"}\n')
