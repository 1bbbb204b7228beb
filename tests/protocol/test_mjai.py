from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from itertools import islice
from pathlib import PurePath

import pytest

from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.rules import Rules
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs import mjai, tenhou6
from protocol.logs.words import DRAWS
from protocol.tenhou.events import Announcer
from tests.protocol.mjai_lines import END, HANDS, HORA, RIICHI, SCORE, START, text


def game(*lines):
    return mjai.read(text(*START, *lines))


def test_a_small_game():
    read = mjai.read(text(*START, *RIICHI, HORA, *END), "a.jsonl")
    assert read.start == ev.StartGame(Rules(hanchan=False), ("A", "B", "C", "D"))
    assert [type(event) for event in read.events[2:]] == [
        ev.Draw, ev.RiichiDeclared, ev.Discard, ev.RiichiAccepted, ev.Draw, ev.Discard, ev.Win, ev.EndGame,
    ]  # fmt: skip
    win, end = read.events[-2:]
    assert win.tile == read.events[-3].tile
    assert win.scores_before == (24000, 25000, 25000, 25000)
    assert win.riichi_sticks == 1
    assert len(win.ura_indicators) == 1
    assert win.score is None
    assert end.scores == (37000, 13000, 25000, 25000)
    assert mjai.read(mjai.write(read)) == read


def test_play_means_the_same_whatever_the_dialect():
    plain = game(*RIICHI, HORA, *END)
    without = [line for line in RIICHI if line["type"] != "reach_accepted"]
    assert game(*without, HORA, *END) == plain
    scores = {key: value for key, value in HORA.items() if key != "deltas"} | {"scores": [37000, 13000, 25000, 25000]}
    assert game(*without, scores, *END) == plain
    as_list = json.dumps([*START, *RIICHI, HORA, *END])
    assert mjai.read(as_list) == plain
    other_names = text(*START, *RIICHI, HORA, *END).replace('"5mr"', '"0m"').replace('"E", "E"', '"1z", "1z"')
    assert mjai.read(other_names) == plain
    gimite = json.loads(json.dumps(HORA).replace("ura_markers", "uradora_markers"))
    assert game(*RIICHI, {"type": "none"}, gimite, *END) == plain


def test_score_of_a_win():
    win = game(*RIICHI, HORA | SCORE, *END).events[-2]
    assert win.score == ev.WinScore(40, 12000, 1, ((1, 1), (2, 1), (52, 2), (53, 0)))
    # Which dragons a sangenpai were, the hand tells.
    hands = [["P", "P", "P", "F", "F", "F", *HANDS[0][6:]], HANDS[1], [*HANDS[2][:9], "9m", "9p", "9s", "C"]]
    hands = [*hands, [*HANDS[3][:9], "9s", "9s", "C", "C"]]
    start = [START[0], START[1] | {"tehais": hands}]
    dragons = HORA | SCORE | {"yakus": [["reach", 1], ["sangenpai", 2], ["jikaze", 1]]}
    hands[1][-1] = "6s"
    read = mjai.read(text(*start, *RIICHI, dragons, *END))
    assert read.events[-2].score.yaku == ((1, 1), (18, 1), (19, 1), (10, 1), (53, 0))
    assert '["sangenpai",2]' in mjai.write(read)
    lost = HORA | SCORE | {"yakus": [["reach", 1], ["magic", 1]]}
    assert game(*RIICHI, lost, *END).events[-2].score is None


def test_a_win_whose_source_gives_no_score_is_announced_without_what_honba_paid():
    (win,) = [event for event in game(*RIICHI, HORA, *END).events if isinstance(event, ev.Win)]
    announcer = Announcer()
    announcer.announce(ev.StartGame(Rules(honba_points=1500), ("A", "B", "C", "D")))
    plain = announcer.announce(replace(win, honba=0)).ten
    paid = tuple(delta + 1500 * ((seat == win.seat) - (seat == win.from_seat)) for seat, delta in enumerate(win.deltas))
    assert announcer.announce(replace(win, honba=1, deltas=paid)).ten == plain


