"""The pace at which a person sees what the others do, measured by the clock of the page, which the test turns."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

import pytest

from bot.deciding.ask import Question
from bot.watch.place import WORDS
from bot.wording.languages import Lang, table
from engine.model.events import Call, Discard, RiichiDeclared
from tests.bot.browser import needs_browser
from tests.bot.watch.seats import AT, seat, stand_still

pytestmark = needs_browser


def after_discards(steps, dealt, count):
    """Number of the moment after the first discard of another player, and the number after ``count`` of them."""
    found = [
        at for at, (state, event) in enumerate(steps[dealt:], dealt + 1)
        if isinstance(event, Discard) and event.seat != state.seat
    ]  # fmt: skip
    return found[0], found[count - 1]


@pytest.mark.parametrize(("pace", "stays"), [("normal", 500), ("slow", 1000)])
async def test_a_discard_of_another_player_stays(tmp_path, pace, stays):
    async with seat(tmp_path, pace) as (page, feed, steps, dealt):
        first, third = after_discards(steps, dealt, 3)
        assert not any(isinstance(event, Call) for _, event in steps[dealt:third])
        for state, event in steps[dealt:third]:
            feed.happened(state, event)
        await page.until(f"{AT} === {first}")
        await page.ask(f"turn({stays - 1})")
        await asyncio.sleep(0.3)
        assert await page.ask(AT) == first
        await page.ask("turn(1)")
        await page.until(f"{AT} > {first}")
        assert await page.ask(AT) < third
        await page.click("#felt .board")  # a click skips
        await page.until(f"{AT} === {third}")


async def test_at_the_instant_pace_nothing_stays(tmp_path):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        _, third = after_discards(steps, dealt, 3)
        for state, event in steps[dealt:third]:
            feed.happened(state, event)
        await page.until(f"{AT} === {third}")


async def test_a_pace_is_chosen_at_the_seat(tmp_path):
    async with seat(tmp_path, "normal") as (page, _, _, _):
        button = ".switch[data-want=pace]"
        assert await page.ask(f"document.querySelector('{button}').textContent") == "pace: normal"
        await page.click(button)
        await page.until(f"document.querySelector('{button}').textContent === 'pace: instant'")
        await page.press("7")
        await page.until(f"document.querySelector('{button}').textContent === 'pace: slow'")


async def test_a_question_that_is_nearly_over_is_shown_at_once(tmp_path, monkeypatch):
    async with seat(tmp_path, "slow") as (page, feed, steps, dealt):
        await stand_still(page, monkeypatch)
        _, third = after_discards(steps, dealt, 3)
        state, _ = steps[third - 1]
        for before, event in steps[dealt:third]:
            feed.happened(before, event)
        asked = asyncio.create_task(feed.ask(Question(state, (), 2.0, 1)))
        await page.until(f"{AT} === {third}")
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked


async def test_a_tile_or_answer_that_has_just_appeared_hears_no_click(tmp_path):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        mine = next(at for at, (state, _) in enumerate(steps) if at >= dealt and state.legal_actions())
        for state, event in steps[dealt : mine + 1]:
            feed.happened(state, event)
        await page.ask(
            "new MutationObserver(() => { const one = document.querySelector('#mine .pick, #answers .answer');"
            " if (one && !window.clicked) { window.clicked = true;"
            " one.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 })); } })"
            ".observe(document.querySelector('#stage'), { childList: true, subtree: true }); 0"
        )
        state = steps[mine][0]
        asked = asyncio.create_task(feed.ask(Question(state, tuple(state.legal_actions()), 60.0, 1)))
        await page.until("window.clicked")
        await page.stay(300)
        assert not asked.done()
        await page.click("#mine .pick, #answers .answer")
        await asked


async def test_more_than_a_minute_is_shown_as_a_clock_shows_it_and_less_in_seconds(tmp_path, monkeypatch):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        await stand_still(page, monkeypatch)
        mine = next(at for at, (state, _) in enumerate(steps) if at >= dealt and state.legal_actions())
        for state, event in steps[dealt : mine + 1]:
            feed.happened(state, event)
        asked = asyncio.create_task(feed.ask(Question(state, tuple(state.legal_actions()), 90.0, 1)))
        left = "document.querySelector('#left')?.textContent"
        await page.until(f"{left} === '1:30'")
        await page.ask("turn(60000)")
        await page.until(f"{left} === '30 s'")
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked


async def test_the_tiles_of_the_kind_under_the_pointer_are_marked(tmp_path):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        for state, event in steps[dealt:]:
            feed.happened(state, event)
        await page.until(f"{AT} === {len(steps)}")
        kinds = (
            "[...document.querySelectorAll('#stage use')].map((one) => one.getAttribute('href').replace('t-0', 't-5'))"
        )
        first = "document.querySelector('#mine .tile')"
        kind = await page.ask(f"{first}.querySelector('use').getAttribute('href').replace('t-0', 't-5')")
        x, y = await page.ask(f"(({{ x, y }}) => [x + 5, y + 5])({first}.getBoundingClientRect())")
        await page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        await page.until("document.querySelector('.alike')")
        marked = "[...document.querySelectorAll('#stage .alike')].map((one) => one.getAttribute('href'))"
        found = [one.replace("t-0", "t-5") for one in await page.ask(marked)]
        assert found
        assert set(found) == {kind}
        assert len(found) == (await page.ask(kinds)).count(kind)


async def test_waits_are_shown_with_the_tiles_left_of_each(tmp_path):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        at = next(at for at, (state, _) in enumerate(steps) if at >= dealt and state.waits and state.drawn is None)
        for state, event in steps[dealt : at + 1]:
            feed.happened(state, event)
        await page.until(f"{AT} === {at + 1} && document.querySelector('.waits')")
        state = steps[at][0]
        left = [state.unseen(kind) for kind in state.waits]
        text = await page.ask("document.querySelector('.waits').textContent")
        assert [int(each) for each in re.findall(r"\u00d7([0-9])", text)] == left


async def test_calls_are_spoken_and_discards_are_not(tmp_path):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        first, _ = after_discards(steps, dealt, 1)
        for state, event in steps[dealt:first]:
            feed.happened(state, event)
        await page.until(f"{AT} === {first}")
        assert await page.ask("document.querySelectorAll('.bubble').length") == 0
        state, _ = steps[first - 1]
        feed.happened(state, RiichiDeclared(1))
        await page.until("document.querySelector('.bubble')?.textContent === 'riichi'")


HEARD = """(() => {
  const nothing = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const node = () => ({ frequency: {}, gain: nothing, connect: (to) => to, stop() {}, start() { window.heard.push(this.frequency.value); } });
  window.heard = [];
  window.AudioContext = class { constructor() { this.currentTime = 0; this.createOscillator = this.createGain = node; } };
})()"""  # noqa: E501 - a script
"""Replaces what a browser plays by a list of the tones."""


async def test_riichi_is_heard_once_by_whom_sounds_were_chosen(tmp_path):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        await page.ask(f"{HEARD}; 0")
        state, _ = steps[dealt - 1]
        feed.happened(state, RiichiDeclared(1))
        await page.until("document.querySelector('.bubble')")
        assert await page.ask("heard") == []
        await page.click(".switch[data-want=sound]")
        await page.until("heard.length === 1")  # how it sounds
        feed.happened(state, RiichiDeclared(2))
        await page.until("heard.length === 3")
        await page.ask("dispatchEvent(new Event('resize')); 0")
        assert await page.ask("heard") == [660, 784, 1047]


@pytest.mark.parametrize("lang", Lang)
def test_an_answer_names_its_tiles_in_the_words_of_a_review(lang):
    words, review = WORDS(lang), table("bot.review", "assets/words", lang)
    actions = [key for key in review if key.startswith("act_")]
    assert "act_chi" in actions
    assert [words[key] for key in actions] == [review[key] for key in actions]
