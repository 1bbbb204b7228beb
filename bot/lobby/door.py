"""Limits on connections: how many at once, how many from one address, and how often."""

import ipaddress
from collections import Counter
from typing import Any, Final

from websockets.asyncio.server import ServerConnection

from bot.config import LobbySettings
from bot.machine.sockets import Bounded, Bucket, Flow

FLOW: Final = Flow(rate=64e3, burst=256e3, unsent=1 << 18)
"""What a client may send, websocket pings and empty frames included."""
_AT_ONCE: Final = 10.0
"""How many seconds' worth of new connections may come at once."""
_PENALTY: Final = 1.0
"""How many seconds' worth of new connections an address loses with each connection that had to be ended."""
_REMEMBERED: Final = 10_000
"""Number of addresses whose new connections are remembered."""


class Door:
    """Counts the connections of a lobby from the moment they are accepted."""

    def __init__(self, settings: LobbySettings) -> None:
        self._settings = settings
        self._inside: Counter[str] = Counter()
        self._openings: dict[str, Bucket] = {}

    def admit(self, address: str) -> bool:
        """Whether an address may have one more connection; if so, it is counted."""
        settings = self._settings
        if self._bucket(address).take(1.0):
            return False
        if self._inside.total() >= settings.connections or self._inside[address] >= settings.connections_each:
            return False
        self._inside[address] += 1
        return True

    def punish(self, address: str) -> None:
        """Admit fewer new connections from an address for a while, because one of its connections had to be ended."""
        self._bucket(address).take(_PENALTY * self._settings.openings)

    def _bucket(self, address: str) -> Bucket:
        """The credit of an address for new connections."""
        rate = self._settings.openings
        bucket = self._openings.pop(address, None) or Bucket(rate, _AT_ONCE * rate)
        self._openings[address] = bucket
        if len(self._openings) > _REMEMBERED:
            del self._openings[next(iter(self._openings))]
        return bucket

    def leave(self, address: str) -> None:
        """Stop counting a connection that was admitted."""
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]


def network(peer: Any) -> str:
    """The address that a peer counts for: its IPv4 address, or the /64 network of its IPv6 address."""
    address = ipaddress.ip_address(str(peer[0]).partition("%")[0]) if peer else None
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False).network_address
    return str(address)


class LobbySocket(Bounded, ServerConnection):
    """A connection of the lobby. If it is not admitted, it is closed before anything is read."""

    door: Door
    flow = FLOW
    _counted = ""

    def connection_made(self, transport: Any) -> None:
        """Admit the connection, or close it."""
        super().connection_made(transport)
        address = network(transport.get_extra_info("peername"))
        if self.door.admit(address):
            self._counted = address
        else:
            super()._end("too many connections")

    def punish(self) -> None:
        """Admit fewer new connections from this one's address for a while."""
        if self._counted:
            self.door.punish(self._counted)

    def _end(self, reason: str) -> None:
        if not self.ended:
            self.punish()
        super()._end(reason)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        super().connection_lost(exc)
        if self._counted:
            self.door.leave(self._counted)
