"""A decision, the protocol of a policy, and a player in its seat.

Log lines, records, audits and the arena all read the one class of decisions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from engine.model.actions import Action
from engine.model.budget import Budget
from engine.model.events import Event, Resume, StartKyoku
from engine.model.rules import Rules
from engine.model.standing import StandingWorth
from engine.policy.grounds import Ground, Note
from engine.settings import JSON
from engine.state import Follower, GameState, visible_to

__all__ = [
    "JSON",
    "Budget",
    "Candidate",
    "Decider",
    "Decision",
    "HandPlayer",
    "InPoints",
    "Listener",
    "Parts",
    "Seated",
]


@dataclass(frozen=True, slots=True)
class Parts:
    """The named parts of a candidate's score, in ``Decision.unit`` relative to an aborted hand. Their sum is the score.

    Attributes:
        win: own wins: their chance times the mean points of a win.
        deal_in: the tile discarded now: its chance to deal in times what is then paid. The other parts are what comes
            if it passes, times the chance that it does.
        later: later discards that deal in.
        draw: the exhausted wall: payments for tenpai and noten, and who deals next.
        others: what the others win meanwhile, from each other and by self-draws; a riichi stick lost to them.
        places: what the places add to the points of an own win.
        keep: what the tiles that stay in the hand may still be good for: safe tiles, partners, pairs of honours.
        stay_folded: what a hand that has folded pays for a riichi or a call, after which it cannot go on folding.
        network: how much less often strong play chooses the action than its favourite; 0 for that.
    """

    win: float = 0.0
    deal_in: float = 0.0
    later: float = 0.0
    draw: float = 0.0
    others: float = 0.0
    places: float = 0.0
    keep: float = 0.0
    stay_folded: float = 0.0
    network: float = 0.0

    @property
    def total(self) -> float:
        """Their sum."""
        return float(sum(getattr(self, name) for name in self.__slots__))

    def scaled(self, factor: float) -> "Parts":
        """Each of them times a factor."""
        return Parts(*(factor * getattr(self, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action that was considered. A figure that the policy did not compute is None.

    Attributes:
        action: the action.
        value: what the policy expects, in ``Decision.unit``; comparable within one decision.
        p_win: chance to win the hand, 0-1; it counts that the discard may deal in now.
        p_deal_in: chance that the discarded tile deals in now, 0-1.
        expected_loss: mean points lost if it deals in.
        shanten: shanten after the action.
        ukeire: number of unseen tiles that lower the shanten after the action.
        note: a remark in addition to the figures; None if there is none.
        p_tenpai: chance that the hand ends in an exhaustive draw and is tenpai, 0-1.
        prior: chance that a strong player chooses the action, 0-1; None if it was not computed.
        lean: what that chance adds to ``value`` when the candidates are ranked, in the same unit; at most 0, None if it
            adds nothing.
        win_points: mean points of a win, honba and riichi sticks included.
        p_later: chance that a later discard deals in if the hand is played on, 0-1.
        later_loss: what such a deal-in costs on average, in points at the table.
        parts: what ``score`` is made of; None if the policy does not state it.
    """

    action: Action
    value: float
    p_win: float | None = None
    p_deal_in: float | None = None
    expected_loss: float | None = None
    shanten: int | None = None
    ukeire: int | None = None
    note: Note | None = None
    p_tenpai: float | None = None
    prior: float | None = None
    lean: float | None = None
    win_points: float | None = None
    p_later: float | None = None
    later_loss: float | None = None
    parts: Parts | None = None

    @property
    def score(self) -> float:
        """The value by which candidates are ranked and which is shown."""
        return self.value + (self.lean or 0.0)

    def lead(self, other: "Candidate") -> float:
        """How much better this one is than another, by what they are ranked by."""
        return self.score - other.score


