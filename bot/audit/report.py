"""The report of one audit: a single HTML page that needs nothing but a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from bot.audit.charts import lost_chart, places_chart
from bot.audit.judging import confirmed
from bot.audit.ledger import folds
from bot.audit.measure import POINTS, reference
from bot.audit.wording import Wording
from bot.page.template import Design, render_page
from bot.wording.grounds import note_word
from bot.wording.languages import Lang
from bot.wording.numbers import number
from engine.model.seats import by_score
from engine.model.tiles import DORA_AFTER, PLAIN37, format_tile37, parse_tiles37
from engine.policy.grounds import Note
from protocol.logs.game_log import LOG_ID

_is_log_id: Final = re.compile(LOG_ID).fullmatch
DESIGN: Final = Design("bot.audit", "report.html.j2", ("table.js", "report.js"))
WIDE: Final = (880, 230)
NARROW: Final = (390, 230)
"""Sizes of a chart: for screens, and for phones."""

Fields = Mapping[str, Any]


def render_report(fields: Fields, lang: Lang = Lang.EN, others: Sequence[Fields] = ()) -> str:
    """The page of an audit whose fields come from :func:`bot.audit.fields.audit_fields`.

    Args:
        fields: the audit that is shown first.
        lang: language of the page.
        others: audits of the other seats of the same game, between which the page can switch.
    """
    views = [_view(each, lang) for each in (fields, *others)]
    return render_page(
        DESIGN,
        lang,
        views[0]["t"].words,
        {"words": _script_words(views[0]["t"]), "seats": [report_data(view["fields"], view["t"]) for view in views]},
        deflated=len(views) > 1,
        views=views,
        marked=marked_hand,
        order=lambda end: by_score(end["scores"]),
    )


def _view(fields: Fields, lang: Lang) -> dict[str, Any]:
    """What the template needs of one seat."""
    wording = Wording.of(fields["policy"], lang)
    fields = wording.localised(fields)
    label = wording("chart_label", decisions=fields["score"]["decisions"], lost=wording.amount(fields["score"]["lost"]))
    return {
        "t": wording,
        "fields": fields,
        "rows": {row["number"]: row for row in fields["decisions"]},
        "names": player_names(fields, wording),
        "charts": [lost_chart(fields, label, *size) for size in (WIDE, NARROW)],
        "places": _places(fields, wording),
        "settings": json.dumps(fields["policy"]["settings"], ensure_ascii=False),
        "known": reference(),
        "most": max([one["lost"] for one in fields["categories"].values()] or [0.0]),
    }


def _places(fields: Fields, wording: Wording) -> list[Markup]:
    """The charts of the chances of the final places: before each hand, and after the last."""
    known = [hand for hand in fields["hands"] if hand["before"]]
    if not known:
        return []
    names = [hand["name"] for hand in known]
    chances = [hand["before"]["places"] for hand in known]
    if known[-1]["after"]:
        names.append(wording("end"))
        chances.append(known[-1]["after"]["places"])
    return [places_chart(names, chances, wording("places_title"), *size) for size in (WIDE, NARROW)]


def viewer_link(fields: Fields) -> str:
    """The address of the game in tenhou.net's viewer, from the seat's side; empty unless it was played there.

    The number of a hand follows it.
    """
    if not _is_log_id(fields["log_id"]):
        return ""
    return f"https://tenhou.net/0/?log={fields['log_id']}&tw={fields['seat']}&ts="


def report_data(fields: Fields, wording: Wording) -> dict[str, Any]:
    """The data for the page's script: the decisions of one seat, each with its sentences."""
    unit = fields["policy"]["unit"]
    decisions = [
        {
            **{name: row[name] for name in _ROW},
            "say": wording.decision(row),
            "judges": wording.judges(row, fields),
            "confirmed": bool(row.get("judges")) and confirmed([row])["all"] > 0,
            "mode": wording.mode(row["mode"]),
            "grounds": [wording.ground(each) for each in row["grounds"]],
            "points": number(row["noise"] / row["per_point"]) if unit != POINTS and row["per_point"] else "",
            "candidates": [_packed(one, wording) for one in row["candidates"]],
        }
        for row in fields["decisions"]
    ]
    return {
        "names": player_names(fields, wording),
        "decimals": wording.decimals,
        "unit": wording.unit(unit),
        "viewer": viewer_link(fields),
        "hands": [{name: hand[name] for name in _HAND} for hand in fields["hands"]],
        "decisions": decisions,
    }


