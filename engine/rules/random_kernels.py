"""Random numbers: from a counter, the same for a seed whatever was drawn before, and one after another."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._jit import part
from engine.scoring.yaku_kernels import popcount


@part
def mix(seed: int, number: int) -> int:
    """A pseudo-random 62-bit number from two."""
    value = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number) * np.uint64(0xD1342543DE82EF95)
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    value ^= value >> np.uint64(32)
    return int(value >> np.uint64(2))


STRIDE = np.uint64(0x9E3779B97F4A7C15)
"""What splitmix64 adds to its state before each number."""


@part
def number_below(state: Any, most: int) -> int:
    """A number below ``most`` from a state of splitmix64, which the caller has moved on by STRIDE."""
    value = state
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value ^= value >> np.uint64(31)
    # the upper half times the range, without division: off by less than one in 10^7
    return int(((value >> np.uint64(32)) * np.uint64(most)) >> np.uint64(32))


@part
def next_random(state: NDArray[np.uint64], below: int) -> int:
    """The next random number from 0 to ``below`` - 1 (splitmix64)."""
    state[0] += STRIDE
    return number_below(state[0], below)


@part
def nth_bit(bits: int, number: int) -> int:
    """The place of a set bit, the lowest being number 0."""
    for _ in range(number):
        bits &= bits - 1
    return popcount((bits & -bits) - 1)
