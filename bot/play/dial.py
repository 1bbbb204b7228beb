"""Opens connections: resolves a name, checks every address at the gate, and connects only to a checked one."""

import asyncio
import ipaddress
import logging
import socket
import ssl
from functools import partial
from typing import Any, Final, cast
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from bot.machine.gate import Endpoint, RedirectError, Route, check_address
from bot.machine.sockets import Bounded, Flow
from bot.machine.threads import DaemonThread

ORIGIN: Final = Origin("https://tenhou.net")
LARGEST: Final = 1 << 17
"""Maximum size of a frame in bytes; the largest one in a game has a few thousand."""
FLOW: Final = Flow(rate=512e3, burst=4096e3, unsent=1 << 18)
"""How much a server may send: a hundred times what the fastest game needs."""
CLOSING: Final = 2.0
"""Seconds for the peer to confirm that a connection is closed."""

_silent = logging.getLogger("oshihiki.websockets")
_silent.setLevel(logging.CRITICAL)
"""Silences the library, which would log frames with their keys, and tracebacks of peers' errors."""

Address = tuple[int, tuple[Any, ...]]
"""A socket family and an address in it."""


async def dial(route: Route, seconds: float, flow: Flow = FLOW) -> "ClientSocket":
    """An open websocket to the server of a route.

    The name is resolved here, each of its addresses must pass :func:`~bot.machine.gate.check_address`, and the socket
    is connected to such an address before the library gets it. TLS checks the name of the configured host. Redirects,
    and proxies that the route does not name, are never used, whatever the environment says.

    Args:
        route: from :func:`bot.machine.gate.route`.
        seconds: time limit for the connection and its handshake.
        flow: bounds of the traffic.

    Raises:
        OSError, TimeoutError, WebSocketException: no connection (see :func:`bot.play.losses.retryable`).
    """
    async with asyncio.timeout(seconds):
        addresses = await _resolve(route.proxy or route.server)
        while True:
            address = addresses.pop(0)
            try:
                return await _connect(route, address, seconds / (1 + len(addresses)), flow)
            except (OSError, TimeoutError):
                if not addresses:
                    raise


async def _resolve(end: Endpoint) -> list[Address]:
    """The allowed addresses of a host, in the order of the system.

    The system's resolver cannot be interrupted: where it does not answer, its thread is abandoned.

    Raises:
        OSError: the host does not exist.
        WrongAddressError: one of its addresses is not allowed.
    """
    resolver = DaemonThread("resolver")
    asked = resolver.submit(partial(socket.getaddrinfo, end.host, end.port, type=socket.SOCK_STREAM))
    resolver.close()
    try:
        entries = await asyncio.wrap_future(asked)
    except UnicodeError:
        raise OSError(f"{end.host}: no such host") from None
    addresses: list[Address] = [(family, address) for family, _, _, _, address in entries]
    for _, address in addresses:
        check_address(end, address[0])
    return addresses


async def _connect(route: Route, address: Address, seconds: float, flow: Flow) -> "ClientSocket":
    """Connect to an address and perform the handshake with the server, directly or through a proxy at that address."""

    def make(*given: Any, **named: Any) -> ClientSocket:
        socket = ClientSocket(*given, **named)
        socket.flow = flow
        return socket

    settings: dict[str, Any] = {
        "origin": ORIGIN,
        "compression": None,  # a few compressed bytes may expand to any number
        "open_timeout": seconds,
        "ping_interval": None,
        "close_timeout": CLOSING,
        "max_size": LARGEST,
        "max_queue": 4,
        "logger": _silent,
        "create_connection": make,
        "proxy": None,
    }
    if route.server.secure:
        settings |= {"ssl": _trust(), "server_hostname": route.server.host}
    if route.proxy is None:
        settings["sock"] = await _open_socket(route.server, address, seconds)
    else:
        # the checked address instead of its name
        found = ipaddress.ip_address(address[1][0].partition("%")[0])
        login = f"{route.proxy.login}@" if route.proxy.login else ""
        host = f"[{found}]" if found.version == 6 else str(found)
        settings["proxy"] = f"http{'s' * route.proxy.secure}://{login}{host}:{route.proxy.port}"
        if route.proxy.secure:
            settings |= {"proxy_ssl": _trust(), "proxy_server_hostname": route.proxy.host}
    connection = await _Straight(route.url, **settings)
    return cast("ClientSocket", connection)


async def _open_socket(end: Endpoint, address: Address, seconds: float) -> socket.socket:
    """A connected socket, whose remote address has been checked."""
    family, place = address
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        async with asyncio.timeout(seconds):
            await asyncio.get_running_loop().sock_connect(sock, place)
        check_address(end, sock.getpeername()[0])
    except BaseException:
        sock.close()
        raise
    return sock


def _trust() -> ssl.SSLContext:
    """TLS settings that check certificates against the system's authorities and write no key of the session anywhere.

    ``ssl.create_default_context`` would write those to the file that ``SSLKEYLOGFILE`` names in the environment.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_default_certs()
    return context


class _Straight(connect):
    """A connection that does not follow redirects."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """The error to raise instead of ``exc``."""
        if not isinstance(exc, InvalidStatus) or not 300 <= exc.response.status_code < 400:
            return exc
        try:
            target = urlsplit(exc.response.headers.get("Location", "")).hostname or "another address"
        except ValueError:
            target = "another address"
        return RedirectError(
            f"the server redirects to {target} (HTTP {exc.response.status_code}), and redirects are not followed: "
            "if that is where you want to play, name it in server.url"
        )


class ClientSocket(Bounded, ClientConnection):
    """Our end of a connection."""

    _made = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake of the websocket."""
        self._made = True
        super().connection_made(cast("asyncio.Transport", transport))

    def connection_lost(self, exc: Exception | None) -> None:
        """End; through a proxy, asyncio also reports the loss of a connection that failed before it was made."""
        if self._made:
            super().connection_lost(exc)
