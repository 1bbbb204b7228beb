"""Two classes of fault: ours and the peer's."""

from __future__ import annotations


class ProtocolError(Exception):
    """Base of both."""


class LocalProtocolError(ProtocolError):
    """We tried to send or write something the protocol does not allow: a bug of ours."""


class RemoteProtocolError(ProtocolError):
    """What came in breaks the protocol; ``raw`` is the text that did."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class LogError(ProtocolError):
    """A log that cannot be read: says what, where and what to do.

    Attributes:
        source: file name, member of an archive included; empty when unknown.
        position: where in it, such as ``'line 1, column 5310'`` or ``'E3-1, event 41'``; empty when unknown.
    """

    def __init__(self, message: str, source: str = "", position: str = "") -> None:
        self.message = message
        self.source = source
        self.position = position
        super().__init__(message)

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.position, self.message) if part)

    def located(self, source: str = "", position: str = "") -> LogError:
        """The same error with what is still unknown of its place filled in (keeps the subclass)."""
        return type(self)(self.message, self.source or source, self.position or position)


class UnsupportedGameError(LogError):
    """A readable log of a game that is not supported, such as three-player mahjong."""
