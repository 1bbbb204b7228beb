"""How strong players fare in audits: the table shipped with the program, the bounds of grades, percentiles.

The table is counted by ``oshihiki train reference`` on recorded games (:mod:`bot.audit.reference_count`), one seat of
each. Its ratings hold for the judge that it was counted with: the policy, its settings, its weights.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

FILE: Final = "assets/reference.json"
REBUILD: Final = "oshihiki train reference"
"""The command that makes the file."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The table.

    Attributes:
        card: what it was counted with, and on what.
        bounds: least loss, in points, of a ``mistake`` and of a ``blunder``.
        tables: by name (``'phoenix hanchan'``), the figures of its players.
    """

    card: Mapping[str, Any]
    bounds: Mapping[str, float]
    tables: Mapping[str, Mapping[str, Any]]

    def suits(self, policy: str, settings: Mapping[str, Any], nodes: int | None = None) -> bool:
        """Whether ratings by this judge can be compared with the table's."""
        judge = self.card["judge"]
        return bool(judge["policy"] == policy and judge["settings"] == settings and judge["nodes"] == nodes)

    def one_in(self, grade: str) -> int:
        """In how many judged decisions phoenix players lose as much as that grade once."""
        rooms = [one for name, one in self.tables.items() if name.startswith("phoenix")]
        worse = ("blunder",) if grade == "blunder" else ("blunder", "mistake")
        found = sum(one["grades"][each] for one in rooms for each in worse)
        return round(sum(one["judged"] for one in rooms) / found) if found else 0

    def of_length(self, *, hanchan: bool) -> dict[str, Mapping[str, Any]]:
        """The tables of hanchan, or of east-only games, by room."""
        length = "hanchan" if hanchan else "tonpu"
        return {name.split()[0]: one for name, one in self.tables.items() if name.endswith(length)}


def percentile(ratings: Sequence[float], rating: float) -> int:
    """The share of ``ratings`` (ascending) that are lower, in percent; equal ones count half."""
    return round(50 * (bisect_left(ratings, rating) + bisect_right(ratings, rating)) / len(ratings))


@cache
def reference() -> Reference:
    """The table that is shipped."""
    fields = json.loads((files("bot.audit") / FILE).read_text(encoding="utf-8"))
    return Reference(fields["card"], fields["bounds"], fields["tables"])
