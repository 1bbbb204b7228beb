"""Where a connection may go: one place decides it for every URL, address, redirect and proxy.

The configuration names a server (and perhaps a proxy); :func:`route` says whether that is allowed, before anything is
sent. :func:`check_address` then judges every address that a name resolves to, so that a changed DNS answer, a hosts
file or an odd spelling of an address leads nowhere else. :mod:`bot.live.dial` connects, and asks here first.

The rules: this machine is reached at a loopback address and nowhere else, and never through a proxy. Another machine
must be named twice, is reached over TLS only, and never at a loopback or otherwise special address. Redirects are
refused. A proxy is used only where the configuration names one, and what goes through it is encrypted.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_SERVER_PORTS: Final = {"ws": 80, "wss": 443}
_PROXY_PORTS: Final = {"http": 80, "https": 443}
_SECURE: Final = ("wss", "https")
_EXPECTED: Final = {
    "server.url": 'must be a websocket address such as "ws://127.0.0.1:7001/", or empty for the embedded lobby',
    "server.proxy": 'must be the address of an HTTP proxy such as "http://127.0.0.1:3128", or empty for none',
}
_LOCALHOST: Final = "localhost"
_is_plain: Final = re.compile(r"[!-\[\]-~]+").fullmatch
"""Printable ASCII without spaces and backslashes, which programs read in different ways."""
_LABEL: Final = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_is_name: Final = re.compile(rf"(?=.{{1,253}}$)(?:{_LABEL}\.)*(?![0-9]){_LABEL}").fullmatch
"""A host name. Its last label begins with no digit: resolvers take ``0x7f.1`` and ``2130706433`` for addresses."""

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotAllowedError(ValueError):
    """A server or proxy that the configuration may not name, or not yet.

    Attributes:
        key: of the configuration, where it can be put right.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class WrongAddressError(OSError):
    """A name resolved to an address that is not allowed for it. Nothing was sent."""


class RedirectError(OSError):
    """The server answered the handshake with a redirect, which is not followed. No login was sent."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One end of a connection.

    Attributes:
        host: a name or an address in its usual spelling, lower case, without brackets.
        port: number.
        secure: it is spoken to over TLS.
        login: ``user:password`` for a proxy, as written in its URL; empty otherwise. It is in no ``repr``.
    """

    host: str
    port: int
    secure: bool
    login: str = ""

    @property
    def local(self) -> bool:
        """It is this machine."""
        address = _literal(self.host)
        return self.host == _LOCALHOST if address is None else address.is_loopback

    def __repr__(self) -> str:
        return f"Endpoint(host={self.host!r}, port={self.port}, secure={self.secure})"


@dataclass(frozen=True, slots=True)
class Route:
    """A way to a server that is allowed.

    Attributes:
        url: websocket address.
        server: its end.
        proxy: through which it goes; None: directly.
    """

    url: str
    server: Endpoint
    proxy: Endpoint | None = None


def route(url: str, allow_host: str = "", proxy: str = "") -> Route:
    """The way to a server.

    Args:
        url: websocket address, ``ws://`` or ``wss://``.
        allow_host: the host once more, where it is not this machine.
        proxy: ``http://`` or ``https://`` address; not used for this machine. Empty: none.

    Raises:
        NotAllowedError: it may not be connected to; says which key of the configuration is at fault.
    """
    server = parse_server(url)
    between = _parse(proxy, "server.proxy", _PROXY_PORTS) if proxy else None
    if server.local:
        return Route(url, server)
    if allow_host.lower() != server.host:
        raise NotAllowedError(
            "server.allow_host",
            f"{server.host} is not this machine; to play there say allow_host = {server.host!r} yourself",
        )
    if not server.secure:
        raise NotAllowedError(
            "server.url", "another machine is reached over wss:// only, since the account's key travels on it"
        )
    return Route(url, server, between)


def parse_server(url: str) -> Endpoint:
    """The end that a websocket address names.

    Raises:
        NotAllowedError: it is no websocket address, or one that is spelled in a way that programs read differently.
    """
    server = _parse(url, "server.url", _SERVER_PORTS)
    if "@" in urlsplit(url).netloc:
        raise NotAllowedError("server.url", "holds a user name or a password, which this protocol has no use for")
    return server


def is_host(text: str) -> bool:
    """Whether a text is a host name, or an address in its usual spelling; lower case."""
    return _is_name(text) is not None or (_literal(text) is not None and "%" not in text)


def check_address(end: Endpoint, address: str) -> None:
    """Refuse an address that a connection to ``end`` must not lead to.

    Args:
        end: what was asked for.
        address: what it resolved to, or what a socket is connected to; a zone (``%eth0``) may follow.

    Raises:
        WrongAddressError: this machine resolved to another one, or another one to this machine or to no single machine.
    """
    found = _unmapped(ipaddress.ip_address(address.partition("%")[0]))
    if end.local:
        if not found.is_loopback:
            raise WrongAddressError(f"{end.host} leads to {found}, which is not this machine: nothing is sent there")
        return
    for wrong, what in (
        (found.is_loopback, "this machine"),
        (found.is_unspecified, "no address"),
        (found.is_multicast, "many machines"),
        (found.is_link_local, "an address of the local link"),
        (found == _BROADCAST, "every machine of the network"),
    ):
        if wrong:
            raise WrongAddressError(f"{end.host} leads to {found}, which is {what}: nothing is sent there")


def refuse_redirect(status: int, headers: Mapping[str, str]) -> RedirectError | None:
    """The error that an answer to the handshake amounts to if it is a redirect, else None."""
    if not 300 <= status < 400:
        return None
    try:
        target = urlsplit(headers.get("Location", "")).hostname or "another address"
    except ValueError:
        target = "another address"
    return RedirectError(
        f"the server redirects to {target} (HTTP {status}), and redirects are not followed: "
        "if that is where you want to play, name it in server.url"
    )


_BROADCAST: Final = ipaddress.IPv4Address("255.255.255.255")


def _parse(text: str, key: str, ports: Mapping[str, int]) -> Endpoint:
    """The end that a URL names. What it says of a password is not in the error."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:  # brackets or a port that are none
        host, port, parts = None, None, urlsplit("")
    if not host or parts.scheme not in ports or port == 0 or not _is_plain(text) or "#" in text:
        raise NotAllowedError(key, _EXPECTED[key])
    if not is_host(host):
        raise NotAllowedError(
            key, f"{host!r} is no plain host: write its name, or its address as in 127.0.0.1 or [::1]"
        )
    login = parts.netloc.rpartition("@")[0]
    return Endpoint(host, port or ports[parts.scheme], parts.scheme in _SECURE, login)


def _literal(host: str) -> IpAddress | None:
    """The address that a host spells; None where it is a name."""
    try:
        return _unmapped(ipaddress.ip_address(host))
    except ValueError:
        return None


def _unmapped(address: IpAddress) -> IpAddress:
    """The IPv4 address inside an IPv6 one (``::ffff:127.0.0.1``), since that is what it leads to."""
    mapped = getattr(address, "ipv4_mapped", None)
    return address if mapped is None else mapped
