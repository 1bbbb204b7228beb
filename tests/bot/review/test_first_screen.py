"""The first screen of a report: a line, the graph, and the five that cost most, at every size and in full."""

from __future__ import annotations

import re
from functools import partial

import pytest

from bot.deciding.players import PlayerSpec
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.overview import amount, cards, headline, losses, lost_by_hand, match_rate, opinions, rounded_gains
from bot.review.report import render_report
from bot.review.shown import shown_decision
from bot.review.wording import Wording
from bot.wording.languages import Lang
from tests.bot.accessible import faults
from tests.bot.browser import browser, needs_browser
from tests.bot.geometry import DESK, PHONE, PHONES, SIDE, SIZES, WIDE, meeting, missed, outside, shown
from tests.bot.review.games import recording, sample
from tests.tiers import mostly_slow

JUDGE = "value:nodes=1000,call_nodes=500"
LOOKS = [
    (DESK, "light", Lang.EN), (WIDE, "dark", Lang.JA), (PHONE, "light", Lang.JA), (SIDE, "dark", Lang.EN),
    (DESK, "dark", Lang.JA), (WIDE, "light", Lang.EN), (PHONE, "dark", Lang.EN), (SIDE, "light", Lang.JA),
]  # fmt: skip
COVERED = """(() => {
  const found = [], shown = (node) => node.getClientRects().length && getComputedStyle(node).visibility !== 'hidden';
  const name = (node) => `${node.tagName}.${node.getAttribute('class') ?? ''} ${node.textContent.trim().slice(0, 30)}`;
  const folded = '.hidden, details:not([open]) > :not(summary)';
  for (const node of document.querySelectorAll(PARTS)) {
    if (!shown(node) || node.closest(folded)) continue;
    const box = node.getBoundingClientRect(), scrolls = node.closest('.scroll, .list, .detail, .seats');
    const hides = getComputedStyle(node).overflowX !== 'visible';
    if (box.left < -1 || box.right > innerWidth + 1) found.push('beyond the window: ' + name(node));
    if (hides && node.clientWidth && node.scrollWidth > node.clientWidth + 1) found.push('cut off: ' + name(node));
    for (let outer = node.parentElement; outer && !scrolls && outer !== document.body; outer = outer.parentElement) {
      const over = outer.getBoundingClientRect();
      if (box.right <= over.right + 2 && box.left >= over.left - 2) continue;
      found.push(`out of ${name(outer)}: ${name(node)}`);
      break;
    }
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const clips = [document.documentElement, ...document.querySelectorAll('.scroll, .list, .detail, .stage')];
    const limits = clips.filter((one) => one.contains(node)).map((one) => one.getBoundingClientRect());
    if (node.children.length || y > innerHeight || limits.some((one) => y < one.top || y > one.bottom)) continue;
    const top = document.elementFromPoint(x, y);
    if (top && !node.contains(top) && !top.contains(node)) found.push(`covered by ${name(top)}: ${name(node)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window');
  return found;
})()"""
"""A script that finds what is cut off by the window or by what it stands in, and what something else covers."""
PARTS = (
    ".top *:not(.place *), .first :is(h1, h2, p, b, dt, dd, small, label, li, .headline, .head > *, .why, .act, "
    ".named *, .hand .tile, .parts > svg), .detail :is(p, td, th, h3, li, summary), .controls > *, .held .tile, "
    ".held .tag"
)


@pytest.fixture(scope="module")
def argued():
    """A review whose judge states what its values are made of."""
    log = sample()
    return audit_fields(examine(recording(log), 1, partial(PlayerSpec.parse(JUDGE).make, 0)))


def value(text):
    """A figure as it is written."""
    return float(text.replace(",", "").replace("\N{MINUS SIGN}", "-").replace("\N{PLUS SIGN}", ""))


# -- what it says ------------------------------------------------------------------------------------------------------


