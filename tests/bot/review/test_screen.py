"""The decisions of a report are one screen: at every size the table, the hand and the verdict are in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.review.report import render_report
from bot.wording.languages import Lang
from tests.bot.browser import browser, needs_browser
from tests.tiers import mostly_slow

pytestmark = needs_browser

SAMPLE = Path(__file__).parents[3] / "docs" / "sample-report.html"
DESKTOP = ((1366, 650), (1280, 800), (1920, 1080))
PHONE = (390, 844)
MEASURE = """(() => {
  const found = [], height = document.querySelector('.controls').getBoundingClientRect().top;
  const count = Number(document.querySelector('#where').textContent.split('/')[1]);
  const outside = (selector) => [...document.querySelectorAll(selector)].some((part) => {
    const box = part.getBoundingClientRect();
    return !box.width || box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > height + 1;
  });
  for (let at = 0; at < count; at += 1) {
    const missing = WANTED.filter((selector) => outside(selector));
    const cut = (part) => part.scrollWidth > part.clientWidth + 1;
    if (WIDE && [...document.querySelectorAll('.detail .scroll')].some(cut)) missing.push('columns');
    if (document.documentElement.scrollHeight > innerHeight + 1) missing.push('page');
    if (missing.length) found.push(document.querySelector('#where').textContent + ': ' + missing.join(' '));
    document.querySelector('#b-next').click();
  }
  return [count, found];
})()"""
VERDICT = [".board", ".held", ".held .slot", ".detail .grade", ".detail .say"]
RANKING = [".detail > .scroll thead", ".detail > .scroll .bot", ".detail > .scroll .mine"]


async def measured(path, size, *, desktop, dark=False):
    """The number of decisions, and those of which something is out of view."""
    script = MEASURE.replace("WANTED", str(VERDICT + RANKING * desktop)).replace("WIDE", str(desktop).lower())
    async with browser() as page:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await page.call("Emulation.setEmulatedMedia", features=[scheme])
        await page.open(f"{path.as_uri()}#d1", *size)
        await page.until("document.querySelector('.board') !== null")
        count, found = await page.ask(script)
        assert page.complaints == []
        return count, found


@mostly_slow("size", [DESKTOP[0], PHONE, *(pytest.param(size, marks=pytest.mark.slow) for size in DESKTOP[1:])])
async def test_every_decision_of_the_sample_is_in_view(size):
    count, found = await measured(SAMPLE, size, desktop=size != PHONE)
    assert count > 80
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", [Lang.JA, pytest.param(Lang.EN, marks=pytest.mark.slow)])
@mostly_slow("size", [(1366, 650), PHONE])
async def test_every_decision_of_a_new_report_is_in_view(tmp_path, fields, size, lang):
    path = tmp_path / "report.html"
    path.write_text(render_report(fields, lang), encoding="utf-8")
    count, found = await measured(path, size, desktop=size != PHONE, dark=True)
    assert count == len(fields["decisions"])
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1366, 650), PHONE])
async def test_every_decision_of_four_players_is_in_view(tmp_path, reviews, size):
    path = tmp_path / "report.html"
    path.write_text(render_report(reviews[0], others=reviews[1:]), encoding="utf-8")
    count, found = await measured(path, size, desktop=size != PHONE)
    assert count == len(reviews[0]["decisions"])
    assert not found, "\n".join(found)
