"""What moves at a person's table, and when, by the clock of the page, which the test turns."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.deciding.ask import Question
from engine.model.events import Discard, Win
from engine.model.tiles import format_tile, format_tile37
from tests.bot.browser import needs_browser
from tests.bot.watch.seats import AT, a_game, seat, stand_still
from tests.tiers import mostly_slow

pytestmark = needs_browser

SLIDES = """(() => {
  const animate = Element.prototype.animate;
  window.slides = [];
  Element.prototype.animate = function (...given) {
    slides.push(given[1].duration);
    return animate.apply(this, given);
  };
})()"""
"""Keeps how long each slide takes."""
SEEN = "document.querySelectorAll('#over [data-part]:not(.unseen)').length"
PARTS = "document.querySelectorAll('#over [data-part]').length"
WON = 3
"""Seed of a game of which a hand ends with a win."""


def first_discard(steps, dealt):
    """Number of the moment after the first discard of another player."""
    return next(
        at for at, (state, event) in enumerate(steps[dealt:], dealt + 1)
        if isinstance(event, Discard) and event.seat != state.seat
    )  # fmt: skip


@mostly_slow(("pace", "motion", "slides"), [
    ("normal", "no-preference", [120]), ("slow", "no-preference", [120]),
    ("instant", "no-preference", []), ("normal", "reduce", []),
])  # fmt: skip
async def test_a_discard_slides_into_its_river(tmp_path, pace, motion, slides):
    async with seat(tmp_path, pace) as (page, feed, steps, dealt):
        preference = {"name": "prefers-reduced-motion", "value": motion}
        await page.call("Emulation.setEmulatedMedia", features=[preference])
        await page.ask(SLIDES)
        first = first_discard(steps, dealt)
        for state, event in steps[dealt:first]:
            feed.happened(state, event)
        await page.until(f"{AT} === {first} && document.querySelector('.newest')")
        assert await page.ask("slides") == slides


def up_to_a_win():
    """The steps of a game up to its first win, and the parts that the page shows of it: tiles, then the rest."""
    steps = a_game(seed=WON)
    won = next(at for at, (_, event) in enumerate(steps) if isinstance(event, Win))
    return steps[: won + 1]


async def test_a_win_is_shown_part_by_part_and_a_click_shows_all(tmp_path):
    steps = up_to_a_win()
    async with seat(tmp_path, "normal", steps) as (page, feed, _, dealt):
        for state, event in steps[dealt:]:
            feed.happened(state, event)
        await page.until(f"document.querySelector('#over .panel') && {PARTS} > 5")
        parts = await page.ask(PARTS)
        seen = [await page.ask(SEEN)]
        for _ in range(5):
            await page.ask("turn(60)")
            seen.append(await page.ask(SEEN))
        assert seen == [1, 2, 3, 4, 5, 6]  # a tile every 60 ms
        kinds = await page.ask("[...document.querySelectorAll('#over [data-part]')].map((one) => one.dataset.part)")
        assert list(dict.fromkeys(kinds)) == ["tile", "winning", "marks", "yaku", "fu", "worth", "payments"]
        await page.click("#ended")
        assert await page.ask(SEEN) == parts


async def test_points_count_up_to_the_value(tmp_path):
    steps = up_to_a_win()
    points = steps[-1][1].score.points
    shown = "Number(document.querySelector('#over [data-points]').textContent.replace(/[^0-9]/g, ''))"
    async with seat(tmp_path, "normal", steps) as (page, feed, _, dealt):
        for state, event in steps[dealt:]:
            feed.happened(state, event)
        await page.until("document.querySelector('#over .panel')")
        while await page.ask("document.querySelector('.worth').classList.contains('unseen')"):
            await page.ask("turn(60)")
        assert await page.ask(shown) < points
        await page.ask("turn(800)")
        await page.until(f"{shown} === {points}")


async def test_at_the_instant_pace_a_win_is_shown_whole(tmp_path):
    steps = up_to_a_win()
    async with seat(tmp_path, "instant", steps) as (page, feed, _, dealt):
        for state, event in steps[dealt:]:
            feed.happened(state, event)
        await page.until(f"document.querySelector('#over .panel') && {PARTS} > 5")
        assert await page.ask(f"{SEEN} === {PARTS}")


@pytest.mark.slow
async def test_the_hand_begins_at_one_place_through_a_whole_hand(tmp_path):
    place = "(({ x, y, width }) => [x, y, width].join())(document.querySelector('#mine .tile').getBoundingClientRect())"
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        places = {await page.ask(place)}
        for at, (state, event) in enumerate(steps[dealt:-1], dealt + 1):
            feed.happened(state, event)
            await page.until(f"{AT} === {at}")
            asked = None
            if legal := state.legal_actions():
                asked = asyncio.create_task(feed.ask(Question(state, tuple(legal), 600.0, at)))
                await page.until(f"document.querySelector('.answers[data-number=\"{at}\"]')")
            places.add(await page.ask(place))
            if asked is not None:
                asked.cancel()
                with suppress(asyncio.CancelledError):
                    await asked
        assert len(places) == 1


async def test_what_a_discard_gains_is_shown_under_the_pointer(tmp_path):
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        own = next(at for at, (state, _) in enumerate(steps) if at >= dealt and state.drawn is not None)
        for state, event in steps[dealt : own + 1]:
            feed.happened(state, event)
        state = steps[own][0]
        asked = asyncio.create_task(feed.ask(Question(state, tuple(state.legal_actions()), 600.0, 1)))
        await page.until("document.querySelector('#mine .pick')")
        x, y = await page.ask(
            "(({ x, y, width, height }) => [x + width / 2, y + height - 9])"
            "(document.querySelector('#mine .pick').getBoundingClientRect())"
        )
        await page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        await page.until("document.querySelector('#waits .gains')")
        total = await page.ask("Number(document.querySelector('.gains small').textContent.match(/([0-9]+) tile/)[1])")
        left = "Number(one.textContent.match(/[0-9]+/)?.[0] ?? 0)"
        each = await page.ask(f"[...document.querySelectorAll('.gains .kept')].map((one) => {left})")
        assert sum(each) == total > 0
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked


@pytest.mark.slow
async def test_the_kinds_that_make_a_hand_furiten_are_struck_out(tmp_path):
    steps = next(
        found[: last + 1] for seed in range(30) if (found := a_game(seed=seed)) and (last := furiten_by_discard(found))
    )
    state = steps[-1][0]
    own = {format_tile(tile.tile) for tile in state.rivers[0]} & {format_tile37(kind) for kind in state.waits}
    async with seat(tmp_path, "instant", steps) as (page, feed, _, dealt):
        for one, event in steps[dealt:]:
            feed.happened(one, event)
        await page.until(f"{AT} === {len(steps)} && document.querySelector('#waits .waits b')")
        names = "[...document.querySelectorAll('#waits .barred .tile')].map((one) => one.ariaLabel)"
        assert {name.replace("0", "5") for name in await page.ask(names)} == {name.replace("0", "5") for name in own}


def furiten_by_discard(steps):
    """Index of the first moment at which the viewer waits on a kind that it has discarded; None in other games."""
    return next((at for at, (state, _) in enumerate(steps) if state.drawn is None and state.furiten_river), None)


async def test_the_last_seconds_are_marked(tmp_path, monkeypatch):
    low = "document.querySelector('#left')?.classList.contains('low')"
    async with seat(tmp_path, "instant") as (page, feed, steps, dealt):
        await stand_still(page, monkeypatch)
        own = next(at for at, (state, _) in enumerate(steps) if at >= dealt and state.drawn is not None)
        for state, event in steps[dealt : own + 1]:
            feed.happened(state, event)
        state = steps[own][0]
        asked = asyncio.create_task(feed.ask(Question(state, tuple(state.legal_actions()), 60.0, 1)))
        await page.until(f"{low} === false")
        await page.ask("turn(56000)")
        await page.until(low)
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked
