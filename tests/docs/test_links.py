"""Whatever a page links to or names as a path is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.shown import BLOCK, PAGES, ROOT

LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:bot|engine|protocol|tests|docs|\.ci)/[\w./-]*)`")
LINKED = [page for page in PAGES if LINK.search(page.read_text(encoding="utf-8"))]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.stem)
def test_a_link_leads_to_a_page_and_to_a_heading_on_it(page):
    for target in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        place, _, anchor = target.partition("#")
        if not place.startswith(("https:", "http:")):
            there = page.parent / place if place else page
            assert there.exists(), target
            assert not anchor or anchor in anchors(there), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_path_that_is_named_exists(page):
    named = set(PATH.findall(page.read_text(encoding="utf-8")))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
