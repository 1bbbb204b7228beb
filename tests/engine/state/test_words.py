"""Events in words."""

from __future__ import annotations

import pytest

from engine.model import events as ev
from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN
from engine.state import GameState, StateError, event_words

FOUR = (0, 0, 0, 0)
NONE = (None, None, None, None)

WORDS = {
    "a game begins": ev.StartGame(HANCHAN),
    "E3-1 is dealt": ev.StartKyoku(2, 1, 0, 2, 0, FOUR, NONE),
    "seat 1 draws a hidden tile": ev.Draw(1, None),
    "seat 1 draws 0p": ev.Draw(1, 52),
    "seat 1 discards 5p from the hand": ev.Discard(1, 53, False),
    "seat 1 discards 5p, just drawn": ev.Discard(1, 53, True),
    "seat 1 draws tile 136, which does not exist": ev.Draw(1, 136),
    "seat 2 calls pon 111m": ev.Call(2, Meld(MeldKind.PON, (0, 1, 2), 2, 0)),
    "seat 2 calls closed kan 1111m": ev.Call(2, Meld(MeldKind.ANKAN, (0, 1, 2, 3), None, 2, 0)),
    "seat 3 declares riichi": ev.RiichiDeclared(3),
    "seat 3 pays for its riichi": ev.RiichiAccepted(3),
    "1m is turned as a dora indicator": ev.NewDora(0),
    "seat 0 wins on 1m from seat 2": ev.Win(0, 2, 0, FOUR),
    "seat 0 wins on 1m by self-draw": ev.Win(0, 0, 0, FOUR),
    "the hand ends in an exhaustive draw": ev.Ryuukyoku(ev.RyuukyokuKind.EXHAUSTIVE, FOUR),
    "the hand ends in nagashi mangan": ev.Ryuukyoku(ev.RyuukyokuKind.NAGASHI_MANGAN, FOUR),
    "the hand ends in an abortive draw (four winds)": ev.Ryuukyoku(ev.RyuukyokuKind.FOUR_WINDS, FOUR),
    "the game ends": ev.EndGame(FOUR),
    "seat 1 disconnects": ev.Disconnected(1),
    "seat 1 reconnects": ev.Reconnected(1),
    "S1 is taken up again": ev.Resume(4, 0, 0, 0, (0,), FOUR, 0, (), ((), (), (), ()), ((), (), (), ())),
}


@pytest.mark.parametrize("words", WORDS)
def test_every_event_has_words(words):
    assert event_words(WORDS[words]) == words


def test_no_kind_of_event_is_left_out():
    assert {type(event) for event in WORDS.values()} == set(ev.Event.__args__)


def test_an_impossible_event_is_refused_in_words():
    with pytest.raises(StateError, match="it cannot be that seat 1 draws 1m: "):
        GameState(0).apply(ev.Draw(1, 0))
