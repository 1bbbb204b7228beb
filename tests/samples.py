"""Tiles as text, random hands and random wins by seed, and the walls of a recorded game."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray

from engine.arena.walls import SHUFFLE_PREFIX, Shuffle
from engine.model.tiles import KINDS, TILES, parse_tiles37
from engine.scoring.win_kernels import MELD_PON
from engine.scoring.yaku_kernels import ROUND_AT, SEAT_AT, WIN_OPEN_TANYAO, WIN_RIICHI, WIN_TSUMO

Wins = tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint8]]
"""Arguments of :func:`engine.scoring.score_batch`."""


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


def random_wins(n: int, seed: int, open_share: float = 0.0) -> Wins:
    """``n`` random wins: four sets and a pair, closed ones in riichi, half of them self-drawn.

    Args:
        n: number of hands.
        seed: seed of the randomness.
        open_share: share of hands with one set melded as a pon (with or without yaku).
    """
    generator = np.random.default_rng(seed)
    counts = np.zeros((n, KINDS), np.uint8)
    melds = np.zeros(n, np.uint32)
    wins = np.zeros(n, np.uint8)
    for row in range(n):
        counts[row], melds[row] = _hand(generator, generator.random() < open_share)
        wins[row] = generator.choice(np.flatnonzero(counts[row]))
    winds = generator.integers(0, 4, n) << SEAT_AT | generator.integers(0, 2, n) << ROUND_AT
    flags = winds | WIN_OPEN_TANYAO | np.where(melds == 0, WIN_RIICHI, 0) | WIN_TSUMO * generator.integers(0, 2, n)
    bonus = generator.integers(0, 4, n).astype(np.uint8)
    return counts, melds, wins, flags.astype(np.uint16), bonus


def _hand(generator: np.random.Generator, is_open: bool) -> tuple[NDArray[np.uint8], int]:
    while True:
        counts = np.zeros(KINDS, np.uint8)
        counts[generator.integers(KINDS)] += 2
        for _ in range(3 if is_open else 4):
            if generator.random() < 0.7:
                suit, number = generator.integers(3), generator.integers(7)
                counts[9 * suit + number : 9 * suit + number + 3] += 1
            else:
                counts[generator.integers(KINDS)] += 3
        if counts.max() > 4:
            continue
        if not is_open:
            return counts, 0
        kind = int(generator.integers(KINDS))
        if counts[kind] <= 1:
            return counts, MELD_PON << 6 | kind + 1


def shuffle_of(text: str) -> Shuffle:
    """The walls of a recorded game; the inverse of :attr:`Shuffle.text`."""
    return Shuffle(base64.b64decode(text.removeprefix(SHUFFLE_PREFIX), validate=True))
