"""Intruders at the one server of pages, in a process of their own. Each makes one attack after another."""

import asyncio
import contextlib
import gzip
import hmac
import json
import lzma
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.chaos.besiegers import ADDRESSES, STAY, come_and_go, fragments, half_a_handshake, pings, too_large

PLACES: Final = ("", "watch/", "practice/", "drop/", "hand/")
BROKEN: Final = 1011
"""Code with which a websocket ends whose server has failed."""
PACKED: Final = 256
"""Number of times 8 MiB that a bomb unpacks to."""
NONCE: Final = "A" * 22 + "=="
"""Of a handshake; every one is a right one."""
LINKS: Final = 40
"""Number of times that the link is used; the oldest of 256 browsers are forgotten."""
POSITION: Final = {
    "hand": "123m456p789s1122z5m", "melds": "", "dora": "1m", "visible": "", "round": "E", "seat": "S", "turn": 6,
    "against": 0,
}  # fmt: skip
WORDS: Final[dict[str, list[dict[str, Any]]]] = {
    "": [
        {"do": "play", "against": "tsumogiri", "length": "tonpu", "clock": "fast", "name": "x", "hints": False},
        {"do": "speak", "lang": "ja"}, {"do": "theme", "wanted": "dark"}, {"do": "me", "name": "x", "wanted": True},
        {"do": "everyone", "wanted": True}, {"do": "leave"}, {"do": "review", "key": "x", "seat": 0},
        {"do": "review", "name": "x"}, {"do": "fetch"}, {"do": "clear"}, {"do": "delete", "page": "x"},
        {"do": "all", "lang": "en"},
    ],
    "watch/": [
        {"do": "answer", "game": 1, "number": 1, "choice": 0}, {"do": "looked", "game": 1}, {"do": "again"},
        {"do": "choose", "what": "pace", "wanted": "slow"}, {"do": "choose", "what": "hints", "wanted": True},
        {"do": "review", "game": 1}, {"do": "show", "kept": "x", "seat": 0}, {"do": "open", "log": 0, "seat": 0},
    ],
    "practice/": [
        {"do": "answer", "key": "x", "choice": 0}, {"do": "next"}, {"do": "again"}, {"do": "choose", "about": ""},
    ],
    "hand/": [{"do": "evaluate", "number": 1, "position": POSITION}],
    "drop/": [{"name": "x", "size": 0}, {"end": True}],
}  # fmt: skip
"""What every place hears."""


class GaveWayError(Exception):
    """The server did what it must not do."""


@dataclass
class Target:
    """The server, and what is known of it by somebody who has come in by its link."""

    link: str
    secrets: tuple[str, ...]  # what no answer may contain
    outside: str  # a folder that is not the user's, with a log named ``bait.xml``
    cookie: str = ""
    inside: str = ""
    links: int = 0
    why: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        """Its port."""
        return urlsplit(self.link).port or 0

    @property
    def address(self) -> str:
        """The path of the pages, which is no secret."""
        return f"/{urlsplit(self.link).path.split('/')[1]}/"

    def heard(self, answer: str | bytes) -> str:
        """An answer as text, in which there must be no secret."""
        text = answer if isinstance(answer, str) else answer.decode("latin-1")
        if found := [secret[:6] for secret in self.secrets if secret in text]:
            raise GaveWayError(f"an answer holds {found}")
        return text

    async def ask(self, path: str, *lines: str, usual: bool = True, body: bytes = b"") -> str:
        """The answer to a request with these lines; ``usual``: also with the right host and cookie."""
        known = (f"Host: 127.0.0.1:{self.port}", f"Cookie: {self.cookie}") if usual else ()
        head = "\r\n".join((path if " " in path else f"GET {path} HTTP/1.1", *known, *lines, "", ""))
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            with contextlib.suppress(OSError):  # it may hang up before it has read all
                writer.write(head.encode("latin-1") + body)
                await writer.drain()
                answer = await reader.read(1 << 16)
                opened = answer.startswith(b"HTTP/1.1 101")  # a line, which stays open
                return self.heard(answer if opened else answer + await reader.read())
            return ""
        finally:
            writer.transport.abort()

    async def refused(self, path: str, *lines: str, usual: bool = True, body: bytes = b"") -> None:
        """Ask for what must not be given."""
        answer = await self.ask(path, *lines, usual=usual, body=body)
        if re.match(r"HTTP/1.1 (?:101|200) |(?s:.*)\nSet-Cookie:", answer):
            raise GaveWayError(f"{path[:80]!r} {[each[:80] for each in lines]}: {answer[:60]!r}")

    async def come_in(self) -> tuple[str, str, str]:
        """Use the link: the cookie, where the pages lie, and the browser's name and key."""
        answer = await self.ask(urlsplit(self.link).path, f"Host: 127.0.0.1:{self.port}", usual=False)
        cookie, inside = re.findall(r"Set-Cookie: (\S+); Path=(\S+);", answer)[0]
        return cookie, inside, answer.partition('id="data">')[2].partition("<")[0]

    def line(self, place: str) -> connect:
        """A websocket to a place, as its own page opens it."""
        return connect(
            f"ws://127.0.0.1:{self.port}{self.inside}{place}live", origin=f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie}, proxy=None, compression=None, close_timeout=0.2, max_size=None,
        )  # fmt: skip


