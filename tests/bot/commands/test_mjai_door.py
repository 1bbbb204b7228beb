"""``oshihiki mjai`` in front of servers that speak other dialects, or something else."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.commands.mjai import LINE, VALUES, Program, _lines
from bot.deciding.thinker import Thinker
from bot.machine.errors import InputError
from engine.policy.registry import make_policy
from protocol.logs.mjai_program import OwnTiles
from tests.protocol.mjai_lines import HANDS, START

HIDDEN = ["?"] * 13
GAME = {"type": "start_game", "id": 0, "names": ["A", "B", "C", "D"]}
DEAL = START[1] | {"tehais": [[*HANDS[0][:11], "W", "N"], HIDDEN, HIDDEN, HIDDEN]}
DRAW = {"type": "tsumo", "actor": 0, "pai": "C"}
CUT = {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": True}
NONE = {"type": "none"}


class Speaker:
    """A program with what it said and noted."""

    def __init__(self, **options: Any) -> None:
        self.notes: list[str] = []
        self.thinker = Thinker(make_policy("simple"))
        self.program = Program(self.thinker, "tester", 5.0, on_note=self.notes.append, **options)

    def say(self, *lines: Any) -> list[tuple[dict[str, Any], bool]]:
        """The answer to each line, and whether it was asked."""

        async def feed() -> list[tuple[dict[str, Any], bool]]:
            return [(json.loads(await self.program.receive(json.dumps(line))), self.program.asked) for line in lines]

        return asyncio.run(feed())


@pytest.fixture
def speaker() -> Iterator[Any]:
    made: list[Speaker] = []

    def make(**options: Any) -> Speaker:
        made.append(Speaker(**options))
        return made[-1]

    yield make
    for each in made:
        each.thinker.close()


def test_can_act_false_asks_nothing(speaker: Any) -> None:
    door = speaker()
    quiet = [each | {"can_act": False} for each in (GAME, DEAL, DRAW, CUT)]
    assert door.say(*quiet) == [(NONE, False)] * 4
    for seat in (1, 2, 3):
        door.say({"type": "tsumo", "actor": seat, "pai": "?"}, {"type": "dahai", "actor": seat, "pai": "9m"})
    said, asked = door.say(DRAW | {"can_act": True})[0]
    assert (said["type"], asked) == ("dahai", True)
    assert door.say([CUT, {"type": "tsumo", "actor": 1, "pai": "?", "can_act": False}]) == [(NONE, False)]


def test_a_request_is_answered_with_its_number_and_events_are_not(speaker: Any) -> None:
    door = speaker(on_request=True)
    assert door.say(GAME, DEAL, DRAW) == [(NONE, False)] * 3
    ((said, asked),) = door.say({"type": "request_action", "request_id": 7, "possible_actions": [{"type": "dahai"}]})
    assert (said["type"], said["request_id"], asked) == ("dahai", 7, True)
    cut = {key: said[key] for key in ("type", "actor", "pai", "tsumogiri")}
    assert door.say(cut, {"type": "action_ack", "request_id": 7}) == [(NONE, False)] * 2
    ((said, asked),) = door.say({"type": "request_action", "request_id": 8})
    assert (said, asked) == (NONE | {"request_id": 8}, True)


def test_any_number_of_a_request_can_be_written(speaker: Any) -> None:
    door = speaker(on_request=True)
    door.say(GAME, DEAL)
    reply = door.program.hear('{"type":"request_action","request_id":"\\ud800"}')
    assert json.loads(reply.encode("utf-8")) == NONE | {"request_id": "\ud800"}


def test_a_server_that_requests_is_recognised_by_its_first_request(speaker: Any) -> None:
    door = speaker()
    said = door.say(GAME, DEAL, DRAW, {"type": "request_action", "request_id": 1})
    assert said[2][0] == {key: value for key, value in said[3][0].items() if key != "request_id"}
    assert said[3][0]["request_id"] == 1
    assert door.program.thought is None, "it is the same decision"
    door.say({key: value for key, value in said[2][0].items() if key != "request_id"})
    for seat in (1, 2, 3):
        door.say({"type": "tsumo", "actor": seat, "pai": "?"}, {"type": "dahai", "actor": seat, "pai": "9m"})
    assert door.say(DRAW) == [(NONE, False)]
    assert door.say({"type": "request_action", "actor": 2}) == [(NONE, False)], "another seat is asked"
    ((said_then, asked),) = door.say({"type": "request_action", "actor": 0})
    assert (said_then["type"] in {"dahai", "reach"}, asked) == (True, True)


def test_a_riichi_takes_two_requests(speaker: Any) -> None:
    door = speaker(on_request=True)
    ready = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2s", "3s", "E", "E"]
    door.say(GAME, DEAL | {"tehais": [ready, HIDDEN, HIDDEN, HIDDEN], "dora_marker": "9m"}, DRAW)
    offered = {"type": "request_action", "possible_actions": [{"type": "reach"}]}
    assert door.say(offered)[0][0] == {"type": "reach", "actor": 0}
    door.say({"type": "reach", "actor": 0})
    assert door.say({"type": "request_action"})[0][0] == CUT
    assert door.program.thought is None, "the discard was decided with the riichi"


def test_only_what_is_offered_is_answered(speaker: Any) -> None:
    door = speaker(on_request=True)
    ready = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2s", "3s", "E", "E"]
    door.say(GAME, DEAL | {"tehais": [ready, HIDDEN, HIDDEN, HIDDEN], "dora_marker": "9m"}, DRAW)
    only = {"type": "request_action", "possible_actions": [{"type": "dahai", "pai": "C"}]}
    assert door.say(only)[0][0]["type"] == "dahai"

    named = [{"type": "dahai", "pai": pai} for pai in ("7s", "2m")]
    for offer in named:
        assert door.say({"type": "request_action", "possible_actions": [offer]})[0][0]["pai"] == offer["pai"]
    assert door.notes == []


DRAWN = [GAME, DEAL, DRAW]
DISCARDED = [*DRAWN, CUT, {"type": "tsumo", "actor": 1, "pai": "?"}, {"type": "dahai", "actor": 1, "pai": "E"}]
UNEXPECTED = {
    "our draw is lost": ([GAME, DEAL], [{"type": "dahai", "pai": "7s"}, {"type": "dahai", "pai": "2m"}]),
    "our draw is lost, and no tile is named": ([GAME, DEAL], [{"type": "dahai"}, {"type": "reach"}]),
    "only an abortive draw": (DRAWN, [{"type": "ryukyoku", "actor": 2}]),
    "only a win": (DRAWN, [{"type": "hora"}]),
    "a win or nothing": (DRAWN, [{"type": "hora"}, {"type": "none"}]),
    "nothing": (DRAWN, [{"type": "none"}]),
    "a tile that we do not hold": (DRAWN, [{"type": "dahai", "pai": "9p"}]),
    "a kan of others": (DRAWN, [{"type": "ankan", "consumed": ["9p"] * 4}]),
    "a call of our own discard": ([*DRAWN, CUT], [{"type": "pon", "pai": "C"}, {"type": "none"}]),
    "a call with others": (DISCARDED, [{"type": "chi", "pai": "E", "consumed": ["2m", "3m"]}]),
    "between two hands": ([*DRAWN, {"type": "ryukyoku"}, {"type": "end_kyoku"}], [{"type": "dahai", "pai": "7s"}]),
    "before the first hand": ([GAME], [{"type": "dahai", "pai": "7s"}]),
}  # fmt: skip


@pytest.mark.parametrize("on_request", [False, True])
@pytest.mark.parametrize(("before", "offered"), UNEXPECTED.values(), ids=UNEXPECTED)
def test_a_request_that_we_do_not_expect_is_named_and_answered_with_what_it_offers(
    speaker: Any, before: list[Any], offered: list[dict[str, Any]], on_request: bool
) -> None:
    door = speaker(on_request=on_request)
    door.say(*before)
    ((said, asked),) = door.say({"type": "request_action", "request_id": 5, "possible_actions": offered})
    assert any(said | offer == said for offer in offered)
    assert (said["type"] != "dahai" or "pai" in said, said["request_id"], asked) == (True, 5, True)
    kinds = ", ".join(each["type"] for each in offered)
    note = f"line {len(before) + 1}: offers {kinds} where we see no such choice; one of them is answered"
    assert door.notes == [note]
    assert door.program.corrected == 1


def test_a_request_for_nothing_is_answered_with_none(speaker: Any) -> None:
    door = speaker(on_request=True)
    nothing = {"type": "request_action", "possible_actions": [{"type": "none"}]}
    assert [said for said in door.say(GAME, nothing, DEAL, nothing) if said[1]] == [(NONE, True)] * 2
    door.say(DRAW, CUT, {"type": "fly"})
    assert door.say(nothing, nothing | {"actor": 2}, nothing | {"can_act": False})[1:] == [(NONE, False)] * 2
    assert (len(door.notes), "fly" in door.notes[0]) == (1, True)


@pytest.mark.parametrize(("start", "kyoku"), [({"names": ["A", "B", "C"]}, {}), ({}, {"scores": [35000] * 3})], ids=str)
def test_three_players_are_refused_before_any_decision(
    speaker: Any, start: dict[str, Any], kyoku: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match=r"line [12] \(start_\w+\): this is a three-player game"):
        speaker().say(GAME | start, DEAL | kyoku)


@pytest.mark.parametrize(
    ("start", "tonpu", "hanchan"),
    [
        ({"gametype": "tonpu"}, False, False),
        ({"gametype": "tonnan"}, True, True),
        ({"kyoku_first": 4}, False, False),
        ({}, True, False),
        ({}, False, True),
    ],
)
def test_the_length_of_the_game_is_the_servers_or_the_options(
    speaker: Any, start: dict[str, Any], tonpu: bool, hanchan: bool
) -> None:
    door = speaker(tonpu=tonpu)
    door.say(GAME | start, DEAL)
    assert door.program._table[1].state.rules.hanchan is hanchan


def test_a_wrong_flag_is_named_once_and_counted(speaker: Any) -> None:
    door = speaker()
    pon = {"type": "pon", "actor": 0, "target": 1, "pai": "E", "consumed": ["E", "E"]}
    door.say(
        GAME, DEAL, DRAW, CUT, {"type": "tsumo", "actor": 1, "pai": "?"}, {"type": "dahai", "actor": 1, "pai": "E"}, pon
    )
    door.say({"type": "dahai", "actor": 0, "pai": "N", "tsumogiri": True})
    pon_of_another = {"type": "pon", "actor": 3, "target": 1, "pai": "9s", "consumed": ["9s", "9s"]}
    door.say({"type": "tsumo", "actor": 1, "pai": "?"}, {"type": "dahai", "actor": 1, "pai": "9s"}, pon_of_another)
    door.say({"type": "dahai", "actor": 3, "pai": "N", "tsumogiri": True})
    assert door.notes == [
        'line 8: "tsumogiri" is true where the discard is not the tile just drawn (E1, event 6); read so'
    ]
    assert door.program.corrected == 2


def test_open_hands_are_not_used(speaker: Any) -> None:
    door = speaker()
    door.say(GAME, START[1] | {"tehais": HANDS}, DRAW, CUT, {"type": "tsumo", "actor": 1, "pai": "4m"})
    assert door.say({"type": "dahai", "actor": 1, "pai": "4m", "tsumogiri": False})[0][0]["type"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"type":"start_game","id":0,"x":NaN}', "contains a number that no game has: NaN"),
        ('{"type":"start_game","id":' + "9" * 5000 + "}", "contains a number that no game has: 9999"),
        ('{"type":"start_game","id":' + "9" * 18 + "}", '"id" is 9999.*; players are 0 to 3'),
        ("[" * 100_000, "is not JSON"),
        ("3", 'has no "type": 3'),
        ('{"type":["a"]}', 'has no "type"'),
    ],
)
def test_lines_that_are_something_else(speaker: Any, line: str, words: str) -> None:
    with pytest.raises(InputError, match=f"line 1.*{words}"):
        speaker().program.hear(line)


def test_an_empty_list_asks_nothing(speaker: Any) -> None:
    door = speaker()
    assert door.say([], GAME, DEAL, DRAW, [])[-1] == (NONE, False)


@pytest.mark.parametrize("offered", ["x", 3, {}, [], ["x", 4], [{"type": ["a"]}, {}]])
def test_a_request_whose_offer_is_none_is_answered_all_the_same(speaker: Any, offered: Any) -> None:
    door = speaker(on_request=True)
    door.say(GAME, DEAL, DRAW)
    ((said, asked),) = door.say({"type": "request_action", "request_id": {"a": 1}, "possible_actions": offered})
    assert (said["type"], said["request_id"], asked) == ("dahai", {"a": 1}, True)


def test_a_hidden_hand_of_our_own_is_named(speaker: Any) -> None:
    with pytest.raises(InputError, match=r'line 2 \(start_kyoku\): "tehais" hides the hand of player 1, who is us'):
        speaker().say(GAME | {"id": 1}, DEAL)


@pytest.mark.parametrize("others", [HIDDEN, [], None, [*HIDDEN, "?"]])
def test_other_hands_may_be_hidden_in_many_ways(speaker: Any, others: Any) -> None:
    door = speaker()
    tehais = [DEAL["tehais"][0], others, others, others]
    lines = [GAME, DEAL | {"tehais": tehais}, DRAW, CUT, {"type": "tsumo", "actor": 1}]
    assert [said["type"] for said, _ in door.say(*lines)] == ["none", "none", "dahai", "none", "none"]


@pytest.mark.parametrize(
    "end",
    [
        [{"type": "ryukyoku"}],
        [{"type": "ryukyoku", "deltas": None, "scores": None, "reason": None, "tenpais": None}],
        [{"type": "ryukyoku", "reason": "rain", "scores": [25000.0] * 4}],
        [{"type": "hora", "actor": 1, "target": 0}],
        [{"type": "hora", "actor": 1, "target": 0, "deltas": None}, {"type": "hora", "actor": 2, "target": 0}],
        [{"type": "hora", "actor": 1, "target": 0, "scores": [24000.0, 26000.0, 25000.0, 25000.0]}],
        [],
    ],
    ids=str,
)
def test_hands_may_end_without_payments_and_the_next_one_begins(speaker: Any, end: list[Any]) -> None:
    door = speaker()
    door.say(GAME, DEAL, DRAW, CUT, *end)
    following = DEAL | {"honba": 1, "scores": [24000, 26000, 25000, 25000]}
    assert door.say(following, DRAW)[-1][0]["type"] in {"dahai", "reach"}
    assert door.program._table[1].state.scores == [24000, 26000, 25000, 25000]


@pytest.mark.parametrize("points", [10**18, -(10**18), 2**63, 10**9, 0.5, "25000", True, None])
def test_scores_that_no_game_has_cost_their_hand(speaker: Any, points: Any) -> None:
    door = speaker()
    (_, _, (said, asked)) = door.say(GAME, DEAL | {"scores": [points, 25000, 25000, 25000]}, DRAW)
    assert (said, asked) == (CUT, True)
    assert len(door.notes) == 1
    assert re.match(r"line 2 \(start_kyoku\): .*score", door.notes[0])
    door.say(DEAL | {"scores": [26000, 24000, 25000, 25000]}, DRAW)
    assert door.program.thought is not None


# -- bytes -------------------------------------------------------------------------------------------------------------


def lines_of(data: bytes) -> list[bytes]:
    return list(_lines(io.BytesIO(data)))


def test_a_byte_order_mark_is_no_part_of_a_line() -> None:
    assert lines_of(b"\xef\xbb\xbf{}\r\n\n\xef\xbb\xbf[]\n  \n3") == [b"{}", b"[]", b"3"]


UNREADABLE = {
    "utf-16": ('{"type":"hello"}\n'.encode("utf-16"), "is UTF-16; mjai is UTF-8"),
    "utf-16-le": ('{"type":"hello"}\n'.encode("utf-16-le"), "is UTF-16; mjai is UTF-8"),
    "utf-16-be": ('{"type":"hello"}\n'.encode("utf-16-be"), "is UTF-16; mjai is UTF-8"),
    "long": (b"a" * (2 * LINE) + b"\n", f"has more than {LINE >> 20} MiB"),
    "many values": (b"[" + b"[]," * VALUES + b"[]]\n", f"has more than {VALUES:,} values"),
    "other bytes": (bytes(range(128, 256)) + b"\n", "is not JSON"),
}


@pytest.mark.parametrize(("data", "why"), UNREADABLE.values(), ids=UNREADABLE)
def test_bytes_that_are_no_line_are_refused_before_a_game_and_cost_their_hand_within_one(
    speaker: Any, data: bytes, why: str
) -> None:
    with pytest.raises(InputError, match=f"line 1: {why}"):
        speaker().program.hear(lines_of(data)[0])
    door = speaker()
    door.say(GAME, DEAL, DRAW, CUT)
    unreadable, following = lines_of(data + json.dumps({"type": "tsumo", "actor": 1, "pai": "?"}).encode())
    assert [json.loads(door.program.hear(line)) for line in (unreadable, following)] == [NONE, NONE]
    assert len(door.notes) == 1
    assert door.notes[0].startswith(f"line 5: {why}")
    assert door.say(DRAW)[0] == (CUT, True)


def test_a_line_of_many_megabytes_is_read(speaker: Any) -> None:
    name = "A" * (10 << 20)
    (line,) = lines_of(json.dumps(GAME | {"names": [name, "B", "C", "D"]}).encode())
    assert json.loads(speaker().program.hear(line)) == NONE


def test_a_line_that_says_nothing_asks_nothing(speaker: Any) -> None:
    door = speaker()
    door.say(GAME, DEAL, DRAW)
    assert door.program.hear('{"type":"none"}')
    assert not door.program.asked


# -- lines that cannot be ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        {"type": "dora", "dora_marker": "9m"},
        {"type": "dahai", "actor": 1, "pai": "1m", "tsumogiri": True},
        {"type": "pon", "actor": 2, "target": 1, "pai": "P", "consumed": ["P", "P"]},
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "fly"},
        {"type": "dahai", "actor": 0},
        [],
        7,
    ],
    ids=str,
)
def test_an_impossible_line_costs_its_hand_and_not_the_game(speaker: Any, line: Any) -> None:
    door = speaker()
    door.say(GAME, DEAL | {"dora_marker": "9m"}, DRAW)
    assert door.say(line)[0][0]["type"] in {"none", "dahai"}
    if line != []:
        assert len(door.notes) == 1
        assert "the rest of this hand is played by passing and discarding what is drawn" in door.notes[0]
        assert door.say({"type": "tsumo", "actor": 1, "pai": "?"}) == [(NONE, False)]
        assert door.say({"type": "tsumo", "actor": 0, "pai": "P"})[0][0] == CUT | {"pai": "P"}
    following = DEAL | {"kyoku": 2, "oya": 1}
    door.say({"type": "end_kyoku"}, following, {"type": "tsumo", "actor": 1, "pai": "?"})
    door.say({"type": "dahai", "actor": 1, "pai": "9m", "tsumogiri": True})
    door.say(
        *(
            {"type": kind, "actor": seat, "pai": pai}
            for seat in (2, 3)
            for kind, pai in (("tsumo", "?"), ("dahai", "9m"))
        )
    )
    said, asked = door.say(DRAW)[0]
    assert (said["type"] in {"dahai", "reach"}, asked) == (True, True)
    assert door.program.thought is not None


ANOTHER_KIND: tuple[Any, ...] = (["C"], {}, {"a": 1}, 3, 1.5, True, [["C"]], [{}], ["²m", "3m"], "²m", ["5mr"] * 9)


@pytest.mark.parametrize("key", ["pai", "consumed", "actor", "target", "tsumogiri", "dora_marker", "tehais"])
@pytest.mark.parametrize("kind", ["tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "dora"])
@pytest.mark.parametrize("actor", [0, 1])
def test_a_field_of_another_kind_takes_us_from_no_table(speaker: Any, kind: str, key: str, actor: int) -> None:
    door = speaker()
    line = {"type": kind, "actor": actor, "target": 3, "pai": "4m", "consumed": ["2m", "3m"], "dora_marker": "C"}
    for value in ANOTHER_KIND:
        door.say(GAME, DEAL, line | {key: value}, {"type": "tsumo", "actor": 1, "pai": "?"})
        assert door.say(DRAW, {"type": "request_action"})[-1][1]


@pytest.mark.parametrize(
    "line",
    [
        {"type": "ryukyoku"},
        {"type": "hora", "actor": 1, "target": 1},
        {"type": "end_kyoku"},
        {"type": "end_game"},
        GAME,
        {"type": "start_game"},
        {"type": "start_game", "id": 0, "names": ["a", "b", "c"]},
        {"type": "error", "message": "no"},
        DEAL | {"kyotaku": 100_000},
        {"type": "start_kyoku", "scores": [35_000] * 3},
    ],
    ids=str,
)
def test_no_line_takes_us_from_the_table_in_the_middle_of_a_hand(speaker: Any, line: Any) -> None:
    door = speaker()
    door.say(GAME, DEAL, DRAW, CUT, line)
    others = [{"type": kind, "actor": seat, "pai": "?" if kind == "tsumo" else "9m"} for seat in (1, 2, 3)
              for kind in ("tsumo", "dahai")]  # fmt: skip
    door.say(*others)
    said, asked = door.say(DRAW | {"pai": "P"})[0]
    assert (said["type"] in {"dahai", "reach"}, said.get("pai", "P"), asked) == (True, said.get("pai", "P"), True)
    door.say(DEAL | {"kyoku": 2, "oya": 1}, {"type": "tsumo", "actor": 1, "pai": "?"})
    assert door.program._table[1].state.kyoku == 1


def test_a_drawn_tile_that_cannot_be_is_not_discarded(speaker: Any) -> None:
    door = speaker()
    said, asked = door.say(GAME, DEAL, DRAW | {"pai": "10m"})[-1]
    assert (said["type"], said["pai"] in DEAL["tehais"][0], said["tsumogiri"], asked) == ("dahai", True, False, True)


def test_fields_missing_from_a_line_of_our_own_call_are_those_of_our_answer() -> None:
    own = OwnTiles(0)
    own.take(DEAL | {"tehais": [["C", "C", *HANDS[0][:9], "P", "N"]]}, NONE)
    own.take({"type": "pon", "actor": 0}, {"type": "pon", "actor": 0, "pai": "C", "consumed": ["C", "C"]})
    assert own.discard() == {"type": "dahai", "actor": 0, "pai": "N", "tsumogiri": False}
    own.take({"type": "dahai", "actor": 0}, {"type": "dahai", "actor": 0, "pai": "N"})
    own.take({"type": "chi", "actor": 0}, {"type": "chi", "actor": 0, "pai": "4m", "consumed": ["2m", "3m"]})
    assert own.discard() == {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": False}
    own.take({"type": "tsumo", "actor": 1, "pai": "?"}, NONE)
    own.take({"type": "dahai", "actor": 0, "pai": "P"}, NONE)
    assert own.discard() is None


@pytest.mark.parametrize(
    ("held", "called", "consumed"),
    [
        (["9p", "1m", "4m"], "4m", ["2m", "3m"]),
        (["9p", "8m", "5m", "5mr"], "0m", ["6m", "7m"]),
        (["1m", "5m", "9p", "3m"], "3m", ["2m", "4m"]),
        (["9p", "4m"], "4m", ["²m", "3m"]),
        (["9p", "C"], "C", ["C", "C"]),
    ],
)
def test_what_a_call_forbids_is_not_discarded(held: list[str], called: str, consumed: list[str]) -> None:
    own = OwnTiles(0)
    own.take(DEAL | {"tehais": [held]}, NONE)
    own.take({"type": "chi", "actor": 0, "target": 3, "pai": called, "consumed": consumed}, NONE)
    assert own.discard() == {"type": "dahai", "actor": 0, "pai": "9p", "tsumogiri": False}


def test_a_table_without_red_fives_is_seen_from_its_tiles(speaker: Any) -> None:
    door = speaker()
    fives = ["5m", "5m", "5m", "5m", "1p", "4p", "7p", "2s", "5s", "8s", "E", "S", "W"]
    said, asked = door.say(GAME, DEAL | {"tehais": [fives, HIDDEN, HIDDEN, HIDDEN]}, DRAW | {"pai": "9p"})[-1]
    assert (said["type"] in {"dahai", "ankan"}, asked, door.notes) == (True, True, [])
    assert not door.program._table[1].state.rules.red_fives


def test_an_impossible_hand_of_a_server_that_requests_is_played_from_what_it_offers(speaker: Any) -> None:
    door = speaker(on_request=True)
    door.say(GAME, DEAL, DRAW, {"type": "fly"})
    offered = [{"type": "dahai", "pai": "C"}, {"type": "reach"}]
    assert door.say({"type": "request_action", "possible_actions": offered})[0][0] == CUT
    claims = [{"type": "pon", "pai": "E"}, {"type": "none"}]
    assert door.say(CUT, {"type": "request_action", "possible_actions": claims})[-1] == (NONE, True)
