"""The server of pages under attack: it holds, and a guard that is taken away is seen."""

from __future__ import annotations

import random
import re
from collections import Counter
from contextlib import asynccontextmanager

import pytest

from bot.page import loopback, server
from bot.page.loopback import listen
from bot.page.server import PageServer, Place
from tests.chaos.child import ROOT
from tests.chaos.intruders import ATTACKS, WORDS, Target, attempt
from tests.chaos.pages import storm


class Fragile(Place):
    """A place that hears words alone."""

    def page(self, asked):
        return "<main>" if asked.path == "" else None

    async def talk(self, browser):
        async for said in browser.hear():
            said["do"].strip()


GUARDS = {
    "wrong origin": (server, "foreign", lambda *_: None),
    "forged cookie": (loopback, "_cookies", lambda _: iter(["known"])),
    "wrong host": (loopback, "HOST", "evil.example"),
}
"""By attack, what keeps it off, and what stands in its place."""


@asynccontextmanager
async def fragile():
    """A server whose places fail at a word that is none, and what is known of it."""
    places = dict.fromkeys(("", "watch", "practice", "drop", "hand"), Fragile())
    async with PageServer(places, listen(0)).serve() as pages:
        target = Target(pages.link, (), "/outside")
        target.cookie, target.inside, _ = await target.come_in()
        pages._door._tokens["known"] = None
        yield target


async def attacked(target, name, times):
    count = Counter()
    for number in range(times):
        await attempt(target, name, random.Random(number), count)
    return count


@pytest.mark.parametrize("name", GUARDS)
async def test_a_guard_that_is_taken_away_is_counted(monkeypatch, name):
    async with fragile() as target:
        assert await attacked(target, name, 20) == {"tried": 20, "refused": 20}
        monkeypatch.setattr(*GUARDS[name])
        assert (await attacked(target, name, 20))["gave way"]


async def test_a_place_that_fails_is_counted():
    async with fragile() as target:
        assert (await attacked(target, "wrong words", 3))["gave way"]


async def test_an_answer_with_a_secret_is_counted():
    async with fragile() as target:
        target.secrets = ("Oshihiki",)
        assert (await attacked(target, "wrong host", 20)) == {"tried": 20, "refused": 20}
        assert (await attacked(target, "forged cookie", 1))["gave way"]  # the door has that word


def test_everything_that_a_place_hears_is_tried():
    known = {message.get("do", "") for messages in WORDS.values() for message in messages} - {""}
    heard = {
        word
        for folder in ("home", "watch", "review", "evaluate")
        for path in (ROOT / "bot" / folder).glob("*.py")
        for word in re.findall(r'"do": "(\w+)"', path.read_text(encoding="utf-8"))
    }
    assert known == heard


@pytest.mark.slow
async def test_the_pages_hold_against_intruders():
    stormed = await storm(15.0, 50, 0)
    assert stormed.faults() == []
    assert set(stormed.attacks) == set(ATTACKS)
    assert all(count["refused"] for count in stormed.attacks.values())
