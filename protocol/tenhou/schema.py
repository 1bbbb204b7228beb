"""Conversion between attribute texts and messages, driven by the fields that messages declare."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final, Generic, TypeVar
from urllib.parse import quote, unquote

from engine.model.plural import plural
from engine.model.seats import SEATS
from engine.model.tiles import TILES as TILE_COUNT
from protocol.errors import RemoteProtocolError
from protocol.tenhou.redaction import redact

T = TypeVar("T")

NO_DIE: Final = -1
"""The number for a die that is not stated."""

RIICHI_MARK: Final = 255
"""Precedes the riichi tile in a river of REINIT."""

_INT = re.compile(r"[-+]?[0-9]{1,9}").fullmatch
_INTS = re.compile(r"[-+]?[0-9]{1,9}(?:,[-+]?[0-9]{1,9})*").fullmatch
_NUMBERS = re.compile(r"(?:-?[0-9]{1,9}(?:\.[0-9]{1,6})?(?:,|\Z))+").fullmatch


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """Converts text to a value and back. ``number``: a client writes it as a JSON number (a server never does)."""

    parse: Callable[[str], T]
    format: Callable[[T], str]
    number: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """The metadata that :func:`attr` attaches to a dataclass field."""

    name: str  # the attribute's name on the wire, or the stem of an indexed one
    codec: Codec[Any]  # converts its text
    # whether it stands for four attributes, ``name0`` to ``name3``, as a tuple with None for absent ones
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
            raise ValueError(f"has {plural(len(values), 'number')}, not {' or '.join(map(str, lengths))}")
        if values and not (low <= min(values) and max(values) <= high):
            raise ValueError(f"is not between {low} and {high}")
        return values

    return Codec(parse, lambda values: ",".join(map(str, values)))


def _parse_numbers(text: str) -> tuple[int | float, ...]:
    if not text:
        return ()
    if not _NUMBERS(text) or text.endswith(","):
        raise ValueError("is not a comma-separated list of numbers")
    return tuple(float(number) if "." in number else int(number) for number in text.split(","))


def _same(text: str) -> str:
    return text


TEXT: Final = Codec(_same, _same)
"""Text kept unchanged."""
NAME: Final = Codec(unquote, lambda text: "".join(f"%{byte:02X}" for byte in text.encode(errors="replace")))
"""A name or text from the server, with every byte percent-encoded."""
SAID: Final = Codec(unquote, lambda text: quote(text, safe="/", errors="replace"))
"""A name or text from a client, percent-encoded where necessary."""
WORDS: Final = Codec(lambda text: tuple(text.split(",")), ",".join)
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
_SEED: Final = integers(tuple(range(6, 11)), low=NO_DIE)


def _parse_seed(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    return _SEED.parse(",".join((*parts[:3], *(part or str(NO_DIE) for part in parts[3:5]), *parts[5:])))


SEED: Final = Codec(_parse_seed, _SEED.format)
"""Round, honba, riichi sticks, two dice minus one (other programs may leave them empty), dora indicators (one in
INIT)."""
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
RATES: Final = Codec(
    lambda text: tuple(map(float, _parse_numbers(text))),
    lambda values: ",".join(f"{value:.2f}" for value in values),
)


class Sender(Enum):
    """The side that sends a message; some tags mean different things from the two sides."""

    SERVER = "server"
    CLIENT = "client"


@dataclass(frozen=True, slots=True)
class Message:
    """Base class of all messages. ``extra`` keeps attributes that the message does not declare."""

    TAG: ClassVar[str]
    extra: tuple[tuple[str, str], ...] = field(default=(), kw_only=True, repr=False)


@dataclass(frozen=True, slots=True)
class Unknown(Message):
    """A message with an unknown tag, kept unchanged: ``extra`` holds every attribute."""

    TAG = ""
    tag: str

    def __repr__(self) -> str:
        attributes = "".join(f" {name}={redact(text)!r}" for name, text in self.extra)
        return f"Unknown(<{redact(self.tag)}{attributes}>)"


@dataclass(frozen=True, slots=True)
class _Entry:
    attribute: str
    field: str
    index: int
    codec: Codec[Any]


@dataclass(frozen=True, slots=True)
class Schema:
    """The attributes of one message class, in wire order."""

    cls: type[Message]
    entries: Mapping[str, _Entry]
    required: frozenset[str]
    defaults: Mapping[str, object]

    @classmethod
    def of(cls, message: type[Message]) -> "Schema":
        """The schema of the fields that a message class declares."""
        entries: dict[str, _Entry] = {}
        required = set()
        defaults = {}
        for declared in dataclasses.fields(message):
            attribute: Attribute | None = declared.metadata.get("attribute")
            if attribute is None:
                continue
            name = attribute.name or declared.name
            if attribute.indexed:
                for index in SEATS:
                    entries[f"{name}{index}"] = _Entry(f"{name}{index}", declared.name, index, attribute.codec)
            else:
                entries[name] = _Entry(name, declared.name, -1, attribute.codec)
            if declared.default is dataclasses.MISSING:
                required.add(declared.name)
            else:
                defaults[declared.name] = declared.default
        return cls(message, entries, frozenset(required), defaults)

    def parse(self, attributes: Mapping[str, str]) -> Message:
        """Build the message from its attribute texts.

        Raises:
            RemoteProtocolError: an attribute is missing or its text is invalid.
        """
        values: dict[str, Any] = {}
        extra = []
        for name, text in attributes.items():
            entry = self.entries.get(name)
            if entry is None:
                extra.append((name, text))
                continue
            try:
                value = entry.codec.parse(text)
            except ValueError as error:
                raise RemoteProtocolError(f"<{self.cls.TAG}> {name}={redact(text)!r} {error}", redact(text)) from None
            if entry.index < 0:
                values[entry.field] = value
            else:
                values.setdefault(entry.field, [None] * 4)[entry.index] = value
        if not self.required <= values.keys():
            missing = ", ".join(
                name for name, entry in self.entries.items() if entry.field in self.required - set(values)
            )
            raise RemoteProtocolError(f"<{self.cls.TAG}> has no {missing}", redact(str(dict(attributes))))
        for name, value in values.items():
            if type(value) is list:
                values[name] = tuple(value)
        return self.cls(**values, extra=tuple(extra))

    def format(self, message: Message) -> dict[str, tuple[str, bool]]:
        """Attribute name → (text, whether it is a number), in wire order, without attributes at their default."""
        attributes = {}
        for entry in self.entries.values():
            value = getattr(message, entry.field)
            if entry.index >= 0:
                value = value[entry.index]
                if value is None:
                    continue
            elif entry.field in self.defaults and value == self.defaults[entry.field]:
                continue
            attributes[entry.attribute] = entry.codec.format(value), entry.codec.number
        attributes.update((name, (text, False)) for name, text in message.extra)
        return attributes


def table(classes: Iterable[type[Message]]) -> dict[str, Schema]:
    """The schemas of one sender's messages by tag."""
    return {cls.TAG: Schema.of(cls) for cls in classes}
