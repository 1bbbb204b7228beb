"""Moments of recorded hands: which are kept, and what stands on the table then."""

from __future__ import annotations

import numpy as np

from engine.model.events import Discard as Discarded
from engine.model.events import Draw, EndGame, Event, Ryuukyoku, RyuukyokuKind, StartGame, StartKyoku
from engine.model.rules import Rules
from engine.rules import moment_kernels, moments
from engine.rules.code_kernels import DISCARD, TYPE
from engine.rules.recordings import KyokuColumn, encode_game

HANDS = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
SCORES = (24_000, 26_000, 25_000, 25_000)


def game(hands):
    """Hands in which each seat draws and discards once, and nobody wins."""
    events: list[Event] = [StartGame(Rules())]
    for honba in range(hands):
        events.append(StartKyoku(0, honba, 0, 0, 135, SCORES, HANDS))
        for seat in range(4):
            events += [Draw(seat, 60 + seat), Discarded(seat, 60 + seat, True)]
        events.append(Ryuukyoku(RyuukyokuKind.NINE_TERMINALS, (0,) * 4))
    return encode_game("a", [*events, EndGame(SCORES)])


def test_moments_stand_before_the_events_asked_for():
    recordings = game(1)
    (before,) = moments.moments(recordings, np.arange(1), before=(DISCARD,))
    assert before["number"].tolist() == [1, 3, 5, 7]
    assert (before["code"] & TYPE == DISCARD).all()
    assert before["turn"].tolist() == [0, 1, 2, 3]
    assert before["counts"].sum(axis=2)[np.arange(4), before["turn"]].tolist() == [14] * 4
    assert before["discards"].tolist() == [0, 1, 2, 3]
    assert before["scores"].tolist() == [list(SCORES)] * 4
    assert before["last_kyoku"].tolist() == [7] * 4


def test_hands_that_do_not_fit_come_with_the_next_moments(monkeypatch):
    monkeypatch.setattr(moments, "ROOM", moment_kernels.MOST_MOMENTS + 10)
    parts = [
        (part["row"].tolist(), part["honba"].tolist())
        for part in moments.moments(game(7), np.array([6, 0, 1, 2, 3, 4, 5]), before=(DISCARD,))
    ]
    rows = [part[0][::4] for part in parts]
    assert rows == [[6, 0, 1], [2, 3, 4], [5]]
    assert all(row == honba for row, honba in parts)


def test_kernels_and_recordings_name_the_same_columns():
    for column in KyokuColumn:
        assert getattr(moment_kernels, f"K_{column.name}", column) == column
    assert moment_kernels.K_SCORES == KyokuColumn.SCORE
