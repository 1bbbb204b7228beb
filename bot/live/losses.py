"""Ways to lose a connection: which are worth another attempt, and when to make it."""

from __future__ import annotations

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

from bot.errors import RunError
from bot.live.gate import RedirectError
from bot.live.patience import Patience
from bot.text import brief

LOST: Final = (OSError, TimeoutError, WebSocketException)
"""What opening or using a connection may raise."""
DISPLACED: Final = 4001
"""Close code: the account came in on another connection. To come back would be to fight over the seat for ever."""
_USUAL_CODES: Final = (1000, 1001)
_PASSING_STATUS: Final = (408, 425, 429)
"""HTTP errors of the client's that another attempt may not meet."""


class GameLostError(RunError):
    """The game could not be finished; the message says why.

    Attributes:
        again: the next game may go better; else there is no use in going on.
    """

    def __init__(self, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.again = again


class SilentError(OSError):
    """The connection seems open, and nothing comes of it."""


class FloodError(OSError):
    """The server sends more than any game needs, and does not stop."""


class ResyncError(OSError):
    """What we know of the hand is not what the server knows; to come back is to be told."""


def retryable(error: Exception) -> bool:
    """Whether another attempt may go better. The one place that decides it."""
    if isinstance(error, ConnectionClosed):
        return error.rcvd is None or error.rcvd.code != DISPLACED
    if isinstance(error, RedirectError | FloodError):
        return False
    if isinstance(error, InvalidStatus | InvalidProxyStatus):
        status = error.response.status_code
        return status >= 500 or status in _PASSING_STATUS
    if isinstance(error, InvalidMessage):  # the connection ended within the handshake
        return True
    if isinstance(error, InvalidURI | InvalidHandshake | ssl.SSLCertVerificationError):
        return False
    return isinstance(error, LOST)


def reason(error: Exception) -> str:
    """The cause in a few words, for logs and people."""
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
    """Seconds to wait before each attempt after a loss: none, then doubling, each between half and all of it.

    The jitter keeps clients that lost a server together from coming back together.
    """
    yield 0.0
    longest = patience.first_retry
    while True:
        yield longest * rng.uniform(0.5, 1.0)
        longest = min(2 * longest, patience.longest_retry)
