"""What a game adds to a player's record is what Tenhou's server says that it adds."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bot.lobby.table import prof_add
from bot.logs.sources import open_logs
from engine.model.events import Discard, EndGame, RiichiDeclared, StartGame, StartKyoku, Win
from protocol.errors import LogError
from protocol.logs.formats import read_session
from protocol.logs.wire import Seen, play
from protocol.tenhou.server import Prof

SCORES = (25_000,) * 4


def test_a_tile_that_two_win_on_is_dealt_in_once_and_a_riichi_counts_when_it_is_declared():
    end = EndGame((-1000, 34_000, 42_000, 25_000), (-51.0, 14.0, 52.0, -15.0))
    events = [
        StartKyoku(0, 0, 0, 0, 0, SCORES, (None,) * 4),
        RiichiDeclared(0),
        Discard(0, 5, False),
        Win(1, 0, 5, (-8000, 8000, 0, 0)),
        Win(2, 0, 5, (-18_000, 0, 18_000, 0)),
        end,
    ]
    assert prof_add(events, end, 0) == (-51.0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1)
    assert prof_add(events, end, 2) == (52.0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0)


@pytest.mark.corpus
@pytest.mark.parametrize("every", [pytest.param(10, id="a tenth"), pytest.param(1, id="all", marks=pytest.mark.slow)])
def test_recorded_servers_add_the_same(corpus: Path, every: int):
    compared = 0
    for file in islice(open_logs([corpus / "wire-sessions.tar.xz"]), 0, None, every):
        try:
            session = read_session(file)
            seen = [step for step in play(session) if isinstance(step, Seen)] if session else []
        except LogError:
            continue  # no capture, or three players
        events = [step.event for step in seen]
        messages = [one for entry in session.entries for one in entry.messages] if session else []
        stated = [one.add for one in messages if isinstance(one, Prof)]
        ends = [event for event in events if isinstance(event, EndGame)]
        games, hands = (sum(isinstance(event, kind) for event in events) for kind in (StartGame, StartKyoku))
        if len(stated) == len(ends) == games == 1 and hands == stated[0][6]:  # the capture holds all of one game
            assert prof_add(events, ends[0], seen[0].viewer) == stated[0], file.name
            compared += 1
    assert compared > 550 // every
