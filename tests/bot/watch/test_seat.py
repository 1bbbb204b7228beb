"""A person's seat in a real browser: whole games by clicks and by keys, with everything in view all the time."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress

import pytest

from bot.deciding.person import Person, Question
from engine.model.actions import ActionKind
from engine.model.tiles import format_tile
from tests.bot.browser import browser, needs_browser
from tests.bot.fed import feed_game
from tests.bot.watch.games import config_for, playing, watched
from tests.bot.watch.pages import assert_quiet

pytestmark = needs_browser

PATIENCE = 300.0
SIZES = {"laptop": (1366, 650), "phone": (390, 844), "small phone": (360, 640)}
LOBBY = {"seats": ["simple", "tsumogiri", "tsumogiri"], "action": 60.0}
"""A lobby in which a person has time."""
RIICHI = 0
"""Seed of a game in which riichi can be declared with several tiles."""
QUESTION = "document.querySelector('.answers[data-number]')"
PANEL = "document.querySelector('#over:not([hidden]) .panel')"
OVER = "document.querySelector('.panel.ended')"
CLICKS = (
    "#answers [data-kind=tsumo]", "#answers [data-kind=ron]", "#answers [data-kind=pon]", "#answers [data-kind=chi]",
    "#answers [data-kind=pass]", "#mine .pick.drawn", "#mine .pick",
)  # fmt: skip
"""What is clicked, the first that is there."""
HIDDEN = """(() => {
  const wanted = [...document.querySelectorAll('#mine .tile, .answers p, .answers button, .board')];
  return wanted.filter((one) => {
    const r = one.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
    const top = document.elementFromPoint(x, y);
    const inside = r.width && r.x > -.5 && r.y > -.5 && r.right < innerWidth + .5 && r.bottom < innerHeight + .5;
    return !inside || !one.contains(top);
  }).map((one) => one.outerHTML.slice(0, 120));
})()"""
"""Tiles of the hand, answers and tables that are outside the window or covered."""


@asynccontextmanager
async def sitting(folder, size=(1280, 800), **more):
    """A game that a person plays in a browser: ``(page, link, season, server)``."""
    config, person = config_for(folder, lobby=LOBBY, **more), Person()
    async with (
        asyncio.timeout(PATIENCE),
        watched(config, person=person) as (server, season),
        browser() as page,
        playing(season),
    ):
        await page.open(server.link, *size)
        yield page, server.link, season, server


async def there(page, *scripts):
    """Whether each is on the page."""
    return await page.ask("[" + ", ".join(f"Boolean({one})" for one in scripts) + "]")


async def click_once(page):
    """Click the first answer there is, and wait until the question is gone."""
    number = await page.ask(f"{QUESTION}.dataset.number")
    while await page.ask(f"{QUESTION}?.dataset.number") == number:  # what has just appeared hears no click
        selector = await page.ask(f"{json.dumps(CLICKS)}.find((one) => document.querySelector(one))")
        with suppress(AssertionError):  # it is gone
            await page.click(selector)
        await asyncio.sleep(0.05)


async def play(page, act, proceed):
    """Answer until the game is over: the number of answers, and the titles of the ends of hands that were shown."""
    answers, ends = 0, []
    while True:
        await page.until(f"{QUESTION} || {PANEL}")
        question, panel, over = await there(page, QUESTION, PANEL, OVER)
        if over:
            return answers, ends
        if panel:
            await page.until("document.querySelector('#over .main')")
            place = await page.ask("document.querySelector('#facts b').textContent")
            ends.append((place, await page.ask("document.querySelector('#ended').textContent")))
            payments = await page.ask("document.querySelectorAll('.payments tr').length")
            assert payments == 4
            number = await page.ask(f"{PANEL}.dataset.place")
            await proceed(page)
            await page.until(f"{PANEL}?.dataset.place !== {number!r}")
        elif question:
            assert await page.ask(HIDDEN) == []
            await act(page)
            answers += 1


async def click_on(page):
    await page.click("#over .main")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_a_whole_game_by_clicks_with_everything_in_view(tmp_path, size):
    again = "[...document.querySelectorAll('.doing button')].find((one) => one.textContent === 'Play again')"
    async with sitting(tmp_path, SIZES[size]) as (page, link, season, _):
        answers, ends = await play(page, click_once, click_on)
        await page.until(f"{QUESTION} === null && document.querySelector('.ending')")
        assert len({place for place, _ in ends}) >= 4
        assert answers > 30
        await page.until(f"Boolean({again})")
        texts = await page.ask("[...document.querySelectorAll('.doing > *')].map((one) => one.textContent)")
        assert texts[0] == "Review this game"
        assert await page.ask("document.querySelector('#controls').hidden")
        await page.ask(f"{again}.id = 'again'")
        await page.click("#again")
        await page.until(QUESTION)  # of the next game
        assert season.tally.late == season.tally.illegal == 0
        assert_quiet(page, link)


ACTIVE = "document.activeElement"


async def press_once(page):
    """Answer by the keyboard: discard what the focus is on, or pass; take what can be taken."""
    number = await page.ask(f"{QUESTION}.dataset.number")
    kinds = await page.ask("[...document.querySelectorAll('#answers .answer')].map((one) => one.dataset.kind)")
    for kind, key in (("tsumo", "t"), ("ron", "w"), ("pon", "p"), ("pass", "x")):
        if kind in kinds:
            await page.press(key)
            break
    else:
        await page.press("ArrowRight" if int(number) % 2 else "ArrowLeft")
        assert await page.ask(f"{ACTIVE}.classList.contains('pick')")
        await page.press("Enter")
    await page.until(f"{QUESTION}?.dataset.number !== {number!r}")


async def press_on(page):
    await page.press("Enter")


@pytest.mark.slow
async def test_a_whole_game_by_the_keyboard_alone(tmp_path):
    async with sitting(tmp_path, SIZES["laptop"]) as (page, link, season, _):
        answers, ends = await play(page, press_once, press_on)
        assert answers > 30
        assert len({place for place, _ in ends}) >= 4
        await page.until("[...document.querySelectorAll('.doing button')].length >= 2")
        assert season.tally.late == season.tally.illegal == 0
        assert_quiet(page, link)


async def answer_until(page, wanted):
    """Click answers until something is on the page."""
    while not (await there(page, wanted))[0]:
        await page.until(f"{QUESTION} || {PANEL} || {wanted}")
        question, panel, found = await there(page, QUESTION, PANEL, wanted)
        if found:
            return
        if panel:
            await click_on(page)
            await page.until(f"!{PANEL}")
        elif question:
            await click_once(page)


@pytest.mark.slow
async def test_the_next_hand_waits_until_the_end_of_the_last_has_been_seen(tmp_path):
    async with sitting(tmp_path) as (page, _, season, server):
        await answer_until(page, PANEL)
        hands, key = season.tally.hands, server.stage.games[0].key
        told = len(server.stage.history.games[key])
        await asyncio.sleep(1.0)
        assert len(server.stage.history.games[key]) == told  # nothing has been dealt
        assert await page.ask("document.querySelectorAll('#over .tile').length") >= 4 or "draw" in await page.ask(
            "document.querySelector('#ended').textContent"
        )
        await click_on(page)
        await page.until(QUESTION)
        assert len(server.stage.history.games[key]) > told
        assert season.tally.hands == hands


@pytest.mark.slow
async def test_switches_answer_and_are_off_again_in_the_next_hand(tmp_path):
    pressed = "[...document.querySelectorAll('.switch[aria-pressed=true]')].map((one) => one.dataset.want)"
    async with sitting(tmp_path) as (page, link, season, _):
        await page.until(QUESTION)
        assert await page.ask(pressed) == ["sort"]
        for want in ("win", "calls", "cut"):
            await page.click(f".switch[data-want={want}]")
            await page.until(f"{pressed}.includes('{want}')")
        await page.until(PANEL)  # the hand is played without a click, except that nothing is drawn after a call
        await click_on(page)
        await page.until(QUESTION)
        assert await page.ask(pressed) == ["sort"]
        before = await page.ask("document.querySelector('#mine').textContent.length")
        await page.press("4")
        await page.until(f"{pressed}.length === 0")
        shown = "[...document.querySelectorAll('#mine .tile')].map((one) => one.ariaLabel).sort().join()"
        unsorted = await page.ask(shown)
        await page.press("4")
        assert await page.ask(shown) == unsorted
        assert before is not None
        assert season.tally.late == season.tally.illegal == 0
        assert_quiet(page, link)


async def test_hints_are_for_those_who_ask_and_for_the_present_position(tmp_path):
    async with sitting(tmp_path) as (page, link, _, server):
        await page.until(QUESTION)
        assert await page.ask("document.querySelector('#detail').textContent") == ""
        await page.click(".switch[data-want=hints]")
        await page.until("document.querySelector('#detail .say')?.textContent.startsWith('The bot would')")
        assert server.stage.history.run["hints"]
        legal = await page.ask("[...document.querySelectorAll('#mine .tile')].map((one) => one.ariaLabel)")
        tiles = await page.ask("[...document.querySelectorAll('.risks th .tile')].map((one) => one.ariaLabel)")
        assert {one.replace("0", "5") for one in tiles} == {one.replace("0", "5") for one in legal}
        assert await page.ask(HIDDEN) == []
        await page.click(".switch[data-want=hints]")
        await page.until("document.querySelector('#detail').textContent === ''")
        assert_quiet(page, link)


class Found(Exception):  # noqa: N818 - no error, but the way out of a game
    """The position that was looked for."""


class UntilRiichi:
    """Passes a game on to a feed until riichi can be declared with several tiles."""

    def __init__(self, feed):
        self.feed = feed

    def happened(self, state, event):
        self.feed.happened(state, event)

    def decided(self, state, _decision, _outcome):
        legal = state.legal_actions()
        if sum(action.kind is ActionKind.RIICHI for action in legal) > 1:
            raise Found(state.copy(), tuple(legal))


async def test_riichi_asks_for_its_tile_and_can_be_taken_back(tmp_path):
    async with (
        asyncio.timeout(PATIENCE),
        watched(config_for(tmp_path)) as (server, _),
        browser() as page,
    ):
        feed = server.stage.open_seat("guest")
        with pytest.raises(Found) as found:
            feed_game(UntilRiichi(feed), seed=RIICHI)
        state, legal = found.value.args
        asked = asyncio.create_task(feed.ask(Question(state, legal, 60.0, 1)))
        await page.open(server.link, *SIZES["laptop"])
        await page.until(QUESTION)
        pickable = "document.querySelectorAll('#mine .pick').length"
        every = await page.ask(pickable)
        await page.click("#answers [data-kind=riichi]")
        await page.until(f"{pickable} < {every}")
        tiles = {format_tile(one.tile) for one in legal if one.kind is ActionKind.RIICHI}
        shown = await page.ask("[...document.querySelectorAll('#mine .pick')].map((one) => one.ariaLabel)")
        assert set(shown) == tiles
        await page.press("x")
        await page.until(f"{pickable} === {every}")
        await page.press("r")
        await page.until(f"{pickable} < {every}")
        await page.stay(200)  # what has just appeared hears no click
        await page.click("#mine .pick")
        answer = await asked
        assert answer.kind is ActionKind.RIICHI
        assert format_tile(answer.tile) == shown[0]
        assert_quiet(page, server.link)
