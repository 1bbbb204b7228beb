"""The live page in a real browser, during real games: it follows, steps back, takes a person's clicks."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from engine.policy.simple.policy import SimplePolicy
from tests.bot.browser import browser, needs_browser
from tests.bot.fed import feed_game
from tests.bot.home.reviews import held_up
from tests.bot.watch.games import config_for, playing, watched
from tests.bot.watch.pages import AT, LAST, assert_quiet

pytestmark = needs_browser

PATIENCE = 300.0
"""Seconds after which a test has failed; the review of a game takes half a minute on a busy machine."""
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=2'>"


@asynccontextmanager
async def shown(folder, pace=0.0, **more):
    """A game that is played and shown in a browser: ``(page, link, season, task)``."""
    config = config_for(folder, **more)
    async with (
        asyncio.timeout(PATIENCE),
        watched(config, pace=pace) as (server, season),
        browser() as page,
        playing(season) as task,
    ):
        await page.open(server.link)
        yield page, server.link, season, task


@pytest.fixture
def go_on(monkeypatch):
    """Until this event is set, the bot does not answer one of its questions, after a discard."""
    event, before, decide = threading.Event(), [], SimplePolicy.decide

    def held_up(policy, state, legal, budget):
        if len(before) > 20 and before[-1] > 4:
            event.wait(PATIENCE)
        before.append(len(legal))
        return decide(policy, state, legal, budget)

    monkeypatch.setattr(SimplePolicy, "decide", held_up)
    yield event
    event.set()


@pytest.mark.slow
async def test_a_real_game_is_followed_paused_and_followed_again(tmp_path, monkeypatch, go_on):
    review = held_up(monkeypatch)
    lobby = {"seats": ["tsumogiri"] * 3, "action": PATIENCE}
    async with shown(tmp_path, lobby=lobby) as (page, link, season, task):
        await page.until(f"/\\/\\d+$/.test(document.querySelector('#where').textContent) && {LAST} > 30")
        assert await page.ask("document.querySelector('#status').textContent") == "live"
        await page.until("document.querySelectorAll('.ranking tbody tr').length > 1")
        await page.until("document.querySelectorAll('.risks tbody tr').length > 1")
        assert await page.ask("document.querySelectorAll('.held .tile').length") >= 4

        await page.press("ArrowLeft")
        await page.until("document.querySelector('#status').textContent === 'paused'")
        here, last = await page.ask(AT), await page.ask(LAST)
        await page.press("ArrowLeft")
        await page.until(f"{AT} === {here - 1}")
        go_on.set()
        await page.until(f"{LAST} > {last + 5}")  # the game has gone on, the page has not
        assert await page.ask(AT) == here - 1
        await page.press("p")
        await page.until(f"{AT} < {here - 1}")
        assert await page.ask("document.querySelectorAll('.detail.earlier').length") == 0
        await page.click("#b-follow")
        await page.until(f"document.querySelector('#status').textContent === 'live' && {AT} === {LAST}")

        await task
        await page.until("document.querySelectorAll('#finished tr').length === 1")
        await page.until("document.querySelectorAll('.ending tbody tr').length === 4")
        await page.until("document.querySelector('#results').textContent.includes('Today')")
        await page.click("#b-more")
        await page.click("#finished button")
        await page.until("document.querySelector('#finished').textContent.includes('being made')")
        review.set()
        await page.until("document.querySelector('#finished a') !== null", PATIENCE)
        assert_quiet(page, link)
        await page.open(await page.ask("document.querySelector('#finished a').href"))
        await page.until("document.querySelector('.acts') !== null")  # keys are heard once the decisions are listed
        await page.press("n")
        await page.until("document.querySelectorAll('.ranking tbody tr').length > 1")
        assert_quiet(page, link)
        assert season.tally.late == season.tally.illegal == 0


class Relay:
    """Passes connections on to the page's server, and can be cut like a network."""

    def __init__(self, port):
        self.target, self.port = port, 0
        self.tasks, self.writers = set(), []

    async def open(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        ours, theirs = await asyncio.open_connection("127.0.0.1", self.target)
        self.writers += (writer, theirs)
        await asyncio.gather(self.copy(reader, theirs), self.copy(ours, writer))

    async def copy(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def cut(self):
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()


@asynccontextmanager
async def relayed(link):
    """A relay to the page's server: ``(relay, the link through it)``."""
    port = urlsplit(link).port
    relay = Relay(port)
    await relay.open()
    try:
        yield relay, link.replace(f":{port}/", f":{relay.port}/")
    finally:
        await relay.cut()


@pytest.mark.slow
async def test_it_connects_again_and_stays_where_it_was(tmp_path):
    async with asyncio.timeout(PATIENCE), watched(config_for(tmp_path)) as (server, _):
        feeds = [server.stage.open(account) for account in ("first", "second")]
        for feed in feeds:
            feed_game(feed)
        status = "document.querySelector('#status').textContent"
        async with relayed(server.link) as (relay, link), browser() as page:
            await page.open(link)
            await page.until("document.querySelectorAll('#games button').length === 2")
            await page.click("#games button:nth-child(1)")
            await page.until("document.querySelector('#games button').ariaPressed === 'true'")
            await page.until(f"{LAST} > 300")
            await page.ask("document.querySelector('#b-follow').focus()")  # a button that was clicked keeps the focus
            await page.press("ArrowUp")
            await page.until(f"{status} === 'paused'")
            begun = await page.ask(AT)
            await page.press("ArrowLeft")
            await page.until(f"{AT} === {begun - 1}")
            here = begun - 1
            assert here > 50

            await relay.cut()
            await page.until(f"{status}.includes('not connected')")
            assert await page.ask(AT) == here
            assert await page.ask("document.querySelector('.board') !== null")
            feeds[0].noted(dict.fromkeys(("en", "ja"), "said meanwhile"))
            await relay.open()
            await page.until(f"{status} === 'paused'")
            assert await page.ask(AT) == here
            assert await page.ask("document.querySelector('#games button').ariaPressed") == "true"
            await page.press("End")
            await page.until(f"{AT} === {LAST} && document.querySelector('.notes')?.textContent === 'said meanwhile'")
            errors = [each for each in page.complaints if "ERR_CONNECTION_REFUSED" not in each]
            assert errors == []


@pytest.mark.parametrize("lang", ["en", "ja"])
async def test_nothing_spills_over_the_side_of_a_phone(tmp_path, lang):
    async with asyncio.timeout(PATIENCE), watched(config_for(tmp_path)) as (server, _):
        feed = server.stage.open("guest")
        feed_game(feed, 20)
        async with browser() as page:
            await page.open(f"{server.link}?lang={lang}", 360, 720)
            await page.until("document.querySelector('.board')")
            assert await page.ask("document.documentElement.lang") == lang
            assert await page.ask("document.documentElement.scrollWidth") <= 360
            assert_quiet(page, server.link)


async def test_a_script_in_a_name_does_not_run(tmp_path):
    names = (HOSTILE, HOSTILE, "\x1b[31mred", "Boris")
    async with asyncio.timeout(PATIENCE), watched(config_for(tmp_path)) as (server, _):
        feed = server.stage.open(HOSTILE)
        feed_game(feed, 5, names)
        feed.noted(dict.fromkeys(("en", "ja"), HOSTILE))
        async with browser() as page:
            await page.open(server.link)
            await page.until("document.querySelector('.board')")
            assert await page.ask("window.hacked") is None
            assert await page.ask("document.images.length") == 0
            assert "<script>" in await page.ask("document.querySelector('#games').textContent")
            assert_quiet(page, server.link)


async def test_several_tables_have_a_button_each(tmp_path):
    async with asyncio.timeout(PATIENCE), watched(config_for(tmp_path)) as (server, _):
        for account, names in (("first", ("Anna", "b", "c", "d")), ("second", ("Boris", "b", "c", "d"))):
            feed_game(server.stage.open(account), 2, names)
        async with browser() as page:
            await page.open(server.link)
            await page.until("document.querySelectorAll('#games button').length === 2")
            own = "[...document.querySelectorAll('.board text.name')].map((one) => one.textContent).join(' ')"
            await page.until(f"{own}.includes('Anna')")
            await page.click("#games button:nth-child(2)")
            await page.until(f"{own}.includes('Boris')")
            assert await page.ask("document.querySelectorAll('#games [aria-pressed=true]').length") == 1
            assert_quiet(page, server.link)
