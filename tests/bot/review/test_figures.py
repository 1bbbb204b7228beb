"""A figure of a candidate reaches JSON and every page: the place that was forgotten on its way is named."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from bot.page.table import COLUMNS, FIGURES, Form
from engine.policy.decision import Candidate

ROOT = Path(__file__).resolve().parents[3] / "bot"
SCRIPT = (ROOT / "page/assets/table.js").read_text(encoding="utf-8")
NO_FIGURES = {
    "action": "written_candidate writes it as tiles",
    "parts": "written_candidate writes them by name",
    "note": "written_candidate writes it",
    "lean": "the part 'network'",
}
"""Fields of a candidate that are no figures of their own, and where they are written."""


@pytest.mark.parametrize("name", [each.name for each in fields(Candidate) if each.name not in NO_FIGURES])
def test_every_figure_of_a_candidate_has_its_row(name):
    assert name in {each.key for each in FIGURES}, f"{name}: a row of FIGURES in bot/page/table.py"


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("column", [*COLUMNS, "c_gap"])
def test_every_column_has_its_word_in_the_report(column, lang):
    words = json.loads((ROOT / f"review/assets/words.{lang}.json").read_text(encoding="utf-8"))
    assert words.get(column), (
        f"{column}: a word in bot/review/assets/words.{lang}.json; without it the page leaves it out"
    )


@pytest.mark.parametrize("form", Form)
def test_the_script_draws_every_form(form):
    drawn = re.search(r"const FORMS = \{(.*?)\};", SCRIPT)
    assert drawn
    assert f"{form.value}:" in drawn[1] or f'form === "{form.value}"' in SCRIPT, f"{form}: in FORMS of table.js"