def test_the_headline_compares_with_other_players_where_that_can_be_done(argued):
    t = Wording.of(argued["policy"], Lang.EN)
    room = {"games": 9, "mean": 1.0, "sd": 1.0, "categories": {}}
    compared = argued | {"reference": {"phoenix": {**room, "percentile": 56}}}
    assert headline(compared, t) == "Better than 56% of phoenix games"
    assert headline(argued | {"reference": {"phoenix": {**room, "percentile": 0}}}, t).startswith("No game counted")
    assert headline(argued, t).endswith("points lost in 100 decisions")
    few = argued | {"score": argued["score"] | {"per_hundred": None}}
    assert headline(few, t).endswith("points lost")
    assert headline(argued | {"score": argued["score"] | {"judged": 0}}, t) == "Nothing was judged"


def test_the_match_rate_counts_what_was_judged():
    score = {"judged": 200, "same": 150, "agreement": 0.84, "blunders": 1, "mistakes": 8}
    t = Wording(Lang.EN)
    assert match_rate({"score": score}, t) == "75% the bot's choice, 84% with equals; 1 blunder, 8 mistakes"
    assert match_rate({"score": score | {"blunders": 0}}, t).endswith("8 mistakes, no blunder")
    assert match_rate({"score": score | {"judged": 0}}, t) == ""


def test_every_sum_adds_up_with_opinion_and_without_it(argued):
    t = Wording.of(argued["policy"], Lang.EN)
    for card in cards(argued, t):
        named = {kind: value(gain) for kind, _, gain in card.named if kind == "opinion"}
        points = sum(value(gain) for kind, _, gain in card.named if kind != "opinion")
        assert points == -value(card.lost.points)
        assert points + named.get("opinion", 0.0) == -value(card.lost.whole)
        assert named.get("opinion", 0.0) == -value(card.lost.opinion or "0")
    whole = amount(argued["score"]["lost"], opinions(argued)[""], t)
    assert value(whole.points) + value(whole.opinion) == value(whole.whole)
    assert sum(value(lost) for _, lost in lost_by_hand(argued, t)) == -value(whole.whole)
    kinds = losses(argued, t)
    assert sum(value(one.whole) for _, _, one in kinds) == pytest.approx(value(whole.whole), abs=len(kinds))
    assert kinds[0][1] == 1.0


def test_what_a_decision_shows_adds_up_to_what_the_overview_says_of_it(argued):
    t = Wording.of(argued["policy"], Lang.EN)
    digits = t.scale.decimals
    for row in argued["decisions"]:
        first, *others = shown_decision(row, {Lang.EN: t})["candidates"]
        assert first["value"] == round(row["candidates"][0]["value"], digits)
        for one in (first, *others):
            assert "parts" not in one or sum(one["parts"].values()) == pytest.approx(one["value"])
        mine = next((one for one in others if one["action"] == row["played"]), None)
        if mine is None or not row["loss"]:
            continue
        assert first["value"] - mine["value"] == pytest.approx(round(row["loss"], digits))
        gains = rounded_gains(row, digits)
        for name in {*first["parts"], *mine["parts"]}:
            assert first["parts"].get(name, 0.0) - mine["parts"].get(name, 0.0) == pytest.approx(gains.get(name, 0.0))


def test_a_card_says_one_sentence_without_the_points_that_its_bar_shows(argued):
    for lang in Lang:
        t = Wording.of(argued["policy"], lang)
        for card in cards(argued, t):
            assert card.why
            assert not re.search(r"[(（][+−]", card.why)  # noqa: RUF001 - as it is written
            assert len(re.findall(r"[.。](?: |$)", card.why.replace("。", "。 "))) == 1


