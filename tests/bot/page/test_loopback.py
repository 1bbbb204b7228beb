"""The door to the pages: who is let in, who is known again, and what a cookie or a key is worth to somebody else."""

from __future__ import annotations

import asyncio
import hmac
import json
import socket
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from bot.home.place import Home
from bot.page import loopback
from bot.page.loopback import KEY, kept_key, listen
from bot.page.server import PageServer, Place
from tests.bot.browser import browser, needs_browser
from tests.bot.entering import address_of, asked, cookie_of, fetch, inside_of, line, origin
from tests.bot.home.homes import config_for

OWN = bytes(range(32))
PAGE = "<!doctype html><html lang='en'><link rel='icon' href='data:,'><title>page</title><h1>The page</h1>"


class Plain(Place):
    """A place with one page, which echoes."""

    def page(self, asked):
        return PAGE if asked.path in {"", "there"} else None

    async def talk(self, browser):
        async for said in browser.hear():
            await browser.send_json({"said": said})


@asynccontextmanager
async def open_door(port=0, key=OWN):
    async with asyncio.timeout(300), PageServer({"": Plain()}, listen(port), key).serve() as server:
        yield server


async def ask(url, **headers):
    return await asyncio.to_thread(asked, url, **headers)


# -- addresses --------------------------------------------------------------------------------------------------------


async def test_the_address_keeps_from_run_to_run_and_holds_no_secret():
    async with open_door() as server:
        port, first, link = urlsplit(server.address).port, server.address, server.link
    async with open_door(port) as server:
        assert server.address == first
        assert server.link != link
    async with open_door() as server:  # at another port it is another one
        assert urlsplit(server.address).path != urlsplit(first).path


def test_the_usual_port_is_taken_or_the_next_one_that_is_free(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(loopback, "PORT", port)
        with listen(None) as found:
            assert port < found.getsockname()[1] < port + loopback.PORTS


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path):
    key = kept_key(tmp_path / "data")
    assert len(key) == 32
    assert kept_key(tmp_path / "data") == key
    assert (tmp_path / "data" / KEY).stat().st_mode & 0o077 == 0
    (tmp_path / "data" / KEY).write_bytes(b"short")
    assert len(new := kept_key(tmp_path / "data")) == 32
    assert kept_key(tmp_path / "data") == new != key
    assert (tmp_path / "data" / KEY).stat().st_mode & 0o077 == 0
    (tmp_path / "file").touch()
    assert kept_key(tmp_path / "file") is None


# -- cookies ----------------------------------------------------------------------------------------------------------


async def test_a_browser_gets_a_cookie_of_its_own_that_no_script_and_no_other_site_can_use():
    async with open_door() as server:
        secret = urlsplit(server.link).path.split("/")[3]
        tokens = set()
        for _ in range(2):
            status, page, headers = await ask(server.link)
            assert status == 200
            (cookie,) = SimpleCookie(headers["Set-Cookie"]).values()
            assert cookie["httponly"]
            assert cookie["samesite"] == "Strict"
            assert cookie["path"].startswith(urlsplit(server.address).path)
            assert len(cookie["path"]) > len(urlsplit(server.address).path) + 8
            assert not cookie["expires"] + cookie["max-age"]
            assert secret not in cookie.value
            assert cookie.value not in page
            tokens.add(cookie.value)
        assert len(tokens) == 2
        assert "Set-Cookie" not in (await fetch(server.link))[2]


async def test_without_the_cookie_no_page_is_shown_and_no_line_opens():
    async with open_door() as server:
        for wrong in ({}, {"Cookie": "oshihiki=wrong"}, {"Cookie": "oshihiki="}, {"Cookie": "oshihiki"},
                      {"Cookie": (await cookie_of(server.link)).replace("oshihiki=", "other=")}):  # fmt: skip
            status, text, headers = await ask(await inside_of(server.link), **wrong)
            assert status == 403
            assert "The page" not in text
            assert "Set-Cookie" not in headers
            with pytest.raises(InvalidStatus) as refused:
                async with line(server.link, additional_headers=wrong):
                    pass
            assert refused.value.response.status_code == 403
        given = f'oshihiki="; oshihiki=of another program; a=b; {await cookie_of(server.link)}'
        assert (await ask(await inside_of(server.link), Cookie=given))[0] == 200


async def test_a_cookie_is_worth_nothing_at_another_port_or_in_another_run():
    async with open_door() as first, open_door() as second:
        port, cookie = urlsplit(first.address).port, await cookie_of(first.link)
        assert (await ask(await inside_of(first.link), Cookie=cookie))[0] == 200
        assert (await ask(await inside_of(second.link), Cookie=cookie))[0] == 403
    async with open_door(port) as again:
        assert (await ask(await inside_of(again.link), Cookie=cookie))[0] == 403


