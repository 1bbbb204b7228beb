from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import events as ev
from engine.model.events import RyuukyokuKind, WinScore
from engine.model.melds import MeldKind
from engine.model.rules import Rules
from protocol.errors import LogError, LogTrouble, UnsupportedGameError
from protocol.logs import mjlog, tenhou6
from protocol.logs.wins import format_mjai, format_tenhou6, parse_tenhou6
from tests.protocol.tenhou6_hands import EAST_HAND, GOOD, OTHERS, hand, log


def play(*args, **kwargs):
    return list(tenhou6.read(log(hand(*args, **kwargs))).events[2:])


def test_a_small_game():
    text = log(
        hand([([19], ["r60"]), ([18], [44]), ([], []), ([], [])], ["流局", [3000, -1000, -1000, -1000]]),
        ref="2017010100gm-0009-0000-de8eee52",
        lobby=0,
        dan=["新人", "１級", "七段", "天鳳"],
        rate=[1500, 1500.5, 2100.25, 2300],
        sx=["M", "F", "C", "M"],
        sc=[48000, 58.0, 20000, 0, 17000, -23, 15000, -35.1],
        ver=2.3,
    )
    game = tenhou6.read(text, "a.json")
    assert game.source == "a.json"
    assert game.complete
    assert game.start == ev.StartGame(Rules(), ("A", "B", "C", "D"))
    assert game.info.game_type == 9
    assert game.info.dan == (0, 9, 16, 20)
    assert game.events[-1] == ev.EndGame((48000, 20000, 17000, 15000), (58.0, 0.0, -23.0, -35.1))
    assert tenhou6.read(tenhou6.write(game)) == game


def test_riichi_is_three_events_and_is_not_accepted_when_won_on():
    columns = [([19], ["r60"]), ([18], [43]), ([], []), ([], [])]
    events = play(columns, ["和了", [8000, -8000, 0, 0], [0, 1, 0, "満貫8000点", "立直(1飜)"]])
    assert [type(event) for event in events[:5]] == [
        ev.Draw, ev.RiichiDeclared, ev.Discard, ev.RiichiAccepted, ev.Draw,
    ]  # fmt: skip
    assert events[2] == ev.Discard(0, events[0].tile, tsumogiri=True)
    win = events[-1]
    assert win.scores_before == (24000, 25000, 25000, 25000)
    assert win.riichi_sticks == 1
    assert win.score.yaku == ((1, 1), (53, 0))

    won_on = [([19], ["r60"]), ([], []), ([], []), ([], [])]
    *_, win = events = play(won_on, ["和了", [-8000, 8000, 0, 0], [1, 0, 1, "満貫8000点", "平和(1飜)"]])
    assert not any(isinstance(event, ev.RiichiAccepted) for event in events)
    assert win.scores_before == (25000,) * 4


def test_discard_takes_the_tile_that_was_drawn_or_another_copy():
    events = play([([41], [41]), ([18], [60]), ([19], [18]), ([], [])], ["四風連打"])
    drawn, discarded = events[0], events[1]
    assert drawn == ev.Draw(0, 110)
    assert discarded == ev.Discard(0, 108, tsumogiri=False)
    # The only copy is the drawn one: whatever the log says, it was tsumogiri.
    events = play([([19], [19]), ([], []), ([], []), ([], [])], ["四風連打"])
    assert events[1] == ev.Discard(0, events[0].tile, tsumogiri=True)


def test_calls_go_before_the_next_draw_and_say_from_whom():
    lists = hand([([19, 19], [43, 60]), (["p434343"], [44]), ([25], [60]), ([18], [60])], ["四風連打"], dora=(42,))
    lists[4] = [*EAST_HAND[:-1], 43]
    events = tenhou6.read(log(lists)).events[2:]
    pon = events[2]
    assert pon.seat == 1
    assert pon.meld.kind is MeldKind.PON
    assert pon.meld.from_seat == 0
    assert pon.meld.called == events[1].tile
    assert [event.seat for event in events if isinstance(event, ev.Draw)] == [0, 2, 3, 0]


