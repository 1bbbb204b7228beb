"""tenhou.net/6 logs as other programs write them: words of draws, titles, values of wins, three players."""

from __future__ import annotations

import json
from itertools import chain

import pytest

from engine.model import events as ev
from engine.model.events import RyuukyokuKind, Unstated, WinClaim, WinScore
from protocol.errors import LogError
from protocol.logs import tenhou6
from protocol.logs.wins import parse_tenhou6
from protocol.logs.words import length_of_title
from tests.protocol.tenhou6_hands import EAST_HAND, OTHERS, hand, log

NINE = [11, 19, 21, 29, 31, 39, 41, 42, 43, 44, 45, 46, 12]
"""Nine terminals and honours, and more."""


def drawn(word, *, kind, payments=()):
    """A hand of one turn that ends with a word; the first player holds nine terminals."""
    discards = [] if kind is RyuukyokuKind.NINE_TERMINALS else [60]
    lists = hand([([13], discards), ([], []), ([], []), ([], [])], [word, *payments], dora=(47,))
    lists[4] = NINE
    return lists


@pytest.mark.parametrize("word", ["Ryuukyoku", "流局"])
def test_a_word_for_any_draw_leaves_open_how_a_hand_ended_that_shows_no_kind(word):
    game = tenhou6.read(log(drawn(word, kind=None, payments=([0, 0, 0, 0],))))
    assert isinstance(game.events[-1], ev.Discard)
    assert "how the hand ended is left open" in game.notes[0]


def four_winds(word):
    columns = [([13], [41]), ([18], [41]), ([19], [41]), ([12], [41])]
    lists = hand(columns, [word], dora=(47,))
    for seat, rest in enumerate(([11, 12, 13, 21, 22, 23, 31, 32, 33, 42, 42, 43], *(other[:12] for other in OTHERS))):
        lists[4 + 3 * seat] = [41, *[tile for tile in rest if tile != 41][:12]]
    return lists


@pytest.mark.parametrize("word", ["流局", "Draw", "abortive draw", "途中流局"])
def test_a_word_that_names_no_kind_is_read_by_what_the_hand_shows(word):
    game = tenhou6.read(log(four_winds(word), drawn(word, kind=RyuukyokuKind.NINE_TERMINALS)))
    draws = [event for event in game.events if isinstance(event, ev.Ryuukyoku)]
    assert [draw.kind for draw in draws] == [RyuukyokuKind.FOUR_WINDS, RyuukyokuKind.NINE_TERMINALS]
    assert all(Unstated.KIND in draw.unstated for draw in draws)
    assert game.notes == ()
    assert json.loads(tenhou6.write(game))["log"][0][16] == ["四風連打"]


def test_equal_words_make_one_note():
    game = tenhou6.read(log(*[four_winds("Spielabbruch")] * 3))
    assert game.notes == (
        "the end 'Spielabbruch' of a hand is not known; how the hand ended is left open (E1, event 9, and 2 more)",
    )


@pytest.mark.parametrize("word", ["Spielabbruch", "何切る", "続く", "first draw", "x" * 500])
def test_a_word_that_does_not_say_draw_ends_a_hand_without_an_end(word):
    game = tenhou6.read(log(drawn(word, kind=RyuukyokuKind.NINE_TERMINALS), four_winds(word)))
    assert not any(isinstance(event, ev.Ryuukyoku) for event in game.events)
    assert game.left_out == ()
    (note,) = game.notes
    assert "how the hand ended is left open" in note
    assert len(note) < 200


@pytest.mark.parametrize("word", ["不明", "途中", "unknown", "中断", "Unfinished", "?", "...", ""])
def test_a_word_for_unknown_ends_a_hand_without_an_end(word):
    game = tenhou6.read(log(drawn(word, kind=RyuukyokuKind.NINE_TERMINALS)))
    assert isinstance(game.events[-1], ev.Draw)
    two = tenhou6.read(log(*[drawn(word, kind=None)] * 2))
    assert isinstance(two.events[4], ev.StartKyoku)
    assert two.restarts == {4}
    assert (two.notes, two.left_out) == ((), ())


@pytest.mark.parametrize("word", ["流局", "Spielabbruch"])
def test_no_kind_of_draw_is_inferred_that_the_rules_exclude(word):
    """Nine terminals on a ninth draw, the end of a wall that has tiles, four kans of one player."""
    late = drawn(word, kind=RyuukyokuKind.NINE_TERMINALS)
    late[5], late[6] = [13, 18], [60]
    late[8], late[9], late[11], late[12], late[14], late[15] = [19], [60], [29], [60], [39], [60]
    game = tenhou6.read(log(late))
    assert isinstance(game.events[-1], ev.Draw)
    paid = tenhou6.read(log(drawn("不明な流局", kind=None, payments=([3000, -1000, -1000, -1000],))))
    assert not any(isinstance(event, ev.Ryuukyoku) for event in paid.events)


