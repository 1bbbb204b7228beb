"""The first page and an empty table at the sizes of two screens and of a phone: nothing leaves its frame or covers."""

from __future__ import annotations

import pytest

from tests.bot.browser import browser, needs_browser
from tests.bot.geometry import PHONES, SIZES, meeting, missed, outside, shown
from tests.bot.home.homes import at_home

pytestmark = [needs_browser, pytest.mark.slow]
DRAWN = ".mini .board use, .mini .board text, .mini .board rect"
"""What the little table shows."""
BESIDE = ".hero h1, .hero .others span, .hero .row button, .hero .row select, .hero summary"


@pytest.mark.parametrize("lang", ["en", "ja"])
async def test_the_little_table_lies_within_its_frame_and_stays_there(tmp_path, lang):
    top = "document.querySelector('.mini').getBoundingClientRect().top"
    async with at_home(tmp_path) as (_, link), browser() as page:
        for size in SIZES:
            await page.open("about:blank")
            await page.open(f"{link}?lang={lang}", *size)
            await page.until("document.querySelector('.mini .board') && document.querySelector('#against option')")
            assert await shown(page, DRAWN) > 20
            assert await outside(page, DRAWN, ".hero") == [], size
            assert await meeting(page, DRAWN, BESIDE) == [], size
            assert await meeting(page, BESIDE, BESIDE) == [], size
            before = await page.ask(top)
            await page.ask("document.querySelector('.hero details').open = true")
            if size[0] > 720:
                assert await page.ask(top) <= before, size
            assert await outside(page, DRAWN, ".hero") == [], size
        assert page.complaints == []


@pytest.mark.parametrize("lang", ["en", "ja"])
async def test_a_table_at_which_nobody_sits_says_so_in_its_middle_and_leads_on(tmp_path, lang):
    async with at_home(tmp_path) as (_, link), browser() as page:
        for size in SIZES:
            await page.open(f"{link}watch/?lang={lang}", *size)
            await page.until("document.querySelectorAll('.said .row a').length === 2")
            assert await shown(page, ".said .calm, .said .row a") == 3, size
            everything = ".said .calm, .said .row a, .bar a, .bar button, .bar select"
            assert await outside(page, everything) == [], size
            assert await meeting(page, everything, everything) == [], size
            assert size not in PHONES or await missed(page, ".said .row a, .bar button, .bar select") == [], size
            middle = await page.ask(
                "(() => { const r = document.querySelector('.said .calm').getBoundingClientRect();"
                " return [r.x + r.width / 2 - innerWidth / 2, (r.y + r.bottom) / 2 / innerHeight]; })()"
            )
            assert abs(middle[0]) < 5, size
            assert 0.3 < middle[1] < 0.6, size
        assert page.complaints == []


async def test_where_nothing_is_yet_each_place_leads_on(tmp_path):
    async with at_home(tmp_path) as (_, link), browser() as page:
        for size in SIZES:
            for place in ("practice", "watch", "results"):
                await page.open("about:blank")
                await page.open(f"{link}?lang=ja#{place}", *size)
                await page.until(f"document.querySelector('#v-{place} .ways')?.checkVisibility()")
                ways = f"#v-{place} a.button"
                assert await shown(page, ways) >= 2, place
                assert await outside(page, f"{ways}, #v-{place} .calm") == [], place
                assert await meeting(page, ways, f"{ways}, #v-{place} .calm, header *") == [], place
                assert size not in PHONES or await missed(page, ways) == [], place
            await page.click("#v-results .ways a:last-child")
            await page.until("!document.querySelector('#v-review').hidden")
        assert page.complaints == []
