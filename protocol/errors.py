"""Protocol errors: our own mistakes, the peer's mistakes, and logs that cannot be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from traceback import extract_tb
from typing import Final

_LONGEST: Final = 1_000
"""Characters of the longest message: what it quotes of a damaged log may have millions."""
_QUOTED: Final = 120
"""Characters of an unforeseen error that a message quotes."""


class ProtocolError(Exception):
    """Base class of all protocol errors."""


class LocalProtocolError(ProtocolError):
    """We tried to send or write something that the protocol does not allow; a bug in this program."""


class RemoteProtocolError(ProtocolError):
    """The peer violated the protocol; ``raw`` is the offending text."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class LogTrouble(StrEnum):
    """Kinds of faults of a log, for those who say it in another language than the message."""

    # of what lies here
    DAMAGED = "damaged"  # it is broken, cut short, or contradicts itself or the rules
    EMPTY = "empty"  # nothing is in it
    NO_LOG = "no_log"  # it is in no format that is read, or no log is in it
    NO_GAME = "no_game"  # no hand is in it
    SEVERAL_GAMES = "several_games"  # more than one game is in it
    THREE_PLAYERS = "three_players"  # it is of three-player mahjong
    TOO_LARGE = "too_large"  # it is larger than any log, or unpacks to more
    NEWER = "newer"  # a later version of this program wrote it
    NESTED = "nested"  # archives lie within archives, too deep
    ARCHIVE = "archive"  # the archive around it cannot be unpacked
    ENCRYPTED = "encrypted"  # it is encrypted
    UNREADABLE = "unreadable"  # the file system does not give it
    WRONG_SEAT = "wrong_seat"  # it does not say which player is meant, or does not show that player's view
    # of an address, and of the server that was asked
    ADDRESS = "address"  # the address names no log that is read
    NOT_HERE = "not_here"  # nobody has asked for it yet
    NOT_KEPT = "not_kept"  # the folder of fetched logs cannot be written
    NOT_THERE = "not_there"  # not written yet, or too old
    REFUSED = "refused"  # the server does not give it
    BUSY = "busy"  # the server is busy or being mended
    LATE = "late"  # the server takes too long
    NO_NETWORK = "no_network"  # there is no way to the server
    CERTIFICATE = "certificate"  # the server is not the one that was meant
    ELSEWHERE = "elsewhere"  # the server wants to lead elsewhere
    CUT_OFF = "cut_off"  # the server broke off
    NOT_WHOLE = "not_whole"  # what the server sent is no whole log
    SENT_TOO_MUCH = "sent_too_much"  # the server sends more than any log has


class LogError(ProtocolError):
    """A log cannot be read; the message says what is wrong, where, and what to do.

    Attributes:
        trouble: the kind of what is wrong.
        source: file name, including the member of an archive; empty when unknown.
        position: position in the file, such as ``'line 1, column 5310'`` or ``'E3-1, event 41'``; empty when unknown.
    """

    def __init__(
        self, message: str, source: str = "", position: str = "", trouble: LogTrouble = LogTrouble.DAMAGED
    ) -> None:
        self.message = message if len(message) <= _LONGEST else f"{message[:_LONGEST]} …"
        self.trouble = trouble
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
        return type(self)(self.message, self.source or source, self.position or position, self.trouble)


class UnsupportedGameError(LogError):
    """The log is readable, but of a game that is not supported: three-player mahjong, unless the message says more."""

    def __init__(
        self,
        message: str = "three-player mahjong is not supported; leave this log out",
        source: str = "",
        position: str = "",
        trouble: LogTrouble = LogTrouble.THREE_PLAYERS,
    ) -> None:
        super().__init__(message, source, position, trouble)


@contextmanager
def reading(source: str, *others: type[Exception]) -> Iterator[None]:
    """Turn whatever is raised while a file is read into a :class:`LogError` that names it, so that others are read.

    A damaged file can make any code fail: with numbers that fit nowhere, with lists where values are expected, for want
    of memory. No reader has to foresee all of that.

    Args:
        source: name of the file.
        others: errors that are not the file's, which are raised as they are.
    """
    try:
        yield
    except LogError as error:
        raise error.located(source) from error.__cause__
    except others:
        raise
    except Exception as error:
        raise unforeseen(error, source) from error


def unforeseen(error: Exception, source: str) -> LogError:
    """The error of a file at which a reader failed without knowing why; it says where in the program that was."""
    places = extract_tb(error.__traceback__)
    where = f", {places[-1].name}:{places[-1].lineno}" if places else ""
    what = ": ".join(filter(None, (type(error).__name__, str(error)[:_QUOTED])))
    why = f"is damaged in a way that was not foreseen ({what}{where}); fetch it again, or report it if it is whole"
    return LogError(why, source)