def played_out(deltas, *, word="流局", kyoku=0, honba=0):
    """A hand in which everybody discards what comes until the wall is empty."""
    left = [tile for tile in range(11, 48) if tile % 10] * 4
    for red, five in ((51, 15), (52, 25), (53, 35)):
        left[left.index(five)] = red
    for tile in (*EAST_HAND, *chain(*OTHERS), 43):
        left.remove(tile)
    dealer = kyoku % 4
    draws = [[], [], [], []]
    for number in range(70):
        draws[(dealer + number) % 4].append(left[number])
    columns = [(each, [60] * len(each)) for each in draws]
    return hand(columns, [word, deltas], kyoku=(kyoku, honba, 0))


def test_who_was_tenpai_is_not_stated_where_nobody_paid():
    game = tenhou6.read(log(played_out([0, 0, 0, 0])))
    draw = next(event for event in game.events if isinstance(event, ev.Ryuukyoku))
    assert draw.hands == (None, None, None, None)
    assert Unstated.TENPAI in draw.unstated


@pytest.mark.parametrize("word", ["全員聴牌", "全員不聴"])
def test_tenhous_words_state_who_was_tenpai(word):
    draw = tenhou6.read(log(played_out([0, 0, 0, 0], word=word))).events[-1]
    assert [shown is not None for shown in draw.hands] == [word == "全員聴牌"] * 4
    assert Unstated.TENPAI not in draw.unstated


# -- the length of a game ------------------------------------------------------------------------------------------

TITLES = {
    False: (
        "玉の間東喰赤|Jade Room East|友人戦東喰赤|電脳東喰赤|四人东|若東喰赤速|東|東風戦|Tonpuu|4-Player East"
        "|銀の間四人東|四鳳東喰赤速|Friendly East Red Fives|自動対局東喰赤|金之间 四人东风|tonpuusen"
        "|Tounament East No Red Fives|关东杯 四人东"
    ),
    True: (
        "玉の間南喰赤|Jade Room South|東南戦|四人南|半荘|Hanchan|East-South|关东杯 南|東京 半荘|4-Player South|Tonnan"
        "|東風じゃない半荘戦"
    ),
    None: "|Jade Room|電脳麻将|東1局|東京大会|関東リーグ|East 1|E1-0|Middle East Cup|一荘",
}


@pytest.mark.parametrize(
    ("hanchan", "title"), [(each, title) for each, titles in TITLES.items() for title in titles.split("|")]
)
def test_titles_say_how_long_a_game_is(hanchan, title):
    assert length_of_title([title]) is hanchan


@pytest.mark.parametrize(("title", "hanchan"), [("Jade Room East", False), ("四人南", True), ("Jade Room", True)])
def test_a_game_is_as_long_as_its_rule_or_its_title_says(title, hanchan):
    for said in ({"rule": {"disp": title, "aka": 1}}, {"rule": {"aka": 1}, "title": [title, "2025-01-13"]}):
        assert tenhou6.read(log(drawn("四風連打", kind=None), **said)).start.rules.hanchan is hanchan


def course(*kyoku, scores=(32000, 28000, 20000, 20000), **fields):
    """A game whose hands are all drawn with nobody tenpai."""
    hands = [
        hand([([13], [60]), ([], []), ([], []), ([], [])], ["四風連打"], kyoku=(number, honba, 0), scores=scores)
        for number, honba in kyoku
    ]
    for lists in hands:
        dealer = 4 + 3 * (lists[0][0] % 4)
        lists[4:16] = [*lists[4:16]]
        lists[5], lists[6], lists[dealer + 1], lists[dealer + 2] = [], [], [13], [60]
    return tenhou6.read(json.dumps({"name": list("ABCD"), "rule": {"aka": 1}, "log": hands, **fields}))


END = [32000, 42.0, 28000, -2.0, 20000, -20.0, 20000, -20.0]