async def test_a_cookie_alone_opens_no_line_for_a_page_of_another_port():
    async with open_door() as server:
        for wrong in ("http://127.0.0.1:1", "http://localhost", "null", None):
            with pytest.raises(InvalidStatus) as refused:
                async with line(server.link, origin=wrong):
                    pass
            assert refused.value.response.status_code == 403


async def test_a_wrong_secret_lets_nobody_in():
    async with open_door() as server:
        head, _, tail = server.link.partition("/enter/")
        for wrong in ("", "x" * len(tail), tail[:-2] + "/", tail.upper(), "%00", "\xe9".encode().decode("latin-1")):
            status, _, headers = await ask(f"{head}/enter/{wrong.encode('ascii', 'ignore').decode()}/")
            assert status == 403
            assert "Set-Cookie" not in headers


async def test_the_link_leads_to_the_page_that_it_names():
    async with open_door() as server:
        to = json.loads((await ask(f"{server.link}there?lang=ja"))[1].partition('id="data">')[2].partition("<")[0])[
            "to"
        ]
        assert to == urlsplit(await inside_of(server.link)).path + "there?lang=ja"
        for elsewhere in ("/evil.example/", "//evil.example", "%2f%2fevil.example", "\\evil.example"):
            page = (await ask(server.link + elsewhere))[1]
            to = json.loads(page.partition('id="data">')[2].partition("<")[0])["to"]
            assert to.startswith(urlsplit(server.address).path)


# -- a browser that is known ------------------------------------------------------------------------------------------


def signed(key, text):
    return hmac.new(bytes.fromhex(key), text.encode(), sha256).hexdigest()


async def known(server, name, key, theirs="n" * 20):
    """Come in again by a key: the answer to our proof, after the program has given its own."""
    status, text, _ = await ask(f"{server.address}known/{name}/{theirs}")
    assert status == 200
    said = json.loads(text)
    proved = said["proof"] == signed(key, f"program {theirs} {said['nonce']}")
    own = signed(key, f"browser {theirs} {said['nonce']}")
    return proved, f"{server.address}known/{name}/{theirs}/{said['nonce']}/{own}"


async def given(server):
    page = (await ask(server.link))[1]
    found = json.loads(page.partition('id="data">')[2].partition("<")[0])
    return found["name"], found["key"]


async def test_after_a_restart_both_sides_prove_themselves_and_the_browser_is_in():
    async with open_door() as server:
        port, (name, key) = urlsplit(server.address).port, await given(server)
    async with open_door(port) as server:
        proved, url = await known(server, name, key)
        assert proved
        status, _, headers = await ask(url)
        assert status == 200
        (cookie,) = SimpleCookie(headers["Set-Cookie"]).values()
        inside = f"{origin(server.link)}{cookie['path']}"
        assert (await ask(inside, Cookie=f"oshihiki={cookie.value}"))[0] == 200
        status, _, headers = await ask(url)  # what somebody has overheard is worth nothing
        assert status == 403
        assert "Set-Cookie" not in headers


async def test_a_program_without_the_key_cannot_prove_itself():
    async with open_door() as server:
        port, (name, key) = urlsplit(server.address).port, await given(server)
    async with open_door(port, bytes(32)) as other:
        other._door._path, other.address = urlsplit(server.address).path.strip("/"), server.address  # as bookmarked
        assert not (await known(other, name, key))[0]
    async with open_door() as elsewhere:  # the key of one port is none at another
        assert not (await known(elsewhere, name, key))[0]


@pytest.mark.parametrize("wrong", ["key", "name", "nonce", "reflected", "other browser"])
async def test_a_browser_without_the_key_is_not_let_in(wrong):
    async with open_door() as server:
        name, key = await given(server)
        if wrong == "key":
            _, url = await known(server, name, "00" * 32)
        elif wrong == "name":
            _, url = await known(server, "x" * 22, key)
        elif wrong == "nonce":
            _, url = await known(server, name, key)
            url = url.replace("n" * 20, "m" * 20)
        elif wrong == "reflected":  # the program's own proof
            said = json.loads((await ask(f"{server.address}known/{name}/{'n' * 20}"))[1])
            url = f"{server.address}known/{name}/{'n' * 20}/{said['nonce']}/{said['proof']}"
        else:
            _, url = await known(server, name, key)
            url = url.replace(name, (await given(server))[0])
        status, _, headers = await ask(url)
        assert status == 403
        assert "Set-Cookie" not in headers