def _script_words(wording: Wording) -> dict[str, str]:
    """The words that the script needs."""
    needed = (
        "seat_", "wind_", "act_", "ver_", "c_", "f_count", "f_none", "wall", "honba", "sticks", "dora", "furiten",
        "waits", "offered_by", "bot", "played", "both", "turn", "grounds", "mode", "resumed_table", "cat_", "hand",
        "danger_", "viewer", "too_old", "grade_",
    )  # fmt: skip
    return {key: text for key, text in wording.words.items() if key.startswith(needed)}


def shown_candidate(candidate: Fields, wording: Wording) -> dict[str, Any]:
    """A candidate as pages show it, its note in words; of a fold without the chance to win, which is that of a push."""
    left_out = {"p_win", "win_points"} if folds(candidate) else set()
    shown = {name: value for name, value in candidate.items() if name not in left_out}
    return shown | ({"note": note_word(Note(shown["note"]), wording.lang)} if "note" in shown else {})


def _packed(candidate: Fields, wording: Wording) -> list[Any]:
    """A candidate as the script reads it: kind, tile and own tiles of the action, then its figures in order."""
    candidate = shown_candidate(candidate, wording)
    action = candidate["action"]
    values = [action["kind"], action.get("tile"), action.get("own"), *(candidate.get(name) for name in _FIGURES)]
    values.append(candidate.get("note"))
    while values[-1] is None:
        values.pop()
    return values


_FIGURES: Final = (
    "value", "p_win", "p_deal_in", "expected_loss", "shanten", "ukeire", "prior", "lean", "win_points", "p_later",
)  # fmt: skip
"""Figures of a candidate, in the order in which ``report.js`` reads them."""
_ROW: Final = (
    "number", "hand", "turn", "event", "own_turn", "played", "chosen", "verdict", "grade", "category", "threatened",
    "loss", "noise", "table", "truth", "danger",
)  # fmt: skip
"""Fields of a decision that the page shows as they are."""
_HAND: Final = ("name", "honba", "dealer")
"""Fields of a hand that the script needs."""


def player_names(fields: Fields, wording: Wording) -> list[str]:
    """The names, or substitutes for empty ones."""
    return [
        name or (wording.who(seat) if seat else wording("player_n", n=fields["seat"] + 1))
        for seat, name in enumerate(fields["names"])
    ]


def marked_hand(row: Fields) -> list[tuple[str, str]]:
    """The tiles of a decision's hand, each with its roles: ``mine`` (played), ``bot``, ``drawn``, ``offer``, ``dora``.

    A tile may have several.
    """
    table = row["table"]
    names = [table["hand"][at : at + 2] for at in range(0, len(table["hand"]), 2)]
    marks = ["" for _ in names]
    if table["drawn"]:
        names.append(table["drawn"])
        marks.append("drawn")
    if row["own_turn"]:
        for action, mark in ((row["played"], "mine"), (row["chosen"], "bot")):
            tile = action.get("tile") if action else None
            if tile in names:
                at = len(names) - 1 - names[::-1].index(tile)
                marks[at] = f"{marks[at]} {mark}".strip()
    if table["offered"]:
        names.append(table["offered"])
        marks.append("offer")
    dora = dora_of(table["dora"])
    marks = [f"{mark} dora".strip() if plain(name) in dora else mark for name, mark in zip(names, marks, strict=True)]
    return list(zip(names, marks, strict=True))


def dora_of(indicators: str) -> set[str]:
    """The dora that indicators, written without separators, make."""
    return {format_tile37(DORA_AFTER[PLAIN37[tile]]) for tile in parse_tiles37(indicators)}


def plain(name: str) -> str:
    """A tile with a red five written as a plain one."""
    return name.replace("0", "5")