def test_why_a_grade_is_milder_than_its_loss_stands_behind_the_grade_of_a_card(argued):
    t = Wording.of(argued["policy"], Lang.EN)
    (first, *_) = cards(argued, t)
    rows = [
        {**row, "disputed": "search", "grade": "inaccuracy", "loss": 2e3}
        if row["number"] == first.row["number"]
        else row
        for row in argued["decisions"]
    ]
    (mild, *_) = cards({**argued, "decisions": rows}, t)
    assert mild.why == first.why
    assert not first.graded
    assert mild.graded == t("graded_disputed")
    assert f'title="{mild.graded}"' in render_report({**argued, "decisions": rows})


# -- how it looks ------------------------------------------------------------------------------------------------------


async def looked_at(page, path, size, scheme="light", place="overview"):
    await page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    await page.open(f"{path.as_uri()}#{place}", *size)
    await page.until("document.querySelector('#list').children.length > 0")


@pytest.fixture(scope="module")
def pages(argued, tmp_path_factory):
    """The report in both languages."""
    folder = tmp_path_factory.mktemp("reports")
    for lang in Lang:
        (folder / f"{lang}.html").write_text(render_report(argued, lang), encoding="utf-8")
    return {lang: folder / f"{lang}.html" for lang in Lang}


@needs_browser
@mostly_slow(("size", "scheme", "lang"), LOOKS)
async def test_nothing_is_cut_off_or_covered_and_everything_can_be_used(pages, size, scheme, lang):
    async with browser() as page:
        for place in ("overview", "d1", "d36"):
            await looked_at(page, pages[lang], size, scheme, place)
            assert await page.ask(COVERED.replace("PARTS", repr(PARTS))) == [], place
            wrong = await faults(page)
            if place != "overview":  # what scrolls has no place on the screen in whose order focus could go
                wrong = [one for one in wrong if not one.startswith("focus goes")]
            assert wrong == [], place
        assert page.complaints == []


@needs_browser
@mostly_slow("lang", list(Lang))
@mostly_slow("size", [DESK, WIDE, PHONE])
async def test_the_line_the_graph_and_five_cards_are_on_the_first_screen(pages, size, lang):
    async with browser() as page:
        await looked_at(page, pages[lang], size)
        bottoms = await page.ask(
            "['.headline', '.match', '.graph', ...[1, 2, 3, 4, 5].map((at) => `.worst li:nth-child(${at})`)]"
            ".map((one) => Math.ceil(document.querySelector(one).getBoundingClientRect().bottom))"
        )
        assert max(bottoms) <= size[1], bottoms


@needs_browser
async def test_the_tick_takes_opinion_out_of_every_figure(argued, pages):
    t = Wording.of(argued["policy"], Lang.EN)
    shown = "[...document.querySelectorAll('.worst .cost')].map((one) => one.innerText)"
    async with browser() as page:
        await looked_at(page, pages[Lang.EN], DESK)
        found = cards(argued, t)
        assert await page.ask(shown) == [one.lost.whole for one in found]
        await page.click("#opinion")
        assert await page.ask(shown) == [one.lost.points for one in found]
        visible = "[...document.querySelectorAll('.worst .opinion')].some((one) => one.getClientRects().length)"
        assert not await page.ask(visible)


@needs_browser
async def test_the_graph_leads_to_decisions_and_fills_its_height(argued, pages):
    async with browser() as page:
        await looked_at(page, pages[Lang.EN], DESK)
        targets = (
            "[...document.querySelectorAll('.graph .chart:first-child .pin')].map((one) => one.getAttribute('href'))"
        )
        assert sorted(await page.ask(targets)) == sorted(f"#d{number}" for number in argued["turning_points"])
        bands = await page.ask(
            "[...document.querySelectorAll('.graph .chart:first-child polygon')].map((one) =>"
            " one.getAttribute('points').split(' ').map((pair) => pair.split(',').map(Number)))"
        )
        assert len(bands) == 4
        for at, band in enumerate(bands):
            half = len(band) // 2
            assert all(x == other for (x, _), (other, _) in zip(band[:half], band[: half - 1 : -1], strict=True))
            if at:
                assert band[:half] == bands[at - 1][: half - 1 : -1]
        await page.click(".graph .chart:first-child .pin")
        await page.until("!document.querySelector('#v-decisions').hidden")


