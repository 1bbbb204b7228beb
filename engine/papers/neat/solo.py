"""One-player mahjong: played by networks, and by searches and evaluators, with the figures of either.

The searches optimise nearly this game: points are in proportion to those of a dealer's self-draw, and triplets of east
and south count as yaku. What they reach is scored by the rules of the game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.rules import Rules
from engine.model.tiles import DORA_AFTER, EAST, KINDS, RED_FIVES, SOUTH
from engine.papers.neat import points_kernels
from engine.papers.neat import solo_kernels as kernels
from engine.papers.neat.network import Network, shape_tables, space_for
from engine.scoring.win_kernels import YAKU_BITS
from engine.search.dag.model import DRAWS, RiichiMode
from engine.search.dag.search import DagEvaluator
from engine.search.evaluator import HIGHEST, LOWEST, POINTS, Evaluator, Utility
from engine.search.position import Position
from engine.shanten.tables import hand_tables

LEAST_SLOPE: Final = 1e-3
"""Least number of points of a unit of value, so that the order of discards is that of the network."""

Walls = NDArray[np.uint8]
"""(n, WALL) ``tile136``; see :mod:`engine.papers.neat.solo_kernels`."""
ALPHAS: Final = (0.0, 0.1, 0.9, 1.0)
"""Weights of value against speed, of which Kaizu et al. published figures."""
TYPICAL_WIN: Final = 5_000.0
"""Points that a win alone is worth at weight 0 of value."""
SEARCH_NODES: Final = 20_000
"""Bound on the nodes of a search; the reach of one that plays by weights is an exchange fewer."""
WEIGHED_NODES: Final = 2_000

WINS: Final = Utility((LOWEST, 0, 1, HIGHEST), (0.0, 0.0, 1.0, 1.0), "win")
"""The chance to win."""
PLAIN: Final = Rules(red_fives=False)

Choose = Callable[[Position], int]
"""The kind to discard at a position with 14 tiles."""


def make_walls(count: int, *seed: int) -> Walls:
    """``count`` random walls by seed."""
    tiles = np.tile(np.arange(kernels.TILES, dtype=np.uint8), (count, 1))
    return np.ascontiguousarray(np.random.default_rng(seed).permuted(tiles, axis=1)[:, : kernels.WALL])


@dataclass(frozen=True, slots=True)
class SoloResults:
    """The results of some walls."""

    # (n, RESULTS) float64, one row for each wall; see :mod:`engine.papers.neat.solo_kernels`
    results: NDArray[np.float64]
    uses: NDArray[np.int64]  # (modules, LEADS, FAR) how often each module valued the hand that was kept
    decisions: int  # number of decisions

    @property
    def fitness(self) -> NDArray[np.float64]:
        """(n, 2): turns left at tenpai, and expected points at tenpai: the paper's objectives for each wall."""
        return np.stack(
            [kernels.DRAWS - self.results[:, kernels.TENPAI_TURN], self.results[:, kernels.EXPECTED]], axis=1
        )


def play(network: Network, walls: Walls, *, dora: bool = False) -> SoloResults:
    """Play every wall, with dora and red fives or without."""
    net = network.net
    results = np.zeros((len(walls), kernels.RESULTS))
    uses = np.zeros((network.modules, kernels.LEADS, kernels.FAR), np.int64)
    decisions = kernels.play_walls(walls, dora, net, network.modules, shape_tables(), space_for(net), results, uses)
    return SoloResults(results, uses, decisions)


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of the paper's Table 6 over some walls."""

    hands: int  # number of hands
    win_rate: float  # share of hands won
    points: float  # mean points of a hand
    points_per_win: float  # mean points of a win; 0 without one
    win_turn: float  # mean turn of a win; 0 without one
    tenpai_rate: float  # share of hands that reached tenpai


def summary(results: NDArray[np.float64]) -> Summary:
    """The figures of some results (n, RESULTS)."""
    won = results[:, kernels.WIN_TURN] > 0
    wins = max(int(won.sum()), 1)
    return Summary(
        len(results),
        float(won.mean()),
        float(results[:, kernels.POINTS].mean()),
        float(results[won, kernels.POINTS].sum() / wins),
        float(results[won, kernels.WIN_TURN].sum() / wins),
        float((results[:, kernels.EXPECTED] > 0).mean()),
    )


def scaled(network: Network, walls: Walls, results: NDArray[np.float64], *, dora: bool = False) -> Network:
    """The network with values in points: the line that fits the points of hands best, by the value of the deal."""
    net, space = network.net, space_for(network.net)
    values = np.empty(len(walls))
    for row, wall in enumerate(walls.tolist()):
        dealt = wall[: kernels.DEALT]
        space.counts[:] = np.bincount([tile >> 2 for tile in dealt], minlength=KINDS)
        bonus = 0
        if dora:
            kinds = [tile >> 2 for tile in dealt]
            bonus = kinds.count(DORA_AFTER[wall[-1] >> 2]) + sum(tile in RED_FIVES for tile in dealt)
        kernels.value_hand(net, network.modules, kernels.DEALT, bonus, 0, shape_tables(), space)
        values[row] = space.values[0]
    each, base = np.polyfit(values, results[:, kernels.EXPECTED], 1)
    return replace(network, scale=(float(base), max(float(each), LEAST_SLOPE)))


