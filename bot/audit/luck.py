"""Separates decisions from luck: what a hand brought, beside what the policy expected of it.

For each finished hand, in the unit of :mod:`bot.audit.units`: ``result = expected + decisions + luck``. ``result`` is
what the standing was worth after the hand, less what it would have been worth had the hand been aborted; ``expected``
is what the policy expects of the hand at its first decision, made zero-sum by :mod:`bot.audit.openings`;
``decisions`` is what was lost against the policy's choices (never above 0); ``luck`` is the rest: draws, the other
players, and whatever the model leaves out.

Beside it, without a unit: wins and deal-ins expected (chances added up) against those that happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.audit.hands import Hand
from bot.audit.rows import Row
from bot.audit.units import worth_of_one
from engine.model.actions import DISCARDS
from engine.policy.standing import Standing, StandingWorth


@dataclass(frozen=True, slots=True)
class Luck:
    """Expectations and outcomes; they add up over hands.

    Attributes:
        hands: finished hands with at least one decision.
        points: points gained.
        result: what the hands were worth; None if the policy has no such value.
        expected: what the policy expected at the first decision of each; None likewise.
        decisions: lost by decisions, 0 or less.
        wins: hands won; ``wins_expected`` by the chance at the first decision.
        deal_ins: hands dealt in; ``deal_ins_expected`` by the chance of each discarded tile.
    """

    hands: int = 0
    points: int = 0
    result: float | None = None
    expected: float | None = None
    decisions: float = 0.0
    wins: int = 0
    wins_expected: float = 0.0
    deal_ins: int = 0
    deal_ins_expected: float = 0.0

    @property
    def luck(self) -> float | None:
        """The rest of the result."""
        if self.result is None or self.expected is None:
            return None
        return self.result - self.expected - self.decisions

    def __add__(self, other: Luck) -> Luck:
        return Luck(
            self.hands + other.hands,
            self.points + other.points,
            _plus(self.result, other.result),
            _plus(self.expected, other.expected),
            self.decisions + other.decisions,
            self.wins + other.wins,
            self.wins_expected + other.wins_expected,
            self.deal_ins + other.deal_ins,
            self.deal_ins_expected + other.deal_ins_expected,
        )


def _plus(one: float | None, other: float | None) -> float | None:
    known = [each for each in (one, other) if each is not None]
    return sum(known) if known else None


def luck_of(
    hand: Hand,
    after: Standing | None,
    rows: Sequence[Row],
    seat: int,
    worth: StandingWorth | None,
    expected: float | None,
) -> Luck:
    """The luck of one hand; empty for a hand that the log does not finish, or without decisions.

    Args:
        hand: the hand as it was played.
        after: the standing that followed it; None if the log does not show one.
        rows: its decisions.
        seat: the seat.
        worth: the policy's worth of a standing, in its own unit, if it has one.
        expected: expected value of the hand in that unit, if known.
    """
    if not hand.ended or not rows:
        return Luck()
    first = next((row for row in rows if row.judgement.chosen.p_win is not None), None)
    discarded = [row.judgement.played for row in rows if row.played is not None and row.played.kind in DISCARDS]
    weighed = worth is not None and expected is not None and after is not None and not hand.resumed
    one = next((worth_of_one(row.decision) for row in rows if row.decision.unit), 1.0)
    return Luck(
        hands=1,
        points=hand.deltas[seat],
        result=(worth(after) - worth(hand.standing.aborted)) / one if weighed and worth and after else None,
        expected=expected / one if weighed and expected is not None else None,
        decisions=-sum(row.judgement.loss or 0.0 for row in rows) if weighed else 0.0,
        wins=int(any(win.seat == seat for win in hand.wins)),
        wins_expected=(first.judgement.chosen.p_win or 0.0) if first is not None else 0.0,
        deal_ins=int(any(win.from_seat == seat != win.seat for win in hand.wins)),
        deal_ins_expected=sum(one.p_deal_in or 0.0 for one in discarded if one is not None),
    )
