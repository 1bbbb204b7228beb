"""How far a hand is from complete, and which tiles bring it nearer."""

from engine.shanten.hands import (
    NOT_HELD,
    Decomposition,
    Discards,
    HandError,
    Ukeire,
    decompose,
    discard_shanten,
    discard_ukeire,
    is_agari,
    seven_pairs_shanten,
    shanten,
    shanten_batch,
    standard_shanten,
    thirteen_orphans_shanten,
    ukeire,
    waits,
)

__all__ = [
    "NOT_HELD",
    "Decomposition",
    "Discards",
    "HandError",
    "Ukeire",
    "decompose",
    "discard_shanten",
    "discard_ukeire",
    "is_agari",
    "seven_pairs_shanten",
    "shanten",
    "shanten_batch",
    "standard_shanten",
    "thirteen_orphans_shanten",
    "ukeire",
    "waits",
]
