"""The languages there are and their tables, and how numbers and tiles are written in sentences."""

import json
import re
from enum import StrEnum
from functools import cache
from importlib.resources import files
from math import floor, log10
from typing import Any, Final

MINUS: Final = "−"  # noqa: RUF001 - a real minus sign stands well beside digits
_NOT_ZERO: Final = frozenset("123456789")
MARK: Final = re.compile("\N{INVISIBLE SEPARATOR}([0-9][mpsz])")
"""A tile within a sentence. No text from outside holds one: it is cleaned of format characters."""


class Lang(StrEnum):
    """A language."""

    EN = "en"
    JA = "ja"


@cache
def table(package: str, name: str, lang: Lang) -> dict[str, Any]:
    """The contents of ``NAME.LANG.json`` in a package. Not to be changed."""
    text = (files(package) / f"{name}.{lang.value}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def number(value: float, decimals: int = 0, *, sign: bool = False) -> str:
    """``'1,234'``, ``'+0.25'``, with a real minus sign."""
    text = f"{abs(value):,.{decimals}f}"
    zero = _NOT_ZERO.isdisjoint(text)
    return ("" if zero else MINUS if value < 0 else "+" if sign else "") + text


EXACT: Final = 2
"""Decimals of values without noise, unless they are points, which are whole."""


def decimals_of(noise: float, unit: str = "") -> int:
    """Decimals with which values of that noise in that unit are shown: none from 1 up."""
    if noise > 0.0:
        return max(0, -floor(log10(noise)))
    return 0 if unit == "points" else EXACT


def percent(share: float | None, digits: int = 0) -> str:
    """``'25%'``; empty for None."""
    return "" if share is None else f"{100 * share:.{digits}f}%"


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
