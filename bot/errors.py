"""Errors that end a command with one line: what is wrong, where, and how to fix it."""

from __future__ import annotations


class InputError(Exception):
    """Something given to a command is wrong; exit code 2."""


class RunError(Exception):
    """The run could not be finished although its input was right; exit code 1."""
