"""The reading of a table: all that a decision rests on beside the search."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import KINDS
from engine.networks.chances import Chances
from engine.opponents.danger import Danger
from engine.policy.scene import Scene
from engine.policy.value.attack import at_stake
from engine.policy.value.keeping import keep_values, later_risk
from engine.policy.value.risks import FoldEnds, Risks, assess, fold_ends
from engine.policy.value.tiles import tile_chances
from engine.search.evaluator import AS_IT_STANDS, Stakes, TileChances
from engine.search.read_waits import read_waits
from engine.worth.currency import Currency, Situation, currency
from engine.worth.objective import Objective

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reading:
    """A table as the policy reads it before it searches.

    Attributes:
        scene: what is asked.
        currency: worth of every end of the hand.
        danger: how dangerous each tile is to discard.
        risks: what follows from it.
        tiles: chances of the tiles to come.
        folding: how a hand ends that folds: a row for the discard of each kind, and the last with all tiles kept.
        fold: float64[35, d]: worth of folding with ``d`` own draws left, relative to an aborted hand, by those rows.
        stakes: what the search is told of all this.
        keep: float64[34]: worth of keeping a tile of each kind; None against a riichi, whose danger the search counts.
    """

    scene: Scene
    currency: Currency
    danger: Danger
    risks: Risks
    tiles: TileChances
    folding: FoldEnds
    fold: Floats
    stakes: Stakes
    keep: Floats | None

    @property
    def per_point(self) -> float:
        """Worth of one point at this table."""
        return self.currency.per_point

    def dealt(self, tile34: int) -> tuple[float, float]:
        """The chance that a kind deals in, and that times the worth of the hand's end; 0 for -1, no tile.

        A riichi whose own tile is won on never stands: its stick is not paid.
        """
        chance = float(self.risks.deal_in[tile34]) if tile34 >= 0 else 0.0
        return chance, chance * (float(self.risks.dealt[0, tile34]) - self.currency.now) if chance else 0.0


def read_table(scene: Scene, danger: Danger, objective: Objective, network: Chances | None) -> Reading:
    """Read a table.

    Args:
        scene: what is asked.
        danger: how dangerous each tile is to discard.
        objective: what a final result is worth.
        network: states the chances of the tiles to come; None: they come as at an average table.
    """
    state, position = scene.state, scene.position
    worth = currency(Situation.of(state), objective)
    risks = assess(state, danger, worth)
    tiles = tile_chances(network, scene) if network else read_waits(position)
    survive = tiles.by_draws(tiles.survive[AS_IT_STANDS], position.draws_left).tolist()
    hands = np.maximum(np.array(state.counts) - np.eye(KINDS + 1, KINDS, dtype=np.int64), 0)
    folding = fold_ends(hands, risks, survive, worth.now)
    fold = folding.worths.sum(axis=0)
    stakes = at_stake(scene, worth, danger, risks, tiles, fold[KINDS])
    keep = None
    if position.to_discard and not position.riichi and not position.riichi_against:
        risk = later_risk(danger, state.seat)
        keep = worth.per_point * keep_values(
            position.counts, position.unseen, scene.yakuhai, risk, position.draws_left, scene.shanten
        )
    return Reading(scene, worth, danger, risks, tiles, folding, fold, stakes, keep)
