"""Tiles as one type, so that the encodings of the engine cannot be mixed by mistake."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.evaluate.hands import take_tiles
from bot.machine.errors import InputError
from bot.page.picture import image, tiles_picture
from engine.model.notation import Notation, read_tiles37, write_tile37, write_tiles37
from engine.model.tiles import KINDS, KINDS37, PLAIN37, TILE37, TILES, TileError
from engine.settings import shown

T = TypeVar("T")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Tiles:
    """Some tiles, in the order given: ``Tiles('123m405p')``.

    Numbers do not say which encoding they are in: 34 is a red five as ``tile37``, and a plain 9m as ``tile136``.
    Therefore numbers become tiles only through :meth:`of34`, :meth:`of37` or :meth:`of136`, which check their range.

    Attributes:
        tile37: the tiles as ``tile37`` (:mod:`engine.model.tiles`).
    """

    tile37: tuple[int, ...]

    def __init__(self, text: "str | Tiles" = "") -> None:
        """Tiles from text in any notation, or from tiles.

        Raises:
            InputError: the text is not tiles, or something else was given.
        """
        object.__setattr__(self, "tile37", text.tile37 if isinstance(text, Tiles) else _read(text))

    @classmethod
    def _of(cls, tile37: tuple[int, ...]) -> "Tiles":
        tiles = object.__new__(cls)
        object.__setattr__(tiles, "tile37", tile37)
        return tiles

    @classmethod
    def of34(cls, tiles: Iterable[int]) -> "Tiles":
        """Tiles from ``tile34``; none of them is red."""
        return cls._of(_checked(tiles, KINDS, "tile34"))

    @classmethod
    def of37(cls, tiles: Iterable[int]) -> "Tiles":
        """Tiles from ``tile37``."""
        return cls._of(_checked(tiles, KINDS37, "tile37"))

    @classmethod
    def of136(cls, tiles: Iterable[int]) -> "Tiles":
        """Tiles from ``tile136``, under rules with red fives."""
        return cls._of(tuple(TILE37[tile] for tile in _checked(tiles, TILES, "tile136")))

    @property
    def tile34(self) -> tuple[int, ...]:
        """The tiles as ``tile34``."""
        return tuple(PLAIN37[tile] for tile in self.tile37)

    @property
    def tile136(self) -> tuple[int, ...]:
        """The tiles as ``tile136``: of equal tiles the lowest copies."""
        return take_tiles("the tiles", self.tile37, set())

    @property
    def counts34(self) -> NDArray[np.uint8]:
        """Number of tiles of each ``tile34``: uint8, shape (34,)."""
        return np.bincount(self.tile34, minlength=KINDS).astype(np.uint8)

    def text(self, notation: Notation = Notation.MPSZ) -> str:
        """The tiles as text, sorted."""
        return write_tiles37(self.tile37, notation)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        runs = (("".join(tile[0] for tile in run), suit) for suit, run in groupby(self, key=lambda tile: tile[1]))
        return f"Tiles('{''.join(map(''.join, runs))}')"

    def _repr_html_(self) -> str:
        """The tiles as a picture, for notebooks."""
        return image(tiles_picture(self.tile37), str(self))

    def __len__(self) -> int:
        return len(self.tile37)

    def __iter__(self) -> Iterator[str]:
        return (write_tile37(tile) for tile in self.tile37)


def _read(text: str) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise InputError(
            f"{shown(text)} is not text: write tiles as '123m406p1z', or say which encoding numbers are in, with "
            "Tiles.of34, Tiles.of37 or Tiles.of136"
        )
    try:
        return read_tiles37(text)
    except TileError as error:
        raise InputError(str(error)) from None


def counts_of(hands: Iterable[str | Tiles]) -> NDArray[np.uint8]:
    """Counts of many hands for the functions that take arrays: uint8, shape (n, 34)."""
    rows = [Tiles(hand).counts34 for hand in _several(hands, "hands")]
    return np.stack(rows) if rows else np.empty((0, KINDS), np.uint8)


def _checked(tiles: Iterable[int], end: int, encoding: str) -> tuple[int, ...]:
    found: tuple[Any, ...] = tuple(_several(tiles, f"tiles, as {encoding}"))
    for tile in found:
        if not (isinstance(tile, int | np.integer) and 0 <= tile < end):
            raise InputError(f"{shown(tile)} is not a {encoding}: it is a whole number from 0 to {end - 1}")
    return tuple(map(int, found))


def _several(values: Iterable[T], what: str) -> Iterable[T]:
    """The values, if there may be several."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{shown(values)}, of type {type(values).__name__}, must be a list of {what}")
    return values