Attack = Callable[[Target, random.Random], Awaitable[None]]


def main(link: str, secrets: list[str], outside: str, clients: int, seconds: float, seed: int) -> None:
    """Attack, then print how often each attack was tried, refused and gave way, and how."""
    target, counts = Target(link, tuple(secrets), outside), {name: Counter[str]() for name in ATTACKS}
    asyncio.run(_all(target, clients, time.monotonic() + seconds, seed, counts))
    sys.stdout.write(json.dumps({"attacks": counts, "why": target.why[:20]}))


async def _all(target: Target, clients: int, until: float, seed: int, counts: dict[str, Counter[str]]) -> None:
    """Slow clients, as many as wanted, and beside them one of every other attack at a time."""
    target.cookie, target.inside, _ = await target.come_in()
    names = [*["slow"] * clients, *(name for name in ATTACKS if name != "slow")]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(until - time.monotonic()):
            await asyncio.gather(
                *(_again(target, name, random.Random(f"{seed}/{at}"), counts[name]) for at, name in enumerate(names))
            )


async def _again(target: Target, name: str, rng: random.Random, count: Counter[str]) -> None:
    while True:
        await attempt(target, name, rng, count)
        await asyncio.sleep(rng.uniform(0.0, 0.2))


async def attempt(target: Target, name: str, rng: random.Random, count: Counter[str]) -> None:
    """Make one attack, and count how it ended: the server must have ended it in time."""
    count["tried"] += 1
    try:
        async with asyncio.timeout(STAY * (5 if name == "bombs" else 1)):
            await ATTACKS[name](target, rng)
    except (GaveWayError, TimeoutError) as error:
        count["gave way"] += 1
        target.why.append(f"{name}: {error or 'it was neither refused nor ended in time'}")
        return
    except (ConnectionClosed, InvalidStatus, OSError, EOFError):
        pass  # the server hung up
    count["refused"] += 1


# -- requests ----------------------------------------------------------------------------------------------------------


async def _slow(target: Target, rng: random.Random) -> None:
    """Send a request byte by byte, and never finish it."""
    await half_a_handshake(target.link, rng.choice(ADDRESSES))


async def _oversized(target: Target, rng: random.Random) -> None:
    """Send what is too long for a head, a body, or no request at all."""
    path = target.inside
    await rng.choice((
        lambda: target.refused(path, f"X-Long: {'x' * 1_000_000}"),
        lambda: target.refused(path, *(f"X-{number}: x" for number in range(10_000))),
        lambda: target.refused(f"{path}?{'x' * 1_000_000}"),
        lambda: target.refused(path, "Content-Length: 10000000", body=bytes(10_000_000)),
        lambda: target.refused(f"POST {path} HTTP/1.1", "Content-Length: 5", body=b"12345"),
        lambda: target.refused(f"GET {path} HTTP/9.9"),
        lambda: target.refused(rng.randbytes(5_000).decode("latin-1"), usual=False),
    ))()  # fmt: skip


