"""The folder of many audits: an index page with totals and plots, two tables as CSV, and a page for each game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bot.audit.charts import columns_chart, series_chart
from bot.audit.many import Done, write
from bot.audit.totals import games_csv, hands_csv, totals
from bot.audit.wording import Wording
from bot.page.template import Design, render_page
from bot.text import brief, clean
from bot.wording.languages import Lang

DESIGN: Final = Design("bot.audit", "index.html.j2", ("index.js",))
GAMES: Final = "games.csv"
HANDS: Final = "hands.csv"
INDEX: Final = "index.html"
SERIES: Final = ((880, 200), (390, 200))
CATEGORIES: Final = 5
"""Number of categories in the chart of the value lost; more have no room for their names."""
COLUMNS: Final = (390, 170)
"""Sizes of plots: of the series for screens and for phones, and of the columns."""


def write_folder(folder: Path, found: Sequence[Done], name: str, lang: Lang = Lang.EN) -> dict[str, Any]:
    """Write the index and the tables; the pages of the games have been written already.

    Args:
        folder: the folder.
        found: all results, in the order in which they are listed.
        name: name of the player, for the title; "" for none.
        lang: language of the index.

    Returns:
        The totals.
    """
    summed = totals(found)
    write(folder / GAMES, games_csv(found))
    write(folder / HANDS, hands_csv(found))
    write(folder / INDEX, render_index(found, summed, name, lang))
    return summed


def render_index(found: Sequence[Done], summed: dict[str, Any], name: str, lang: Lang) -> str:
    """The index page."""
    t = Wording(lang, summed["policy"]["noise"] if summed["policy"] else 0.0)
    audits = [(done, done.fields) for done in found if done.fields is not None and done.counts]
    ratings = [fields["score"]["rating"] for _, fields in audits]
    label = t("rating_by_game_label", n=len(ratings))
    placements = {t(f"place_{place}"): float(count) for place, count in summed["placements"].items()}
    costly = sorted(summed["categories"].items(), key=lambda item: -item[1]["lost"])[:CATEGORIES]
    lost = {t(f"cat_{each}"): one["lost"] for each, one in costly if one["lost"]}
    return render_page(
        DESIGN,
        lang,
        t.words,
        None,
        t=t,
        name=brief(name, 24) or t("games"),
        summed=summed,
        audits=audits,
        failed=[(brief(clean(done.name), 120), done.error) for done in found if done.error],
        series=[series_chart(ratings, label, *size) for size in SERIES],
        placements=columns_chart(placements, t("placements"), *COLUMNS),
        lost=columns_chart(lost, t("lost_by_category"), *COLUMNS, t.decimals),
        settings=json.dumps(summed["policy"]["settings"] if summed["policy"] else {}, ensure_ascii=False),
        csv=(GAMES, HANDS),
    )
