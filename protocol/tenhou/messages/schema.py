"""Conversion between attribute texts and messages, driven by the fields that messages declare."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar

from engine.model.seats import SEATS
from protocol.errors import RemoteProtocolError
from protocol.tenhou.messages.fields import Attribute, Codec
from protocol.tenhou.redaction import redact


class Sender(Enum):
    """Who sends a message: the same tag has different meanings from each side."""

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
    def of(cls, message: type[Message]) -> Schema:
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
