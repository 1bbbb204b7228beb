"""A position by hand on a page: tiles are clicked or pasted, and the answer stands beside them."""

from __future__ import annotations

import pytest

from bot.evaluate.by_hand import WORDS, ByHand, answer_of
from bot.page.loopback import listen
from bot.page.server import PageServer
from bot.wording.languages import Lang
from engine.model.notation import read_tiles37
from tests.bot.accessible import faults
from tests.bot.browser import browser, needs_browser
from tests.bot.geometry import PHONES, SIZES, meeting, missed, outside, shown
from tests.tiers import mostly_slow

POSITION = {"hand": "", "melds": "", "dora": "", "visible": "", "round": "E", "seat": "S", "turn": 6, "against": 0}
ROWS = "document.querySelectorAll('.answer tbody tr').length"


def served():
    return PageServer({"": ByHand()}, listen(0)).serve()


def test_both_languages_have_the_same_words():
    assert list(WORDS(Lang.EN)) == list(WORDS(Lang.JA))


def test_the_tiles_of_unicode_are_read():
    assert read_tiles37("🀇🀏🀐🀘🀙🀡🀀🀃🀆🀅🀄\ufe0f") == read_tiles37("19m19s19p14z567z")


def test_a_hand_is_enough_for_an_answer():
    found = answer_of(POSITION | {"hand": "🀇🀈🀉406p11567s1z5m"})["answer"]
    assert found["hand"] == "1235m406p11567s1z"
    assert found["actions"]
    discards = answer_of(POSITION | {"hand": "123m5566p11567s12z"})["answer"]["actions"]
    assert {one["kind"] for one in discards} == {"discard"}
    assert discards[0]["tile"] in {"1z", "2z"}


def test_true_is_one():
    position = POSITION | {"hand": "123m456p789s1122z5m"}
    found, other = (answer_of(position | {"against": against})["answer"]["actions"] for against in (True, 1))
    assert found == other


@pytest.mark.parametrize(
    "change",
    [{"hand": "11111m"}, {"hand": "x"}, {"hand": "1m"}, {"hand": "123m", "turn": 99}, {"round": "Q", "hand": "1m"},
     {"hand": 5}, {"melds": "12m", "hand": "123m456p789s1z"}],
)  # fmt: skip
def test_what_is_no_position_is_told_in_one_sentence(change):
    assert set(answer_of(POSITION | change)) == {"failed"}


@pytest.mark.slow
@needs_browser
async def test_tiles_are_clicked_and_pasted_and_the_address_keeps_them():
    async with served() as server, browser() as page:
        await page.open(server.link)
        await page.until("document.querySelector('#palette button')")
        for name in ("2m", "3m", "4m", "4p", "0p", "6p", "7p", "3s", "4s", "5s", "8s", "8s", "1z", "1z"):
            await page.click(f"#palette [data-tile='{name}']")
        assert await page.ask("document.querySelectorAll('#chosen button').length") == 14
        await page.until(f"{ROWS} > 5")
        assert await page.ask("document.querySelector('.answer .beside') !== null")
        await page.click("#chosen button")
        await page.until(f"{ROWS} === 1 || document.querySelector('.answer .notice')")
        await page.ask("hand.value = '🀇🀈🀉🀙🀚🀛🀐🀑🀒🀀🀀🀄🀄🀆'; hand.dispatchEvent(new Event('input', { bubbles: true })); 0")
        await page.until(f"{ROWS} > 5")
        assert await page.ask("document.querySelectorAll('#chosen button').length") == 14
        address = await page.ask("location.href")
        await page.ask("hand.value = '11111m'; hand.dispatchEvent(new Event('input', { bubbles: true })); 0")
        await page.until("document.querySelector('.answer .notice')")
        await page.open("about:blank")
        await page.open(address)
        await page.until(f"{ROWS} > 5")
        assert page.complaints == []


@needs_browser
@mostly_slow("lang", list(Lang))
@mostly_slow("size", SIZES)
async def test_the_page_can_be_used_at_every_size(size, lang):
    async with served() as server, browser() as page:
        await page.open(f"{server.link}?lang={lang}", *size)
        await page.until("document.querySelector('#palette button')")
        await page.click("#example")
        await page.until(f"{ROWS} > 5")
        assert await faults(page) == []
        await page.ask("hand.value = '11223m1123789p55z'; hand.dispatchEvent(new Event('input', { bubbles: true })); 0")
        await page.until("/riichi|リーチ/.test(document.querySelector('.answer tbody').textContent)")
        cells = ".answer :is(th, td, th *, td *)"
        assert await shown(page, cells) > 30
        cut = "[...document.querySelectorAll('.answer tr > *')].filter((one) => one.scrollWidth > one.clientWidth + 1)"
        assert await page.ask(f"{cut}.map((one) => one.textContent)") == []
        assert await meeting(page, ".answer tr > :is(th, td)", ".answer tr > :is(th, td) *") == []
        assert await meeting(page, "#position *", "#answer *") == []
        assert await outside(page, cells, "#answer") == []
        if size in PHONES:
            assert await missed(page, "#position button, #position select, #position input[type=text], .into") == []
        assert page.complaints == []
