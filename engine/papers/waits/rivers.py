"""A river as input of the wait networks: which tiles, from where, and in which order (Matsuda and Ito).

A discard is one of 74 codes: its ``tile37`` if it was the tile just drawn, plus 37 if it came from the hand. The set of
codes is 74 bits; the set of ordered pairs, first x 74 + second, is 5,476 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import EAST, HAKU, HONOURS, KINDS, KINDS37, PLAIN37, tile37_of
from engine.state import RiverTile

CODES: Final = 2 * KINDS37
PAIRS: Final = CODES * CODES

FEATURES: Final = "codes: tile37 + 37 from hand; pairs: first * 74 + second, each once; ascending"
"""Describes the inputs; its hash is stored with trained weights."""


def river_codes(river: Sequence[RiverTile], red_fives: bool = True) -> NDArray[np.int64]:
    """(n,) codes in order of discard. If a snapshot does not say, a tile counts as from the hand."""
    return np.array([tile37_of(tile.tile, red_fives) + KINDS37 * (not tile.tsumogiri) for tile in river], np.int64)


def set_bits(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ascending positions of the set bits among the 74."""
    return np.unique(codes)


def pair_bits(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ascending positions of the set bits among the 5,476."""
    first, second = np.triu_indices(len(codes), 1)
    return np.unique(codes[first] * CODES + codes[second])


def renamed_codes(kinds: Sequence[int]) -> NDArray[np.int64]:
    """(74,) new code of each code when kind ``k`` is renamed ``kinds[k]``; red fives follow their suit."""
    result = np.empty(CODES, np.int64)
    for code in range(CODES):
        tile37 = code % KINDS37
        kind = kinds[PLAIN37[tile37]]
        result[code] = (kind if tile37 < KINDS else KINDS + kind // 9) + code // KINDS37 * KINDS37
    return result


def brought_first(kind: int) -> list[int]:
    """(34,) new names that make ``kind`` the first of the kinds that the rules do not distinguish.

    Suits are exchanged as a whole, winds with east, dragons with white: the same number in manzu, east, or white.
    """
    names = list(range(KINDS))
    if kind < HONOURS:
        suit = kind // 9
        for number in range(9):
            names[number], names[9 * suit + number] = names[9 * suit + number], names[number]
    else:
        first = HAKU if kind >= HAKU else EAST
        names[first], names[kind] = names[kind], names[first]
    return names
