"""Errors that end a command with one line: what is wrong, where, and how to fix it."""

from collections.abc import Callable
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


class InputError(Exception):
    """Something given to a command or a function is wrong; exit code 2."""

    __module__ = "oshihiki"  # the name by which users know it

    def __reduce__(self) -> "tuple[Callable[..., InputError], tuple[Any, ...]]":
        return _input_error, self.args


def _input_error(*args: object) -> InputError:
    """The error as another process raised it, where ``oshihiki`` need not be loaded."""
    return InputError(*args)


class RunError(Exception):
    """The run could not be finished although its input was right; exit code 1."""
