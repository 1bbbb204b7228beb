"""One decision of a report: what was played, what the policy answers, and how they compare."""

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
        number: from 1, in order of play.
        hand: index into :attr:`Audit.hands`.
        turn: as :attr:`bot.replay.decisions.Place.turn`.
        event: position in the recording.
        own_turn: asked in its own turn, not about another's tile.
        legal: how many answers there were.
        known: how the answer is known.
        played: the answer, None where not known.
        decision: the policy's.
        judgement: how they compare.
        threatened: an opponent has declared riichi.
        table: what the seat saw, as plain values; see :mod:`bot.audit.table`.
        truth: what the others really held, as far as the log shows it.
        safety: by seat relative to the own one, what the safety of the tile discarded is called; empty where none was.
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
