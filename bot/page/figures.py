"""A candidate of a decision and its figures as plain values, rounded to what they mean."""

from __future__ import annotations

from typing import Any

from bot.page.table import action_fields
from engine.policy.decision import Candidate


def figure(value: float) -> float:
    """A value with six significant digits."""
    return float(f"{value:.6g}") + 0.0


def rounded(figure: float | None, digits: int) -> float | None:
    """A figure with that many decimals; None stays None."""
    if figure is None:
        return None
    return round(figure, digits) + 0.0 if digits else float(round(figure))


def candidate_fields(one: Candidate, red_fives: bool = True) -> dict[str, Any]:
    """A candidate; figures that the policy did not compute are left out."""
    figures = {
        "value": figure(one.value),
        "p_win": rounded(one.p_win, 4),
        "p_deal_in": rounded(one.p_deal_in, 4),
        "expected_loss": rounded(one.expected_loss, 0),
        "shanten": one.shanten,
        "ukeire": one.ukeire,
        "note": one.note,
        "prior": rounded(one.prior, 4),
        "lean": None if one.lean is None else figure(one.lean),
        "p_tenpai": rounded(one.p_tenpai, 4),
        "win_points": rounded(one.win_points, 0),
        "p_later": rounded(one.p_later, 4),
        "later_loss": rounded(one.later_loss, 0),
        "added": None if one.added is None else figure(one.added),
    }
    return {"action": action_fields(one.action, red_fives)} | {
        name: figure for name, figure in figures.items() if figure is not None
    }
