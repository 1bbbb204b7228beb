"""Who may connect: how many at once, how many from one address, and how often."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import Any, Final

from websockets.asyncio.server import ServerConnection

from bot.lobby.settings import LobbyConfig
from bot.sockets import Bounded, Bucket, Flow

FLOW: Final = Flow(rate=256e3, burst=1024e3, unsent=1 << 18)
"""What a client may send, keep-alives of the protocol below included."""
_AT_ONCE: Final = 10.0
"""Seconds' worth of connections that may come at once."""
_REMEMBERED: Final = 10_000
"""Addresses whose openings are counted."""


class Door:
    """Counts connections of a lobby from the moment they are accepted."""

    def __init__(self, config: LobbyConfig) -> None:
        self._config = config
        self._inside: Counter[str] = Counter()
        self._openings: dict[str, Bucket] = {}

    def admit(self, address: str) -> bool:
        """Count one more connection of an address, if it may come in."""
        config = self._config
        bucket = self._openings.pop(address, None) or Bucket(config.openings, _AT_ONCE * config.openings)
        self._openings[address] = bucket
        if len(self._openings) > _REMEMBERED:
            del self._openings[next(iter(self._openings))]
        if bucket.take(1.0):
            return False
        if self._inside.total() >= config.connections or self._inside[address] >= config.connections_each:
            return False
        self._inside[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection that was admitted has ended."""
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]


def network(peer: Any) -> str:
    """What counts as one address: an IPv4 address, or the /64 network of an IPv6 one."""
    address = ipaddress.ip_address(str(peer[0]).partition("%")[0]) if peer else None
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False).network_address
    return str(address)


class LobbySocket(Bounded, ServerConnection):
    """A client's end of the lobby. One that may not come in is closed before it has said anything."""

    door: Door
    flow = FLOW
    _counted = ""

    def connection_made(self, transport: Any) -> None:
        """Let it in, or not."""
        super().connection_made(transport)
        address = network(transport.get_extra_info("peername"))
        if self.door.admit(address):
            self._counted = address
        else:
            self._end("too many connections")

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        super().connection_lost(exc)
        if self._counted:
            self.door.leave(self._counted)