async def _wrong_host(target: Target, rng: random.Random) -> None:
    """Come by the name of another host, by two, or by none, with a cookie that is right."""
    names = ("evil.example", f"127.0.0.1.evil.example:{target.port}", "127.0.0.1@evil.example", "[::1]", "0.0.0.0", "")  # noqa: S104
    hosts = rng.choice(([], ["127.0.0.1", "127.0.0.1"], *([name] for name in names)))
    lines = (f"Host: {host}" for host in hosts)
    await target.refused(target.inside, *lines, f"Cookie: {target.cookie}", usual=False)


async def _wrong_origin(target: Target, rng: random.Random) -> None:
    """Open a line from the page of another site or port, with a cookie that is right."""
    port, ours = target.port, f"http://127.0.0.1:{target.port}"
    others = ("null", "http://evil.example", f"http://localhost:{port}", f"https://127.0.0.1:{port}", f"{ours}.example")
    origins = rng.choice(([], [ours, ours], *([each] for each in (*others, "http://127.0.0.1:1"))))
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {NONCE}")
    lines = (f"Origin: {origin}" for origin in origins)
    await target.refused(f"{target.inside}{rng.choice(PLACES)}live", *upgrade, *lines)


async def _forged(target: Target, rng: random.Random) -> None:
    """Come with no cookie, with one that is made up, and with a right one to where it is not good."""
    name, token = target.cookie.split("=")
    altered = token[:-1] + ("A" if token[-1] != "A" else "B")
    host, other = f"Host: 127.0.0.1:{target.port}", f"{target.address}{rng.randbytes(6).hex()[:11]}/"
    wrong = (
        "",
        f"{name}=",
        f"{name}={altered}",
        f"{name}={token}x",
        f"other={token}",
        f"{name}={token[:8]}",
        f"{name}=*",
    )
    await target.refused(target.inside, host, f"Cookie: {rng.choice(wrong)}", usual=False)
    await target.refused(target.inside, host, usual=False)
    await target.refused(other)


async def _traversal(target: Target, rng: random.Random) -> None:
    """Leave the folder by its path."""
    up = rng.choice(("../", "..%2f", "%2e%2e/", "%252e%252e%252f", "..\\", "..%5c", "....//", "\0../", "%00../"))
    places = ("", "review/", "practice/games/", "watch/review/", "drop/", "hand/")
    to = rng.choice(("bait.xml", "bait", "outside/bait.xml", "data/oshihiki/page.key", "etc/passwd"))
    named = rng.choice(
        (up * rng.randrange(1, 9) + to, f"{target.outside}/bait.xml", f"file://{target.outside}/bait.xml")
    )
    await target.refused(target.inside + rng.choice(places) + named)


async def _stolen(target: Target, rng: random.Random) -> None:
    """Use a link that is altered, a right one twice, and a proof after the one attempt that it is good for."""
    head, _, secret = urlsplit(target.link).path.rstrip("/").rpartition("/")
    await target.refused(f"{head}/{secret[:-1]}{'A' if secret[-1] != 'A' else 'B'}/", usual=False)
    if target.links >= LINKS:
        return
    target.links += 2
    first, second = await target.come_in(), await target.come_in()
    if first[0] == second[0] or first[2] == second[2]:
        raise GaveWayError("two browsers have the same cookie or key")
    known, nonce = json.loads(first[2]), rng.randbytes(12).hex()
    answer = await target.ask(f"{target.address}known/{known['name']}/{nonce}")
    said = json.loads(answer.partition("\r\n\r\n")[2])
    asked = f"{target.address}known/{known['name']}/{nonce}/{said['nonce']}"
    await target.refused(f"{asked}/{said['proof']}")  # the program's own
    own = hmac.new(bytes.fromhex(known["key"]), f"browser {nonce} {said['nonce']}".encode(), "sha256").hexdigest()
    await target.refused(f"{asked}/{own}")


# -- lines -------------------------------------------------------------------------------------------------------------


