"""The report in a real browser: it works, says nothing on the console, asks the network for nothing."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from bot.deciding.players import PlayerSpec
from bot.review.fields import audit_fields
from bot.review.folder import write_folder
from bot.review.many import Job, audit_logs
from bot.review.report import marked_hand, render_report
from bot.review.wording import Lang
from bot.wording.opponents import as_people_from
from protocol.logs.game_log import GameLog
from tests.bot.browser import browser, needs_browser
from tests.bot.review.games import audit_of, log_file
from tests.games import game_of

pytestmark = needs_browser

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=2'><svg onload=window.hacked=3>"


def fields_of(log, seat=2):
    return audit_fields(audit_of(log, seat))


def written(folder, fields, lang=Lang.EN):
    path = folder / "report.html"
    path.write_text(render_report(fields, lang), encoding="utf-8")
    return path


def assert_quiet(page, path):
    assert page.complaints == []
    assert [url for url in page.requests if url != path.as_uri() and not url.startswith("data:")] == []


async def opened(page, path, *size):
    """Open a report, which hears keys and clicks once its decisions are listed."""
    await page.open(path.as_uri(), *size)
    await page.until("document.querySelector('#list').children.length > 0")


@pytest.mark.parametrize("width", [1280, 375])
async def test_filters_and_keys(tmp_path, fields, width):
    path = written(tmp_path, fields)
    rows = fields["decisions"]
    differ = [row["number"] for row in rows if row["verdict"] == "differs"]
    async with browser() as page:
        await opened(page, path, width)
        assert await page.ask("document.querySelector('#v-decisions').hidden")
        assert await page.ask("document.querySelectorAll('.worst .card').length") == 5

        await page.press("n")  # from the overview to the first difference
        await page.until(f"location.hash === '#d{differ[0]}'")
        assert not await page.ask("document.querySelector('#v-decisions').hidden")
        await page.press("n")
        await page.until(f"location.hash === '#d{differ[1]}'")
        await page.press("p")
        await page.until(f"location.hash === '#d{differ[0]}'")
        await page.press("ArrowRight")
        await page.until(f"location.hash === '#d{differ[0] + 1}'")
        await page.press("End")
        await page.until(f"location.hash === '#d{rows[-1]['number']}'")
        await page.press("Home")
        await page.until("location.hash === '#d1'")
        await page.press("ArrowDown")
        second = next(row["number"] for row in rows if row["hand"] == 1)
        await page.until(f"location.hash === '#d{second}'")

        items = "document.querySelectorAll('#list a').length"
        assert await page.ask(items) == len(rows)
        await page.press("f")
        await page.click("#f-differs")
        assert await page.ask(items) == len(differ)
        assert await page.ask("document.querySelector('#f-differs').checked")
        await page.ask(
            "const chosen = document.querySelector('#f-category'); chosen.value = 'push_fold';"
            "chosen.dispatchEvent(new Event('change'))"
        )
        wanted = [row for row in rows if row["verdict"] == "differs" and row["category"] == "push_fold"]
        assert await page.ask(items) == len(wanted)

        assert await page.ask("document.querySelectorAll('.board use[href=\"#t-standing\"]').length") > 20
        await page.press("o")
        assert await page.ask("document.querySelectorAll('.board use[href=\"#t-back\"]').length") < 9
        assert await page.ask("document.querySelector('#filters').open")
        await page.press("f")
        assert not await page.ask("document.querySelector('#filters').open")
        assert_quiet(page, path)


@pytest.mark.slow
async def test_every_decision_can_be_shown(tmp_path, fields):
    path = written(tmp_path, fields, Lang.JA)
    async with browser() as page:
        await opened(page, path)
        for row in fields["decisions"]:
            await page.ask(f"location.hash = 'd{row['number']}'")
            await page.until(f"document.querySelector('#where').textContent.includes('{row['number']}/')")
            rows = "[...document.querySelectorAll('.ranking tbody tr')].filter((one) => !one.closest('.gained'))"
            shown = await page.ask(f"{rows}.length")
            assert shown == (len(row["candidates"]) if len(row["candidates"]) > 1 else 0)
            table = row["table"]
            tiles = len(table["hand"] + (table["drawn"] or "") + (table["offered"] or "")) // 2
            assert await page.ask("document.querySelectorAll('.held .tile').length") == tiles
            discarded = sum(len(river) // 3 for river in table["rivers"])
            melded = await page.ask("document.querySelectorAll('.board use').length")
            assert melded >= discarded
        assert_quiet(page, path)


@pytest.mark.parametrize("width", [1280, pytest.param(360, marks=pytest.mark.slow)])
async def test_four_players_in_one_page(tmp_path, game, width):
    seats = [fields_of(game, seat) for seat in (2, 3, 0, 1)]
    path = tmp_path / "report.html"
    path.write_text(render_report(seats[0], Lang.JA, seats[1:]), encoding="utf-8")
    title = "document.querySelector('#report h1').textContent"
    where = "document.querySelector('#where').textContent"
    everybody = sorted(
        (row["event"], at, row["number"]) for at, fields in enumerate(seats) for row in fields["decisions"]
    )
    async with browser() as page:
        await opened(page, path, width)
        assert await page.ask("document.querySelectorAll('.seats button').length") == 4
        assert await page.ask("document.querySelectorAll('.graph').length") == 1
        for at, fields in enumerate(seats):
            await page.ask(f"document.querySelectorAll('.seats button')[{at}].click()")
            assert await page.ask(title) == as_people_from(fields["names"], fields["seat"])[0][0]
            await page.press("ArrowRight")
            await page.until(f"{where}.endsWith(' 1/{len(fields['decisions'])}')")
        await page.ask("document.querySelectorAll('.seats button')[0].click()")
        await page.ask("location.hash = 'd1'")
        await page.until(f"{where}.includes(' 1/')")
        await page.ask("document.querySelector('#everyone').click()")
        start = everybody.index(next(one for one in everybody if one[1:] == (0, 1)))
        for _, at, number in everybody[start + 1 : start + 9]:
            await page.press("ArrowRight")
            await page.until(f"{where}.endsWith(' {number}/{len(seats[at]['decisions'])}')")
            pressed = "[...document.querySelectorAll('.seats button')].findIndex((one) => one.ariaPressed === 'true')"
            assert await page.ask(pressed) == at
        await page.press("ArrowLeft")
        await page.until(f"{where}.includes(' {everybody[start + 7][2]}/')")
        assert await page.ask("document.documentElement.scrollWidth") <= width
        assert_quiet(page, path)


async def test_a_browser_that_is_too_old_for_the_decisions_says_so(tmp_path, fields):
    path = written(tmp_path, fields)
    async with browser() as page:
        await page.call("Page.enable")
        await page.call("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")
        await page.open(path.as_uri())
        await page.until("!document.querySelector('#old-browser').hidden")
        assert not await page.ask("document.querySelector('#v-overview').hidden")
        assert_quiet(page, path)


async def test_the_danger_of_each_tile_opens_on_demand(tmp_path, fields):
    row = next(row for row in fields["decisions"] if row["own_turn"] and row["threatened"])
    path = written(tmp_path, fields)
    async with browser() as page:
        await opened(page, path)
        await page.ask(f"location.hash = 'd{row['number']}'")
        await page.until("document.querySelector('.dangers') !== null")
        assert not await page.ask("document.querySelector('.dangers').open")
        await page.ask("document.querySelector('.dangers summary').click()")
        assert await page.ask("document.querySelectorAll('.dangers tbody tr').length") == len(row["danger"]) // 11
        assert await page.ask("document.querySelectorAll('.held .dora').length") == sum(
            "dora" in mark for _, mark in marked_hand(row)
        )
        assert await page.ask("document.querySelectorAll('.held .risky').length") == 0
        await page.press("d")
        figures = "[...document.querySelectorAll('.held .risk')].map((one) => Number(one.textContent))"
        shown = await page.ask(figures)
        assert len(shown) == len(marked_hand(row))
        faces = await page.ask("[...document.querySelectorAll('.held .risky')].map((one) => one.style.cssText)")
        assert len(set(faces)) >= len(set(shown)) > 1
        await page.click("#tint")
        assert await page.ask("document.querySelectorAll('.held .risky').length") == 0
        assert_quiet(page, path)


async def test_nothing_spills_over_the_side_of_a_phone(tmp_path, fields):
    path = written(tmp_path, fields)
    async with browser() as page:
        await opened(page, path, 360, 720)
        for place in ("overview", "d60", "method"):
            await page.ask(f"location.hash = '{place}'")
            await page.until("document.querySelectorAll('.view:not([hidden])').length === 1")
            assert await page.ask("document.documentElement.scrollWidth") <= 360


async def test_a_script_in_a_name_does_not_run(tmp_path, game):
    start = replace(game.start, names=(HOSTILE,) * 4)
    info = replace(game.info, log_id=HOSTILE, rule_name=HOSTILE)
    log = GameLog((start, *game.events[1:120]), info, f"{HOSTILE}.xml")
    path = written(tmp_path, fields_of(log))
    async with browser() as page:
        await opened(page, path)
        for place in ("d1", "d5", "overview", "method"):
            await page.ask(f"location.hash = '{place}'")
            await asyncio.sleep(0.05)
        assert await page.ask("window.hacked") is None
        assert await page.ask("document.images.length") == 0
        assert "<script>" in await page.ask("document.querySelector('h1').textContent")
        assert_quiet(page, path)


async def test_a_script_in_a_name_does_not_run_in_the_report_of_four_players(tmp_path, game):
    start = replace(game.start, names=(HOSTILE,) * 4)
    log = GameLog((start, *game.events[1:120]), replace(game.info, log_id=HOSTILE, rule_name=HOSTILE), f"{HOSTILE}.xml")
    seats = [fields_of(log, seat) for seat in range(4)]
    path = tmp_path / "report.html"
    path.write_text(render_report(seats[0], others=seats[1:]), encoding="utf-8")
    async with browser() as page:
        await opened(page, path)
        for at in range(4):
            await page.ask(f"document.querySelectorAll('.seats button')[{at}].click()")
            await page.press("ArrowRight")
            await page.until("location.hash.startsWith('#d')")
            assert "<script>" in await page.ask("document.querySelector('h1').textContent")
        assert await page.ask("window.hacked") is None
        assert await page.ask("document.images.length") == 0
        assert_quiet(page, path)


async def test_the_index_sorts(tmp_path, game):
    other = GameLog(game_of("tsumogiri", 12).events)
    logs = [log_file(log, f"{at}.xml") for at, log in enumerate((game, other))]
    found = audit_logs(logs, Job(PlayerSpec.parse("tsumogiri"), seat=0, folder=tmp_path))
    write_folder(tmp_path, found, HOSTILE)
    path = tmp_path / "index.html"
    async with browser() as page:
        await page.open(path.as_uri())
        assert await page.ask("document.querySelectorAll('#games tbody tr').length") == 2
        await page.ask("document.querySelector('#games thead button').click()")
        assert await page.ask("document.querySelector('#games th').getAttribute('aria-sort')") == "ascending"
        assert await page.ask("window.hacked") is None
        assert_quiet(page, path)


async def test_a_habit_opens_its_decisions(tmp_path, game):
    job = Job(PlayerSpec.parse("simple"), seat=2, folder=tmp_path)
    found = audit_logs([log_file(game, "2024-01-31.xml")], job)
    summed = write_folder(tmp_path, found, "")
    habit = summed["habits"][0]
    rows = [row for row in found[0].fields["differences"] if row["situation"] == habit["situation"]]
    items = "document.querySelectorAll('#found li').length"
    async with browser() as page:
        await page.open((tmp_path / "index.html").as_uri())
        every = min(25, summed["score"]["differences"])
        assert await page.ask(items) == every
        await page.click(".habits a")
        await page.until(f"document.querySelector('#f-habit').value === '{habit['kind']}-{habit['situation']}'")
        assert await page.ask(items) == min(25, habit["count"]) <= len(rows)
        assert "2024-01-31" in await page.ask("document.querySelector('#found').textContent")
        await page.ask("const dealer = document.querySelector('#f-dealer'); dealer.click()")
        assert await page.ask(items) <= habit["count"]
        await page.ask("dealer.click()")
        target = await page.ask("document.querySelector('#found a').getAttribute('href')")
        await page.click("#found a")
        await page.until("document.readyState === 'complete' && location.hash.startsWith('#d')")
        assert (await page.ask("location.href")).endswith(target)
        assert not await page.ask("document.querySelector('#v-decisions').hidden")
        assert page.complaints == []


@pytest.mark.parametrize("lang", Lang)
async def test_on_paper_stand_all_differences(tmp_path, fields, lang):
    path = tmp_path / "report.html"
    path.write_text(render_report(fields, lang), encoding="utf-8")
    differences = [row["number"] for row in fields["decisions"] if row["verdict"] == "differs"]
    async with browser() as page:
        await page.open(path.as_uri(), 1280)
        await page.until("document.querySelector('#list button, #list a') !== null")
        assert await page.ask("document.querySelectorAll('#printed tr').length") == 0
        await page.ask("dispatchEvent(new Event('beforeprint')); 0")
        rows = await page.ask("[...document.querySelectorAll('#printed tr')].map((one) => one.textContent)")
        assert len(rows) == len(differences) > 0
        assert all(re.search(r"\u2212[0-9,.]+$", row) for row in rows)
        assert page.complaints == []
