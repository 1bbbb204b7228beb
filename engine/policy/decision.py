"""A decision and how it is asked for: the one thing the log line, the record, the audit and the arena all read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.model.actions import Action
from engine.model.budget import Budget
from engine.model.events import Event
from engine.model.rules import Rules
from engine.policy.grounds import Ground, Note
from engine.policy.standing import StandingWorth
from engine.settings import JSON
from engine.state import GameState

__all__ = ["JSON", "Budget", "Candidate", "Decider", "Decision"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action that was weighed. A figure the policy did not work out is None.

    Attributes:
        action: the action.
        value: what the policy maximises, in ``Decision.unit``; comparable within one decision.
        p_win: chance to win the hand, 0-1.
        p_deal_in: chance that this tile deals in now, 0-1.
        expected_loss: mean points lost if it does deal in.
        shanten: shanten after it.
        ukeire: unseen tiles that lower the shanten after it.
        note: what is worth saying of it beside its figures; None where there is nothing.
    """

    action: Action
    value: float
    p_win: float | None = None
    p_deal_in: float | None = None
    expected_loss: float | None = None
    shanten: int | None = None
    ukeire: int | None = None
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer and its grounds.

    Attributes:
        action: the answer.
        candidates: what was weighed, best first; the action's own among them.
        mode: state of the push/fold machine, ``attack`` or ``fold``; ``forced`` where there was one answer.
        grounds: why, most important first; see :mod:`engine.policy.grounds`.
        unit: what ``value`` counts, such as ``ukeire`` or ``points``.
        elapsed: seconds of thought, filled in by the caller (the engine has no clock).
        nodes: search nodes that were swept, 0 where nothing was searched.
        noise: difference of ``value`` below which two candidates count as equal, in ``unit``.
        per_point: what one point is worth in ``unit`` at this table; 0 where that is not known.
    """

    action: Action
    candidates: tuple[Candidate, ...] = ()
    mode: str = "attack"
    grounds: tuple[Ground, ...] = ()
    unit: str = ""
    elapsed: float = 0.0
    nodes: int = 0
    noise: float = 0.0
    per_point: float = 0.0

    def points(self, value: float) -> float | None:
        """A value of this decision in points; None where the rate is not known."""
        if self.unit == "points":
            return value
        return value / self.per_point if self.per_point > 0 else None


class Decider(Protocol):
    """A policy. One instance plays one seat and may keep memory; :meth:`start_kyoku` resets what lives a hand.

    A decision depends on nothing but the policy's name, :meth:`settings` and seed, the decisions asked for since
    :meth:`start_kyoku`, and the arguments of :meth:`decide`. A class that derives from this one has to provide ``name``
    and :meth:`decide`; the other members are then those of a policy without settings and memory.

    Attributes:
        name: of the policy.
        warning: what people should know before it plays, such as that its weights are missing and simpler tables take
            their place; None where there is nothing.
    """

    name: str
    warning: str | None = None

    def settings(self) -> Mapping[str, JSON]:
        """Everything besides name and seed that may change a decision; weights and tables by their hash.

        It is kept with a record, so that a decision can be asked for again: what is a setting of the policy's schema
        stands under its name. Empty for a policy without settings.
        """
        return {}

    def start_kyoku(self) -> None:
        """Forget what belongs to the last hand."""
        return

    def standing(self, rules: Rules, seat: int) -> StandingWorth | None:  # noqa: ARG002 - a policy without one
        """What standings between two hands are worth to a seat, in the unit of the policy's values.

        Reviews use it to tell luck from skill: a hand brought the worth of the standing after it, less that of the
        standing before it with the hand aborted. None for a policy whose values cannot be compared with standings.
        """
        return None

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose one of ``legal`` (never empty) for the seat whose view ``state`` is."""


@runtime_checkable
class Listener(Protocol):
    """A decider that wants to hear the game itself, such as a program outside that keeps a state of its own."""

    def hear(self, event: Event, seat: int) -> None:
        """An event happened, as ``seat``, the decider's own, sees it; told before anything is asked about it."""

    def close(self) -> None:
        """The game is over, or was broken off."""
