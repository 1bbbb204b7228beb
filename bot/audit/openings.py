"""What a policy expects of each hand at its beginning, corrected so that a hand is a zero-sum game.

A policy may expect too much, or ignore what others win; the sum of its expectations over the four players is then not
zero, as the results are. So all four are asked at their first decision of a hand, and the mean is subtracted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.audit.hands import Played
from bot.audit.sources import Recording
from bot.audit.verdicts import find
from bot.deciding.ask import ask
from engine.model.budget import Budget
from engine.model.seats import SEATS
from engine.policy.decision import Decider

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
    """What a seat may expect of each hand, by index; only hands in which the policy evaluated something for all four.

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