def test_indicator_of_an_added_kan_waits_for_the_discard():
    lines = [
        {"type": "tsumo", "actor": 0, "pai": "W"},
        {"type": "dahai", "actor": 0, "pai": "W", "tsumogiri": True},
        {"type": "pon", "actor": 1, "target": 0, "pai": "W", "consumed": ["W", "W"]},
        {"type": "dahai", "actor": 1, "pai": "1m", "tsumogiri": False},
    ]
    start = [START[0], START[1] | {"dora_marker": "1m"}]
    with pytest.raises(LogError, match="line 8, E1, event 5: a discard: seat 2 holds 13 tiles"):
        mjai.read(text(*start, *lines, {"type": "none"}, {"type": "dahai", "actor": 2, "pai": "2m"}))
    rest = [
        {"type": "tsumo", "actor": 2, "pai": "9m"},
        {"type": "dahai", "actor": 2, "pai": "9m", "tsumogiri": True},
        {"type": "tsumo", "actor": 3, "pai": "9p"},
        {"type": "dahai", "actor": 3, "pai": "9p", "tsumogiri": True},
        {"type": "tsumo", "actor": 0, "pai": "9s"},
        {"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": True},
        {"type": "tsumo", "actor": 1, "pai": "W"},
        {"type": "kakan", "actor": 1, "pai": "W", "consumed": ["W", "W", "W"]},
        {"type": "dora", "dora_marker": "4m"},
        {"type": "tsumo", "actor": 1, "pai": "9s"},
        {"type": "dahai", "actor": 1, "pai": "9s", "tsumogiri": True},
        {"type": "ryukyoku", "deltas": [0, 0, 0, 0], "reason": "sukaikan"},
    ]
    read = mjai.read(text(*start, *lines, *rest))
    assert [type(event) for event in read.events[-5:]] == [ev.Call, ev.Draw, ev.NewDora, ev.Discard, ev.Ryuukyoku]
    assert mjai.read(mjai.write(read)) == read


@pytest.mark.parametrize("kind", RyuukyokuKind)
def test_draws_keep_their_reason(kind):
    line = {"type": "ryukyoku", "reason": DRAWS[kind].mjai, "tenpais": [True, False, False, True], "deltas": [0] * 4}
    lines = RIICHI[:1] if kind is RyuukyokuKind.NINE_TERMINALS else RIICHI
    read = game(*lines, line, *END)
    draw = read.events[-2]
    assert draw.kind is kind
    assert [hand is not None for hand in draw.hands] == [True, False, False, True]
    assert mjai.read(mjai.write(read)) == read


def test_reason_is_worked_out_where_it_is_missing():
    draw = {"type": "ryukyoku", "deltas": [0, 0, 0, 0]}
    assert isinstance(game(RIICHI[0], draw).events[-1], ev.Draw), "the hand holds no nine terminals"
    winds = []
    for seat in range(4):
        winds += [
            {"type": "tsumo", "actor": seat, "pai": "N"},
            {"type": "dahai", "actor": seat, "pai": "N", "tsumogiri": True},
        ]
    hands = [[("9m" if tile == "N" else tile) for tile in hand] for hand in HANDS]
    start = [START[0], START[1] | {"tehais": hands}]
    assert mjai.read(text(*start, *winds, draw)).events[-1].kind is RyuukyokuKind.FOUR_WINDS
    open_end = game(*RIICHI, draw)
    assert isinstance(open_end.events[-1], ev.Discard), "three rons, or the log breaks off: that is not certain"
    assert "how the hand ended is left open" in open_end.notes[0]


def test_one_players_view():
    hidden = [START[0], START[1] | {"tehais": [HANDS[0], *[["?"] * 13] * 3]}]
    lines = [*RIICHI[:4], {"type": "tsumo", "actor": 1, "pai": "?"}, RIICHI[5], HORA]
    read = mjai.read(text(*hidden, *lines))
    assert read.events[1].hands[1:] == (None, None, None)
    assert read.events[6] == ev.Draw(1, None)
    assert mjai.read(mjai.write(read)) == read
    with pytest.raises(LogError, match="hidden tiles"):
        tenhou6.write(read)


