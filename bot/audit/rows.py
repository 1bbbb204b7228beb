"""One decision of a report: what was played, the policy's answer, and how they compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.audit.verdicts import Judgement
from bot.replay.decisions import Known
from engine.model.actions import Action
from engine.policy.decision import Decision
from engine.policy.grounds import Ground


@dataclass(frozen=True, slots=True)
class Row:
    """One decision of the report.

    Attributes:
        number: number in order of play, from 1.
        hand: index into :attr:`Audit.hands`.
        turn: as :attr:`bot.replay.decisions.Place.turn`.
        event: position in the recording.
        own_turn: whether it is an own turn, not about another player's tile.
        legal: number of legal answers.
        known: how the answer is known.
        played: the answer; None if not known.
        decision: the policy's decision.
        judgement: how they compare.
        threatened: whether an opponent has declared riichi.
        table: what the seat saw, as plain values; see :mod:`bot.page.table`.
        truth: what the others really held, as far as the log shows it.
        safety: by relative seat, the name of the discarded tile's safety; empty if nothing was discarded.
        danger: by tile of the hand, the chance that it deals in to the right, across and left; empty unless it is the
            seat's turn.
    """

    number: int
    hand: int
    turn: int
    event: int
    own_turn: bool
    legal: int
    known: Known
    played: Action | None
    decision: Decision
    judgement: Judgement
    threatened: bool
    table: dict[str, Any]
    truth: dict[str, Any]
    safety: Mapping[int, Ground] = field(default_factory=dict)
    danger: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
