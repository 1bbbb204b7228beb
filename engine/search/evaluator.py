"""The protocol of every evaluator: a position in, the worth of each action out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import format_tile37
from engine.search.position import Position
from engine.search.stakes import IN_POINTS, Stakes


@dataclass(frozen=True, slots=True)
class Choice:
    """An action by kinds of tile: all that the worth of an action depends on.

    Attributes:
        kind: what is done.
        tile34: DISCARD, RIICHI: the kind discarded (of a five: the plain one as long as there is one);
            CHI, PON, DAIMINKAN, RON, TSUMO: the kind taken; ANKAN, KAKAN: of the kan; PASS: -1.
        own34: CHI: the two kinds from hand, ascending.
    """

    kind: ActionKind
    tile34: int = -1
    own34: tuple[int, ...] = ()

    def __str__(self) -> str:
        name = self.kind.name.lower()
        if self.tile34 < 0:
            return name
        tile = format_tile37(self.tile34)
        if self.own34:
            return f"{name} {tile} with {' '.join(format_tile37(kind) for kind in self.own34)}"
        return f"{name} {tile}"


@dataclass(frozen=True, slots=True)
class Worth:
    """What one action is worth if the hand is played on by the evaluator's own policy; figures it lacks are None.

    Attributes:
        choice: the action.
        value: expected utility, in :attr:`Evaluation.unit`.
        p_win: chance to win this hand, 0-1.
        p_tenpai: chance that the hand is tenpai at an exhaustive draw, 0-1.
        win_points: mean points gained by a win (honba and sticks included), given that there is one.
        value_by_draws: ``[d]``: the value if ``d`` own draws were left after this action; the last entry is ``value``.
        p_win_by_draws: the same of ``p_win``.
        then34: what is discarded after a chi or pon; -1 where nothing follows.
    """

    choice: Choice
    value: float
    p_win: float | None = None
    p_tenpai: float | None = None
    win_points: float | None = None
    value_by_draws: tuple[float, ...] = ()
    p_win_by_draws: tuple[float, ...] = ()
    then34: int = -1


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answer of an evaluator.

    Attributes:
        evaluator: its name.
        actions: the actions that were weighed, best first.
        unit: what ``value`` counts.
        shanten: of the position's hand.
        exchanges: n, how many tiles may be exchanged; -1 where the evaluator has no such bound.
        calls: m_f, how many calls were considered.
        nodes: units of work done, of which ``Budget.nodes`` bounds the number; a search counts its hands.
        edges: links between them, 0 where there are none.
        complete: False when the budget forced a smaller search than asked for.
    """

    evaluator: str
    actions: tuple[Worth, ...]
    unit: str = IN_POINTS
    shanten: int = 0
    exchanges: int = -1
    calls: int = 0
    nodes: int = 0
    edges: int = 0
    complete: bool = True

    @property
    def best(self) -> Worth:
        """The action of the highest value."""
        return self.actions[0]


class Evaluator(Protocol):
    """An evaluator of positions. It keeps no memory between calls that changes an answer.

    **Which actions.** With a tile to discard every kind that may be discarded is weighed, and asked about an offered
    tile, PASS. All others (riichi, calls, kans, wins) are weighed as far as the evaluator can: a policy never plays an
    action that was not weighed, except wins, which it takes without asking.

    **Which unit.** Without stakes, values are changes of the player's own points, and ``unit`` is ``"points"``. With
    stakes they are in ``stakes.unit``, by the worths that the stakes give to each end of the hand. An evaluator that
    cannot use stakes ignores them and answers in points; whoever asked converts them
    (:func:`engine.policy.worth.attack.attack`).

    **Which budget.** ``budget.nodes`` bounds the units of work, and ``budget.expired`` is asked between them: once it
    is true the evaluator answers with what it has, ``complete`` being False. Equal positions, stakes, settings and
    ``nodes`` give equal answers as long as the budget does not expire.
    """

    @property
    def name(self) -> str:
        """Its name in :data:`engine.search.registry.EVALUATORS`, or any other."""

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of each file of tables or weights that answers depend on, by its name."""

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """The worth of every action that it can weigh.

        Args:
            position: what the player knows.
            stakes: the worth of the hand's ends and the risks; None: own points count alone.
            budget: how much work may be done; None: as the evaluator sees fit.

        Raises:
            PositionError: the position cannot be evaluated; the message says why.
        """
