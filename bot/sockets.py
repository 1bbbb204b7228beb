"""Websockets whose traffic is bounded in both directions, below the level of whole messages.

The library slows a sender down that sends messages faster than they are read. What it does not bound are frames that
make no message (pings, fragments without content) and the pongs that wait for a peer that does not read. Both are
bounded here, for either end.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection as _Base
    from websockets.protocol import Event
else:
    _Base = object

FRAME: Final = 64
"""Bytes that a frame counts for beside its content: what it costs to take in."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Bounds of one connection.

    Attributes:
        rate: bytes a second that the peer may send in the long run; each frame counts for :data:`FRAME` more.
        burst: bytes at once on top of it.
        unsent: bytes that may wait to be sent to a peer that does not read.
    """

    rate: float
    burst: float
    unsent: int


class Bucket:
    """Credit that fills with time: ``rate`` a second, up to ``burst``."""

    __slots__ = ("_at", "_burst", "_rate", "credit")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._at = time.monotonic()
        self.credit = burst

    def take(self, cost: float) -> float:
        """Spend credit, below zero if need be; returns the seconds until it is back at zero."""
        now = time.monotonic()
        self.credit = min(self._burst, self.credit + (now - self._at) * self._rate) - cost
        self._at = now
        return max(-self.credit / self._rate, 0.0)


class Bounded(_Base):
    """Mixed into a connection of the library: ends it once the peer goes beyond :attr:`flow`.

    Attributes:
        flow: the bounds; set it before data comes.
        ended: why it was ended here; empty while it was not.
    """

    flow: Flow
    ended = ""
    _bucket: Bucket | None = None

    def process_event(self, event: Event) -> None:
        """Take in a frame, unless it is one too many."""
        if self._bucket is None:
            self._bucket = Bucket(self.flow.rate, self.flow.burst)
        size = len(getattr(event, "data", b"")) + FRAME
        # a message beyond the rate is only read later; it is frames that nobody reads that go on beyond the burst
        if self._bucket.take(size) * self.flow.rate > self.flow.burst:
            self._end("floods")
        if not self.ended:
            super().process_event(event)

    def data_received(self, data: bytes) -> None:
        """Take in bytes; what answers them at once must not pile up."""
        if self.ended:
            return
        super().data_received(data)
        if self.transport.get_write_buffer_size() > self.flow.unsent:
            self._end("does not read")

    def _end(self, reason: str) -> None:
        if not self.ended:
            self.ended = reason
            self.transport.abort()


def cost(frame: Any) -> int:
    """What a message counts for."""
    return len(frame) + FRAME
