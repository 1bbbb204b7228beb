"""The page and the text of one audit: they hold everything, and nothing from outside gets through."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from bot.page.tile_art import sprite
from bot.review.fields import audit_fields
from bot.review.report import dora_of, marked_hand, render_report, render_summary, viewer_link
from bot.wording.languages import Lang
from protocol.logs.game_log import GameLog
from tests.bot.review.games import audit_of

HOSTILE = "{{7*7}}</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'\x1b[31m\u202e{{7*7}}"


def test_every_tile_is_drawn():
    names = {attributes["id"] for tag, attributes in Elements(sprite()).found if tag == "symbol"}
    tiles = {f"t-{n}{suit}" for suit in "mps" for n in range(10)} | {f"t-{n}z" for n in range(1, 8)}
    assert names == tiles | {"t-back", "t-standing"}
    assert "<text" not in sprite()  # no font is needed


@pytest.mark.parametrize("lang", list(Lang))
def test_the_page_lets_nothing_else_run_or_load(fields, lang):
    page = render_report(fields, lang)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1].replace("&#39;", "'")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(text) == 1
        digest = base64.b64encode(hashlib.sha256(text[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", page)
    assert "style=" not in re.sub(r"<style>.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL)


def data_of(page):
    """What the page's script reads."""
    packed = re.search(r'<script type="application/zlib" id="data">([A-Za-z0-9+/=]+)</script>', page)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_the_page_holds_every_decision(fields):
    (data,) = data_of(render_report(fields))["seats"]
    assert data["decisions"]["number"] == [row["number"] for row in fields["decisions"]]


def test_a_room_in_which_a_kind_of_decision_was_never_counted_has_a_dash(fields):
    room = {"games": 200, "percentile": 40, "mean": 96.0, "sd": 30.0, "categories": {}}
    row = '</td><td class="n">\u2014</td><td class="n">'
    table = (
        render_report({**fields, "reference": {"phoenix": room}})
        .split("By kind of decision</h2>")[1]
        .split("</table>")[0]
    )
    assert all(row in line for line in table.splitlines() if line.startswith('<tr><th scope="row">'))


def test_the_page_says_words_only(fields):
    for lang in Lang:
        page = render_report(fields, lang)
        assert "built-in" not in page
        assert "None" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def test_the_pages_are_small(reviews):
    """A hanchan has about twice as many decisions as this game; its page may have 350 kB."""
    assert len(render_report(reviews[2]).encode()) < 200_000
    assert len(render_report(reviews[0], others=reviews[1:]).encode()) < 250_000


def test_the_page_of_four_players_holds_the_decisions_of_each(reviews):
    page = render_report(reviews[2], Lang.JA, (reviews[3], reviews[0], reviews[1]))
    data = data_of(page)
    numbers = [one["decisions"]["number"] for one in data["seats"]]
    assert numbers == [[row["number"] for row in reviews[seat]["decisions"]] for seat in (2, 3, 0, 1)]


def hostile(game):
    start = replace(game.start, names=(HOSTILE, HOSTILE, HOSTILE, HOSTILE))
    info = replace(game.info, log_id=HOSTILE, rule_name=HOSTILE)
    return GameLog((start, *game.events[1:200]), info, f"/x/{HOSTILE}.xml")


@pytest.fixture(scope="module")
def hostile_fields(game):
    return audit_fields(audit_of(hostile(game), 2))


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_hostile_text_stays_text(hostile_fields, fields):
    page = render_report(hostile_fields)
    found, harmless = Elements(page).found, Elements(render_report(fields)).found
    assert {tag for tag, _ in found} == {tag for tag, _ in harmless}
    assert sum(tag == "script" for tag, _ in found) == 2
    names = {name for _, attributes in found for name in attributes}
    assert names == {name for _, attributes in harmless for name in attributes}
    assert not any(name.startswith("on") for name in names)
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in page
    assert '<h1 class="hidden">{{7*7}}&lt;' in page  # no template reads it again
    assert page.count("</script>") == 2


def test_the_summary_cannot_steer_a_terminal(hostile_fields):
    text = render_summary(hostile_fields)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2063]", text)


def test_anonymous(game):
    found = audit_fields(audit_of(hostile(game), 2, "tsumogiri"), anonymous=True)
    assert "alert" not in json.dumps(found)
    assert "alert" not in render_report(found)
    assert "alert" not in json.dumps(data_of(render_report(found)))


def test_every_tile_of_an_own_turn_has_its_danger(fields):
    for row in fields["decisions"]:
        tiles = re.findall(r"([0-9][mpsz])([0-9]{9})", row["danger"])
        assert "".join(map("".join, tiles)) == row["danger"]
        held = row["table"]["hand"] + (row["table"]["drawn"] or "")
        kinds = {held[at : at + 2].replace("0", "5") for at in range(0, len(held), 2)}
        assert {tile for tile, _ in tiles} == (kinds if row["own_turn"] else set())


def test_the_dora_of_the_hand_are_marked(fields):
    marks = [each for row in fields["decisions"] for each in marked_hand(row)]
    assert any("dora" in mark for _, mark in marks)
    assert dora_of("9m0p4z7z") == {"1m", "6p", "1z", "5z"}


def test_only_a_game_of_tenhou_has_a_link_to_its_viewer(fields):
    assert viewer_link(fields) == ""
    played = fields | {"log_id": "2022011100gm-00a9-0000-8c9aff0e", "seat": 2}
    assert viewer_link(played) == "https://tenhou.net/0/?log=2022011100gm-00a9-0000-8c9aff0e&tw=2&ts="
    assert viewer_link(played | {"log_id": "2022011100gm-00a9-0000-8c9aff0e&x=\"'"}) == ""
