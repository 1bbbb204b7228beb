"""The report of one audit: a single HTML page that needs nothing but a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bot.audit.charts import lost_chart
from bot.audit.wording import Wording
from bot.page.template import Design, render_page
from bot.wording.grounds import note_word
from bot.wording.languages import Lang
from bot.wording.numbers import number, steps_of
from engine.model.seats import by_score
from engine.policy.grounds import Note

DESIGN: Final = Design("bot.audit", "report.html.j2", ("table.js", "report.js"))
WIDE: Final = (880, 230)
NARROW: Final = (390, 230)
"""Sizes of a chart: for screens, and for phones."""

Fields = Mapping[str, Any]


def render_report(fields: Fields, lang: Lang = Lang.EN) -> str:
    """The page of an audit whose fields come from :func:`bot.audit.fields.audit_fields`."""
    wording = Wording(lang, fields["policy"]["noise"])
    fields = wording.localised(fields)
    rows = {row["number"]: row for row in fields["decisions"]}
    label = wording("chart_label", decisions=fields["score"]["decisions"], lost=wording.amount(fields["score"]["lost"]))
    return render_page(
        DESIGN,
        lang,
        wording.words,
        report_data(fields, wording),
        t=wording,
        fields=fields,
        rows=rows,
        names=player_names(fields, wording),
        charts=[lost_chart(fields, label, *size) for size in (WIDE, NARROW)],
        settings=json.dumps(fields["policy"]["settings"], ensure_ascii=False),
        steps=[(step, wording.amount(step)) for step in steps_of(fields["policy"]["noise"])],
        marked=marked_hand,
        order=lambda end: by_score(end["scores"]),
        most=max([one["lost"] for one in fields["categories"].values()] or [0.0]),
    )


def report_data(fields: Fields, wording: Wording) -> dict[str, Any]:
    """The data for the page's script: the decisions, each with its sentences, and the words it needs."""
    unit = fields["policy"]["unit"]
    decisions = [
        {
            **row,
            "say": wording.decision(row),
            "mode": wording.mode(row["mode"]),
            "grounds": [wording.ground(each) for each in row["grounds"]],
            "points": number(row["noise"] / row["per_point"]) if unit != "points" and row["per_point"] else "",
            "candidates": [
                one | {"note": note_word(Note(one["note"]), wording.lang)} if "note" in one else one
                for one in row["candidates"]
            ],
        }
        for row in fields["decisions"]
    ]
    kept = ("unit", "hands", "turning_points")
    needed = (
        "seat_", "wind_", "act_", "ver_", "c_", "f_count", "f_none", "wall", "honba", "sticks", "dora", "furiten",
        "waits", "offered_by", "bot", "played", "both", "turn", "grounds", "mode", "resumed_table", "cat_", "hand",
    )  # fmt: skip
    return {
        "names": player_names(fields, wording),
        "decimals": wording.decimals,
        "unit": wording.unit(unit),
        "hands": [{name: hand[name] for name in _HAND} for hand in fields["hands"]],
        "decisions": decisions,
        "words": {key: text for key, text in wording.words.items() if key.startswith(needed)},
    } | {name: fields[name] for name in kept if name in fields and name not in {"unit", "hands"}}


_HAND: Final = ("name", "honba", "kyoku", "dealer", "first", "resumed")


def player_names(fields: Fields, wording: Wording) -> list[str]:
    """The names, or substitutes for empty ones."""
    return [
        name or (wording.who(seat) if seat else wording("player_n", n=fields["seat"] + 1))
        for seat, name in enumerate(fields["names"])
    ]


def marked_hand(row: Fields) -> list[tuple[str, str]]:
    """The tiles of a decision's hand, each with its role: ``mine`` (played), ``bot``, ``drawn``, ``offer``."""
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
    return list(zip(names, marks, strict=True))
