"""Hostile servers, against which a client must end in time, stay within its memory, and keep its key secret."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response

from tests.chaos.child import KEY, Ended, run

CHAT: Final = json.dumps({"tag": "CHAT", "uname": "%41", "text": "x" * 64_000})
HELLO: Final = {"tag": "HELO", "uname": "x"}
HAND: Final = "0,4,8,12,16,20,24,28,32,36,40,44,108"
DEAL: Final = {"tag": "INIT", "seed": "0,0,0,1,2,60", "ten": "250,250,250,250", "oya": "0", "hai": HAND}
OTHERS_DEAL: Final = {**DEAL, "seed": "1,0,0,1,2,60", "oya": "1"}
DRAWN: Final = {"tag": "RYUUKYOKU", "ba": "0,0", "sc": "250,0,250,0,250,0,250,0"}
LAST: Final = {**DRAWN, "type": "nm", "owari": "250,20.0,250,10.0,250,-10.0,250,-20.0"}
SPELLINGS: Final = (
    KEY,
    KEY.lower(),
    KEY[-8:],
    "".join(f"%{ord(one):02X}" for one in KEY),
    "".join(f"%25{ord(one):02x}" for one in KEY),
    "".join(f"&#{ord(one)};" for one in KEY),
    "".join(f"&#x{ord(one):x};" for one in KEY),
    KEY.replace("D", "%44").replace("4", "&#52;"),
)
"""Spellings of the key that a server could send back; JSON escapes are applied to each as well."""

Talk = Callable[[ServerConnection], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile server.

    Attributes:
        talk: handles a connection.
        says: text that the client's error or log must contain; empty: the client must play the game to its end.
        seconds: time within which the client must end.
        quick: whether that is short enough for a short trial.
        redirects: whether it answers the handshake with a redirect to a server that must not be contacted.
        reconnect: settings of the configuration's section ``reconnect``.
    """

    talk: Talk
    says: str
    seconds: float
    quick: bool = True
    redirects: bool = False
    reconnect: tuple[tuple[str, float], ...] = ()


async def attacked(attack: Attack, folder: Path) -> tuple[Ended, list[str]]:
    """Let a process play against a hostile server; returns how it ended, and everything that went wrong."""
    visits: list[str] = []
    async with _serving(attack, visits) as url:
        settings = {
            "server": {"url": url},
            "policy": {"name": "tsumogiri"},
            "reconnect": {"give_up": 5.0, "seek": 5.0, "game": 60.0, **dict(attack.reconnect)},
        }
        ended = await run(folder, settings, seconds=attack.seconds)
    faults = ended.faults((1,) if attack.says else (0,), attack.seconds)
    log = folder / "play.log"
    heard = ended.err + (log.read_text(encoding="utf-8", errors="replace") if log.exists() else "")
    if attack.says and attack.says not in heard:
        faults.append(f"the reason {attack.says!r} is not given: {ended.err[-300:]}")
    if not attack.says and ended.figures.get("games") != 1:
        faults.append("the game was not played to its end")
    return ended, faults + visits


@contextlib.asynccontextmanager
async def _serving(attack: Attack, visits: list[str]) -> AsyncIterator[str]:
    """Run the server, and another one to which it may redirect; visits of the latter are recorded."""

    async def talk(socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed, OSError):
            await attack.talk(socket)

    async def trap(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append("the redirect was followed")
        writer.close()

    def answer(_: ServerConnection, request: Request) -> Response | None:
        del request
        if not attack.redirects:
            return None
        headers = Headers({"Location": elsewhere, "Content-Length": "0"})
        return Response(HTTPStatus.FOUND.value, HTTPStatus.FOUND.phrase, headers)

    async with await asyncio.start_server(trap, "127.0.0.1", 0) as alone:
        elsewhere = f"ws://0x7f000001:{alone.sockets[0].getsockname()[1]}/"
        async with serve(
            talk, "127.0.0.1", 0, process_request=answer, close_timeout=0.2, ping_interval=None, compression=None
        ) as listening:
            yield f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}/"


# -- what they do --------------------------------------------------------------------------------------------------


async def _hear(socket: ServerConnection, wanted: str) -> None:
    """Wait until the client sends a tag."""
    async for frame in socket:
        if wanted in str(frame)[:40]:
            return


async def _say(socket: ServerConnection, *frames: dict[str, str]) -> None:
    for frame in frames:
        await socket.send(json.dumps(frame))


async def _log_in(socket: ServerConnection) -> None:
    await _hear(socket, "HELO")
    await _say(socket, HELLO)
    await _hear(socket, "JOIN")


async def _sit_down(socket: ServerConnection, deal: dict[str, str] = DEAL) -> None:
    await _log_in(socket)
    await _say(socket, {"tag": "GO", "type": "1", "lobby": "0"}, {"tag": "UN", "n0": "a", "n1": "b"})
    await _say(socket, {"tag": "TAIKYOKU", "oya": "0"})
    await _hear(socket, "NEXTREADY")
    await _say(socket, deal)


