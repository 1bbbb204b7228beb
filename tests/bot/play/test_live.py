"""The client against servers that hold back, talk nonsense, or go away; and thought under a deadline."""

import asyncio
import json
import time
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import serve

from bot.config import LobbySettings
from bot.deciding.ask import Outcome, Question
from bot.deciding.thinker import Thinker
from bot.lobby import LobbyConfig, LobbyServer
from bot.machine.gate import route
from bot.play.client import Client, GameLostError
from bot.play.clock import LEAST, ClockTracker
from bot.play.conversation import NONSENSE_LIMIT
from bot.play.patience import Manner, Patience
from bot.play.player import Player
from bot.play.record import GameRecord
from bot.play.tally import Tally
from engine.model.events import StartGame, StartKyoku
from engine.model.rules import HANCHAN, TONPU
from engine.policy.registry import make_policy
from engine.state import GameState
from protocol.tenhou.game_type import Clock, GameType
from protocol.tenhou.session import Login, Session

TONPU_PRACTICE = GameType(TONPU, people=False).code
AMPLE = Clock(300.0, 300.0)
OFFERED = LobbySettings(port=0, action=300.0, bank=300.0)
"""Enough for a first decision that has to compile its kernels on a busy machine."""
HAND = "0,4,8,12,16,20,24,28,32,36,40,44,108"


class Policy:
    """Plays like ``simple`` unless told otherwise."""

    name = "test"

    def __init__(self, instead=None):
        self.simple = make_policy("simple")
        self.instead = instead
        self.hands = 0

    def settings(self):
        return {}

    def start_kyoku(self):
        self.hands += 1
        self.simple.start_kyoku()

    def decide(self, state, legal, budget):
        return (self.instead or self.simple.decide)(state, legal, budget)


class Watching:
    """Keeps what it is told."""

    def __init__(self):
        self.events, self.decisions, self.texts = [], [], []

    def happened(self, _state, event):
        self.events.append(event)

    def decided(self, _state, decision, outcome):
        self.decisions.append((decision, outcome))

    def noted(self, said):
        self.texts.append(said["en"])


def make_client(url, policy=None, clock=None, record=None, watcher=None):
    thinker = Thinker(policy or Policy())
    player = Player(thinker, clock or ClockTracker(), Tally())
    player.watchers = (watcher,) if watcher else ()
    return Client(
        route(url), Session(Login(TONPU_PRACTICE)), player, record, Manner(patience=Patience(give_up=0.0))
    ), player


async def play(url, **how):
    client, player = make_client(url, **how)
    try:
        async with asyncio.timeout(600):
            return await client.play(), player.tally
    finally:
        player._thinker.close()