def _frames(attack: Callable[[ClientConnection, random.Random], Awaitable[None]]) -> Attack:
    """An attack on a lobby's line, at the line of a place."""

    async def at_a_place(target: Target, rng: random.Random) -> None:
        async with target.line(rng.choice(PLACES)) as socket:
            await attack(socket, rng)

    return at_a_place


async def _said(target: Target, place: str, messages: list[str | bytes]) -> None:
    """Say something to a place and hear what it answers; it must not fail."""
    async with target.line(place) as socket:
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            for message in messages:
                await socket.send(message)
            while True:
                target.heard(await asyncio.wait_for(socket.recv(), 0.3))
    if socket.close_code == BROKEN:
        raise GaveWayError(f"{place or 'home'} failed: {messages[-5:]!r:.300}")


def _spoilt(message: dict[str, Any], rng: random.Random, outside: str) -> dict[str, Any]:
    """A message with something wrong in it."""
    key = rng.choice([*message, "more"])
    if isinstance(message.get(key), dict) and rng.random() < 0.8:
        return message | {key: _spoilt(message[key], rng, outside)}
    wrong = (
        None, True, -1, 0, 1 << 70, 1e308, float("nan"), "", "x" * 300, "\ud800", "a\0b", "../bait", f"{outside}/bait",
        "..\\bait", "%2e%2e%2fbait", [], {}, [[[]]], {"do": []},
    )  # fmt: skip
    return message | {key: rng.choice(wrong)}


async def _wrong_words(target: Target, rng: random.Random) -> None:
    """Say everything that is known with wrong types and values, what is unknown, and what is no JSON."""
    place = rng.choice(PLACES)
    messages: list[str | bytes] = [
        json.dumps(_spoilt(rng.choice(WORDS[place]), rng, target.outside)) for _ in range(20)
    ]
    none = ("{", "[" * 900, '{"do":', "NaN", "1" * 900, '"\\ud800"', '{"do": "none"}', "[]", b"\0\xff", "")
    await _said(target, place, [*messages, *rng.sample(none, 3)])


async def _flood(target: Target, rng: random.Random) -> None:
    """Say what may be said, much too often."""
    place = rng.choice(PLACES[:-2])
    await _said(target, place, [json.dumps(rng.choice(WORDS[place])) for _ in range(300)])


@cache
def _bomb(kind: str) -> bytes:
    zeros = b'<mjloggm ver="2.3">' + bytes(8 << 20)
    return (gzip.compress(zeros, 1) if kind == "gz" else lzma.compress(zeros, preset=0)) * PACKED


async def _bombs(target: Target, rng: random.Random) -> None:
    """Drop what unpacks to gigabytes, what is no log, and what does not keep to what was announced."""
    packed = _bomb(rng.choice(("gz", "xz"))) if rng.random() < 0.6 else rng.randbytes(50_000)
    name = rng.choice(("a.xml.gz", "../../bait.xml", f"{target.outside}/bait.xml", "..\\bait.xml", "a\0.xz", "\ud800"))
    pieces = [packed[at : at + 60_000] for at in range(0, len(packed), 60_000)]
    size = rng.choice((len(packed), len(packed), len(packed) + 1, len(packed) - 1, -1, 1 << 60))
    async with target.line("drop/") as socket:
        with contextlib.suppress(ConnectionClosed):
            for said in (json.dumps({"name": name, "size": size}), *pieces, '{"end": true}'):
                await socket.send(said)
            await socket.wait_closed()
    if socket.close_code == BROKEN:
        raise GaveWayError(f"a drop of {len(packed)} bytes named {name!r} failed")


ATTACKS: Final[dict[str, Attack]] = {
    "slow": _slow,
    "oversized": _oversized,
    "wrong host": _wrong_host,
    "wrong origin": _wrong_origin,
    "forged cookie": _forged,
    "traversal": _traversal,
    "stolen link": _stolen,
    "too large": _frames(too_large),
    "pings": _frames(pings),
    "fragments": _frames(fragments),
    "come and go": _frames(come_and_go),
    "wrong words": _wrong_words,
    "flood": _flood,
    "bombs": _bombs,
}
"""Every attack by name."""