def test_indicators_of_kans_are_turned_when_tenhou_turns_them():
    lists = hand([([12, 19], ["111111a11", 60]), ([], []), ([], []), ([], [])], ["四風連打"], dora=(43, 44))
    lists[4] = [11, 11, 11, 11, 22, 23, 24, 31, 32, 33, 42, 42, 43]
    lists[7], lists[10], lists[13] = ([25, *other[1:]] for other in OTHERS)
    events = tenhou6.read(log(lists)).events[2:]
    assert [type(event) for event in events] == [ev.Draw, ev.Call, ev.NewDora, ev.Draw, ev.Discard, ev.Ryuukyoku]

    # A called kan: its indicator is turned before the discard that follows.
    lists = hand([([43], [60]), (["m43434343", 18], [0, 60]), ([], []), ([], [])], ["四風連打"], dora=(42, 44))
    lists[7] = [43, 43, 43, *OTHERS[0][:9], 45]
    events = tenhou6.read(log(lists)).events[2:]
    assert [type(event) for event in events] == [
        ev.Draw, ev.Discard, ev.Call, ev.Draw, ev.NewDora, ev.Discard, ev.Ryuukyoku,
    ]  # fmt: skip
    game = tenhou6.read(log(lists))
    assert tenhou6.read(tenhou6.write(game)) == game


def test_a_called_kan_whose_replacement_wins_has_no_discard():
    """As Tenhou writes it; the 0 that stands for the discard elsewhere is read, too."""
    result = ["和了", [-4000, 8000, -2000, -2000], [1, 1, 1]]
    lists = hand([([43], [60]), (["m43434343", 18], [0]), ([], []), ([], [])], result, dora=(42, 44))
    lists[7] = [43, 43, 43, *OTHERS[0][:9], 45]
    game = tenhou6.read(log(lists))
    assert isinstance(game.events[-1], ev.Win)
    written = tenhou6.write(game)
    assert json.loads(written)["log"][0][8:10] == [["m43434343", 18], []]
    assert tenhou6.read(written) == game


def replace_all(lists, index, value):
    return [*lists[:index], value, *lists[index + 1 :]]


def test_several_logs_in_one_text_are_refused():
    one = log(hand([([19], [60]), ([], []), ([], []), ([], [])], ["四風連打"]))
    with pytest.raises(LogError, match="contains several logs; write each on a line of its own"):
        tenhou6.read(f"{one}\n{one}\n")


def test_viewer_addresses():
    one = log(hand([([19], [60]), ([], []), ([], []), ([], [])], ["四風連打"]))
    for more in ("", "&ts=3"):
        assert tenhou6.read(f"https://tenhou.net/6/#json={quote(one)}{more}") == tenhou6.read(one)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("九種九牌", RyuukyokuKind.NINE_TERMINALS),
        ("四家立直", RyuukyokuKind.FOUR_RIICHI),
        ("三家和了", RyuukyokuKind.TRIPLE_RON),
        ("四槓散了", RyuukyokuKind.FOUR_KANS),
        ("四風連打", RyuukyokuKind.FOUR_WINDS),
        ("全員聴牌", RyuukyokuKind.EXHAUSTIVE),
        ("全員不聴", RyuukyokuKind.EXHAUSTIVE),
    ],
)
def test_draws_by_name(word, kind):
    discards = [] if kind is RyuukyokuKind.NINE_TERMINALS else [60]
    text = log(hand([([19], discards), ([], []), ([], []), ([], [])], [word]))
    game = tenhou6.read(text)
    assert game.events[-1].kind is kind
    assert json.loads(tenhou6.write(game))["log"][0][16] == [word]


BAD = [
    ("", "the file is empty"),
    ("[]", "line 1: is not a tenhou.net/6 log"),
    ('{"log": 3}', "line 1: is not a tenhou.net/6 log"),
    ('{"log": []}', "no hands"),
    ('{"log": [[]]}', "hand 1: a hand should be a list of 17 lists"),
    ('{"log": [{"a": 1}]}', "hand 1: a hand should be a list of 17 lists"),
    ("{", "line 1, column 2: is not JSON: the text ends in the middle"),
    ('{"log": [[[0,0', "line 1, column 15: is not JSON: the text ends in the middle"),
    ('{"log": NaN}', 'no list "log" of hands'),
    ("[" * 100_000, "nested too deep"),
    ('{"log": ' + "9" * 5_000 + "}", 'no list "log" of hands'),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=range(len(BAD)))
