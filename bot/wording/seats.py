"""What seats are called from where a player sits."""

from __future__ import annotations

from typing import Final

SIDES: Final = ("self", "right", "across", "left")
"""By :func:`engine.model.seats.relative`."""
