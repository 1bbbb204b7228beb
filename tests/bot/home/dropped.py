"""Files that are dropped onto the page and cannot be read."""

from __future__ import annotations

import gzip
import io
import zipfile

from tests.bot.home.homes import GAME


def zipped(**files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def bomb(size):
    return gzip.compress(bytes(size), 9)


MEMBER = b"PK\x01\x02\x14\x03\x14\x00"
"""How a zip lists a member, up to the bits that say whether it is encrypted."""
KINDS = {
    "nothing.xml": (b"", "empty"),
    "words.txt": (b"good morning", "no_log"),
    "page.html": (b"<!doctype html><p>Welcome", "no_log"),
    "other.xml": (b"<?xml version='1.0'?><svg/>", "no_log"),
    "cut.xml": (GAME[:120], "damaged"),
    "only.xml": (b'<mjloggm ver="2.3"></mjloggm>', "no_game"),
    "three.xml": (GAME.replace(b'GO type="1"', b'GO type="17"'), "three_players"),
    "cut.zip": (zipped(one=GAME)[:-30], "archive"),
    "cut.gz": (gzip.compress(GAME)[:200], "archive"),
    "deep.zip": (zipped(inner=zipped(inner=zipped(inner=zipped(inner=GAME)))), "nested"),
    "locked.zip": (zipped(one=GAME).replace(MEMBER + b"\x00", MEMBER + b"\x01"), "encrypted"),
    "bomb.xml": (lambda: bomb(200 << 20), "too_large"),
    "long.xml": (b'<mjloggm ver="2.3">' + b" " * (3 << 20) + b"</mjloggm>", "too_large"),
    "empty.zip": (zipped(), "nothing_found"),
    "text": (b"https://elsewhere.example/game", "address"),
    "later.jsonl": (b'{"format": "oshihiki-record", "version": 99}\n', "newer"),
    "begun.jsonl": (b'{"format": "oshihiki-record", "version": 1}\n', "no_game"),
    "wire.txt": (b'Get: <HELO uname="%41"/>\n', "no_game"),
    "zeros": (bytes(5000), "no_log"),
    "deep.json": (b"[" * 200_000, "no_log"),
    "deep.xml": (b"<mjloggm>" + b"<a>" * 100_000, "too_large"),
    "/etc/passwd": (b"/etc/passwd", "no_log"),
}  # fmt: skip
"""By its name, something that cannot be read or that makes it, and the kind of what is wrong with it."""


def contents(name):
    """The bytes of one of the files that cannot be read."""
    data = KINDS[name][0]
    return data() if callable(data) else data
