"""How a hand goes on that is played for a win: how long the others let it, how often it deals in and gets its tiles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.search.evaluator import AS_IT_STANDS, DECLARING, TileChances

ByDraws = tuple[float, ...]
"""``[d]``: a chance or a ratio with ``d`` own draws left."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Each pair holds first without, then with an own riichi."""

    # chance that no other player ends the hand in a go-around, 0-1
    survive: tuple[ByDraws, ByDraws]
    # chance in a go-around that the own discard deals in, 0-1
    hazard: tuple[ByDraws, ByDraws]
    # how often the others discard a tile that the hand waits for or could call, relative to the fitted rates
    discard_ratios: tuple[ByDraws, ByDraws] = ((1.0,), (1.0,))
    # how often a hand in riichi draws a tile it waits for, relative to the tile's share of the unseen tiles
    wait_draws: ByDraws = (1.0,)
    # the chances of each tile at this table; None: those of the fitted rates and the two ratios
    tiles: TileChances | None = None


def forecast_of_tiles(tiles: TileChances, draws_left: int) -> Forecast:
    """The forecast that the network of the tiles to come states for this table."""

    def by_draws(chances: NDArray[np.float64]) -> tuple[ByDraws, ByDraws]:
        silent, riichi = (tiles.by_draws(chances[how], draws_left).tolist() for how in (AS_IT_STANDS, DECLARING))
        return tuple(silent), tuple(riichi)

    return Forecast(by_draws(tiles.survive), by_draws(tiles.deal_in), tiles=tiles)