BAD = [
    ([], "contains no hand"),
    (START[:1], "contains no hand"),
    ([3], 'is not an mjai event: \'3\' has no "type"'),
    ([{"type": 7}], "is not an mjai event"),
    ([START[1], {"type": "fly"}], "line 2.*'fly' is not a known mjai event"),
    ([RIICHI[0]], "line 1: play before the first start_kyoku"),
    ([START[1] | {"bakaze": 4}], 'line 1: "bakaze" is 4'),
    ([START[1] | {"bakaze": ""}], '"bakaze" is \'\''),
    ([START[1] | {"kyoku": 2}], '"kyoku" 2 with "oya" 0'),
    ([START[1] | {"oya": 4}], "players are 0 to 3"),
    ([START[1] | {"honba": "x"}], '"honba" should be a whole number'),
    ([START[1] | {"scores": [1, 2]}], '"scores" should be four whole numbers'),
    ([START[1] | {"tehais": HANDS[:2]}], '"tehais" should be four hands'),
    ([START[1] | {"tehais": [1, 2, 3, 4]}], "lists of tiles"),
    ([START[1] | {"tehais": [[*HANDS[0], "9m", "9m"], *HANDS[1:]]}], "line 1, E1: seat 0 is dealt 15 tiles, not 13"),
    ([START[1] | {"dora_marker": "10m"}], "'10m' in \"dora_marker\" is not a tile"),
    ([*START, RIICHI[0], RIICHI[0]], "line 4, E1, event 2: a draw: seat 0 holds 14 tiles"),
    ([*START, RIICHI[0] | {"actor": None}], '"actor" should be a whole number'),
    ([*START, RIICHI[2]], "discards 9m, which is not in the hand"),
    ([*START, RIICHI[0], RIICHI[2] | {"pai": "N"}], "discards 4z, which is not in the hand"),
    ([*START, RIICHI[0], RIICHI[2] | {"tsumogiri": 1}], '"tsumogiri" should be true or false'),
    ([*START, *RIICHI, HORA | {"deltas": [0, 0, 0, "0"]}], '"deltas" should be four whole numbers'),
    ([*START, *RIICHI, HORA | {"target": 2}], "who did not provide a tile"),
    ([*START, *RIICHI, HORA | {"pai": "9p"}], "wins with 9p, but the tile was 2z"),
    ([*START, {"type": "hora", "actor": 0}], "player 0 wins, but nobody has provided a tile"),
    ([START[1] | {"scores": [10**18, 0, 0, 0]}], "score of seat 0 1000000000000000000: it is a whole number from"),
    ([START[1] | {"scores": [25000.5] * 4}], '"scores" should be four whole numbers'),
    ([*START, *RIICHI, HORA | {"deltas": [9**18, 0, 0, 0]}], "change of seat 0's score 150094635296999121"),
    ([*START, *RIICHI, HORA, *END, *START], "line 12.*a second game begins"),
    ([*START, RIICHI[0], {"type": "kakan", "actor": 0, "pai": "E"}], "a pon it does not have"),
    ([*START, {"type": "chi", "actor": 0, "pai": "E", "consumed": []}], "nobody has just discarded"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "message"), BAD, ids=range(len(BAD)))
def test_bad_lines_name_file_and_place(lines, message):
    with pytest.raises(LogError, match=message) as error:
        mjai.read(text(*lines), "x.jsonl")
    assert str(error.value).startswith("x.jsonl: ")


def test_a_hand_that_is_cut_off_is_left_out():
    whole = text(*START, *RIICHI, HORA, END[0], START[1] | {"kyoku": 2, "oya": 1}, *RIICHI)
    for end in range(len(text(*START, *RIICHI, HORA, END[0])) + 2, len(whole)):
        if whole[end - 1 : end] != "\n" and whole[end : end + 1] != "\n":
            part = mjai.read(whole[:end])
            assert [left.why.rpartition(";")[0] for left in part.left_out] == [
                "is not JSON: the text ends in the middle"
            ]
            assert isinstance(part.events[-1], ev.Win)
    with pytest.raises(LogError, match="the text ends in the middle"):
        mjai.read(text(*START, *RIICHI)[:-5], "x.jsonl")
    with pytest.raises(LogError, match=r"x.jsonl: byte 1: is not UTF-8"):
        mjai.read(b"\xff\xfe", "x.jsonl")


@pytest.mark.parametrize(
    "lines",
    [
        [START[0] | {"names": ["A", "B", "C"]}],
        [START[0], START[1] | {"scores": [35000] * 3}],
        [*START, {"type": "nukidora", "actor": 0, "pai": "N"}],
        [*START, {"type": "kita", "actor": 0, "pai": "N"}],
    ],
)
def test_three_players_are_refused(lines):
    with pytest.raises(UnsupportedGameError, match="three-player"):
        mjai.read(text(*lines))


@pytest.mark.corpus
@pytest.mark.parametrize("every", [pytest.param(10, id="a tenth"), pytest.param(1, id="all", marks=pytest.mark.slow)])
def test_recordings_in_both_forms_are_the_same_play(corpus, every):
    games = {}
    with tarfile.open(corpus / "tenhou6-mjai.tar.xz", "r|xz") as archive:
        for member in archive:
            path = PurePath(member.name)
            if path.suffix in {".json", ".jsonl"} and path.parent.name in {"tenhou6", "mjai"}:
                games.setdefault(path.stem, {})[path.suffix] = archive.extractfile(member).read()
    both = {stem: forms for stem, forms in games.items() if ".jsonl" in forms}
    assert len(both) == 99
    for stem, forms in islice(both.items(), 0, None, every):
        read = mjai.read(forms[".jsonl"], stem)
        assert mjai.read(mjai.write(read), stem) == read
        other = tenhou6.read(forms[".json"], stem)
        assert read.start == other.start
        for mine, theirs in zip(comparable(read), comparable(other), strict=True):
            assert mine == theirs, stem


def comparable(log):
    """What both formats know: mjai as recorded has no scores, results, drop-outs, nor who was tenpai with all four."""
    for event in log.events:
        match event:
            case ev.Disconnected() | ev.Reconnected():
                continue
            case ev.Win():
                yield replace(event, score=None, pao_seat=None)
            case ev.Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (0, 0, 0, 0)):
                yield replace(event, hands=(None,) * 4)
            case ev.EndGame():
                yield replace(event, results=None)
            case _:
                yield event
