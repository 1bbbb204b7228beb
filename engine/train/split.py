"""The split of recordings into those for fitting and those held back for evaluation."""

from __future__ import annotations

from enum import IntEnum
from hashlib import blake2b
from typing import Final


class Split(IntEnum):
    """What a game may be used for; see :func:`split_of`."""

    TRAIN = 0
    VALIDATION = 1
    TEST = 2


HELD_BACK_OF: Final = 10
"""One game in this many is held back and never fitted on."""


def held_back(log_id: str) -> bool:
    """Whether a game is held back for evaluation. This depends only on its id, so it never changes."""
    return int.from_bytes(blake2b(log_id.encode(), digest_size=8).digest()) % HELD_BACK_OF == 0


VALIDATION_OF: Final = 20
"""Of the games not held back, one in this many is for validation: for choosing settings and for calibration."""


def split_of(log_id: str) -> Split:
    """What a game may be used for, by its id alone."""
    if held_back(log_id):
        return Split.TEST
    again = int.from_bytes(blake2b(log_id.encode(), digest_size=8, salt=b"validate").digest())
    return Split.VALIDATION if again % VALIDATION_OF == 0 else Split.TRAIN
