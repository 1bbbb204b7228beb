"""The page of practice: one document, everything inlined."""

from __future__ import annotations

from typing import Any, Final

from bot.audit.wording import words
from bot.page.template import Design, render_page
from bot.wording.languages import Lang, table

DESIGN: Final = Design(
    "bot.practice", "practice.html.j2", ("table.js", "practice.js"), ("page.css", "practice.css"), connects=True
)
_OF_THE_REPORT: Final = (
    "seat_", "wind_", "act_", "c_", "wall", "honba", "sticks", "dora", "furiten", "waits", "offered_by", "bot", "both",
    "turn", "grade_", "resumed_table", "grounds", "played",
)  # fmt: skip
"""Beginnings of the keys of words that the page has in common with the report."""


def practice_page(lang: Lang) -> str:
    """The page as HTML."""
    found = page_words(lang)
    return render_page(DESIGN, lang, found, {"words": found})


def page_words(lang: Lang) -> dict[str, Any]:
    """The labels and sentences of the page in a language."""
    shared = {key: text for key, text in words(lang).items() if key.startswith(_OF_THE_REPORT)}
    return {**shared, **table("bot.practice", "assets/words", lang)}
