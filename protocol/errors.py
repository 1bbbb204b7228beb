"""Protocol errors: our own mistakes, the peer's mistakes, and logs that cannot be read."""

from typing import Final

_LONGEST: Final = 1_000
"""Characters of the longest message: what it quotes of a damaged log may have millions."""


class ProtocolError(Exception):
    """Base class of all protocol errors."""


class LocalProtocolError(ProtocolError):
    """We tried to send or write something that the protocol does not allow; a bug in this program."""


class RemoteProtocolError(ProtocolError):
    """The peer violated the protocol; ``raw`` is the offending text."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class LogError(ProtocolError):
    """A log cannot be read; the message says what is wrong, where, and what to do.

    Attributes:
        source: file name, including the member of an archive; empty when unknown.
        position: position in the file, such as ``'line 1, column 5310'`` or ``'E3-1, event 41'``; empty when unknown.
    """

    def __init__(self, message: str, source: str = "", position: str = "") -> None:
        self.message = message if len(message) <= _LONGEST else f"{message[:_LONGEST]} …"
        self.source = source
        self.position = position
        super().__init__(self.message)

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.position, self.message) if part)

    @property
    def detail(self) -> str:
        """The message with its position, for lists that name the file themselves."""
        return ": ".join(part for part in (self.position, self.message) if part)

    def located(self, source: str = "", position: str = "") -> "LogError":
        """Return a copy of the error, of its own class, with a missing source or position filled in."""
        return type(self)(self.message, self.source or source, self.position or position)


class UnsupportedGameError(LogError):
    """The log is readable, but of a game that is not supported: three-player mahjong, unless the message says more."""

    def __init__(
        self,
        message: str = "three-player mahjong is not supported; leave this log out",
        source: str = "",
        position: str = "",
    ) -> None:
        super().__init__(message, source, position)
