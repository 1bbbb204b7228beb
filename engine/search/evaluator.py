"""The protocol of evaluators: from a position, and from what is at stake, to the worth of each action.

Without stakes an evaluator values actions by the change of its own points. With stakes it values them by what follows
at the table: the standing, the dealer, the other players' wins and the danger of discards are then part of each value,
in whatever unit the caller uses.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import ge
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import ActionKind
from engine.model.bounds import CHANGE
from engine.model.budget import Budget
from engine.model.tiles import format_tile37
from engine.search.position import Position

LOWEST, HIGHEST = CHANGE
"""No change of points is beyond these."""

IN_POINTS: Final = "points"
"""The unit of values without stakes: the change of the player's own points."""


@dataclass(frozen=True, slots=True)
class Utility:
    """The worth of a change of one's own points: linear between knots, constant beyond the outermost.

    Attributes:
        points: changes of points, ascending.
        values: the worth of each.
        unit: what the values count.
    """

    points: tuple[float, ...] = (LOWEST, HIGHEST)
    values: tuple[float, ...] = (LOWEST, HIGHEST)
    unit: str = IN_POINTS

    def __post_init__(self) -> None:
        if len(self.points) != len(self.values) or len(self.points) < 2:
            raise ValueError("a utility needs as many values as points, and at least two")
        if any(map(ge, self.points, self.points[1:])):
            raise ValueError(f"the points of a utility must ascend, unlike {self.points}")

    def of(self, change: float) -> float:
        """The worth of one change."""
        above = bisect_right(self.points, change)
        if above in {0, len(self.points)}:
            return float(self.values[min(above, len(self.points) - 1)])
        low, high = self.points[above - 1], self.points[above]
        share = (change - low) / (high - low)
        return float(self.values[above - 1] + share * (self.values[above] - self.values[above - 1]))

    def of_each(self, changes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The worth of each of many changes, in their shape."""
        return np.interp(changes, self.points, self.values)


POINTS: Final = Utility()


class TileChances(NamedTuple):
    """The chances of the tiles to come, by how the player goes on from here, turn by turn.

    All are conditional: the chance that a kind comes in a turn if it has not come since now, relative to its share of
    the unseen tiles. So they multiply: what they leave in each turn is the chance that the kind has not come yet.

    ``how`` is 0 as the hand stands, 1 with a riichi declared now, 2 with a call of the tile on offer.
    """

    # float64[how, opponent, turn, tile34]: by the opponent on the left, across, on the right
    discards: NDArray[np.float64]
    draws: NDArray[np.float64]  # float64[how, turn, tile34]: by the player
    # float64[how, turn]: that no other player ends the hand in the go-around, if the player has not won in it
    survive: NDArray[np.float64]
    deal_in: NDArray[np.float64]  # float64[how, turn]: that then the player's discard deals in, as in recorded games
    give_up: NDArray[np.float64]  # float64[how, turn]: that then the player gives the hand up, as in recorded games

    @staticmethod
    def by_draws(chances: NDArray[np.float64], draws: int) -> NDArray[np.float64]:
        """float64[d]: the chances of a row by turn, with ``d`` own draws left of the ``draws`` that are left now."""
        return chances[np.minimum(draws - np.arange(draws + 1), len(chances) - 1)]


AS_IT_STANDS, DECLARING, CALLING = range(3)
"""Rows of :class:`TileChances`."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The worth of every end of the hand to its player, and the risk of its discards, all in one unit.

    In each pair the first figure holds without, the second with a riichi that the player declares later or has
    declared. ``d`` counts own draws still to come.

    Attributes:
        tsumo, ron: worth of an own win, by the change of own points.
        ended: worth of a hand that another player ends without a loss for this one.
        terminal: worth of the exhaustive draw: noten, tenpai, tenpai in riichi.
        toll: for each ``tile34``, cost of discarding it from the present hand; empty: nothing.
        hazard: ``[own riichi][d]``: chance in a go-around that the drawn tile deals in when it is discarded; the last
            figure of a row holds beyond its end.
        hazard_worth: worth of the hand's end if it does.
        tiles: the chances at this table, also in place of ``survive``; None: those of the fitted tables.
        survive: ``[own riichi][d]``: chance that no other player ends the hand in the go-around; empty: the fitted one.
        fold: ``[d]``: worth of folding with ``d`` own draws left; empty: the hand never folds.
        kan_toll: cost of each kan made later; a kan made now is not charged.
        kans: the stakes that apply once a kan is made now, by its ``tile34``.
    """

    tsumo: Utility
    ron: Utility
    ended: tuple[float, float]
    terminal: tuple[float, float, float]
    toll: tuple[float, ...] = ()
    hazard: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0,), (0.0,))
    hazard_worth: tuple[float, float] = (0.0, 0.0)
    tiles: TileChances | None = None
    survive: tuple[tuple[float, ...], ...] = ()
    fold: tuple[float, ...] = ()
    kan_toll: float = 0.0
    kans: "tuple[tuple[int, Stakes], ...]" = ()

    def __post_init__(self) -> None:
        if self.tsumo.unit != self.ron.unit:
            raise ValueError(
                f"self-draws are valued in {self.tsumo.unit} and rons in {self.ron.unit}; use one unit for both"
            )

    @property
    def unit(self) -> str:
        """The unit of all values."""
        return self.tsumo.unit

    def after_kan(self, tile34: int) -> "Stakes":
        """The stakes once a kan of the kind has been made."""
        return dict(self.kans).get(tile34, self)

    def win_worth(self, change: float, tsumo: bool) -> float:
        """The worth of a win that changes the own points by so much."""
        return (self.tsumo if tsumo else self.ron).of(change)


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
