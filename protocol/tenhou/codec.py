"""The two text forms of a message.

* JSON (websocket): one text frame is one object ``{"tag": …}``. A server writes every value as a string; a client
  writes integers as numbers, and sends ``<Z/>``, ``<PXR v="9"/>``, ``<BYE/>`` and ``<ECHO/>`` as tags even here.
* tags (the older transport, which old captures hold): ``<TAG name="value"/>``, several in a row, each message
  terminated by a NUL. Values are not XML-escaped: ``&`` stands for itself.

Reading raises only :class:`RemoteProtocolError`, whatever the input. Errors and their ``raw`` text never contain an
account key.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.tenhou import client, server
from protocol.tenhou.redaction import redact
from protocol.tenhou.schema import FLAGS, Message, Schema, Sender, Unknown

MAX_FRAME: Final = 1 << 16
"""Maximum length of a frame in characters; no message of Tenhou comes near it."""

_NAME: Final = r"[A-Za-z][A-Za-z0-9_\-]*"
_ATTRIBUTE: Final = re.compile(rf'\s+({_NAME})="([^"]*)"')
_TAG: Final = re.compile(rf'\s*<({_NAME})((?:\s+{_NAME}="[^"]*")*)\s*/?>')
_is_name: Final = re.compile(_NAME).fullmatch
_is_tile_tag: Final = re.compile("[TUVWDEFGefgd][0-9]+").fullmatch
_UNSAFE: Final = re.compile('["<>\0-\x1f]')

_TABLES: Final = {Sender.SERVER: server.ATTRIBUTES, Sender.CLIENT: client.ATTRIBUTES}
_SCHEMAS: Final[Mapping[type[Message], Schema]] = {
    schema.cls: schema for attributes in _TABLES.values() for schema in attributes.values()
}
_TAG_FORM_ONLY: Final = (client.KeepAlive, client.Pxr, client.Bye, client.Echo, server.KeepAlive)


def parse_frame(frame: str, sender: Sender) -> tuple[Message, ...]:
    """Parse one frame in either form. A frame of tags may hold several messages, a JSON frame holds one.

    Raises:
        RemoteProtocolError: the frame is in neither form, or a message in it is malformed.
    """
    if len(frame) > MAX_FRAME:
        raise RemoteProtocolError(f"a frame of {len(frame)} characters; the limit is {MAX_FRAME}", redact(frame[:200]))
    try:
        text = _printable(frame.strip(" \t\r\n\0"))
        if text.startswith("{"):
            return (_parse_object(text, sender),)
        return _parse_tags(text, sender)
    except RemoteProtocolError as error:
        raise RemoteProtocolError(str(error), redact(frame)) from None


def parse_element(tag: str, attributes: Mapping[str, str], sender: Sender) -> Message:
    """Parse the message of one tag and its attribute texts; both forms, and logs, use this.

    Raises:
        RemoteProtocolError: the tag is known but malformed.
    """
    if sender is Sender.SERVER:
        message = server.TILE_TAGS.get(tag)
        if message is not None:
            return _with_flags(message, attributes) if attributes else message
        if _is_tile_tag(tag):
            raise RemoteProtocolError(f"<{tag}> does not name a tile; tiles are 0 to 135", tag)
    schema = _TABLES[sender].get(tag)
    if schema is None:
        return Unknown(tag, extra=tuple(attributes.items()))
    return schema.parse(attributes)


def format_element(message: Message) -> tuple[str, dict[str, tuple[str, bool]]]:
    """The inverse of :func:`parse_element`: the tag, and attribute name → (text, whether a client writes a number).

    Raises:
        LocalProtocolError: this is not a message of the protocol.
    """
    if isinstance(message, Unknown):
        return message.tag, {name: (text, False) for name, text in message.extra}
    if isinstance(message, server.Draw | server.Discard):
        letters = server.DRAW_LETTERS if isinstance(message, server.Draw) else server.DISCARD_LETTERS
        letter = letters[message.who]
        if isinstance(message, server.Discard) and message.lower:
            letter = letter.lower()
        flags = {"t": (str(message.t), False)} if message.t else {}
        tile = "" if message.tile is None else message.tile
        return f"{letter}{tile}", flags | {name: (text, False) for name, text in message.extra}
    schema = _SCHEMAS.get(type(message))
    if schema is None:
        raise LocalProtocolError(f"not a message of the protocol: {message!r}")
    return message.TAG, schema.format(message)


def format_message(message: Message) -> str:
    """Format one message as a websocket's frame."""
    if isinstance(message, _TAG_FORM_ONLY):
        return format_tag(message)
    tag, attributes = format_element(message)
    numbers = type(message).__module__ == client.__name__
    content: dict[str, object] = {"tag": tag}
    for name, (text, number) in attributes.items():
        content[name] = int(text) if number and numbers else text
    return json.dumps(content, separators=(",", ":"))


def format_tag(message: Message) -> str:
    """Format one message as a tag, without the terminating NUL."""
    tag, attributes = format_element(message)
    written = f"<{tag}"
    for name, (text, _) in attributes.items():
        # no value may break out of its quotes; the only escape in this form is percent-encoding
        quoted = _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", text)
        written += f' {name}="{quoted}"'
    return f"{written}/>"


def _with_flags(message: server.Draw | server.Discard, attributes: Mapping[str, str]) -> Message:
    text = attributes.get("t", "0")
    try:
        flags = FLAGS.parse(text)
    except ValueError as error:
        raise RemoteProtocolError(f"t={text!r} {error}", text) from None
    return replace(message, t=flags, extra=tuple(item for item in attributes.items() if item[0] != "t"))


def _parse_tags(text: str, sender: Sender) -> tuple[Message, ...]:
    messages = []
    position = 0
    while position < len(text):
        match = _TAG.match(text, position)
        if match is None:
            raise RemoteProtocolError(f"no tag at character {position + 1}: {redact(text[position : position + 40])!r}")
        pairs = _ATTRIBUTE.findall(match[2])
        attributes = dict(pairs)
        if len(set(pairs)) != len(attributes) or "tag" in attributes:
            raise RemoteProtocolError(
                f"<{match[1]}> repeats an attribute with another value, or has an attribute named tag"
            )
        messages.append(parse_element(match[1], attributes, sender))
        position = match.end()
    return tuple(messages)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which no attribute may be repeated with another value."""
    content = dict(pairs)
    if len(content) < len(pairs) and any(content[name] != value for name, value in pairs):
        raise RemoteProtocolError("a JSON message repeats an attribute with another value")
    return content


def _parse_object(text: str, sender: Sender) -> Message:
    try:
        content = json.loads(text, object_pairs_hook=_once, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise RemoteProtocolError(f"not JSON: {error}") from None
    tag = content.pop("tag", None)
    if not isinstance(tag, str) or not _is_name(tag):
        raise RemoteProtocolError("a JSON message whose tag is missing or not a name")
    attributes = {}
    for name, value in content.items():
        if not _is_name(name):
            raise RemoteProtocolError(f"<{tag}> has an attribute whose name is invalid: {redact(name)!r}")
        attributes[name] = _printable(value if isinstance(value, str) else json.dumps(value))
    return parse_element(tag, attributes, sender)


def _printable(text: str) -> str:
    """The text without lone surrogates, which are valid in JSON but cannot be printed, sent or written."""
    return text if text.isascii() else text.encode(errors="replace").decode()
