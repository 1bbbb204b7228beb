"""Makes the sample report and the pictures of the documentation: ``python -m tests.docs.pictures [sample audit …]``.

It takes a browser, Noto Sans CJK for Japanese, and some minutes. The games are of policies under made-up names: the one
of the sample lies in ``docs/examples/sample.xml``.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bot.commands.watch import Watched
from bot.config import build
from bot.deciding.person import Person
from bot.home.place import Home
from bot.page.loopback import listen
from bot.review.learner import Learner
from bot.review.measure import Grade
from bot.review.questions import read_questions
from bot.watch.place import page_of
from engine.arena import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.bot.browser import browser
from tests.bot.entering import line
from tests.bot.home.homes import drop
from tests.bot.review.practising import practising
from tests.bot.watch.games import config_for, playing, watched

DOCS = Path(__file__).parents[2] / "docs"
LOG = DOCS / "examples" / "sample.xml"
SAMPLE = DOCS / "sample-report.html"
SEAT = 1
NAMES = ("Aoi", "Haru", "Ren", "Yui")
OSHIHIKI = Path(sys.executable).with_name("oshihiki")
GAMES = 14
"""Number of games in the index."""
FEW = 4
"""Number of games on the page with five places."""
SPEAK = "(one => {{ one.value = '{}'; one.dispatchEvent(new Event('change')); }})(document.querySelector('#language'))"
DESK, DOOR, PHONE = (1366, 768), (1366, 650), (390, 844)
MISTAKE = 69
"""The decision of the sample that is shown."""


def audited(*arguments):
    """Run ``oshihiki audit``."""
    subprocess.run([OSHIHIKI, "audit", *map(str, arguments)], check=True)  # noqa: S603 - our own program


def game(seed):
    """A game of a player that is quick and three that imitate strong ones."""
    players = [
        make_policy("flow", 1) if seat == SEAT else make_policy("phoenix", 40 * seed + seat) for seat in range(4)
    ]
    log = GameLog(play_game(players, TONPU, seed).events)
    return replace(log, events=(replace(log.start, names=NAMES), *log.events[1:]))


@asynccontextmanager
async def opened(link, size, *, dark=False):
    """A page in a browser."""
    async with browser() as page:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await page.call("Emulation.setEmulatedMedia", features=[scheme])
        await page.open(link, *size)
        await asyncio.sleep(0.3)
        yield page
        assert page.complaints == []


async def shown(name, link, size, *keys, dark=False):
    """A picture of a page, after some keys."""
    async with opened(link, size, dark=dark) as page:
        for key in keys:
            await page.press(key)
        await asyncio.sleep(0.2)
        await page.picture(DOCS / f"{name}.png")


async def sample(_folder):
    """The sample report."""
    audited(LOG, "--seat", SEAT, "--policy", "value", "-o", SAMPLE)


async def audit(folder):
    """A report: overview and decisions, light, dark, on a phone, in Japanese."""
    japanese = folder / "japanese.html"
    audited(LOG, "--seat", SEAT, "--policy", "value", "--lang", "ja", "-o", japanese)
    english = SAMPLE.as_uri()
    await shown("audit-overview", english, DESK)
    await shown("audit-decision", f"{english}#d{MISTAKE}", DESK)
    await shown("audit-dark", f"{english}#d{MISTAKE}", DESK, "t", dark=True)
    await shown("audit-phone", f"{japanese.as_uri()}#d{MISTAKE}", PHONE)
    await shown("audit-japanese", japanese.as_uri(), DESK)


async def index(folder):
    """The index of many games, and practice."""
    logs, review = folder / "games", folder / "review"
    logs.mkdir()
    for seed in range(GAMES):
        (logs / f"2026-11-{1 + seed // 2:02}-{seed}.xml").write_text(write_log(game(seed), "mjlog"), encoding="utf-8")
    audited(logs, "--seat", NAMES[SEAT], "-o", review)
    await shown("audit-index", (review / "index.html").as_uri(), (1280, 1400))
    questions, _ = read_questions([review], Grade.INACCURACY)
    async with (
        practising(questions, Learner(folder), 20) as server,
        opened(server.link, DESK) as page,
    ):
        await page.until("document.querySelector('[data-choice]') !== null")
        await page.click("[data-choice]")
        await page.until("document.querySelector('#verdict') !== null")
        await page.picture(DOCS / "practice.png")


async def home(folder):
    """The five places of ``oshihiki open``, with some games reviewed; one on a phone, in Japanese and in the dark."""
    config = build({"record": {"folder": str(folder / "records")}}, "pictures")
    place = Home(config, folder / "reviews", fetched=folder / "fetched")
    async with place.serve(listen(0)) as server:
        games = [(f"2026-11-{1 + 3 * seed:02}.xml", write_log(game(seed), "mjlog").encode()) for seed in range(FEW)]
        await drop(server.link, *games)
        async with line(server.link) as socket:
            await socket.send(json.dumps({"do": "review", "name": NAMES[SEAT]}))
            async for _ in socket:
                if len(place.history.run.get("reviews", ())) == FEW:
                    break
            await socket.send('{"do": "clear"}')
        async with opened(f"{server.link}?lang=en", DOOR) as page:
            await page.until("document.querySelector('.reviews tbody tr')")
            for name in ("play", "review", "practice", "watch", "results"):
                await page.ask(f"location.hash = '{name}'; 0")
                await asyncio.sleep(0.3)
                await page.ask("scrollTo(0, document.querySelector('#reviews').offsetTop - 60)")
                await page.picture(DOCS / f"home-{name}.png")
        async with opened(f"{server.link}?lang=ja#review", PHONE, dark=True) as page:
            await page.until("document.querySelector('.reviews tbody tr')")
            await page.picture(DOCS / "home-phone.png")


async def watch(folder):
    """The live page, following a game, and a log with its review."""
    config = config_for(folder, "value", lobby={"seats": ["phoenix"] * 3})
    async with (
        watched(config, pace=0.2) as (server, season),
        opened(server.link, DESK) as page,
        playing(season),
    ):
        await page.until("/turn (9|1[0-2])(?!\\d)/.test(document.querySelector('#facts').textContent)", 300)
        await page.press("p")
        await page.until("document.querySelector('.ranking') !== null")
        await asyncio.sleep(0.5)
        await page.picture(DOCS / "watch.png")
        await page.ask(SPEAK.format("ja"))
        await asyncio.sleep(0.3)
        await page.picture(DOCS / "watch-ja.png")
        size = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True}
        await page.call("Emulation.setDeviceMetricsOverride", **size)
        await asyncio.sleep(0.3)
        await page.picture(DOCS / "watch-phone.png")
        size = {"width": DESK[0], "height": DESK[1], "deviceScaleFactor": 1, "mobile": False}
        await page.call("Emulation.setDeviceMetricsOverride", **size)
        dark = {"name": "prefers-color-scheme", "value": "dark"}
        await page.call("Emulation.setEmulatedMedia", features=[dark])
        await page.ask(SPEAK.format("en"))
        await asyncio.sleep(0.3)
        await page.picture(DOCS / "watch-dark.png")


async def log(_folder):
    """A log with its review beside the table."""
    async with page_of(list) as server, opened(server.link, DESK) as page:
        showing = asyncio.create_task(Watched(str(LOG), SEAT).show(server.stage))
        await page.until("document.querySelector('.said li')")
        await page.press("n")
        await page.until("document.querySelector('.beside button')")
        await page.click(".beside button")
        await page.until("document.querySelector('.grade .badge')", 600)
        for _ in range(4):
            await page.press("n")
        await page.until("document.querySelector('.grade .badge').textContent.includes('\\u2212')")
        await page.picture(DOCS / "watch-review.png")
        showing.cancel()


async def seat(folder):
    """The seat of a person, and the end of a hand."""
    person = Person()
    config = config_for(folder, lobby={"seats": ["phoenix"] * 3, "action": 60.0})
    question = "document.querySelector('.answers[data-number]')"
    panel = "document.querySelector('#over:not([hidden]) .panel')"
    async with (
        watched(config, person=person) as (server, season),
        opened(server.link, DESK) as page,
        playing(season),
    ):
        for turn in range(400):
            await page.until(f"{question} || {panel}", 120)
            if await page.ask(f"Boolean({panel})"):
                break
            if turn == 6:
                await page.picture(DOCS / "seat.png")
            number = await page.ask(f"{question}.dataset.number")
            wanted = ["tsumo", "ron", "pass"]
            found = [f"#answers [data-kind={each}]" for each in wanted] + ["#mine .pick.drawn", "#mine .pick"]
            await page.ask(f"{found}.map((one) => document.querySelector(one)).find(Boolean).click()")
            await page.until(f"{question}?.dataset.number !== '{number}'", 60)
        await asyncio.sleep(0.5)
        await page.picture(DOCS / "seat-end.png")


ALL = {made.__name__: made for made in (sample, audit, index, home, watch, log, seat)}


async def main(wanted):
    for name in wanted or ALL:
        with tempfile.TemporaryDirectory() as folder:
            await ALL[name](Path(folder))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
