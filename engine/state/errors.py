"""Errors of a game state."""

from __future__ import annotations


class StateError(Exception):
    """An event that cannot happen, or a fact that is wrong; the message says what was expected."""
