"""A lobby on this machine, and clients that speak to it: raw ones that say anything, and simple ones that play."""

from __future__ import annotations

import asyncio
import contextlib
import json
from datetime import UTC, datetime

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bot.config import LobbySettings
from bot.lobby import LobbyConfig, LobbyServer
from engine.model.actions import PASS, Action, ActionKind
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.schema import Sender
from protocol.tenhou.session import Login, Session, State

PATIENCE = 100.0
"""Seconds after which a test that waits for something has failed."""


class RawClient:
    """Says what it is told to, and keeps what it hears. A context manager."""

    def __init__(self, url):
        self.url = url
        self.heard = []
        self.news = asyncio.Event()

    async def __aenter__(self):
        self.socket = await connect(self.url, compression=None, close_timeout=0.2)
        return self

    async def __aexit__(self, *error):
        await self.socket.close()

    async def say(self, *frames):
        for frame in frames:
            await self.socket.send(json.dumps(frame) if isinstance(frame, dict) else frame)

    async def hear(self, *tags):
        """The next message with one of these tags; those before it are kept in ``heard``."""
        async with asyncio.timeout(PATIENCE):
            while True:
                frame = await self.socket.recv()
                message = json.loads(frame)
                assert all(isinstance(value, str) for value in message.values())
                parse_frame(frame, Sender.SERVER)
                self.heard.append(message)
                self.news.set()
                if message["tag"] in tags or message["tag"].rstrip("0123456789") in tags:
                    return message

    async def until_closed(self):
        """What else is heard, and the code with which the server closes."""
        with contextlib.suppress(ConnectionClosed):
            await self.hear("nothing has this tag")
        return self.socket.close_code

    async def wait_for(self, tag, times=1):
        """Until another task of this client has heard so many such messages."""
        async with asyncio.timeout(PATIENCE):
            while sum(message["tag"] == tag for message in self.heard) < times:
                self.news.clear()
                await self.news.wait()

    async def log_in(self, name="NoName"):
        await self.say({"tag": "HELO", "name": name, "sx": "M"})
        return await self.hear("HELO")

    async def sit(self, game_type=0, name="NoName"):
        """Log in, join, and get ready for the first hand."""
        await self.log_in(name)
        await self.say({"tag": "JOIN", "t": f"0,{game_type}"})
        if (await self.hear("GO", "REJOIN"))["tag"] == "REJOIN":
            await self.say({"tag": "JOIN", "t": self.heard[-1]["t"]})
            await self.hear("GO")
        await self.hear("TAIKYOKU")
        await self.say({"tag": "GOK"}, {"tag": "NEXTREADY"})
        return await self.hear("INIT")

    async def own_draw(self):
        """Pass whatever is asked until the next tile drawn; returns it."""
        while True:
            message = await self.hear("T", "E", "F", "G", "e", "f", "g", "N", "AGARI", "RYUUKYOKU")
            tag = message["tag"]
            if tag in ("AGARI", "RYUUKYOKU"):
                if "owari" in message:
                    return None
                await self.say({"tag": "NEXTREADY"})
            elif tag[0] == "T":
                return int(tag[1:])
            elif "t" in message:
                await self.say({"tag": "N"})


class SimplePlayer:
    """Plays one game over the protocol alone: wins, declares riichi, otherwise discards what it drew; may pon."""

    def __init__(self, url, game_type=9, name="NoName", calls=True):
        self.url = url
        self.session = Session(Login(game_type, name))
        self.calls = calls
        self.events = []
        self.notices = []
        self.hand = set()

    async def play(self):
        async with asyncio.timeout(6 * PATIENCE), connect(self.url, compression=None) as socket:
            await self._send(socket, self.session.connect())
            async for frame in socket:
                received = self.session.receive(frame)
                self.notices += received.notices
                await self._send(socket, received.sends)
                for event in received.events:
                    self.events.append(event)
                    self._see(event)
                if received.prompt is not None:
                    await self._send(socket, self.session.act(received.prompt, self._choose(received.prompt)))
                if self.session.state in (State.OVER, State.CLOSED):
                    return

    @staticmethod
    async def _send(socket, sends):
        for send in sends:
            await socket.send(send.frame)

    def _see(self, event):
        seat = self.session.seat
        match type(event).__name__:
            case "StartKyoku":
                self.hand = set(event.hands[seat])
            case "Draw" if event.seat == seat:
                self.hand.add(event.tile)
            case "Discard" if event.seat == seat:
                self.hand.discard(event.tile)
            case "Call" if event.seat == seat:
                self.hand -= set(event.meld.tiles)

    def _choose(self, prompt):
        asked, flags = prompt.asked, prompt.flags
        if asked.own_turn:
            if flags & 16:
                return Action(ActionKind.TSUMO, asked.tile)
            if asked.tile is not None:
                return Action(ActionKind.DISCARD, asked.tile)
            last = self.events[-1].meld.tile34
            return Action(ActionKind.DISCARD, max(tile for tile in self.hand if tile // 4 != last))
        if flags & 8:
            return Action(ActionKind.RON, asked.tile)
        pair = sorted(tile for tile in self.hand if tile // 4 == asked.tile // 4)[:2]
        if flags & 1 and self.calls:
            return Action(ActionKind.PON, asked.tile, tuple(pair))
        return PASS


def open_lobby(**settings):
    """A lobby whose clocks are generous and whose empty seats discard what they draw."""
    section = {"port": 0, "seats": ("tsumogiri",) * 3, "action": PATIENCE, "bank": 0.0}
    section |= {"fast_action": PATIENCE, "fast_bank": 0.0}
    section |= {name: settings.pop(name) for name in list(settings) if name in LobbySettings.model_fields}
    own = {"now": lambda: datetime(2026, 1, 2, 3, tzinfo=UTC), **settings}
    # bounds may be narrower here than a configuration may have them
    return LobbyServer(LobbyConfig(LobbySettings().model_copy(update=section), **own)).serve()