@needs_browser
async def test_the_keys_do_what_their_list_says(argued, pages):
    numbers, rows = argued["turning_points"], argued["decisions"]
    async with browser() as page:
        await looked_at(page, pages[Lang.EN], DESK)
        await page.press("?")
        listed = await page.ask("[...document.querySelectorAll('#help kbd')].map((one) => one.textContent)")
        assert listed == [
            "1",
            "5",
            "←",
            "→",
            "↑",
            "↓",
            "p",
            "n",
            "Home",
            "End",
            "Enter",
            "Esc",
            "h",
            "d",
            "o",
            "f",
            "?",
        ]
        await page.press("Escape")
        await page.ask("document.querySelector('#help').close()")
        for at, number in enumerate(numbers, 1):
            await page.press(str(at))
            assert await page.ask("location.hash") == f"#d{number}"
        await page.press("h")
        assert await page.ask("document.querySelector('.whole').open")
        await page.press("Escape")
        assert await page.ask("location.hash") == "#overview"
        await page.press("Enter")
        assert await page.ask("location.hash") == f"#d{numbers[0]}"
        hand = next(row["hand"] for row in rows if row["number"] == numbers[0])
        before = [row["number"] for row in rows if row["hand"] == hand - 1]
        await page.press("ArrowUp")
        assert await page.ask("location.hash") == f"#d{before[0]}"
        assert page.complaints == []


@needs_browser
async def test_the_tiles_that_either_discard_gains_are_counted(argued, pages):
    def total(codes):
        return str(sum(int(code[2]) for code in codes))

    def differ(row):
        mine = next((one for one in row["candidates"] if one["action"] == row["played"]), {})
        found = [one.get("facts", {}).get("draws") for one in (row["candidates"][0], mine)]
        return [set(re.findall("...", text)) for text in found] if all(found) and found[0] != found[1] else None

    row = next(row for row in argued["decisions"] if row["verdict"] == "differs" and differ(row))
    theirs, mine = differ(row)
    async with browser() as page:
        await looked_at(page, pages[Lang.EN], DESK, place=f"d{row['number']}")
        await page.click(".gained summary")
        lines = await page.ask(
            "[...document.querySelectorAll('.gained tr')].map((one) => one.querySelector('td').textContent)"
        )
        parts = [part for part in (theirs - mine, mine - theirs, theirs & mine) if part]
        assert lines[: len(parts)] == [total(part) for part in parts]


MELDS = [
    {"kind": "chi", "tiles": "3p4p", "called": "5p", "from": 3},
    {"kind": "pon", "tiles": "7z7z", "called": "7z", "from": 1},
    {"kind": "kakan", "tiles": "2s2s", "called": "2s", "added": "2s", "from": 2},
    {"kind": "ankan", "tiles": "9m9m9m9m"},
]
TILES = """[...document.querySelectorAll('.worst li:first-child .hand .tile')].map((one) => {
  const r = one.getBoundingClientRect(), lying = one.matches('.lying');
  return [lying, ...(lying ? [r.height, r.width] : [r.width, r.height])];
})"""


@pytest.fixture(scope="module")
def melded(argued, tmp_path_factory):
    """The report of a review whose costliest decision has a hand with four melds, two of them kans."""
    worst = argued["turning_points"][0]
    rows = []
    for row in argued["decisions"]:
        table = row["table"] | {"hand": "1m", "drawn": "8s", "melds": [MELDS, *row["table"]["melds"][1:]]}
        rows.append(row | {"table": table, "own_turn": True} if row["number"] == worst else row)
    path = tmp_path_factory.mktemp("melded") / "report.html"
    path.write_text(render_report(argued | {"decisions": rows}, Lang.EN), encoding="utf-8")
    return path


