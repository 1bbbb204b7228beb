"""The lobby as one client's frames reach it: login, waiting room, table, seat, without a network."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any, Final

from bot.config import LobbySettings
from bot.lobby import LobbyConfig, LobbyServer

PAUSE: Final = 0.002
"""Seconds between frames, in which the players at the table answer."""
SETTINGS: Final = LobbySettings(
    port=0, seats=("tsumogiri",) * 3, action=0.005, bank=0.0, fast_action=0.005, fast_bank=0.0
)


class Socket:
    """A client's connection that says what it is given and throws away what it hears."""

    remote_address = ("127.0.0.1", 1)

    def __init__(self, frames: list[str | bytes]) -> None:
        self._frames = frames
        self.heard = 0

    async def __aiter__(self) -> Any:
        for frame in self._frames:
            yield frame
            await asyncio.sleep(PAUSE)

    async def send(self, text: str) -> None:
        """Hear."""
        assert isinstance(text, str)
        self.heard += 1

    async def ping(self) -> asyncio.Future[float]:
        """Never answered."""
        return asyncio.get_running_loop().create_future()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close."""
        assert len(reason) < 120
        del code

    def punish(self) -> None:
        """Pay for nothing."""


def take_frames(data: bytes) -> None:
    """Let a client say these lines in a fresh lobby; whatever fails there is raised."""
    frames: list[str | bytes] = [line.decode("utf-8", "replace") for line in data.split(b"\n")[:60]]
    _runner().run(_serve(frames))


@cache
def _runner() -> asyncio.Runner:
    return asyncio.Runner()


async def _serve(frames: list[str | bytes]) -> None:
    server = LobbyServer(
        LobbyConfig(
            SETTINGS,
            people=1,
            patience=0.001,
            confirm=0.01,
            ready=0.01,
        )
    )
    hall, failed = server._hall, []

    def done(task: asyncio.Future[None]) -> None:
        hall._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            failed.append(task.exception())

    hall._done = done
    await server._welcome(Socket(frames))
    await hall.close()
    if failed:
        raise failed[0]


def conversations() -> list[bytes]:
    """What clients say, in both forms."""
    tags = [
        '<HELO name="NoName" tid="f0" sx="M"/>', '<PXR V="1"/>', '<CHAT text="%41"/>', '<JOIN t="0,0"/>', "<GOK/>",
        "<NEXTREADY/>", *["<N/>", '<D p="{}"/>'] * 5, "<REACH/>", '<N type="1" hai0="1" hai1="2"/>', '<N type="6"/>',
        "<BYE/>",
    ]  # fmt: skip
    json = [
        '{"tag":"HELO","name":"Anna","sx":"M","gpid":"00000001-00000002"}', "<Z/>", '{"tag":"LOBBY","id":1000}',
        '{"tag":"JOIN","t":"1000,1"}', '{"tag":"JOIN","t":"1000,1,r"}', '{"tag":"GOK"}', '{"tag":"NEXTREADY"}',
        *['{"tag":"D","p":{}}', '{"tag":"N"}', '{"tag":"N","type":3,"hai0":1,"hai1":2}'] * 4, '{"tag":"REACH"}',
        '{"tag":"JOIN"}', '{"tag":"ECHO"}', '{"tag":"CS","lobby":"C1"}', '{"tag":"BYE"}',
    ]  # fmt: skip
    practice = [json[0].replace("Anna", "ID0A1B2C3D-4e5f6a7b"), '{"tag":"JOIN","t":"0,9"}', *json[5:]]
    return [
        "\n".join(line.replace("{}", str(7 * at % 136)) for at, line in enumerate(lines)).encode()
        for lines in (tags, json, practice)
    ]
