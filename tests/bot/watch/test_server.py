"""The server of the live page: who gets in, and that nobody waits for a browser."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Request

from bot.machine.errors import InputError
from bot.machine.text import SECRETS
from bot.page.history import KEPT, History
from bot.page.loopback import listen
from bot.page.server import PageServer, Place
from bot.watch.place import Watching, page_of
from bot.watch.reviews import Made, Reviews
from bot.watch.stage import Stage
from tests.bot.entering import address_of, asked, cookie_of, fetch, line, origin
from tests.bot.fed import feed_game


@pytest.fixture
async def server():
    async with asyncio.timeout(300), page_of(list) as server:
        yield server


async def test_the_link_gives_the_page_and_nothing_else_does(server):
    status, page, headers = await fetch(server.link)
    assert status == 200
    assert "<title>" in page
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    address = address_of(server.link)
    for path in ("/", "/live", "/x/", "/%2e%2e/", f"/{urlsplit(address).path[1:-2]}x/"):
        status, text, _ = await asyncio.to_thread(
            asked, origin(server.link) + path, Cookie=await cookie_of(server.link)
        )
        assert status == 404
        assert "<title>" not in text


async def test_it_listens_on_the_loopback_only_and_for_names_of_this_machine_only(server):
    assert urlsplit(server.link).hostname == "127.0.0.1"
    status, _, _ = await fetch(server.link, Host="evil.example")
    assert status == 403
    status, _, headers = await fetch(server.link, Host="localhost:1")  # whose other loopback may be another program's
    assert status == 307
    assert headers["Location"].startswith("http://127.0.0.1:1/")
    assert "Set-Cookie" not in headers


async def test_pages_of_elsewhere_cannot_connect(server):
    for wrong in ("http://evil.example", "null", None, "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus) as refused:
            async with line(server.link, origin=wrong):
                pass
        assert refused.value.response.status_code == 403


async def test_a_wrong_secret_opens_nothing(server):
    with pytest.raises(InvalidStatus):
        async with line(server.link, additional_headers={"Cookie": "oshihiki=wrong"}):
            pass


async def test_no_more_than_so_many(server):
    async with AsyncExitStack() as stack:
        for _ in range(Place.most):
            await stack.enter_async_context(line(server.link))
        with pytest.raises(InvalidStatus) as refused:
            async with line(server.link):
                pass
    assert refused.value.response.status_code == 503


async def test_nonsense_is_ignored(server):
    feed = server.stage.open("guest")
    async with line(server.link) as socket:
        await socket.recv()
        for said in ("", "{", "[]", "1", '{"game": 99, "do": "review"}', "[" * 2000):
            await socket.send(said)
        feed.noted(dict.fromkeys(("en", "ja"), "still here"))
        while "still here" not in await socket.recv():
            pass


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = {
    "game": JSON | st.just(1),
    "do": JSON | st.sampled_from(["answer", "review"]),
    "number": JSON | st.just(1),
    "choice": JSON | st.just(0),
}


@pytest.mark.slow
@given(st.fixed_dictionaries({}, optional=FIELDS) | JSON)
@settings(max_examples=300)
def test_a_message_of_any_types_is_answered_or_ignored_and_the_next_review_is_made(said):
    asyncio.run(hear_and_review(json.dumps(said)))


async def hear_and_review(message):
    asked = []

    class Reviewer:
        folder = Path()

        async def make(self, log, _seat, _on_progress):
            asked.append(log)
            return Made("game")

        def rows(self, _name):
            return []

    stage = Stage(list)
    shown = stage.open("guest", Path("record.jsonl")).shown
    shown.over = True
    place = Watching(stage, Reviewer())
    for each in (message, '{"game": 1, "do": "review"}'):
        place.hear(json.loads(each))
        await asyncio.gather(*place.tasks)
    assert shown.review == "ready"
    assert asked == [Path("record.jsonl")]


async def test_a_request_that_names_no_host_is_refused_in_silence(server, caplog):
    parts = urlsplit(server.link)
    for hosts in (["[::1"], ["[zz]:1"], ["localhost", "localhost"], [], ["127.0.0.1", "evil.example"]):
        headers = "".join(f"Host: {host}\r\n" for host in hosts)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(f"GET {parts.path} HTTP/1.1\r\n{headers}\r\n".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
        writer.close()
    assert caplog.text == ""


TEXT = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=12)
LINES = st.lists(st.tuples(st.sampled_from(["Host", "Origin", "Upgrade", "Connection"]), TEXT), max_size=4)


@given(LINES, TEXT)
@settings(max_examples=300)
def test_no_request_is_an_error_of_the_server(lines, path):
    headers = Headers([("Host", "localhost"), *lines] if len(lines) % 2 else lines)
    with listen(0) as listening:
        reviews = Reviews(Path())
        server = PageServer({"": Watching(Stage(list), reviews)}, listening)
        link, address = urlsplit(server.link).path + path, urlsplit(server.address).path + path
        for each in (f"/{path}", link, address, f"{address}live"):
            answer = asyncio.run(server.answer(None, Request(each, headers)))
            assert answer is None or answer.status_code < 500


@pytest.mark.slow
async def test_a_browser_that_does_not_read_holds_nobody_up(server):
    feed = server.stage.open("guest")
    async with line(server.link, max_queue=1):
        for number in range(5_000):
            feed.noted(dict.fromkeys(("en", "ja"), f"{number} " + "x" * 190))  # returns although nothing of it is read
            if number % 500 == 0:
                await asyncio.sleep(0.01)
        assert len(server.stage.history.games[feed.shown.key]) == 5_000


async def test_secrets_are_not_shown(server):
    SECRETS.add(("ID12345678-9abcdefg",))
    try:
        names = ("ID12345678-9abcdefg", "b", "c", "d")
        feed = server.stage.open("guest")
        feed_game(feed, 3, names)
        feed.noted(dict.fromkeys(("en", "ja"), "key ID12345678-9abcdefg"))
        shown = "".join(server.stage.history.games[feed.shown.key])
    finally:
        SECRETS.clear()
    assert "9abcdefg" not in shown
    assert "12345678" not in shown


async def test_a_port_in_use_is_an_error_for_people(server):
    port = urlsplit(server.link).port
    with pytest.raises(InputError, match=f"--port {port}: cannot be used"):
        async with page_of(list, port):
            pass


async def test_each_reader_gets_everything_once_and_the_newest_game_first():
    history = History()
    early = history.reader()
    for _ in range(KEPT + 1):
        key = history.open()
        for number in range(3):
            history.add(key, {"moment": number})
    late = history.reader()
    for reader in (early, late):
        found = []
        while (batch := reader.read(4)) != "[]":
            found += json.loads(batch)
        assert found.pop(0) == {"run": {}}
        assert found.pop() == {"whole": True}
        keys = [message["game"] for message in found]
        assert keys == sorted(keys, reverse=True)
        assert set(keys) == set(range(2, KEPT + 2))
        assert [message["moment"] for message in found] == [0, 1, 2] * KEPT
        assert not reader.news.is_set()
    history.add(key, {"moment": 3})
    assert early.news.is_set()
    assert json.loads(early.read(4)) == [{"game": key, "moment": 3}]
