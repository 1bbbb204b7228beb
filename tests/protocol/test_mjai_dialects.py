"""mjai as other programs write it: fields that are absent, null, numbers with a point, other words, wrong flags."""

from __future__ import annotations

import json
import tarfile
from functools import cache

import pytest

from engine.arena import play_game
from engine.model import events as ev
from engine.model.rules import HANCHAN, TONPU
from engine.policy.registry import make_policy
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs import mjai
from protocol.logs.draws import kind_of_word
from protocol.logs.game_log import GameLog
from tests.protocol.test_mjai import END, HANDS, HORA, RIICHI, SCORE, START


def read(lines):
    return mjai.read("\n".join(map(json.dumps, lines)))


def unpaid(log):
    """The positions of events whose payments the log does not state."""
    ends = ((at, event) for at, event in enumerate(log.events) if isinstance(event, ev.Win | ev.Ryuukyoku))
    return [at for at, event in ends if ev.Unstated.PAYMENTS in event.unstated]


@cache
def played(seed, rules=TONPU):
    """A game of our own as lines."""
    events = play_game([make_policy("simple") for _ in range(4)], rules, seed).events
    return tuple(map(json.loads, mjai.write(GameLog(events)).splitlines()))


def with_scores_at_the_end(lines):
    end = read(lines).events[-1]
    return [line | {"scores": list(end.scores)} if line["type"] == "end_game" else line for line in lines]