@needs_browser
@mostly_slow("size", SIZES)
async def test_a_hand_with_four_melds_is_whole_on_its_card(melded, size):
    async with browser() as page:
        await looked_at(page, melded, size)
        tiles = await page.ask(TILES)
        assert len(tiles) == 2 + 3 + 3 + 4 + 4
        assert sum(lying for lying, _, _ in tiles) == 4
        narrow, wide = min(width for _, width, _ in tiles), max(width for _, width, _ in tiles)
        assert wide - narrow < 1.5, tiles
        assert narrow > 14
        assert all(height == pytest.approx(width * 4 / 3, abs=1.5) for _, width, height in tiles), tiles
        assert await outside(page, ".worst li:first-child .hand .tile", ".worst li:first-child .card") == []
        assert await meeting(page, ".worst li:first-child .hand .tile", ".worst li:first-child .swap") == []


@needs_browser
@mostly_slow("size", SIZES)
async def test_what_a_hand_waits_on_is_shown_beside_the_bars_and_tags_of_its_tiles(argued, tmp_path, size):
    waiting = {"waits": "3m6m9m4p7p", "furiten": True}
    late = max((row for row in argued["decisions"] if row["own_turn"]), key=lambda row: len(row["table"]["rivers"][0]))
    rows = [row | {"table": row["table"] | waiting} if row is late else row for row in argued["decisions"]]
    path = tmp_path / "report.html"
    async with browser() as page:
        for lang in Lang:
            path.write_text(render_report(argued | {"decisions": rows}, lang), encoding="utf-8")
            await looked_at(page, path, size, place=f"d{late['number']}")
            assert await shown(page, "#mine .waits .tile") >= 5
            hand = "#mine .held .tile, #mine .held i, #mine .held .tag:not(:empty)"
            assert await meeting(page, "#mine .waits, #mine .waits *", hand) == []
            assert await meeting(page, "#mine .waits, #mine .waits *", ".board .lying use, .board .name") == []
            assert await outside(page, "#mine .waits, #mine .waits *", ".stage") == []
            assert await meeting(page, "#mine .held i", ".listing, .board .lying use") == []


TOUCHED = ".top a, .top summary, .top button, .controls button"


@needs_browser
@mostly_slow("size", PHONES)
async def test_a_finger_meets_what_leads_from_place_to_place(pages, size):
    async with browser() as page:
        for place in ("overview", "d1", "method"):
            await looked_at(page, pages[Lang.EN], size, place=place)
            assert await missed(page, TOUCHED) == [], place
            assert await meeting(page, TOUCHED, TOUCHED) == [], place
            assert await outside(page, TOUCHED) == [], place


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("lang", list(Lang))
async def test_the_tables_of_the_overview_fit_a_phone(argued, tmp_path, lang):
    losses = {"lost": 12_345.0, "judged": 100, "differences": 80}
    hands = [hand | {"name": "S4-3", "score": hand["score"] | losses} for hand in argued["hands"]]
    path = tmp_path / "report.html"
    path.write_text(render_report(argued | {"hands": hands}, lang), encoding="utf-8")
    async with browser() as page:
        await looked_at(page, path, PHONE)
        scrolls = "[...document.querySelectorAll('.more .scroll')].filter((one) => one.getClientRects().length"
        assert await page.ask(f"{scrolls} && one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)") == []
        names = "[...document.querySelectorAll('.hands tbody th > *')].map((one) => one.getClientRects().length)"
        assert set(await page.ask(names)) <= {1}


@pytest.mark.slow
@needs_browser
async def test_the_list_of_keys_is_read_from_its_beginning(pages):
    async with browser() as page:
        await looked_at(page, pages[Lang.EN], SIDE)
        await page.press("?")
        assert await page.ask("document.querySelector('#help').scrollTop") == 0
        assert await outside(page, "#help-title") == []
