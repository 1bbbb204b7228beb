"""Walls as Tenhou shuffles and builds them, from a seed.

A game's shuffle seed is 624 words for the Mersenne Twister. Logs state it as ``SHUFFLE seed``, so that anyone can deal
a recorded game again. Each hand takes the next 288 words: SHA-512 over every 128 bytes of them makes the 144 random
words that shuffle the tiles and throw the dice. Checked against the deals of recorded games that state their seed.
"""

import base64
import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.plural import plural
from engine.model.tiles import TILES

SHUFFLE_PREFIX: Final = "mt19937ar-sha512-n288-base64,"
_SEED_WORDS: Final = 624
_KYOKU_WORDS: Final = 288
_BLOCK: Final = 128

DEAL_ROUNDS: Final = (4, 4, 4, 1)
"""Number of tiles that a player takes at a time when the hands are dealt."""
_RINSHAN: Final = (1, 0, 3, 2)
"""Positions in the shuffled order of the tiles drawn after kans, in the order drawn."""


@dataclass(frozen=True, slots=True)
class Wall:
    """The tiles of one hand, all ``tile136``."""

    # thirteen tiles in dealt order by position from the dealer: dealer, right, across, left
    hands: tuple[tuple[int, ...], ...]
    live: tuple[int, ...]  # the tiles to draw in order; 70, of which each kan takes one from the end
    rinshan: tuple[int, ...]  # the four tiles drawn after kans
    dora_indicators: tuple[int, ...]  # five, in the order turned
    ura_indicators: tuple[int, ...]  # five, beneath them
    dice: tuple[int, int]  # two faces, 1-6

    def order(self) -> list[int]:
        """The shuffled tiles from which :func:`wall_from_order` builds this wall."""
        order = [0] * TILES
        for place, tile in zip(_RINSHAN, self.rinshan, strict=True):
            order[place] = tile
        order[5:14:2], order[4:13:2] = self.dora_indicators, self.ura_indicators
        hands = [iter(hand) for hand in self.hands]
        drawn = [next(hand) for count in DEAL_ROUNDS for hand in hands for _ in range(count)]
        order[14:] = reversed([*drawn, *self.live])
        return order


def wall_from_order(order: Sequence[int], dice: tuple[int, int] = (1, 1)) -> Wall:
    """Build a wall from shuffled tiles: they are drawn from the end, and the dead wall is the first fourteen.

    Raises:
        ValueError: ``order`` is not the 136 tiles.
    """
    if sorted(order) != list(range(TILES)):
        raise ValueError(f"a wall must contain each of the tiles 0 to 135 once, not {plural(len(order), 'tile')}")
    drawn = iter(reversed(order))
    hands: list[list[int]] = [[], [], [], []]
    for count in DEAL_ROUNDS:
        for hand in hands:
            hand.extend(next(drawn) for _ in range(count))
    live = tuple(drawn)[: TILES - 14 - 52]
    return Wall(
        hands=tuple(tuple(hand) for hand in hands),
        live=live,
        rinshan=tuple(order[place] for place in _RINSHAN),
        dora_indicators=tuple(order[5 + 2 * place] for place in range(5)),
        ura_indicators=tuple(order[4 + 2 * place] for place in range(5)),
        dice=dice,
    )


class WallOrders:
    """The walls of one game as tables take them, hand after hand.

    Attributes:
        dice: those of the wall taken last.
    """

    def __init__(self, walls: Iterable[Wall]) -> None:
        self._walls = iter(walls)
        self.dice = (1, 1)

    def __iter__(self) -> Iterator[list[int]]:
        return self

    def __next__(self) -> list[int]:
        """The shuffled tiles of the next wall."""
        wall = next(self._walls)
        self.dice = wall.dice
        return wall.order()


class Shuffle:
    """The walls of one game, hand after hand.

    Attributes:
        text: the seed, as a log's ``SHUFFLE`` states it.
    """

    def __init__(self, words: bytes) -> None:
        """Start from the game's 624 words.

        Args:
            words: 2496 bytes, little-endian words; the last word is not 0.

        Raises:
            ValueError: the length is wrong, or the last word is 0.
        """
        if len(words) != 4 * _SEED_WORDS or not any(words[-4:]):
            raise ValueError(f"a shuffle seed must be {4 * _SEED_WORDS} bytes that do not end in a zero word")
        self.text = SHUFFLE_PREFIX + base64.b64encode(words).decode()
        self._twister = random.Random(int.from_bytes(words, "little"))  # noqa: S311 - the generator of the walls

    @classmethod
    def from_seed(cls, seed: int) -> "Shuffle":
        """The walls of a seed; they do not depend on the machine."""
        words = b"".join(hashlib.sha512(f"{seed}/{block}".encode()).digest() for block in range(4 * _SEED_WORDS // 64))
        return cls(words if any(words[-4:]) else words[:-1] + b"\x01")

    def __iter__(self) -> Iterator[Wall]:
        return self

    def __next__(self) -> Wall:
        """The wall of the next hand; there is always another one."""
        words = self._twister.getrandbits(32 * _KYOKU_WORDS).to_bytes(4 * _KYOKU_WORDS, "little")
        digest = b"".join(
            hashlib.sha512(words[start : start + _BLOCK]).digest() for start in range(0, len(words), _BLOCK)
        )
        numbers = [int.from_bytes(digest[start : start + 4], "little") for start in range(0, len(digest), 4)]
        order = list(range(TILES))
        for place in range(TILES - 1):
            other = place + numbers[place] % (TILES - place)
            order[place], order[other] = order[other], order[place]
        return wall_from_order(order, (numbers[135] % 6 + 1, numbers[136] % 6 + 1))
