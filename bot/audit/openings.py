"""What a policy expects of each hand at its beginning, corrected so that a hand is a zero-sum game.

A policy may expect too much, or ignore what others win; the sum of its expectations over the four players is then not
zero, as the results are. So all four are asked at their first decision of a hand, and the mean is subtracted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def opening_values(
    recording: Recording, played: Played, fresh: Fresh, nodes: int | None = None
) -> list[dict[int, float]]:
    """The value of the policy's choice at the first decision that it evaluates, by seat and index of the hand."""
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


def expectations(
    recording: Recording, played: Played, seat: int, fresh: Fresh, nodes: int | None = None
) -> Mapping[int, float]:
    """What a seat may expect of each hand, by index; only hands in which the policy evaluated something for all four.

    Empty for a session, which shows only one seat.
    """
    if recording.viewer is not None:
        return {}
    values = opening_values(recording, played, fresh, nodes)
    return {
        hand: values[seat][hand] - sum(each[hand] for each in values) / len(SEATS)
        for hand in range(len(played.hands))
        if all(hand in each for each in values)
    }
