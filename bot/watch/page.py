"""The live page itself: one document, everything inlined, in every language at once."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from bot.audit.wording import words
from bot.page.template import Design, render_page
from bot.wording.languages import Lang, table

DESIGN: Final = Design(
    "bot.watch", "live.html.j2", ("table.js", "ends.js", "seat.js", "live.js"), ("page.css", "live.css"), connects=True
)
_OF_THE_REPORT: Final = (
    "seat_", "wind_", "act_", "c_", "wall", "honba", "sticks", "dora", "furiten", "waits", "offered_by", "bot", "both",
    "turn", "mode_", "unit_", "place_", "hanchan", "tonpu", "points", "result", "player", "resumed_table",
    "han_fu", "limit_", "grade_", "ver_", "played", "close", "keys_title",
)  # fmt: skip
"""Beginnings of the keys of words that the page has in common with the report."""


@cache
def live_page() -> str:
    """The page as HTML."""
    return render_page(DESIGN, Lang.EN, page_words(Lang.EN), {"words": {lang.value: page_words(lang) for lang in Lang}})


def page_words(lang: Lang) -> dict[str, Any]:
    """The labels and sentences of the page in a language."""
    shared = {key: text for key, text in words(lang).items() if key.startswith(_OF_THE_REPORT)}
    return {**shared, **table("bot.watch", "assets/words", lang)}