@pytest.mark.parametrize(
    ("game", "hanchan"),
    [
        (course((0, 0), (1, 0), (2, 0), (3, 0), sc=END), False),
        (course((0, 0), (1, 0), (2, 0), (3, 0), sc=END, title=["4-Player South", ""]), False),
        (course((0, 0), (1, 0), (2, 0), (3, 0)), False),
        (course((0, 0), (1, 0), (2, 0), (3, 0), title=["4-Player South", ""]), True),
        (course((0, 0), (1, 0), (2, 0), (3, 0), scores=(29000, 29000, 22000, 20000)), True),
        (course((0, 0), (1, 0), (2, 0), sc=END), True),
        (course((1, 0), (2, 0), (3, 0)), True),
        (course((3, 0), (4, 0), sc=END), True),
        (course((3, 0), (4, 0), sc=END, scores=(29000, 29000, 22000, 20000)), False),
        (course((3, 0), (7, 0), sc=END, scores=(29000, 29000, 22000, 20000)), True),
        (course((0, 0), (1, 0), (2, 0), (3, 0), sc=END, scores=(70000, 28000, 20000, -18000)), True),
        (course((0, 0), (8, 0), scores=(29000, 29000, 22000, 20000), title=["Jade Room East", ""]), True),
        (course((3, 0), (4, 0), title=["Jade Room East", ""]), True),
        (course((0, 0), (1, 0), ref="2017010100gm-0001-0000-de8eee52"), False),
        (course((0, 0), (1, 0), (2, 0), (3, 0), sc=END, ref="2017010100gm-0009-0000-de8eee52"), True),
    ],
)
def test_the_course_of_a_game_says_how_long_it_is(game, hanchan):
    assert game.start.rules.hanchan is hanchan


def test_a_title_of_tenhou_gives_the_game_type_that_the_course_proves():
    game = course((0, 0), (1, 0), (2, 0), (3, 0), sc=END, rule={"disp": "四鳳南喰赤\uff0d", "aka": 1})
    assert (game.start.rules.hanchan, game.info.game_type) == (False, 0xA1)


# -- wins ----------------------------------------------------------------------------------------------------------

EAST, SOUTH = 27, 28


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (
            ["Mangan 2000-4000点", "Half Flush(2飜)", "Green Dragon(1飜)", "White Dragon(1飜)", "Red Five(1飜)"],
            WinScore(0, 8000, 1, ((34, 2), (19, 1), (18, 1), (54, 1))),
        ),
        (
            ["40符4飜満貫8000点", "役牌:自風牌(1飜)", "役牌:場風牌(1飜)", "ドラ(2飜)"],
            WinScore(40, 8000, 1, ((11, 1), (14, 1), (52, 2))),
        ),
        (["数え役満16000点∀", "立直(1飜)", "ドラ(12飜)"], WinScore(0, 48000, 5, ((1, 1), (52, 12), (53, 0)))),
        (
            ["Rounded Mangan 8000点", "ダブル立直(2飜)", "Prevalent Wind(1飜)", "Seat Wind (East)(1飜)"],
            WinScore(0, 8000, 1, ((21, 2), (14, 1), (10, 1), (53, 0))),
        ),
        (
            ["30符5飜8000点", "リーチ(1飜)", "裏ドラ(0飜)", "ドラ(4翻)"],
            WinScore(30, 8000, 1, ((1, 1), (52, 4), (53, 0))),
        ),
        (["役満32000点", "国士無双十三面待ち(役満)"], WinScore(0, 32000, 5, (), (48,))),
        (["30Fu2Han2000点", "All Simples(1飜)", "门清自摸(1飜)"], WinScore(30, 2000, 0, ((8, 1), (0, 1)))),
        (["跳満18000点"], WinClaim(None, None, 18000, 2)),
        (["8000点"], WinClaim(None, None, 8000)),
        (["110符13飜32000点", "Half Flush(3飜)"], WinClaim(110, 13, 32000, None, ((34, 3),))),
        (["役満32000点", "国士無双(役満)", "五門斉(2飜)"], WinClaim(None, None, 32000, 5, (), (47,), ("五門斉(2飜)",))),
        (["won!", "Sparkles"], WinClaim(unknown=("Sparkles", "won!"))),
        (["30符1飜1000点", "役牌:自風牌 竹(1飜)"], WinClaim(30, 1, 1000, unknown=("役牌:自風牌 竹(1飜)",))),
        (["1000点" + " " * 100_000, "(" * 100_000], None),
    ],
)
def test_values_in_the_words_of_others(texts, found):
    parsed = parse_tenhou6(texts[0], texts[1:], seat_wind=SOUTH, round_wind=EAST)
    assert parsed == found or (found is None and isinstance(parsed, WinClaim) and len(parsed.unknown) == 2)


@pytest.mark.parametrize("number", [25000.5, 1e400, float("nan"), "25000", None, True, 10**30])
def test_points_that_are_no_points(number):
    text = log(drawn("四風連打", kind=None)).replace("25000", json.dumps(number), 1)
    with pytest.raises(LogError):
        tenhou6.read(text)


# -- other habits --------------------------------------------------------------------------------------------------


