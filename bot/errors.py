"""Errors that end a command with one line: what is wrong, where, and how to fix it."""

from __future__ import annotations

from typing import Final

TERMINATED: Final = 143
"""Exit code of a command that SIGTERM has stopped at once, like that of a process which the signal kills."""


class InputError(Exception):
    """Something given to a command is wrong; exit code 2."""


class RunError(Exception):
    """The run could not be finished although its input was right; exit code 1."""
