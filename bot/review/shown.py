"""A decision of a review as every page shows it: the report, the live page and practice.

``judged`` of ``table.js`` draws it. Words come by language, so that a page can change its language.
"""

from collections.abc import Mapping
from typing import Any, Final

from bot.page.table import drawn_figures, rounded_parts
from bot.review.document import Candidate, Decision
from bot.review.measure import POINTS, folds, ledger
from bot.review.overview import rounded_gains
from bot.review.wording import Wording
from bot.wording.grounds import note_word
from bot.wording.languages import Lang, number
from engine.policy.grounds import Note

_KEPT: Final = (
    "number", "hand", "turn", "event", "own_turn", "played", "chosen", "verdict", "grade", "category", "threatened",
    "loss", "noise", "table", "truth", "danger",
)  # fmt: skip
"""Fields of a decision that pages show as they are."""


def shown_decision(row: Decision, wordings: Mapping[Lang, Wording]) -> dict[str, Any]:
    """A decision as pages show it.

    Args:
        row: the decision, as a review has it.
        wordings: by language, the wording for the judge of the review.
    """
    first = next(iter(wordings.values()))
    states_points = first.scale.unit != POINTS and row["per_point"]
    points = number(row["noise"] / row["per_point"]) if states_points else ""
    best, *others = row["candidates"]
    compared = next((one for one in others if one["action"] == row["played"]), others[0] if others else best)
    return {
        **{name: row[name] for name in _KEPT},
        "brief": {lang.value: t.brief(row) for lang, t in wordings.items()},
        "say": {lang.value: t.decision(row) for lang, t in wordings.items()},
        "mode": {lang.value: t.mode(row["mode"]) for lang, t in wordings.items()},
        "grounds": {lang.value: t.grounds(row["grounds"]) for lang, t in wordings.items()},
        "points": dict.fromkeys((lang.value for lang in wordings), points),
        "candidates": [
            _shown_candidate(
                one, wordings, _written(one, row, first.scale.decimals), sums=one is best or one is compared
            )
            for one in row["candidates"]
        ],
    }


def _written(one: Candidate, row: Decision, decimals: int) -> dict[str, Any]:
    """The value of a candidate and its parts as the page writes them, rounded so that all that it shows adds up.

    The first value is rounded; every other one is the first less the rounded difference, so that what a decision cost
    is the difference of the values beside it, and its parts are those of the overview. Whether one is ``near`` the
    first is said by the values themselves.
    """
    first = row["candidates"][0]
    charged = row["loss"] if one["action"] == row["played"] else None
    lost = charged or first["value"] - one["value"]
    value = round(round(first["value"], decimals) - round(lost, decimals), decimals)
    written = {"value": value, "near": one is not first and abs(first["value"] - one["value"]) <= row["noise"]}
    if "parts" not in one:
        return written
    if one is first or "parts" not in first:
        return {**written, "parts": rounded_parts(one["parts"], value, decimals)}
    exact = ledger(row, one, first).gains
    gains = rounded_gains(row, decimals) if charged else rounded_parts(exact, lost, decimals)
    parts = rounded_parts(first["parts"], round(first["value"], decimals), decimals)
    rest = {
        name: round(parts.get(name, 0.0) - gains.get(name, 0.0), decimals) for name in dict.fromkeys((*parts, *gains))
    }
    return {**written, "parts": {name: part for name, part in rest.items() if part}}


def _shown_candidate(
    one: Candidate, wordings: Mapping[Lang, Wording], written: Mapping[str, Any], *, sums: bool
) -> dict[str, Any]:
    """A candidate with the figures that are drawn: of a fold without the chance to win, which is that of a push.

    It has its parts only where the page can show their sums: the first has them, and what was played or the next one.
    """
    shown: dict[str, Any] = {"action": one["action"], **drawn_figures(one), **written}
    for name in ("p_win", "win_points") if folds(one) else ():
        shown.pop(name, None)
    if sums:
        shown |= {name: facts[name] for name in ("draws", "shapes") if name in (facts := one.get("facts", {}))}
    else:
        shown.pop("parts", None)
    if "note" in one:
        shown["note"] = {lang.value: note_word(Note(one["note"]), lang) for lang in wordings}
    return shown
