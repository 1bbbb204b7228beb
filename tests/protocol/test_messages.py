from __future__ import annotations

import dataclasses
import json

import pytest

from protocol.errors import RemoteProtocolError
from protocol.tenhou import client, server
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.redaction import HIDDEN, redact
from protocol.tenhou.schema import Attribute, Message, Sender, Unknown

KEY = "IDDEADBEAF-xxxxxxxx"
CLASSES = [schema.cls for table in (server.ATTRIBUTES, client.ATTRIBUTES) for schema in table.values()]


@pytest.mark.parametrize("cls", CLASSES)
def test_a_message_is_a_frozen_value_of_declared_fields(cls):
    assert issubclass(cls, Message)
    assert cls.__dataclass_params__.frozen
    assert "__dict__" not in dir(cls)
    assert cls.__doc__
    for field in dataclasses.fields(cls):
        assert field.name == "extra" or isinstance(field.metadata["attribute"], Attribute)


def test_tags_are_declared_once():
    for module in (server, client):
        tags = [row.cls.TAG for row in module.ATTRIBUTES.values()]
        assert tags == list(module.ATTRIBUTES)
        assert len(set(tags)) == len(tags)


def test_draws_and_discards_are_all_there():
    assert len(server.TILE_TAGS) == 4 + 4 * 136 + 4 * 136 + 3 * 136
    assert len(set(server.TILE_TAGS.values())) == len(server.TILE_TAGS)
    assert "d5" not in server.TILE_TAGS


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        "x%49%44DEADBEAF%2Dxxxxxxxx y",
        "IDDEADBEAF%2dxxxxxxxx",
        "%49%44%44EADBEAF-%78xxxxxxx",
        r'{"name":"\u0049DDEADBEAF-xxxxxxxx"}',
        r'{"frame":"{\"name\":\"\\u0049DDEADBEAF\\u002dxxxxxxxx\"}"}',
        '<HELO name="&#73;DDEADBEAF&#x2D;xxxxxxxx"/>',
        '<HELO name="%26%2373%3BDDEADBEAF-xxxxxxxx"/>',
        "%2549DDEADBEAF-xxxxxxxx",
        "&amp;#73;DDEADBEAF-xxxxxxxx",
    ],
)
def test_account_keys_are_redacted(text):
    assert HIDDEN in redact(text)
    assert "EADB" not in redact(text)


def test_a_coded_key_takes_nothing_else_of_its_line_with_it():
    line = r'{"at":1,"frame":"{\"name\":\"\\u0049DDEADBEAF-xxxxxxxx\",\"tag\":\"HELO\"}","x":"%20"}'
    assert json.loads(json.loads(redact(line))["frame"]) == {"name": HIDDEN, "tag": "HELO"}
    assert redact(line).endswith(r'\"tag\":\"HELO\"}","x":"%20"}')


def test_other_text_is_left_alone():
    for text in ("P1", "ID", "20180203-7c8f64bc", "714C07EB-F559C911", "IDEAL-something"):
        assert redact(text) == text


def test_an_account_key_is_in_no_text_of_a_message():
    (login,) = parse_frame(f'<HELO name="{KEY}" tid="f0" nome="{KEY}"/>', Sender.CLIENT)
    assert login.name == KEY
    assert KEY not in repr(login)
    assert KEY not in str(login)
    assert KEY not in repr(Unknown("HELLO", extra=(("name", KEY),)))
    assert KEY not in repr(Unknown(KEY))


@pytest.mark.parametrize(
    "frame",
    [
        f'<HELO name="{KEY}"',
        f'{{"tag":"HELO","name":"{KEY}"',
        f'<HELO nome="{KEY}"/>',
        f'<D p="{KEY}"/>',
        f'<HELO name="{KEY}" name="{KEY}0"/>',
        f'{{"tag":"HELO","{KEY} ":1}}',
        f'{{"tag":"{KEY} "}}',
        KEY + "x" * 100_000,
    ],
)
def test_an_account_key_is_in_no_error(frame):
    with pytest.raises(RemoteProtocolError) as caught:
        parse_frame(frame, Sender.CLIENT)
    assert KEY not in str(caught.value)
    assert KEY not in caught.value.raw
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__
