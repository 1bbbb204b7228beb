"""Errors that end a command as one line: what, where, how to mend."""

from __future__ import annotations


class InputError(Exception):
    """Something given to a command is wrong: exit code 2."""


class RunError(Exception):
    """The run could not be finished, through no fault of what was given: exit code 1."""
