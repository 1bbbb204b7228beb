"""Logs in a real browser: stepping, playing, seats, open hands, the list of a folder, the review beside the table."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from bot.commands.watch import Watched
from bot.watch.place import page_of
from protocol.logs.formats import FORMATS
from tests.bot.browser import browser, needs_browser
from tests.bot.geometry import PHONES, meeting, missed, outside, shown
from tests.bot.watch.logs import LOG, game
from tests.bot.watch.pages import AT, LAST, assert_quiet

pytestmark = needs_browser

PATIENCE = 300.0
REPORT = "#detail .hint a[href*=review]:not([href*=undefined])"
WHERE = "document.querySelector('#where').textContent"
BACKS = "document.querySelectorAll('.board use[href=\"#t-standing\"]').length"


@asynccontextmanager
async def watching(place, seat=None, size=(1280, 800)):
    """A place that is watched in a browser: ``(page, link)``."""
    watched = Watched(str(place), seat)
    async with asyncio.timeout(PATIENCE), page_of(list) as server, browser() as page:
        showing = asyncio.create_task(watched.show(server.stage))
        await page.open(server.link, *size)
        await page.until(f"document.querySelector('.said li') && {WHERE}.includes('/651')")
        yield page, server.link
        showing.cancel()


@pytest.mark.slow
async def test_a_log_is_stepped_through_from_any_seat_with_open_hands():
    async with watching(LOG, 1) as (page, link):
        assert await page.ask(AT) == 2
        assert await page.ask(LAST) == 651
        await page.press("n")
        await page.until("document.querySelector('#detail .say')?.textContent.startsWith('Played')")
        first = await page.ask(AT)
        await page.press("n")
        await page.until(f"{AT} > {first}")
        assert await page.ask(BACKS) == 39
        await page.press("o")
        await page.until(f"{BACKS} === 0")
        tiles = "[...document.querySelectorAll('#mine .tile')].map((one) => one.ariaLabel).join()"
        mine, here = await page.ask(tiles), await page.ask(AT)
        await page.click("#views button:nth-child(4)")
        await page.until(f"{tiles} !== {mine!r} && {AT} === {here}")
        await page.click("#views button:nth-child(2)")
        await page.until(f"{tiles} === {mine!r} && {AT} === {here}")

        await page.press("ArrowDown")
        await page.press("ArrowLeft")
        await page.until("document.querySelectorAll('#over .payments tr').length === 4")
        await page.press("End")
        await page.until("document.querySelectorAll('.ending tbody tr').length === 4")
        await page.press("Home")
        await page.press("?")
        await page.until("document.querySelector('#more').open")
        await page.click("#more form button")
        await page.until("!document.querySelector('#more').open && document.activeElement === document.body")
        await page.press(" ")
        await page.until(f"{AT} > 2")  # it plays by itself
        await page.press("ArrowRight")
        await asyncio.sleep(1.0)  # a step that was on its way
        stopped = await page.ask(AT)
        await asyncio.sleep(2.0)
        assert await page.ask(AT) == stopped
        assert_quiet(page, link)


async def test_the_logs_of_a_folder_are_chosen_from_a_list(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("mjlog", "tenhou6", "mjai"):
        (folder / f"of-{name}{FORMATS[name].suffix}").write_text(FORMATS[name].write(game()))
    (folder / "broken.xml").write_text("<mjloggm ver='2.3'><GO")
    async with watching(folder) as (page, link):
        listed = await page.ask("[...document.querySelectorAll('#logs option')].map((one) => one.textContent)")
        assert listed == ["broken", "of-mjai", "of-mjlog", "of-tenhou6"]
        choose = (
            "(one => {{ one.value = {}; one.dispatchEvent(new Event('change')); }})(document.querySelector('#logs'))"
        )
        await page.ask(choose.format(2))
        await page.until(f"document.querySelector('#logs').value === '2' && {AT} === 2 && {LAST} === 651")
        await page.ask(choose.format(0))
        await page.until("!document.querySelector('#trouble').hidden")
        assert "broken.xml" in await page.ask("document.querySelector('#trouble').textContent")
        await page.ask(choose.format(3))
        await page.until("document.querySelector('#trouble').hidden && document.querySelector('#logs').value === '3'")
        assert_quiet(page, link)


@pytest.mark.slow
async def test_a_review_stands_beside_the_table():
    async with watching(LOG, 2) as (page, link):
        await page.press("n")
        await page.until("document.querySelector('.beside button')")
        await page.click(".beside button")
        # the page is named after the rows: before it is, the next mistake may not be there
        await page.until(f"document.querySelector('.grade .badge') && document.querySelector('{REPORT}')", PATIENCE)
        await page.press("n")
        await page.until("document.querySelector('.grade .badge').textContent.includes('\u2212')")
        assert await page.ask("document.querySelectorAll('#detail .ranking tbody tr').length") > 1
        report = await page.ask(f"document.querySelector('{REPORT}').href")
        said = await page.ask("document.querySelector('#detail .say').textContent")
        await page.open(report)
        await page.until(f"document.querySelector('#stage .say')?.textContent === {said!r}")
        assert_quiet(page, link)


async def test_a_log_fits_a_phone():
    async with watching(LOG, 0, (360, 640)) as (page, link):
        await page.press("ArrowDown")
        await page.press("ArrowDown")
        await page.until("document.querySelector('.board')")
        assert await page.ask("document.documentElement.scrollWidth") <= 360
        hand = await page.ask(
            "[...document.querySelectorAll('#mine .tile')].map((one) => one.getBoundingClientRect().right)"
        )
        assert hand
        assert max(hand) <= 360
        box = "document.querySelector('{}').getBoundingClientRect()"
        assert await page.ask(f"{box.format('.board')}.bottom <= {box.format('#mine .tile')}.top + 1")
        assert await page.ask(f"{box.format('.said li')}.bottom <= {box.format('.board')}.top + 1")
        assert_quiet(page, link)


@pytest.mark.slow
@pytest.mark.parametrize("size", PHONES)
async def test_a_finger_meets_what_moves_a_log(size):
    async with watching(LOG, 0, size) as (page, link):
        moves = ".controls button, .controls select"
        assert await shown(page, moves) > 8
        assert await missed(page, f"{moves}, .bar button, .bar select") == []
        assert await meeting(page, f"{moves}, .controls input", f"{moves}, .controls input") == []
        assert await outside(page, f"{moves}, #mine .tile") == []
        assert await meeting(page, "#mine .tile", f"{moves}, .board .lying use") == []
        assert_quiet(page, link)


@pytest.mark.slow
async def test_a_hand_is_chosen_by_its_name_and_the_game_plays_at_the_speed_that_is_chosen():
    async with watching(LOG) as (page, link):
        hands = await page.ask("[...document.querySelectorAll('#hand option')].map((one) => one.textContent)")
        assert hands[0] == "E1"
        assert len(hands) > 3
        chosen = "document.querySelector('#hand')"
        await page.ask(f"{chosen}.selectedIndex = 3; {chosen}.dispatchEvent(new Event('change')); 0")
        await page.until(f"{WHERE}.startsWith({hands[3]!r}) && {chosen}.selectedIndex === 3")
        await page.press("ArrowUp")
        await page.until(f"{WHERE}.startsWith({hands[2]!r}) && {chosen}.selectedIndex === 2")
        await page.ask(
            "window.steps = []; window.plain = setInterval;"
            "window.setInterval = (act, ms) => { steps.push(ms); return plain(act, ms); }; 0"
        )
        speed = "document.querySelector('#speed')"
        for value, step in (("4", 175), ("0.5", 1400)):
            await page.ask(f"{speed}.value = '{value}'; {speed}.dispatchEvent(new Event('change')); 0")
            at = await page.ask(AT)
            if value == "4":
                await page.click("#b-follow")
            await page.until(f"{AT} > {at}")
            assert await page.ask("steps.at(-1)") == step
        assert_quiet(page, link)