async def test_names_that_are_none_and_many_questions_cost_nothing():
    async with open_door() as server:
        for path in ("known/x/y", "known//", f"known/{'x' * 5000}/{'y' * 20}", f"known/{'x' * 20}/..%2f{'y' * 20}"):
            assert (await ask(server.address + path))[0] in {403, 404, 414}
        for _ in range(loopback._MOST + 5):
            server._door._prove("x" * 20, "y" * 20)
            server._door._let_in("", "")
        assert len(server._door._asked) == len(server._door._tokens) == loopback._MOST


# -- in a browser -----------------------------------------------------------------------------------------------------


@needs_browser
async def test_a_bookmark_opens_after_a_reload_and_after_a_restart():
    async with browser() as page:
        async with open_door() as server:
            port, bookmark = urlsplit(server.address).port, f"{server.address}there?lang=ja#d12"
            await page.open(f"{server.link}there?lang=ja#d12")
            await page.until("document.querySelector('h1')?.textContent === 'The page'")
            inside = await page.ask("location.href")
            assert inside.startswith(server.address)
            assert inside.endswith("/there?lang=ja#d12")
            assert await page.ask("document.cookie") == ""
            for _ in range(2):
                await page.open(f"{origin(server.link)}/", 1280)
                await page.open(bookmark)
                await page.until("document.querySelector('h1')?.textContent === 'The page'")
                assert await page.ask("location.href") == inside
        async with open_door(port) as server:
            for address in (bookmark, inside):  # without the run, and with the one before
                page.complaints.clear()
                await page.open(f"{origin(server.link)}/", 1280)
                await page.open(address)
                await page.until("document.querySelector('h1')?.textContent === 'The page'")
                now = await page.ask("location.href")
                assert now.startswith(server.address)
                assert now.endswith("/there?lang=ja#d12")
                assert now != inside
    assert server.address == address_of(server.link)


@needs_browser
async def test_another_program_that_knows_the_address_gets_no_cookie():
    heard = []

    async def impostor(reading, writing):
        heard.append((await reading.readuntil(b"\r\n\r\n")).decode())
        path = urlsplit(server.address).path
        body = f"<link rel=icon href='data:,'><img src='{path}x'><img src='{path}'>"
        writing.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n{body}".encode())
        writing.close()

    async with open_door() as server, await asyncio.start_server(impostor, "127.0.0.1", 0) as other, browser() as page:
        await page.open(server.link)
        await page.until("document.querySelector('h1')?.textContent === 'The page'")
        await page.open(f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}/")
        while len(heard) < 3:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.05)
    assert not any("oshihiki=" in each for each in heard)


@needs_browser
async def test_a_browser_that_is_not_known_is_told_what_to_do_in_both_languages():
    async with open_door() as server, browser() as page:
        await page.open(server.address)
        await page.until("!document.querySelector('#closed').hidden")
        said = await page.ask("document.querySelector('#closed').innerText")
        assert "Open the link" in said
        assert "リンク" in said


class Relay:
    """Passes connections on to a port, until it is cut."""

    def __init__(self, target):
        self.target, self.writers = target, []

    @asynccontextmanager
    async def open(self, port=0):
        async with await asyncio.start_server(self.serve, "127.0.0.1", port) as server:
            yield server.sockets[0].getsockname()[1]
            for writer in self.writers:
                writer.transport.abort()

    async def serve(self, reader, writer):
        ours, theirs = await asyncio.open_connection("127.0.0.1", self.target)
        self.writers += (writer, theirs)
        await asyncio.gather(self.copy(reader, theirs), self.copy(ours, writer))

    async def copy(self, reader, writer):
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()


@pytest.mark.slow
@needs_browser
async def test_a_page_that_was_left_open_says_nothing_to_another_program_and_goes_on_with_its_own(tmp_path):
    heard = []

    async def impostor(reading, writing):
        heard.append((await reading.readuntil(b"\r\n\r\n")).decode())
        writing.write(b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"nonce": "n", "proof": "00"}')
        writing.close()

    with listen(0) as listening:
        home = Home(config_for(tmp_path), tmp_path)
        async with asyncio.timeout(300), home.serve(listening, OWN) as server, browser() as page:
            port = urlsplit(server.address).port
            relay = Relay(port)
            async with relay.open() as outside:
                await page.open(f"{server.link.replace(f':{port}/', f':{outside}/')}?lang=en")
                await page.until("document.querySelector('#cards .card')")
            server._door._tokens.clear()  # as after a restart
            async with await asyncio.start_server(impostor, "127.0.0.1", outside):
                await page.until("!document.querySelector('#trouble').hidden")
                while len(heard) < 2:  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.05)
            assert all("/known/" in each.partition("\r\n")[0] for each in heard)
            assert not any("upgrade: websocket" in each.lower() for each in heard)
            async with relay.open(outside):
                await page.until("document.querySelector('#trouble').hidden")
                assert len(server._door._tokens) == 1
