"""A server that says what a script tells it to, and a client that plays on it."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import asynccontextmanager, suppress

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from bot.deciding.thinker import Thinker
from bot.machine.gate import route
from bot.play.client import Client
from bot.play.clock import ClockTracker
from bot.play.patience import Manner, Patience
from bot.play.player import Player
from bot.play.tally import Tally
from engine.policy.registry import make_policy
from protocol.tenhou.session import Login, Session

QUICK = Patience(first_retry=0.01, longest_retry=0.05, doubt=0.05)
"""Comes back at once; is silent for nothing."""
ONCE = Patience(give_up=0.0)
"""Tries no second connection."""
KEY = "ID0A1B2C3D-4e5f6a7b"
HELLO = {"tag": "HELO", "uname": "x"}
GO = {"tag": "GO", "type": "1", "lobby": "0", "gpid": "00000001-00000002"}
PRACTICE = {"tag": "GO", "type": "0", "lobby": "0"}
"""A table to which a guest cannot come back."""
UN = {"tag": "UN", "n0": "a", "n1": "b", "n2": "c", "n3": "d"}
TAIKYOKU = {"tag": "TAIKYOKU", "oya": "0"}
HAND = "0,4,8,12,16,20,24,28,32,36,40,44,108"
INIT = {"tag": "INIT", "seed": "0,0,0,1,2,60", "ten": "250,250,250,250", "oya": "0", "hai": HAND}
SAIKAI = {"tag": "SAIKAI", "ba": "0,0", "oya": "0", "sc": "250,0,250,0,250,0,250,0"}
REINIT = {**INIT, "tag": "REINIT", "kawa1": "50"}
DRAWN = {"tag": "RYUUKYOKU", "ba": "0,0", "sc": "250,0,250,0,250,0,250,0"}
END = {**DRAWN, "type": "nm", "owari": "250,20.0,250,10.0,250,-10.0,250,-20.0"}
DROP = "drop"
CLOSE = "close"
STALL = "stall"
LOGIN = [{"HELO"}, HELLO, {"JOIN"}]
START = [*LOGIN, GO, UN, TAIKYOKU, {"NEXTREADY"}, INIT]
PRACTISE = [*LOGIN, PRACTICE, UN, TAIKYOKU, {"NEXTREADY"}]
BACK = [{"HELO"}, GO, UN, SAIKAI, {"GOK"}, REINIT]


@asynccontextmanager
async def listening(talk, **settings):
    """The address of a server that talks with each client until either side leaves."""

    async def speak(socket):
        with suppress(ConnectionClosed):
            await talk(socket)

    async with serve(speak, "127.0.0.1", 0, **settings) as one:
        yield f"ws://127.0.0.1:{next(iter(one.sockets)).getsockname()[1]}/"


async def follow(socket, step, heard):
    """Say a step of a script, or hear what the client says until it is one of a set of tags."""
    if not isinstance(step, set):
        await socket.send(step if isinstance(step, str) else json.dumps(step))
        return
    while True:
        frame = await socket.recv()
        tag = json.loads(frame)["tag"] if frame.startswith("{") else frame.strip("</> ").split()[0]
        if tag != "Z":
            heard.append(json.loads(frame) if frame.startswith("{") else tag)
        if tag in step:
            return


@asynccontextmanager
async def server(*connections, heard=None):
    """Each connection has a script: a dict or text is said, and a set waits until the client has said one of its tags
    (of XML or JSON). DROP cuts the connection off, CLOSE ends it in good order, STALL goes on in silence.
    """
    heard = [] if heard is None else heard
    left = list(connections)

    async def talk(socket):
        for step in left.pop(0) if left else [STALL]:
            if step == DROP:
                socket.transport.abort()
            elif step == CLOSE:
                await socket.close()
            elif step != STALL:
                await follow(socket, step, heard)
        await socket.wait_closed()

    async with listening(talk) as url:
        yield url, heard


def said(heard, tag):
    """The messages with that tag which a client has said as JSON."""
    return [frame for frame in heard if isinstance(frame, dict) and frame["tag"] == tag]


class Deciding:
    """A policy of one function."""

    name = "deciding"

    def __init__(self, decide):
        self.decide = decide

    def settings(self):
        return {}

    def start_kyoku(self):
        pass


def player_of(policy="tsumogiri", clock=None, tally=None, watchers=()):
    """A player that asks a policy, given by its name or as it is."""
    decider = make_policy(policy) if isinstance(policy, str) else policy
    player = Player(Thinker(decider), clock or ClockTracker(), tally or Tally())
    player.watchers = tuple(watchers)
    return player


async def play(
    url, name="NoName", patience=QUICK, policy="tsumogiri", stop=None, tally=None, player=None, record=None, kind=1
):
    """What a client makes of one game, and what it counted."""
    player = player or player_of(policy, tally=tally)
    manner = Manner(patience=patience, rng=random.Random(1), stop=stop or asyncio.Event())
    client = Client(route(url), Session(Login(kind, name)), player, record, manner)
    try:
        async with asyncio.timeout(120):
            return await client.play(), player.tally
    finally:
        player._thinker.close()
