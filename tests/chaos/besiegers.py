"""Hostile clients of a lobby, in a process of their own. Each makes one attack after another until time is up."""

import asyncio
import contextlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode

SECONDS_OF_GRACE: Final = 60.0
"""Seconds after the siege within which the process must have ended."""
ADDRESSES: Final = tuple(f"127.0.0.{number}" for number in range(2, 6))
"""Their addresses; there are several, so that bounds for one address do not stop all of them at once."""
STAY: Final = 20.0
"""Maximum duration of an attack in seconds."""

Siegers = Callable[[ClientConnection, random.Random], Awaitable[None]]


def main(url: str, clients: int, seconds: float, seed: int) -> None:
    """Attack, then print the number of attacks of each kind and how their connections ended."""
    done: Counter[str] = Counter()
    asyncio.run(_all(url, clients, time.monotonic() + seconds, seed, done))
    sys.stdout.write(json.dumps(done))


async def _all(url: str, clients: int, until: float, seed: int, done: Counter[str]) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(until - time.monotonic()):
            await asyncio.gather(
                *(_one(url, number, random.Random(f"{seed}/{number}"), done) for number in range(clients))
            )


async def _one(url: str, number: int, rng: random.Random, done: Counter[str]) -> None:
    address = ADDRESSES[number % len(ADDRESSES)]
    while True:
        name = rng.choice(sorted(ATTACKS))
        done[name] += 1
        try:
            async with asyncio.timeout(STAY):
                if name == "half a handshake":
                    await half_a_handshake(url, address)
                else:
                    async with connect(
                        url, proxy=None, compression=None, close_timeout=0.2, local_addr=(address, 0), max_size=None
                    ) as socket:
                        await ATTACKS[name](socket, rng)
        except Exception as error:  # noqa: BLE001 - what the library makes of our abuse does not matter
            done[f"ended: {_ending(error)}"] += 1
        await asyncio.sleep(rng.uniform(0.0, 0.5))


def _ending(error: Exception) -> str:
    received = getattr(error, "rcvd", None)
    return f"{received.code} {received.reason}".strip() if received is not None else type(error).__name__


async def half_a_handshake(url: str, address: str) -> None:
    """Send an HTTP request byte by byte and never finish it."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, local_addr=(address, 0))
    try:
        for byte in b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + 10_000 * b"x":
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.1)
        await reader.read()
    finally:
        writer.close()


async def _say(socket: ClientConnection, *messages: dict[str, Any] | str) -> None:
    for message in messages:
        await socket.send(message if isinstance(message, str) else json.dumps(message))


async def _listen(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


async def _mute(socket: ClientConnection, _: random.Random) -> None:
    """Connect and say nothing."""
    await _listen(socket)


async def _many_tables(socket: ClientConnection, _: random.Random) -> None:
    """Ask for thousands of tables in one frame."""
    await _say(socket, '<HELO name="NoName"/>' + '<JOIN t="0,0"/><JOIN/>' * 2_000)
    await _listen(socket)


async def _many_rooms(socket: ClientConnection, rng: random.Random) -> None:
    """Wait for a table in many lobbies, one after another."""
    await _say(socket, {"tag": "HELO", "name": "NoName", "sx": "M"})
    while True:
        await _say(socket, {"tag": "JOIN", "t": f"{rng.randrange(8000)},{rng.choice((1, 9, 65, 0, 255, 1 << 40))}"})
        await asyncio.sleep(0.05)


async def _squat(socket: ClientConnection, _: random.Random) -> None:
    """Take a table and never answer."""
    await _say(socket, {"tag": "HELO", "name": "NoName", "sx": "M"}, {"tag": "JOIN", "t": "0,0"})
    await _listen(socket)


async def _deaf(socket: ClientConnection, _: random.Random) -> None:
    """Take a table, then chat without reading what comes back."""
    await _say(socket, {"tag": "HELO", "name": "NoName", "sx": "M"}, {"tag": "JOIN", "t": "0,0"})
    socket.transport.pause_reading()
    while True:
        await _say(socket, {"tag": "CHAT", "text": "x" * 1_000})
        await asyncio.sleep(0.05)


async def _chatter(socket: ClientConnection, _: random.Random) -> None:
    """Chat as fast as possible."""
    await _say(socket, {"tag": "HELO", "name": "NoName", "sx": "M"})
    while True:
        await _say(socket, {"tag": "CHAT", "text": "x" * 2_000})


async def _nonsense(socket: ClientConnection, rng: random.Random) -> None:
    """Send text of all sizes that is not a message."""
    while True:
        size = rng.choice((1, 100, 10_000, 60_000))
        await socket.send(rng.choice((rng.randbytes(size), "[" * size, "<" * size, '{"tag":"' + "x" * size)))


async def too_large(socket: ClientConnection, _: random.Random) -> None:
    """Send a message beyond any bound."""
    await socket.send("x" * 1_000_000)
    await _listen(socket)


async def pings(socket: ClientConnection, _: random.Random) -> None:
    """Send pings without reading the answers."""
    socket.transport.pause_reading()
    pings = 200 * Frame(Opcode.PING, b"x" * 125).serialize(mask=True)
    while not socket.transport.is_closing():
        socket.transport.write(pings)
        await asyncio.sleep(0.01)


async def fragments(socket: ClientConnection, _: random.Random) -> None:
    """Send the fragments of a message that never ends."""
    socket.transport.write(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
    more = 200 * Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
    while not socket.transport.is_closing():
        socket.transport.write(more)
        await asyncio.sleep(0.01)


async def _impostor(socket: ClientConnection, rng: random.Random) -> None:
    """Log in under other players' names and keys, and with guessed passwords."""
    for _ in range(20):
        name = rng.choice(("Player1", "Player2", "COM", f"ID0000000{rng.randrange(1, 5)}-{rng.randrange(10**8):08}"))
        await _say(socket, {"tag": "HELO", "name": name, "gpid": f"{rng.randbytes(4).hex()}-{rng.randbytes(4).hex()}"})
        await asyncio.sleep(0.1)
    await _listen(socket)


async def _cheat(socket: ClientConnection, rng: random.Random) -> None:
    """Take a table and answer at random."""
    await _say(socket, {"tag": "HELO", "name": "NoName", "sx": "M"}, {"tag": "JOIN", "t": "0,0"})
    await _say(socket, {"tag": "GOK"}, {"tag": "NEXTREADY"})
    async for _ in socket:
        await _say(socket, rng.choice(({"tag": "D", "p": str(rng.randrange(136))}, {"tag": "N"}, {"tag": "REACH"})))


async def come_and_go(socket: ClientConnection, _: random.Random) -> None:
    """Leave at once, without a farewell."""
    socket.transport.abort()


async def _nothing(socket: ClientConnection, _: random.Random) -> None:
    """In place of an attack that needs no websocket."""


ATTACKS: Final[dict[str, Siegers]] = {
    "mute": _mute,
    "many tables": _many_tables,
    "many rooms": _many_rooms,
    "squat": _squat,
    "deaf": _deaf,
    "chatter": _chatter,
    "nonsense": _nonsense,
    "too large": too_large,
    "pings": pings,
    "fragments": fragments,
    "impostor": _impostor,
    "cheat": _cheat,
    "come and go": come_and_go,
    "half a handshake": _nothing,
}
"""Every attack by name."""
