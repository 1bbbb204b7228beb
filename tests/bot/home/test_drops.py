"""What is dropped on the page: logs in any wrapping are found and kept, and nothing else is believed."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import io
import json
import lzma
import random
import tarfile
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from bot.home import drops
from bot.home.drops import LARGEST, Dropped, read_dropped
from bot.home.library import Library
from bot.review import recording
from bot.review.fields import played_on
from bot.wording.languages import Lang, table
from tests.bot.entering import line
from tests.bot.home.dropped import KINDS, contents, zipped
from tests.bot.home.homes import GAME, at_home, drop, game, until

ID = "2019010112gm-0001-0000-0123abcd"


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "reviews", tmp_path / "records")


def read(library, name, data, dropped=None):
    dropped = dropped or Dropped()
    read_dropped(name, data, library, dropped)
    return dropped


def tarred(**files):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:xz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_log_that_cannot_be_read_costs_no_other_of_its_archive(library, pack):
    bad = b'{"format":"oshihiki-record","version":3}\n{"at":1%s,"connect":1}\n' % (b"0" * 400)
    found = read(library, "games", pack(**{"a.jsonl": bad, "b.xml": game("Anna")})).fields()
    assert [one["names"][0] for one in found["games"]] == ["Anna"]
    (why,) = found["errors"]
    assert "games/a.jsonl: line 2: contains a number that no record has" in why["en"]


def test_whatever_reading_raises_is_said_of_its_file(library, monkeypatch):
    read_recording = recording._recording

    def fail(file):
        if file.name.endswith("a.xml"):
            raise MemoryError
        return read_recording(file)

    monkeypatch.setattr(recording, "_recording", fail)
    found = read(library, "games", zipped(**{"a.xml": game("Anna"), "b.xml": game("Ben")})).fields()
    assert [one["names"][0] for one in found["games"]] == ["Ben"]
    assert "games/a.xml: is damaged in a way that was not foreseen (MemoryError" in found["errors"][0]["en"]


@pytest.mark.parametrize("wrap", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_log_is_found_in_any_wrapping_and_kept(library, wrap):
    found = read(library, "game.xml", wrap(game("Anna", "Ben", "Cleo", "Dan"))).fields()
    (one,) = found["games"]
    assert one["names"] == ["Anna", "Ben", "Cleo", "Dan"]
    assert one["seat"] is None
    assert found["errors"] == found["missing"] == []
    assert library.log(one["key"]).read_bytes() == game("Anna", "Ben", "Cleo", "Dan")


def test_many_logs_of_an_archive_come_once(library):
    files = {"one": game("Anna"), "two": game("Ben"), "read_me": b"hello", "three": game("Anna")}
    dropped = read(library, "all.tar.xz", tarred(**files))
    assert sorted(one["names"][0] for one in dropped.games.values()) == ["Anna", "Ben"]
    again = read(library, "again.xml", game("Anna"), dropped)
    assert len(again.games) == 2
    assert "no further log" in again.errors[0]["en"]


@pytest.mark.parametrize("text", [f"https://tenhou.net/0/?log={ID}&tw=2", ID, f"  https://tenhou.net/3/?log={ID}\n"])
def test_an_address_of_a_log_that_is_not_here_waits_for_a_click(library, text):
    dropped = read(library, "text", text.encode())
    assert list(dropped.missing) == [ID]
    assert not dropped.games
    assert not dropped.errors


@pytest.mark.parametrize(("text", "seat"), [(ID, None), (f"https://tenhou.net/0/?log={ID}&tw=2", 2)])
def test_an_address_of_a_log_that_was_kept_finds_it(library, text, seat):
    (kept,) = read(library, f"{ID}.xml", game("Anna")).games
    dropped = read(library, "text", text.encode())
    assert {key: one["seat"] for key, one in dropped.games.items()} == {kept: seat}
    assert not dropped.missing


def test_a_list_of_addresses_and_an_address_that_holds_the_log(library):
    other = ID.replace("0123abcd", "0123abce")
    dropped = read(library, "text", f"# mine\n1. https://tenhou.net/0/?log={ID}&tw=3\n{other}\n".encode())
    assert dropped.missing == {ID: 3, other: None}
    assert "nothing is downloaded" in read(library, "text", b"https://elsewhere.example/game").errors[0]["en"]


def test_an_archive_that_takes_too_long_is_left(library, monkeypatch):
    monkeypatch.setattr(drops, "SECONDS", -1.0)
    for name, data in (("many", zipped(a=b"x", b=b"y")), ("game", zipped(game=GAME))):
        assert "not everything was read" in read(library, name, data).errors[0]["en"]


def test_names_are_text_and_no_paths(library):
    for name in (
        "../../etc/passwd",
        "/abs.xml",
        "a" * 5000,
        "<img src=x onerror=alert(1)>.xml",
        "\x1b[31m\0.xml",
        "..",
    ):
        dropped = read(library, name, game("<b>Anna</b>"))
        (one,) = dropped.games.values()
        path = library.log(one["key"])
        assert path.parent == library.folder / "logs"
        assert len(path.name) < 90
        assert "\x1b" not in one["title"]
        assert len(one["title"]) <= 61


def test_no_day_is_read_from_the_name_that_a_log_gets(library):
    for name in ("2026-01.xml", "2026.xml", "2026-1.xml", "201901.xml"):
        for player in ("Anna", "Ben", "Cleo"):
            dropped = read(library, name, game(player))
            assert played_on("", library.log(next(iter(dropped.games))).name) == ""


async def test_a_drop_in_pieces_is_read_and_the_page_is_told(tmp_path):
    async with at_home(tmp_path) as (home, link):
        assert await drop(link, ("one.xml", game("Anna")), ("nothing.txt", b""), ("two.xml", game("Ben"))) == 1000
        told = home.history.run["dropped"]
        assert [one["names"][0] for one in told["games"]] == ["Anna", "Ben"]
        assert [one["en"] for one in told["errors"]] == ["nothing.txt: the file is empty"]
        assert home.history.run["reading"] == ""


async def test_a_large_drop_arrives_as_fast_as_it_is_sent(tmp_path):
    noise = random.Random(1).randbytes(20 << 20)
    async with at_home(tmp_path) as (home, link):
        assert (
            await drop(link, ("all.zip", zipped(**{"one.xml": game("Anna"), "noise.bin": noise})), ("b", noise)) == 1000
        )
        told = home.history.run["dropped"]
        assert [one["names"][0] for one in told["games"]] == ["Anna"]
        assert [error["en"][:11] for error in told["errors"]] == ["b: is not a"]


HOSTILE = {
    "bytes without a name": [b"x" * 100],
    "more bytes than were announced": ['{"name": "a", "size": 3}', b"xxxx"],
    "a size below nothing": ['{"name": "a", "size": -1}'],
    "100 MB announced": [json.dumps({"name": "a", "size": 100 << 20})],
    "a size of 2^70": [json.dumps({"name": "a", "size": 1 << 70})],
    "a size that is text": ['{"name": "a", "size": "3"}'],
    "a name that is a list": ['{"name": ["a"], "size": 3}'],
    "two names at once": ['{"name": "a", "size": 3}', '{"name": "b", "size": 3}'],
    "an end in the middle": ['{"name": "a", "size": 3}', '{"end": true}'],
    "a piece that is too long": ['{"name": "a", "size": 1000000}', b"x" * 100_000],
    "a list": ["[1]"],
}


async def test_a_sender_that_breaks_the_rules_is_sent_away_and_the_next_is_served(tmp_path):
    async with at_home(tmp_path) as (home, link):
        for said in HOSTILE.values():
            async with line(link, "drop/") as socket:
                for each in said:
                    await socket.send(each)
                async with asyncio.timeout(100):
                    await socket.wait_closed()
        assert not (await until(home, lambda run: "dropped" in run))["dropped"]["games"]
        assert await drop(link, ("one.xml", game("Anna"))) == 1000
        assert len(home.history.run["dropped"]["games"]) == 1


async def test_a_hundred_megabytes_are_not_taken(tmp_path):
    async with at_home(tmp_path) as (home, link):
        async with line(link, "drop/") as socket:
            with suppress(ConnectionClosed):
                for number in range(4):
                    await socket.send(json.dumps({"name": f"{number}", "size": 25 << 20}))
                    for _ in range(400):
                        await socket.send(bytes(1 << 16))
            await socket.wait_closed()
        assert not (await until(home, lambda run: "dropped" in run))["dropped"]["games"]
        assert LARGEST == 64 << 20


async def test_no_more_than_two_send_at_once(tmp_path):
    async with at_home(tmp_path) as (_, link), line(link, "drop/") as one, line(link, "drop/") as two:
        for each in (one, two):
            await each.send('{"name": "a", "size": 5}')
        await asyncio.sleep(0.2)
        with pytest.raises(Exception, match="503"):
            async with line(link, "drop/"):
                pass


@pytest.mark.parametrize("name", KINDS)
def test_a_fault_of_a_file_is_said_by_its_kind(library, name):
    data, kind = contents(name), KINDS[name][1]
    dropped = read(library, name, data)
    (error,) = dropped.errors
    assert not dropped.games
    assert not list(library.folder.glob("*/*"))
    assert error["ja"].endswith(table("bot.wording", "troubles", Lang.JA)[kind])
    assert name in error["ja"] or kind == "address"
