"""Addresses that people copy from a browser."""

from __future__ import annotations

import pytest

from bot.logs.addresses import LogAddress, is_address, read_address
from protocol.errors import LogError

ID = "2017010100gm-00e9-0000-de8eee52"


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        (f"https://tenhou.net/0/?log={ID}&tw=1", 1),
        (f"http://tenhou.net/3/?log={ID}&tw=0", 0),
        (f"https://tenhou.net/4/?log={ID}", None),
        (f"https://tenhou.net/0/?tw=3&log={ID}&ts=2", 3),
        (f"tenhou.net/0/?log={ID}&tw=2", 2),
        (f"https://tenhou.net/0/log/?{ID}", None),
        (f"https://tenhou.net/0/?log={ID}&tw=12", None),
        (ID, None),
        (f"{ID}&tw=2", 2),
    ],
)
def test_addresses_of_logs(text, seat):
    assert is_address(text)
    assert read_address(text) == LogAddress(ID, seat)


def test_the_advice_names_the_file_and_where_to_put_it():
    advice = LogAddress(ID).advice
    assert f"https://tenhou.net/0/log/?{ID}" in advice
    assert f"{ID}.xml in this folder" in advice


def test_a_link_contains_its_log():
    for begin in ("https://tenhou.net/6/#json=", "http://tenhou.net/5/#json=", "tenhou.net/6#json="):
        assert read_address(f"{begin}%7B%7D&ts=1") == b"https://tenhou.net/6/#json=%7B%7D&ts=1"


@pytest.mark.parametrize(
    "text",
    ["https://example.com/game.xml", f"https://example.com/0/?log={ID}", "file:///etc/passwd", "x://", "tenhou.net/0/"],
)
def test_other_addresses_are_refused(text):
    assert is_address(text)
    with pytest.raises(LogError, match="nothing is downloaded; save the log"):
        read_address(text)


@pytest.mark.parametrize("text", ["game.xml", "C:\\logs\\game.xml", "/a/b://c", "", "-", "{}", f"{ID}.xml"])
def test_names_of_files_are_no_addresses(text):
    assert not is_address(text)
