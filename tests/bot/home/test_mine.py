"""Whose results they are, what is remembered of a person, and the first page and the results in a real browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from bot.home.place import home_page
from bot.page.template import in_colours
from bot.store import choices
from bot.wording.languages import Lang
from tests.bot.accessible import faults
from tests.bot.browser import browser, needs_browser
from tests.bot.entering import line
from tests.bot.home.homes import at_home, drop, game, until
from tests.bot.home.reviews import PLAYERS, reviewed
from tests.tiers import mostly_slow

SIZES = ((1440, 900), (390, 844), (844, 390))
CUT = """[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('.hidden, .skip, .scroll, svg'))
  .filter((one) => { const box = one.getBoundingClientRect(); return box.width && (box.right > innerWidth + 1 || box.left < -1 || box.top + scrollY < -1
    || (['hidden', 'clip'].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)); })
  .map((one) => one.outerHTML.slice(0, 90))"""  # noqa: E501 - a script
SCROLLED = """[...document.querySelectorAll('.scroll')].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.innerHTML.slice(0, 90))"""  # noqa: E501 - a script
COVERED = """[...document.querySelectorAll('main button, main a, main select, header a, header select')].filter((one) => one.checkVisibility())
  .filter((one) => { one.scrollIntoView({ block: 'center' }); const box = one.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    const there = document.elementFromPoint(x, y); return there && !one.contains(there) && !there.contains(one); }).map((one) => one.outerHTML.slice(0, 90))"""  # noqa: E501 - a script


@asynccontextmanager
async def opened(folder, size=SIZES[0], lang="en"):
    async with at_home(folder) as (home, link), browser() as page:
        await page.open(f"{link}?lang={lang}", *size)
        await page.until("document.querySelector('#against option')")
        yield home, link, page
        assert page.complaints == []


async def choose(page, name, value):
    one = f"document.querySelector('#{name}')"
    await page.ask(f"{one}.value = '{value}'; {one}.dispatchEvent(new Event('change')); 0")


async def say(link, *said, place=""):
    async with line(link, place) as socket:
        for each in said:
            await socket.send(json.dumps(each))


async def test_what_counts_is_mine_once_i_have_said_who_i_am_unless_everyone_is_wanted(tmp_path):
    async with at_home(tmp_path) as (home, link):
        await reviewed(home, link, 0)
        await reviewed(home, link, 2)
        await until(home, lambda run: run["sums"]["games"] == 2)
        both = home.history.run["practice"]["questions"]
        await say(link, {"do": "me", "name": "Cleo", "wanted": True})
        run = await until(home, lambda run: run["sums"]["games"] == 1)
        assert run["last"]["names"][0] == run["me"] == "Cleo"
        assert 0 < run["practice"]["questions"] < both or run["practice"]["questions"] == both
        assert {one.game["names"][0] for one in home.library.questions()} == {"Cleo"}
        assert len(run["reviews"]) == 2  # the list has all
        await say(link, {"do": "everyone", "wanted": True})
        await until(home, lambda run: run["sums"]["games"] == 2)
        await say(link, {"do": "everyone", "wanted": False}, {"do": "me", "name": "Cleo", "wanted": False})
        await until(home, lambda run: run["choices"]["me"] == [] and run["sums"]["games"] == 2)
    async with at_home(tmp_path) as (home, link):
        await say(link, {"do": "me", "name": "Anna", "wanted": True}, {"do": "theme", "wanted": "dark"})
        await until(home, lambda run: run["choices"]["theme"] == "dark")
    async with at_home(tmp_path) as (home, _):  # and on another day
        run = await until(home, lambda run: run.get("sums"))
        assert (run["choices"]["me"], run["choices"]["theme"], run["sums"]["games"]) == (["Anna"], "dark", 1)


async def test_what_was_chosen_at_the_seat_is_remembered(tmp_path):
    chosen = {"hints": True, "pace": "slow", "sound": True, "sort": False}
    async with at_home(tmp_path) as (home, link):
        said = [{"do": "choose", "what": what, "wanted": wanted} for what, wanted in chosen.items()]
        await say(link, *said, {"do": "choose", "what": "sound", "wanted": "loud"}, place="watch/")
        await until(home, lambda run: run["choices"]["sort"] is False)
    async with at_home(tmp_path) as (home, _):
        run = await until(home, lambda run: "choices" in run)
        assert {name: run["choices"][name] for name in chosen} == chosen
        seat = home.watching.stage.history.run
        assert {name: seat[name] for name in ("pace", "sound", "sort")} == {
            name: chosen[name] for name in ("pace", "sound", "sort")
        }


def test_names_and_colours_that_cannot_be_chosen_change_nothing(tmp_path):
    kept = choices.Choices()
    for wrong in (
        {"me": [""]},
        {"me": ["x" * 25]},
        {"me": ["a"] * 21},
        {"me": "a"},
        {"theme": "blue"},
        {"everyone": 1},
    ):
        assert kept.changed(wrong) is None
    choices.keep(tmp_path, {"me": ["Anna", "Ann"], "theme": "light"})
    assert choices.read(tmp_path).me == ["Anna", "Ann"]


@pytest.mark.parametrize("theme", ["", "light", "dark"])
def test_the_policy_of_a_page_names_the_style_of_the_colours_that_were_chosen(theme):
    page = in_colours(home_page(Lang.EN), theme)
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page.replace("&#39;", "'")
    assert ("(prefers-color-scheme: dark)" in style) is (theme == "")


@needs_browser
@mostly_slow(("lang", "size"), [("en", SIZES[0]), ("ja", SIZES[1]), ("en", SIZES[2])])
async def test_nothing_is_cut_off_or_covered_in_any_place(tmp_path, lang, size):
    async with opened(tmp_path, size, lang) as (home, link, page):
        for place in ("play", "results"):  # with nothing to show
            await page.ask(f"location.hash = '{place}'; 0")
            await page.until(f"!document.querySelector('#v-{place}').hidden")
            assert await page.ask(CUT) == [], place
        await drop(link, *((f"20240{day}0{day}.xml", game(*PLAYERS)) for day in range(1, 4)))
        await reviewed(home, link, 2)
        await say(link, {"do": "me", "name": "Cleo", "wanted": True})
        await page.until(
            "document.querySelector('.c-last .hand .tile') && document.querySelector('.c-duty .hand .tile')"
        )
        for place in ("play", "review", "practice", "watch", "results"):
            await page.ask(f"location.hash = '{place}'; 0")
            await page.until(f"!document.querySelector('#v-{place}').hidden")
            assert await page.ask(CUT) == [], place
            assert await page.ask(COVERED) == [], place
            assert await page.ask(SCROLLED) == [], place
            await page.ask("scrollTo(0, 0)")
            assert await faults(page) == [], place


@pytest.mark.slow
@needs_browser
async def test_results_are_of_the_player_that_is_chosen_over_all_logs_that_were_dropped(tmp_path):
    async with opened(tmp_path) as (home, link, page):
        logs = [("a.xml", game(*PLAYERS)), ("b.xml", game("Ben", "Anna", "Cleo", "Dan")), ("c.xml", game("Eva"))]
        await drop(link, *logs)
        run = await until(home, lambda run: len(run.get("games", ())) == 3 and run["counted"])
        await page.ask("location.hash = 'results'; 0")
        await page.until("document.querySelectorAll('#sums .rate').length === 7")
        assert "12 games" in await page.ask("document.querySelector('#counted').textContent")  # everybody's
        await choose(page, "whose", "Anna")
        await page.until("document.querySelector('#counted').textContent.startsWith('2 games')")
        mine = [one["seats"][one["names"].index("Anna")] for one in run["games"] if "Anna" in one["names"]]
        wins, hands = (sum(counts[at] for counts in mine) for at in (1, 0))
        assert await page.ask("document.querySelector('.rate b').textContent") == f"{100 * wins / hands:.1f}%"
        assert await page.ask("document.querySelectorAll('#sums .within').length") == 0  # not before 20 games
        for text in await page.ask("[...document.querySelectorAll('.rate text')].map((one) => one.textContent)"):
            assert re.fullmatch(r"[1-9]?[05]%|[1-9][0-9]*,000", text)  # both ends of each scale, which are round
        assert await page.ask("document.querySelectorAll('.rate text').length") == 14
        ticks = "[...document.querySelectorAll('.c-over .grid')].map((one) => Number(one.getAttribute('y1')))"
        (first, *_, last), dots = (
            await page.ask(ticks),
            await page.ask(
                "[...document.querySelectorAll('.c-over .game')].map((one) => Number(one.getAttribute('cy')))"
            ),
        )
        assert all(first <= y <= last for y in dots)  # from the first place to the last, and both are named
        # nothing says when these games were played
        assert (
            await page.ask("[...document.querySelectorAll('.c-list .when')].map((one) => one.textContent)")
            == ["day unknown"] * 2
        )
        await page.click("#mine .me")  # this is me
        await page.until("document.querySelector('#whose').value === 'me'")
        assert home.history.run["choices"]["me"] == ["Anna"]
        await page.until("document.querySelector('#counted').textContent.startsWith('2 games')")
        await page.open(f"{link}?lang=en#results", *SIZES[0])
        await page.until("document.querySelector('#whose').value === 'me' && document.querySelector('.c-list a')")


@needs_browser
async def test_the_first_page_shows_a_table_the_last_game_what_is_due_and_leads_to_the_costliest_decision(tmp_path):
    async with opened(tmp_path) as (home, link, page):
        assert await page.ask("document.querySelectorAll('#mini .board use').length") > 20
        assert (await page.ask("document.querySelector('link[rel=icon]').href")).startswith("data:image/svg+xml")
        job = await reviewed(home, link, 2)
        await page.until("document.querySelector('.c-last .swap') && document.querySelector('.c-duty .ask')")
        tiles = await page.ask(
            "[...document.querySelectorAll('.c-last .hand .tile')].map((one) => one.ariaLabel).join('')"
        )
        worst = max((one for one in home.library.questions()), key=lambda one: one.loss)
        table = worst.row["table"]
        assert tiles.startswith(table["hand"] + (table["drawn"] or ""))
        await page.click(".c-last .foot a:last-child")
        await page.until(
            f"location.pathname.endsWith('review/{job['page']}') && location.hash === '#d{worst.row['number']}'"
        )


@pytest.mark.slow
@needs_browser
async def test_a_game_has_an_address_that_opens_it_after_a_reload_and_another_day(tmp_path):
    async with browser() as page:
        async with at_home(tmp_path) as (_, link):
            await drop(link, ("a.xml", game(*PLAYERS)))
            await page.open(f"{link}?lang=en#watch", *SIZES[0])
            await page.until("document.querySelector('#games a')")
            await page.click("#games a")
            await page.until("document.querySelector('.said li')")
            bookmark = await page.ask("location.href")
            assert re.search(r"/watch/\?lang=en#show=a_[a-p]+$", bookmark)
            await page.reload()
            await page.until("document.querySelector('.said li')")
            assert await page.ask("location.href") == bookmark
        async with at_home(tmp_path) as (_, link):
            here = link.partition("/enter/")[0]
            await page.open(f"{link}watch/?lang=en#{urlsplit(bookmark).fragment}", *SIZES[0])
            await page.until("document.querySelector('.said li')")
            await page.open(f"{here}/watch/?lang=en#show=gone", *SIZES[0])
            await page.reload()
            await page.until("document.querySelector('#trouble')?.textContent.includes('gone')")


@needs_browser
async def test_the_colours_that_were_chosen_are_those_of_every_page(tmp_path):
    async with opened(tmp_path) as (_, link, page):
        light = await page.ask("getComputedStyle(document.body).backgroundColor")
        await choose(page, "theme", "dark")
        await page.until(f"document.body && getComputedStyle(document.body).backgroundColor !== '{light}'")
        dark = await page.ask("getComputedStyle(document.body).backgroundColor")
        for place in ("practice/", "watch/"):
            await page.open(link + place)
            assert await page.ask("getComputedStyle(document.body).backgroundColor") == dark
