"""What goes wrong in a state."""

from __future__ import annotations


class StateError(Exception):
    """An event that cannot happen, or a fact that is not what it should be; the message says what was expected."""
