"""Tiles as text, random hands and random wins by seed, and the walls of a recorded game."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray

from engine.arena.walls import SHUFFLE_PREFIX, Shuffle
from engine.model.tiles import KINDS, TILES, parse_tiles37


def parse_tile37(text: str) -> int:
    """One tile, such as ``'5p'``."""
    (tile,) = parse_tiles37(text)
    return tile


def random_hands(n: int, seed: int, tiles: int = 14) -> NDArray[np.uint8]:
    """``n`` hands dealt each from a whole wall: uint8 counts of shape (n, 34)."""
    generator = np.random.default_rng(seed)
    # the tiles with the smallest random keys are a uniform draw without replacement
    keys = generator.random((n, TILES), dtype=np.float32)
    dealt = np.argpartition(keys, tiles, axis=1)[:, :tiles] // 4
    counts = np.zeros((n, KINDS), np.uint8)
    np.add.at(counts, (np.arange(n)[:, None], dealt), 1)
    return counts


def random_wins(n: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """``n`` random closed hands of four sets and a pair: uint8 counts of shape (n, 34); the winning kinds, (n,)."""
    generator = np.random.default_rng(seed)
    counts = np.array([_hand(generator) for _ in range(n)])
    wins = [generator.choice(np.flatnonzero(hand)) for hand in counts]
    return counts, np.array(wins, np.uint8)


def _hand(generator: np.random.Generator) -> NDArray[np.uint8]:
    while True:
        counts = np.zeros(KINDS, np.uint8)
        counts[generator.integers(KINDS)] += 2
        for _ in range(4):
            if generator.random() < 0.7:
                suit, number = generator.integers(3), generator.integers(7)
                counts[9 * suit + number : 9 * suit + number + 3] += 1
            else:
                counts[generator.integers(KINDS)] += 3
        if counts.max() <= 4:
            return counts


def shuffle_of(text: str) -> Shuffle:
    """The walls of a recorded game; the inverse of :attr:`Shuffle.text`."""
    return Shuffle(base64.b64decode(text.removeprefix(SHUFFLE_PREFIX), validate=True))
