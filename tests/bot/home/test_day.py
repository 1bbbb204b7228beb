"""A day as a player, in a real browser: a review by drop, a log by address, practice, a game, results."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from contextlib import asynccontextmanager

import pytest

from bot.machine import fetch as fetching
from bot.machine.fetch import Archive
from bot.store.database import FILE
from bot.wording.languages import Lang, table
from tests.bot.accessible import faults
from tests.bot.browser import browser, needs_browser
from tests.bot.home.dropped import KINDS, contents
from tests.bot.home.homes import at_home, drop, game, until
from tests.bot.home.reviews import PLAYERS, held_up, reviewed
from tests.bot.machine.misbehaving import ID, StandingClock, answer, certificate, says, serving
from tests.tiers import mostly_slow

pytestmark = needs_browser
SIZES = ((1366, 650), (390, 844))
PLACES = ("play", "review", "practice", "watch", "results")
DROP = """(async (name, text) => {
  const moved = new DataTransfer(), bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  moved.items.add(new File([bytes], name));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: moved, bubbles: true, cancelable: true }));
})"""


@asynccontextmanager
async def opened(folder, size, lang="en", **more):
    async with at_home(folder, **more) as (home, link), browser() as page:
        await page.open(f"{link}?lang={lang}", *size)
        await page.until("document.querySelector('#against option')")
        yield home, link, page
        assert page.complaints == []


async def go(page, place):
    await page.ask(f"location.hash = '{place}'; 0")
    await page.until(f"!document.querySelector('#v-{place}').hidden")


@mostly_slow(
    ("lang", "size", "scheme"),
    [("en", SIZES[0], "light"), ("en", SIZES[1], "dark"), ("ja", SIZES[0], "dark"), ("ja", SIZES[1], "light")],
)
async def test_the_page_is_usable_in_both_languages_sizes_and_schemes(tmp_path, size, lang, scheme):
    async with opened(tmp_path, size, lang) as (_, link, page):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        await page.call("Emulation.setEmulatedMedia", features=[feature])
        await drop(link, ("a.xml", game(*PLAYERS)), ("b.xml", game("Anna")), ("c", ID.encode()), ("d", b"no log"))
        for place in PLACES:
            await go(page, place)
            await page.until("document.querySelector('#found .card li button')")
            assert await faults(page) == [], place
            assert await page.ask("[...document.querySelectorAll('h1')].filter((one) => one.offsetParent).length") == 1
            current = "[...document.querySelectorAll('nav [aria-current]')].map((one) => one.dataset.place).join()"
            assert await page.ask(current) == place


async def test_everything_is_reached_by_the_keyboard_from_the_top(tmp_path):
    async with opened(tmp_path, SIZES[0]) as (_, _, page):

        async def tab():
            await page.type("Tab")
            return await page.ask("document.activeElement.id || document.activeElement.dataset.place || ''")

        order = [await tab() for _ in range(11)]
        assert order[1:8] == [*PLACES, "theme", "language"]
        assert order[8:11] == ["go", "length", "more"]
        await page.type("Enter")  # what is chosen less often unfolds
        assert [await tab() for _ in range(4)] == ["against", "clock", "name", "hints"]


async def test_a_log_by_drop_is_reviewed_practised_watched_and_counted(tmp_path, monkeypatch):
    go_on = held_up(monkeypatch)
    async with opened(tmp_path, SIZES[1]) as (home, link, page):
        text = base64.b64encode(game(*PLAYERS)).decode()
        await page.ask(f"{DROP}({json.dumps('game.xml')}, {json.dumps(text)}); 0")
        await page.until("location.hash === '#review' && document.querySelectorAll('#found li button').length === 4")
        await page.click("#found li button:nth-of-type(3)")
        await page.until("document.querySelector('#jobs progress')")
        go_on.set()
        await page.until("document.querySelector('#jobs a')", 200)
        await page.until("document.querySelector('.reviews tbody tr')")
        assert await faults(page) == []
        assert "Cleo" in await page.ask("document.querySelector('.reviews .who').textContent")
        for text, rows in (("nobody", 0), ("dan", 1)):
            typed = f"one.value = '{text}'; one.dispatchEvent(new Event('input'));"
            await page.ask(f"(() => {{ const one = document.querySelector('.filter input'); {typed} }})()")
            await page.until(f"document.querySelectorAll('.reviews tbody tr').length === {rows}")
        await page.click("#jobs a")
        await page.until("document.title.includes('Cleo') || document.body?.textContent.includes('Cleo')")
        await page.ask("setTimeout(() => history.back()); 0")
        await page.until("document.querySelector('#reviews .plain.open button')")
        await page.click("#reviews .plain.open button")  # a habit opens its positions
        await page.until("location.hash.startsWith('#habit-') && document.querySelector('#found li')")
        await page.open(f"{link}?lang=en#practice", *SIZES[1])
        await page.until("document.querySelector('#due a')")
        await page.click("#due a")
        for _ in range(2):
            await page.until("document.querySelector('[data-choice]')")
            await page.click("[data-choice]")
            await page.until("document.querySelector('#verdict')")
            assert await faults(page) == []
            await page.click("#next")
        await page.until("document.querySelector('[data-choice]')")
        await page.open(f"{link}?lang=en#watch", *SIZES[1])
        await page.until("document.querySelector('#games a')")
        await until(home, lambda run: run["practice"]["asked"] == 2)
        assert (
            ", ".join(sorted((await page.ask("document.querySelector('#games .who').textContent")).split(", ")))
            == "Anna, Ben, Cleo, Dan"
        )
        await page.click("#games a")
        await page.until(
            "document.querySelector('.said li') && document.querySelector('#where').textContent.includes('2/')"
        )
        found = await faults(page)
        assert [each for each in found if "b-on" not in each] == []  # on a phone the slider lies below the buttons
        await page.open(f"{link}?lang=en#results", *SIZES[1])
        await page.until("document.querySelectorAll('#sums .figure').length === 3")
        assert await faults(page) == []


async def test_a_log_by_address_is_asked_for_after_saying_what_will_be_asked(tmp_path, tmp_path_factory):
    files = certificate(tmp_path_factory.mktemp("tls"))
    with serving(files, says(answer(body=game(*PLAYERS)))) as (archive, asked):
        async with opened(tmp_path, SIZES[0], archive=archive) as (_, _, page):
            await go(page, "review")
            await page.ask(f"document.querySelector('#text').value = 'https://tenhou.net/0/?log={ID}&tw=1'; 0")
            await page.click("#paste button")
            await page.until("document.querySelector('#found .card .main')")
            assert f"https://tenhou.net/0/log/?{ID}" in await page.ask("document.querySelector('#found').textContent")
            assert asked == []
            await page.click("#found .card .main")
            await page.until("document.querySelectorAll('#found li button').length === 4")
            assert await page.ask("document.querySelector('#found li .main').textContent") == "Review Ben"
            assert asked == [f"/0/log/?{ID}"]


JA = table("bot.wording", "troubles", Lang.JA)
SEEN = """(() => {
  const all = [...document.querySelectorAll('%s')];
  return all.map((one) => {
    const folded = one.querySelector('details'), copy = one.cloneNode(true);
    copy.querySelectorAll('details, button').forEach((each) => each.remove());
    const original = folded && !folded.open && folded.querySelector('[lang=en]').textContent;
    return [copy.textContent, original];
  });
})()"""


async def shown(page, where, kind):
    """What is said on the Japanese page is of that kind; the English words lie folded behind it."""
    await page.until(f"document.querySelector({json.dumps(where)})?.textContent.includes({json.dumps(JA[kind])})")
    ((text, original),) = await page.ask(SEEN % where)
    assert JA[kind] in text
    assert not re.search(r"\b[a-z]+ [a-z]+\b", text.replace("oshihiki audit", "")), text
    assert original


@pytest.mark.slow
async def test_a_file_that_cannot_be_read_is_named_in_japanese_with_the_english_words_folded(tmp_path):
    async with opened(tmp_path, SIZES[1], "ja") as (_, link, page):
        await go(page, "review")
        for name, (_, kind) in KINDS.items():
            await drop(link, (name, contents(name)))
            await shown(page, "#found .unread", kind)
            await page.ask("document.querySelector('#found .notice button').click(); 0")
            await page.until("!document.querySelector('#found .notice')")
        await drop(link, ("a.xml", game("Anna")), ("b.xml", game("Anna")))
        await shown(page, "#found .unread", "nothing_more")
        assert await faults(page) == []
        await page.ask("document.querySelector('#language').value = 'en'; 0")
        await page.ask("document.querySelector('#language').dispatchEvent(new Event('change')); 0")
        await page.until("document.querySelector('#found .unread').textContent.startsWith('b.xml: holds no further')")
        assert await page.ask("document.querySelector('#found .unread details')") is None


FETCHED = {
    "404 Not Found": "not_there", "403 Forbidden": "refused", "418 I'm a teapot": "refused",
    "429 Too Many Requests": "busy", "503 Service Unavailable": "busy", "302 Found": "elsewhere",
}  # fmt: skip


@pytest.mark.slow
async def test_why_a_log_does_not_come_is_said_in_japanese(tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(fetching, "EVERY", 0.0)
    clock = StandingClock()
    monkeypatch.setattr(fetching.threading, "Timer", clock.timer)
    answers = [(answer(status, b""), kind) for status, kind in FETCHED.items()]
    answers += [(answer()[:-20], "cut_off"), (b"220 ESMTP\r\n", "cut_off"), (answer(body=b"<p>hello"), "not_whole")]
    answers += [(answer(length=3 << 20), "sent_too_much"), (None, "late")]
    now = []

    def respond(secure, ended):
        if now[0] is None:
            clock.turn()
            ended.wait(100)
        else:
            secure.sendall(now[0])

    files = certificate(tmp_path_factory.mktemp("tls"))
    with serving(files, respond) as (archive, _):
        async with opened(tmp_path, SIZES[0], "ja", archive=archive) as (home, link, page):
            await go(page, "review")

            async def fails(kind):
                await drop(link, ("text", ID.encode()))
                await page.until("document.querySelector('#found .card .main')")
                await page.click("#found .card .main")
                await shown(page, "#found .unread", kind)
                await page.ask("document.querySelector('#found .notice button').click(); 0")
                await page.until("!document.querySelector('#found .notice')")

            for data, kind in answers:
                now[:] = [data]
                await fails(kind)
            for other, kind in (
                (Archive("nowhere.invalid"), "no_network"),
                (Archive("localhost", 1), "no_network"),
                (Archive("localhost", archive.port), "certificate"),
            ):
                monkeypatch.setattr(home.dropping, "_archive", other)
                await fails(kind)
            (tmp_path / "file").touch()
            monkeypatch.setattr(home.dropping, "_fetched", tmp_path / "file" / "folder")
            await fails("not_kept")


@pytest.mark.slow
async def test_a_request_that_the_page_cannot_fulfil_is_refused_in_japanese(tmp_path):
    async with opened(tmp_path, SIZES[0], "ja") as (_, link, page):
        await drop(link, ("a.xml", game(*PLAYERS)))
        await go(page, "review")
        await page.until("document.querySelectorAll('#found li button').length === 4")
        (tmp_path / "reviews" / FILE).mkdir()  # in the way of what keeps the review
        await page.click("#found li button")
        await page.until("document.querySelector('#jobs .loss')", 200)
        await shown(page, "#jobs .loss", "not_written")
        (path,) = (tmp_path / "reviews" / "logs").iterdir()
        path.unlink()
        await page.click("#found li a")
        await page.until("location.pathname.endsWith('/watch/')")
        await shown(page, "#trouble", "gone")
        await page.ask("setTimeout(() => history.back()); 0")
        await page.until("document.querySelector('#v-play')")
        await go(page, "play")
        await page.until("document.querySelector('#trouble').hidden")
        await page.ask("document.querySelector('#name').value = '\u200b\u200b'; 0")
        await page.click("#sit .main")
        await shown(page, "#trouble", "name")


async def test_a_game_that_cannot_be_recorded_says_so_in_japanese(tmp_path):
    (tmp_path / "records").touch()
    async with opened(tmp_path, SIZES[0], "ja") as (_, _, page):
        await page.ask("document.querySelector('#against').value = 'tsumogiri'; 0")
        await page.click("#sit .main")
        # a game that ends before the page has heard that it began is never gone to
        await page.until("document.querySelector('#trouble details, #seat .notice')", 200)
        if await page.ask("location.pathname.endsWith('/watch/')"):
            await shown(page, "#trouble", "not_written")
            await page.ask("setTimeout(() => history.back()); 0")
            await page.until("document.querySelector('#seat .notice')")
        await shown(page, "#seat .notice", "not_written")
        assert not await page.ask("document.querySelector('#sit').hidden")


async def test_names_with_markup_are_shown_as_they_are(tmp_path):
    async with opened(tmp_path, SIZES[0]) as (_, link, page):
        await drop(link, ("<img src=x onerror=alert(1)>.xml", game("<b>Anna</b>", "</script>", "{{ 7*7 }}", "'\\")))
        await go(page, "review")
        await page.until("document.querySelector('#found li')")
        shown = await page.ask("document.querySelector('#found').textContent")
        assert "<b>Anna</b>" in shown
        assert await page.ask("document.querySelectorAll('#found b, #found img, #found script').length") == 0


@pytest.mark.slow
async def test_a_review_is_deleted_by_the_keyboard_after_a_question(tmp_path):
    async with opened(tmp_path, SIZES[1]) as (home, link, page):
        job = await reviewed(home, link, 2)
        await go(page, "review")
        await page.until("document.querySelector('[data-keep^=delete]')")
        assert "Cleo" in await page.ask("document.querySelector('[data-keep^=delete]').getAttribute('aria-label')")
        await page.ask("document.querySelector('[data-keep^=delete]').focus(); 0")
        inside = "document.querySelector('dialog[open]')?.contains(document.activeElement)"
        for key in ("Escape", "Enter"):  # the first button, which has the focus, deletes nothing
            await page.type("Enter")
            await page.until(inside)
            assert await faults(page) == []
            await page.type(key)
            await page.until("!document.querySelector('dialog')")
            assert await page.ask("document.activeElement.dataset.keep") == f"delete {job['page']}"
        assert home.library.rows()
        await page.type("Enter")
        await page.until(inside)
        await page.type("Tab")
        await page.type("Enter")
        await page.until("!document.querySelector('dialog, .reviews')")
        assert await page.ask("document.activeElement.id") == "main"
        assert home.library.rows() == []


@pytest.mark.slow
async def test_a_game_is_played_reviewed_and_counted(tmp_path):
    async with asyncio.timeout(900), opened(tmp_path, SIZES[0]) as (home, link, page):
        await page.ask(
            "document.querySelector('#against').value = 'tsumogiri'; document.querySelector('#name').value = 'Anna';"
            "document.querySelector('#length').value = 'tonpu'; 0"
        )
        await page.click("#sit .main")
        await page.until("location.pathname.endsWith('/watch/') && document.querySelector('.pick')", 300)
        await page.ask("document.querySelector('[data-want=pace]').click(); 0")  # from normal to instant
        while not await page.ask("Boolean(document.querySelector('#over:not([hidden]) .ended'))"):
            for want in ("win", "calls", "cut"):
                await page.ask(f"document.querySelector('[data-want={want}][aria-pressed=false]')?.click(); 0")
            await page.ask("document.querySelector('#over:not([hidden]) .panel:not(.ended) .main')?.click(); 0")
            await asyncio.sleep(0.05)
        assert await page.ask("document.querySelector('#over .panel').getAttribute('role')") == "dialog"
        assert await page.ask("document.querySelector('#over').contains(document.activeElement)")
        await page.click("#over .ended .main")
        await page.until("document.querySelector('#over .ended a.main')", 300)
        await page.open(f"{link}?lang=en#results", *SIZES[0])
        await page.until("document.querySelector('.played tbody tr') && document.querySelector('#sums .figure')")
        assert "you" in await page.ask("document.querySelector('.played').textContent")
        assert home.history.run["reviews"][0]["names"][0] == "Anna"
        await page.ask("location.hash = 'play'; 0")  # a game that is over keeps nobody from another table
        await page.until("!document.querySelector('#sit').hidden")
        await page.click("#sit .main")
        await page.until("location.pathname.endsWith('/watch/') && document.querySelector('.pick')", 300)
        assert len(home.watching.stage.history.run["games"]) == 2


@pytest.mark.slow
async def test_two_pages_take_one_review_and_the_first_is_kept(tmp_path):
    async with opened(tmp_path, SIZES[0]) as (home, link, page):
        job = await reviewed(home, link, 2)
        await go(page, "review")
        await page.until("document.querySelector('#jobs a') && document.querySelector('.reviews tbody tr')")
        assert job["page"] in await page.ask("document.querySelector('#jobs a').href")


@pytest.mark.slow
async def test_choices_are_remembered_on_the_next_day(tmp_path):
    fields = "[...['against', 'length', 'clock', 'name']].map((one) => document.querySelector('#' + one).value)"
    async with opened(tmp_path, SIZES[0]) as (_, _, page):
        await page.ask("document.querySelector('#against').value = 'tsumogiri'; 0")
        await page.ask("document.querySelector('#clock').value = 'fast'; 0")
        await page.ask("document.querySelector('#name').value = 'Anna'; 0")
        await page.click("#sit .main")
        await page.until("location.pathname.endsWith('/watch/') && document.querySelector('.switch')", 200)
        await page.click(".switch[data-want=pace]")
        await page.until("document.querySelector('.switch[data-want=pace]').textContent.includes('instant')")
    async with opened(tmp_path, SIZES[0]) as (home, _, page):
        await page.until(f"{fields}.join() === 'tsumogiri,tonpu,fast,Anna'")
        assert home.watching.stage.history.run["pace"] == "instant"
