"""Which recordings are for fitting, and which are held back to judge what was fitted."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

HELD_BACK_OF: Final = 10
"""One game in so many is never fitted on."""


def held_back(log_id: str) -> bool:
    """Whether the game is one to judge with; the same for ever, whatever other games there are."""
    return int.from_bytes(blake2b(log_id.encode(), digest_size=8).digest()) % HELD_BACK_OF == 0
