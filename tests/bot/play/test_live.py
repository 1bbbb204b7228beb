"""The client on the lobby and on servers that talk nonsense or go away; and thought under a deadline."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from bot.config import LobbySettings
from bot.deciding.ask import Outcome, Question
from bot.deciding.thinker import Thinker
from bot.lobby import LobbyConfig, LobbyServer
from bot.play.client import GameLostError
from bot.play.clock import ClockTracker
from bot.play.conversation import NONSENSE_LIMIT
from bot.play.record import GameRecord
from engine.model.events import Draw, StartGame, StartKyoku
from engine.model.rules import HANCHAN, TONPU
from engine.policy.registry import make_policy
from engine.state import GameState
from protocol.tenhou.game_type import Clock, GameType
from tests.bot.play.scripted import (
    CLOSE,
    DRAWN,
    HAND,
    HELLO,
    INIT,
    ONCE,
    PRACTICE,
    PRACTISE,
    STALL,
    TAIKYOKU,
    UN,
    Deciding,
    play,
    player_of,
    said,
    server,
)

TONPU_PRACTICE = GameType(TONPU, people=False).code
AMPLE = Clock(300.0, 300.0)
"""Enough for a first decision that has to compile its kernels on a busy machine."""
OFFERED = LobbySettings(port=0, action=AMPLE.action, bank=AMPLE.bank)


class Watching:
    """Keeps the decisions that it is told."""

    def __init__(self):
        self.outcomes = []

    def happened(self, _state, event):
        pass

    def decided(self, _state, _decision, outcome):
        self.outcomes.append(outcome)

    def noted(self, said):
        pass


async def lost(*script, **how):
    """Why the client gives the game up, what it said, and its player."""
    player = player_of(**how)
    async with server(script) as (url, heard):
        with pytest.raises(GameLostError) as caught:
            await play(url, patience=ONCE, player=player)
    return str(caught.value), heard, player


# -- whole games ---------------------------------------------------------------------------------------------------


async def test_a_whole_game_on_the_lobby(tmp_path):
    watcher = Watching()
    player = player_of("simple", ClockTracker(AMPLE), watchers=[watcher])
    async with LobbyServer(LobbyConfig(OFFERED, seed=11)).serve() as lobby:
        with GameRecord(tmp_path, policy="simple") as record:
            result, tally = await play(lobby.url, player=player, record=record, kind=TONPU_PRACTICE)
        table = await lobby.ended()
    assert result.scores == table.end.scores
    assert result.results == table.end.results
    assert sum(result.scores) == 100_000
    assert table.illegal == 0
    assert tally.illegal == tally.late == tally.failed == tally.mismatches == tally.unexpected == tally.malformed == 0
    assert tally.hands == table.hands
    assert watcher.outcomes == [Outcome.DECIDED] * tally.decisions


async def test_a_policy_that_never_answers_in_time_is_played_for():
    def dawdle(state, legal, budget):
        while not budget.expired():
            time.sleep(0.001)
        time.sleep(0.03)  # and takes no notice of the budget for a while
        return make_policy("simple").decide(state, legal, budget)

    player = player_of(Deciding(dawdle), ClockTracker(Clock(0.05, 0.0), margin=0.0))
    async with LobbyServer(LobbyConfig(OFFERED, seed=11)).serve() as lobby:
        _, tally = await play(lobby.url, player=player, kind=TONPU_PRACTICE)
        table = await lobby.ended()
    assert tally.late > 0
    assert tally.illegal == tally.failed == 0
    assert table.illegal == 0
    assert sum(seat.late for seat in table.tallies) == 0


# -- servers at fault ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([{"tag": "ERR", "code": "1003"}], "refused the login (error 1003)"),
        ([HELLO, CLOSE], "closed the connection in state"),
        ([HELLO, {**PRACTICE, "type": "25"}, STALL], "three-player"),
    ],
    ids=["a refused login", "hanging up", "a three-player table"],
)
async def test_a_server_that_gives_no_table_is_left_with_the_reason(answers, why):
    assert why in (await lost({"HELO"}, *answers))[0]


async def test_nonsense_is_counted_and_given_up_on_after_a_while():
    frames = ["\x00\x1b[2J", "{", "[]", '{"tag":5}', '{"tag":"INIT"}', "<T999/>", '{"tag":"N","who":"9","m":"1"}']
    why, _, player = await lost({"HELO"}, HELLO, *frames * NONSENSE_LIMIT, STALL)
    assert f"{NONSENSE_LIMIT} frames could not be read" in why
    assert player.tally.malformed == NONSENSE_LIMIT
    assert "\x1b" not in why


async def test_play_without_a_game_crashes_nothing():
    """Every tag of play, before there is a table, and again before anything was dealt."""
    frames = [
        {"tag": "T5"}, {"tag": "U"}, {"tag": "D5"}, {"tag": "e7", "t": "1"}, {"tag": "N", "who": "1", "m": "34314"},
        {"tag": "REACH", "who": "0", "step": "1"}, {"tag": "DORA", "hai": "3"}, {"tag": "FURITEN", "show": "1"},
        {"tag": "BYE", "who": "2"}, DRAWN,
    ]  # fmt: skip
    why, _, player = await lost(
        {"HELO"}, HELLO, *frames, {"JOIN"}, PRACTICE, UN, *frames, TAIKYOKU, *frames, {"NEXTREADY"}, CLOSE
    )
    assert "closed the connection" in why
    assert player.tally.unexpected > len(frames)
    assert player.tally.decisions == 0


async def test_an_impossible_event_suspends_the_hand_and_the_answers_stay_safe():
    """A tile is drawn that the hand already holds; later ones are discarded as they come, offers are passed."""
    impossible = [{"tag": "T4"}, {"D"}, {"tag": "D4"}, {"tag": "U"}, {"tag": "e50", "t": "1"}, {"N"}, DRAWN]
    second = [{"NEXTREADY"}, {**INIT, "seed": "0,1,0,1,2,60"}, {"tag": "T130"}, {"D"}, CLOSE]
    why, heard, player = await lost(*PRACTISE, INIT, *impossible, *second)
    assert "closed the connection" in why
    assert said(heard, "D")[0] == {"tag": "D", "p": 4}
    assert said(heard, "N") == [{"tag": "N"}]
    assert player.tally.lost == 1
    assert player.tally.hands == 2
    assert player.state.hand[-1] == 130


async def test_an_offer_that_is_none_is_passed_and_counted():
    deal = {**INIT, "oya": "1", "seed": "1,0,0,1,2,60"}
    _, heard, player = await lost(*PRACTISE, deal, {"tag": "U"}, {"tag": "E132", "t": "7"}, {"N"}, CLOSE)
    assert heard[-1] == {"tag": "N"}
    assert player.tally.mismatches == 1


async def test_a_server_that_does_not_wait_is_noticed():
    """The next event comes while we think: our answer is not sent, and counted as late."""

    over = threading.Event()

    def slow(state, legal, budget):
        over.wait()
        return make_policy("simple").decide(state, legal, budget)

    frames = [{"tag": "T130"}, {"tag": "D130"}, {"tag": "U"}]
    how = {"policy": Deciding(slow), "clock": ClockTracker(AMPLE)}
    _, heard, player = await lost(*PRACTISE, INIT, *frames, CLOSE, **how)
    over.set()
    assert player.tally.late == 1
    assert not said(heard, "D")


# -- thought -------------------------------------------------------------------------------------------------------


@pytest.fixture
def state():
    view = GameState(0, HANCHAN)
    view.apply(StartGame(HANCHAN))
    hand = tuple(int(tile) for tile in HAND.split(","))
    view.apply(StartKyoku(0, 0, 0, 0, 60, (25_000,) * 4, (hand, None, None, None)))
    view.apply(Draw(0, 130))
    return view


async def test_a_late_thought_is_answered_for_and_the_next_one_is_not_harmed(state):
    slept, begun, given_up = [], threading.Event(), threading.Event()

    def sleepy(view, legal, budget):
        if not slept:
            slept.append(budget)
            begun.set()
            given_up.wait()
        return make_policy("simple").decide(view, legal, budget)

    thinker = Thinker(Deciding(sleepy))
    legal = state.legal_actions()
    late = await thinker.think(Question.of(state, legal, 0.05))
    assert late.outcome is Outcome.LATE
    assert late.decision.mode == "fallback"
    assert state.is_legal(late.decision.action)
    assert await asyncio.to_thread(begun.wait, 60.0)
    assert slept[0].expired()
    given_up.set()
    fine = await thinker.think(Question.of(state, legal, 60.0))
    assert fine.outcome is Outcome.DECIDED
    thinker.close()


async def test_the_state_may_move_on_while_a_late_thought_still_reads_its_own(state):
    seen = []

    def reads(view, legal, budget):
        time.sleep(0.1)
        seen.append(tuple(view.hand))
        return make_policy("simple").decide(view, legal, budget)

    thinker = Thinker(Deciding(reads))
    before, before_it_moved = tuple(state.hand), state.copy()
    await thinker.think(Question.of(state, state.legal_actions(), 0.02))
    state.hand.clear()
    await thinker.think(Question.of(before_it_moved, before_it_moved.legal_actions(), 60.0))  # waits for the late one
    thinker.close()
    assert seen == [before, before]
