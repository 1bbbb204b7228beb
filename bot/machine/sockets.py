"""Websockets whose traffic is bounded in both directions, below the level of whole messages.

The library slows down a peer that sends messages faster than they are read. Two things it does not
bound: frames that form no message (pings, empty fragments), and the pongs queued for a peer that does not read. Both
are bounded here.
"""

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection as _Base
    from websockets.protocol import Event
else:
    _Base = object

FRAME: Final = 64
"""Bytes that a frame counts for in addition to its content: the cost of processing it."""


LOG: Final = logging.getLogger("websockets.bounded")
"""Log of the library's servers. The library reports what peers do during the handshake, such as sending a frame that
is too large before they have read the response, as an internal error with a traceback; such lines are left out."""
LOG.addFilter(lambda record: record.getMessage() != "unexpected internal error")


@dataclass(frozen=True, slots=True)
class Flow:
    """Bounds of one connection."""

    rate: float  # bytes per second that the peer may send in the long run; each frame counts for :data:`FRAME` more
    burst: float  # bytes that it may send at once in addition
    unsent: int  # bytes that may be queued for a peer that does not read


class Bucket:
    """A token bucket: credit grows by ``rate`` per second, up to ``burst``."""

    __slots__ = ("_at", "_burst", "_rate", "credit")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._at = time.monotonic()
        self.credit = burst

    def take(self, cost: float) -> float:
        """Spend credit, even below zero; returns the seconds until it is back at zero."""
        now = time.monotonic()
        self.credit = min(self._burst, self.credit + (now - self._at) * self._rate) - cost
        self._at = now
        return max(-self.credit / self._rate, 0.0)


class Bounded(_Base):
    """Mixin for a connection of the library, which ends it when the peer exceeds :attr:`flow`.

    Attributes:
        ended: why the connection was ended here; empty if it was not.
    """

    flow: Flow  # the bounds
    ended = ""
    _bucket: Bucket | None = None

    def bound(self, flow: Flow) -> None:
        """Set other bounds; from now on they hold, whatever has been sent before."""
        self.flow = flow
        self._bucket = None

    def process_event(self, event: "Event") -> None:
        """Process a frame, or end the connection if it is one too many."""
        if self._bucket is None:
            self._bucket = Bucket(self.flow.rate, self.flow.burst)
        size = len(getattr(event, "data", b"")) + FRAME
        # messages beyond the rate are read later; only frames that form no message arrive unread beyond the burst
        if self._bucket.take(size) * self.flow.rate > self.flow.burst:
            self._end("floods")
        if not self.ended:
            super().process_event(event)

    def data_received(self, data: bytes) -> None:
        """Process bytes; the replies that this causes (pongs) must not pile up."""
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
    """The number of bytes that a message counts for."""
    return len(frame) + FRAME
