"""What happened, in words: every event in every language, its tiles marked, names made safe."""

from __future__ import annotations

import pytest

from bot.wording.events import NoteKind, event_words, hand_words, naming, note_at_table
from bot.wording.languages import Lang, plain, table
from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    Draw,
    EndGame,
    NewDora,
    Reconnected,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
    WinScore,
)
from engine.model.melds import Meld, MeldKind
from engine.model.rules import TONPU

NAMES = ("Anna", "COM", "COM", "")
ZERO = (0, 0, 0, 0)
PON = Meld(MeldKind.PON, (0, 1, 2), called=2, from_seat=1)
SCORE = WinScore(30, 3900, 0, ((0, 1), (1, 1), (52, 2)))
EVENTS = (
    (StartGame(TONPU, NAMES), "the game begins"),
    (StartKyoku(1, 2, 0, 1, 0, (25_000,) * 4, (None,) * 4), "E2-2 is dealt"),
    (Draw(0, 16), "Anna draws 0m"),
    (Draw(1, None), "COM (right) draws"),
    (Discard(2, 108, tsumogiri=False), "COM (across) discards 1z"),
    (Discard(3, 108, tsumogiri=True), "left discards the drawn 1z"),
    (Call(0, PON), "Anna calls pon: 1m1m1m"),
    (RiichiDeclared(0), "Anna declares riichi"),
    (RiichiAccepted(0), "Anna is in riichi"),
    (NewDora(0), "new dora 2m"),
    (Win(0, 0, 4, ZERO), "Anna wins by self-draw: 2m"),
    (
        Win(0, 1, 4, ZERO, score=SCORE),
        "Anna wins on the 2m of COM (right): menzen tsumo, riichi, dora 2; 4 han 30 fu, 3,900",
    ),
    (Ryuukyoku(RyuukyokuKind.FOUR_WINDS, ZERO), "aborted: four winds"),
    (EndGame((25_000,) * 4), "the game is over"),
    (Disconnected(3), "left is disconnected"),
    (Reconnected(3), "left is connected again"),
)


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_every_event_has_words(event, words):
    assert plain(event_words(event, naming(NAMES, 0, 16))) == words
    japanese = plain(event_words(event, naming(NAMES, 0, 16, Lang.JA), Lang.JA))
    assert japanese
    assert "{" not in japanese


@pytest.mark.parametrize("kind", RyuukyokuKind)
def test_every_draw_has_words(kind):
    for lang in Lang:
        assert event_words(Ryuukyoku(kind, ZERO), str, lang)


def test_the_languages_say_the_same():
    english, japanese = (table("bot.wording", "events", lang) for lang in (Lang.EN, Lang.JA))
    assert english.keys() == japanese.keys()
    assert english["events"].keys() == japanese["events"].keys()
    assert english["draws"].keys() == japanese["draws"].keys()


def test_hands_are_named_in_the_language():
    assert hand_words("S3-1", Lang.EN) == "S3-1"
    assert hand_words("S3-1", Lang.JA) == "南3局1本場"
    assert hand_words("S3", Lang.JA) == "南3局"


def test_without_red_fives_a_five_is_a_five():
    assert plain(event_words(Draw(0, 16), naming(NAMES, 0, 16), red_fives=False)) == "Anna draws 5m"


def test_names_are_made_safe():
    assert naming(("\x1b[31mred", "b", "c", "d"), 0, 16)(0) == "[31mred"


def test_every_note_is_said_in_both_languages():
    for kind in NoteKind:
        said = note_at_table(kind, "what {is} said")
        assert set(said) == {"en", "ja"}
        assert said["en"] != said["ja"]
        assert ("{is}" in said["ja"]) == ("{is}" in said["en"])