def by_evaluator(evaluator: Evaluator, nodes: int | None = None) -> Choose:
    """Play the best discard of an evaluator, whose work is bounded by ``nodes``."""
    budget = None if nodes is None else Budget(nodes=nodes)

    def choose(position: Position) -> int:
        return evaluator.evaluate(position, budget=budget).best.choice.tile34

    return choose


def searches() -> Mapping[str, Choose]:
    """The players that search, by name: the DAG search for wins and for points, and those that weigh the two."""
    found = {
        "dag, win": by_evaluator(search_for(WINS), SEARCH_NODES),
        "dag, points": by_evaluator(search_for(POINTS), SEARCH_NODES),
    }
    for alpha in ALPHAS:
        base = (1 - alpha) * TYPICAL_WIN
        mixed = Utility((LOWEST, 0, 1, HIGHEST), (0.0, 0.0, base, base + alpha * HIGHEST), "win")
        found[f"alpha {alpha}"] = by_evaluator(search_for(mixed), WEIGHED_NODES)
    return found


def search_for(utility: Utility) -> DagEvaluator:
    """The DAG search of the one-player game for a utility."""
    return DagEvaluator(replace(DRAWS, riichi=RiichiMode.OFF, utility=utility))


def play_by(choose: Choose, walls: Walls, *, dora: bool = False) -> NDArray[np.float64]:
    """(n, RESULTS) results of a player; it goes on choosing when it is tenpai. No columns of tenpai."""
    return np.array([_play(choose, wall, dora=dora) for wall in walls.tolist()])


def _play(choose: Choose, wall: list[int], *, dora: bool) -> list[float]:
    tables = hand_tables()
    hand = SoloHand(wall, dora=dora)
    for turn in range(1, kernels.DRAWS + 1):
        tile = hand.draw()
        answer = points_kernels.solo_win(hand.counts, tile >> 2, hand.bonus, tables)
        if answer:
            points = points_kernels.solo_points(answer, hand.bonus)
            return [0.0, 0.0, turn, points, answer & YAKU_BITS]
        if turn < kernels.DRAWS:
            hand.discard(choose(hand.position()))
    return [0.0] * kernels.RESULTS


class SoloHand:
    """A hand of the one-player game, as searches see it.

    Attributes:
        counts: (34,) uint8 copies held of each kind.
        turn: number of tiles drawn.
    """

    def __init__(self, wall: list[int], *, dora: bool) -> None:
        """Deal the hand of a wall."""
        self.turn = 0
        self._wall = wall
        self._indicators = (wall[-1],) if dora else ()
        self._rules = Rules() if dora else PLAIN
        self._held = wall[: kernels.DEALT]
        self._seen = {*self._held, *self._indicators}
        self.counts = np.bincount([tile >> 2 for tile in self._held], minlength=KINDS).astype(np.uint8)
        self._unseen = [4] * KINDS
        for tile in self._seen:
            self._unseen[tile >> 2] -= 1

    @property
    def bonus(self) -> int:
        """Number of dora and red fives held."""
        return sum(map(self._bonus_of, self._held))

    def bonus_without(self, kind: int) -> int:
        """The bonus tiles without one tile of a kind; of fives the red one goes last."""
        return self.bonus - self._bonus_of(self._given_up(kind))

    def draw(self) -> int:
        """Draw the next tile."""
        tile = self._wall[kernels.DEALT + self.turn]
        self.turn += 1
        self._held.append(tile)
        self._seen.add(tile)
        self.counts[tile >> 2] += 1
        self._unseen[tile >> 2] -= 1
        return tile

    def discard(self, kind: int) -> None:
        """Discard a tile of a kind, of fives the red one last."""
        self._held.remove(self._given_up(kind))
        self.counts[kind] -= 1

    def _given_up(self, kind: int) -> int:
        return max(tile for tile in self._held if tile >> 2 == kind)  # the red five is the lowest

    def _bonus_of(self, tile: int) -> int:
        dora = sum(tile >> 2 == DORA_AFTER[indicator >> 2] for indicator in self._indicators)
        return dora + int(self._rules.red_fives and tile in RED_FIVES)

    def position(self) -> Position:
        """The position with the tile drawn."""
        man, pin, sou = (self._rules.red_fives and red not in self._seen for red in RED_FIVES)
        return Position(
            concealed=tuple(sorted(self._held)),
            melds=(),
            unseen=tuple(self._unseen),
            red_unseen=(man, pin, sou),
            river_mask=0,
            dora_indicators=self._indicators,
            seat_wind=EAST,
            round_wind=SOUTH,
            wall_left=4 * (kernels.DRAWS - self.turn) + 1,  # one more than own draws need: the last draw is not haitei
            rules=self._rules,
        )
