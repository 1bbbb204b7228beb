"""The recorded sessions with a reconnection, played through the client over a socket: state, prompts and end agree."""

from __future__ import annotations

import asyncio
import tarfile
from collections import deque

import pytest
from websockets.asyncio.server import serve

from bot.deciding.thinker import Thinker
from bot.machine.gate import route
from bot.play.client import Client, GameLostError
from bot.play.clock import ClockTracker
from bot.play.patience import Manner, Patience
from bot.play.player import Player
from bot.play.tally import Tally
from engine.model.events import EndGame
from engine.policy.registry import make_policy
from protocol.logs import wire
from protocol.tenhou import client, server
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.schema import Sender
from protocol.tenhou.session import GUEST, Login, Session
from tests.oracles.naive_view import validate

pytestmark = pytest.mark.corpus

CUT_OFF = ("first.log", "second.log")
"""One game: the first ends where the connection was lost, the second is how it went on."""


def recordings(corpus):
    """The recordings of each game that has a reconnection, in order."""
    texts = {}
    with tarfile.open(corpus / "wire-sessions.tar.xz") as archive:
        for member in archive:
            if member.isfile():
                texts[member.name] = archive.extractfile(member).read().decode()
    again = [name for name, text in texts.items() if "REINIT" in text and name not in CUT_OFF]
    return [[(name, texts[name])] for name in again] + [[(name, texts[name]) for name in CUT_OFF]]


def received(text):
    """The frames that came, each with whether it asks for an answer."""
    shadow = Session(Login(9))
    shadow.connect()
    for line in text.splitlines():
        if line.startswith("Get:"):
            frame = line[4:].strip()
            yield frame, shadow.receive(frame).prompt is not None


async def replay(recorded):
    """What a client makes of recordings: its result or why it has none, its player, how often it was asked."""
    left = deque(recorded)
    asked = 0

    async def talk(socket):
        nonlocal asked
        _, text = left.popleft()
        await socket.recv()
        declared = False  # the discard of a riichi follows the server's step 1
        for frame, asks in received(text):
            await socket.send(frame)
            asked += asks
            wanted = asks + (declared and server.Reach(who=0, step=1) in parse_frame(frame, Sender.SERVER))
            while wanted:
                said = parse_frame(await socket.recv(), Sender.CLIENT)
                answers = [each for each in said if isinstance(each, client.Discard | client.N | client.Reach)]
                declared = isinstance(answers[0], client.Reach) if answers else declared
                wanted -= len(answers)
        if left:
            socket.transport.abort()
        else:
            await socket.close()

    guest = 'HELO name="NoName"' in recorded[0][1]
    thinker = Thinker(make_policy("simple"))
    player = Player(thinker, ClockTracker(), Tally())
    session = Session(Login(9, GUEST if guest else "ID0A1B2C3D-4e5f6a7b"))
    async with serve(talk, "127.0.0.1", 0) as listening:
        url = f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}/"
        patience = Patience(first_retry=0.01, give_up=2.0 if len(recorded) > 1 else 0.0)
        try:
            async with asyncio.timeout(120):
                result = await Client(route(url), session, player, manner=Manner(patience=patience)).play()
        except GameLostError as error:
            result = error
        finally:
            thinker.close()
    return result, player, asked


@pytest.mark.slow
async def test_recorded_reconnections_through_the_client(corpus):
    games = recordings(corpus)
    assert len(games) == 10
    ended = resumed = 0
    for recorded in games:
        name = recorded[-1][0]
        result, player, asked = await replay(recorded)
        tally = player.tally
        assert (tally.lost, tally.mismatches, tally.malformed, tally.unexpected) == (0, 0, 0, 0), name
        assert (tally.illegal, tally.failed, tally.repeated) == (0, 0, 0), name
        assert asked - tally.decisions in (0, 1), name  # where a recording breaks off, we may still be thinking
        validate(player.state)
        steps = [step.event for _, text in recorded for step in wire.play(wire.read_session(text, name))
                 if isinstance(step, wire.Seen)]  # fmt: skip
        if isinstance(steps[-1], EndGame):
            assert result.scores == steps[-1].scores
            assert result.results == steps[-1].results
            ended += 1
        else:
            assert isinstance(result, GameLostError), name
        resumed += tally.resumed
    assert ended == 9
    assert resumed == 1
