"""Opens connections: resolves a name, checks every address at the gate, and connects only to a checked one."""

import asyncio
import ipaddress
import logging
import socket
import ssl
from functools import partial
from typing import Any, Final, cast

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


async def dial(route: Route, seconds: float, flow: Flow = FLOW) -> "ClientSocket":
    """An open websocket to the server of a route.

    The name is resolved here, and each of its addresses must pass :func:`~bot.machine.gate.check_address` before one of
    them is connected to; so must the one that the socket is connected to, before anything is sent. TLS checks the name
    of the configured host. Redirects, and proxies that the route does not name, are never used, whatever the
    environment says.

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


async def _resolve(end: Endpoint) -> list[str]:
    """The allowed addresses of a host, in the order of the system.

    The system's resolver cannot be interrupted: where it does not answer, its thread is abandoned.

    Raises:
        OSError: the host does not exist.
        WrongAddressError: one of its addresses is not allowed.
    """
    resolver = DaemonThread("resolver")
    asked = resolver.submit(partial(socket.getaddrinfo, end.host, end.port, type=socket.SOCK_STREAM))
    resolver.close()
    addresses = [str(address[0]) for _, _, _, _, address in await asyncio.wrap_future(asked)]
    for address in addresses:
        check_address(end, address)
    return addresses


async def _connect(route: Route, address: str, seconds: float, flow: Flow) -> "ClientSocket":
    """Connect to an address and perform the handshake with the server, directly or through a proxy at that address."""
    settings: dict[str, Any] = {
        "origin": ORIGIN,
        "compression": None,  # a few compressed bytes may expand to any number
        "open_timeout": seconds,
        "ping_interval": None,
        "close_timeout": CLOSING,
        "max_size": LARGEST,
        "max_queue": 4,
        "logger": _silent,
        "create_connection": partial(ClientSocket, first=route.proxy or route.server, flow=flow),
        "proxy": None,
    }
    if route.server.secure:
        settings |= {"ssl": _trust(), "server_hostname": route.server.host}
    if route.proxy is None:
        settings |= {"host": address, "port": route.server.port}  # the checked address instead of its name
    else:
        login = f"{route.proxy.login}@" if route.proxy.login else ""
        host = f"[{address}]" if ipaddress.ip_address(address).version == 6 else address
        settings["proxy"] = f"http{'s' * route.proxy.secure}://{login}{host}:{route.proxy.port}"
        if route.proxy.secure:
            settings |= {"proxy_ssl": _trust(), "proxy_server_hostname": route.proxy.host}
    return cast("ClientSocket", await _Straight(route.url, **settings))


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
        target = ", ".join(exc.response.headers.get_all("Location")) or "another address"
        return RedirectError(
            f"the server redirects to {target:.100} (HTTP {exc.response.status_code}), and redirects are not followed: "
            "if that is where you want to play, name it in server.url"
        )


class ClientSocket(Bounded, ClientConnection):
    """Our end of a connection."""

    def __init__(self, *given: Any, first: Endpoint, flow: Flow, **named: Any) -> None:
        """Prepare; ``first`` is the proxy or server that the socket is connected to, the rest is the library's."""
        super().__init__(*given, **named)
        self.flow = flow
        self._first = first
        self._made = False

    async def handshake(self, *given: Any, **named: Any) -> None:
        """Ask for a websocket, unless the socket has ended up elsewhere."""
        check_address(self._first, self.transport.get_extra_info("peername")[0])
        await super().handshake(*given, **named)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake of the websocket."""
        self._made = True
        super().connection_made(cast("asyncio.Transport", transport))

    def connection_lost(self, exc: Exception | None) -> None:
        """End; through a proxy, asyncio also reports the loss of a connection that failed before it was made."""
        if self._made:
            super().connection_lost(exc)
