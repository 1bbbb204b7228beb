"""A person's seat at the sizes of two screens and of a phone: all of it is in view, and nothing covers anything."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

from bot.deciding.ask import Question
from engine.model.actions import ActionKind
from engine.model.events import EndGame, Ryuukyoku, Win
from engine.policy.registry import make_policy
from tests.bot.browser import browser, needs_browser
from tests.bot.fed import feed_game
from tests.bot.geometry import meeting, outside, shown
from tests.bot.watch.games import config_for, watched
from tests.bot.watch.pages import assert_quiet
from tests.bot.watch.seats import a_game
from tests.tiers import mostly_slow

pytestmark = needs_browser

SIZES = {"small screen": (1440, 900), "screen": (1920, 1080), "phone": (390, 844), "phone on its side": (844, 390)}
PHONES = ("phone", "phone on its side")
FINISHED = 5
"""Number of games that were played before, in the fuller case."""
WHOLE = (
    "#mine .tile, .answers p, .answers button, .switch, .board .points, .board .name, .board .wind, .indicators use, "
    ".board [data-count], .lying use, .ends button, .ends select"
)
HIDDEN = f"""[...document.querySelectorAll('{WHOLE}')].filter((one) => one.checkVisibility()).filter((one) => {{
  const r = one.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
  const top = document.elementFromPoint(x, y), board = one.closest('.board');
  const inside = r.width && r.x > -.5 && r.y > -.5 && r.right < innerWidth + .5 && r.bottom < innerHeight + .5;
  return !inside || !(board ? board.contains(top) : one.contains(top));
}}).map((one) => one.outerHTML.slice(0, 120))"""
"""What is outside the window or covered: tiles, answers, switches, points, names, winds, indicators, counters."""
MIDDLE = ".board .points, .board .round, .board .quiet, .board .wind, .indicators use"
OVERLAPS = f"""(() => {{
  const boxes = [...document.querySelectorAll('{MIDDLE}')].map((one) => [one, one.getBoundingClientRect()]);
  const shared = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  return boxes.flatMap(([one, a], at) => boxes.slice(at + 1)
    .filter(([, b]) => shared(a, b, 'left', 'right') > 1.5 && shared(a, b, 'top', 'bottom') > 4)
    .map(([other]) => one.textContent + '/' + other.textContent));
}})()"""
"""What lies upon something else in the middle of the table; a line of text is higher than its figures."""
TARGETS = "#mine .pick, .answers button, .switch, .ends button, .ends select"
SMALL = f"""[...document.querySelectorAll('{TARGETS}')].filter((one) => one.checkVisibility())
  .filter((one) => {{ const r = one.getBoundingClientRect(); return r.width < 43.9 || r.height < 43.9; }})
  .map((one) => one.outerHTML.slice(0, 80))"""
"""Targets that a finger misses."""


@asynccontextmanager
async def asked(folder, fits, finished=0, seed=3):
    """A seat with a question at the last moment that fits, after a number of finished games: the page's server."""
    steps = a_game(seed=seed)
    last = max(at for at, (state, _) in enumerate(steps) if state.legal_actions() and fits(state))
    async with asyncio.timeout(300), watched(config_for(folder)) as (server, _):
        server.stage.choose(hints=False, pace="instant")
        for _ in range(finished):
            before = server.stage.open_seat("guest")
            feed_game(before, 2)
            server.stage.close(before)
        feed = server.stage.open_seat("guest", make_advisor=lambda: make_policy("simple"))
        for state, event in steps[: last + 1]:
            feed.happened(state, event)
        state = steps[last][0]
        question = asyncio.create_task(feed.ask(Question(state, tuple(state.legal_actions()), 600.0, 1)))
        yield server
        question.cancel()
        with suppress(asyncio.CancelledError):
            await question


def own_turn(state):
    return state.drawn is not None and len(state.rivers[0]) > 8


def call(state):
    return any(action.kind in {ActionKind.PON, ActionKind.CHI} for action in state.legal_actions())


@mostly_slow("lang", ["en", "ja"])
@mostly_slow("fits", [own_turn, call])
async def test_everything_is_in_view_at_every_size(tmp_path, fits, lang):
    async with asked(tmp_path, fits, FINISHED) as server:
        for size, (width, height) in SIZES.items():
            async with browser() as page:
                await page.open(f"{server.link}?lang={lang}", width, height)
                await page.until("document.querySelector('.answers[data-number]')")
                assert await page.ask(HIDDEN) == [], size
                assert await page.ask(OVERLAPS) == [], size
                assert await meeting(page, TALK, TALK) == [], size
                assert await outside(page, "#waits *, .answers *", ".stage") == [], size
                assert size not in PHONES or await page.ask(SMALL) == [], size
                assert await page.ask("document.documentElement.scrollWidth <= innerWidth"), size
                assert_quiet(page, server.link)


TALK = "#waits > *, .answers b, .answers time, .answer, .switch, #mine .tile, .bar button, .bar select, .bar a"
"""Whose turn it is and for how long, the answers, the waits, the switches, the hand, the bar."""


def furiten(state):
    """A call of somebody whose hand is furiten, of which the page says why."""
    return state.drawn is None and state.furiten and not state.furiten_river


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
async def test_why_a_hand_is_furiten_is_read_beside_its_waits_on_a_phone(tmp_path, lang):
    async with asked(tmp_path, furiten) as server, browser() as page:
        for size in PHONES:
            await page.open(f"{server.link}?lang={lang}", *SIZES[size])
            await page.until("document.querySelector('.answers[data-number]')")
            assert await shown(page, "#waits .waits small"), size
            assert await outside(page, "#waits .waits, #waits .waits *", "#waits") == [], size
            assert await meeting(page, TALK, TALK) == [], size
            assert await meeting(page, "#waits > *", ".board .lying use, .board .name") == [], size


