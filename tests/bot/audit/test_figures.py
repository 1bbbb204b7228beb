"""A figure of a candidate reaches every page: one that was forgotten on its way is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.page.table import FIGURES, NOT_SHOWN

ROOT = Path(__file__).resolve().parents[3] / "bot"
SCRIPT = (ROOT / "page/assets/table.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FIGURES)
def test_the_ranking_shows_every_figure_but_those_that_are_named(name):
    shown = re.search(rf"\bone\.{name}\b", SCRIPT) is not None
    assert shown is (name not in NOT_SHOWN), f"{name}: a column in ranking() of bot/page/assets/table.js, or NOT_SHOWN"


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("column", sorted(set(re.findall(r'\["(c_\w+)", \(one', SCRIPT))))
def test_every_column_has_its_word_in_the_report(column, lang):
    words = json.loads((ROOT / f"audit/assets/words.{lang}.json").read_text(encoding="utf-8"))
    assert words.get(column), (
        f"{column}: a word in bot/audit/assets/words.{lang}.json; without it the page leaves it out"
    )
