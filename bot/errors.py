"""Bad input of a person: told in one line, exit code 2."""

from __future__ import annotations


class InputError(Exception):
    """Something given to a command is wrong; the message says what, where and how to mend it."""
