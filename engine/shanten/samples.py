"""Random hands by seed, for benchmarks, warm-up and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.model.tiles import KINDS, TILES

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_hands(n: int, seed: int, tiles: int = 14) -> NDArray[np.uint8]:
    """``n`` hands dealt each from a whole wall: uint8 counts of shape (n, 34)."""
    generator = np.random.default_rng(seed)
    # the tiles with the smallest random keys are a uniform draw without replacement
    keys = generator.random((n, TILES), dtype=np.float32)
    dealt = np.argpartition(keys, tiles, axis=1)[:, :tiles] // 4
    counts = np.zeros((n, KINDS), np.uint8)
    np.add.at(counts, (np.arange(n)[:, None], dealt), 1)
    return counts
