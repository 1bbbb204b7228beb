"""The protocol of every evaluator: a position in, the worth of each action out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final, Protocol, cast

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import format_tile37
from engine.search.position import Position


@dataclass(frozen=True, slots=True)
class Choice:
    """An action by kinds of tile: all that the worth of an action depends on.

    Attributes:
        kind: what is done.
        tile34: DISCARD, RIICHI: the kind thrown (of a five: the plain one as long as there is one);
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
    """What one action is worth under the one policy that maximises value. A figure not worked out is None.

    Attributes:
        choice: the action.
        value: expected utility (points unless the model says otherwise).
        p_win: chance to win this kyoku, 0-1.
        p_tenpai: chance that the wall runs out with the hand tenpai, 0-1.
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
        actions: every legal action that it can weigh, best first.
        unit: what ``value`` counts.
        shanten: of the position's hand.
        exchanges: n, how many tiles may be exchanged; -1 where the evaluator has no such bound.
        calls: m_f, how many calls were considered.
        hands: |Q_S|, hands enumerated.
        nodes, edges: size of what was swept; nodes are what ``Budget.nodes`` bounds.
        complete: False when the budget forced a smaller search than asked for.
    """

    evaluator: str
    actions: tuple[Worth, ...]
    unit: str = "points"
    shanten: int = 0
    exchanges: int = -1
    calls: int = 0
    hands: int = 0
    nodes: int = 0
    edges: int = 0
    complete: bool = True

    @property
    def best(self) -> Worth:
        """The action of the highest value."""
        return self.actions[0]


class Evaluator(Protocol):
    """An evaluator of positions. It keeps no memory between calls that changes an answer."""

    @property
    def name(self) -> str:
        """As in :data:`EVALUATORS`."""

    def evaluate(self, position: Position, budget: Budget | None = None) -> Evaluation:
        """The worth of every action.

        Raises:
            PositionError: the position cannot be evaluated; the message says why.
        """


EVALUATORS: Final[dict[str, str]] = {"dag": "engine.search.dag.search:DagEvaluator"}
"""Name → ``module:class``; the class is called without arguments."""


def make_evaluator(name: str) -> Evaluator:
    """The evaluator of that name with its default settings.

    Raises:
        ValueError: no evaluator has that name; the message lists those there are.
    """
    try:
        module, _, cls = EVALUATORS[name].partition(":")
    except KeyError:
        raise ValueError(f"no evaluator is named {name!r}; there are: {', '.join(EVALUATORS)}") from None
    factory = cast("Callable[[], Evaluator]", getattr(import_module(module), cls))
    return factory()
