"""Whether the figures of an audit agree: rows with their parts, losses with rows, sentences with both."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from bot.review.arguments import candidate
from bot.review.measure import PARTS, TELLING, Scale, ledger
from bot.review.wording import Wording
from bot.wording.languages import Lang, decimals_of

POINTS_OF_NOISE = 30.0
"""Sums hold to a point: so much finer than the noise, whatever the values count."""
WRITTEN = 1e-5
"""Share of a figure to which it is written."""
REASONS = ("because_", "only_strong_play")
"""Beginnings of the sentences that give a reason with its points."""
PAIRS = (("one", "other"), ("points", "other_points"), ("mean", "other_mean"), ("mine", "theirs"))
"""Places of a sentence whose figures are compared."""


class Listening(Wording):
    """Notes each sentence that is made, and what stands in its places."""

    def __init__(self, lang: Lang, scale: Scale) -> None:
        super().__init__(lang, scale)
        self.said: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, key: str, **parts: Any) -> str:
        self.said.append((key, parts))
        return super().__call__(key, **parts)


def faults_of(fields: dict[str, Any], found: Counter[str] | None = None) -> list[str]:
    """What in the fields of an audit contradicts itself, a line each.

    Args:
        fields: of an audit whose judge states parts.
        found: counts rows, sentences, and parts of a loss above a tenth that no sentence names.
    """
    counts = Counter[str]() if found is None else found
    scale = Scale.of(fields["policy"]["noise"], fields["policy"]["unit"])
    told = {lang: Listening(lang, scale) for lang in Lang}
    faults: list[str] = []
    for row in fields["decisions"]:
        place = f"{fields['log_id'] or fields['source']} seat {fields['seat']} decision {row['number']}"
        faults += [f"{place}: {fault}" for fault in _of_rows(row, counts)]
        if row["verdict"] == "differs":
            for t in told.values():
                faults += [f"{place}: {fault}" for fault in _of_sentence(row, t, counts)]
    return faults


def _of_rows(row: dict[str, Any], counts: Counter[str]) -> list[str]:
    faults = []
    rows = row["candidates"]
    point = max(row["noise"] / POINTS_OF_NOISE, WRITTEN * max((abs(one["value"]) for one in rows), default=0.0))
    values = [one["value"] for one in rows]
    if values != sorted(values, reverse=True):
        faults.append(f"rows are not sorted by value: {values}")
    for one in rows:
        counts["rows"] += 1
        if "parts" not in one:
            counts["rows without parts"] += 1
            if row["mode"] != "forced" or len(rows) > 1:
                faults.append(f"{one['action']} states no parts though it was compared")
        elif not set(one["parts"]) <= set(PARTS) or abs(sum(one["parts"].values()) - one["value"]) > point:
            faults.append(f"{one['action']}: parts {one['parts']} do not make {one['value']}")
    mine = candidate(row, row["played"])
    if row["verdict"] == "differs":
        if mine is None:
            return [*faults, "what was played has no row"]
        counts["differences"] += 1
        if abs(rows[0]["value"] - mine["value"] - row["loss"]) > point:
            faults.append(f"lost {row['loss']}, but the rows are {rows[0]['value']} and {mine['value']}")
        gains = ledger(row, mine, rows[0]).gains
        if gains and abs(sum(gains.values()) - row["loss"]) > point:
            faults.append(f"lost {row['loss']}, but the parts differ by {sum(gains.values())}")
        if row["questions"] and abs(sum(row["questions"].values()) - row["loss"]) > point:
            faults.append(f"lost {row['loss']}, but the questions make {row['questions']}")
    elif row["verdict"] in {"same", "equal", "held"} and row["loss"]:
        faults.append(f"{row['verdict']}, but {row['loss']} lost")
    return faults


def _of_sentence(row: dict[str, Any], t: Listening, counts: Counter[str]) -> list[str]:
    faults = []
    point = row["noise"] / POINTS_OF_NOISE
    t.said.clear()
    text = t.decision(row)
    counts["sentences"] += 1
    finer = Wording(t.lang, t.scale.finer(row["noise"]))
    if finer.value_of(row["loss"]) not in text:
        faults.append(f"the sentence does not say {row['loss']}: {text}")
    rounded = 0.5 * 10.0 ** -decimals_of(row["noise"])  # what is less would be written as 0
    for key, parts in t.said:
        template = t.words[key]
        for one, other in PAIRS:
            shown = [name for name in (one, other) if re.search(rf"{{{name}\b", template)]
            if len(shown) == 2 and parts[one] == parts[other]:
                faults.append(f"{key} compares {parts[one]} with itself: {text}")
        if key.startswith(REASONS) and abs(_number(parts["gain"])) < row["noise"] - rounded:
            faults.append(f"{key} is a reason of {parts['gain']}, below the noise of {row['noise']}: {text}")
    mine = candidate(row, row["played"])
    sums = ledger(row, mine or {}, row["candidates"][0])
    if not sums.gains:
        return faults
    small, total = sums.small()
    named = sum(sums.gains[part] for part in (*sums.reasons(), *sums.against())) + (total if small else 0.0)
    if abs(row["loss"] - named) > max(TELLING * row["loss"] + point, rounded):
        counts["unnamed remainders"] += 1
    if not any(key.startswith(REASONS) for key, _ in t.said):
        counts["no part decides"] += 1
    return faults


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("\N{MINUS SIGN}", "-").replace("\N{PLUS SIGN}", ""))