def test_bad_text(text, message):
    with pytest.raises(LogError, match=message) as error:
        tenhou6.read(text, "games/x.json")
    assert str(error.value).startswith("games/x.json: ")


BAD_HANDS = [
    (0, [0, 0], "round, honba and sticks should be 3 whole numbers"),
    (0, [99, 0, 0], "kyoku 99: it is a whole number from 0 to 15"),
    (1, ["25000"] * 4, "scores should be 4 whole numbers"),
    (2, [], "there are 0 dora indicators; one to five"),
    (2, [43, 44, 45, 46, 47, 42], "there are 6 dora indicators; one to five"),
    (2, [10], "10 in dora indicators is not a tile"),
    (4, [*EAST_HAND, 43, 43], "E1.*(seat 0 is dealt 15 tiles|more copies of 3z)"),
    (4, [True] * 13, "True in player 0's hand is not a tile"),
    (4, [11] * 13, "more copies of 1m appear than exist"),
    (5, "11", "are not two lists"),
    (5, [19, 19, 19], "3 draws and 1 discard;"),
    (5, ["x1111"], "is not a call that is possible there"),
    (5, ["c123456"], "56 in 'c123456' is not a tile"),
    (5, ["c111213"], "60 in player 0's discard 1 is not a tile"),
    (6, ["r"], "is not a tile"),
    (6, ["r1²"], "is not a tile"),
    (6, [0], "0 is written after a called kan and only there"),
    (6, ["1111k1111"], "no order of play explains"),
    (6, [[60]], "is not a tile"),
    (6, [47], "discards 7z, which is not in the hand"),
    (16, [], "instead of a result"),
    (16, ["和了"], "a win needs its payments"),
    (16, ["和了", [0, 0, 0, 0], [7, 1, 7]], "players are 0 to 3"),
    (16, ["和了", [0, 0, 0, 0], [0, 1, 0, [5]]], "should be a list of texts"),
    (16, ["和了", [0, 0, 0, 0], [0, 1, [1]]], r"the liable player should be 1 whole numbers, not \[\[1\]\]"),
    (16, ["和了", [0, 0, 0, 0], [0, 1, {"a": 1}]], "the liable player should be 1 whole numbers"),
    (16, ["和了", [0, 0, 0], [0, 1, 0]], "payments should be 4 whole numbers"),
    (16, ["和了", [0, 0, 0, 0], [0, 3, 0]], "no order of play explains"),
]


@pytest.mark.parametrize(("index", "value", "message"), BAD_HANDS, ids=range(len(BAD_HANDS)))
def test_bad_hands_name_file_and_place(index, value, message):
    tenhou6.read(log(GOOD))
    with pytest.raises(LogError, match=message) as error:
        tenhou6.read(log(replace_all(GOOD, index, value)), "x.json")
    assert str(error.value).startswith(("x.json: E1", "x.json: hand 1"))


@pytest.mark.parametrize(
    ("kan", "message"),
    [("1111k1111", "pon it does not have"), ("111111a12", "uses 1m, which is not in the hand")],
)
def test_kans_that_cannot_be(kan, message):
    with pytest.raises(LogError, match=message):
        play([([19, 18], [kan, 60]), ([], []), ([], []), ([], [])], ["四風連打"])


@pytest.mark.parametrize(
    "text",
    [
        log(GOOD, ref="2017010100gm-00b9-0000-de8eee52"),
        log(GOOD).replace(json.dumps("般南喰赤"), json.dumps("三般南喰赤")),
        log([GOOD[0], [35000] * 3, *GOOD[2:13], [], [], [], GOOD[16]]),
        log(GOOD, name=["A", "B", "C"]),
        log(replace_all(GOOD, 6, ["f44"])),
    ],
)
def test_three_players_are_refused(text):
    with pytest.raises(UnsupportedGameError, match="three-player"):
        tenhou6.read(text)


