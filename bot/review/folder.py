"""The folder of many audits: their sums, an index page with plots, and a page for each game."""

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from bot.machine.outputs import Outputs
from bot.machine.text import brief, clean
from bot.page.template import Design, render_page
from bot.review.charts import WINDOW, columns_chart, names_of_games, series_chart
from bot.review.document import Block, Decision, Kept, Room, Score, Totals
from bot.review.habits import (
    WON,
    Situation,
    blocks,
    change,
    costliest,
    kind_of,
    mean,
    rates,
    rates_by_situation,
    summed_choices,
)
from bot.review.luck import without_draws
from bot.review.many import Done
from bot.review.measure import reference
from bot.review.verdicts import Category, score_fields, score_of, standard_error, total
from bot.review.wording import Wording
from bot.wording.languages import Lang

DESIGN: Final = Design("bot.review", "index.html.j2", ("table.js", "index.js"))
INDEX: Final = "index.html"
SERIES_SIZES: Final = ((880, 240), (390, 220))
"""Sizes of the plot of all games: for screens, and for phones."""
COLUMNS_SIZE: Final = (390, 170)
"""Size of the plots of columns."""
CATEGORIES: Final = 5
"""Number of categories in the chart of the value lost; more have no room for their names."""
_FOR_SCRIPT: Final = ("grade_", "cat_", "sit_", "habit_", "listed_", "f_", "turn")
"""Beginnings of the words that the index's script needs."""
MOST: Final = 2_000
"""Number of differences that are listed, the costliest; the page stays below two megabytes."""


def totals(found: Sequence[Done]) -> Totals:
    """The totals of all audits; see the fields of a single audit for the meaning of the names."""
    audits = [done.fields for done in found if done.fields is not None and done.counts]
    scores = [score_of(fields["score"]) for fields in audits]
    hands = [hand for fields in audits for hand in fields["hands"]]
    ended = [hand for hand in hands if hand["ended"]]
    places = [end["placement"] for fields in audits for end in fields["ends"]]
    wins = [change(hand) for hand in ended if hand["outcome"] in WON]
    paid = [-change(hand) for hand in ended if hand["outcome"] == "deal_in"]
    return {
        "games": len(audits),
        "hands": len(hands),
        "failed": sum(bool(done.error) for done in found),
        "again": sum(bool(done.again) for done in found),
        "elsewhere": sum(done.fields is None and not done.error for done in found),
        "policy": audits[0]["policy"] if audits else None,
        "made_by": audits[0]["made_by"] if audits else None,
        "score": score_fields(total(scores), standard_error(scores)),
        "reference": _reference(audits),
        "rules": {"hanchan": _usual(audits)},
        "categories": _by_name([fields["categories"] for fields in audits], Category),
        "situations": _by_name([fields["situations"] for fields in audits], Situation),
        "habits": costliest(fields["habits"] for fields in audits),
        "trend": _trend(audits),
        "placements": {str(place): places.count(place) for place in (1, 2, 3, 4)},
        "mean_placement": mean(places, 2),
        "without_draws": without_draws(audits),
        "rates": rates(ended),
        "rates_by_situation": rates_by_situation(ended),
        "choices": summed_choices(fields["choices"] for fields in audits),
        "mean_win": mean(wins, 0),
        "mean_deal_in": mean(paid, 0),
    }


def _by_name(parts: Sequence[Mapping[str, Score]], members: Iterable[StrEnum]) -> dict[str, Score]:
    """The sums of the scores of each member in all parts."""
    parts_of = {each.value: [score_of(one[each.value]) for one in parts if each.value in one] for each in members}
    return {name: score_fields(total(scores)) for name, scores in parts_of.items() if scores}


