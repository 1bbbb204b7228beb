from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.logs.sources import open_logs
from engine.model import events as ev
from engine.model.events import Unstated
from engine.model.rules import Rules
from protocol.errors import LocalProtocolError, LogError, UnsupportedGameError
from protocol.logs import mjlog
from protocol.logs.game_log import GameLog, LogInfo
from tests.protocol.mjlog_text import DEAL, END, HEAD, LOG, PLAY, RIICHI
from tests.recordings import recorded_games

GAME = "2018020315gm-0009-0000-b7c81568.xml"


def test_a_small_log():
    log = mjlog.read(LOG, GAME)
    assert log.source == GAME
    assert log.complete
    assert log.start == ev.StartGame(Rules(), ("ⓝL", "", '"<&>', "D"))
    assert log.info == LogInfo(
        log_id="2018020315gm-0009-0000-b7c81568",
        game_type=9,
        lobby="0",
        version="2.3",
        dan=(8, 8, 6, 11),
        rates=(1478.5, 1652.76, 1520.54, 1802.91),
        sexes=("M", "F", "M", "C"),
        shuffle="mt19937ar-sha512-n288-base64,pc48FRyW",
    )
    _, kyoku, *play, win, end = log.events
    assert kyoku.dice == (4, 5)
    assert kyoku.hands[0] == (0, 4, 8, 68, 72, 76, 104, 105, 106, 108, 109, 112, 113)
    assert play == [
        ev.Draw(0, 114),
        ev.RiichiDeclared(0),
        ev.Discard(0, 8, tsumogiri=False),
        ev.RiichiAccepted(0),
        ev.Draw(1, 107),
        ev.Discard(1, 1, tsumogiri=False),
    ]
    assert (win.seat, win.from_seat, win.tile, win.ura_indicators) == (0, 1, 1, (60,))
    assert end == ev.EndGame((27600, 22400, 25000, 25000), (27.0, 2.0, -9.5, -19.5))


def test_text_and_bytes_read_alike():
    assert mjlog.read(LOG) == mjlog.read(LOG.encode()) == mjlog.read('<?xml version="1.0"?>\n' + LOG)


def test_written_and_read_again():
    log = mjlog.read(LOG, GAME)
    text = mjlog.write(log)
    assert mjlog.read(text) == log
    assert mjlog.write(mjlog.read(text)) == text
    assert '<UN n0="%E2%93%9D%4C" n1="" n2="%22%3C%26%3E" n3="%44" dan="8,8,6,11"' in text


def test_a_log_from_elsewhere_is_written_with_what_is_known():
    log = GameLog(mjlog.read(LOG).events)
    text = mjlog.write(log)
    head = '<GO type="9"/><UN n0="%E2%93%9D%4C" n1="" n2="%22%3C%26%3E" n3="%44"/><TAIKYOKU oya="0"/>'
    assert text.startswith('<mjloggm ver="2.3">' + head)
    assert mjlog.read(text).events == log.events


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (' ten="240,250,250,250" step="2"', ' step="2"'),
        ('<SHUFFLE seed="mt19937ar-sha512-n288-base64,pc48FRyW" ref=""/>', ""),
        (' lobby="0"', ""),
        ("1478.50,1652.76,1520.54,1802.91", "1478,1652,1520,1802"),
        ('"/><T114', '" shuffle="mt19937ar,BEF2A12D"/><T114'),
        (' ver="2.3"', ""),
        (' dan="8,8,6,11"', ' gold="1,2,3,4"'),
        ("<U107/>", '<BYE who="2"/><U107/><UN n2="%43"/>'),
    ],
)
def test_old_and_odd_forms(new, old):
    assert new in LOG
    log = mjlog.read(LOG.replace(new, old))
    assert [event for event in log.events if not isinstance(event, ev.Disconnected | ev.Reconnected)][2:] == list(
        mjlog.read(LOG).events[2:]
    )
    assert mjlog.read(mjlog.write(log)) == dataclasses.replace(log, info=dataclasses.replace(log.info, version="2.3"))


def test_a_log_without_its_end_is_incomplete():
    log = mjlog.read(LOG.replace(' owari="276,27.0,224,2.0,250,-9.5,250,-19.5"', ""))
    assert not log.complete


