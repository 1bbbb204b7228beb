"""Codecs between the text of an attribute and its value. Messages name one of them for each field.

A codec's ``parse`` raises ValueError with a reason that can follow "attribute x='...' ". ``format`` is its inverse for
every value that ``parse`` can return.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote, unquote

from engine.model.tiles import TILES as TILE_COUNT

T = TypeVar("T")

RIICHI_MARK: Final = 255
"""Precedes the riichi tile in a river of REINIT."""

_INT = re.compile(r"-?[0-9]{1,9}").fullmatch
_INTS = re.compile(r"-?[0-9]{1,9}(?:,-?[0-9]{1,9})*").fullmatch
_NUMBERS = re.compile(r"(?:-?[0-9]{1,9}(?:\.[0-9]{1,6})?(?:,|\Z))+").fullmatch


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """Converts text to a value and back. ``number``: a client writes it as a JSON number (a server never does)."""

    parse: Callable[[str], T]
    format: Callable[[T], str]
    number: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """The metadata that :func:`attr` attaches to a dataclass field.

    Attributes:
        name: the attribute's name on the wire, or the stem of an indexed one.
        codec: converts its text.
        indexed: whether it stands for four attributes, ``name0`` to ``name3``, as a tuple with None for absent ones.
    """

    name: str
    codec: Codec[Any]
    indexed: bool = False


def attr(
    codec: Codec[T],
    name: str = "",
    *,
    default: object = dataclasses.MISSING,
    indexed: bool = False,
    secret: bool = False,
) -> Any:
    """Declare a message field. Without a default the attribute is required; a value at its default is not written.

    Args:
        codec: converts its text.
        name: name on the wire, if it differs from the field's.
        default: value of an absent attribute.
        indexed: see :class:`Attribute`; absent ones are None.
        secret: whether to keep it out of ``repr``.
    """
    if indexed:
        default = (None, None, None, None)
    metadata = {"attribute": Attribute(name, codec, indexed)}
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata=metadata, repr=not secret)
    return dataclasses.field(default=default, metadata=metadata, repr=not secret)


def _parse_int(text: str) -> int:
    if not _INT(text):
        raise ValueError("is not a whole number")
    return int(text)


def bounded(low: int, high: int, what: str) -> Codec[int]:
    """Codec of a whole number from ``low`` to ``high``."""

    def parse(text: str) -> int:
        value = _parse_int(text)
        if not low <= value <= high:
            raise ValueError(f"is not a {what} ({low} to {high})")
        return value

    return Codec(parse, str, number=True)


def integers(lengths: tuple[int, ...] = (), low: int = -(10**9), high: int = 10**9) -> Codec[tuple[int, ...]]:
    """Codec of comma-separated whole numbers from ``low`` to ``high``; ``lengths``: allowed counts, empty for any."""

    def parse(text: str) -> tuple[int, ...]:
        if not text:
            values: tuple[int, ...] = ()
        elif _INTS(text):
            values = tuple(map(int, text.split(",")))
        else:
            raise ValueError("is not a comma-separated list of whole numbers")
        if lengths and len(values) not in lengths:
            raise ValueError(f"has {len(values)} numbers, not {' or '.join(map(str, lengths))}")
        if values and not (low <= min(values) and max(values) <= high):
            raise ValueError(f"is not between {low} and {high}")
        return values

    return Codec(parse, _format_ints)


def _format_ints(values: tuple[int, ...]) -> str:
    return ",".join(map(str, values))


def _parse_numbers(text: str) -> tuple[int | float, ...]:
    if not text:
        return ()
    if not _NUMBERS(text) or text.endswith(","):
        raise ValueError("is not a comma-separated list of numbers")
    return tuple(float(number) if "." in number else int(number) for number in text.split(","))


def _parse_rates(text: str) -> tuple[float, ...]:
    return tuple(map(float, _parse_numbers(text)))


def _parse_words(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _percent_encode_all(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode(errors="replace"))


def _percent_encode(text: str) -> str:
    return quote(text, safe="/", errors="replace")


def _same(text: str) -> str:
    return text


TEXT: Final = Codec(_same, _same)
"""Text kept unchanged."""
NAME: Final = Codec(unquote, _percent_encode_all)
"""A name or text from the server, with every byte percent-encoded."""
SAID: Final = Codec(unquote, _percent_encode)
"""A name or text from a client, percent-encoded where necessary."""
WORDS: Final = Codec(_parse_words, ",".join)
INT: Final = Codec(_parse_int, str, number=True)
SEAT: Final = bounded(0, 3, "seat")
TILE: Final = bounded(0, TILE_COUNT - 1, "tile")
FLAGS: Final = bounded(0, 255, "set of prompt flags")
STEP: Final = bounded(1, 2, "riichi step")
MELD: Final = bounded(0, 65535, "16-bit meld code")
TILES: Final = integers(low=0, high=TILE_COUNT - 1)
RIVER: Final = integers(low=0, high=RIICHI_MARK)
MELDS: Final = integers(low=0, high=65535)
INTS: Final = integers()
SEED: Final = integers(tuple(range(6, 11)), low=0)
"""Round, honba, riichi sticks, two dice minus one, dora indicators (one in INIT)."""
BA: Final = integers((2,), low=0)
"""Honba, riichi sticks."""
TEN: Final = integers((3,), low=0)
"""Fu, points, limit."""
SCORES: Final = integers((4,))
"""Points in hundreds, by seat."""
CHANGES: Final = integers((8, 16))
"""Score and change in hundreds, by seat; at a chip table followed by the same for chips."""
PAIRS: Final = INTS
NUMBERS: Final = Codec(_parse_numbers, lambda values: ",".join(map(repr, values)))
RATES: Final = Codec(_parse_rates, lambda values: ",".join(f"{value:.2f}" for value in values))
