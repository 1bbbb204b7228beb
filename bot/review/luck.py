"""Separates decisions from luck: the result of a hand beside the policy's expectation of it.

For each finished hand, in the unit of :mod:`.measure`: ``result = expected + decisions + luck``. ``result`` is what the
standing was worth after the hand, less what it would have been worth had the hand been aborted; ``expected`` is what
the policy expects of the hand at its first decision, made zero-sum by :func:`expectations`; ``decisions`` is what was
lost against the policy's choices (never above 0); ``luck`` is the rest: draws, the other players, and whatever the
model leaves out.

Beside it, without a unit: wins and deal-ins expected (chances added up) against those that happened.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.deciding.ask import ask
from bot.page.table import rounded
from bot.replay.decisions import find
from bot.review.measure import worth_of_one
from bot.review.recording import Recording
from bot.review.verdicts import Row
from engine.critic import luck as draws_luck
from engine.critic.estimates import ratio
from engine.model.actions import DISCARDS
from engine.model.budget import Budget
from engine.model.hands import Hand, Played
from engine.model.seats import SEATS
from engine.model.standing import Standing, StandingWorth
from engine.policy.decision import Decider
from engine.rules.codes import HiddenTileError
from engine.tables import WeightsError

NODES: Final = 4_000
"""Bound on the search of each of these questions: there are four per hand, and only their difference counts."""

Fresh = Callable[[], Decider]
"""Creates a policy for one seat."""
Openings = Sequence[Mapping[int, float]]
"""By seat, the value of the policy's choice at its first decision in each hand, by index of the hand."""


def opening_values(recording: Recording, played: Played, fresh: Fresh, nodes: int | None = None) -> Openings:
    """The value of the policy's choice at the first decision that it evaluates, by seat and index of the hand.

    Empty for a session, which shows only one seat, and for a policy that does not say what a result is worth.
    """
    if recording.viewer is not None or fresh().standing(recording.rules, SEATS[0]) is None:
        return []
    budget = Budget(nodes=NODES if nodes is None else min(NODES, nodes))
    values: list[dict[int, float]] = []
    for seat in SEATS:
        decider = fresh()
        found: dict[int, float] = {}
        for point in recording.points(seat, []):
            hand = played.index_at(point.place.event)
            if hand in found or not point.own_turn:
                continue
            decider.start_kyoku()
            decision = ask(decider, point.state, point.legal, budget).decision
            chosen = find(decision, decision.action)
            if chosen is not None and chosen.p_win is not None:
                found[hand] = chosen.value
        values.append(found)
    return values


def expectations(openings: Openings, seat: int) -> Mapping[int, float]:
    """Expected results of hands for a seat, by index; only hands in which the policy evaluated something for all four.

    Args:
        openings: the result of :func:`opening_values`.
        seat: absolute seat.
    """
    if not openings:
        return {}
    return {
        hand: value - sum(each[hand] for each in openings) / len(SEATS)
        for hand, value in openings[seat].items()
        if all(hand in each for each in openings)
    }


@dataclass(frozen=True, slots=True)
class Luck:
    """Expectations and outcomes; they add up over hands."""

    hands: int = 0  # finished hands with at least one decision
    points: int = 0  # points gained
    result: float | None = None  # what the hands were worth; None if the policy has no such value
    expected: float | None = None  # what the policy expected at the first decision of each; None if it is not known
    decisions: float = 0.0  # lost by decisions, 0 or less
    wins: int = 0  # hands won; ``wins_expected`` by the chance at the first decision
    wins_expected: float = 0.0
    deal_ins: int = 0  # hands dealt in; ``deal_ins_expected`` by the chance of each discarded tile
    deal_ins_expected: float = 0.0

    @property
    def luck(self) -> float | None:
        """The rest of the result."""
        if self.result is None or self.expected is None:
            return None
        return self.result - self.expected - self.decisions

    def __add__(self, other: "Luck") -> "Luck":
        return Luck(*(_plus(getattr(self, name), getattr(other, name)) for name in self.__slots__))


def _plus(one: Any, other: Any) -> Any:
    """The sum of what is known; None if neither is."""
    return other if one is None else one if other is None else one + other


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
        wins=int(seat in hand.winners),
        wins_expected=(first.judgement.chosen.p_win or 0.0) if first is not None else 0.0,
        deal_ins=int(hand.dealt_in == seat),
        deal_ins_expected=sum(one.p_deal_in or 0.0 for one in discarded if one is not None),
    )


def draws_of(recording: Recording, seat: int) -> dict[str, float] | None:
    """The worth of a game's draws, deals and ura to a seat: points, and final places (a gain is negative).

    None if the log does not show all hands, or the critic's weights cannot be used.
    """
    try:
        luck = draws_luck.luck_of(event for _, event in recording.events)
    except (HiddenTileError, WeightsError):
        return None
    points, places = luck[:, seat].sum(axis=0).tolist()
    return {"points": round(points), "places": round(places, 4)}


def without_draws(audits: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Mean place and mean final score over games that ended and whose draws are known: as they came, and without luck.

    None if there are none.
    """
    known = [(one["ends"][-1], one["draws"]) for one in audits if one.get("draws") and len(one["ends"]) == 1]
    if not known:
        return None
    return {
        "games": len(known),
        "placement": _mean([end["placement"] for end, _ in known], 2),
        "placement_without": _mean([end["placement"] - draws["places"] for end, draws in known], 2),
        "score": _mean([end["scores"][0] for end, _ in known], 0),
        "score_without": _mean([end["scores"][0] - draws["points"] for end, draws in known], 0),
    }


def _mean(values: Sequence[float], digits: int) -> dict[str, float | None]:
    """The mean of games and half of its 95% interval."""
    found = ratio([(value, 1.0) for value in values])
    return {"mean": rounded(found.mean, digits), "within": rounded(found.within, digits)}
