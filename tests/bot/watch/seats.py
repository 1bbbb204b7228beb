"""A person's seat on a page whose clock stands, and the games that are shown there step by step."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

from bot.watch import seat as watch_seat
from engine.model.events import StartKyoku
from tests.bot.browser import browser
from tests.bot.fed import feed_game
from tests.bot.watch.games import config_for, watched
from tests.bot.watch.pages import assert_quiet

CLOCK = """(() => {
  let now = Date.now(), number = 0, waiting = [];
  const later = window.setTimeout;
  Date.now = () => now;
  window.setTimeout = (act, ms = 0) => (ms < 20 ? later(act, ms) : (waiting.push({ at: now + ms, act }), ++number));
  window.turn = (ms) => {
    now += ms;
    const due = waiting.filter((one) => one.at <= now);
    waiting = waiting.filter((one) => one.at > now);
    for (const one of due) one.act();
  };
})()"""
"""Replaces the clock of a page by one that stands, until ``turn(ms)`` moves it."""
AT = "Number(document.querySelector('#where').textContent.match(/([0-9]+)[/]/)?.[1])"
"""Number of the moment that is shown, from one."""


class Written:
    """A game as a seat saw it, to be shown step by step: the state after each event, and the event."""

    def __init__(self):
        self.steps = []

    def happened(self, state, event):
        self.steps.append((state.copy(), event))

    def decided(self, *_):
        pass


def a_game(decisions=None, seed=5):
    """The steps of a game, up to a number of decisions of the viewer."""
    written = Written()
    feed_game(written, decisions, seed=seed)
    return written.steps


def a_hand():
    """The steps of the first hand of a game."""
    steps = a_game(20)
    deals = [at for at, (_, event) in enumerate(steps) if isinstance(event, StartKyoku)]
    return steps[: deals[1] if len(deals) > 1 else None]


@asynccontextmanager
async def seat(folder, pace, steps=None):
    """A person's seat on a page whose clock stands: ``(page, feed, steps)``; all was dealt, and nothing is played."""
    steps = steps or a_hand()
    async with (
        asyncio.timeout(300),
        watched(config_for(folder)) as (server, _),
        browser() as page,
    ):
        feed = server.stage.open_seat("guest")
        server.stage.choose(pace=pace)
        dealt = next(at for at, (_, event) in enumerate(steps) if isinstance(event, StartKyoku)) + 1
        for state, event in steps[:dealt]:
            feed.happened(state, event)
        await page.call("Page.enable")
        await page.call("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)
        await page.open(server.link)
        await page.until(f"{AT} === {dealt}")
        yield page, feed, steps, dealt
        assert_quiet(page, server.link)


async def stand_still(page, monkeypatch):
    """Let the clock of the program stand with that of the page, however long the page took to open."""
    now = await page.ask("Date.now()")
    monkeypatch.setattr(watch_seat, "time", SimpleNamespace(time=lambda: now / 1000))
