"""The protocol of evaluators: from a position to the worth of each action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import format_tile37
from engine.search.position import Position
from engine.search.stakes import IN_POINTS, Stakes


@dataclass(frozen=True, slots=True)
class Choice:
    """An action by kinds of tile, which is all that its worth depends on.

    Attributes:
        kind: kind of the action.
        tile34: DISCARD, RIICHI: the kind discarded (for a five, the plain one as long as there is one); CHI, PON,
            DAIMINKAN, RON, TSUMO: the kind taken; ANKAN, KAKAN: the kind of the kan; PASS: -1.
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


@cache
def discarding(kind: ActionKind, tile34: int) -> Choice:
    """The choice of DISCARD or RIICHI with a kind of tile, made once: making it again takes a third of an answer."""
    return Choice(kind, tile34)


class Worth(NamedTuple):
    """The worth of one action if the hand is then played by the evaluator's own policy; figures it lacks are None.

    A tuple, because creating frozen dataclasses was half of the time of the evaluator ``handscore``.

    Attributes:
        choice: the action.
        value: expected utility, in :attr:`Evaluation.unit`.
        p_win: chance to win this hand, 0-1.
        p_tenpai: chance that the hand is tenpai at an exhaustive draw, 0-1.
        win_points: mean points gained by a win (honba and riichi sticks included).
        value_by_draws: ``[d]``: the value if ``d`` own draws were left after this action; the last entry is ``value``.
        p_win_by_draws: the same for ``p_win``.
        then34: the kind discarded after a chi or pon; -1 if there is none.
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
    """The result of an evaluator.

    Attributes:
        evaluator: name of the evaluator.
        actions: the actions that were evaluated, best first.
        unit: unit of ``value``.
        shanten: shanten of the position's hand.
        exchanges: n, maximum number of tiles exchanged; -1 if the evaluator has no such bound.
        calls: m_f, maximum number of calls considered.
        nodes: units of work done, which ``Budget.nodes`` bounds; for a search, its hands.
        edges: links between them; 0 if there are none.
        complete: whether the budget allowed the whole search that was asked for.
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
        """The action with the highest value."""
        return self.actions[0]


class Evaluator(Protocol):
    """An evaluator of positions. It keeps no memory between calls that changes an answer.

    **Actions.** With a tile to discard, every kind that may be discarded is evaluated; when a tile is offered, PASS.
    Other actions (riichi, calls, kans, wins) are evaluated as far as the evaluator can: a policy never plays an action
    that was not evaluated, except wins, which it always takes.

    **Unit.** Without stakes, values are changes of the player's own points, and ``unit`` is ``"points"``. With stakes
    they are in ``stakes.unit``, by the worths that the stakes give to each end of the hand. An evaluator that cannot
    use stakes ignores them and answers in points; the caller converts them (:func:`engine.policy.value.attack.attack`).

    **Budget.** ``budget.nodes`` bounds the units of work, and ``budget.expired`` is checked between them: once it is
    true the evaluator returns what it has, with ``complete`` False. Equal positions, stakes, settings and ``nodes``
    give equal answers as long as the budget does not expire.
    """

    @property
    def name(self) -> str:
        """Its name in :data:`engine.search.registry.EVALUATORS`, or any other name."""

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of each file of tables or weights that answers depend on, by its name."""

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """The worth of every action that it can evaluate.

        Args:
            position: what the player knows.
            stakes: the worth of the hand's ends and the risks; None: only own points count.
            budget: bound on the work; None: the evaluator's default.

        Raises:
            PositionError: the position cannot be evaluated; the message says why.
        """
