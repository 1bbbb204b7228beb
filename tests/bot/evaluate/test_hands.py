"""Hands as people write them, and the table that answers."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from rich.console import Console

from bot.evaluate.hand_fields import fields
from bot.evaluate.hand_table import bars, render
from bot.evaluate.hands import Rivers, Written, read_keys, read_position, read_rules, read_table, read_view
from bot.machine.errors import InputError
from engine.model.actions import ActionKind
from engine.model.melds import MeldKind
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.model.tiles import format_tiles
from engine.search.evaluator import Choice, Evaluation, Worth


def test_a_plain_hand():
    position = read_position(Written("11223m1123789p55z", dora="9s", turn=6, seat="S"))
    assert position.dora_indicators[0] >> 2 == 25
    assert (position.seat_wind, position.round_wind, position.draws_left) == (28, 27, 12)
    assert position.unseen[25] == 3
    assert position.unseen[26] == 4


def test_melds_of_every_kind():
    position = read_position(Written("11z", melds="123p 555z 5555s [1111m]"))
    kinds = [meld.kind for meld in position.melds]
    assert kinds == [MeldKind.CHI, MeldKind.PON, MeldKind.DAIMINKAN, MeldKind.ANKAN]
    assert not position.closed
    assert position.red_unseen == (True, True, False)  # four fives are all fives


def test_an_offer():
    position = read_position(Written("23m4456p112367s1z", offered="1m", source="across"))
    assert (position.offered >> 2, position.offered_by) == (0, 2)
    assert position.unseen[0] == 3


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (Written(""), "empty"),
        (Written("123m45"), "no suit"),
        (Written("123x"), "is not a tile"),
        (Written("11111m23456789p"), "there are four"),
        (Written("1111m", melds="123m 555p 666p"), "4 concealed|1m"),
        (Written("123m456p789s11z"), "11 concealed"),
        (Written("123m456p1123567s1z", dora="9x"), "is not a tile"),
        (Written("11223m1123789p55z", melds="124p"), "not a meld"),
        (Written("11223m1123789p55z", melds="[123p]"), "brackets"),
        (Written("11223m1123789p55z", melds="hello"), "melds"),
        (Written("123m456p1123567s1z", round="Q"), "round"),
        (Written("123m456p1123567s1z", seat="X"), "seat"),
        (Written("123m456p112356s1z", offered="12m"), "one tile"),
        (Written("123m456p112356s1z", offered="1m", source="below"), "from"),
        (Written("123m456p1123567s1z", offered="1m"), "a tile is offered while the hand has one to discard"),
        (Written("1111m456p112356s1z", dora="2m"), "dora 2m: its indicator would be a fifth 1m; all four"),
        (Written("123m456p112356s1z", melds="", dora="1m1m1m1m", visible="9m"), "no 9m is left"),
        (Written("123m456p112356s1z", dora="123m456p"), "dora: 6 are given; at most 5 indicators are turned"),
        (Written("123m456p112356s1z", dora="123m", indicators="123p"), "dora: 6 are given"),
        (Written("123m456p1123567s1z", turn=19), "turn 19"),
        (Written("00m456p11235677s1z"), "red"),
        (Written("0m456p1123567789s1z", rules=read_rules("no-red")), "hand: 0m is a red five"),
        (Written("11223m1123789p55z", indicators="0p", rules=read_rules("no-red")), "indicator: 0p is a red five"),
    ],
)
def test_impossible_hands_are_refused_in_one_line(written, message):
    with pytest.raises(InputError, match=message) as caught:
        read_position(written)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("hand", "dora", "indicator"),
    [
        ("123m456p112356s1z", "6m", 17),  # a plain 5m while there is one
        ("555m456p112356s1z", "6m", 16),
        ("505m456p112356s1z", "6m", 19),
        ("123m456p112356s1z", "0m", 12),
        ("123m456p112356s7z", "5z", 4 * 33 + 1),
    ],
)
def test_the_indicator_of_a_dora_is_any_copy_that_is_left(hand, dora, indicator):
    assert read_position(Written(hand, dora=dora)).dora_indicators == (indicator,)
    with pytest.raises(InputError, match="its indicator would be a fifth 5m"):
        read_position(Written("555m456p112356s1z", dora="6m6m"))


def test_the_rules_by_their_words():
    assert read_rules("") == HANCHAN
    assert read_rules("tonpu") == TONPU
    assert read_rules("No-Red, no-open-tanyao") == Rules(red_fives=False, open_tanyao=False)
    with pytest.raises(InputError, match="rules 'reds': choose from tonpu, no-red, no-open-tanyao"):
        read_rules("tonpu,reds")


def test_without_red_fives_all_four_are_plain():
    position = read_position(Written("5555m456p112356s1z", rules=read_rules("no-red")))
    assert not any(position.red_unseen)
    assert format_tiles(position.concealed[:4], red_fives=False) == "5555m"
    assert 16 in read_position(Written("5555m456p112356s1z")).concealed  # one of four is red


def test_a_table_in_words():
    text = "hand=234m33345p45667s9m melds= dora=4p right=4z1m* seat=N from=across scores=1,2,3,4 rules=tonpu honba=2"
    written, rivers, scores = read_table(read_keys(text))
    assert written == Written(
        *("234m33345p45667s9m", "", "4p"), turn=6, seat="N", source="across", honba=2, points=1, rules=TONPU
    )
    assert (rivers, scores) == (Rivers(right="4z1m*"), (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dorra=9s", "there is no key 'dorra'; did you mean 'dora'"),
        ("234m", "'234m' is neither a position in a log"),
        ("honba=1 honba=2", "honba is given twice"),
        ("honba=²", "honba '²': give a whole number"),
        ("turn=", "turn '': give a whole number"),
        ("scores=1,2", "scores '1,2': give the own points, or four"),
    ],
)
def test_words_that_describe_no_table_are_refused(text, message):
    with pytest.raises(InputError) as caught:
        read_table(read_keys(text))
    assert message in str(caught.value)


def test_a_table_by_other_rules():
    state = read_view(Written("234m33355p45667s9m", dora="4p", rules=read_rules("no-red")), Rivers(), (25_000,) * 4)
    assert state.rules == Rules(red_fives=False)


def example():
    position = read_position(Written("123m406p1123567s1z", dora="9s"))
    curve = tuple(number / 20 for number in range(13))
    worths = (
        Worth(Choice(ActionKind.RIICHI, 27), 3210.4, 0.6, 0.3, 5200.0, tuple(5000 * x for x in curve), curve),
        Worth(Choice(ActionKind.DISCARD, 27), 2890.0, 0.5, 0.2, 4100.0, (), ()),
    )
    return position, Evaluation("dag", worths, shanten=0, exchanges=1, calls=2, nodes=1234, edges=99)


@pytest.mark.parametrize("width", [72, 80, 100, 120, 200])
def test_the_table_names_tiles_values_and_ukeire(width):
    out = StringIO()
    Console(file=out, width=width, color_system=None).print(render(*example(), 1.25, width))
    text = out.getvalue()
    for piece in (
        "riichi 1z",
        "3,210",
        "60.0%",
        "30.0%",
        "5,200",
        "1₂4₄s",
        "dag: 0-shanten",
        "1,234 hands",
        "█",
    ):
        assert piece in text
    lines = text.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= width
    assert "…" not in text
    assert next(at for at, line in enumerate(lines) if "riichi" in line) < next(
        at for at, line in enumerate(lines) if "2,890" in line
    )


def test_json_carries_the_same_and_is_plain():
    data = json.loads(json.dumps(fields(*example(), 1.25)))
    first = data["actions"][0]
    assert first["kind"] == "riichi"
    assert first["tile"] == "1z"
    assert first["ukeire"] == {"total": 6, "tiles": {"1s": 2, "4s": 4}}
    assert len(first["p_win_by_draws"]) == 13
    assert data["hand"] == "123m406p1123567s1z"


def test_bars_fill_with_the_top():
    assert bars((0.0, 0.5, 1.0), 1.0) == " ▄█"
    assert bars((0.0, 0.0), 0.0) == "  "
    assert bars((-1.0, 2.0), 1.0) == " █"
    assert bars((float("nan"), 1.0), 1.0) == " █"