def without(lines, *keys, of=()):
    return [
        {key: value for key, value in line.items() if key not in keys} if not of or line["type"] in of else line
        for line in lines
    ]


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
    "payments by the next scores": lambda lines: without(with_scores_at_the_end(lines), "deltas"),
    "null for payments": lambda lines: [
        line | {"deltas": None} if "deltas" in line else line for line in with_scores_at_the_end(lines)
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


def course(*hands, end):
    """A game of hands that end at once: kyoku and scores of each, and the final scores."""
    lines = [{"type": "start_game", "names": ["A", "B", "C", "D"]}]
    after = [*(scores for _, scores in hands[1:]), end]
    for (kyoku, scores), then in zip(hands, after, strict=True):
        lines.append(
            START[1] | {"bakaze": "ESW"[kyoku // 4], "kyoku": kyoku % 4 + 1, "oya": kyoku % 4} | {"scores": scores}
        )
        lines.append({"type": "tsumo", "actor": kyoku % 4, "pai": "9m"})
        deltas = [b - a for a, b in zip(scores, then, strict=True)]
        lines.append({"type": "ryukyoku", "reason": "kyushukyuhai", "deltas": deltas})
    return read([*lines, {"type": "end_game"}])


EVEN, LED = [25000] * 4, [31000, 23000, 23000, 23000]


@pytest.mark.parametrize(
    ("hands", "end", "hanchan"),
    [
        ([(0, EVEN), (3, EVEN)], LED, False),
        ([(0, EVEN), (3, EVEN), (4, EVEN)], LED, False),
        ([(0, EVEN), (3, EVEN), (4, EVEN), (6, EVEN)], LED, False),
        ([(0, EVEN), (3, EVEN), (4, LED), (6, EVEN)], LED, True),
        ([(0, EVEN), (3, EVEN), (4, EVEN), (7, EVEN)], LED, True),
        ([(0, EVEN), (2, EVEN)], [60000, 30000, 20000, -10000], True),
        ([(0, EVEN), (3, EVEN)], [60000, 30000, 20000, -10000], True),
        ([(0, EVEN), (1, EVEN)], LED, True),
        ([(0, EVEN), (8, EVEN)], LED, True),
    ],
)
def test_the_course_of_short_and_long_games(hands, end, hanchan):
    assert course(*hands, end=end).start.rules.hanchan is hanchan


# ------------------------------------------------------------------------------------------- payments


def test_a_win_without_payments_and_without_scores_after_it_is_named_as_unpaid():
    win = {"type": "hora", "actor": 0, "target": 1}
    log = read([*START, *RIICHI, win, *END])
    assert unpaid(log) == [8]
    assert log.events[8].deltas == (0, 0, 0, 0)
    paid = read([*START, *RIICHI, win, END[0], {"type": "end_game", "scores": [37000, 13000, 25000, 25000]}])
    assert (unpaid(paid), paid.events[8].deltas) == ([], (13000, -12000, 0, 0))


@pytest.mark.parametrize(
    "scores", [[37000, 13000, 25000, 25001], [1, 2, 3], "?", [37.5, 13, 25, 25], None, [10**30, 0, 0, 0]]
)
def test_scores_that_do_not_add_up_pay_nothing(scores):
    win = {"type": "hora", "actor": 0, "target": 1}
    assert unpaid(read([*START, *RIICHI, win, {"type": "end_game", "scores": scores}])) == [8]


def double_ron(first, second, then):
    """Seats 0 and 2 win from seat 1."""
    lines = [*START, *RIICHI[:4], {"type": "tsumo", "actor": 1, "pai": "S"}, {"type": "dahai", "actor": 1, "pai": "S"}]
    horas = [{"type": "hora", "actor": 2, "target": 1} | first, {"type": "hora", "actor": 0, "target": 1} | second]
    return read([*lines, *horas, {"type": "end_kyoku"}, START[1] | {"kyoku": 2, "oya": 1, "scores": then}])


def test_each_winner_of_a_double_ron_gains_what_the_scores_say():
    # Seat 0 has put down a stick: 24000 25000 25000 25000. Seat 2 wins 3,900 and takes it, seat 0 wins 7,700.
    then = [31700, 13400, 29900, 25000]
    for first, second in (({}, {}), ({"deltas": [0, -3900, 4900, 0]}, {}), ({}, {"deltas": [7700, -7700, 0, 0]})):
        log = double_ron(first, second, then)
        assert [event.deltas for event in log.events if isinstance(event, ev.Win)] == [
            (0, -3900, 4900, 0),
            (7700, -7700, 0, 0),
        ]
        assert unpaid(log) == []
    liable = double_ron({}, {}, [31700, 15400, 29900, 23000])
    assert len(unpaid(liable)) == 2


def test_a_draw_without_payments_is_paid_by_the_next_scores():
    lines = list(played(3))
    plain = read(lines)
    draws = [event for event in plain.events if isinstance(event, ev.Ryuukyoku) and any(event.deltas)]
    assert draws
    for keys in (("deltas",), ("deltas", "tenpais"), ("deltas", "reason"), ("deltas", "tenpais", "reason")):
        again = read(without(with_scores_at_the_end(lines), *keys, of={"ryukyoku"}))
        assert again == plain, keys


# ------------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("word", ["ryukyoku", "draw", "rain", "", "九九九"])
def test_a_word_that_names_no_kind_is_read_by_the_play(word):
    lines = [line | {"reason": word} if line["type"] == "ryukyoku" else line for line in played(3)]
    log = read(lines)
    assert log == read(list(played(3)))
    number = sum(line["type"] == "ryukyoku" for line in lines)
    if word in {"rain", "九九九"}:
        (note,) = log.notes
        assert f"the draw {word!r} is not known; by the play it is the end of the wall (" in note
        assert number == 1 or f"and {number - 1} more)" in note
    else:
        assert log.notes == ()


@pytest.mark.parametrize("reason", ["yao9", "kaze4", "reach4", "ron3", "kan4", "nm", "exhaustive", "流局"])
def test_tenhous_words(reason):
    lines = RIICHI[:1] if reason == "yao9" else RIICHI
    draw = read([*START, *lines, {"type": "ryukyoku", "reason": reason, "deltas": [0] * 4}, *END]).events[-2]
    assert draw.kind is kind_of_word(reason)


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


# ------------------------------------------------------------------------------------------- three players

SANMA_HANDS = [
    ["1m", "9m", "1p", "2p", "3p", "4p", "5p", "1s", "2s", "3s", "E", "E", "S"],
    ["1m", "9m", "1p", "2p", "3p", "4p", "5p", "1s", "2s", "3s", "E", "E", "S"],
    ["1m", "9m", "1p", "2p", "3p", "4p", "6p", "1s", "2s", "3s", "W", "W", "S"],
]
UNKNOWN = ["?"] * 13
THREE = [
    [{"names": ["A", "B", "C"]}, {}],
    [{"num_players": 3}, {}],
    [{"num_players": 3.0}, {}],
    [{"numPlayers": 3}, {}],
    [{"player_count": 3}, {}],
    [{"players": ["A", "B", "C"]}, {}],
    [{"is_3p": True}, {}],
    [{"sanma": True}, {}],
    [{"game_mode": "3p-red-half"}, {}],
    [{"rule": {"disp": "三鳳南喰赤"}}, {}],
    [{}, {"scores": [35000, 35000, 35000, 0]}],
    [{}, {"scores": [35000.0, 35000.0, 35000.0, 0.0]}],
    [{}, {"scores": [0, 35000, 35000, 35000]}],
    [{}, {"scores": [40000, 35000, 30000, 0], "kyoku": 2, "oya": 1}],
    [{}, {"scores": [40000, 34000, 30000, 0], "kyotaku": 1}],
    [{"names": ["A", "B", "C", ""]}, {"scores": [40000, 33000, 30000, 0]}],
    [{}, {"scores": [35000, 35000, 35000]}],
    [{}, {"tehais": SANMA_HANDS}],
    [{}, {"tehais": [*SANMA_HANDS, UNKNOWN]}],
    [{}, {"tehais": [*SANMA_HANDS, []]}],
    [{}, {"tehais": [*SANMA_HANDS, None]}],
]


@pytest.mark.parametrize(("start", "kyoku"), THREE, ids=str)
def test_three_players_are_seen_at_the_first_event_that_shows_them(start, kyoku):
    names = {"names": ["A", "B", "C", "D"]}
    shown = {"tehais": [HANDS[0], UNKNOWN, UNKNOWN, UNKNOWN]} | kyoku
    with pytest.raises(UnsupportedGameError, match=r"line [12]: three-player mahjong is not supported"):
        read([{"type": "start_game"} | names | start, START[1] | shown])


@pytest.mark.parametrize(
    ("start", "kyoku"),
    [
        ({"names": ["A", "B", "C", ""]}, {}),
        ({"num_players": 4}, {}),
        ({"players": ["A", "B", "C", "D"]}, {}),
        ({"is_3p": False}, {}),
        ({"names": ["A", "B", "C", "D"]}, {"scores": [50000, 30000, 20000, 0], "bakaze": "S"}),
    ],
    ids=str,
)
def test_four_players_are_not_taken_for_three(start, kyoku):
    log = read([{"type": "start_game"} | start, START[1] | kyoku, *RIICHI, HORA])
    assert isinstance(log.events[-1], ev.Win)


@pytest.mark.parametrize("word", ["kita", "nukidora", "pei"])
def test_a_north_that_is_put_aside_is_of_three_players(word):
    with pytest.raises(UnsupportedGameError):
        read([*START, RIICHI[0], {"type": word, "actor": 0, "pai": "N"}])


def test_two_players_are_refused_for_what_they_are():
    with pytest.raises(LogError, match='"start_game" says that 2 play'):
        read([START[0] | {"num_players": 2}, START[1]])


# ------------------------------------------------------------------------------------------- values of wins


def test_the_value_of_a_win_in_numbers_with_a_point():
    value = {"yakus": [["reach", 1.0], ["ippatsu", 1], ["dora", 2.0]], "fu": 40.0, "hora_points": 12000.0}
    plain = read([*START, *RIICHI, HORA | SCORE, *END])
    assert read([*START, *RIICHI, HORA | value, *END]) == plain


@pytest.mark.parametrize(
    "value", [{"hora_points": 10**30}, {"hora_points": -1}, {"fu": 10**20}, {"yakus": [["reach", 10**30]]}]
)
def test_a_value_that_no_win_has_is_not_stated(value):
    assert read([*START, *RIICHI, HORA | SCORE | value, *END]).events[-2].score is None


# ------------------------------------------------------------------------------------------- recordings


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("every", "draws_at_least"),
    [pytest.param(10, 6, id="a tenth"), pytest.param(1, 101, id="all", marks=pytest.mark.slow)],
)
def test_recordings_lose_nothing_with_their_payments(corpus, every, draws_at_least):
    """Every win and draw is paid by the next scores, and each draw by the play alone."""
    found = draws = 0
    with tarfile.open(corpus / "tenhou6-mjai.tar.xz", "r|xz") as archive:
        for member in archive:
            if not member.name.endswith(".jsonl") or "/mjai/" not in f"/{member.name}":
                continue
            found += 1
            if found % every:
                continue
            data = archive.extractfile(member).read().decode()
            lines = [json.loads(line) for line in data.splitlines()]
            plain = read(lines)
            again = read(without(with_scores_at_the_end(lines), "deltas", "reason"))
            assert again == plain, member.name
            draws += sum(isinstance(event, ev.Ryuukyoku) for event in plain.events)
    assert found == 99
    assert draws >= draws_at_least


@pytest.mark.parametrize(
    ("start", "deal"),
    [
        ({"num_players": "3"}, {}),
        ({"gametype": "3ma"}, {}),
        ({"title": ["サンマ", ""]}, {}),
        ({}, {"scores": [35000, 35000, 35000, -1]}),
        ({}, {"scores": [35000, 35000, 35000, 35000], "tehais": [*HANDS[:3], []]}),
        ({}, {"scores": [35000, 35000, 35000, 35000], "tehais": [*HANDS[:3], None]}),
    ],
    ids=str,
)
def test_three_players_with_a_seat_for_nobody(start, deal):
    with pytest.raises(UnsupportedGameError):
        read([START[0] | start, START[1] | deal])


@pytest.mark.parametrize(
    "said", [{"tonpu": True}, {"is_tonpuu": True}, {"east_only": True}, {"title": ["玉の間東", ""]}], ids=str
)
def test_more_fields_that_say_east_only(said):
    first = {key: value for key, value in START[0].items() if key != "kyoku_first"} | said
    assert read([first, *START[1:]]).start.rules.hanchan is False
