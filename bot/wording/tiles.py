"""Tiles within a sentence, marked so that a page or a screen can show them in its own way."""

from __future__ import annotations

import re
from typing import Final

MARK: Final = re.compile("\N{INVISIBLE SEPARATOR}([0-9][mpsz])")
"""A tile within a sentence. No text from outside holds one: it is cleaned of format characters."""


def tile_mark(tiles: str) -> str:
    """Tiles run together, ``'5p0m'``, each marked."""
    return "".join(f"\N{INVISIBLE SEPARATOR}{tiles[at : at + 2]}" for at in range(0, len(tiles), 2))


def marked(tiles: str) -> str:
    """Tiles as mpsz text, ``'36p1z'``, each marked."""
    found, suit = [], ""
    for char in reversed(tiles):
        if char.isdigit():
            found.append(char + suit)
        else:
            suit = char
    return tile_mark("".join(reversed(found)))


def plain(text: str) -> str:
    """A sentence with its marked tiles written as they are: ``'3p6p'``."""
    return MARK.sub(r"\1", text)