async def _flood(socket: ServerConnection) -> None:
    while True:
        await socket.send(CHAT)


async def _flood_in_the_queue(socket: ServerConnection) -> None:
    await _log_in(socket)
    await _flood(socket)


async def _flood_in_a_game(socket: ServerConnection) -> None:
    await _sit_down(socket)
    await _flood(socket)


async def _flood_of_pings(socket: ServerConnection) -> None:
    """Send ping frames, and read nothing."""
    socket.transport.pause_reading()
    ping = 200 * Frame(Opcode.PING, b"x" * 125).serialize(mask=False)
    while not socket.transport.is_closing():
        socket.transport.write(ping)
        await asyncio.sleep(0.001)


async def _drip(socket: ServerConnection) -> None:
    while True:
        await socket.send("<Z/>")
        await asyncio.sleep(0.2)


async def _drip_in_the_queue(socket: ServerConnection) -> None:
    await _log_in(socket)
    await _drip(socket)


async def _drip_in_a_game(socket: ServerConnection) -> None:
    await _sit_down(socket)
    await _drip(socket)


async def _game_without_end(socket: ServerConnection) -> None:
    """Repeat the same hand forever, in which everything is legal."""
    await _sit_down(socket, OTHERS_DEAL)
    while True:
        await _say(socket, {"tag": "U"}, {**DRAWN, "type": "yao9"}, OTHERS_DEAL)
        await asyncio.sleep(0.05)


async def _hang_up(socket: ServerConnection) -> None:
    await _hear(socket, "HELO")
    socket.transport.abort()


async def _nonsense(socket: ServerConnection) -> None:
    await _hear(socket, "HELO")
    while True:
        for frame in ('{"tag":', "<", "[" * 50_000, '{"tag":"INIT","hai":"x"}', b"\xff\x00"):
            await socket.send(frame)
        await asyncio.sleep(0.01)


async def _echo(socket: ServerConnection) -> None:
    """Play a whole game in which every text contains the key."""
    await _hear(socket, "HELO")
    everything = " ".join(SPELLINGS)
    await _say(
        socket, {"tag": "CHAT", "uname": KEY, "text": everything}, {"tag": KEY, "x": KEY}, {"tag": "LN", "n": KEY}
    )
    await socket.send(json.dumps({"tag": "CHAT", "text": everything}).replace("I", "\\u0049").replace("4", "\\u0034"))
    await socket.send("".join(f"\\u{ord(one):04x}" for one in KEY))
    await socket.send(f"<{KEY} {KEY}='{KEY}'/>")
    await _say(socket, {**HELLO, "uname": SPELLINGS[3]})
    await _hear(socket, "JOIN")
    await _say(socket, {"tag": "GO", "type": "1", "lobby": "0", "gpid": KEY})
    await _say(socket, {"tag": "UN", **{f"n{seat}": SPELLINGS[seat + 1] for seat in range(4)}})
    await _say(socket, {"tag": "TAIKYOKU", "oya": "0", "log": KEY})
    await _hear(socket, "NEXTREADY")
    await _say(socket, DEAL, {"tag": "T120"})
    await _hear(socket, '"D"')
    await _say(socket, {"tag": "D120"}, {"tag": f"D{KEY}"}, LAST)
    await socket.close(1000, KEY)


async def _refuse_with_echo(socket: ServerConnection) -> None:
    await _hear(socket, "HELO")
    await _say(socket, {"tag": "ERR", "code": KEY})


async def _close_with_echo(socket: ServerConnection) -> None:
    await _hear(socket, "HELO")
    await socket.close(4001, KEY)


ATTACKS: Final[dict[str, Attack]] = {
    "flood": Attack(_flood_in_the_queue, "has sent more than", 60.0, quick=False, reconnect=(("seek", 60.0),)),
    "flood in a game": Attack(_flood_in_a_game, "has sent more than", 60.0, quick=False),
    "flood of pings": Attack(_flood_of_pings, "the server", 60.0),
    "drip": Attack(_drip_in_the_queue, "no table was found in 5 s", 20.0),
    "drip in a game": Attack(_drip_in_a_game, "the game had not ended after 60 s", 80.0, quick=False),
    "game without end": Attack(_game_without_end, "the game had not ended after 60 s", 80.0, quick=False),
    "hanging up": Attack(_hang_up, "reconnecting has been useless for 5 s", 30.0, reconnect=(("seek", 60.0),)),
    "nonsense": Attack(_nonsense, "frames could not be read", 20.0),
    "redirect": Attack(_drip, "redirects are not followed", 10.0, redirects=True),
    "echo of the key": Attack(_echo, "", 20.0),
    "echo in a refusal": Attack(_refuse_with_echo, "refused the login", 10.0),
    "echo in a farewell": Attack(_close_with_echo, "code 4001", 10.0),
}
"""Every attack by name."""
