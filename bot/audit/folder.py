"""The folder of many audits: an index page with totals and plots, two tables as CSV, and a page for each game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bot.audit.charts import WINDOW, columns_chart, series_chart
from bot.audit.habits import kind_of
from bot.audit.many import Done
from bot.audit.measure import reference
from bot.audit.totals import games_csv, hands_csv, totals
from bot.audit.wording import Wording
from bot.machine.outputs import Outputs
from bot.machine.text import brief, clean
from bot.page.template import Design, render_page
from bot.wording.languages import Lang

DESIGN: Final = Design("bot.audit", "index.html.j2", ("table.js", "index.js"))
GAMES: Final = "games.csv"
HANDS: Final = "hands.csv"
INDEX: Final = "index.html"
SHARED: Final = (GAMES, HANDS, INDEX)
"""Files of all games together."""
SERIES: Final = ((880, 240), (390, 220))
CATEGORIES: Final = 5
"""Number of categories in the chart of the value lost; more have no room for their names."""
COLUMNS: Final = (390, 170)
"""Sizes of plots: of the series for screens and for phones, and of the columns."""


_FOR_SCRIPT: Final = ("grade_", "cat_", "sit_", "habit_", "listed_", "f_", "turn")
"""Beginnings of the words that the index's script needs."""
MOST: Final = 2_000
"""Number of differences that are listed, the costliest; the page stays below two megabytes."""


def write_folder(
    folder: Path, found: Sequence[Done], name: str, lang: Lang = Lang.EN, outputs: Outputs | None = None
) -> dict[str, Any]:
    """Write the index and the tables; the pages of the games have been written already.

    Args:
        folder: the folder.
        found: all results, in the order in which they are listed.
        name: name of the player, for the title; "" for none.
        lang: language of the index.
        outputs: writes the files, other than those that were given to be read; None: any.

    Returns:
        The totals.
    """
    summed = totals(found)
    outputs = outputs or Outputs("--output", ())
    outputs.write(folder / GAMES, games_csv(found))
    outputs.write(folder / HANDS, hands_csv(found))
    outputs.write(folder / INDEX, render_index(found, summed, name, lang))
    return summed


def render_index(found: Sequence[Done], summed: dict[str, Any], name: str, lang: Lang) -> str:
    """The index page."""
    t = Wording.of(summed["policy"], lang)
    audits = [(done, done.fields) for done in found if done.fields is not None and done.counts]
    label = t("rating_by_game_label", n=len(audits), window=WINDOW)
    points = [(one["date"], one["score"]["rating"], one["score"]["error"]) for _, one in audits]
    level = next(((t.words[f"room_{room}"], one["mean"]) for room, one in summed["reference"].items()), None)
    placements = {t(f"place_{place}"): float(count) for place, count in summed["placements"].items()}
    costly = sorted(summed["categories"].items(), key=lambda item: -item[1]["lost"])[:CATEGORIES]
    lost = {t(f"cat_{each}"): one["lost"] for each, one in costly if one["lost"]}
    return render_page(
        DESIGN,
        lang,
        t.words,
        {
            "words": {key: word for key, word in t.words.items() if key.startswith(_FOR_SCRIPT)},
            "decimals": t.decimals,
            "decisions": listed(found, t),
        },
        t=t,
        known=reference(),
        fields=summed,
        most=MOST,
        name=brief(name, 24) or t("games"),
        summed=summed,
        audits=audits,
        failed=[(brief(clean(done.name), 120), done.error) for done in found if done.error],
        series=[series_chart(points, label, level, *size) for size in SERIES],
        placements=columns_chart(placements, t("placements"), *COLUMNS),
        lost=columns_chart(lost, t("lost_by_category"), *COLUMNS, t.decimals),
        settings=json.dumps(summed["policy"]["settings"] if summed["policy"] else {}, ensure_ascii=False),
        csv=(GAMES, HANDS),
    )


Fields = Mapping[str, Any]


def listed(found: Sequence[Done], t: Wording) -> list[dict[str, Any]]:
    """The costliest differences of all games, costliest first, each with its sentence and the page that shows it."""
    audits = [(done, done.fields) for done in found if done.fields is not None and done.counts]
    rows = [(row, done, fields) for done, fields in audits for row in fields["differences"]]
    rows.sort(key=lambda one: -(one[0]["loss"] or 0.0))
    return [_listed(row, done, fields, t) for row, done, fields in rows[:MOST]]


def _listed(row: Fields, done: Done, fields: Fields, t: Wording) -> dict[str, Any]:
    hand = fields["hands"][row["hand"]]
    return {
        "page": f"{done.report}#d{row['number']}" if done.report else "",
        "game": fields["date"] or fields["log_id"] or fields["source"],
        "hand": t.hand(hand["name"]),
        "turn": row["turn"],
        "kind": kind_of(row),
        "situation": row["situation"],
        "category": row["category"],
        "grade": row["grade"],
        "riichi": row["threatened"],
        "dealer": hand["dealer"] == 0,
        "loss": row["loss"],
        "say": t.decision(row),
    }