@pytest.mark.parametrize("game_type", ["16", "185", "1552"])
def test_three_players_are_refused(game_type):
    with pytest.raises(UnsupportedGameError, match="three-player mahjong, which is not supported") as caught:
        mjlog.read(LOG.replace('type="9"', f'type="{game_type}"'), GAME)
    assert str(caught.value).startswith(f"{GAME}: line 1, column ")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (LOG[:400], "cut short; fetch it again"),
        (LOG[:700], "cut short; fetch it again"),
        (HEAD + DEAL + RIICHI, "cut short; fetch it again"),
        ("", "not a Tenhou log"),
        ("no log at all", "not a Tenhou log"),
        ("\ud800", "not a Tenhou log"),
        (b"<mjloggm>\xff</mjloggm>", "broken XML"),
        ('{"log":[]}', "not a Tenhou log"),
        ("<html><body/></html>", "begins with <html>; an mjlog begins with <mjloggm>"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + LOG, "document type"),
        (LOG.replace("<U107/>", "<XYZ/>"), "unknown tag <XYZ>"),
        (LOG.replace("<U107/>", "<Z/>x</Z>"), "broken XML"),
        (LOG.replace("<U107/>", "<U999/>"), "<U999> does not name a tile"),
        (LOG.replace("<U107/>", "<U/>"), "a draw is hidden"),
        (LOG.replace("<U107/>", "<U1/>"), "1m (1) comes from the wall twice"),
        (LOG.replace("<U107/>", "<U61/>"), "7p (61) comes from the wall twice"),
        (LOG.replace("<U107/>", "<U107/><U110/>"), "a draw: seat 1 holds 14 tiles (a kan as three), not 13"),
        (LOG.replace("<U107/>", ""), "a discard: seat 1 holds 13 tiles"),
        (LOG.replace("<E1/>", "<E99/>"), "seat 1 has no 7s (99)"),
        (LOG.replace("<E1/>", '<N who="1" m="65535"/>'), "meld code 65535 is no"),
        (LOG.replace("<U107/>", '<N who="1" m="41515"/>'), "not just discarded"),
        (LOG.replace("<E1/>", '<N who="1" m="18547"/>'), "a pon it does not have"),
        (LOG.replace("0,4,8,68,", "0,4,8,68,69,"), "seat 0 is dealt 14 tiles, not 13"),
        (LOG.replace("0,4,8,68,72", "1,4,8,68,72", 1), "comes from the wall twice"),
        (LOG.replace(' hai3="3,7', ' hai9="3,7'), "lacks a hand"),
        (LOG.replace('"0,1,4,68,', '"0,2,4,68,'), "seat 0 wins with tiles it does not have"),
        (LOG.replace('"0,1,4,68,', '"0,1,68,'), "seat 0 wins with tiles it does not have"),
        (LOG.replace('who="0" fromWho', 'who="4" fromWho'), "who='4' is not a seat"),
        (LOG.replace('<GO type="9" lobby="0"/>', ""), "before <GO>"),
        (LOG.replace('<GO type="9" lobby="0"/>', '<GO type="9"/><GO type="9"/>'), "a second <GO>"),
        (LOG.replace('<GO type="9" lobby="0"/>', "<GO/>"), "<GO> has no type"),
        (
            LOG.replace("<U107/>", '<RYUUKYOKU ba="0,0" sc="1,0,1,0,1,0,1,0" hai1="0,1"/><U107/>'),
            "shows tiles it does not have",
        ),
    ],
)
def test_a_log_that_cannot_be_read(text, complaint):
    with pytest.raises(LogError) as caught:
        mjlog.read(text, "some.xml")
    assert complaint in str(caught.value)
    assert str(caught.value).startswith("some.xml: line 1, column ")


def test_a_log_without_a_hand_is_none():
    with pytest.raises(LogError, match="contains no hand"):
        mjlog.read(HEAD + END)


def test_a_game_that_was_not_played_to_its_end_is_read_up_to_there():
    log = mjlog.read(HEAD + DEAL + RIICHI + END, "some.xml")
    assert log.notes == ("ends in the middle of a hand: read up to there (E1)",)
    assert log.events == mjlog.read(LOG).events[: len(log.events)]
    assert len(log.events) > 4


AGAIN = DEAL.replace('seed="0,0', 'seed="0,1')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + DEAL + PLAY + AGAIN + RIICHI, "the log is cut short"),
        (HEAD + DEAL + PLAY + AGAIN + RIICHI + "<T1", "the log is cut short"),
        (HEAD + DEAL + PLAY + AGAIN + RIICHI + "<<>" + PLAY + END, "broken XML"),
        (HEAD + DEAL + PLAY + AGAIN + "<XYZ/>" + PLAY + END, "unknown tag <XYZ>"),
        (HEAD + AGAIN + RIICHI + DEAL + PLAY + END, "the next hand is dealt before this one has ended"),
        (HEAD + AGAIN + PLAY.replace("<E1/>", "<E99/>") + DEAL + PLAY + END, "seat 1 has no 7s"),
        (HEAD + AGAIN + PLAY.replace("<U107/>", "<U999/>") + DEAL + PLAY + END, "<U999> does not name a tile"),
    ],
)
def test_damage_stays_in_its_hand(text, why):
    log = mjlog.read(text)
    (left,) = log.left_out
    assert (left.hand, why in left.why) == ("E1-1", True)
    assert left.place.startswith("line 1, column ")
    kept = mjlog.read(HEAD + DEAL + PLAY + END).events
    assert [event for event in log.events if not isinstance(event, ev.EndGame)] == [
        event for event in kept if not isinstance(event, ev.EndGame)
    ]


def test_signs_and_empty_dice_are_read():
    plain = mjlog.read(LOG)
    signed = re.sub(r'(sc="\d+),(\d)', r"\1,+\2", LOG)
    assert signed != LOG
    assert mjlog.read(signed).events == plain.events
    empty = re.sub(r'seed="(\d+,\d+,\d+),\d,\d,', r'seed="\1,,,', LOG)
    assert empty != LOG
    assert mjlog.read(empty).events[1].dice is None