def test_hidden_tiles_are_not_written():
    game = tenhou6.read(log(GOOD))
    start = replace(game.events[1], hands=(game.events[1].hands[0], None, None, None))
    with pytest.raises(LogError, match="hidden tiles"):
        tenhou6.write(replace(game, events=(game.events[0], start, *game.events[2:])))


@given(st.lists(st.text(max_size=200), min_size=4, max_size=4))
def test_names_are_kept_as_they_are(names):
    game = tenhou6.read(log(GOOD, name=names))
    assert game.start.names == tuple(names)
    text = tenhou6.write(game)
    assert tenhou6.read(text.encode()).start.names == tuple(names)


def test_names_longer_than_any_are_cut_when_they_are_read():
    game = tenhou6.read(log(GOOD, name=["x" * 200_000, "B", "C", "D"]))
    assert game.start.names == ("x" * 255 + "…", "B", "C", "D")
    assert tenhou6.read(tenhou6.write(game)) == game
    xml = mjlog.write(game).replace(f'n1="{"%42"}"', 'n1="' + "%78" * 50_000 + '"')
    assert mjlog.read(xml).start.names == ("x" * 255 + "…",) * 2 + ("C", "D")


@pytest.mark.parametrize(
    ("tsumo", "dealer", "texts"),
    [
        (False, False, ["30符4飜7700点", "立直(1飜)", "ドラ(3飜)"]),
        (True, False, ["30符1飜300-500点", "門前清自摸和(1飜)"]),
        (True, False, ["30符2飜500-1000点", "立直(1飜)", "門前清自摸和(1飜)"]),
        (True, True, ["40符3飜2600点∀", "場風 東(1飜)", "ドラ(2飜)"]),
        (True, False, ["役満8000-16000点", "四暗刻(役満)", "大三元(役満)"]),
        (True, True, ["役満16000点∀", "混一色(2飜)", "ドラ(11飜)"]),
    ],
)
def test_value_of_a_win_in_words(tsumo, dealer, texts):
    score = parse_tenhou6(texts[0], texts[1:])
    assert format_tenhou6(score, tsumo=tsumo, dealer=dealer) == texts


def members(corpus, folder):
    with tarfile.open(corpus / "tenhou6-mjai.tar.xz", "r|xz") as archive:
        for member in archive:
            if member.name.startswith(folder):
                yield member.name, archive.extractfile(member).read()


@pytest.mark.slow
@pytest.mark.corpus
def test_recordings_read_write_read_equal(corpus):
    refused = read = 0
    several = 0
    for name, data in members(corpus, "tenhou6"):
        try:
            game = tenhou6.read(data, name)
        except UnsupportedGameError:
            refused += 1
            continue
        except LogError as error:  # one hand a line
            several += error.trouble is LogTrouble.SEVERAL_GAMES
            continue
        text = tenhou6.write(game)
        assert tenhou6.read(text, name) == game, name
        if name.startswith("tenhou6/"):
            assert canonical(json.loads(text)) == canonical(json.loads(data)), name
        read += 1
    assert (read, refused, several) == (148, 5, 25)


def canonical(document):
    """What the order of keys, of yaku, and the spelling of numbers do not change."""
    document = {key: value for key, value in document.items() if key != "lobby"}
    for each in document["log"]:
        del each[17:]
        for told in each[16][2::2] if each[16][0] == "和了" else ():
            told[4:] = sorted(told[4:])
        for index in (4, 7, 10, 13):
            each[index] = sorted(each[index])
    return document


@pytest.mark.parametrize("score", [WinScore(30, 1_000, 6, ((20, 1),)), WinScore(30, 1_000, 0, ((60, 1),))])
@pytest.mark.parametrize("words", [lambda score: format_tenhou6(score, tsumo=False, dealer=False), format_mjai])
def test_a_score_that_tenhou_cannot_have_is_refused(score, words):
    with pytest.raises(LogError, match=r"(limit 6|yaku 60), which Tenhou does not have"):
        words(score)
