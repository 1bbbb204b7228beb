"""Errors by which a connection is lost: which of them are worth another attempt, and their words."""

import errno
import os
import socket
import ssl
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

from bot.machine.errors import RunError
from bot.machine.gate import RedirectError, Route
from bot.machine.text import brief

LOST: Final = (OSError, TimeoutError, WebSocketException)
"""Exceptions that opening or using a connection may raise."""
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


class DoubtError(OSError):
    """The server greets as if no game were running.

    Attributes:
        logins: number of further logins after which that is believed.
    """

    def __init__(self, message: str, logins: int) -> None:
        super().__init__(message)
        self.logins = logins


class FloodError(OSError):
    """The server keeps sending far more than a game needs."""


class ResyncError(OSError):
    """Our view of the hand contradicts the server; reconnecting gives its state."""


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


def reason(error: Exception, route: Route | None = None) -> str:
    """The cause in words, for logs and messages: what happened, at which host and port, and what to do.

    Args:
        error: one of :data:`LOST`.
        route: where the connection was to lead; None: it is not named.
    """
    if isinstance(error, ConnectionClosed):
        frame = error.rcvd
        if frame is None:
            return "the connection broke"
        said = [f"code {frame.code}"] * (frame.code not in _USUAL_CODES) + [brief(frame.reason)] * bool(frame.reason)
        return "the server closed the connection" + (f" ({', '.join(said)})" if said else "")
    end = None if route is None else route.proxy or route.server
    place = "the server" if end is None else f"port {end.port} of {end.host}"
    key = "server.url" if route is None or route.proxy is None else "server.proxy"
    if isinstance(error, ssl.SSLCertVerificationError):
        where = "the server" if route is None else route.server.host
        return f"the certificate of {where} is not trusted: {brief(getattr(error, 'verify_message', ''))}"
    if isinstance(error, socket.gaierror):
        name = "the server" if end is None else end.host
        return f"no address is known of {name}: check the network, and the name in {key}"
    if isinstance(error, OSError) and error.errno in _WORDS and not isinstance(error, ssl.SSLError):
        return _WORDS[error.errno].format(place=place, key=key)
    if isinstance(error, TimeoutError) and error.errno is None:
        return "no answer in time"
    if isinstance(error, OSError) and error.errno is not None and not isinstance(error, ssl.SSLError):
        return f"{place} cannot be reached: {os.strerror(error.errno)}"
    return brief(str(error)) or type(error).__name__


_UNREACHABLE: Final = "{place} cannot be reached from here: check the network, and the address in {key}"
_BROKE: Final = "the connection broke"
_WORDS: Final = {
    errno.ECONNREFUSED: "{place} refuses the connection: nothing listens there; start it, or correct {key}",
    errno.ETIMEDOUT: "{place} does not answer: check the network, and the address in {key}",
    errno.EHOSTUNREACH: _UNREACHABLE,
    errno.ENETUNREACH: _UNREACHABLE,
    errno.ENETDOWN: _UNREACHABLE,
    errno.EHOSTDOWN: _UNREACHABLE,
    errno.EADDRNOTAVAIL: _UNREACHABLE,
    errno.EACCES: "this machine allows no connection to {place}: check its firewall",
    errno.EPERM: "this machine allows no connection to {place}: check its firewall",
    errno.ECONNRESET: _BROKE,
    errno.ECONNABORTED: _BROKE,
    errno.EPIPE: _BROKE,
    errno.EMFILE: "this program has too many files open to connect",
    errno.ENFILE: "this machine has too many files open to connect",
}
"""Messages for errors of the system, by number."""