def test_an_error_names_column_and_hand():
    text = HEAD + DEAL + RIICHI + "<U107/><E99/>" + END
    with pytest.raises(LogError) as caught:
        mjlog.read(text)
    assert caught.value.position == f"line 1, column {text.index('<E99/>') + 1}, E1"
    assert caught.value.message.endswith("fetch it again")


@given(st.binary(max_size=60))
def test_bytes_are_refused(data):
    with pytest.raises(LogError):
        mjlog.read(data)


def test_events_that_a_log_cannot_hold_are_refused():
    start, kyoku, *rest = mjlog.read(LOG).events
    resume = ev.Resume(0, 0, 0, 0, (1,), (0,) * 4, 0, (), ((), (), (), ()), ((), (), (), ()))
    for event, complaint in ((resume, "resumed"), (ev.Draw(0, None), "hidden")):
        with pytest.raises(LocalProtocolError, match=complaint):
            mjlog.write(GameLog((start, kyoku, event, *rest)))


SHARDS = [
    "houou-hanchan-00",
    "houou-tonpu-00",
    "houou-tonpu-01",
    "houou-tonpu-02",
    "houou-tonpu-03",
    "tokujou-hanchan-00",
]


def kyoku_of(log):
    return sum(isinstance(event, ev.StartKyoku) for event in log.events)


@pytest.mark.slow
@pytest.mark.corpus
def test_every_odd_log_survives(corpus):
    logs = []
    for file in open_logs([corpus / "other4-00.tar.xz"]):
        log = mjlog.read(file.data, file.name)
        assert mjlog.read(mjlog.write(log), file.name) == log
        logs.append(log)
    assert len(logs) == 219
    assert all(log.complete for log in logs)
    assert sum(map(kyoku_of, logs)) == 2116


@pytest.mark.corpus
def test_every_three_player_log_is_refused(corpus):
    refused = 0
    for file in open_logs([corpus / "sanma-00.tar.xz"]):
        with pytest.raises(UnsupportedGameError):
            mjlog.read(file.data, file.name)
        refused += 1
    assert refused == 1044


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("shard", SHARDS)
def test_recorded_logs_survive(corpus, shard):
    for file in recorded_games(corpus, shard):
        log = mjlog.read(file.data, file.name)
        assert log.complete
        assert mjlog.read(mjlog.write(log), file.name) == log


OWARI = ' owari="276,27.0,224,2.0,250,-9.5,250,-19.5"'


@pytest.mark.parametrize("text", [LOG, LOG.encode()])
def test_attributes_that_are_repeated_with_equal_values_are_read(text):
    """Some of Tenhou's own logs have ``owari`` twice in one tag."""
    owari = OWARI if isinstance(text, str) else OWARI.encode()
    twice = text.replace(owari, owari + owari)
    assert twice.count(owari) == 2
    assert mjlog.read(twice) == mjlog.read(text)


def test_attributes_that_are_repeated_with_other_values_are_named():
    text = LOG.replace(OWARI, OWARI + OWARI.replace("276", "277"))
    message = "AGARI> gives owari twice, as '276,27.0.*' and as '277,.*; remove the wrong one"
    with pytest.raises(LogError, match=message) as caught:
        mjlog.read(text, GAME)
    assert caught.value.source == GAME
    assert caught.value.position == f"line 1, column {text.index('<AGARI') + 1}, E1"
    assert "fetch" not in str(caught.value)


def test_other_faults_after_a_repeated_attribute_are_placed_as_in_the_file():
    text = LOG.replace('<GO type="9"', '<GO type="9" type="9"').replace("<U107/>", "<U999/>")
    with pytest.raises(LogError) as caught:
        mjlog.read(text, GAME)
    assert caught.value.position.startswith(f"line 1, column {text.index('<U999') + 1}")


@pytest.mark.parametrize(
    ("changes", "riichi", "shown"),
    [
        ("250,0,250,0,250,0,250,0", True, [True] * 4),
        ("250,0,250,0,250,0,250,0", False, [False] * 4),
        ("250,-10,250,30,250,-10,250,-10", False, [False, True, False, False]),
    ],
)
def test_hands_that_a_draw_does_not_show_although_somebody_was_tenpai(changes, riichi, shown):
    """Tenhou shows them; other programs leave them out."""
    reach = '<REACH who="0" step="1"/>', '<REACH who="0" ten="240,250,250,250" step="2"/>'
    play = f'<T114/>{reach[0] * riichi}<D114/>{reach[1] * riichi}<RYUUKYOKU ba="0,{int(riichi)}" sc="{changes}"/>'
    draw = mjlog.read(HEAD + DEAL + play + END).events[-1]
    assert [hand is not None for hand in draw.hands] == shown
    assert all(len(hand) == 13 for hand in draw.hands if hand is not None)
    assert (Unstated.TENPAI in draw.unstated) is riichi
    assert mjlog.read(mjlog.write(mjlog.read(HEAD + DEAL + play + END))).events[-1].hands == draw.hands
