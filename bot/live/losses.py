"""Errors by which a connection is lost: which of them are worth another attempt, and when to make it."""

import random
import ssl
from collections.abc import Iterator
from typing import Final

from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidProxyStatus,
    InvalidStatus,
    InvalidURI,
    WebSocketException,
)

from bot.live.gate import RedirectError
from bot.live.manner import Patience
from bot.machine.errors import RunError
from bot.machine.text import brief

LOST: Final = (OSError, TimeoutError, WebSocketException)
"""What opening or using a connection may raise."""
DISPLACED: Final = 4001
"""Close code: another login took the seat; do not reconnect."""
_USUAL_CODES: Final = (1000, 1001)
_PASSING_STATUS: Final = (408, 425, 429)
"""HTTP client errors that may be temporary."""


class GameLostError(RunError):
    """The game could not be finished; the message says why.

    Attributes:
        again: whether the next game may succeed; otherwise the run should end.
    """

    def __init__(self, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.again = again


class SilentError(OSError):
    """The connection seems open, but nothing useful arrives."""


class FloodError(OSError):
    """The server keeps sending far more than a game needs."""


class ResyncError(OSError):
    """What we know of the hand contradicts the server; reconnecting gives its state."""


def retryable(error: Exception) -> bool:
    """Whether another attempt may succeed. No other code decides this."""
    if isinstance(error, ConnectionClosed):
        return error.rcvd is None or error.rcvd.code != DISPLACED
    if isinstance(error, RedirectError | FloodError):
        return False
    if isinstance(error, InvalidStatus | InvalidProxyStatus):
        status = error.response.status_code
        return status >= 500 or status in _PASSING_STATUS
    if isinstance(error, InvalidMessage):  # the connection ended during the handshake
        return True
    if isinstance(error, InvalidURI | InvalidHandshake | ssl.SSLCertVerificationError):
        return False
    return isinstance(error, LOST)


def reason(error: Exception) -> str:
    """The cause in a few words, for logs and messages."""
    if isinstance(error, ConnectionClosed):
        frame = error.rcvd
        if frame is None:
            return "the connection broke"
        said = [f"code {frame.code}"] * (frame.code not in _USUAL_CODES) + [brief(frame.reason)] * bool(frame.reason)
        return "the server closed the connection" + (f" ({', '.join(said)})" if said else "")
    if isinstance(error, TimeoutError) and not str(error):
        return "no answer in time"
    return brief(str(error)) or type(error).__name__


def delays(patience: Patience, rng: random.Random) -> Iterator[float]:
    """Seconds to wait before each attempt after a loss: 0, then doubling, each multiplied by a random 0.5 to 1.

    The jitter prevents clients that lost a server together from reconnecting together.
    """
    yield 0.0
    longest = patience.first_retry
    while True:
        yield longest * rng.uniform(0.5, 1.0)
        longest = min(2 * longest, patience.longest_retry)
