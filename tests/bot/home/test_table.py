"""While a table is made ready, the page shows what is being done, and how far that is."""

from __future__ import annotations

import threading

import pytest

from bot.deciding.players import PlayerSpec, needs_of
from bot.home.place import WORDS
from bot.home.table import OPPONENTS
from bot.machine.errors import InputError
from bot.machine.preparation import Doing, Step
from bot.wording.languages import Lang
from engine.warmup import preparations
from tests.bot.browser import browser, needs_browser
from tests.bot.home.homes import at_home, until

STEPS = (
    Step(Doing.LOADING),
    Step(Doing.COMPILING, "DAG search", "search.dag.search_kernels.solve_graph", 12, 30.0, 90.0),
    Step(Doing.WAITING, "scoring", "scoring.win_kernels.score", 1, 89.0, 90.0),
    Step(Doing.LOADING, "danger by the network", at=6, of=8),
)
SHOWN = (
    "The table is being made ready; the first time this takes a minute.",
    "Being compiled for this machine, once: the search for the best discard (12 parts left).",
    "Another program is compiling what the table needs (1 part left).",
    "Being loaded: the network for dangerous tiles.",
)


@pytest.mark.parametrize("lang", Lang)
def test_everything_that_a_table_needs_has_its_word(lang):
    needs = needs_of(map(PlayerSpec.parse, OPPONENTS)) | {"simulator"}
    assert {f"need_{one.name}" for one in preparations(needs)} <= set(WORDS(lang))
    assert {f"ready_{doing}" for doing in Doing} <= set(WORDS(lang))


@needs_browser
async def test_the_page_shows_what_is_being_made_ready(tmp_path, monkeypatch):
    go_on = threading.Semaphore(0)

    def warm_up(_screen, _needs, on_step):
        for step in STEPS:
            on_step(step)
            go_on.acquire()
        raise InputError("enough")

    monkeypatch.setattr("bot.home.table.warm_up", warm_up)
    async with at_home(tmp_path) as (home, link), browser() as page:
        await page.open(link)
        await page.until("document.querySelector('#name') && !document.querySelector('#sit').hidden")
        await page.until("document.querySelector('#cards section')")
        await page.click("#go")
        for step, shown in zip(STEPS, SHOWN, strict=True):
            await page.until(f"document.querySelector('#seat p')?.textContent === {shown!r}")
            bar = await page.ask("(({ position, max }) => [position, max])(document.querySelector('#seat progress'))")
            assert bar == ([-1, 1] if step.of is None else [step.at / step.of, step.of])
            go_on.release()
        await until(home, lambda run: run["table"]["state"] == "" and run["ready"] is None)
        await page.until("document.querySelector('#seat .notice')?.textContent.includes('enough')")
