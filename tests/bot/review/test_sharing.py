"""What a review's page shares and keeps: an address, a picture, the viewer's link, the log, the page itself."""

from __future__ import annotations

import base64
import json
from contextlib import asynccontextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote

import pytest

from bot.review.recording import shared_log
from bot.review.report import render_report
from engine.model import events as ev
from protocol.logs.formats import LogFile, read_log
from tests.bot.browser import browser, needs_browser
from tests.bot.review.games import log_file

SESSION = (
    'Get: <GO type="9" lobby="0"/>',
    'Get: <UN n0="a" n1="b" n2="c" n3="d" dan="0,0,0,0" rate="1,1,1,1" sx="M,M,M,M"/>',
    'Get: <TAIKYOKU oya="0" log="2018010100gm-0009-0000-00000000"/>',
    f'Get: <INIT seed="0,0,0,0,0,60" ten="250,250,250,250" oya="0" hai="{",".join(map(str, range(0, 52, 4)))}"/>',
    "Get: <T100/>",
    'Get: <RYUUKYOKU ba="0,0" type="yao9" sc="250,0,250,0,250,0,250,0"/>',
)
"""What one client saw of a game."""
SPY = """
  const later = setTimeout; window.setTimeout = (act, ms) => (ms === 3000 ? 0 : later(act, ms)); // what was said stays
  window.kept = []; const made = URL.createObjectURL;
  URL.createObjectURL = (blob) => { kept.push(blob); return made(blob); };
  HTMLAnchorElement.prototype.click = function () { window.named = this.download; };
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });
"""
SAID = "document.querySelector('#told').textContent"
KEPT = """new Promise((done) => {
  const found = new FileReader();
  found.onload = () => done(found.result);
  found.readAsDataURL(kept.at(-1));
})"""


COLOURS = """createImageBitmap(kept.at(-1)).then((image) => {
  const on = new OffscreenCanvas(1080, 1200).getContext('2d');
  on.drawImage(image, 0, 0);
  const all = on.getImageData(0, 0, 1080, 1200).data;
  return new Set(Array.from({ length: 5e3 }, (_, at) => all.slice(at * 1036, at * 1036 + 3).join())).size;
})"""
"""How many colours a picture has, at many of its points."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def served(tmp_path):
    """The address of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@asynccontextmanager
async def opened(address, place="d2"):
    async with browser() as page:
        await page.open(f"{address}#{place}")
        await page.until("!document.querySelector('#share').hidden")
        await page.ask(SPY)
        yield page
        assert page.complaints == []


async def chosen(page, entry):
    """Choose an entry of the menu; returns what has been saved, as bytes."""
    await page.ask("document.querySelector('#share').open = true")
    await page.until(f"document.querySelector('[data-share={entry}]')")
    before = await page.ask(f"{SAID} = '', kept.length")
    await page.ask(f"document.querySelector('[data-share={entry}]').dispatchEvent(new MouseEvent('click'))")
    await page.until(f"{SAID} !== ''")
    if entry == "address":
        return b""
    await page.until(f"kept.length > {before}")
    found = await page.call("Runtime.evaluate", expression=KEPT, awaitPromise=True, returnByValue=True)
    return base64.b64decode(found["result"]["value"].partition(",")[2])


def report(folder, fields, game, **more):
    path = folder / "report.html"
    log = shared_log(log_file(game))
    path.write_text(render_report({**fields, **more}, log=log), encoding="utf-8")
    return path, log


def test_the_log_of_one_seat_has_invented_tiles_and_says_so(game):
    whole = shared_log(log_file(game))
    assert read_log(LogFile("a.json", "tenhou6", whole.encode())).events[-1] == game.events[-1]
    session = "\n".join(SESSION).encode()
    assert "invented" in json.loads(shared_log(LogFile("a.log", "wire", session)))["title"][1]
    assert shared_log(LogFile("broken.xml", "mjlog", b"<mjloggm")) == ""


@needs_browser
async def test_an_address_a_picture_and_the_log_can_be_kept(tmp_path, fields, game):
    path, log = report(tmp_path, fields, game)
    async with opened(path.as_uri()) as page:
        await chosen(page, "address")
        assert await page.ask("copied") == f"{path.as_uri()}#d2"
        assert json.loads(await chosen(page, "log")) == json.loads(log)
        picture = await chosen(page, "picture")
        assert picture.startswith(b"\x89PNG")
        assert (await page.ask("named")).endswith("-2.png")
        found = await page.call("Runtime.evaluate", expression=COLOURS, awaitPromise=True, returnByValue=True)
        assert found["result"]["value"] > 20  # felt, tiles, their ink
        assert await page.ask("document.querySelector('[data-share=report]')") is None  # it lies in a file already


@needs_browser
async def test_the_viewer_opens_at_the_hand_of_any_game(tmp_path, fields, game):
    later = next(row["number"] for row in fields["decisions"] if row["hand"] == 1)
    link = "document.querySelector('[data-share=viewer]').href"
    path, _ = report(tmp_path, fields, game)
    async with opened(path.as_uri(), f"d{later}") as page:
        await page.until("document.querySelector('[data-share=viewer]')")
        address, _, text = (await page.ask(link)).partition("#json=")
        assert address == "https://tenhou.net/6/"
        shown = read_log(LogFile("a.json", "tenhou6", unquote(text).encode()))
        deals = [event for event in game.events if isinstance(event, ev.StartKyoku)]
        (deal,) = [event for event in shown.events if isinstance(event, ev.StartKyoku)]
        assert (deal.kyoku, deal.honba, deal.scores) == (deals[1].kyoku, deals[1].honba, deals[1].scores)
    path, _ = report(tmp_path, fields, game, log_id="2022011100gm-00a9-0000-8c9aff0e")
    async with opened(path.as_uri(), f"d{later}") as page:
        assert await page.ask(link) == "https://tenhou.net/0/?log=2022011100gm-00a9-0000-8c9aff0e&tw=2&ts=1"


@pytest.mark.slow
@needs_browser
async def test_a_page_that_is_served_is_saved_as_the_same_page(tmp_path, served, fields, game):
    report(tmp_path, fields, game)
    async with opened(f"{served}/report.html", "overview") as page:
        assert await page.ask("document.querySelector('[data-share=address]')") is None
        saved = tmp_path / "saved.html"
        saved.write_bytes(await chosen(page, "report"))
    async with opened(saved.as_uri(), "d3") as page:
        assert await page.ask("document.querySelector('#where').textContent.includes(' 3/')")
