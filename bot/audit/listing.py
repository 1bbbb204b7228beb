"""The differences of many games in one list, which the index shows, filters and opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.audit.habits import kind_of
from bot.audit.many import Done
from bot.audit.wording import Wording

MOST: Final = 2_000
"""Number of differences that are listed, the costliest; the page stays below two megabytes."""

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