@dataclass(frozen=True, slots=True)
class Decision:
    """The chosen action and the grounds for it.

    Attributes:
        action: the chosen action.
        candidates: the actions considered, best first, including the chosen one.
        mode: state of the push/fold machine, ``attack`` or ``fold``; ``forced`` if there was only one answer.
        grounds: the reasons, most important first; see :mod:`engine.policy.grounds`.
        unit: unit of ``value``, such as ``ukeire`` or ``points``.
        elapsed: seconds of thought, set by the caller (the engine has no clock).
        nodes: number of search nodes, 0 if nothing was searched.
        noise: difference of ``value`` below which two candidates count as equal, in ``unit``.
        per_point: worth of one point in ``unit`` at this table; 0 if it is not known.
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
        """A value of this decision in points; None if the rate is not known."""
        if self.unit == "points":
            return value
        return value / self.per_point if self.per_point > 0 else None


class Decider(Protocol):
    """A policy. One instance plays one seat and may remember a hand; :meth:`start_kyoku` resets that memory.

    A decision depends only on the policy's name, :meth:`settings` and seed, the decisions requested since
    :meth:`start_kyoku`, and the arguments of :meth:`decide`. A class that derives from this one has to provide ``name``
    and :meth:`decide`; the other members are then those of a policy without settings and memory.

    Attributes:
        name: name of the policy.
        warning: what people should know before it plays, such as that its weights are missing and simpler tables are
            used instead; None if there is nothing.
    """

    name: str
    warning: str | None = None

    def settings(self) -> Mapping[str, JSON]:
        """Everything besides name and seed that may change a decision; weights and tables by their hash.

        It is stored in records, so that a decision can be reproduced: settings of the policy's schema appear under
        their own names. Empty for a policy without settings.
        """
        return {}

    def start_kyoku(self) -> None:
        """Forget the previous hand."""
        return

    def standing(self, rules: Rules, seat: int) -> StandingWorth | None:  # noqa: ARG002 - a policy without one
        """A function that returns the worth of a standing to a seat, in the unit of the policy's values.

        Benchmarks compare with it what a policy states: a hand gained the worth of the standing after it, less that of
        the standing before it with the hand aborted. None for a policy whose values cannot be compared with standings.
        """
        return None

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose one of the actions ``legal`` (never empty) for the seat of ``state``."""


class InPoints(Decider):
    """A policy whose values are points gained in the hand."""

    def standing(self, rules: Rules, seat: int) -> StandingWorth:  # noqa: ARG002 - the same at every table
        """The seat's score."""
        return lambda standing: float(standing.scores[seat])


@runtime_checkable
class Listener(Protocol):
    """A decider that receives the events of the game itself, such as an external program with its own state."""

    def hear(self, event: Event, seat: int) -> None:
        """Receive an event as ``seat``, the decider's own, sees it, before any decision that depends on it."""

    def close(self) -> None:
        """The game is over, or has been broken off."""


class HandPlayer(Protocol):
    """A player of a seat: a :class:`Decider`, or a wrapper that asks one."""

    def start_kyoku(self) -> None:
        """Forget the previous hand."""


P = TypeVar("P", bound=HandPlayer)


class Seated(Follower[GameState], Generic[P]):
    """Follows a game from a seat. The player who sits there hears of each new hand, and of all events if it listens.

    Whoever keeps the seat asks the player, about ``state`` and its legal actions.

    Attributes:
        player: who sits there; behind a guard if it may be anyone's.
    """

    def __init__(self, seat: int, rules: Rules, player: P, *, lost: bool = False) -> None:
        super().__init__(GameState(seat, rules), lost=lost)
        self.player = player
        sits: object = player  # mypy thinks that a type variable is never a Listener
        self._listener = sits if isinstance(sits, Listener) else None

    def apply(self, event: Event) -> None:
        """Apply the part of an event that the seat sees, and pass it on to the player.

        Raises:
            StateError: it cannot have happened; a player that listens does not hear of it.
        """
        if isinstance(event, StartKyoku | Resume):
            self.player.start_kyoku()
        seat = self.state.seat
        seen = visible_to(event, seat)
        super().apply(seen)
        if self._listener is not None:
            self._listener.hear(seen, seat)