def test_indicators_of_the_whole_wall_are_those_that_were_turned():
    """Some converters list all five, whatever was turned."""
    columns = [([19], ["r60"]), ([18], [43]), ([], []), ([], [])]
    lists = hand(columns, ["和了", [8000, -8000, 0, 0], [0, 1, 0]], dora=(43, 41, 42, 44), ura=(45, 46, 47, 31))
    win = tenhou6.read(log(lists)).events[-1]
    assert (len(win.dora_indicators), len(win.ura_indicators)) == (1, 1)
    both = hand(columns, ["和了", [8000, -8000, 0, 0], [0, 1, 0]], dora=(43,), ura=(45, 46))
    assert len(tenhou6.read(log(both)).events[-1].ura_indicators) == 2  # verify says that one is too many


@pytest.mark.parametrize(
    ("value", "kiriage"), [("切り上げ満貫8000点", True), ("Kiriage Mangan 8000点", True), ("満貫8000点", False)]
)
def test_a_table_that_rounds_up_to_mangan_says_so_in_its_wins(value, kiriage):
    columns = [([19], [60]), ([18], [43]), ([], []), ([], [])]
    lists = hand(columns, ["和了", [8000, -8000, 0, 0], [0, 1, 0, value, "立直(1飜)"]])
    assert tenhou6.read(log(lists)).start.rules.kiriage is kiriage


def with_four(**changes):
    return {"name": list("ABCD"), "rule": {"aka": 1}, "log": [drawn("四風連打", kind=None)], **changes}


def test_a_title_stays_beside_an_id():
    text = json.dumps(
        with_four(ref="250113-20340fc8-85fd-47c0-b531-113e503292e5", title=["Jade Room South", "12/8/2021"])
    )
    assert json.loads(tenhou6.write(tenhou6.read(text)))["title"] == ["Jade Room South", "12/8/2021"]


RON = ([13], [42]), ([], []), ([], []), ([], [])
"""The first player discards a wind that the second wins with."""


def won_by_second(result):
    lists = hand(list(RON), result, dora=(47,))
    lists[7] = [11, 11, 11, 12, 12, 12, 13, 13, 21, 21, 21, 42, 42]
    lists[4] = [14, 15, 16, 17, 18, 19, 22, 23, 24, 25, 26, 27, 42]
    return lists


@pytest.mark.parametrize(
    "result",
    [
        ["和了", [-8000, 8000, 0, 0]],
        ["Ron", [-8000, 8000, 0, 0]],
        ["Agari", [-8000, 8000, 0, 0], [1, 0, 1]],
        ["ロン", [-8000, 8000, 0, 0], [1, 0, 0]],
        ["胡", [-8000, 8000, 0, 0], [1, 0]],
        ["和了", [-8000, 8000, 0, 0], [1, 0, None]],
        ["和了", [-8000, 8000, 0, 0], [1, 0, -1]],
        ["和了", [-8000.0, 8000.0, 0.0, 0.0], [1.0, 0.0, 1.0]],
        ["和了", [-8000, 8000, 0, 0], [1, 0, 1, None]],
        ["和了", [-8000, 8000, 0, 0], [1, 0, 1, 8000]],
    ],
    ids=str,
)
def test_a_win_of_few_words(result):
    game = tenhou6.read(log(json.loads(json.dumps(won_by_second(result)), parse_int=float), won_by_second(result)))
    wins = [event for event in game.events if isinstance(event, ev.Win)]
    assert [(win.seat, win.from_seat, win.pao_seat, win.deltas) for win in wins] == [
        (1, 0, None, (-8000, 8000, 0, 0))
    ] * 2
    assert all(win.score is None and Unstated.HANDS in win.unstated for win in wins)
    assert [win.claim is None for win in wins] == [result[-1][-1] != 8000] * 2
    assert game.notes == ()


def test_a_win_whose_payments_nobody_can_tell_apart_is_refused():
    with pytest.raises(LogError, match="a win needs its payments and its description"):
        tenhou6.read(log(won_by_second(["和了", [-8000, 4000, 4000, 0]])))


@pytest.mark.parametrize("payments", [None, []])
def test_payments_that_are_not_there_are_not_stated(payments):
    game = tenhou6.read(log(won_by_second(["和了", payments, [1, 0, 1]])))
    assert Unstated.PAYMENTS in game.events[-1].unstated


def test_a_draw_with_more_behind_its_payments_is_a_draw():
    game = tenhou6.read(log(drawn("四家立直", kind=RyuukyokuKind.FOUR_RIICHI, payments=([0, 0, 0, 0], [0, 1]))))
    assert game.events[-1].kind is RyuukyokuKind.FOUR_RIICHI


@pytest.mark.parametrize("said", [{"title": "玉の間東喰赤"}, {"title": ["玉の間東喰赤"]}, {"rule": "東喰赤"}], ids=str)
def test_a_title_may_be_one_text(said):
    document = json.loads(log(drawn("四家立直", kind=RyuukyokuKind.FOUR_RIICHI))) | {"rule": {"aka": 1}} | said
    assert tenhou6.read(json.dumps(document)).start.rules.hanchan is False
