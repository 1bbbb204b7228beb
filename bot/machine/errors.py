"""Errors that end a command with one line: what is wrong, where, and how to fix it."""

from collections.abc import Callable
from enum import StrEnum
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from typing import Any, Final

TERMINATED: Final = 143
"""Exit code of a command that SIGTERM has stopped at once, like that of a process which the signal kills."""


class Terminated(SystemExit):
    """SIGTERM stops the command at once. Subclasses SystemExit, so that a handler can tell it from ``sys.exit``."""

    def __init__(self) -> None:
        super().__init__(TERMINATED)


GONE: Final = 141
"""Exit code of a command whose output nobody reads any more, like that of a process which SIGPIPE kills."""


class ReaderGone(SystemExit):
    """Whoever read standard output has gone, as ``| head`` does once it has its lines; the command ends in silence."""

    def __init__(self) -> None:
        super().__init__(GONE)


class Trouble(StrEnum):
    """Kinds of faults in something given, for those who say it in another language than the message."""

    INPUT = "input"  # any other setting, or the contents of another file
    DISK_FULL = "disk_full"  # no room is left where something is to be written
    NO_RIGHT = "no_right"  # it may not be written there
    NOT_WRITTEN = "not_written"  # it cannot be written there for another reason
    NOTHING_FOUND = "nothing_found"  # no log is in what was given
    NOTHING_MORE = "nothing_more"  # no further log is in what was given
    TOO_MUCH = "too_much"  # more than is taken at once
    TOO_SLOW = "too_slow"  # it takes too long to unpack
    CHOICE = "choice"  # there is no such choice
    NAME = "name"  # a player cannot be called that
    GONE = "gone"  # the game or the review that was named is not there
    MANY_WAIT = "many_wait"  # too many reviews wait


class InputError(Exception):
    """Something given to a command or a function is wrong; exit code 2."""

    __module__ = "oshihiki"  # the name by which users know it

    def __init__(self, message: object = "", trouble: Trouble = Trouble.INPUT, source: str = "") -> None:
        """Prepare.

        Args:
            message: the whole message.
            trouble: the kind of what is wrong.
            source: name of the file, game or review that the message is about; empty if it is about none.
        """
        super().__init__(message)
        self.trouble = trouble
        self.source = source

    def __reduce__(self) -> "tuple[Callable[..., InputError], tuple[Any, ...]]":
        return _input_error, (*self.args, self.trouble, self.source)


def _input_error(*args: Any) -> InputError:
    """The error as another process raised it, where ``oshihiki`` need not be loaded."""
    return InputError(*args)


def writing_trouble(error: Exception) -> Trouble:
    """Why something cannot be written, deleted or locked."""
    number = error.errno if isinstance(error, OSError) else None
    if number in {ENOSPC, EDQUOT}:
        return Trouble.DISK_FULL
    return Trouble.NO_RIGHT if number in {EACCES, EPERM, EROFS} else Trouble.NOT_WRITTEN


class RunError(Exception):
    """The run could not be finished although its input was right; exit code 1."""