@asynccontextmanager
async def scripted(*answers):
    """A server that says one list of frames for each frame it hears (keep-alives aside), then hangs up.

    A dict or a text is said as it is; None: say nothing and stay.
    """
    heard = []

    async def talk(socket):
        for frames in answers:
            if frames is None:
                await socket.wait_closed()
                return
            heard.append(await socket.recv())
            for frame in frames:
                await socket.send(json.dumps(frame) if isinstance(frame, dict) else frame)
        await socket.close()

    async with serve(talk, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/", heard


WELCOME = {"tag": "HELO", "uname": "NoName"}
GO = {"tag": "GO", "type": "0", "lobby": "0"}
UN = {
    "tag": "UN",
    "n0": "a",
    "n1": "b",
    "n2": "c",
    "n3": "d",
    "dan": "0,0,0,0",
    "rate": "1500.00,1500.00,1500.00,1500.00",
}
TAIKYOKU = {"tag": "TAIKYOKU", "oya": "0"}
INIT = {"tag": "INIT", "seed": "0,0,0,1,2,60", "ten": "250,250,250,250", "oya": "0", "hai": HAND}


RYUUKYOKU = {"tag": "RYUUKYOKU", "ba": "0,0", "sc": "250,0,250,0,250,0,250,0"}


async def lost(*answers, **how):
    """Why the client gives the game up."""
    async with scripted(*answers) as (url, heard):
        client, player = make_client(url, **how)
        with pytest.raises(GameLostError) as caught:
            async with asyncio.timeout(120):
                await client.play()
        player._thinker.close()
        return str(caught.value), heard, player


# -- whole games ---------------------------------------------------------------------------------------------------


async def test_a_whole_game_on_the_lobby(tmp_path):
    watcher = Watching()
    async with LobbyServer(LobbyConfig(OFFERED, seed=11)).serve() as lobby:
        with GameRecord(tmp_path, policy="simple") as record:
            result, tally = await play(lobby.url, clock=ClockTracker(AMPLE), record=record, watcher=watcher)
        table = await lobby.ended()
    assert result.scores == table.end.scores
    assert result.results == table.end.results
    assert sum(result.scores) == 100_000
    assert table.illegal == 0
    assert tally.illegal == tally.late == tally.failed == tally.mismatches == tally.unexpected == tally.malformed == 0
    assert tally.hands == table.hands
    assert tally.decisions == len(watcher.decisions)
    assert all(outcome is Outcome.DECIDED for _, outcome in watcher.decisions)


async def test_a_policy_that_never_answers_in_time_is_played_for():
    def dawdle(state, legal, budget):
        while not budget.expired():
            time.sleep(0.001)
        time.sleep(0.03)  # and takes no notice of the budget for a while
        return make_policy("simple").decide(state, legal, budget)

    clock = Clock(0.05, 0.0)
    async with LobbyServer(LobbyConfig(OFFERED, seed=11)).serve() as lobby:
        _, tally = await play(lobby.url, policy=Policy(dawdle), clock=ClockTracker(clock, margin=0.0))
        table = await lobby.ended()
    assert tally.late > 0
    assert tally.illegal == tally.failed == 0
    assert table.illegal == 0
    assert sum(seat.late for seat in table.tallies) == 0


# -- servers at fault ----------------------------------------------------------------------------------------------


async def test_a_refused_login_says_why():
    why, _, _ = await lost([{"tag": "ERR", "code": "1003"}])
    assert "refused the login (error 1003)" in why


async def test_a_server_that_hangs_up_says_where():
    why, _, _ = await lost([WELCOME])
    assert "closed the connection in state" in why


async def test_a_three_player_table_is_refused():
    why, _, _ = await lost([WELCOME, {**GO, "type": "25"}], None)
    assert "three-player" in why


async def test_nonsense_is_counted_and_given_up_on_after_a_while():
    frames = ["\x00\x1b[2J", "{", "[]", '{"tag":5}', '{"tag":"INIT"}', "<T999/>", '{"tag":"N","who":"9","m":"1"}']
    why, _, player = await lost([WELCOME, *frames * NONSENSE_LIMIT], None)
    assert f"{NONSENSE_LIMIT} frames could not be read" in why
    assert player.tally.malformed == NONSENSE_LIMIT
    assert "\x1b" not in why


async def test_play_without_a_game_crashes_nothing():
    """Every tag of play, before there is a table, and again before anything was dealt."""
    play_frames = [
        {"tag": "T5"}, {"tag": "U"}, {"tag": "D5"}, {"tag": "e7", "t": "1"}, {"tag": "N", "who": "1", "m": "34314"},
        {"tag": "REACH", "who": "0", "step": "1"}, {"tag": "DORA", "hai": "3"}, {"tag": "FURITEN", "show": "1"},
        {"tag": "BYE", "who": "2"}, RYUUKYOKU,
    ]  # fmt: skip
    why, _, player = await lost([WELCOME, *play_frames], [GO, UN, *play_frames], [TAIKYOKU, *play_frames])
    assert "closed the connection" in why
    assert player.tally.unexpected > len(play_frames)
    assert player.tally.decisions == 0


async def test_an_impossible_event_suspends_the_hand_and_the_answers_stay_safe():
    """A tile is drawn that the hand already holds; later ones are discarded as they come, offers are passed."""
    why, heard, player = await lost(
        [WELCOME],
        [],
        [GO, UN],
        [TAIKYOKU],
        [INIT, {"tag": "T4"}],
        [{"tag": "D4"}, {"tag": "U"}, {"tag": "e50", "t": "1"}],
        [RYUUKYOKU],
        [{**INIT, "seed": "0,1,0,1,2,60"}, {"tag": "T130"}],
    )
    assert "closed the connection" in why
    said = [frame for frame in heard if '"D"' in frame or '"N"' in frame]
    assert json.loads(said[0]) == {"tag": "D", "p": 4}
    assert json.loads(said[1]) == {"tag": "N"}
    assert player.tally.lost == 1
    assert player.tally.hands == 2
    assert player.state.hand[-1] == 130


async def test_an_offer_that_is_none_is_passed_and_counted():
    _, heard, player = await lost(
        [WELCOME],
        [],
        [GO, UN],
        [TAIKYOKU],
        [{**INIT, "oya": "1", "seed": "1,0,0,1,2,60"}, {"tag": "U"}, {"tag": "E132", "t": "7"}],
        [],
    )
    assert json.loads(heard[-1]) == {"tag": "N"}
    assert player.tally.mismatches == 1


async def test_a_server_that_does_not_wait_is_noticed():
    """The next event comes while we think: our answer is not sent, and counted as late."""

    def slow(state, legal, budget):
        time.sleep(0.2)
        return make_policy("simple").decide(state, legal, budget)

    _, heard, player = await lost(
        [WELCOME], [], [GO, UN], [TAIKYOKU], [INIT, {"tag": "T130"}, {"tag": "D130"}, {"tag": "U"}], policy=Policy(slow)
    )
    assert player.tally.late == 1
    assert not any('"D"' in frame for frame in heard)


# -- thought -------------------------------------------------------------------------------------------------------


@pytest.fixture
def state():
    view = GameState(0, HANCHAN)
    view.apply(StartGame(HANCHAN))
    hand = tuple(int(tile) for tile in HAND.split(","))
    view.apply(StartKyoku(0, 0, 0, 0, 60, (25_000,) * 4, (hand, None, None, None)))
    from engine.model.events import Draw  # noqa: PLC0415

    view.apply(Draw(0, 130))
    return view


async def test_a_late_thought_is_answered_for_and_the_next_one_is_not_harmed(state):
    slept = []

    def sleepy(view, legal, budget):
        if not slept:
            slept.append(budget)
            time.sleep(0.3)
        return make_policy("simple").decide(view, legal, budget)

    thinker = Thinker(Policy(sleepy))
    legal = state.legal_actions()
    late = await thinker.think(Question.of(state, legal, 0.05))
    assert late.outcome is Outcome.LATE
    assert late.decision.mode == "fallback"
    assert state.is_legal(late.decision.action)
    assert slept[0].expired()
    fine = await thinker.think(Question.of(state, legal, 5.0))
    assert fine.outcome is Outcome.DECIDED
    thinker.close()


async def test_the_state_may_move_on_while_a_late_thought_still_reads_its_own(state):
    seen = []

    def reads(view, legal, budget):
        time.sleep(0.1)
        seen.append(tuple(view.hand))
        return make_policy("simple").decide(view, legal, budget)

    thinker = Thinker(Policy(reads))
    before, before_it_moved = tuple(state.hand), state.copy()
    await thinker.think(Question.of(state, state.legal_actions(), 0.02))
    state.hand.clear()
    await thinker.think(Question.of(before_it_moved, before_it_moved.legal_actions(), 30.0))  # waits for the late one
    thinker.close()
    assert seen == [before, before]


def test_the_clock_gives_and_takes():
    clock = ClockTracker(Clock(5.0, 10.0), margin=0.5, bank_share=0.5)
    assert clock.allowance() == 5.0 + 5.0 - 0.5
    clock.spend(3.0)
    assert clock.bank == 10.0
    clock.spend(8.5)
    assert clock.bank == 6.0
    clock.spend(100.0)
    assert clock.bank == 0.0
    assert clock.allowance() == 4.5
    clock.start_kyoku()
    assert clock.bank == 10.0


def test_a_margin_that_eats_everything_leaves_a_little():
    assert ClockTracker(Clock(0.1, 0.0), margin=5.0).allowance() == LEAST
