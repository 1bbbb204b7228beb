"""One-player mahjong played by any evaluator, and the searches that say how much can be reached in it.

The searches optimise nearly this game: points are in proportion to those of a dealer's self-draw, and triplets of east
and south count as yaku. What they reach is scored by the rules of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.rules import Rules
from engine.model.tiles import EAST, SOUTH
from engine.scoring.win_kernels import YAKU_BITS
from engine.search.dag.model import DRAWS, RiichiMode
from engine.search.dag.search import DagEvaluator
from engine.search.evaluator import Evaluator
from engine.search.neat import points_kernels
from engine.search.neat import solo_kernels as kernels
from engine.search.neat.solo import Walls
from engine.search.neat.tables import hand_tables
from engine.search.position import Position
from engine.search.stakes import HIGHEST, LOWEST, POINTS, Utility

ALPHAS: Final = (0.0, 0.1, 0.9, 1.0)
"""Weights of value against speed, of which Kaizu et al. published figures."""
TYPICAL_WIN: Final = 5_000.0
"""Points that a win alone is worth at weight 0 of value."""
SEARCH_NODES: Final = 20_000
"""Bound on the nodes of a search; the reach of one that plays by weights is an exchange fewer."""
WEIGHED_NODES: Final = 2_000

PLAIN: Final = Rules(red_fives=False)

Choose = Callable[[Position], int]
"""The kind to discard at a position with 14 tiles."""


def by_evaluator(evaluator: Evaluator, nodes: int | None = None) -> Choose:
    """Play the best discard of an evaluator, whose work is bounded by ``nodes``."""
    budget = None if nodes is None else Budget(nodes=nodes)

    def choose(position: Position) -> int:
        return evaluator.evaluate(position, budget=budget).best.choice.tile34

    return choose


def searches() -> Mapping[str, Choose]:
    """The players that search, by name: the DAG search for wins and for points, and those that weigh the two."""
    wins = Utility((LOWEST, 0, 1, HIGHEST), (0.0, 0.0, 1.0, 1.0), "win")
    found = {
        "dag, win": by_evaluator(_dag(wins), SEARCH_NODES),
        "dag, points": by_evaluator(_dag(POINTS), SEARCH_NODES),
    }
    for alpha in ALPHAS:
        base = (1 - alpha) * TYPICAL_WIN
        mixed = Utility((LOWEST, 0, 1, HIGHEST), (0.0, 0.0, base, base + alpha * HIGHEST), "win")
        found[f"alpha {alpha}"] = by_evaluator(_dag(mixed), WEIGHED_NODES)
    return found


def _dag(utility: Utility) -> DagEvaluator:
    return DagEvaluator(replace(DRAWS, riichi=RiichiMode.OFF, utility=utility))


def play_by(choose: Choose, walls: Walls) -> NDArray[np.float64]:
    """(n, RESULTS) results of a player, without dora; it goes on choosing when it is tenpai. No columns of tenpai."""
    return np.array([_play(choose, wall) for wall in walls.tolist()])


def _play(choose: Choose, wall: list[int]) -> list[float]:
    tables = hand_tables()
    hand = wall[: kernels.DEALT]
    counts = np.bincount([tile >> 2 for tile in hand], minlength=34).astype(np.uint8)
    unseen = [4 - int(count) for count in counts]
    for turn, tile in enumerate(wall[kernels.DEALT : kernels.DEALT + kernels.DRAWS], start=1):
        hand.append(tile)
        counts[tile >> 2] += 1
        unseen[tile >> 2] -= 1
        answer = points_kernels.solo_win(counts, tile >> 2, 0, tables)
        if answer:
            points = points_kernels.solo_points(answer, 0)
            return [0.0, 0.0, turn, points, answer & YAKU_BITS]
        if turn == kernels.DRAWS:
            break
        kind = choose(_position(hand, unseen, turn))
        hand.remove(next(one for one in hand if one >> 2 == kind))
        counts[kind] -= 1
    return [0.0] * kernels.RESULTS


def _position(hand: list[int], unseen: list[int], turn: int) -> Position:
    return Position(
        concealed=tuple(sorted(hand)),
        melds=(),
        unseen=tuple(unseen),
        red_unseen=(False, False, False),
        river_mask=0,
        dora_indicators=(),
        seat_wind=EAST,
        round_wind=SOUTH,
        wall_left=4 * (kernels.DRAWS - turn) + 1,  # one more than own draws need: the last draw is not haitei
        rules=PLAIN,
    )
