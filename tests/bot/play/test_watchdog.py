"""Servers that keep a client busy with what moves no game, or with more than it can take: every wait ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from structlog.testing import capture_logs
from websockets.frames import Frame, Opcode

from bot.machine.gate import route
from bot.machine.sockets import Bucket, Flow
from bot.play.client import GameLostError
from bot.play.clock import RoundTrips
from bot.play.dial import FLOW
from bot.play.link import UNREAD, Link, open_link
from bot.play.losses import LOST, FloodError, SilentError, retryable
from bot.play.patience import MOST_EVENTS, Heard, Patience, Watchdog
from bot.play.tally import Tally
from engine.model.events import Disconnected, Draw, StartKyoku
from protocol.tenhou.session import Login, Received, Session, State
from tests.bot.play.scripted import (
    DRAWN,
    GO,
    INIT,
    LOGIN,
    PRACTICE,
    START,
    TAIKYOKU,
    UN,
    follow,
    listening,
    play,
)
from tests.tiers import mostly_slow

SHORT = Patience(
    login=0.5, waiting=0.5, seated=0.5, playing=0.5, echo=0.2, send=0.5, flood=0.5, beat=0.1,
    first_retry=0.01, longest_retry=0.05, give_up=1.0, seek=2.0, game=2.0,
)  # fmt: skip

PATIENT = replace(SHORT, login=60.0, waiting=60.0, seated=60.0, playing=60.0, give_up=60.0)
"""Waits long for the next event, so that only the limit of the whole game can end it, however busy the machine is."""


@asynccontextmanager
async def drips(*script, words, pause=0.02):
    """A server that follows a script, then says the same words for ever."""

    async def talk(socket):
        for step in script:
            await follow(socket, step, [])
        while True:
            for word in words:
                await follow(socket, word, [])
                await asyncio.sleep(pause)

    async with listening(talk, close_timeout=1.0) as url:
        yield url


WORDS = {
    "keep-alives": ["<Z/>"],
    "chat": [{"tag": "CHAT", "uname": "%41", "text": "%42"}],
    "unknown": [{"tag": "NEWS"}],
    "counters": [{"tag": "LN", "n": "1"}],
    "comings and goings": [{"tag": "BYE", "who": "1"}, {"tag": "UN", "n1": "%41"}],
    "furiten": [{"tag": "FURITEN", "show": "1"}, {"tag": "FURITEN", "show": "0"}],
}


PLAYING = ([*START, {"tag": "U"}], "the next move of the game")
WAITS = {
    "login": ([{"HELO"}], "the answer to the login"),
    "table": (LOGIN, "a table"),
    "first hand": ([*LOGIN, GO], "the first hand"),
    "next hand": ([*LOGIN, GO, UN, TAIKYOKU], "the next hand"),
    "game": PLAYING,
}


@mostly_slow(
    ("words", "script", "what"),
    [
        *(pytest.param(WORDS["keep-alives"], *wait, id=name) for name, wait in WAITS.items()),
        *(pytest.param(words, *PLAYING, id=name) for name, words in WORDS.items() if name != "keep-alives"),
    ],
    quick=3,
)
async def test_words_that_move_nothing_are_no_progress(words, script, what):
    """The connection is left, and said is what it was waited for; then the next one, until there is no use in it."""
    tally = Tally()
    async with drips(*script, words=words) as url:
        with capture_logs() as lines, contextlib.suppress(GameLostError):
            async with asyncio.timeout(60):
                await play(url, patience=replace(SHORT, seek=60.0, game=60.0), tally=tally)
    assert tally.drops >= 1
    cause = next(line["cause"] for line in lines if line["event"] == "connection lost")
    assert (what in cause and "frames arrived" in cause) or "what we know of the hand" in cause


@pytest.mark.slow
async def test_a_game_without_end_ends():
    """Hand after hand, each begun and drawn: everything is legal, and nothing ever comes of it."""
    async with drips(*LOGIN, PRACTICE, UN, TAIKYOKU, words=[INIT, {"tag": "U"}, DRAWN]) as url:
        tally = Tally()
        with pytest.raises(GameLostError, match="the game had not ended after 2 s"):
            await play(url, patience=PATIENT, tally=tally)
    assert 0 < tally.hands < 200  # some 16 a second: each is progress, and none of them may put the end off


@pytest.mark.slow
async def test_a_table_that_is_promised_again_and_again_ends():
    words = [PRACTICE, UN, TAIKYOKU, INIT, {"tag": "REJOIN", "t": "0,1,r"}]
    async with drips(*LOGIN, words=words) as url:
        with pytest.raises(GameLostError, match="the game had not ended after 2 s"):
            await play(url, patience=PATIENT)


# -- floods --------------------------------------------------------------------------------------------------------

CHAT = json.dumps({"tag": "CHAT", "text": "x" * 64_000})
SMALL = Flow(rate=64e3, burst=1024e3, unsent=1 << 16)


async def test_a_flood_is_read_slowly_then_left():
    sent = 0

    async def flood(socket):
        nonlocal sent
        while True:
            await socket.send(CHAT)
            sent += len(CHAT)

    async with listening(flood) as url:
        way = route(url)
        with pytest.raises(FloodError, match="more than 64 kB a second") as caught:  # noqa: PT012
            async with open_link(way, list, RoundTrips(), SHORT, SMALL) as link:
                while True:
                    await link.inbox.get()
                    assert len(link.inbox) <= UNREAD
    assert not retryable(caught.value)
    assert sent < 40e6  # what the system's buffers hold, and what was let in


@pytest.mark.slow
async def test_messages_that_nobody_takes_are_not_read():
    """A frame is heard now and then only: the others wait at the server, and not here."""

    async def flood(socket):
        while True:
            await socket.send("<Z/>")
            await asyncio.sleep(0)

    async with listening(flood) as url:
        way = route(url)
        async with open_link(way, list, RoundTrips(), SHORT, FLOW) as link:
            async with asyncio.timeout(60):
                while len(link.inbox) < UNREAD:  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.5)
            assert len(link.inbox) == UNREAD
            assert len(link._socket.recv_messages.frames) < 70_000  # of one read of 256 KiB


@mostly_slow(
    ("first", "frame", "why"),
    [
        (b"", Frame(Opcode.PING, b"x" * 125), "floods|does not read"),
        (b"", Frame(Opcode.PONG, b""), "floods|fragments"),
        (
            Frame(Opcode.TEXT, b"", fin=False).serialize(mask=False),
            Frame(Opcode.CONT, b"", fin=False),
            "floods|fragments",
        ),
    ],
    ids=["pings", "pongs", "fragments"],
)
async def test_frames_that_make_no_message_are_bounded_too(first, frame, why):
    """The server writes them for ever and reads nothing."""

    async def flood(socket):
        socket.transport.pause_reading()
        socket.transport.write(first)
        while not socket.transport.is_closing():
            socket.transport.write(200 * frame.serialize(mask=False))
            await asyncio.sleep(0.001)

    async with listening(flood, close_timeout=0.1) as url:
        way = route(url)
        with pytest.raises(LOST, match=why):
            async with asyncio.timeout(60), open_link(way, list, RoundTrips(), SHORT, SMALL) as link:
                await link.inbox.get()


async def test_a_server_that_reads_nothing_is_left():
    class Deaf:
        async def send(self, _):
            await asyncio.sleep(3600)

    link = Link(Deaf(), SHORT)
    with pytest.raises(SilentError, match="has not read"):
        await link.send("<Z/>")


async def stopped(url):
    """What a client makes of the wish to stop, half a second after it began."""
    stop = asyncio.Event()
    playing = asyncio.create_task(play(url, stop=stop))
    await asyncio.sleep(0.5)
    stop.set()
    return (await asyncio.wait_for(playing, 60))[0]


@pytest.mark.slow
@pytest.mark.parametrize("script", [[{"HELO"}], LOGIN], ids=["before the login", "seeking a table"])
async def test_the_wish_to_stop_is_heeded_under_a_flood(script):
    async with drips(*script, words=["<Z/>"] * 100, pause=0) as url:
        assert await stopped(url) is None


async def test_the_wish_to_stop_is_heeded_while_a_server_does_not_answer_the_handshake():
    left = asyncio.Event()

    async def listen(reader, writer):
        await reader.read()
        writer.close()
        await writer.wait_closed()
        left.set()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as mute:
        assert await stopped(f"ws://127.0.0.1:{mute.sockets[0].getsockname()[1]}/") is None
        await left.wait()


async def test_a_task_that_is_cancelled_ends_under_a_flood():
    async with drips(*LOGIN, PRACTICE, UN, TAIKYOKU, INIT, words=["<Z/>"] * 100, pause=0) as url:
        playing = asyncio.create_task(play(url))
        await asyncio.sleep(0.5)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(playing, 60)


# -- parts ---------------------------------------------------------------------------------------------------------


def heard(*events):
    """A frame that meant these events, and changed nothing else."""
    session = Session(Login(1))
    return Heard(time.monotonic(), Received(list(events)), session, session.state)


def test_a_hand_has_so_many_events_and_no_more():
    watchdog = Watchdog(SHORT)
    deal = StartKyoku(0, 0, 0, 0, 60, (25_000,) * 4, (None,) * 4)
    for _ in range(3):
        watchdog.heard(heard(deal))
        for _ in range(MOST_EVENTS):
            watchdog.heard(heard(Draw(1, None)))
    with pytest.raises(GameLostError, match="more than any hand has"):
        watchdog.heard(heard(Draw(1, None)))


def test_a_watchdog_says_what_it_waited_for_and_what_came_instead(monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    watchdog = Watchdog(SHORT)
    for _ in range(17):
        watchdog.heard(heard())
    watchdog.heard(heard(Disconnected(1)))
    assert watchdog.why(State.PLAYING) == "waited 0 s for the next move of the game, though 18 frames arrived"
    watchdog.heard(heard(Draw(1, None)))
    assert watchdog.why(State.WAITING) == "waited 0 s for a table"
    watchdog.heard(heard())
    watchdog.begin()
    assert watchdog.why(State.WAITING) == "waited 0 s for a table"


def test_a_bucket_fills_with_time():
    bucket = Bucket(rate=1e6, burst=10.0)
    assert bucket.take(10) == 0.0
    assert 0.9 < bucket.take(1e6) <= 1.0


@pytest.mark.slow
async def test_comings_back_that_bring_no_move_wait_longer_each_time():
    """A server that hands the game back and drops it at once does not make the client spin."""
    resumes = 0

    async def talk(socket):
        nonlocal resumes
        script = [*START, {"tag": "U"}] if not resumes else [{"HELO"}, GO, UN, TAIKYOKU, {"NEXTREADY"}]
        resumes += 1
        for step in script:
            await follow(socket, step, [])
        socket.transport.abort()

    slow = Patience(playing=5, first_retry=0.1, longest_retry=0.4, give_up=2.0, game=60.0)
    async with listening(talk) as url:
        with pytest.raises(GameLostError, match="reconnecting has been useless"):
            await play(url, patience=slow)
    assert resumes < 20


async def test_another_connection_is_tried_however_soon_it_is_given_up():
    connections = 0

    async def talk(socket):
        nonlocal connections
        connections += 1
        for step in START if connections == 1 else ():
            await follow(socket, step, [])
        await socket.wait_closed()

    async with listening(talk) as url:
        with pytest.raises(GameLostError, match="reconnecting has been useless"):
            await play(url, patience=replace(SHORT, give_up=0.01, seek=60.0, game=60.0))
    assert connections == 2
