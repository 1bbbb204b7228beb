"""A hash table from int64 keys to small numbers, open addressing; keys are stored whole, so a hit is always true."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part

Number = TypeVar("Number", bound=np.integer)

_MIX = np.uint64(0x9E3779B97F4A7C15)


@allocating_part
def new_table(bits: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """An empty table of 2**bits places: its keys and its numbers (-1: free)."""
    return np.empty(1 << bits, np.int64), np.full(1 << bits, -1, np.int32)


@part
def place_of(keys: NDArray[np.int64], numbers: NDArray[np.int32], key: int) -> int:
    """The place that holds ``key``, or the free place where it belongs."""
    mask = len(keys) - 1
    place = np.int64((np.uint64(key) * _MIX) >> np.uint64(32)) & mask
    while numbers[place] >= 0 and keys[place] != key:
        place = (place + 1) & mask
    return int(place)


@allocating_part
def doubled(keys: NDArray[np.int64], numbers: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The same entries in a table of twice the places."""
    more_keys = np.empty(2 * len(keys), np.int64)
    more_numbers = np.full(2 * len(keys), -1, np.int32)
    for old in range(len(keys)):
        if numbers[old] >= 0:
            place = place_of(more_keys, more_numbers, keys[old])
            more_keys[place] = keys[old]
            more_numbers[place] = numbers[old]
    return more_keys, more_numbers


@allocating_part
def grown(array: NDArray[Number], room: int) -> NDArray[Number]:
    """A copy with room for ``room`` entries."""
    larger = np.empty(room, array.dtype)
    for at in range(len(array)):
        larger[at] = array[at]
    return larger