HINT = """(() => {
  const r = document.querySelector('#detail .say').getBoundingClientRect();
  const top = document.elementFromPoint(r.x + 20, r.y + r.height / 2);
  return r.height > 15 && r.y >= 0 && r.right <= innerWidth && Boolean(top.closest('#detail'));
})()"""
"""Whether the first sentence of a hint can be read."""


def can_declare(state):
    """Riichi can be declared, whose answers have the longest names."""
    return any(action.kind is ActionKind.RIICHI for action in state.legal_actions())


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("fits", [own_turn, can_declare, call])
async def test_a_hint_is_in_view_at_every_size_and_covers_nothing(tmp_path, fits, lang):
    async with asked(tmp_path, fits) as server:
        for size, (width, height) in SIZES.items():
            async with browser() as page:
                await page.open(f"{server.link}?lang={lang}", width, height)
                await page.until("document.querySelector('.answers[data-number]')")
                if not await page.ask("document.body.classList.contains('hinted')"):
                    await page.press("6")
                await page.until("document.body.classList.contains('hinted')")
                await page.until("document.querySelector('#detail .say')")
                assert await page.ask(HINT), size
                first = "#detail .ranking tbody tr:first-child"
                assert await outside(page, f"{first} > *, {first} .tile", "#detail") == [], size
                assert await meeting(page, "#detail", ".board .lying use, .answer, #waits > *") == [], size
                assert await page.ask(HIDDEN) == [], size
                assert_quiet(page, server.link)


def early(state):
    return state.drawn is not None and len(state.rivers[0]) == 1


GAINS = """(() => {
  const shown = document.querySelector('.gains');
  if (!shown) return true;
  const r = shown.getBoundingClientRect(), w = document.querySelector('#waits').getBoundingClientRect();
  return r.top > -1 && r.left > -1 && r.bottom < w.bottom + 1 && r.right < w.right + 1;
})()"""
"""Whether what a discard leaves lies within its own place, however many kinds bring the hand nearer."""


@pytest.mark.slow
async def test_what_a_discard_leaves_covers_nothing_however_far_the_hand_is(tmp_path):
    async with asked(tmp_path, early) as server:
        for size, (width, height) in SIZES.items():
            async with browser() as page:
                await page.open(server.link, width, height)
                await page.until("document.querySelector('.answers[data-number]')")
                for at in range(await page.ask("document.querySelectorAll('#mine .pick').length")):
                    await page.ask(f"document.querySelectorAll('#mine .pick')[{at}].focus()")
                    await page.until("document.querySelector('.gains')")
                    assert await page.ask(GAINS), size
                    assert await page.ask(HIDDEN) == [], size


def won(event):
    return isinstance(event, Win)


def drawn(event):
    return isinstance(event, Ryuukyoku)


def over(event):
    return isinstance(event, EndGame)


CUT = """(() => {
  const panel = document.querySelector('#over .panel'), r = panel.getBoundingClientRect();
  const outside = r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight;
  return outside || panel.scrollHeight > panel.clientHeight + 1 || panel.scrollWidth > panel.clientWidth + 1;
})()"""
"""Whether a part of how a hand or a game ended can only be reached by scrolling."""
PARTS_OF_END = (
    ".panel h2, .panel .tile, .panel .yaku li, .panel .fu > *, .panel .worth, .panel :is(th, td), .panel .doing > *"
)
"""What was won and by how much, the rows of points, the buttons."""


@mostly_slow("lang", ["en", "ja"])
@mostly_slow("ends", [won, drawn, over])
async def test_how_a_hand_or_a_game_ended_is_in_view_at_every_size(tmp_path, ends, lang):
    steps = a_game(seed=3)
    last = max((at for at, (_, event) in enumerate(steps) if ends(event)), key=lambda at: length_of(steps[at][1]))
    async with asyncio.timeout(300), watched(config_for(tmp_path)) as (server, _):
        server.stage.choose(pace="instant")
        feed = server.stage.open_seat("guest")
        for state, event in steps[: last + 1]:
            feed.happened(state, event)
        for size, (width, height) in SIZES.items():
            async with browser() as page:
                await page.open(f"{server.link}?lang={lang}", width, height)
                await page.until("document.querySelector('#over .panel')")
                while ends is over and not await page.ask("Boolean(document.querySelector('.panel.ended'))"):
                    await page.press("Enter")  # the end of the last hand comes first
                assert not await page.ask(CUT), size
                await page.until("document.getAnimations().every((one) => one.playState === 'finished')")
                assert await meeting(page, PARTS_OF_END, PARTS_OF_END) == [], size
                assert_quiet(page, server.link)


def length_of(event):
    """How much a page has to say of the end of a hand."""
    return len(event.score.yaku) if isinstance(event, Win) else 0


@pytest.mark.slow
async def test_a_game_that_broke_off_with_the_program_is_said_once(tmp_path):
    kept = "sessionStorage.getItem('oshihiki-unfinished')"
    async with asked(tmp_path, own_turn) as server, browser() as page:
        await page.open(server.link)
        await page.until("document.querySelector('.answers[data-number]')")
        stood = await page.ask(kept)
    async with watched(config_for(tmp_path)) as (server, _), browser() as page:
        await page.open(server.link)
        await page.until("document.querySelector('#said .calm')")
        await page.ask(f"sessionStorage.setItem('oshihiki-unfinished', '{stood}')")
        await page.open(server.link)  # as after the program was started again
        await page.until("document.querySelector('#said [role=alert]')")
        assert await page.ask(kept) is None
        await page.open(server.link)
        await page.until("document.querySelector('#said .calm')")
        assert_quiet(page, server.link)
