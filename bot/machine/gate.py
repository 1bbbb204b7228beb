"""Decides where a connection may go, for every URL, address, redirect and proxy.

The configuration names a server (and perhaps a proxy); :func:`route` decides whether it is allowed before anything is
sent. :func:`check_address` then checks every address that its name resolves to, so that no changed DNS
answer, hosts file or unusual spelling of an address leads elsewhere. :mod:`bot.play.dial` connects only after that.

The rules: this machine is reached only at a loopback address, and never through a proxy. Another machine must be named
twice, is reached only over TLS, and never at a loopback or otherwise special address. Redirects are refused. A proxy is
used only if the configuration names one, and everything that passes through it is encrypted.
"""

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

_LABEL: Final = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_is_name: Final = re.compile(rf"(?=.{{1,253}}$)(?:{_LABEL}\.)*(?![0-9]){_LABEL}").fullmatch
"""A host name. Its last label does not begin with a digit: resolvers read ``0x7f.1`` as an address."""


class NotAllowedError(ValueError):
    """The configuration says what is not allowed, or not without a further statement; the message says all of it.

    Attributes:
        key: the key of the configuration to change; "" where it is the one that is looked at.
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
    """A server or proxy to connect to."""

    host: str  # a name, or an address in its usual spelling; lower case, without brackets
    port: int  # port number
    secure: bool  # whether the connection uses TLS
    login: str = field(default="", repr=False)  # ``user:password`` of a proxy, as written in its URL; empty: none

    @property
    def local(self) -> bool:
        """Whether it is this machine."""
        address = _address(self.host)
        return self.host == "localhost" if address is None else address.is_loopback


@dataclass(frozen=True, slots=True)
class Route:
    """An allowed route to a server."""

    url: str  # websocket address of the server
    server: Endpoint  # host and port of that address
    proxy: Endpoint | None = None  # proxy to use; None: connect directly


def route(url: str, allow_host: str = "", proxy: str = "") -> Route:
    """The route to a server.

    Args:
        url: websocket address, ``ws://`` or ``wss://``.
        allow_host: the host again, if it is not this machine.
        proxy: ``http://`` or ``https://`` address; not used for this machine. Empty: none.

    Raises:
        NotAllowedError: connecting is not allowed; names the key of the configuration to change.
    """
    server = parse_server(url)
    expected = 'must be the address of an HTTP proxy such as "http://127.0.0.1:3128", or empty for none'
    between = _parse(proxy, "server.proxy", {"http": 80, "https": 443}, expected) if proxy else None
    if server.local:
        return Route(url, server)
    if allow_host.lower() != server.host:
        raise NotAllowedError(
            "server.allow_host",
            f"{server.host} is not this machine; to play there, set allow_host = {server.host!r} yourself",
        )
    if not server.secure:
        raise NotAllowedError(
            "server.url", "another machine is reached only over wss://, because the account's key is sent there"
        )
    return Route(url, server, between)


def parse_server(url: str) -> Endpoint:
    """Host and port of a websocket address.

    Raises:
        NotAllowedError: it is not a websocket address, or programs read its spelling in different ways.
    """
    expected = 'must be a websocket address such as "ws://127.0.0.1:7001/", or empty for the embedded lobby'
    server = _parse(url, "server.url", {"ws": 80, "wss": 443}, expected)
    if "@" in urlsplit(url).netloc:
        raise NotAllowedError("server.url", "contains a user name or password, which this protocol does not use")
    return server


def _parse(text: str, key: str, ports: dict[str, int], expected: str) -> Endpoint:
    """Host and port of a URL, whose scheme is one of ``ports``. A password in it does not appear in the error."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # invalid brackets or port
        raise NotAllowedError(key, expected) from None
    # of spaces, control characters and fragments, programs make different things
    if not host or parts.scheme not in ports or port == 0 or "#" in text or not (text.isascii() and text.isprintable()):
        raise NotAllowedError(key, expected)
    if not is_host(host):
        raise NotAllowedError(
            key, f"{host!r} is not a plain host: write its name, or its address as in 127.0.0.1 or [::1]"
        )
    secure = parts.scheme in ("wss", "https")
    return Endpoint(host, port or ports[parts.scheme], secure, parts.netloc.rpartition("@")[0])


def is_host(text: str) -> bool:
    """Whether a text is a host name, or an address in its usual spelling; lower case."""
    return _is_name(text) is not None or ("%" not in text and _address(text) is not None)


def check_address(end: Endpoint, address: str) -> None:
    """Refuse an address that ``end`` must not lead to.

    Args:
        end: the server or proxy.
        address: an address that it resolved to, or to which a socket is connected; a zone (``%eth0``) may follow.

    Raises:
        WrongAddressError: this machine resolved to another one, or another one to this machine or to a special address.
    """
    found = _address(address)
    if found is None:
        raise WrongAddressError(f"{end.host} leads to {address!r}, which is not an address")
    special = found.is_unspecified or found.is_multicast or found.is_link_local or str(found) == "255.255.255.255"
    if found.is_loopback == end.local and not special:
        return
    what = "this machine" if found.is_loopback else "not this machine" if end.local else "not that of one machine"
    raise WrongAddressError(f"{end.host} leads to {found}, which is {what}: nothing is sent there")


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a text spells; None if it is a name.

    Of an IPv4 address inside an IPv6 one (``::ffff:127.0.0.1``) the former, because that is where it leads.
    """
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