def _reference(audits: Sequence[Kept]) -> dict[str, Room]:
    """By room, how its players fare in games of the usual length, and the mean percentile of all these games.

    Each game is compared with those of its own length. Empty if a game cannot be compared.
    """
    usual = [fields["reference"] for fields in audits if fields["rules"]["hanchan"] is _usual(audits)]
    found: dict[str, Room] = {}
    for room in usual[0] if usual and all(fields["reference"] for fields in audits) else ():
        each = [fields["reference"][room]["percentile"] for fields in audits if room in fields["reference"]]
        known = [one for one in each if one is not None]
        found[room] = {**usual[0][room], "percentile": round(fmean(known)) if known else None}
    return found


def _usual(audits: Sequence[Kept]) -> bool:
    """Whether most games are hanchan."""
    return 2 * sum(bool(fields["rules"]["hanchan"]) for fields in audits) >= len(audits)


def _trend(audits: Sequence[Kept]) -> list[Block]:
    """The blocks of games: the numbers of the first and the last, their days, losses, grades, places and rates."""
    found, first = list[Block](), 1
    for games in blocks(audits):
        ended = [hand for game in games for hand in game["hands"] if hand["ended"]]
        days = [game["date"] for game in games if game["date"]]
        scores = [score_of(game["score"]) for game in games]
        score = score_fields(total(scores), standard_error(scores))
        found.append(
            {
                "first": first,
                "last": first + len(games) - 1,
                "games": len(games),
                "days": [days[0], days[-1]] if days else [],
                "per_hundred": score["per_hundred"],
                "error": score["error"],
                "judged": score["judged"],
                "blunders": score["blunders"],
                "mistakes": score["mistakes"],
                "inaccuracies": score["inaccuracies"],
                "mean_placement": mean([end["placement"] for game in games for end in game["ends"]], 2),
                "rates": rates(ended),
            }
        )
        first += len(games)
    return found


def write_folder(
    folder: Path, found: Sequence[Done], name: str, lang: Lang = Lang.EN, outputs: Outputs | None = None
) -> Totals:
    """Write the index; the pages of the games have been written already.

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
    outputs.write(folder / INDEX, render_index(found, summed, name, lang))
    return summed


def render_index(found: Sequence[Done], summed: Totals, name: str, lang: Lang) -> str:
    """The index page."""
    t = Wording.of(summed["policy"], lang)
    audits = [(done, done.fields) for done in found if done.fields is not None and done.counts]
    label = t("rating_by_game_label", n=len(audits), window=WINDOW)
    names = names_of_games([one["date"] for _, one in audits])
    points = [
        (name, one["score"]["per_hundred"], one["score"]["error"]) for name, (_, one) in zip(names, audits, strict=True)
    ]
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
            "decimals": t.scale.decimals,
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
        series=[series_chart(points, label, level, *size) for size in SERIES_SIZES],
        placements=columns_chart(placements, t("placements"), *COLUMNS_SIZE),
        lost=columns_chart(lost, t("lost_by_category"), *COLUMNS_SIZE, t.scale.decimals),
        settings=json.dumps(summed["policy"]["settings"] if summed["policy"] else {}, ensure_ascii=False),
    )


def listed(found: Sequence[Done], t: Wording) -> list[dict[str, Any]]:
    """The costliest differences of all games, costliest first, each with its sentence and the page that shows it."""
    audits = [(done, done.fields) for done in found if done.fields is not None and done.counts]
    names = names_of_games([fields["date"] for _, fields in audits])
    rows = [
        (row, done, fields, name if fields["date"] else fields["log_id"] or fields["source"] or name)
        for name, (done, fields) in zip(names, audits, strict=True)
        for row in fields["differences"]
    ]
    rows.sort(key=lambda one: -(one[0]["loss"] or 0.0))
    return [_listed(*each, t) for each in rows[:MOST]]


def _listed(row: Decision, done: Done, fields: Kept, game: str, t: Wording) -> dict[str, Any]:
    hand = fields["hands"][row["hand"]]
    return {
        "page": f"{done.report}#d{row['number']}" if done.report else "",
        "game": game,
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
