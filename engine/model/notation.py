"""The ways in which people write tiles: all of them are read, and one is chosen for output.

:mod:`engine.model.tiles` owns mpsz, the form that the code itself uses. The others are translated to it and from it.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from engine.model.tiles import (
    EAST,
    KINDS,
    PLAIN37,
    TileError,
    format_tile37,
    format_tiles37,
    parse_tiles37,
)


class Notation(StrEnum):
    """A way to write tiles; they differ in the honours and the red fives."""

    MPSZ = "mpsz"
    """``406m 1z 7z``: honours are numbered, a red five is 0."""
    LETTERS = "letters"
    """``406m E C``: honours are E S W N P F C."""
    KANJI = "kanji"
    """``406m 東 中``."""
    MJAI = "mjai"
    """``4m 5mr 6m E C``: each tile is a word, a red five ends in r."""


LETTERS: Final = "ESWNPFC"
"""Letters of the honours from east to chun: P is haku, F hatsu, C chun, as in mjai."""
KANJI: Final = "東南西北白發中"

_HONOURS: Final = {
    **{char: f"{at}z" for names in (LETTERS, KANJI) for at, char in enumerate(names, 1)},
    "\N{CJK UNIFIED IDEOGRAPH-767A}": "6z",  # hatsu as Japanese texts write it
}
PICTURES: Final = {
    **{chr(0x1F000 + at): f"{honour}z" for at, honour in enumerate((1, 2, 3, 4, 7, 6, 5))},
    **{chr(0x1F007 + 9 * at + rank): f"{rank + 1}{suit}" for at, suit in enumerate("msp") for rank in range(9)},
}
"""The tiles among the characters of Unicode, as mpsz; there is no red five."""
_SELECTORS: Final = re.compile("[\ufe0e\ufe0f]")
"""What follows a character to show it as text or as a picture."""
_RED: Final = re.compile(r"5([mps])r")
_WORDS: Final = _HONOURS | PICTURES
_KNOWN: Final = frozenset("0123456789mpsz _r") | _WORDS.keys()


def mpsz(text: str) -> str:
    """Text in any notation as mpsz: ``'123m5pr E東'`` becomes ``'123m0p 1z1z'``. All other text stays as it is.

    The characters of Unicode that are tiles are read, too.

    Raises:
        TileError: a character belongs to no notation; the message quotes it and its position.
    """
    text = _SELECTORS.sub("", text)
    for at, char in enumerate(text):
        if char not in _KNOWN:
            raise TileError(
                f"{text!r}: {char!r} at position {at + 1} is not a tile; write digits and m, p, s or z, and honours as "
                f"1z to 7z, {' '.join(LETTERS)} or {KANJI}"
            )
    return "".join(_WORDS.get(char, char) for char in _RED.sub(r"0\1", text))


def read_tiles37(text: str) -> tuple[int, ...]:
    """Read tiles in any notation into ``tile37``, in the order written.

    Raises:
        TileError: the text is not tiles, or there are more than four of a kind.
    """
    return parse_tiles37(mpsz(text))


def write_tile37(tile37: int, notation: Notation = Notation.MPSZ) -> str:
    """The text of one tile."""
    kind = PLAIN37[tile37]
    if kind >= EAST and notation is not Notation.MPSZ:
        return (KANJI if notation is Notation.KANJI else LETTERS)[kind - EAST]
    if tile37 >= KINDS and notation is Notation.MJAI:
        return f"{format_tile37(kind)}r"
    return format_tile37(tile37)


def write_tiles37(tiles37: Iterable[int], notation: Notation = Notation.MPSZ) -> str:
    """Compact text, sorted by suit and number: ``'406m1z'``, ``'406mE'``, ``'4m 5mr 6m E'``."""
    numbers: list[int] = []
    honours: list[int] = []
    for tile in tiles37:
        (honours if PLAIN37[tile] >= EAST else numbers).append(tile)
    if notation is Notation.MJAI:
        found = (*parse_tiles37(format_tiles37(numbers)), *sorted(honours))
        return " ".join(write_tile37(tile, notation) for tile in found)
    if notation is Notation.MPSZ:
        return format_tiles37((*numbers, *honours))
    return format_tiles37(numbers) + "".join(write_tile37(tile, notation) for tile in sorted(honours))
